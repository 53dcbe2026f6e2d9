/* test/stress/qarray.c -- arrays of random sizes and distributions, loops over random ranges of them, several at once,
 * while owners change: every element is handed out once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts arrays.  Each runtime has a random scheduler and shape and sees a few dozen of them.
 */
#include "stress/stress.h"

#include <qthread/allpairs.h>
#include <qthread/qarray.h>
#include <qthread/wavefront.h>

#include <pthread.h>

enum { ROUNDS = 2500, PER_RUNTIME = 50, MOST = 6000, AT_ONCE = 3 };

struct job {
	uint64_t dice;
	qarray *a;
	size_t start, stop;
	bool owners_change;
	aligned_t wrong;
	aligned_t ended;                /* filled by the external thread: to join it would keep a worker */
	unsigned char runs[MOST];       /* each written once, if all is right */
};

static void count(size_t const start, size_t const stop, qarray *a, void *arg)
{
	struct job *j = arg;

	if (a != j->a || start >= stop || start < j->start || stop > j->stop)
		qthread_incr(&j->wrong, 1);
	if (!j->owners_change && qthread_shep() != qarray_shepof(a, start))
		qthread_incr(&j->wrong, 1);
	for (size_t i = start; i < stop; i++)
		if (__atomic_fetch_add(&j->runs[i], 1, __ATOMIC_RELAXED))
			qthread_incr(&j->wrong, 1);
	if (start % 7 == 3)
		qthread_yield();
	if (j->owners_change)
		qarray_set_shepof(a, start, (qthread_shepherd_id_t)(stop % qthread_num_shepherds()));
}

static void count_sum(size_t const start, size_t const stop, qarray *a, void *arg, void *ret)
{
	count(start, stop, a, arg);
	*(size_t *)ret = stop - start;
}

static void add(void *restrict x, void const *restrict y)
{
	*(size_t *)x += *(size_t const *)y;
}

static bool job_once(struct job *j)
{
	bool right = j->wrong == 0;

	for (size_t i = 0; i < j->a->count; i++) {
		right = right && j->runs[i] == (i >= j->start && i < j->stop);
		j->runs[i] = 0;
	}
	return right;
}

static bool job_loop(struct job *j)
{
	const size_t n = j->a->count;
	size_t sum = 0;
	aligned_t done;

	j->start = stress_random(&j->dice, (unsigned)n);
	j->stop = j->start + 1 + stress_random(&j->dice, (unsigned)(n - j->start));
	j->owners_change = stress_random(&j->dice, 4) == 0;
	switch (stress_random(&j->dice, 3)) {
	case 0:
		qarray_iter_loop(j->a, j->start, j->stop, count, j);
		return job_once(j);
	case 1:
		qarray_iter_loop_nb(j->a, j->start, j->stop, count, j, &done);
		qthread_readFF(NULL, &done);
		return job_once(j);
	default:
		qarray_iter_loopaccum(j->a, j->start, j->stop, count_sum, j, &sum, sizeof(sum), add);
		return sum == j->stop - j->start && job_once(j);
	}
}

static bool job_array(struct job *j)
{
	const size_t n = 1 + stress_random(&j->dice, MOST), unit = 1 + stress_random(&j->dice, 40);
	const distribution_t d = (distribution_t)stress_random(&j->dice, ALL_LEAST + 1);
	bool right = true;

	j->a = qarray_create_configured(n, unit, d, (char)stress_random(&j->dice, 2),
		(int)stress_random(&j->dice, 3));
	for (int i = 0; j->a && right && i < 3; i++)
		right = job_loop(j);
	if (!right || !j->a)
		diag("%zu elements of %zu, distribution %d, %zu to %zu, wrong %d", n, unit, d, j->start, j->stop,
			(int)j->wrong);
	right = right && j->a;
	qarray_destroy(j->a);
	return right;
}

static aligned_t job_task(void *arg)
{
	return job_array(arg);
}

static void *job_outside(void *arg)
{
	struct job *j = arg;

	j->wrong |= !job_array(j);
	qthread_fill(&j->ended);
	return NULL;
}

