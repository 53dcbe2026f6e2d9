/* test/api/qarray.c -- distributed arrays: their layout, their owners, and loops that hand out every element once, to
 * its owner.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "affine.h"
#include "every.h"

#include <qthread/qarray.h>

#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { KINDS = ALL_LEAST + 1, CHECKS_PER_RUN = 38, OTHER_CHECKS = 26 };

static const char *const kind_name[KINDS] = { "FIXED_HASH", "FIXED_FIELDS", "ALL_SAME", "DIST", "DIST_STRIPES",
	"DIST_FIELDS", "DIST_RAND", "DIST_LEAST", "ALL_LOCAL", "ALL_RAND", "ALL_LEAST" };

static const distribution_t becomes[KINDS] = { FIXED_HASH, FIXED_FIELDS, ALL_SAME, DIST, DIST, DIST, DIST, DIST,
	ALL_SAME, ALL_SAME, ALL_SAME };

/* ---- Layout */

static void qarray_layout(void)
{
	is_int(sizeof(qarray), 64, "qarray: 64 bytes");
	ok(offsetof(qarray, unit_size) == 0 && offsetof(qarray, count) == 8 && offsetof(qarray, segment_size) == 16 &&
			offsetof(qarray, segment_bytes) == 24 && offsetof(qarray, base_ptr) == 32 &&
			offsetof(qarray, dist_type) == 40 && offsetof(qarray, dist_specific) == 48,
		"qarray: the fields are where the API has them");
	ok(FIXED_HASH == 0 && FIXED_FIELDS == 1 && ALL_SAME == 2 && DIST == 3 && DIST_STRIPES == 4 && DIST_FIELDS == 5 &&
			DIST_RAND == 6 && DIST_LEAST == 7 && ALL_LOCAL == 8 && ALL_RAND == 9 && ALL_LEAST == 10,
		"distribution_t: the values of the API");
}

static void qarray_create_sizes(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	qarray *a = qarray_create(1000, 9);

	ok(a && a->unit_size == 16 && a->count == 1000 && a->dist_type == FIXED_HASH && a->segment_bytes == 16 * page &&
			a->segment_size == page && (uintptr_t)a->base_ptr % page == 0,
		"qarray_create: elements of whole words, segments of 16 pages, at a page");
	qarray_destroy(a);
	a = qarray_create_tight(1000, 9);
	ok(a && a->unit_size == 9 && a->segment_size == 16 * page / 9, "qarray_create_tight: elements as they are");
	qarray_destroy(a);
	a = qarray_create_configured(1000, 8, DIST, 0, 1);
	ok(a && a->segment_bytes == page && a->segment_size == page / 8 - 1,
		"qarray_create_configured: a DIST segment keeps room for its owner");
	qarray_destroy(a);
	a = qarray_create_configured(5, page + 1, ALL_LOCAL, 1, 1);
	ok(a && a->segment_bytes == 2 * page && a->segment_size == 1,
		"qarray_create_configured: a segment holds an element at least");
	qarray_destroy(a);
	a = qarray_create_configured(5, page, DIST_LEAST, 1, 1);
	ok(a && a->segment_bytes == 2 * page && a->segment_size == 1, "qarray_create_configured: and its owner");
	qarray_destroy(a);
}

static void qarray_create_refuses(void)
{
	ok(!qarray_create(0, 8) && !qarray_create(8, 0) && !qarray_create_tight(0, 8), "qarray_create: nothing");
	ok(!qarray_create_configured(8, 8, (distribution_t)(ALL_LEAST + 1), 0, 0) &&
			!qarray_create_configured(8, 8, (distribution_t)-1, 0, 0),
		"qarray_create_configured: no such distribution");
	ok(!qarray_create_configured(8, 8, DIST, 0, -1), "qarray_create_configured: fewer pages than none");
	bool none = true;
	for (int k = 0; k < KINDS; k++) {
		for (size_t unit = 1; unit < 40; unit += 7) {
			none = none && !qarray_create_configured(SIZE_MAX, unit, (distribution_t)k, 1, 1) &&
			       !qarray_create_configured(SIZE_MAX / unit + 1, unit, (distribution_t)k, 0, 0) &&
			       !qarray_create_configured(unit, SIZE_MAX - unit + 1, (distribution_t)k, 1, 0) &&
			       !qarray_create_configured(SIZE_MAX / 4096, 4096, (distribution_t)k, 0, 0);
		}
	}
	ok(none, "qarray_create_configured: more than can be addressed");
}

