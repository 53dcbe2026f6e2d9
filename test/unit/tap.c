/* test/unit/tap.c -- numbers and lines stay whole when many threads check at once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The harness itself notices a lost, doubled or torn line: it wants 1, 2, 3, ... up to the plan.
 */
#include "tap.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 4
#define CHECKS 50

static void *checks(void *arg)
{
	for (unsigned i = 0; i < CHECKS; i++) {
		ok(true, "thread %u, check %u", (unsigned)(uintptr_t)arg, i);
		diag("between %u\nand %u", i, i + 1);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];

	plan(THREADS * CHECKS + 3);
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, checks, (void *)i) != 0)
			bail_out("no thread");
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);

	int calls = 0;
	is_int(calls++, 0, "an argument is evaluated");
	is_int(calls, 1, "once");
	is_str(NULL, NULL, "NULL is NULL");
	return done();
}
