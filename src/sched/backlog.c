/* sched/backlog.c -- see sched/backlog.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/backlog.h"

#include "base/mem.h"

static void free_all(struct qti_bundle *list)
{
	for (struct qti_bundle *older; list; list = older) {
		older = list->older;
		qti_mem_free(list);
	}
}

void qti_backlog_fini(struct qti_backlog *b)
{
	free_all(b->newest);
	free_all(b->spare);
	b->newest = b->oldest = b->spare = NULL;
}

/* An empty bundle whose tasks will begin at `at`; NULL when out of memory. */
static struct qti_bundle *bundle_get(struct qti_backlog *b, uint32_t at)
{
	struct qti_bundle *x = b->spare;

	if (x)
		b->spare = x->older;
	else if (!(x = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*x))))
		return NULL;
	x->newer = x->older = NULL;
	x->begin = x->end = at;
	return x;
}

static void bundle_drop(struct qti_backlog *b, struct qti_bundle *x)
{
	*(x->newer ? &x->newer->older : &b->newest) = x->older;
	*(x->older ? &x->older->newer : &b->oldest) = x->newer;
	x->older = b->spare;
	b->spare = x;
}

/* The newest bundle with room for one more, NULL when out of memory. */
static struct qti_bundle *room_at_newest(struct qti_backlog *b)
{
	struct qti_bundle *x = b->newest;

	if (x && x->end < QTI_BUNDLE_TASKS)
		return x;
	if (!(x = bundle_get(b, 0)))
		return NULL;
	x->older = b->newest;
	*(b->newest ? &b->newest->newer : &b->oldest) = x;
	return b->newest = x;
}

static struct qti_bundle *room_at_oldest(struct qti_backlog *b)
{
	struct qti_bundle *x = b->oldest;

	if (x && x->begin > 0)
		return x;
	if (!(x = bundle_get(b, QTI_BUNDLE_TASKS)))
		return NULL;
	x->newer = b->oldest;
	*(b->oldest ? &b->oldest->older : &b->newest) = x;
	return b->oldest = x;
}

void qti_backlog_push_newest(struct qti_backlog *b, struct qti_task *const *task, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct qti_bundle *x = room_at_newest(b);
		if (x)
			x->task[x->end++] = task[i];
		else
			qti_tasklist_push_front(&b->strays, task[i]);
	}
	store_rlx(&b->count, b->count + n);
}

void qti_backlog_push_oldest(struct qti_backlog *b, struct qti_task *t)
{
	struct qti_bundle *x = room_at_oldest(b);

	if (x)
		x->task[--x->begin] = t;
	else
		qti_tasklist_push_back(&b->strays, t);
	store_rlx(&b->count, b->count + 1);
}

unsigned qti_backlog_pop_newest(struct qti_backlog *b, struct qti_task **task, unsigned max)
{
	unsigned n = 0;

	for (struct qti_bundle *x; n < max && (x = b->newest) != NULL;) {
		task[n++] = x->task[--x->end];
		if (x->begin == x->end)
			bundle_drop(b, x);
	}
	while (n < max && b->strays.front)
		task[n++] = qti_tasklist_pop_front(&b->strays);
	store_rlx(&b->count, b->count - n);
	return n;
}

unsigned qti_backlog_pop_oldest(struct qti_backlog *b, struct qti_task **task, unsigned max)
{
	unsigned n = 0;

	for (struct qti_bundle *x; n < max && (x = b->oldest) != NULL;) {
		task[n++] = x->task[x->begin++];
		if (x->begin == x->end)
			bundle_drop(b, x);
	}
	while (n < max && b->strays.front)
		task[n++] = qti_tasklist_pop_back(&b->strays);
	store_rlx(&b->count, b->count - n);
	return n;
}
