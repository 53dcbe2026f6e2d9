/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Concurrency Kit's lock-free queue of any number of threads.  Its nodes may be used again at once. */
#define CK_F_FIFO_MPMC_WANTED
#include "ds/queues.h"

#include <ck_fifo.h>
#include <stdlib.h>

static void *create(void)
{
	ck_fifo_mpmc_t *q = aligned_alloc(64, (sizeof(*q) + 63) & ~(size_t)63);

	ck_fifo_mpmc_init(q, malloc(sizeof(ck_fifo_mpmc_entry_t)));
	return q;
}

static void destroy(void *queue)
{
	free(queue); /* the last node is any thread's: the process ends soon */
}

static void push(void *queue, struct queue_user *u, void *value)
{
	ck_fifo_mpmc_entry_t *node = u->unused;

	if (node)
		u->unused = *(void **)node;
	else
		node = (ck_fifo_mpmc_entry_t *)(u->memory + sizeof(*node) * u->pushes++);
	ck_fifo_mpmc_enqueue(queue, node, value);
}

static void *pop(void *queue, struct queue_user *u)
{
	ck_fifo_mpmc_entry_t *node;
	void *value = NULL;

	if (!ck_fifo_mpmc_dequeue(queue, &value, &node))
		return NULL;
	*(void **)node = u->unused;
	u->unused = node;
	return value;
}

const struct queue_kind queue_ck = { "ck_fifo_mpmc", "Concurrency Kit, Michael and Scott's queue",
	sizeof(ck_fifo_mpmc_entry_t), create, destroy, NULL, NULL, push, pop };
