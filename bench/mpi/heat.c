/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Heat in a square plate by Gauss and Seidel: a cell becomes the mean of its four neighbours, of which those above and
 * on the left are of the same sweep.  Ranks have bands of rows, cut into blocks; a block needs in sweep t those above and
 * on its left of sweep t, and those below and on its right of sweep t - 1.  At the edge of a band these are messages: a
 * block's part of a row.  The order of all that is needed is that of a serial sweep, and so are the bits. */
#include "mpi/job.h"

#include <stdlib.h>
#include <string.h>

static unsigned long size = 1024, sweeps = 50, block = 128;

/* A band, with a row above and below, and a column on either side, that belong to others or to the plate's edge. */
static double *cells, *serial;
static long rows, stride, nrow, ncol; /* of blocks, the last two */

static double *cell(long i, long j)
{
	return &cells[i * stride + j];
}

/* Out of line: the serial sweep is to have the same instructions. */
static __attribute__((noinline)) void sweep(double *from, long nrows, long ncols)
{
	for (long i = 0; i < nrows; i++) {
		double *c = from + i * stride;
		for (long j = 0; j < ncols; j++)
			c[j] = 0.25 * (c[j - stride] + c[j - 1] + c[j + 1] + c[j + stride]);
	}
}

static long row_of(long bi)
{
	return 1 + bi * (long)block;
}

static long length(long b, long all)
{
	long left = all - b * (long)block;

	return left < (long)block ? left : (long)block;
}

static void sweep_block(long bi, long bj)
{
	sweep(cell(row_of(bi), row_of(bj)), length(bi, rows), length(bj, (long)size));
}

/* --- messages -------------------------------------------------------------------------------------------- */

enum way { DOWN, UP };

static bool has_above(void)
{
	return job_rank > 0;
}

static bool has_below(void)
{
	return job_rank < job_ranks - 1;
}

static int tag(long bj, enum way w)
{
	return (int)(2 * bj + w);
}

#ifndef _OPENMP

/* --- tasks ----------------------------------------------------------------------------------------------- */

/* An edge between two blocks: full when the one it comes from has a sweep more than the one it goes to. */
static aligned_t *down, *right_of, *up, *left_of;

static aligned_t *edge(aligned_t *words, long bi, long bj)
{
	return &words[bi * ncol + bj];
}

