/* core/tracelog.c -- see core/tracelog.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/tracelog.h"

#include "base/ascii.h"
#include "base/diag.h"
#include "base/forked.h"
#include "base/mem.h"
#include "base/ticks.h"
#include "core/guest.h"
#include "core/poller.h"
#include "machine/caller.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = QTI_TRACE_BLOCK * sizeof(struct qti_trace_record), TICKS_LOOK_NS = 200000,
       CLOCK_PAIRS = 8 };

#define KIND(number, name) "kind " #number " " name "\n"

static const char kinds[] =
	KIND(2, "worker") KIND(4, "task") KIND(6, "create") KIND(8, "taskwait") KIND(10, "barrier") KIND(12, "idle")
	KIND(14, "parked") KIND(16, "steal") KIND(18, "switch") KIND(20, "stack") KIND(22, "wait") KIND(24, "lock")
	KIND(26, "region") KIND(28, "chunk") KIND(30, "log") KIND(32, "stolen");
_Static_assert(QTI_TRACE_KINDS == 34, "each kind has a name");

static struct {
	pthread_mutex_t lock;
	struct qti_tracefile file;      /* memory != NULL: there is a log */
	struct qti_trace_buffer *buffer;        /* of each worker */
	char *asked;                    /* the file's name as it was given; NULL: none */
	bool on;
	bool forked;                    /* a child of fork(2): its files have names of their own */
} trace = { .lock = PTHREAD_MUTEX_INITIALIZER, .file = { .fd = -1 } };

/* --- on and off ------------------------------------------------------------------------------------------ */

static uint64_t real_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct clocks {
	uint64_t ticks, ns;
};

/* Both clocks at one moment.  A thread that loses its CPU between the two readings would put them as far apart as it
 * was away: the closest of a few pairs counts. */
static struct clocks clocks_read(void)
{
	struct clocks best = { 0 };
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < CLOCK_PAIRS; i++) {
		uint64_t before = qti_ticks(), ns = qti_now_ns(), after = qti_ticks();
		if (after - before < least) {
			least = after - before;
			best = (struct clocks){ .ticks = before + least / 2, .ns = ns };
		}
	}
	return best;
}

static uint64_t hertz_between(struct clocks from, struct clocks to)
{
	return (uint64_t)((double)(to.ticks - from.ticks) * 1e9 / (double)(to.ns - from.ns));
}

/* What a tick lasts is known better in the end (trace_pause); but a process may have none. */
static void set_clocks(struct qti_trace_header *h, uint64_t *start)
{
	struct clocks from = clocks_read(), to;

	do {
		cpu_relax();
		to = clocks_read();
	} while (to.ns - from.ns < TICKS_LOOK_NS);
	*start = to.ticks;
	h->start_ns = to.ns;
	h->start_real = real_ns();
	h->hertz = hertz_between(from, to);
}

static size_t buffer_bytes(void)
{
	size_t blocks = qti_rt.env.trace_size / BLOCK_BYTES;

	return (blocks < 2 ? 2 : blocks) * BLOCK_BYTES;
}

/* To make a page of a file where a worker needs it takes as long as to fill it, and who makes pages has the others wait
 * for the file.  So it is done before there is anything to record.  Bytes of each buffer. */
static size_t make_ahead(unsigned workers)
{
	size_t ahead = qti_rt.env.trace_ahead / workers, most = buffer_bytes();

	ahead = ahead < most ? ahead / BLOCK_BYTES * BLOCK_BYTES : most;
	return qti_tracefile_prepare(&trace.file, ahead) ? ahead : 0;
}

