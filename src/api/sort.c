/* api/sort.c -- sorting in parallel, on public calls alone.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers are sorted by 64-bit keys (base/keysort.h): an unsigned number is its own key, a double has one that orders
 * all bit patterns.  So comparing is cheap, no pattern breaks the order, and equal keys cannot be told apart.
 *
 * It is quicksort, in place.  The first cuts are made by all workers together: each parts the keys of its own piece,
 * then those on the wrong side change places (after Francis & Pannan, Parallel Computing 18, 1992).  Once there is a
 * range for each worker, ranges are tasks, which cut on and fork the low part as long as that is worth a task.
 */
#include "base/keysort.h"
#include "base/least.h"
#include "base/tuning.h"
#include "qthread/qloop.h"
#include "qthread/qutil.h"
#include "qthread/sinc.h"

#include <stdbool.h>

enum {
	SORT_PIECES = 64,               /* that they are cut into for that, at most */
	SORT_RANGES = 64,               /* that are made that way, at most */
};

/* ---- Keys */

/* key(x) = (x ^ (negative(x) ? invert : 0) ^ sign) - shift, modulo 2^64; all 0 for unsigned numbers.
 *
 * For a double, inverting a negative one's bits and the sign bit of the others gives IEEE 754's total order: -NaN,
 * -infinity ... -0, +0 ... infinity, NaN.  The shift is the number of -NaNs: they wrap around, behind everything, and
 * all NaNs are together.  (Which sign 0.0 / 0.0 has depends on the machine.) */
struct sort_order {
	uint64_t invert, sign, shift;
};

static const struct sort_order sort_unsigned = { 0, 0, 0 };
static const struct sort_order sort_doubles = {
	.invert = UINT64_MAX >> 1, .sign = UINT64_C(1) << 63, .shift = (UINT64_C(1) << 52) - 1 };

static inline uint64_t sign_spread(uint64_t x)
{
	return 0 - (x >> 63);
}

static inline qti_key order_key(struct sort_order o, qti_key x)
{
	return (x ^ (sign_spread(x) & o.invert) ^ o.sign) - o.shift;
}

static inline qti_key order_number(struct sort_order o, qti_key key)
{
	const qti_key x = (key + o.shift) ^ o.sign;

	return x ^ (sign_spread(x) & o.invert);
}

/* Numbers that are their own keys. */
static inline bool order_is_plain(struct sort_order o)
{
	return o.sign == 0;
}

struct sort_job {
	qti_key *key;                   /* the array, of numbers or keys */
	size_t n;
	struct sort_order order;
	size_t task_least;              /* shorter ranges are sorted by one task */
	qt_sinc_t sorted;
};

static void keys_from_numbers(size_t begin, size_t end, void *arg)
{
	const struct sort_job *job = arg;

	if (order_is_plain(job->order))
		return;
	for (size_t i = begin; i < end; i++)
		job->key[i] = order_key(job->order, job->key[i]);
}

/* Keys that are in their place. */
static void numbers_from_keys(const struct sort_job *job, qti_key *begin, qti_key *end)
{
	if (order_is_plain(job->order))
		return;
	for (qti_key *k = begin; k < end; k++)
		*k = order_number(job->order, *k);
}

static void range_finish(const struct sort_job *job, struct qti_keyrange r)
{
	qti_keyrange_sort(r);
	numbers_from_keys(job, r.key, r.key + r.n);
}

/* Cut a range; the keys between the parts are numbers again. */
static void range_cut(const struct sort_job *job, struct qti_keyrange *r, struct qti_keyrange *left,
	qti_keys_part_f part)
{
	qti_keyrange_cut(r, left, part);
	numbers_from_keys(job, left->key + left->n, r->key);
}

/* ---- A task per range */

struct sort_range {
	struct sort_job *job;
	struct qti_keyrange keys;
};

static aligned_t range_task(void *arg);

/* Have a range sorted, by another task if that is worth while and there is memory for one. */
static void range_sort(struct sort_job *job, struct qti_keyrange r)
{
	const struct sort_range range = { job, r };

	if (r.n >= TUNE_SORT_TASK_LEAST) {
		qt_sinc_expect(&job->sorted, 1);
		if (qthread_spawn(range_task, &range, sizeof(range), &job->sorted, 0, NULL, NO_SHEPHERD,
			    QTHREAD_SPAWN_RET_SINC_VOID) == QTHREAD_SUCCESS)
			return;
		qt_sinc_submit(&job->sorted, NULL);
	}
	range_finish(job, r);
}

static aligned_t range_task(void *arg)
{
	struct sort_job *job = ((struct sort_range *)arg)->job;
	struct qti_keyrange r = ((struct sort_range *)arg)->keys, left;

	while (r.n > job->task_least && r.patience > 0) {
		range_cut(job, &r, &left, qti_keys_part);
		range_sort(job, left);
	}
	range_finish(job, r);
	return 0;
}

/* ---- Parting keys together */

struct sort_parting {
	qti_key *key;
	size_t n;
	qti_key bound;
	size_t pieces;
	size_t below[SORT_PIECES];      /* low keys of each piece, at its front */
	size_t low;                     /* of all */
};

struct sort_run {
	size_t first, n;
};

static size_t piece_begin(const struct sort_parting *p, size_t piece)
{
	return p->n / p->pieces * piece + qti_least(piece, p->n % p->pieces);
}

static void pieces_part(size_t first, size_t last, void *arg)
{
	struct sort_parting *p = arg;

	for (size_t i = first; i < last; i++) {
		const size_t begin = piece_begin(p, i);
		p->below[i] = qti_keys_part(p->key + begin, piece_begin(p, i + 1) - begin, p->bound);
	}
}