static void get_halo(long bi, long bj, bool first)
{
	int n = (int)length(bj, (long)size);

	if (bi == 0 && has_above())
		MPI_Recv(cell(0, row_of(bj)), n, MPI_DOUBLE, job_rank - 1, tag(bj, DOWN), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (bi == nrow - 1 && has_below() && !first)
		MPI_Recv(cell(rows + 1, row_of(bj)), n, MPI_DOUBLE, job_rank + 1, tag(bj, UP), MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
}

static void put_halo(long bi, long bj, bool last)
{
	int n = (int)length(bj, (long)size);

	if (bi == nrow - 1 && has_below())
		MPI_Send(cell(rows, row_of(bj)), n, MPI_DOUBLE, job_rank + 1, tag(bj, DOWN), MPI_COMM_WORLD);
	if (bi == 0 && has_above() && !last)
		MPI_Send(cell(1, row_of(bj)), n, MPI_DOUBLE, job_rank - 1, tag(bj, UP), MPI_COMM_WORLD);
}

static void await_neighbours(long bi, long bj, bool first)
{
	if (bi > 0)
		qthread_readFE(NULL, edge(down, bi - 1, bj));
	if (bj > 0)
		qthread_readFE(NULL, edge(right_of, bi, bj - 1));
	if (bi < nrow - 1 && !first)
		qthread_readFE(NULL, edge(up, bi + 1, bj));
	if (bj < ncol - 1 && !first)
		qthread_readFE(NULL, edge(left_of, bi, bj + 1));
}

static void let_neighbours_go(long bi, long bj, bool last)
{
	if (bi < nrow - 1)
		qthread_writeEF_const(edge(down, bi, bj), 1);
	if (bj < ncol - 1)
		qthread_writeEF_const(edge(right_of, bi, bj), 1);
	if (bi > 0 && !last)
		qthread_writeEF_const(edge(up, bi, bj), 1);
	if (bj > 0 && !last)
		qthread_writeEF_const(edge(left_of, bi, bj), 1);
}

/* A block for all sweeps. */
static aligned_t tend_block(void *arg)
{
	long bi = (long)(uintptr_t)arg / ncol, bj = (long)(uintptr_t)arg % ncol;

	for (unsigned long t = 0; t < sweeps; t++) {
		await_neighbours(bi, bj, t == 0);
		get_halo(bi, bj, t == 0);
		sweep_block(bi, bj);
		let_neighbours_go(bi, bj, t == sweeps - 1);
		put_halo(bi, bj, t == sweeps - 1);
	}
	return 0;
}

static void run_tasks(void)
{
	long n = nrow * ncol;
	aligned_t *done = bench_room("heat", (size_t)n, sizeof(*done));

	down = bench_room("heat", 4 * (size_t)n, sizeof(*down));
	right_of = down + n;
	up = right_of + n;
	left_of = up + n;
	for (long i = 0; i < n; i++) {
		qthread_empty(&down[i]);
		qthread_empty(&right_of[i]);
		qthread_empty(&up[i]);
		qthread_empty(&left_of[i]);
	}
	for (long i = 0; i < n; i++)
		if (qthread_fork(tend_block, (void *)(uintptr_t)i, &done[i]) != QTHREAD_SUCCESS)
			bench_fail("heat", "out of memory");
	for (long i = 0; i < n; i++)
		qthread_readFF(NULL, &done[i]);
	for (long i = 0; i < n; i++) {
		qthread_fill(&down[i]);
		qthread_fill(&right_of[i]);
		qthread_fill(&up[i]);
		qthread_fill(&left_of[i]);
	}
	free(down);
	free(done);
}

#endif

/* --- loops over the blocks of a diagonal ------------------------------------------------------------------- */

static void sweep_some(size_t from, size_t to, void *arg)
{
	long d = *(long *)arg;

	for (size_t bi = from; bi < to; bi++)
		sweep_block((long)bi, d - (long)bi);
}

static void sweep_diagonal(long d)
{
	long from = d < ncol ? 0 : d - ncol + 1, to = d < nrow ? d + 1 : nrow;

	job_loop((size_t)from, (size_t)to, sweep_some, &d);
}

static void run_fork_join(void)
{
	for (unsigned long t = 0; t < sweeps; t++) {
		if (has_above())
			MPI_Recv(cell(0, 1), (int)size, MPI_DOUBLE, job_rank - 1, DOWN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (has_below() && t > 0)
			MPI_Recv(cell(rows + 1, 1), (int)size, MPI_DOUBLE, job_rank + 1, UP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		for (long d = 0; d < nrow + ncol - 1; d++)
			sweep_diagonal(d);
		if (has_above() && t < sweeps - 1)
			MPI_Send(cell(1, 1), (int)size, MPI_DOUBLE, job_rank - 1, UP, MPI_COMM_WORLD);
		if (has_below())
			MPI_Send(cell(rows, 1), (int)size, MPI_DOUBLE, job_rank + 1, DOWN, MPI_COMM_WORLD);
	}
}

/* Requests of one sweep, for each column of blocks. */
static struct {
	MPI_Request *from_above, *from_below, *to_above, *to_below;
} under_way;

static void start_receiving(bool first)
{
	for (long bj = 0; bj < ncol; bj++) {
		int n = (int)length(bj, (long)size);
		if (has_above())
			MPI_Irecv(cell(0, row_of(bj)), n, MPI_DOUBLE, job_rank - 1, tag(bj, DOWN), MPI_COMM_WORLD,
				&under_way.from_above[bj]);
		if (has_below() && !first)
			MPI_Irecv(cell(rows + 1, row_of(bj)), n, MPI_DOUBLE, job_rank + 1, tag(bj, UP), MPI_COMM_WORLD,
				&under_way.from_below[bj]);
	}
}

/* What the diagonal's ends need: halos, and that their rows have been sent. */
static void wait_for_diagonal(long d)
{
	long below = d - (nrow - 1);

	if (d < ncol) {
		MPI_Wait(&under_way.from_above[d], MPI_STATUS_IGNORE);
		MPI_Wait(&under_way.to_above[d], MPI_STATUS_IGNORE);
	}
	if (below >= 0 && below < ncol) {
		MPI_Wait(&under_way.from_below[below], MPI_STATUS_IGNORE);
		MPI_Wait(&under_way.to_below[below], MPI_STATUS_IGNORE);
	}
}

static void send_diagonal(long d, bool last)
{
	long below = d - (nrow - 1);

	if (d < ncol && has_above() && !last)
		MPI_Isend(cell(1, row_of(d)), (int)length(d, (long)size), MPI_DOUBLE, job_rank - 1, tag(d, UP), MPI_COMM_WORLD,
			&under_way.to_above[d]);
	if (below >= 0 && below < ncol && has_below())
		MPI_Isend(cell(rows, row_of(below)), (int)length(below, (long)size), MPI_DOUBLE, job_rank + 1, tag(below, DOWN),
			MPI_COMM_WORLD, &under_way.to_below[below]);
}

static void run_by_hand(void)
{
	for (unsigned long t = 0; t < sweeps; t++) {
		start_receiving(t == 0);
		for (long d = 0; d < nrow + ncol - 1; d++) {
			wait_for_diagonal(d);
			sweep_diagonal(d);
			send_diagonal(d, t == sweeps - 1);
		}
	}
	for (long bj = 0; bj < ncol; bj++)
		MPI_Wait(&under_way.to_below[bj], MPI_STATUS_IGNORE);
}

/* --- the plate ------------------------------------------------------------------------------------------- */

/* The upper edge is hot, the rest cold. */
static void fill_plate(double *c, long n, bool hot)
{
	memset(c, 0, (size_t)((n + 2) * stride) * sizeof(*c));
	for (long j = 0; hot && j < stride; j++)
		c[j] = 1 + 0.001 * (double)(j % 17);
}

static MPI_Request *requests(void)
{
	MPI_Request *r = bench_room("heat", (size_t)ncol, sizeof(MPI_Request));

	for (long i = 0; i < ncol; i++)
		r[i] = MPI_REQUEST_NULL;
	return r;
}

static void setup(void)
{
	stride = (long)size + 2;
	rows = job_share_begin((long)size, job_rank + 1) - job_share_begin((long)size, job_rank);
	nrow = (rows + (long)block - 1) / (long)block;
	ncol = ((long)size + (long)block - 1) / (long)block;
	cells = bench_room("heat", (size_t)((rows + 2) * stride), sizeof(*cells));
	under_way.from_above = requests();
	under_way.from_below = requests();
	under_way.to_above = requests();
	under_way.to_below = requests();
	if (job_rank > 0)
		return;
	serial = bench_room("heat", (size_t)(((long)size + 2) * stride), sizeof(*serial));
	fill_plate(serial, (long)size, true);
	for (unsigned long t = 0; t < sweeps; t++)
		sweep(serial + stride + 1, (long)size, (long)size);
}

static void before(void)
{
	fill_plate(cells, rows, job_rank == 0);
}

static bool check(void)
{
	double *all = job_rank == 0 ? bench_room("heat", (size_t)((long)size * stride), sizeof(*all)) : NULL;
	int *counts = bench_room("heat", 2 * (size_t)job_ranks, sizeof(*counts)), *at = counts + job_ranks;

	for (int r = 0; r < job_ranks; r++) {
		at[r] = (int)(job_share_begin((long)size, r) * stride);
		counts[r] = (int)(job_share_begin((long)size, r + 1) * stride) - at[r];
	}
	MPI_Gatherv(cell(1, 0), (int)(rows * stride), MPI_DOUBLE, all, counts, at, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	bool right = job_rank > 0 || memcmp(all, serial + stride, (size_t)((long)size * stride) * sizeof(*all)) == 0;
	free(all);
	free(counts);
	return right;
}

static const char *problem(void)
{
	return size < (unsigned long)job_ranks ? "--size: no row for each rank" : NULL;
}

static void describe(void)
{
	printf("%lu sweeps of a plate of %lu x %lu cells, in blocks of %lu\n", sweeps, size, size, block);
}

static const struct bench_option options[] = {
	{ "size", "rows and columns of the plate", BENCH_NUMBER, &size, 1, 16384, NULL },
	{ "sweeps", "how many", BENCH_NUMBER, &sweeps, 1, 1000000, NULL },
	{ "block", "rows and columns of a block", BENCH_NUMBER, &block, 1, 16384, NULL },
	{ .name = NULL },
};

const struct job job = {
	.name = "heat",
	.what = "heat in a plate, by Gauss-Seidel sweeps (start it with mpirun)",
	.options = options,
	.problem = problem,
	.setup = setup,
	.before = before,
#ifndef _OPENMP
	.run[JOB_TASKS] = run_tasks,
#endif
	.run[JOB_FORK_JOIN] = run_fork_join,
	.run[JOB_BY_HAND] = run_by_hand,
	.check = check,
	.describe = describe,
};