/* Under the lock, as the next ones. */
static int trace_make(const char *file)
{
	uint64_t start;
	unsigned n = qti_rt.nworkers;
	struct qti_trace_buffer *b = qti_mem_aligned(QTI_CACHE_LINE, n * sizeof(*b));
	char *asked = file ? qti_mem_alloc(strlen(file) + 1) : NULL;
	int error = !b || (file && !asked) ? ENOMEM :
	            qti_tracefile_make(&trace.file, file, trace.forked, n, buffer_bytes(), kinds);

	if (error) {
		qti_mem_free(b);
		qti_mem_free(asked);
		errno = error;
		return error == ENOMEM ? QTHREAD_MALLOC_ERROR : QTHREAD_OPFAIL;
	}
	const size_t ahead = make_ahead(n);
	set_clocks(qti_tracefile_header(&trace.file), &start);
	for (unsigned i = 0; i < n; i++) {
		const struct qti_trace_place *p = qti_tracefile_place(&trace.file, i);
		struct qti_trace_record *first = (struct qti_trace_record *)(void *)(trace.file.memory + p->at);
		b[i] = (struct qti_trace_buffer){ .next = first, .first = first, .end = first,
		                                  .last = first + p->bytes / sizeof(*first),
		                                  .made = first + ahead / sizeof(*first), .start = start,
		                                  .file = &trace.file, .wraps = qti_rt.env.trace_wrap };
	}
	trace.buffer = b;
	trace.asked = asked ? strcpy(asked, file) : NULL;
	qti_tracefile_date(&trace.file, 0, 0);
	return QTHREAD_SUCCESS;
}

/* Nobody else writes to them now.  All at one tick, for which there is to be room first. */
static void note_all(unsigned event)
{
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		struct qti_trace_buffer *b = &trace.buffer[i];
		if (!b->full_at && b->next == b->end)
			(void)qti_trace_room(b);
	}
	const uint64_t now = qti_ticks();
	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		if (!trace.buffer[i].full_at)
			qti_trace_add(&trace.buffer[i], now, event, i, (uint32_t)qti_rt.workers[i].pu, 0);
}

/* The calling task runs already. */
static void note_self(void)
{
	struct qti_worker *w = qti_self();

	if (w && w->current)
		qti_trace(&w->tracer, QTI_TRACE_TASK, qti_trace_id(w, w->current), QTI_TRACE_BEFORE, 0);
}

/* A guest's code and a poller's are the library's, too. */
static void know_callers(void)
{
	const struct qti_guest *guest = qti_guest_here();
	const void *own[2];
	unsigned n = 0;

	if (guest)
		own[n++] = (const void *)guest->stop;
	if (qti_poller_code())
		own[n++] = qti_poller_code();
	qti_caller_begin(own, n);
}

static void trace_go_on(void)
{
	know_callers();
	note_all(QTI_TRACE_WORKER);
	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		if (!trace.buffer[i].full_at)
			qti_tracer_open(&qti_rt.workers[i].tracer, &trace.buffer[i]);
	note_self();
	trace.on = true;
}

static void trace_pause(void)
{
	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		qti_tracer_close(&qti_rt.workers[i].tracer);
	qti_fence_heavy();                                                                      /* TR1 */
	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		for (unsigned looks = 0; load_acq(&qti_rt.workers[i].tracer.busy); looks++)     /* TR2 */
			qti_pause(looks);
	note_all(QTI_TRACE_WORKER + QTI_TRACE_END);
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		struct qti_trace_place *p = qti_tracefile_place(&trace.file, i);
		p->full_at = trace.buffer[i].full_at;
		p->rounds = trace.buffer[i].rounds;
	}
	struct clocks now = clocks_read();
	struct qti_trace_header *h = qti_tracefile_header(&trace.file);
	if (now.ns - h->start_ns > TICKS_LOOK_NS)
		h->hertz = hertz_between((struct clocks){ .ticks = trace.buffer[0].start, .ns = h->start_ns }, now);
	qti_tracefile_date(&trace.file, now.ticks - trace.buffer[0].start, now.ns);
	trace.on = false;
}

/* Bytes of the buffers with anything in them.  NULL: out of memory. */
static size_t *trace_used(void)
{
	size_t *used = qti_mem_alloc(qti_rt.nworkers * sizeof(*used));

	for (unsigned i = 0; used && i < qti_rt.nworkers; i++) {
		const struct qti_trace_buffer *b = &trace.buffer[i];
		used[i] = (size_t)((b->rounds ? b->last : b->next) - b->first) * sizeof(*b->first);
	}
	return used;
}

static void trace_close(void)
{
	size_t *used = trace_used();

	if (used)
		qti_tracefile_close(&trace.file, used);
	else
		qti_tracefile_forget(&trace.file);
	qti_mem_free(used);
	qti_mem_free(trace.buffer);
	qti_mem_free(trace.asked);
	trace.buffer = NULL;
	trace.asked = NULL;
}

