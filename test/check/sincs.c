/* test/check/sincs.c -- sync/sinc.c: who waits sees all that was submitted, and a sinc may go then (SI1 to SI4).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/outside.h"

#include "check/explore.h"

#include "sync/waiter.c"
#include "sync/febtable.c"
#include "sync/feb.c"

enum { SUBMISSIONS = 2 };

#define qthread_worker_unique(shepherd) (worker_of(check_thread()))

static bool outside;                    /* threads have no share of their own */
static bool poor;                       /* there is no memory for a word that is empty */

static size_t worker_of(unsigned thread)
{
	return outside ? 0 : thread + 1;
}

static int empty(aligned_t *word)
{
	return poor ? QTHREAD_MALLOC_ERROR : qthread_empty(word);
}

#include "base/give_way.h"
#define qthread_empty empty
#define qti_give_way check_pause
#include "sync/sinc.c"

static qt_sinc_t *counter, *adder;
static unsigned data[CHECK_THREADS];

static void add(void *to, const void *value)
{
	*(unsigned *)to += *(const unsigned *)value;
}

static void begin(void)
{
	qt_sinc_reset(counter, SUBMISSIONS);
	qt_sinc_reset(adder, SUBMISSIONS);
}

static void begin_outside(void)
{
	begin();
	outside = true;
}

static void begin_poor(void)
{
	poor = true;
	begin();
}

static void begin_one(void)
{
	qt_sinc_reset(counter, 1);
}

static void submit(unsigned thread)
{
	data[thread] = 1;
	qt_sinc_submit(counter, NULL);
}

/* Who waits may free it. */
static void run_count(unsigned thread)
{
	if (thread < SUBMISSIONS) {
		submit(thread);
		return;
	}
	qt_sinc_wait(counter, NULL);
	check_that(data[0] == 1 && data[1] == 1, "all that came before the submissions");
	check_memset(counter, 0xa5, sizeof(*counter));
}

static void run_values(unsigned thread)
{
	unsigned sum = 0, value = 1 + thread;

	if (thread < SUBMISSIONS) {
		qt_sinc_submit(adder, &value);
		return;
	}
	qt_sinc_wait(adder, &sum);
	check_that(sum == 1 + 2, "the values of all submissions");
}

static void run_shared(unsigned thread)
{
	run_values(thread);
}

static void run_polled(unsigned thread)
{
	run_values(thread);
}

/* Another round begins while the fill of the last one is on its way. */
static void run_rounds(unsigned thread)
{
	if (thread == 0) {
		submit(0);
	} else {
		qt_sinc_expect(counter, 1);
		check_that(qthread_feb_status(&sinc_inside(counter)->ready) == 0, "the round has begun");
		submit(1);
		qt_sinc_wait(counter, NULL);
		check_that(data[0] == 1, "all that came before the submissions");
	}
}

/* Two begin it. */
static void run_expect(unsigned thread)
{
	if (thread == 0) {
		submit(0);
	} else {
		qt_sinc_expect(counter, 1);
		submit(thread);
		qt_sinc_wait(counter, NULL);
		check_that(data[thread] == 1, "its own submission");
	}
}

static void nothing(void)
{
}

static void end_round(void)
{
	check_that((sinc_inside(counter)->count & SINC_MOST) == 0, "nothing is missing");
	check_that(qthread_feb_status(&sinc_inside(counter)->ready) == 1, "the round is over");
}

#define CHAIN "SI1 is one rule for all changes of the count: each is a link between a submission and the last one"

static const struct check_spare spare[] = {
	{ "sinc.c", "store_rel(&s->count, sinc_round(n, qthread_empty(&s->ready)));",
		"nobody else knows the sinc; the caller hands it on" },
	{ "sinc.c", "sub_acq_rel(&s->count, SINC_POLLED | 1);",
		"it is there to release; all shares were acquired with the submission before" },
	{ "sinc.c", "uint64_t seen = load_acq(&s->count);", "what it goes on with it acquires by changing the count" },
	{ "sinc.c", "seen = load_acq(&s->count);", "what it goes on with it acquires by changing the count" },
	{ "sinc.c", "if (seen == 0 && cas_acq_rel(&s->count, &seen, SINC_OPENING))", CHAIN },
	{ "sinc.c", "add_acq_rel(&s->count, sinc_round(", CHAIN },
	{ "sinc.c", "if (cas_acq_rel(&s->count, seen,", CHAIN },
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, first, last) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = last, .switches = 3, \
	  .stale = 2, .most = 3000 }

int main(int argc, char **argv)
{
	static const struct check_unit count = UNIT(count, 3, begin, nothing), values = UNIT(values, 3, begin, nothing),
		shared = UNIT(shared, 3, begin_outside, nothing), polled = UNIT(polled, 3, begin_poor, nothing),
		rounds = UNIT(rounds, 2, begin_one, end_round),
		expect = UNIT(expect, 3, begin_one, end_round);
	static const struct check_unit *const units[] = { &count, &values, &shared, &polled, &rounds, &expect };
	static const char *const of[] = { "sync/sinc.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };
	const unsigned zero = 0;

	store_rlx(&qti_poll_rate, 0);
	if (qti_feb_init() != QTHREAD_SUCCESS)
		return 2;
	counter = qt_sinc_create(0, NULL, NULL, 0);
	adder = qt_sinc_create(sizeof(unsigned), &zero, add, 0);
	return counter && adder ? check_run(&program, argc, argv) : 2;
}
