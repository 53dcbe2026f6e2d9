/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Children return through words that their parent reads, newest first: the order in which the worker would run them
 * anyway, so that most run on top of the parent.  With a sinc for each row it took twice as long. */
#include "nqueens/nqueens.h"
#include "common/must.h"

#include <qthread/qthread.h>

static aligned_t try_square(void *arg);

static uint64_t count(uint64_t position)
{
	aligned_t found[NQUEENS_MAX];
	uint64_t total = 0;

	if (nqueens_done(position))
		return 1;
	if (bench_cutoff == BENCH_MANUAL && (unsigned)__builtin_popcountll(nqueens_field(position, 0)) >= nqueens_depth)
		return nqueens_serial(position);
	for (unsigned column = 0; column < nqueens_n; column++)
		must(qthread_fork(try_square, (void *)(uintptr_t)nqueens_try(position, column), &found[column]));
	for (unsigned column = (unsigned)nqueens_n; column-- > 0; total += found[column])
		must(qthread_readFF(NULL, &found[column]));
	return total;
}

static aligned_t try_square(void *arg)
{
	uint64_t position;

	return nqueens_place((uint64_t)(uintptr_t)arg, &position) ? count(position) : 0;
}

static void parallel(void)
{
	nqueens_result = count(0);
}

const struct bench_version bench_version = { .parallel = parallel };
