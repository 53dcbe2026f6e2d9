/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP version as ROSE lowers it. */
#include "nqueens/nqueens.h"
#include "libxomp.h"

struct square {
	uint64_t position;
	unsigned column, row;
	uint64_t *found_p;
};

static uint64_t count(uint64_t position, unsigned row);

static void square_task(void *data)
{
	const struct square *s = data;
	uint64_t next;

	s->found_p[s->column] = nqueens_place(nqueens_try(s->position, s->column), &next) ? count(next, s->row + 1) : 0;
}

static uint64_t count(uint64_t position, unsigned row)
{
	uint64_t found[NQUEENS_MAX], total = 0;

	if (nqueens_done(position))
		return 1;
	if (bench_cutoff == BENCH_MANUAL && row >= nqueens_depth)
		return nqueens_serial(position);
	for (unsigned column = 0; column < nqueens_n; column++) {
		struct square s = { .position = position, .column = column, .row = row, .found_p = found };
		XOMP_task(square_task, &s, 0, sizeof(s), _Alignof(struct square), 1, 0);
	}
	XOMP_taskwait();
	for (unsigned column = 0; column < nqueens_n; column++)
		total += found[column];
	return total;
}

static void region(void *data)
{
	(void)data;
	if (XOMP_single())
		nqueens_result = count(0, 0);
	XOMP_barrier();
}

static void parallel(void)
{
	XOMP_parallel_start(region, NULL, 1, 0, NULL, 0);
	XOMP_parallel_end(NULL, 0);
}

const struct bench_version bench_version = { .parallel = parallel };
