/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that attract each other, all pairs of them.  In each step the positions go around the ranks; a rank adds up what
 * the bodies of each part of the sky do to its own.  Sums of a part are kept apart and added up in the parts' order when
 * all are there: so the result is, bit by bit, that of one rank. */
#include "mpi/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 12 };

struct vector {
	double x, y, z;
};

static unsigned long bodies = 3000, steps = 4, grain = 64;

/* `here` are this rank's; around[k] are those of the k-th rank on its left. */
static struct vector *where, *speed, *around[PARTS], *pulls, *serial;
static long here;

static long first_of(int rank)
{
	return job_share_begin((long)bodies, (rank + job_ranks) % job_ranks);
}

static long count_of(int rank)
{
	rank = (rank + job_ranks) % job_ranks;
	return job_share_begin((long)bodies, rank + 1) - job_share_begin((long)bodies, rank);
}

static long part_begin(long p)
{
	return (long)bodies * p / PARTS;
}

/* Out of line: the serial steps are to have the same instructions. */
static __attribute__((noinline)) struct vector pull(struct vector on, const struct vector *from, long n)
{
	struct vector sum = { 0, 0, 0 };

	for (long i = 0; i < n; i++) {
		double x = from[i].x - on.x, y = from[i].y - on.y, z = from[i].z - on.z;
		double square = x * x + y * y + z * z + 1e-3, f = 1 / (square * sqrt(square));
		sum.x += x * f;
		sum.y += y * f;
		sum.z += z * f;
	}
	return sum;
}

static __attribute__((noinline)) void move(struct vector *p, struct vector *v, const struct vector *parts)
{
	struct vector sum = { 0, 0, 0 };

	for (int i = 0; i < PARTS; i++) {
		sum.x += parts[i].x;
		sum.y += parts[i].y;
		sum.z += parts[i].z;
	}
	v->x += 1e-4 * sum.x;
	v->y += 1e-4 * sum.y;
	v->z += 1e-4 * sum.z;
	p->x += 1e-2 * v->x;
	p->y += 1e-2 * v->y;
	p->z += 1e-2 * v->z;
}

/* What the k-th rank's bodies, whose parts are all theirs (problem()), do to those from `from` to `to` here. */
static void add_pulls(int k, long from, long to)
{
	long first = first_of(job_rank - k), end = first + count_of(job_rank - k);

	for (long p = 0; p < PARTS; p++)
		if (part_begin(p) >= first && part_begin(p) < end)
			for (long b = from; b < to; b++)
				pulls[b * PARTS + p] =
					pull(where[b], around[k] + part_begin(p) - first, part_begin(p + 1) - part_begin(p));
}

static void move_some(size_t from, size_t to, void *unused)
{
	(void)unused;
	for (size_t b = from; b < to; b++)
		move(&where[b], &speed[b], &pulls[b * PARTS]);
}

static void move_all(void)
{
	job_loop(0, (size_t)here, move_some, NULL);
	memcpy(around[0], where, (size_t)here * sizeof(*where));
}

static int bytes(int k)
{
	return (int)(count_of(job_rank - k) * (long)sizeof(struct vector));
}

static int neighbour(int way)
{
	return (job_rank + job_ranks + way) % job_ranks;
}

#ifndef _OPENMP

/* --- tasks ----------------------------------------------------------------------------------------------- */

static aligned_t come[PARTS]; /* full: those bodies are there */