/* ---- What the loops handed out */

enum { MOST = 10000 };

struct tally {
	const qarray *a;
	size_t start, stop;
	aligned_t runs[MOST];
	aligned_t outside;              /* elements that are not in the range */
	aligned_t astray;               /* not on their owner's shepherd */
	aligned_t crossing;             /* ranges of more than one segment, or of none */
	bool owners_may_change;
};

static struct tally tally;

static void tally_begin(const qarray *a, size_t start, size_t stop)
{
	memset(tally.runs, 0, a->count * sizeof(tally.runs[0]));
	tally.outside = tally.astray = tally.crossing = 0;
	tally.owners_may_change = false;
	tally.a = a;
	tally.start = start;
	tally.stop = stop;
}

static void tally_count(size_t i)
{
	if (i < tally.start || i >= tally.stop || i >= tally.a->count)
		qthread_incr(&tally.outside, 1);
	else
		qthread_incr(&tally.runs[i], 1);
	if (!tally.owners_may_change && qthread_shep() != qarray_shepof(tally.a, i))
		qthread_incr(&tally.astray, 1);
}

static void tally_range(size_t start, size_t stop)
{
	if (start >= stop || start / tally.a->segment_size != (stop - 1) / tally.a->segment_size)
		qthread_incr(&tally.crossing, 1);
	for (size_t i = start; i < stop; i++)
		tally_count(i);
}

static bool tally_once(void)
{
	for (size_t i = 0; i < tally.a->count; i++) {
		if (tally.runs[i] != (i >= tally.start && i < tally.stop)) {
			diag("%s, %zu elements of %zu in segments of %zu, %zu to %zu: element %zu %d times",
				kind_name[tally.a->dist_type], tally.a->count, tally.a->unit_size,
				tally.a->segment_size, tally.start, tally.stop, i, (int)tally.runs[i]);
			return false;
		}
	}
	if (tally.outside || tally.astray || tally.crossing)
		diag("outside %d, astray %d, crossing %d", (int)tally.outside, (int)tally.astray, (int)tally.crossing);
	return tally.outside == 0 && tally.astray == 0 && tally.crossing == 0;
}

static void count_range(size_t const start, size_t const stop, qarray *a, void *arg)
{
	if (a != tally.a || arg != &tally)
		qthread_incr(&tally.outside, 1);
	tally_range(start, stop);
}

static void count_const(size_t const start, size_t const stop, qarray const *a, void *arg)
{
	if (a != tally.a || arg != &tally)
		qthread_incr(&tally.outside, 1);
	tally_range(start, stop);
}

/* By its address. */
static aligned_t count_element(void *element)
{
	const size_t at = (size_t)((char *)element - tally.a->base_ptr);
	const size_t in_segment = at % tally.a->segment_bytes;

	if (in_segment % tally.a->unit_size != 0)
		qthread_incr(&tally.outside, 1);
	tally_count(at / tally.a->segment_bytes * tally.a->segment_size + in_segment / tally.a->unit_size);
	return 7;
}

static struct affine composed(size_t start, size_t stop)
{
	struct affine all = { 1, 0 };

	for (size_t i = start; i < stop; i++) {
		const struct affine one = { 2 * i + 3, i * i + 1 };
		compose(&all, &one);
	}
	return all;
}

static void compose_range(size_t const start, size_t const stop, qarray *a, void *arg, void *ret)
{
	if (start < stop)
		count_range(start, stop, a, arg);
	*(struct affine *)ret = composed(start, stop);
}

static bool same(struct affine x, struct affine y)
{
	return x.a == y.a && x.b == y.b;
}

/* ---- Every loop over a range: each element once */

static bool iter_right(qarray *a, size_t start, size_t stop)
{
	tally_begin(a, start, stop);
	qarray_iter(a, start, stop, count_element);
	return tally_once();
}

static bool iter_loop_right(qarray *a, size_t start, size_t stop)
{
	tally_begin(a, start, stop);
	qarray_iter_loop(a, start, stop, count_range, &tally);
	return tally_once();
}

static bool iter_constloop_right(qarray *a, size_t start, size_t stop)
{
	tally_begin(a, start, stop);
	qarray_iter_constloop(a, start, stop, count_const, &tally);
	return tally_once();
}

