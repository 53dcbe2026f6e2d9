/* test/api/cxx_loops.cc -- loops over function objects and over iterators visit each index once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/loop.hpp>
#include <qthread/qloop.hpp>

#include <deque>
#include <string.h>
#include <vector>

static const int CHECKS_PER_RUN = 25, MOST = 100;

static aligned_t visits[MOST];  /* atomically */

static void forget(void)
{
	memset(visits, 0, sizeof(visits));
}

static bool once(size_t begin, size_t end)
{
	for (size_t i = 0; i < MOST; i++)
		if (visits[i] != (i >= begin && i < end))
			return false;
	return true;
}

static void visit(size_t startat, size_t stopat)
{
	for (size_t i = startat; i < stopat; i++)
		qthread_incr(&visits[i], 1);
}

/* Not const: the loops cast that away. */
struct counting {
	aligned_t calls;

	counting() : calls(0) {}

	void operator()(size_t startat, size_t stopat)
	{
		qthread_incr(&calls, 1);
		visit(startat, stopat);
	}
};

static void each_index(const char *what)
{
	counting body;

	forget();
	qt_loop(10, 60, body);
	ok(once(10, 60), "%s: qt_loop visits each index once", what);
	is_int(body.calls, 50, "%s: in calls of one index, on the object itself", what);
	forget();
	qt_loop(0, 20, [](size_t startat, size_t stopat) { visit(startat, stopat); });
	ok(once(0, 20), "%s: qt_loop with a lambda", what);
	forget();
	qt_loop(0, 20, visit);
	ok(once(0, 20), "%s: qt_loop with a function", what);
	forget();
	qt_loop_future(5, 15, visit);
	ok(once(5, 15), "%s: qt_loop_future", what);
	forget();
	body.calls = 0;
	qt_loop(20, 20, body);
	qt_loop(20, 10, body);
	ok(once(0, 0) && body.calls == 0, "%s: qt_loop of an empty range", what);
}

static void blocks(const char *what)
{
	counting body;
	const size_t workers = qthread_num_workers();

	forget();
	qt_loop_balance(10, 60, body);
	ok(once(10, 60), "%s: qt_loop_balance visits each index once", what);
	is_int(body.calls, workers, "%s: in a block for each worker", what);
	forget();
	qt_loop_balance_simple(10, 60, body);
	ok(once(10, 60), "%s: qt_loop_balance_simple", what);
	forget();
	qt_loop_balance_future(0, 100, visit);
	ok(once(0, 100), "%s: qt_loop_balance_future", what);
	forget();
	body.calls = 0;
	qt_loop_balance(20, 20, body);
	qt_loop_balance_simple(20, 10, body);
	ok(once(0, 0) && body.calls == 0, "%s: qt_loop_balance of an empty range", what);

	aligned_t gate = 0, waited = 0;
	qthread_empty(&gate);
	qt_loop(0, 4, [&](size_t startat, size_t) {
		if (startat == 3)
			qthread_fill(&gate);
		qthread_readFF(NULL, &gate);
		qthread_incr(&waited, 1);
	});
	is_int(waited, 4, "%s: the body of qt_loop may wait for another index", what);
}

/* ---- Results ---------------------------------------------------------------------------------------------------- */

struct squares {
	typedef double acctype;
	static const int identity = 0;

	double operator()(size_t startat, size_t stopat) const
	{
		double sum = 0;
		for (size_t i = startat; i < stopat; i++)
			sum += double(i) * double(i);
		return sum;
	}

	static void accumulate(void *a, void const *b) { *static_cast<double *>(a) += *static_cast<double const *>(b); }
};

/* The order of the parts shows: an interval takes only its right neighbour. */
struct interval {
	size_t begin, end;
	bool torn;
};

struct joined {
	typedef interval acctype;
	static const interval identity;
	mutable aligned_t calls;

	joined() : calls(0) {}

	interval operator()(size_t startat, size_t stopat) const
	{
		qthread_incr(&calls, 1);
		return interval{ startat, stopat, false };
	}

	static void accumulate(void *a, void const *b)
	{
		interval *left = static_cast<interval *>(a);
		const interval *right = static_cast<interval const *>(b);

		left->torn |= right->torn || left->end != right->begin;
		left->end = right->end;
	}
};

const interval joined::identity = { 7, 7, false };

static void results(const char *what)
{
	ok(qt_loopaccum_balance(0, 100, squares()) == 328350.0, "%s: qt_loopaccum_balance adds up", what);
	ok(qt_loopaccum_balance(5, 6, squares()) == 25.0, "%s: qt_loopaccum_balance of one index", what);
	ok(qt_loopaccum_balance(5, 5, squares()) == 0.0, "%s: of none: the identity", what);

	joined body;
	const interval all = qt_loopaccum_balance(3, 99, body);
	ok(all.begin == 3 && all.end == 99 && !all.torn, "%s: qt_loopaccum_balance keeps the order of the parts", what);
	is_int(body.calls, qthread_num_workers(), "%s: one part for each worker", what);
	body.calls = 0;
	const interval none = qt_loopaccum_balance(9, 3, body);
	ok(none.begin == 7 && none.end == 7 && body.calls == 0, "%s: an empty range calls nothing", what);
}

/* ---- Iterators -------------------------------------------------------------------------------------------------- */

static void add_visit(size_t i)
{
	qthread_incr(&visits[i], 1);
}

struct twice {
	aligned_t calls;

	void operator()(int &x)
	{
		x *= 2;
		qthread_incr(&calls, 1);
	}
};

static void elements(const char *what)
{
	std::vector<int> v(MOST);
	std::deque<int> d(MOST, 1);
	int plain[MOST];
	int wrong = 0;

	for (int i = 0; i < MOST; i++)
		v[i] = plain[i] = i;
	mt_loop(v.begin() + 10, v.end(), [](int &x) { x = -x; });
	for (int i = 0; i < MOST; i++)
		wrong += v[i] != (i < 10 ? i : -i);
	is_int(wrong, 0, "%s: mt_loop over a part of a vector", what);

	twice body = { 0 };
	mt_loop(plain, plain + MOST, body);
	for (int i = 0; i < MOST; i++)
		wrong += plain[i] != 2 * i;
	ok(wrong == 0 && body.calls == MOST, "%s: mt_loop over an array", what);

	aligned_t sum = 0;
	mt_loop(d.cbegin(), d.cend(), [&sum](int x) { qthread_incr(&sum, x); });
	is_int(sum, MOST, "%s: mt_loop over a constant deque", what);

	forget();
	mt_loop(20, size_t(50), add_visit);
	ok(once(20, 50), "%s: mt_loop over numbers of two types, with a function", what);
	sum = 0;
	mt_loop(-5, 6, [&sum](int i) { qthread_incr(&sum, i * i); });
	is_int(sum, 2 * (1 + 4 + 9 + 16 + 25), "%s: mt_loop over negative numbers", what);
	mt_loop(6, -5, [&sum](int) { sum = 0; });
	mt_loop(v.end(), v.begin(), [&sum](int) { sum = 0; });
	is_int(sum, 110, "%s: mt_loop of an empty range", what);
}

static void from_outside(void *arg)
{
	qt_loop_balance(0, MOST, *static_cast<counting *>(arg));
}

static void run(const char *what)
{
	counting body;

	each_index(what);
	blocks(what);
	results(what);
	elements(what);
	forget();
	every_outside(from_outside, &body);
	ok(once(0, MOST), "%s: an external thread may loop", what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN);
	every_runtime(run);
	return done();
}
