/* core/trace.c -- see core/trace.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/trace.h"

#include "base/race.h"
#include "base/ticks.h"

/* The stamp comes last: whoever reads the file finds the whole record, or none, wherever the process has come to an
 * end. */
static inline void record(struct qti_trace_buffer *b, uint64_t ticks, unsigned event, uint32_t task, uint32_t more,
                          uint64_t what)
{
	struct qti_trace_record *r = b->next;

	r->task = task;
	r->more = more;
	r->what = what;
	fence_compiler();
	r->stamp = (ticks - b->start) << 8 | event;
	b->next = r + 1;
}

/* In the place that is kept for it. */
static void end_full(struct qti_trace_buffer *b)
{
	uint64_t ticks = qti_ticks();

	b->full_at = ticks - b->start;
	record(b, ticks, QTI_TRACE_WORKER + QTI_TRACE_END, 0, 0, 0);
}

/* False: there is none. */
static __attribute__((noinline, cold)) bool block_begin(struct qti_trace_buffer *b)
{
	uint64_t ticks = qti_ticks();

	if (b->next == b->last) {
		b->next = b->first;
		b->rounds++;
	}
	bool is_new = b->rounds == 0 && b->next >= b->made;
	if (b->full_at || (is_new && !qti_tracefile_room(b->file, b->next, QTI_TRACE_BLOCK * sizeof(*b->next))))
		return false;
	b->end = b->next + QTI_TRACE_BLOCK;
	if (b->end == b->last && !b->wraps)
		b->end--;
	record(b, ticks, QTI_TRACE_LOG, 0, 0, 0);
	uint64_t now = qti_now_ns();
	record(b, qti_ticks(), QTI_TRACE_LOG + QTI_TRACE_END, 0, 0, now);
	return true;
}

bool qti_trace_room(struct qti_trace_buffer *b)
{
	bool room = b->end + 1 != b->last || b->wraps;

	if (room && block_begin(b))
		return true;
	if (room && b->next == b->first) {
		b->full_at = 1;         /* no memory, not even for one */
		return false;
	}
	if (room)
		b->next--;              /* over the last event */
	end_full(b);
	return false;
}

static __attribute__((noinline, cold)) bool make_room(struct qti_tracer *t, struct qti_trace_buffer *b)
{
	bool found = qti_trace_room(b);

	if (!found)
		qti_tracer_close(t);
	return found;
}

void qti_tracer_open(struct qti_tracer *t, struct qti_trace_buffer *b)
{
	store_rlx(&t->observed, true);
	store_rel(&t->to, b);                                                                   /* TR3 */
}

void qti_tracer_close(struct qti_tracer *t)
{
	store_rlx(&t->to, NULL);
	store_rlx(&t->observed, qti_races());
}

void qti_trace_put(struct qti_tracer *t, unsigned event, uint32_t task, uint32_t more, uint64_t what)
{
	store_rlx(&t->busy, 1);
	fence_light();                                                                          /* TR1 */
	struct qti_trace_buffer *b = load_acq(&t->to);                                          /* TR3 */
	if (qti_likely(b != NULL) && (qti_likely(b->next != b->end) || make_room(t, b)))
		record(b, qti_ticks(), event, task, more, what);
	store_rel(&t->busy, 0);                                                                 /* TR2 */
}

void qti_trace_take_back(struct qti_tracer *t, unsigned event)
{
	store_rlx(&t->busy, 1);
	fence_light();                                                                          /* TR1 */
	struct qti_trace_buffer *b = load_acq(&t->to);                                          /* TR3 */
	if (b && b->next > b->first && (b->next[-1].stamp & 0xff) == event)
		(--b->next)->stamp = 0;
	store_rel(&t->busy, 0);                                                                 /* TR2 */
}

void qti_trace_add(struct qti_trace_buffer *b, uint64_t ticks, unsigned event, uint32_t task, uint32_t more,
                   uint64_t what)
{
	record(b, ticks, event, task, more, what);
}