static bool iter_loop_nb_right(qarray *a, size_t start, size_t stop)
{
	aligned_t done = 99;

	tally_begin(a, start, stop);
	qarray_iter_loop_nb(a, start, stop, count_range, &tally, &done);
	qthread_readFF(&done, &done);
	return tally_once() && done == 0;
}

static bool iter_loopaccum_right(qarray *a, size_t start, size_t stop)
{
	struct affine got = { 7, 7 };

	tally_begin(a, start, stop);
	qarray_iter_loopaccum(a, start, stop, compose_range, &tally, &got, sizeof(got), compose);
	return tally_once() && same(got, composed(start, stop));
}

static const struct {
	const char *name;
	bool (*right)(qarray *a, size_t start, size_t stop);
} loops[] = {
	{ "qarray_iter", iter_right },
	{ "qarray_iter_loop", iter_loop_right },
	{ "qarray_iter_constloop", iter_constloop_right },
	{ "qarray_iter_loop_nb", iter_loop_nb_right },
	{ "qarray_iter_loopaccum", iter_loopaccum_right },
};

enum { NLOOPS = sizeof(loops) / sizeof(loops[0]) };

/* Ranges that begin and end inside segments, at their borders, next to them. */
static bool ranges_right(int l, qarray *a)
{
	const size_t n = a->count, segment = a->segment_size;
	const size_t border[] = { 0, 1, segment - 1, segment, segment + 1, 2 * segment + segment / 2, n / 2, n - 1, n };
	enum { BORDERS = sizeof(border) / sizeof(border[0]) };
	bool right = true;

	for (int i = 0; i < BORDERS; i += every_is_slow() ? 4 : 1)
		for (int j = every_is_slow() ? BORDERS - 2 : 0; j < BORDERS; j++)
			if (border[i] < border[j] && border[j] <= n)
				right = loops[l].right(a, border[i], border[j]) && right;
	return right;
}

static void iterate(const char *what)
{
	for (int l = 0; l < NLOOPS; l++) {
		bool right = true;

		for (int k = 0; k < KINDS; k++) {
			qarray *a = qarray_create_configured(every_scaled(2000) + 9, 24, (distribution_t)k, 0, 1);
			qarray *small = qarray_create_configured(5, 1, (distribution_t)k, 1, 0);
			right = right && a && small && ranges_right(l, a) && loops[l].right(small, 0, 5) &&
				loops[l].right(small, 2, 3);
			qarray_destroy(a);
			qarray_destroy(small);
		}
		ok(right, "%s: %s hands out every element once, to its owner, under every distribution", what,
			loops[l].name);
	}
}

static void outside_loops(void *arg)
{
	qarray *a = qarray_create_configured(3000, 8, DIST_STRIPES, 0, 1);

	for (int l = 0; l < NLOOPS; l++)
		ok(a && loops[l].right(a, 3, 2999), "%s: %s from an external thread", (const char *)arg, loops[l].name);
	qarray_destroy(a);
}

static aligned_t inside_loops(void *arg)
{
	qarray *a = qarray_create_configured(3000, 8, FIXED_FIELDS, 0, 1);

	for (int l = 0; l < NLOOPS; l++)
		ok(a && loops[l].right(a, 3, 2999), "%s: %s from a task", (const char *)arg, loops[l].name);
	qarray_destroy(a);
	return 0;
}

