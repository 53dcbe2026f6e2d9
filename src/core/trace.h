/* core/trace.h -- the event log: what each worker does, and since when.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  An event is the beginning or the end of something that a worker does; its kind says of what, its stamp when
 * (base/ticks.h).  Each worker records its events in a buffer of its own, in the order in which they happen.  While
 * nothing is recorded a worker's tracer has no buffer: that is one load and one branch where something begins or ends,
 * off the paths on which a guest's tasks are called at once.  Where a race checker may have to be told, too, both are
 * asked for at once (qti_observed).
 *
 * What is on a stack begins and ends on that stack, not on a worker: a task that waits takes what it has begun
 * along.  The switch that leaves it says whose stack that was, and the switch that comes back to it says so again; man
 * qthread_trace(3) has the file's format (core/tracefile.h) and how to read it.
 *
 * Promises.  To record never waits, never fails and takes no memory beyond the buffer.  A full buffer is the end of
 * what its worker records, or loses its oldest events (QT_TRACE_WRAP).  Nobody writes to a buffer that is taken away.
 *
 *   TR1  worker:  busy;              fence_light;        look at the buffer; write to it
 *        stop:    no buffer is there; qti_fence_heavy;   look at busy
 *        Store buffering: either the worker misses its buffer, or who stops sees it busy and waits.
 *   TR2  A worker is busy no longer by a release store -> the acquire load of who stops: what was recorded is there to
 *        be read.
 *   TR3  A buffer is handed out by a release store -> the worker's acquire load: it is ready to be written to, and who
 *        records that a stack is left (qti_traces) finds itself observed when it is come back to.
 *
 * Checked by test/api/trace.c, test/stress/trace.c and test/check/logs.c.
 */
#ifndef QTI_CORE_TRACE_H
#define QTI_CORE_TRACE_H

#include "base/atomic.h"
#include "core/probe.h"
#include "core/tracefile.h"

/* The numbers and names (core/tracelog.c) are part of the file's format.  The end of each is one more. */
enum qti_trace_kind {
	QTI_TRACE_WORKER = 2,           /* it records */
	QTI_TRACE_TASK = 4,             /* a task runs; its function, and enum qti_trace_run */
	QTI_TRACE_CREATE = 6,           /* a task is created; its function */
	QTI_TRACE_TASKWAIT = 8,         /* children are waited for; at the end of this and
					 * the other waits, the caller */
	QTI_TRACE_BARRIER = 10,         /* the team is waited for */
	QTI_TRACE_IDLE = 12,            /* looking for work */
	QTI_TRACE_PARKED = 14,          /* asleep for want of it */
	QTI_TRACE_STEAL = 16,           /* one that succeeded */
	QTI_TRACE_SWITCH = 18,          /* to another stack: from whose, and to whose at the end; 0: a loop's */
	QTI_TRACE_STACK = 20,           /* memory for a stack is looked for */
	QTI_TRACE_WAIT = 22,            /* for a word; its address, and enum qti_wait_kind of sync/waiter.h */
	QTI_TRACE_LOCK = 24,            /* for a lock of the guest's; its address */
	QTI_TRACE_REGION = 26,          /* a member runs a region's function */
	QTI_TRACE_CHUNK = 28,           /* of a loop: first iteration and number; the next one ends it, too */
	QTI_TRACE_LOG = 30,             /* the log's own business; at the end, CLOCK_MONOTONIC in nanoseconds */
	QTI_TRACE_STOLEN = 32,          /* only a beginning: from which worker, how many */
	QTI_TRACE_KINDS = 34,
	QTI_TRACE_END = 1,              /* added */
};

enum qti_trace_run {
	QTI_TRACE_FROM_QUEUE,
	QTI_TRACE_IN_PLACE,             /* called by its creator, or by who waits for it */
	QTI_TRACE_BEFORE,               /* it ran when recording began; no function */
};

enum { QTI_TRACE_BLOCK = 4096 };        /* records between two looks at the clock and for room */

struct qti_trace_buffer {
	struct qti_trace_record *next, *end;            /* in the block */
	struct qti_trace_record *first, *last;          /* all; the very last is kept for the worker's end */
	const struct qti_trace_record *made;            /* up to here memory is there from the beginning */
	uint64_t start;                                 /* tick */
	uint64_t full_at, rounds;
	const struct qti_tracefile *file;
	bool wraps;
} QTI_ALIGNED_LINE;

/* A worker's. */
struct qti_tracer {
	struct qti_trace_buffer *to;    /* NULL: nothing is recorded */
	bool observed;                  /* it is not NULL, or there is a race checker: where to look closer.  TR3 */
	uint32_t busy;                  /* TR1 */
	uint32_t next_id, ids;          /* numbers for tasks, and how many there are from there on */
};

/* The worker records to b from where it sees that. */
void qti_tracer_open(struct qti_tracer *t, struct qti_trace_buffer *b);

/* It is new, or records no longer from where it sees that (TR1). */
void qti_tracer_close(struct qti_tracer *t);

/* Records an event of the calling worker. */
QTI_SHARED void qti_trace_put(struct qti_tracer *t, unsigned event, uint32_t task, uint32_t more, uint64_t what);

/* That event was the last, and is nothing worth to record. */
void qti_trace_take_back(struct qti_tracer *t, unsigned event);

static inline bool qti_traces(const struct qti_tracer *t)
{
	return qti_unlikely(load_rlx(&t->to) != NULL);
}

/* The log or a race checker (base/race.h) may have to be told of what the worker does: one load and one branch for
 * both, where tasks begin and stacks change.  Who finds it so asks each of them. */
static inline bool qti_observed(const struct qti_tracer *t)
{
	return qti_unlikely(load_rlx(&t->observed));
}

static inline void qti_trace(struct qti_tracer *t, unsigned event, uint32_t task, uint32_t more, uint64_t what)
{
	if (qti_traces(t))
		qti_trace_put(t, event, task, more, what);
}

/* For core/tracelog.c, while no worker has the buffer.  Room for the next record, where next == end; false: it is
 * full, and has ended.  And that record. */
bool qti_trace_room(struct qti_trace_buffer *b);
void qti_trace_add(struct qti_trace_buffer *b, uint64_t ticks, unsigned event, uint32_t task, uint32_t more,
                   uint64_t what);

#endif
