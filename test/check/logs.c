/* test/check/logs.c -- core/trace.h: a worker records, and somebody stops it and reads what it has recorded (TR1 to
 * TR3).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks are of a few records, so that buffers fill up and go round; the file is a piece of memory.
 */
#include "check/outside.h"

#include "base/ticks.h"
#include "core/trace.h"
#include "core/tracelog.h"

static uint64_t log_ticks(void);
static bool log_room(void);

#undef QTI_TRACE_BLOCK
#define QTI_TRACE_BLOCK 4
#define qti_ticks() log_ticks()
#define qti_now_ns() log_ticks()
#define qti_tracefile_room(file, at, bytes) ((void)(file), (void)(at), log_room())
#define qti_tracefile_date(file, ticks, ns) ((void)(file), (void)(ticks), (void)(ns))

#include "core/trace.c"
#include "core/tracelog.c"

#include <stdlib.h>

enum { WORKERS = 2, BLOCKS = 2, RECORDS = BLOCKS * QTI_TRACE_BLOCK, EVENT = QTI_TRACE_LOCK };

static struct qti_worker *worker;               /* WORKERS */
static char file[sizeof(struct qti_trace_header) + WORKERS * sizeof(struct qti_trace_place)] __attribute__((aligned(64)));
static struct qti_trace_record records[WORKERS][RECORDS];
static struct qti_trace_buffer buffer[WORKERS];
static unsigned last[WORKERS];                  /* atomic: the number of the last event that a worker is done with */
static bool no_room;

/* Not a part of what is checked. */
static __attribute__((no_sanitize("thread"))) uint64_t log_ticks(void)
{
	static uint64_t now = 1000;

	return ++now;
}

static bool log_room(void)
{
	return !no_room;
}

static void begin_with(unsigned workers, bool wraps)
{
	qti_rt.nworkers = workers;
	qti_rt.workers = worker;
	trace.file.memory = file;
	trace.buffer = buffer;
	qti_tracefile_header(&trace.file)->table_at = sizeof(struct qti_trace_header);
	for (unsigned i = 0; i < workers; i++)
		buffer[i] = (struct qti_trace_buffer){ .next = records[i], .first = records[i], .end = records[i],
			.last = records[i] + RECORDS, .start = 1, .file = &trace.file, .wraps = wraps };
}

static void begin(void)
{
	begin_with(1, false);
}

static void begin_on(void)
{
	begin_with(1, false);
	trace_go_on();
}

static void begin_round(void)
{
	begin_with(1, true);
	trace_go_on();
}

static void begin_two(void)
{
	begin_with(2, false);
	trace_go_on();
}

static void begin_out_of_memory(void)
{
	begin_with(1, true);
	trace_go_on();
	no_room = true;
}

/* --- the worker ------------------------------------------------------------------------------------------- */

static void record_some(unsigned i, unsigned n)
{
	for (unsigned k = 1; k <= n; k++) {
		qti_trace(&worker[i].tracer, EVENT, k, ~k, k);
		store_rlx(&last[i], k);
	}
}

/* --- who stops it ------------------------------------------------------------------------------------------ */

static void check_records(unsigned i)
{
	const struct qti_trace_buffer *b = &buffer[i];
	const struct qti_trace_record *end = b->rounds ? b->last : b->next;
	unsigned before = 0;

	for (const struct qti_trace_record *r = b->first; r < end; r++) {
		if ((r->stamp & 0xff) != EVENT)
			continue;
		check_that(r->task != 0 && r->more == ~r->task && r->what == r->task, "a record is whole");
		check_that(b->rounds || r->task > before, "events stand in their order");
		before = r->task;
	}
}

/* Nothing is written from here on: what is there is read twice. */
static void stop_and_read(void)
{
	trace_pause();
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		check_that(!worker[i].tracer.to, "no worker has a buffer");
		check_records(i);
	}
}

/* --- units ------------------------------------------------------------------------------------------------ */

static void run_stop(unsigned thread)
{
	if (thread == 0)
		stop_and_read();
	else
		record_some(0, 3);
}

/* It begins while the worker runs, and ends. */
static void run_begin(unsigned thread)
{
	if (thread != 0) {
		record_some(0, 3);
		return;
	}
	trace_go_on();
	stop_and_read();
}

/* It goes on after it was written down. */
static void run_dump(unsigned thread)
{
	if (thread != 0) {
		record_some(0, 3);
		return;
	}
	stop_and_read();
	trace_go_on();
	stop_and_read();
}

/* Over the end, and on at the beginning, or to the end alone. */
static void run_many(unsigned thread)
{
	if (thread == 0)
		stop_and_read();
	else
		record_some(0, RECORDS + 2);
}

static void run_two(unsigned thread)
{
	if (thread == 0)
		stop_and_read();
	else
		record_some(thread - 1, 2);
}

/* An event that was nothing worth to record. */
static void run_take_back(unsigned thread)
{
	if (thread == 0) {
		stop_and_read();
		return;
	}
	record_some(0, 1);
	qti_trace_take_back(&worker[0].tracer, EVENT);
	qti_trace(&worker[0].tracer, EVENT, 2, ~2u, 2);
}

/* The worker had no buffer when its event began. */
static void run_take_back_late(unsigned thread)
{
	if (thread == 0)
		trace_go_on();
	else
		qti_trace_take_back(&worker[0].tracer, EVENT);
}

/* What begins in the log also ends there. */
static void run_observed(unsigned thread)
{
	if (thread == 0)
		trace_go_on();
	else if (load_acq(&worker[0].tracer.to))                                        /* TR3 */
		check_that(qti_observed(&worker[0].tracer), "who records looks closer");
}

static void end(void)
{
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		check_that(!worker[i].tracer.busy, "nobody records");
		check_records(i);
	}
}

static const struct check_spare spare[] = {
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, code, first) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##code, .end = end, .switches = 3, .stale = 2, .most = 1500 }

int main(int argc, char **argv)
{
	static const struct check_unit stop = UNIT(stop, 2, stop, begin_on), begins = UNIT(begin, 2, begin, begin),
		dump = UNIT(dump, 2, dump, begin_on), full = UNIT(full, 2, many, begin_on),
		round = UNIT(round, 2, many, begin_round), two = UNIT(two, 3, two, begin_two),
		short_of_memory = UNIT(no_room, 2, many, begin_out_of_memory),
		take_back = UNIT(take_back, 2, take_back, begin_on),
		late = UNIT(take_back_late, 2, take_back_late, begin), observed = UNIT(observed, 2, observed, begin);
	static const struct check_unit *const units[] = { &stop, &begins, &dump, &full, &round, &two, &short_of_memory,
		&take_back, &late, &observed };
	static const char *const of[] = { "core/trace.", "core/tracelog.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	store_rlx(&qti_poll_rate, 0);
	worker = aligned_alloc(QTI_CACHE_LINE, WORKERS * sizeof(*worker));
	if (!worker)
		return 2;
	memset(worker, 0, WORKERS * sizeof(*worker));
	check_local(&qti_worker_self, sizeof(qti_worker_self));
	return check_run(&program, argc, argv);
}
