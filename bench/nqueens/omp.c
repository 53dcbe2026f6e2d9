/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "nqueens/nqueens.h"

static uint64_t count(uint64_t position, unsigned row);

static uint64_t try_square(uint64_t position, unsigned column, unsigned row)
{
	uint64_t next;

	return nqueens_place(nqueens_try(position, column), &next) ? count(next, row + 1) : 0;
}

static void create_task(uint64_t position, unsigned column, unsigned row, uint64_t *found)
{
	switch (bench_cutoff) {
	case BENCH_IF:
#pragma omp task default(none) firstprivate(position, column, row, found) if (row < nqueens_depth)
		*found = try_square(position, column, row);
		break;
	case BENCH_FINAL:
#pragma omp task default(none) firstprivate(position, column, row, found) final(row + 1 >= nqueens_depth) mergeable
		*found = try_square(position, column, row);
		break;
	default:
#pragma omp task default(none) firstprivate(position, column, row, found)
		*found = try_square(position, column, row);
	}
}

static uint64_t count(uint64_t position, unsigned row)
{
	uint64_t found[NQUEENS_MAX], total = 0;

	if (nqueens_done(position))
		return 1;
	if (bench_cutoff == BENCH_MANUAL && row >= nqueens_depth)
		return nqueens_serial(position);
	for (unsigned column = 0; column < nqueens_n; column++)
		create_task(position, column, row, &found[column]);
#pragma omp taskwait
	for (unsigned column = 0; column < nqueens_n; column++)
		total += found[column];
	return total;
}

static void parallel(void)
{
#pragma omp parallel default(none) shared(nqueens_result)
#pragma omp single
	nqueens_result = count(0, 0);
}

const struct bench_version bench_version = { .parallel = parallel };
