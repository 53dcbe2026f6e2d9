/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* liburcu's two queues: a lock-free one, whose nodes may be used again after a grace period (here: never), and one with
 * a wait-free push and a mutex around pop. */
#define _LGPL_SOURCE
#include "ds/queues.h"

#include <stdlib.h>
#include <urcu-qsbr.h>
#include <urcu/rculfqueue.h>
#include <urcu/wfcqueue.h>

struct node {
	union {
		struct cds_lfq_node_rcu lfq;
		struct cds_wfcq_node wfcq;
		struct node *unused;
	};
	void *value;
};

static struct node *fresh(struct queue_user *u)
{
	return (struct node *)u->memory + u->pushes++;
}

static void *lfq_create(void)
{
	struct cds_lfq_queue_rcu *q = malloc(sizeof(*q));

	cds_lfq_init_rcu(q, call_rcu);
	return q;
}

static void lfq_destroy(void *queue)
{
	cds_lfq_destroy_rcu(queue);
	free(queue);
}

static void lfq_push(void *queue, struct queue_user *u, void *value)
{
	struct node *n = fresh(u);

	n->value = value;
	cds_lfq_node_init_rcu(&n->lfq);
	rcu_read_lock();
	cds_lfq_enqueue_rcu(queue, &n->lfq);
	rcu_read_unlock();
	if (u->pushes % 1024 == 0)
		rcu_quiescent_state();
}

static void *lfq_pop(void *queue, struct queue_user *u)
{
	(void)u;
	rcu_read_lock();
	struct cds_lfq_node_rcu *n = cds_lfq_dequeue_rcu(queue);
	rcu_read_unlock();
	return n ? caa_container_of(n, struct node, lfq)->value : NULL;
}

const struct queue_kind queue_lfq = { "cds_lfq", "liburcu, lock-free, quiescent-state based", sizeof(struct node),
	lfq_create, lfq_destroy, rcu_register_thread, rcu_unregister_thread, lfq_push, lfq_pop };

struct wfcq {
	struct cds_wfcq_head head __attribute__((aligned(64)));
	struct cds_wfcq_tail tail __attribute__((aligned(64)));
};

static void *wfcq_create(void)
{
	struct wfcq *q = aligned_alloc(64, sizeof(*q));

	cds_wfcq_init(&q->head, &q->tail);
	return q;
}

static void wfcq_destroy(void *queue)
{
	struct wfcq *q = queue;

	cds_wfcq_destroy(&q->head, &q->tail);
	free(q);
}

static void wfcq_push(void *queue, struct queue_user *u, void *value)
{
	struct wfcq *q = queue;
	struct node *n = u->unused;

	if (n)
		u->unused = n->unused;
	else
		n = fresh(u);
	n->value = value;
	cds_wfcq_node_init(&n->wfcq);
	cds_wfcq_enqueue(&q->head, &q->tail, &n->wfcq);
}

static void *wfcq_pop(void *queue, struct queue_user *u)
{
	struct wfcq *q = queue;
	struct cds_wfcq_node *got = cds_wfcq_dequeue_blocking(&q->head, &q->tail);

	if (!got)
		return NULL;
	struct node *n = caa_container_of(got, struct node, wfcq);
	n->unused = u->unused;
	u->unused = n;
	return n->value;
}

const struct queue_kind queue_wfcq = { "cds_wfcq", "liburcu, wait-free push, pop under a mutex", sizeof(struct node),
	wfcq_create, wfcq_destroy, NULL, NULL, wfcq_push, wfcq_pop };
