/* test/unit/qarray_out_of_memory.c -- arrays, pairs and grids that run out of memory at any point: clean results,
 * nothing lost, nothing half done.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The n-th allocation and all after it fail, for n from 0 until a pass needs no more.
 */
#include "api/every.h"
#include "fault.h"

#include <qthread/allpairs.h>
#include <qthread/wavefront.h>

#include <sched.h>
#include <string.h>

enum { N = 3000, SIDE = 60, CHECKS_PER_RUN = 8, DENIALS = 12 };

static aligned_t runs[N];

static void count(size_t const start, size_t const stop, qarray *a, void *arg)
{
	(void)a;
	(void)arg;
	for (size_t i = start; i < stop; i++)
		qthread_incr(&runs[i], 1);
}

static void sum(size_t const start, size_t const stop, qarray *a, void *arg, void *ret)
{
	count(start, stop, a, arg);
	*(size_t *)ret = stop - start;
}

static void add(void *restrict a, void const *restrict b)
{
	*(size_t *)a += *(size_t const *)b;
}

static bool once_each(void)
{
	bool right = true;

	for (int i = 0; i < N; i++) {
		right = right && runs[i] == 1;
		runs[i] = 0;
	}
	return right;
}

static bool creates(int64_t after, distribution_t d)
{
	fault_after((uint64_t)after);
	qarray *a = qarray_create_configured(N, 8, d, 0, 1);
	fault_end();
	const bool right = after >= 3 ? a != NULL : after >= 2 || !a;
	qarray_destroy(a);
	return right;
}

static bool loops(int64_t after, qarray *a)
{
	size_t total = 0;
	bool right;
	aligned_t done;

	fault_after((uint64_t)after);
	qarray_iter_loop(a, 0, N, count, NULL);
	fault_end();
	right = once_each();
	fault_after((uint64_t)after);
	qarray_iter_loopaccum(a, 0, N, sum, NULL, &total, sizeof(total), add);
	fault_end();
	right = once_each() && total == N && right;
	qthread_empty(&done);
	fault_after((uint64_t)after);
	qarray_iter_loop_nb(a, 0, N, count, NULL, &done);
	while (qthread_feb_status(&done) == 0) {        /* without memory nobody can wait */
		qthread_yield();
		sched_yield();
	}
	fault_end();
	return once_each() && right;
}

static bool places(int64_t after, const qarray *ref)
{
	qarray *mod = qarray_create_configured(N, 8, FIXED_FIELDS, 0, 1);

	fault_after((uint64_t)after);
	qarray_dist_like(ref, mod);
	fault_end();
	const bool right = mod->dist_type == (after ? DIST : FIXED_FIELDS);
	qarray_destroy(mod);
	return right;
}

static aligned_t pairs;

static void count_pair(void const *x, void const *y)
{
	(void)x;
	(void)y;
	qthread_incr(&pairs, 1);
}

static bool all_pairs(int64_t after, const qarray *a)
{
	qarray *few = qarray_create(3, 8);

	pairs = 0;
	fault_after((uint64_t)after);
	qt_allpairs(few, a, count_pair);
	fault_end();
	qarray_destroy(few);
	return pairs == 3 * N;
}

static void step(void const *restrict left, void const *restrict leftdown, void const *restrict down,
	void *restrict out)
{
	*(int *)out = *(int const *)left + *(int const *)down - *(int const *)leftdown + 1;
}

/* Cell (c, r) is c * r, if the edges are 0. */
static bool grid(int64_t after)
{
	static int cell[SIDE][SIDE];
	int *column[SIDE];
	bool right = true;

	memset(cell, 0, sizeof(cell));
	for (int c = 0; c < SIDE; c++)
		column[c] = cell[c];
	fault_after((uint64_t)after);
	qt_basic_wavefront(column, SIDE, SIDE, step);
	fault_end();
	for (int c = 0; c < SIDE; c++)
		for (int r = 0; r < SIDE; r++)
			right = right && cell[c][r] == c * r;
	return right;
}

static bool lattice(int64_t after)
{
	qarray *edge = qarray_create_tight(SIDE, sizeof(int)), *other = qarray_create_tight(SIDE, sizeof(int));

	for (int i = 0; i < SIDE; i++)
		*(int *)qarray_elem(edge, i) = *(int *)qarray_elem(other, i) = 0;
	fault_after((uint64_t)after);
	qt_wavefront_lattice *l = qt_wavefront(edge, other, step);
	fault_end();
	const bool right = after < 2 ? !l : l && ((int *)(void *)l->cells)[SIDE * SIDE - 1] == (SIDE - 1) * (SIDE - 1);
	qt_wavefront_destroy_lattice(l);
	qarray_destroy(edge);
	qarray_destroy(other);
	return right;
}

static void run(const char *what)
{
	qarray *hash = qarray_create_configured(N, 8, FIXED_HASH, 0, 1);
	qarray *dist = qarray_create_configured(N, 8, DIST_STRIPES, 0, 1);
	bool created = true, hashed = true, each = true, placed = true, paired = true, basic = true, lattices = true;

	/* The stacks on which workers go on while somebody waits are there from now on. */
	qarray_iter_loop(hash, 0, N, count, NULL);
	ok(once_each(), "%s: qarray_iter_loop, with memory", what);
	for (int64_t after = 0; after < DENIALS; after += every_is_slow() && after > 2 ? 4 : 1) {
		for (int d = FIXED_HASH; d <= ALL_LEAST; d++)
			created = creates(after, (distribution_t)d) && created;
		hashed = loops(after, hash) && hashed;
		each = loops(after, dist) && each;
		placed = places(after, dist) && placed;
		paired = all_pairs(after, hash) && all_pairs(after, dist) && paired;
		basic = grid(after) && basic;
		lattices = lattice(after) && lattices;
	}
	ok(created, "%s: qarray_create_configured: an array or NULL", what);
	ok(hashed, "%s: qarray_iter_loop and the like over a FIXED_HASH array", what);
	ok(each, "%s: qarray_iter_loop and the like over a DIST array", what);
	ok(placed, "%s: qarray_dist_like: done or not done", what);
	ok(paired, "%s: qt_allpairs", what);
	ok(basic, "%s: qt_basic_wavefront", what);
	ok(lattices, "%s: qt_wavefront: a lattice or NULL", what);
	qarray_destroy(hash);
	qarray_destroy(dist);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + 1);
	setenv("QT_MAX_POOL_ALLOC_SIZE", "4096", 1);    /* few tasks to a block */
	qti_mem_fault = fault;                          /* before there are workers to read it */
	every_runtime(run);
	every_start("mts", "12", "1");
	qarray *a = qarray_create_configured(N, 8, DIST, 0, 1);
	bool right = true;
	for (int64_t after = 0; after < DENIALS; after++)
		right = loops(after, a) && right;
	ok(right, "qarray_iter_loop and the like with more shepherds than fit on the stack");
	qarray_destroy(a);
	qthread_finalize();
	return done();
}
