/* test/stress/omp_limit.c -- inner regions that members of one team meet at the same time have no more threads together
 * than thread-limit-var says.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of outer regions (default 200).
 */
#include "omp/abi/gomp_parallel.h"
#include "omp/env/icv.h"
#include "omp/team/standing.h"
#include "stress.h"

enum { LIMIT = 3, OUTER = 2, INNER_MOST = 3, INNER_ROUNDS = 4, WORK = 300 };

static uint32_t threads, over, inner_regions, extra;

/* Each member of an inner region that does not take part in the outer one is a thread more. */
static void inner(void *unused)
{
	bool more = qomp_frame()->num > 0;

	(void)unused;
	if (more && add_rlx(&threads, 1) + 1 > LIMIT)
		add_rlx(&over, 1);
	stress_pause(WORK);
	if (more) {
		add_rlx(&extra, 1);
		sub_rlx(&threads, 1);
	}
}

static void outer(void *arg)
{
	uint64_t random = stress_state(*(uint64_t *)arg + qomp_frame()->num);

	if (add_rlx(&threads, 1) + 1 > LIMIT)
		add_rlx(&over, 1);
	for (unsigned i = 0; i < INNER_ROUNDS; i++) {
		GOMP_barrier();
		add_rlx(&inner_regions, 1);
		GOMP_parallel(inner, NULL, 1 + stress_random(&random, INNER_MOST), 0);
	}
	GOMP_barrier();
	sub_rlx(&threads, 1);
}

/* Before the library reads it, which it does at the program's start. */
__attribute__((constructor(101))) static void set_limit(void)
{
	char limit[16];

	snprintf(limit, sizeof(limit), "%d", LIMIT);
	setenv("OMP_THREAD_LIMIT", limit, 1);
	setenv("OMP_MAX_ACTIVE_LEVELS", "2", 1);
}

int main(void)
{
	unsigned rounds = stress_rounds(200);
	uint64_t random = stress_state(0);
	uint32_t left = 0;

	plan(3);
	stress_say(rounds);
	for (unsigned i = 0; i < rounds; i++) {
		stress_watch("a region");
		stress_random(&random, 2);
		GOMP_parallel(outer, &random, OUTER, 0);
		left += load_rlx(&qomp_frame()->team->root->busy);
		stress_round();
	}
	is_int(over, 0, "never more than %d threads", LIMIT);
	is_int(left, 0, "none counts after its region");
	ok(extra > 0, "%u inner regions had %u threads of the limit to share", inner_regions, extra);
	return done();
}