static void empty_ranges(const char *what)
{
	qarray *a = qarray_create(100, 8);
	struct affine got = { 7, 7 };
	aligned_t done;

	tally_begin(a, 0, 0);
	qarray_iter(a, 5, 5, count_element);
	qarray_iter(a, 6, 5, count_element);
	qarray_iter(a, 100, 200, count_element);
	qarray_iter(a, 0, 5, NULL);
	qarray_iter(NULL, 0, 5, count_element);
	ok(tally_once(), "%s: qarray_iter with nothing to do does nothing", what);
	qarray_iter_loop(a, 5, 5, count_range, &tally);
	qarray_iter_loop(a, 100, SIZE_MAX, count_range, &tally);
	qarray_iter_loop(a, 0, 5, NULL, &tally);
	qarray_iter_loop(NULL, 0, 5, count_range, &tally);
	ok(tally_once(), "%s: qarray_iter_loop with nothing to do does nothing", what);
	qarray_iter_constloop(a, 5, 5, count_const, &tally);
	qarray_iter_constloop(a, 0, 5, NULL, &tally);
	qarray_iter_constloop(NULL, 0, 5, count_const, &tally);
	ok(tally_once(), "%s: qarray_iter_constloop with nothing to do does nothing", what);
	qthread_empty(&done);
	qarray_iter_loop_nb(a, 5, 5, count_range, &tally, &done);
	int filled = qthread_feb_status(&done);
	qthread_empty(&done);
	qarray_iter_loop_nb(NULL, 5, 6, count_range, &tally, &done);
	filled += qthread_feb_status(&done);
	qthread_empty(&done);
	qarray_iter_loop_nb(a, 5, 6, NULL, NULL, &done);
	filled += qthread_feb_status(&done);
	ok(tally_once() && filled == 3, "%s: qarray_iter_loop_nb with nothing to do fills the word", what);
	qarray_iter_loopaccum(a, 5, 5, compose_range, &tally, &got, sizeof(got), compose);
	ok(tally_once() && same(got, composed(5, 5)), "%s: qarray_iter_loopaccum over nothing has the neutral result",
		what);
	got = (struct affine){ 7, 7 };
	qarray_iter_loopaccum(a, 0, 5, NULL, &tally, &got, sizeof(got), compose);
	qarray_iter_loopaccum(NULL, 0, 5, compose_range, &tally, &got, sizeof(got), compose);
	qarray_iter_loopaccum(a, 0, 5, compose_range, &tally, NULL, sizeof(got), compose);
	ok(tally_once() && got.a == 7, "%s: qarray_iter_loopaccum without an array, function or place does nothing",
		what);
	qarray_destroy(a);
}

static void beyond_the_end(const char *what)
{
	qarray *a = qarray_create(100, 8);

	tally_begin(a, 90, 100);
	qarray_iter_loop(a, 90, SIZE_MAX, count_range, &tally);
	ok(tally_once(), "%s: qarray_iter_loop ends with the array", what);
	qarray_destroy(a);
}

/* The loop cannot end before `gate` is full. */
static aligned_t gate;

static void wait_at_gate(size_t const start, size_t const stop, qarray *a, void *arg)
{
	qthread_readFF(NULL, &gate);
	count_range(start, stop, a, arg);
}

static void qarray_iter_loop_nb_does_not_wait(const char *what)
{
	qarray *a = qarray_create_configured(3000, 8, FIXED_HASH, 0, 1);
	aligned_t done;

	qthread_empty(&gate);
	tally_begin(a, 0, 3000);
	qarray_iter_loop_nb(a, 0, 3000, wait_at_gate, &tally, &done);
	is_int(qthread_feb_status(&done), 0, "%s: qarray_iter_loop_nb returns before the loop is done", what);
	qthread_fill(&gate);
	qthread_readFF(NULL, &done);
	ok(tally_once(), "%s: qarray_iter_loop_nb fills the word when it is", what);
	qarray_destroy(a);
}

/* The range's ends in a huge type: partial results larger than a cache line. */
struct wide {
	size_t low, high;
	char rest[200];
};

static void wide_range(size_t const start, size_t const stop, qarray *a, void *arg, void *ret)
{
	struct wide *w = ret;

	(void)a;
	(void)arg;
	w->low = start;
	w->high = stop;
	memset(w->rest, 1, sizeof(w->rest));
}

static void wide_join(void *restrict left, void const *restrict right)
{
	struct wide *l = left;
	const struct wide *r = right;

	if (l->high != r->low)
		l->low = SIZE_MAX;
	l->high = r->high;
}

static void qarray_iter_loopaccum_folds(const char *what)
{
	qarray *a = qarray_create_configured(9000, 8, FIXED_HASH, 0, 1);
	struct wide got;
	struct affine one = { 7, 7 };

	qarray_iter_loopaccum(a, 3, 8999, wide_range, NULL, &got, sizeof(got), wide_join);
	ok(got.low == 3 && got.high == 8999 && got.rest[199] == 1, "%s: qarray_iter_loopaccum folds neighbours", what);
	tally_begin(a, 3, 8999);
	tally.owners_may_change = true;
	qarray_iter_loopaccum(a, 3, 8999, compose_range, &tally, &one, sizeof(one), NULL);
	ok(same(one, composed(3, 8999)), "%s: qarray_iter_loopaccum without acc is one call", what);
	qarray_destroy(a);
}

/* ---- Owners */

