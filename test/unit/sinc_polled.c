/* test/unit/sinc_polled.c -- sincs keep their promises where no full/empty entry can be had, and where no value can.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The file under test is compiled in here with an `empty` and a `readFE` that may run out of memory.
 */
#include "api/every.h"
#include "base/mem.h"

static bool no_entries;

static int scarce_empty(aligned_t const *word)
{
	return no_entries ? QTHREAD_MALLOC_ERROR : qthread_empty(word);
}

static int scarce_readFE(aligned_t *dest, aligned_t const *word)
{
	return no_entries ? QTHREAD_MALLOC_ERROR : qthread_readFE(dest, word);
}

#define qthread_empty scarce_empty
#define qthread_readFE scarce_readFE
#include "sync/sinc.c"
#undef qthread_empty
#undef qthread_readFE

enum { CHECKS_PER_RUN = 4, OTHER_CHECKS = 6 };

static aligned_t seen;

static aligned_t one(void *arg)
{
	(void)arg;
	qthread_incr(&seen, 1);
	return 1;
}

static void sum(void *tgt, void const *src)
{
	*(aligned_t *)tgt += *(aligned_t const *)src;
}

static int spawn_on(qt_sinc_t *s)
{
	return qthread_spawn(one, NULL, 0, s, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC);
}

static void run(const char *what)
{
	const aligned_t zero = 0;
	aligned_t total = 0;
	qt_sinc_t s;
	int early = 0;

	no_entries = true;
	qt_sinc_init(&s, sizeof(zero), &zero, sum, 100);
	for (int i = 0; i < 100; i++)
		spawn_on(&s);
	qt_sinc_wait(&s, &total);
	is_int(total, 100, "%s: without an entry a round is polled", what);

	seen = 0;
	for (int r = 1; r <= 200; r++) {
		no_entries = r % 3 == 0;
		qt_sinc_expect(&s, 1);
		spawn_on(&s);
		if (r % 5 == 0) {
			qt_sinc_wait(&s, &total);
			early += total != 100 + (aligned_t)r || qthread_cas(&seen, 0, 0) != (aligned_t)r;
		}
	}
	qt_sinc_wait(&s, &total);
	is_int(early, 0, "%s: polled and other rounds follow each other", what);
	is_int(total, 300, "%s: and count everything", what);

	no_entries = true;
	qt_sinc_reset(&s, 2);
	spawn_on(&s);
	spawn_on(&s);
	qt_sinc_wait(&s, &total);
	is_int(total, 2, "%s: reset begins a polled round as well", what);
	qt_sinc_fini(&s);
	no_entries = false;
}

/* ---- No memory for the values */

static int allocations_left = -1;       /* -1: as many as you like */

static bool fault(void)
{
	return allocations_left >= 0 && allocations_left-- == 0;
}

static void out_of_memory(void)
{
	aligned_t got = 7;
	qt_sinc_t s, *made = NULL;
	int failures = 0;

	every_start("mts", "1", "1");
	qti_mem_fault = fault;
	for (int n = 0; !made && n < 10; n++) {
		allocations_left = n;
		made = qt_sinc_create(sizeof(aligned_t), NULL, sum, 1);
		failures += !made;
	}
	allocations_left = -1;
	ok(made, "qt_sinc_create succeeds once there is memory");
	is_int(failures, 2, "and returns NULL for each allocation that fails");
	qt_sinc_submit(made, &got);
	got = 0;
	qt_sinc_wait(made, &got);
	is_int(got, 7, "what it makes in the end works");
	qt_sinc_destroy(made);

	allocations_left = 0;
	qt_sinc_init(&s, sizeof(aligned_t), NULL, sum, 2);
	allocations_left = -1;
	qti_mem_fault = NULL;
	got = 9;
	seen = 0;
	spawn_on(&s);
	spawn_on(&s);
	qt_sinc_wait(&s, &got);
	is_int(got, 9, "qt_sinc_init without memory makes a counter: the target is left alone");
	is_int(seen, 2, "which counts");
	ok(!qt_sinc_tmpdata(&s), "and has no shares");
	qt_sinc_fini(&s);
	qthread_finalize();
}

int main(void)
{
	plan(EVERY_RUNS * CHECKS_PER_RUN + OTHER_CHECKS);
	out_of_memory();
	every_runtime(run);
	return done();
}