/* Hands on what has come, and receives the next. */
static aligned_t go_around(void *unused)
{
	(void)unused;
	for (int k = 1; k < job_ranks; k++) {
		MPI_Sendrecv(around[k - 1], bytes(k - 1), MPI_BYTE, neighbour(1), k, around[k], bytes(k), MPI_BYTE, neighbour(-1), k,
			MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		qthread_writeF_const(&come[k], 1);
	}
	return 0;
}

static aligned_t tend_block(void *arg)
{
	long from = (long)(uintptr_t)arg, to = from + (long)grain < here ? from + (long)grain : here;

	for (int k = 0; k < job_ranks; k++) {
		qthread_readFF(NULL, &come[k]);
		add_pulls(k, from, to);
	}
	return 0;
}

static void run_tasks(void)
{
	long blocks = (here + (long)grain - 1) / (long)grain;
	aligned_t *done = bench_room("nbody", (size_t)blocks + 1, sizeof(*done));

	for (unsigned long t = 0; t < steps; t++) {
		for (int k = 1; k < job_ranks; k++)
			qthread_empty(&come[k]);
		for (long b = 0; b < blocks; b++)
			qthread_fork(tend_block, (void *)(uintptr_t)(b * (long)grain), &done[b]);
		qthread_fork(go_around, NULL, &done[blocks]);
		for (long b = blocks; b >= 0; b--)
			qthread_readFF(NULL, &done[b]);
		move_all();
	}
	free(done);
}

#endif

/* --- loops ----------------------------------------------------------------------------------------------- */

static void add_some(size_t from, size_t to, void *arg)
{
	add_pulls(*(int *)arg, (long)from, (long)to);
}

static void run_fork_join(void)
{
	for (unsigned long t = 0; t < steps; t++) {
		for (int k = 0; k < job_ranks; k++) {
			if (k > 0)
				MPI_Sendrecv(around[k - 1], bytes(k - 1), MPI_BYTE, neighbour(1), k, around[k], bytes(k), MPI_BYTE,
					neighbour(-1), k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			job_loop(0, (size_t)here, add_some, &k);
		}
		move_all();
	}
}

static void run_by_hand(void)
{
	MPI_Request both[2] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };

	for (unsigned long t = 0; t < steps; t++) {
		for (int k = 0; k < job_ranks; k++) {
			if (k + 1 < job_ranks) {
				MPI_Irecv(around[k + 1], bytes(k + 1), MPI_BYTE, neighbour(-1), k, MPI_COMM_WORLD, &both[0]);
				MPI_Isend(around[k], bytes(k), MPI_BYTE, neighbour(1), k, MPI_COMM_WORLD, &both[1]);
			}
			job_loop(0, (size_t)here, add_some, &k);
			MPI_Wait(&both[0], MPI_STATUS_IGNORE);
			MPI_Wait(&both[1], MPI_STATUS_IGNORE);
		}
		move_all();
	}
}

/* --- the sky --------------------------------------------------------------------------------------------- */

static double chance(uint64_t i)
{
	return (double)(bench_scramble(i) >> 11) / 9007199254740992.0;
}

static void place(struct vector *p, struct vector *v, long first, long n)
{
	for (long i = 0; i < n; i++) {
		uint64_t b = 3 * (uint64_t)(first + i);
		p[i] = (struct vector){ chance(b), chance(b + 1), chance(b + 2) };
		v[i] = (struct vector){ 0, 0, 0 };
	}
}

static void serial_steps(void)
{
	struct vector *v = bench_room("nbody", bodies, sizeof(*v)), *old = bench_room("nbody", bodies, sizeof(*old));
	struct vector parts[PARTS];

	place(serial, v, 0, (long)bodies);
	for (unsigned long t = 0; t < steps; t++) {
		memcpy(old, serial, bodies * sizeof(*old));
		for (unsigned long b = 0; b < bodies; b++) {
			for (int p = 0; p < PARTS; p++)
				parts[p] = pull(old[b], &old[part_begin(p)], part_begin(p + 1) - part_begin(p));
			move(&serial[b], &v[b], parts);
		}
	}
	free(v);
	free(old);
}

static void setup(void)
{
	here = count_of(job_rank);
	where = bench_room("nbody", (size_t)here, sizeof(*where));
	speed = bench_room("nbody", (size_t)here, sizeof(*speed));
	pulls = bench_room("nbody", (size_t)here * PARTS, sizeof(*pulls));
	for (int k = 0; k < job_ranks; k++)
		around[k] = bench_room("nbody", (size_t)count_of(job_rank - k), sizeof(struct vector));
	if (job_rank > 0)
		return;
	serial = bench_room("nbody", bodies, sizeof(*serial));
	serial_steps();
}

static void before(void)
{
	place(where, speed, first_of(job_rank), here);
	memcpy(around[0], where, (size_t)here * sizeof(*where));
}

static bool check(void)
{
	struct vector *all = job_rank == 0 ? bench_room("nbody", bodies, sizeof(*all)) : NULL;
	int counts[PARTS], at[PARTS];

	for (int r = 0; r < job_ranks; r++) {
		counts[r] = (int)(count_of(r) * (long)sizeof(*all));
		at[r] = (int)(first_of(r) * (long)sizeof(*all));
	}
	MPI_Gatherv(where, counts[job_rank], MPI_BYTE, all, counts, at, MPI_BYTE, 0, MPI_COMM_WORLD);
	bool right = job_rank > 0 || memcmp(all, serial, bodies * sizeof(*all)) == 0;
	free(all);
	return right;
}

/* Then no part belongs to two ranks. */
static const char *problem(void)
{
	return PARTS % job_ranks != 0	? "it runs on 1, 2, 3, 4, 6 or 12 ranks"
		: bodies % PARTS != 0	? "--bodies: not a multiple of 12"
					: NULL;
}

static void describe(void)
{
	printf("%lu steps of %lu bodies, tasks of %lu\n", steps, bodies, grain);
}

static const struct bench_option options[] = {
	{ "bodies", "how many, a multiple of 12", BENCH_NUMBER, &bodies, 12, 1000000, NULL },
	{ "steps", "how many", BENCH_NUMBER, &steps, 1, 1000000, NULL },
	{ "grain", "bodies of a task", BENCH_NUMBER, &grain, 1, 1000000, NULL },
	{ .name = NULL },
};

const struct job job = {
	.name = "nbody",
	.what = "bodies that attract each other (start it with mpirun)",
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