/* What piece i has on the wrong side: low keys behind the place where they end in the whole, or high keys before it. */
static struct sort_run piece_misplaced(const struct sort_parting *p, size_t i, bool low)
{
	const size_t begin = piece_begin(p, i), middle = begin + p->below[i];
	const size_t from = low ? (begin > p->low ? begin : p->low) : middle;
	const size_t to = low ? middle : qti_least(piece_begin(p, i + 1), p->low);

	return (struct sort_run){ from, from < to ? to - from : 0 };
}

/* The j-th misplaced low, or high, key, and those that follow it in its piece. */
static struct sort_run misplaced_from(const struct sort_parting *p, size_t j, bool low)
{
	struct sort_run run = piece_misplaced(p, 0, low);

	for (size_t i = 1; j >= run.n; i++) {
		j -= run.n;
		run = piece_misplaced(p, i, low);
	}
	return (struct sort_run){ run.first + j, run.n - j };
}

/* There are as many low keys as high ones on the wrong side: the first change places, the second, and so on. */
static void misplaced_swap(size_t first, size_t last, void *arg)
{
	const struct sort_parting *p = arg;

	while (first < last) {
		const struct sort_run high = misplaced_from(p, first, false), low = misplaced_from(p, first, true);
		const size_t n = qti_least(last - first, qti_least(high.n, low.n));
		qti_key *x = p->key + high.first, *y = p->key + low.first;
		for (size_t i = 0; i < n; i++) {
			const qti_key k = x[i];
			x[i] = y[i];
			y[i] = k;
		}
		first += n;
	}
}

static size_t part_together(qti_key *key, size_t n, qti_key bound)
{
	struct sort_parting p = { .key = key, .n = n, .bound = bound };
	const size_t workers = qthread_num_workers();   /* 0: the runtime has ended meanwhile */
	size_t misplaced = 0;

	p.pieces = workers ? qti_least(workers, SORT_PIECES) : 1;
	qt_loop_balance(0, p.pieces, pieces_part, &p);
	for (size_t i = 0; i < p.pieces; i++)
		p.low += p.below[i];
	for (size_t i = 0; i < p.pieces; i++)
		misplaced += piece_misplaced(&p, i, true).n;
	qt_loop_balance(0, misplaced, misplaced_swap, &p);
	return p.low;
}

/* ---- The whole array */

static size_t longest_range(const struct qti_keyrange *r, size_t n)
{
	size_t found = 0;

	for (size_t i = 1; i < n; i++)
		if (r[i].n > r[found].n)
			found = i;
	return found;
}

/* Cut the longest range until each worker has one.  No task before that: it would keep a worker from the cuts. */
static void sort_together(struct sort_job *job, size_t workers)
{
	struct qti_keyrange range[SORT_RANGES] = { qti_keyrange_all(job->key, job->n) };
	const size_t share = job->n / workers;
	size_t n = 1;

	for (size_t i = 0; n < SORT_RANGES; i = longest_range(range, n)) {
		if (range[i].n <= share || range[i].n < TUNE_SORT_TOGETHER_LEAST || range[i].patience == 0)
			break;
		range_cut(job, &range[i], &range[n++], part_together);
	}
	for (size_t i = 0; i < n; i++)
		range_sort(job, range[i]);
}

static void reverse_keys(qti_key *number, size_t n)
{
	for (size_t i = 0, j = n - 1; i < j; i++, j--) {
		const qti_key x = number[i];
		number[i] = number[j];
		number[j] = x;
	}
}

/* In order, or in reverse order, already?  Then it is sorted on return.  Random numbers answer that within a few. */
static bool sort_is_simple(const struct sort_job *job)
{
	qti_key *number = job->key;
	size_t up = 1, down = 1;

	while (up < job->n && order_key(job->order, number[up - 1]) <= order_key(job->order, number[up]))
		up++;
	if (up >= job->n)
		return true;
	while (down < job->n && order_key(job->order, number[down - 1]) >= order_key(job->order, number[down]))
		down++;
	if (down >= job->n)
		reverse_keys(number, job->n);
	return down >= job->n;
}

static void sort_array(void *array, size_t n, struct sort_order order)
{
	struct sort_job job = { .key = array, .n = n, .order = order };
	const size_t workers = qthread_num_workers();

	if (!array || sort_is_simple(&job))
		return;
	if (n < TUNE_SORT_ALONE || workers < 2) {
		keys_from_numbers(0, n, &job);
		range_finish(&job, qti_keyrange_all(job.key, n));
		return;
	}
	qt_loop_balance(0, n, keys_from_numbers, &job);
	job.task_least = n / (workers * TUNE_SORT_TASKS_PER_WORKER);
	if (job.task_least < TUNE_SORT_TASK_LEAST)
		job.task_least = TUNE_SORT_TASK_LEAST;
	qt_sinc_init(&job.sorted, 0, NULL, NULL, 1);    /* one for us, until all tasks are on their way */
	sort_together(&job, workers);
	qt_sinc_submit(&job.sorted, NULL);
	qt_sinc_wait(&job.sorted, NULL);
	qt_sinc_fini(&job.sorted);
}

/* ---- The names.  Whether a sort is stable cannot be seen where equal keys are equal numbers: one serves for all. */

void qutil_qsort(double *array, size_t length)
{
	sort_array(array, length, sort_doubles);
}

void qutil_mergesort(double *array, size_t length)
{
	sort_array(array, length, sort_doubles);
}

void qt_qsort(double *array, size_t const length)
{
	sort_array(array, length, sort_doubles);
}

void qutil_aligned_qsort(aligned_t *array, size_t length)
{
	sort_array(array, length, sort_unsigned);
}