static void qarray_shepof_agrees(const char *what)
{
	const size_t nsheps = qthread_num_shepherds();
	bool right = true;

	for (int k = 0; k < KINDS; k++) {
		qarray *a = qarray_create_configured(10000, 8, (distribution_t)k, 0, 1);
		const size_t nsegs = (a->count - 1) / a->segment_size + 1;
		const qthread_shepherd_id_t first = qarray_shepof(a, 0);

		right = right && a->dist_type == becomes[k];
		for (size_t i = 0; i < a->count; i++) {
			const size_t segment = i / a->segment_size;
			const qthread_shepherd_id_t shep = qarray_shepof(a, i);
			bool good = shep < nsheps && shep == qarray_shepof(a, segment * a->segment_size);
			if (k == FIXED_HASH || k == DIST_STRIPES)
				good = good && shep == segment % nsheps;
			if (k == FIXED_FIELDS || k == DIST_FIELDS)
				good = good && (i == 0 || shep >= qarray_shepof(a, i - 1)) &&
				       shep >= segment / (nsegs / nsheps + 1);
			if (becomes[k] == ALL_SAME)
				good = good && shep == first && shep == a->dist_specific.dist_shep;
			if (!good)
				diag("%s: element %zu belongs to %u", kind_name[k], i, shep);
			right = right && good;
		}
		right = right && qarray_shepof(a, a->count) == NO_SHEPHERD;
		qarray_destroy(a);
	}
	ok(right, "%s: qarray_shepof agrees with the distribution", what);
	is_int(qarray_shepof(NULL, 0), NO_SHEPHERD, "%s: qarray_shepof of no array is nobody", what);
}

static void least_goes_to_the_least(const char *what)
{
	const size_t nsheps = qthread_num_shepherds();
	qarray *a = qarray_create_configured(511 * 4 * nsheps, 8, DIST_LEAST, 0, 1);
	size_t owned[8] = { 0 };
	bool even = true;

	for (size_t s = 0; s < 4 * nsheps; s++)
		owned[qarray_shepof(a, 511 * s)]++;
	for (size_t s = 0; s < nsheps; s++)
		even = even && owned[s] == 4;
	ok(even, "%s: qarray_create_configured: DIST_LEAST deals out evenly", what);
	for (size_t s = 0; s < 4 * nsheps; s++)
		if (s % 4 > 0)
			qarray_set_shepof(a, 511 * s, 0);
	qarray *other = qarray_create_configured(1, 1, ALL_LEAST, 0, 1);
	ok(nsheps == 1 || qarray_shepof(other, 0) > 0, "%s: qarray_create_configured: ALL_LEAST avoids who has most", what);
	qarray_destroy(a);
	qarray_destroy(other);
}

static void qarray_set_shepof_moves(const char *what)
{
	const qthread_shepherd_id_t last = (qthread_shepherd_id_t)(qthread_num_shepherds() - 1);
	qarray *each = qarray_create_configured(5000, 8, DIST_STRIPES, 0, 1);
	qarray *all = qarray_create_configured(5000, 8, ALL_LOCAL, 0, 1);
	qarray *fixed = qarray_create_configured(5000, 8, FIXED_FIELDS, 0, 1);

	qarray_set_shepof(each, 3 * 511, last);
	qarray_set_shepof(each, 4 * 511 + 510, 0);
	qarray_set_shepof(each, 5000, 0);
	qarray_set_shepof(each, 0, (qthread_shepherd_id_t)(last + 1));
	ok(qarray_shepof(each, 3 * 511) == last && qarray_shepof(each, 4 * 511 - 1) == last &&
			qarray_shepof(each, 4 * 511) == 0 && qarray_shepof(each, 0) == 0 &&
			iter_loop_right(each, 1, 4999),
		"%s: qarray_set_shepof gives away a segment of a DIST array", what);
	qarray_set_shepof(all, 17, last);
	ok(qarray_shepof(all, 0) == last && qarray_shepof(all, 4999) == last && iter_loop_right(all, 1, 4999),
		"%s: qarray_set_shepof gives away all of an ALL_SAME array", what);
	const qthread_shepherd_id_t before = qarray_shepof(fixed, 0);
	qarray_set_shepof(fixed, 0, last);
	qarray_set_shepof(NULL, 0, last);
	is_int(qarray_shepof(fixed, 0), before, "%s: qarray_set_shepof leaves a FIXED array alone", what);
	qarray_destroy(each);
	qarray_destroy(all);
	qarray_destroy(fixed);
}

