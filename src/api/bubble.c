/* api/bubble.c -- see qthread/bubble.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "qthread/bubble.h"

#include "api/team.h"
#include "base/mem.h"
#include "base/race.h"
#include "core/gate.h"
#include "core/loop.h"
#include "core/ready.h"
#include "sync/feb.h"

struct bubble;

struct part {
	struct bubble *of;              /* first: QTI_TASK_CALLS */
	void *arg;
};

struct bubble {
	qthread_f f;                    /* first, too */
	aligned_t sum;                  /* of those that have returned; ordered by the next */
	size_t left;
	struct part part[];
};

/* --- running --------------------------------------------------------------------------------------------- */

static aligned_t part_run(void *arg)
{
	struct part *p = arg;

	return p->of->f(p->arg);
}

/* Every task has the return word, so that who waits for it finds the first, then the next, in its own queue. */
static bool part_ended(struct qti_task *t, aligned_t value)
{
	struct bubble *b = ((struct part *)t->arg)->of;

	add_rlx(&b->sum, value);
	qti_race_release(b);
	if (sub_acq_rel(&b->left, 1) != 1)
		return true;
	value = b->sum;
	qti_race_pass(b, t->ret, QTI_RACE_OBJECT);
	qti_mem_free(b);
	return !load_rlx(&t->ret) || qti_feb_deliver(t, value);
}

/* --- forking --------------------------------------------------------------------------------------------- */

static struct bubble *bubble_new(qthread_f f, void *args, size_t size, size_t n)
{
	if (n > (SIZE_MAX - sizeof(struct bubble)) / sizeof(struct part))
		return NULL;
	struct bubble *b = qti_mem_alloc(sizeof(*b) + n * sizeof(b->part[0]));
	if (!b)
		return NULL;
	b->f = f;
	b->sum = 0;
	b->left = n;
	for (size_t i = 0; i < n; i++)
		b->part[i] = (struct part){ .of = b, .arg = (char *)args + i * size };
	return b;
}

static struct qti_task *after(const struct qti_task *t)
{
	return qti_task_is(t, QTI_TASK_BUBBLE) ? qti_task_more(t)->rest : NULL;
}

static void discard_all(struct qti_task *first)
{
	for (struct qti_task *t = first, *next; t; t = next) {
		next = after(t);
		qti_team_unchoose(t);
		qti_task_discard(t);
	}
}

static struct qti_task *part_describe(struct qti_worker *w, struct part *p, void *ret)
{
	struct qti_task *t = w ? qti_pool_get(&qti_rt.tasks, &w->tasks) : qti_pool_get_shared(&qti_rt.tasks);

	if (!t)
		return NULL;
	t->fn = part_run;
	t->arg = p;
	t->flags = QTI_TASK_LIVE | QTI_TASK_CALLS;
	t->id = 0;
	store_rlx(&t->ret, ret);
	t->finish = part_ended;
	if (qti_team_choose(t, 0) == QTHREAD_SUCCESS)
		return t;
	qti_task_discard(t);
	return NULL;
}

static struct qti_task *part_describe_traced(struct qti_worker *w, struct part *p, void *ret)
{
	qti_trace_put(&w->tracer, QTI_TRACE_CREATE, 0, 0, (uintptr_t)p->of->f);
	struct qti_task *t = part_describe(w, p, ret);
	qti_trace_put(&w->tracer, QTI_TRACE_CREATE + QTI_TRACE_END, t ? qti_trace_id(w, t) : 0, 0, 0);
	return t;
}

/* The first of all n; NULL when out of memory. */
static struct qti_task *parts_describe(struct qti_worker *w, struct bubble *b, size_t n, void *ret)
{
	struct qti_task *rest = NULL;

	for (size_t i = n; i-- > 0;) {
		bool traced = w && qti_traces(&w->tracer);
		struct qti_task *t =
			traced ? part_describe_traced(w, &b->part[i], ret) : part_describe(w, &b->part[i], ret);
		if (!t) {
			discard_all(rest);
			return NULL;
		}
		if (rest)
			qti_task_lead(t, rest);
		rest = t;
	}
	return rest;
}

static void count_forks(struct qti_worker *w, size_t n)
{
	if (w)
		qti_count_add(&w->stats.forks, n);
	else
		add_rlx(&qti_rt.external_forks, n);
}

static int bubble_fork(struct qti_worker *w, struct bubble *b, size_t n, aligned_t *ret)
{
	struct qti_task *first = parts_describe(w, b, n, ret);

	if (!first)
		return QTHREAD_MALLOC_ERROR;
	int rc = ret ? qti_feb_expect(ret) : QTHREAD_SUCCESS;
	if (rc != QTHREAD_SUCCESS) {
		discard_all(first);
		return rc;
	}
	for (struct qti_task *t = first; t; t = after(t))
		qti_team_enter(t);
	count_forks(w, n);
	for (struct qti_task *t = first; qti_races() && t; t = after(t))
		qti_race_release_as(t, QTI_RACE_TASK);
	first->creator = w ? (uint16_t)w->id : QTI_TASK_OUTSIDE;
	if (w)
		qti_push_bubble(w, first);
	else
		qti_ready(first);
	return QTHREAD_SUCCESS;
}

static int fork_inside(qthread_f f, void *args, size_t size, size_t n, aligned_t *ret)
{
	struct qti_worker *w = qti_self();

	if (!w && load_rlx(&qti_gate) != QTI_GATE_OPEN && !qti_proxied())
		return QTHREAD_NOT_ALLOWED;
	if (!f || n == 0)
		return QTHREAD_BADARGS;
	struct bubble *b = bubble_new(f, args, size, n);
	if (!b)
		return QTHREAD_MALLOC_ERROR;
	int rc = bubble_fork(w, b, n, ret);
	if (rc != QTHREAD_SUCCESS)
		qti_mem_free(b);
	return rc;
}

int qthread_fork_bubble(qthread_f f, void *args, size_t size, size_t n, aligned_t *ret)
{
	if (!qti_call_in())
		return QTHREAD_NOT_ALLOWED;
	int rc = fork_inside(f, args, size, n, ret);
	qti_call_out();
	return rc;
}