/* Tasks and an external thread, each with its array. */
static bool arrays_at_once(uint64_t *dice)
{
	static struct job job[AT_ONCE + 1];
	aligned_t right[AT_ONCE], all = 0;
	pthread_t thread;

	for (int i = 0; i <= AT_ONCE; i++) {
		job[i].wrong = 0;
		job[i].dice = *dice + (uint64_t)i + 1;
		stress_random(dice, 2);
	}
	qthread_empty(&job[AT_ONCE].ended);
	if (pthread_create(&thread, NULL, job_outside, &job[AT_ONCE]) != 0)
		bail_out("pthread_create failed");
	for (int i = 0; i < AT_ONCE; i++)
		qthread_fork(job_task, &job[i], &right[i]);
	for (int i = 0; i < AT_ONCE; i++) {
		qthread_readFF(&right[i], &right[i]);
		all += right[i];
	}
	qthread_readFF(NULL, &job[AT_ONCE].ended);
	pthread_join(thread, NULL);
	return all == AT_ONCE && job[AT_ONCE].wrong == 0;
}

/* --- pairs and grids of random sizes --------------------------------------------------------------------- */

static aligned_t pairs;

static void count_pair(void const *x, void const *y)
{
	qthread_incr(&pairs, x != NULL && y != NULL);
}

static bool random_pairs(uint64_t *dice)
{
	qarray *x = qarray_create_configured(1 + stress_random(dice, 90), 100, DIST, 0, 1);
	qarray *y = qarray_create_configured(1 + stress_random(dice, 90), 100, FIXED_FIELDS, 0, 1);
	bool right;

	pairs = 0;
	qt_allpairs(x, y, count_pair);
	right = pairs == x->count * y->count;
	qarray_destroy(x);
	qarray_destroy(y);
	return right;
}

/* Cell (c, r) is c * r, if the edges are 0; every cell is seen to be computed once, after its neighbours. */
static void step(void const *restrict left, void const *restrict leftdown, void const *restrict down,
	void *restrict out)
{
	const int l = *(int const *)left, ld = *(int const *)leftdown, d = *(int const *)down;

	*(int *)out += l + d - ld + 1;
	if (*(int *)out % 64 == 5)
		qthread_yield();
}

static bool random_grid(uint64_t *dice)
{
	enum { SIDE = 100 };
	static int cell[SIDE][SIDE];
	int *column[SIDE];
	const size_t cols = 1 + stress_random(dice, SIDE), rows = 1 + stress_random(dice, SIDE);
	bool right = true;

	memset(cell, 0, sizeof(cell));
	for (int c = 0; c < SIDE; c++)
		column[c] = cell[c];
	qt_basic_wavefront(column, cols, rows, step);
	for (size_t c = 0; c < SIDE; c++)
		for (size_t r = 0; r < SIDE; r++)
			right = right && cell[c][r] == (c < cols && r < rows ? (int)(c * r) : 0);
	return right;
}

int main(void)
{
	static const char *const scheduler[] = { "q", "l", "cq", "ws", "mts", "xq", "bq", "na-rp", "na-ws" };
	const unsigned rounds = stress_rounds(ROUNDS);
	uint64_t dice = stress_state(0);
	unsigned arrays = 0, paired = 0, grids = 0, done_rounds = 0;

	plan(3);
	stress_say(rounds);
	while (done_rounds < rounds) {
		const struct stress_shape shape = { 1 + stress_random(&dice, 5), 1 + stress_random(&dice, 3) };

		stress_watch("arrays");
		stress_start(scheduler[stress_random(&dice, sizeof(scheduler) / sizeof(scheduler[0]))], shape);
		for (unsigned i = 0; i < PER_RUNTIME && done_rounds < rounds; i++, done_rounds++) {
			arrays += arrays_at_once(&dice);
			paired += random_pairs(&dice);
			grids += random_grid(&dice);
			stress_round();
		}
		qthread_finalize();
	}
	is_int(arrays, rounds, "loops over arrays hand out every element once");
	is_int(paired, rounds, "qt_allpairs calls once for each pair");
	is_int(grids, rounds, "qt_basic_wavefront computes every cell once, after its neighbours");
	return done();
}