static void give_away(size_t const start, size_t const stop, qarray *a, void *arg)
{
	count_range(start, stop, a, arg);
	for (size_t i = 0; i < a->count; i += a->segment_size)
		qarray_set_shepof(a, i, (qthread_shepherd_id_t)((qarray_shepof(a, i) + 1) % qthread_num_shepherds()));
}

static void qarray_set_shepof_during_a_loop(const char *what)
{
	bool right = true;

	for (int k = DIST; k <= DIST_LEAST + 1; k++) {
		qarray *a = qarray_create_configured(5000, 8, (distribution_t)k, 0, 1);
		tally_begin(a, 7, 4990);
		tally.owners_may_change = true;
		qarray_iter_loop(a, 7, 4990, give_away, &tally);
		right = tally_once() && right;
		qarray_destroy(a);
	}
	ok(right, "%s: qarray_set_shepof in a loop does not disturb the loop", what);
}

static bool owned_alike(const qarray *ref, const qarray *mod)
{
	for (size_t i = 0; i < mod->count; i += mod->segment_size) {
		qthread_shepherd_id_t like = qarray_shepof(ref, i < ref->count ? i : ref->count - 1);
		if (i >= ref->count && ref->dist_type == FIXED_HASH)
			like = (qthread_shepherd_id_t)(i / ref->segment_size % qthread_num_shepherds());
		if (qarray_shepof(mod, i) != like) {
			diag("%s: element %zu belongs to %u, not %u", kind_name[ref->dist_type], i, qarray_shepof(mod, i),
				like);
			return false;
		}
	}
	return true;
}

static void qarray_dist_like_copies(const char *what)
{
	static const struct {
		size_t count, unit;
	} size[] = { { 2500, 8 }, { 2500, 24 }, { 1500, 8 }, { 3500, 4 } };
	const int step = every_is_slow() ? 9 : 1;
	bool right = true;

	for (int from = 0; from < KINDS; from++) {
		qarray *ref = qarray_create_configured(2500, 8, (distribution_t)from, 0, 1);
		for (int to = from % step; to < 4 * KINDS; to += step) {
			qarray *mod = qarray_create_configured(size[to % 4].count, size[to % 4].unit,
				(distribution_t)(to / 4), 0, 1);
			qarray_dist_like(ref, mod);
			right = owned_alike(ref, mod) && iter_loop_right(mod, 3, mod->count - 1) && right;
			qarray_destroy(mod);
		}
		qarray_dist_like(ref, ref);
		qarray_dist_like(ref, NULL);
		qarray_dist_like(NULL, ref);
		qarray_destroy(ref);
	}
	ok(right, "%s: qarray_dist_like gives the owners of any array to any other", what);
}

/* ---- Elements */

static void qarray_elem_addresses(void)
{
	qarray *a = qarray_create_configured(5000, 24, DIST, 0, 1);
	bool right = true;

	for (size_t i = 0; i <= 5000; i++)
		right = right && qarray_elem(a, i) == a->base_ptr + i / a->segment_size * a->segment_bytes +
							      i % a->segment_size * a->unit_size;
	ok(right, "qarray_elem: the address by the layout, for the index behind the last one, too");
	ok(qarray_elem_nomigrate(a, 5000) && !qarray_elem_nomigrate(a, 5001) && !qarray_elem_nomigrate(a, SIZE_MAX),
		"qarray_elem_nomigrate: NULL beyond that");
	ok(!qarray_elem_nomigrate(NULL, 0), "qarray_elem_nomigrate: NULL for no array");
	for (size_t i = 0; i < 5000; i++)
		memset(qarray_elem(a, i), 0xff, 24);
	ok(!iter_loop_right(a, 0, 0) || iter_loop_right(a, 0, 5000), "qarray_elem: no element lies on an owner's number");
	qarray_destroy(a);
}

static aligned_t visit_owners(void *arg)
{
	const qarray *a = arg;

	for (size_t i = 0; i < a->count; i += 400)
		if (qarray_elem_migrate(a, i) != qarray_elem(a, i) || qthread_shep() != qarray_shepof(a, i))
			return 0;
	return qarray_elem_migrate(a, a->count) == qarray_elem(a, a->count) && !qarray_elem_migrate(a, a->count + 1) &&
	       !qarray_elem_migrate(NULL, 0);
}