static bool is_another(const char *file)
{
	return file && (!trace.asked || strcmp(file, trace.asked) != 0);
}

static int start_locked(const char *file)
{
	if (trace.on)
		return QTHREAD_NOT_ALLOWED;
	if (trace.file.memory && is_another(file))
		trace_close();
	int rc = trace.file.memory ? QTHREAD_SUCCESS : trace_make(file);
	if (rc == QTHREAD_SUCCESS)
		trace_go_on();
	return rc;
}

int qti_tracelog_start(const char *file)
{
	pthread_mutex_lock(&trace.lock);
	int rc = start_locked(file);
	pthread_mutex_unlock(&trace.lock);
	return rc;
}

int qti_tracelog_stop(void)
{
	pthread_mutex_lock(&trace.lock);
	bool on = trace.on;
	if (on)
		trace_pause();
	pthread_mutex_unlock(&trace.lock);
	return on ? QTHREAD_SUCCESS : QTHREAD_NOT_ALLOWED;
}

static int dump_paused(const char *file)
{
	size_t *used = file ? trace_used() : NULL;
	int error = !file ? 0 : used ? qti_tracefile_copy(&trace.file, file, used) : ENOMEM;

	qti_mem_free(used);
	errno = error;
	return !error ? QTHREAD_SUCCESS : error == ENOMEM ? QTHREAD_MALLOC_ERROR : QTHREAD_OPFAIL;
}

static int dump_locked(const char *file)
{
	bool on = trace.on;

	if (!trace.file.memory || (!file && !trace.asked))
		return QTHREAD_NOT_ALLOWED;
	if (file && !is_another(file))
		file = NULL;            /* it is there */
	if (on)
		trace_pause();
	int rc = dump_paused(file);
	if (on)
		trace_go_on();
	return rc;
}

int qti_tracelog_dump(const char *file)
{
	pthread_mutex_lock(&trace.lock);
	int rc = dump_locked(file);
	pthread_mutex_unlock(&trace.lock);
	return rc;
}

/* --- the end --------------------------------------------------------------------------------------------- */

static void say_what_is_missing(void)
{
	const uint64_t hertz = qti_tracefile_header(&trace.file)->hertz;
	unsigned full = 0;
	bool refused = false;           /* there was no memory for what is left of a buffer, or no room for the file */
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		uint64_t at = trace.buffer[i].full_at;
		full += at != 0;
		refused = refused || (at && trace.buffer[i].next < trace.buffer[i].last);
		first = at && at < first ? at : first;
	}
	if (full == 0)
		return;

	char seconds[32];
	qti_ascii_decimal(seconds, sizeof(seconds), (double)first / (double)hertz, 3);
	qti_warn("%s: %u of %u workers had no room for all their events, the first after %s s; %s",
		trace.file.name ? trace.file.name : "trace", full, qti_rt.nworkers, seconds,
		refused ? "that was all there is: the file may not grow, or memory is short" :
		"QT_TRACE_SIZE gives them more, QT_TRACE_WRAP=yes keeps the newest");
}

void qti_tracelog_finish(void)
{
	pthread_mutex_lock(&trace.lock);
	if (trace.on)
		trace_pause();
	if (trace.file.memory) {
		say_what_is_missing();
		trace_close();
	}
	pthread_mutex_unlock(&trace.lock);
}

/* --- fork(2) --------------------------------------------------------------------------------------------- */

static void trace_before_fork(void)
{
	pthread_mutex_lock(&trace.lock);
}

static void trace_after_fork(void)
{
	pthread_mutex_unlock(&trace.lock);
}

/* The parent's goes on without it. */
static void trace_in_child(void)
{
	if (trace.file.memory)
		qti_tracefile_forget(&trace.file);
	qti_mem_free(trace.buffer);
	qti_mem_free(trace.asked);
	trace.buffer = NULL;
	trace.asked = NULL;
	trace.on = false;
	trace.forked = true;
}

QTI_FORKED(QTI_FORKED_LOCKS, trace_before_fork, trace_after_fork, trace_in_child)
