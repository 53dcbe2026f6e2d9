/* test/check/readers.c -- base/readers.h: what is taken out is not used again before its readers have left (RD1 to RD3).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/instead.h"

#include "base/readers.c"

enum { THREADS = 3, WRITER = THREADS - 1 };

static struct qti_reader record[THREADS];
static unsigned thing, *shared;

static void begin(void)
{
	shared = &thing;
	thing = 1;
	for (unsigned i = 0; i < THREADS; i++) {
		record[i].taken = 1;
		record[i].next = i ? &record[i - 1] : NULL;
	}
	records = &record[THREADS - 1];
}

static void read_once(void)
{
	struct qti_reader *r = qti_reader_enter();
	const unsigned *p = load_acq(&shared);

	check_that(!p || *p == 1, "what can be found is in use");
	qti_reader_leave(r);
}

static void run(unsigned thread)
{
	qti_reader_self = &record[thread];
	if (thread == WRITER) {
		store_rlx(&shared, NULL);
		qti_readers_wait();
		thing = 0;
		return;
	}
	read_once();
	if (thread == 0)
		read_once();
}

static void end(void)
{
	for (unsigned i = 0; i < THREADS; i++)
		check_that(!is_open(record[i].word), "every section was left");
}

static const struct check_unit frees = {
	.name = "frees", .threads = THREADS, .begin = begin, .run = run, .end = end, .switches = 3, .stale = 2, .most = 12000,
};

static const struct check_spare spare[] = {
	{ "readers.c", "for (const struct qti_reader *r = load_acq(&records)", "for records that other threads add meanwhile" },
	{ "readers.c", "if (r != qti_reader_self && load_acq(&r->taken)", "for records that other threads give back meanwhile" },
	{ "readers.c", "return load_acq(&counted)", "for threads without a record" },
	{ "readers.c", "for (unsigned spins = 1; load_acq(&counted)", "for threads without a record" },
	{ "readers.h", "if (qti_unlikely(load_acq(&qti_readers_stopped)", "for fork(2)" },
	{ "readers.c", "fence_sc();                                             /* RD4", "for threads that come meanwhile" },
	{ NULL, NULL, NULL }
};

int main(int argc, char **argv)
{
	static const struct check_unit *const units[] = { &frees };
	static const struct check_program program = { units, 1, spare, NULL };

	check_local(&qti_reader_self, sizeof(qti_reader_self));
	return check_run(&program, argc, argv);
}