static void migrate_outside(void *arg)
{
	const qarray *a = arg;

	ok(qarray_elem_migrate(a, 4000) == qarray_elem(a, 4000), "qarray_elem_migrate: an external thread stays");
}

static void qarray_elem_migrate_moves(const char *what)
{
	qarray *a = qarray_create_configured(5000, 8, FIXED_HASH, 0, 1);
	aligned_t right = 0;

	qthread_fork(visit_owners, a, &right);
	qthread_readFF(&right, &right);
	is_int(right, 1, "%s: qarray_elem_migrate brings a task to the owner", what);
	bool here = true;
	for (size_t i = 0; i < 5000; i += 400)
		here = here && qarray_elem_migrate(a, i) == qarray_elem(a, i) && qthread_shep() == 0;
	ok(here, "%s: qarray_elem_migrate: the main task stays", what);
	every_outside(migrate_outside, a);
	qarray_destroy(a);
}

/* ---- The run */

static void run(const char *what)
{
	aligned_t ret;

	iterate(what);
	every_outside(outside_loops, (void *)what);
	qthread_fork(inside_loops, what, &ret);
	qthread_readFF(NULL, &ret);
	empty_ranges(what);
	beyond_the_end(what);
	qarray_iter_loop_nb_does_not_wait(what);
	qarray_iter_loopaccum_folds(what);
	qarray_shepof_agrees(what);
	least_goes_to_the_least(what);
	qarray_set_shepof_moves(what);
	qarray_set_shepof_during_a_loop(what);
	qarray_dist_like_copies(what);
	qarray_elem_migrate_moves(what);
}

/* More shepherds than CPUs, and then fewer: arrays outlast a runtime. */
static void outlives_the_runtime(void)
{
	qarray *a[KINDS];
	bool right = true, down = true;

	every_start("mts", "12", "1");
	for (int k = 0; k < KINDS; k++) {
		a[k] = qarray_create_configured(9000, 8, (distribution_t)k, 0, 1);
		for (int l = 0; l < NLOOPS; l++)
			right = a[k] && loops[l].right(a[k], 1, 8999) && right;
	}
	ok(right, "qarray_iter: with twelve shepherds");
	qthread_finalize();

	for (int k = 0; k < KINDS; k++) {
		tally_begin(a[k], 1, 8999);
		qarray_iter_loop(a[k], 1, 8999, count_range, &tally);
		down = tally_once() && qarray_shepof(a[k], 1) == NO_SHEPHERD && down;
		qarray_set_shepof(a[k], 1, 0);
		qarray_dist_like(a[k], a[0]);
	}
	ok(down, "qarray_iter_loop: without a runtime the caller runs it");
	ok(!qarray_create(1, 1), "qarray_create: not without a runtime");

	right = true;
	every_start("q", "3", "1");
	for (int k = 0; k < KINDS; k++)
		for (int l = 0; l < NLOOPS; l++)
			right = loops[l].right(a[k], 1, 8999) && right;
	ok(right, "qarray_iter: with fewer shepherds than when the arrays were made");
	for (int k = 0; k < KINDS; k++)
		qarray_destroy(a[k]);
	qarray_destroy(NULL);
	qthread_finalize();
}

/* Shepherds that are out of use: others do their part. */
static void disabled_shepherds(void)
{
	bool right = true;

	every_start("ws", "4", "1");
	qthread_disable_shepherd(1);
	qthread_disable_shepherd(3);
	for (int k = 0; k < KINDS; k++) {
		qarray *a = qarray_create_configured(9000, 8, (distribution_t)k, 0, 1);
		tally_begin(a, 1, 8999);
		tally.owners_may_change = true;
		qarray_iter_loop(a, 1, 8999, count_range, &tally);
		right = tally_once() && right;
		qarray_destroy(a);
	}
	ok(right, "qarray_iter_loop: while shepherds are disabled");
	qthread_enable_shepherd(1);
	qthread_enable_shepherd(3);
	qthread_finalize();
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	every_start("mts", "1", "2");
	qarray_layout();
	qarray_create_sizes();
	qarray_create_refuses();
	qarray_elem_addresses();
	qthread_finalize();
	outlives_the_runtime();
	disabled_shepherds();
	every_start("ws", "4", "1");
	iterate("ws 4 x 1");
	qthread_finalize();
	every_runtime(run);
	return done();
}
