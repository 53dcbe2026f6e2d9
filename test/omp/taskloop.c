/* test/omp/taskloop.c -- taskloop: each iteration once, in pieces of the size asked for, done when the construct ends.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tasking.h"

#include <limits.h>
#include <string.h>

enum { N = 1000 };

static int runs[N];

static void clear(void)
{
	memset(runs, 0, sizeof(runs));
}

static void plain(void)
{
	int late = 0;

	clear();
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop
		for (int i = 0; i < N; i++)
			bump(&runs[i]);
		late = !every_is(runs, N, 1);
	}
	ok(!late, "taskloop: each iteration once, all when the construct ends");
}

static void orphaned(int *counters, int n)
{
#pragma omp taskloop
	for (int i = 0; i < n; i++)
		bump(&counters[i]);
}

static void orphaned_pieces(int *counters, int n)
{
#pragma omp taskloop grainsize(1)
	for (int i = 0; i < n; i++)
		bump(&counters[i]);
}

static void in_every_member(void)
{
	const int members = omp_get_max_threads();

	clear();
#pragma omp parallel
	orphaned(runs, N);
	ok(every_is(runs, N, members), "taskloop: one in each member of the team");

	clear();
	orphaned(runs, N);
	ok(every_is(runs, N, 1), "taskloop: outside of any region");
}

/* --- pieces --------------------------------------------------------------------------------------------- */

struct pieces {
	int starts[N], count, least, most;
};

/* A piece begins with the iteration at which its private counter is new. */
static void count_pieces(struct pieces *p, const int *numbers, int n)
{
	memset(p, 0, sizeof(*p));
	for (int i = 0; i < n;) {
		int k = i + 1;
		while (k < n && numbers[k] == numbers[i] + k - i)
			k++;
		p->least = p->count && p->least < k - i ? p->least : k - i;
		p->most = p->most > k - i ? p->most : k - i;
		p->count++;
		i = k;
	}
}

/* numbers[i]: how many iterations its task has run before; from 1. */
static void grainsize(void)
{
	static const int sizes[][2] = { { 10, 3 }, { 10, 4 }, { 100, 7 }, { 1000, 1 }, { 999, 10 }, { 50, 50 },
		{ 50, 49 } };
	int numbers[N], bad = 0;
	struct pieces p;

	for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		const int n = sizes[s][0], grain = sizes[s][1];
		int seen = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(grain) firstprivate(seen) shared(numbers)
		for (int i = 0; i < n; i++)
			numbers[i] = ++seen;
		count_pieces(&p, numbers, n);
		if (p.least < grain || p.most >= 2 * grain) {
			diag("%d iterations, grainsize(%d): pieces of %d to %d", n, grain, p.least, p.most);
			bad++;
		}
	}
	is_int(bad, 0, "taskloop grainsize(g): pieces of g to 2g - 1 iterations");

	int seen = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(2000) firstprivate(seen) shared(numbers)
	for (int i = 0; i < N; i++)
		numbers[i] = ++seen;
	count_pieces(&p, numbers, N);
	is_int(p.count, 1, "taskloop grainsize(g): one piece if there are fewer iterations");
}

static void grainsize_strict(void)
{
	int numbers[N], seen = 0;
	struct pieces p;

#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(strict: 7) firstprivate(seen) shared(numbers)
	for (int i = 0; i < 100; i++)
		numbers[i] = ++seen;
	count_pieces(&p, numbers, 100);
	ok(p.count == 15 && p.most == 7 && p.least == 2 && numbers[97] == 7 && numbers[99] == 2,
		"taskloop grainsize(strict: g): pieces of g, the last one of the rest");
}

static void num_tasks(void)
{
	static const int counts[][2] = { { 10, 3 }, { 10, 10 }, { 1000, 7 }, { 1000, 64 }, { 17, 16 } };
	int numbers[N], bad = 0;
	struct pieces p;

	for (unsigned s = 0; s < sizeof(counts) / sizeof(counts[0]); s++) {
		const int n = counts[s][0], want = counts[s][1];
		int seen = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(want) firstprivate(seen) shared(numbers)
		for (int i = 0; i < n; i++)
			numbers[i] = ++seen;
		count_pieces(&p, numbers, n);
		if (p.count != want || p.least < 1) {
			diag("%d iterations, num_tasks(%d): %d pieces of %d to %d", n, want, p.count, p.least, p.most);
			bad++;
		}
	}
	is_int(bad, 0, "taskloop num_tasks(n): n pieces");

	int seen = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(100) firstprivate(seen) shared(numbers)
	for (int i = 0; i < 20; i++)
		numbers[i] = ++seen;
	count_pieces(&p, numbers, 20);
	is_int(p.count, 20, "taskloop num_tasks(n): no empty pieces if there are fewer iterations");
}

static void num_tasks_strict(void)
{
	int numbers[N], seen = 0;
	struct pieces p;

#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(strict: 6) firstprivate(seen) shared(numbers)
	for (int i = 0; i < 100; i++)
		numbers[i] = ++seen;
	count_pieces(&p, numbers, 100);
	ok(p.count == 6 && p.most == 17 && p.least == 16, "taskloop num_tasks(strict: n): n pieces, as even as can be");
}

/* --- spaces --------------------------------------------------------------------------------------------- */

static void steps(void)
{
	int bad = 0;

	clear();
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop num_tasks(7)
		for (int i = N - 1; i >= 0; i--)
			bump(&runs[i]);
#pragma omp taskloop grainsize(5)
		for (int i = 0; i < N; i += 3)
			bump(&runs[i]);
#pragma omp taskloop num_tasks(4)
		for (int i = N - 2; i > -1; i -= 7)
			bump(&runs[i]);
	}
	for (int i = 0; i < N; i++)
		bad += runs[i] != 1 + (i % 3 == 0) + ((N - 2 - i) % 7 == 0 && i <= N - 2);
	is_int(bad, 0, "taskloop: steps up and down, other than one, too");
}

static void zero_trip(void)
{
	int ran = 0, none = 0, after = 0;

#pragma omp parallel shared(none)
#pragma omp single
	{
#pragma omp taskloop
		for (int i = 0; i < none; i++)
			bump(&ran);
#pragma omp taskloop num_tasks(3)
		for (int i = 5; i > 5; i--)
			bump(&ran);
#pragma omp taskloop grainsize(3) reduction(+ : after)
		for (unsigned long long i = 9; i < (unsigned long long)none + 9; i++)
			after += bump(&ran) + 1;
		put(&after, now(&after) + 1);
	}
	ok(ran == 0 && after == 1, "taskloop: no iterations at all");
}

static void wide(void)
{
	unsigned long long sum = 0;
	int bad = 0, ran = 0;
	const long long far = LLONG_MAX - 100;

	clear();
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop num_tasks(5)
		for (unsigned long long i = ULLONG_MAX - 700; i < ULLONG_MAX - 6; i += 7)
			bump(&runs[ULLONG_MAX - i]);
#pragma omp taskloop grainsize(10)
		for (unsigned long long i = ULLONG_MAX - 1; i > ULLONG_MAX - 100; i -= 9)
			__atomic_fetch_add(&sum, ULLONG_MAX - i, __ATOMIC_RELAXED);
#pragma omp taskloop num_tasks(3)
		for (long long i = far; i < far + 60; i += 2)
			bump(&ran);
	}
	for (int i = 0; i < 707; i++)
		bad += runs[i] != (i >= 7 && i % 7 == 0);
	is_int(bad, 0, "taskloop: unsigned long long, close to the end of its range");
	ok(sum == 1 + 10 + 19 + 28 + 37 + 46 + 55 + 64 + 73 + 82 + 91 && ran == 30,
		"taskloop: downwards, and with long long, there, too");
}

static void pointers(void)
{
	clear();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(9)
	for (int *p = runs; p < runs + N; p++)
		bump(p);
	ok(every_is(runs, N, 1), "taskloop: over pointers");
}

static void collapse(void)
{
	clear();
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop collapse(2) grainsize(7)
		for (int i = 0; i < 20; i++)
			for (int k = 49; k >= 0; k--)
				bump(&runs[i * 50 + k]);
#pragma omp taskloop collapse(3) num_tasks(11)
		for (int i = 0; i < 10; i++)
			for (unsigned k = 0; k < 10; k++)
				for (long l = 0; l < 20; l += 2)
					bump(&runs[i * 100 + k * 10 + l / 2]);
	}
	ok(every_is(runs, N, 2), "taskloop collapse: of two and three loops");
}

/* --- clauses -------------------------------------------------------------------------------------------- */

static void data(void)
{
	int first = 5, last = -1, mine = 77, bad = 0, row[3] = { 1, 2, 3 };
	struct {
		int a, b;
	} both = { 0, 0 };

#pragma omp parallel
#pragma omp single
#pragma omp taskloop firstprivate(first, row) lastprivate(last, both) private(mine) shared(bad) grainsize(3)
	for (int i = 0; i < 100; i++) {
		mine = i;
		if (row[0] != 1 || row[2] != 3 || first < 5)
			bump(&bad);
		first++;
		last = i * 2;
		both.a = i;
		both.b = -i;
		if (mine != i)
			bump(&bad);
	}
	is_int(bad, 0, "taskloop firstprivate, private: each task has its own");
	ok(first == 5 && mine == 77, "taskloop firstprivate, private: the originals stay as they are");
	ok(last == 198 && both.a == 99 && both.b == -99, "taskloop lastprivate: from the last iteration");
}

static void first_and_last(void)
{
	int both = 10, bad = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskloop firstprivate(both) lastprivate(both) num_tasks(10) shared(bad)
	for (int i = 0; i < 100; i++) {
		if (i % 10 == 0 && both != 10)
			bump(&bad);
		both = i;
	}
	ok(bad == 0 && both == 99, "taskloop firstprivate lastprivate: of the same variable");
}

static void if_and_final(void)
{
	int bad = 0, order[100], n = 0;

	clear();
#pragma omp parallel
#pragma omp single
	{
		const int me = omp_get_thread_num();
#pragma omp taskloop if (0) num_tasks(10) shared(order, n, bad)
		for (int i = 0; i < 100; i++) {
			sched_yield();
			if (omp_get_thread_num() != me)
				bump(&bad);
			order[n++] = i;
		}
		for (int i = 0; i < 100; i++)
			bad += order[i] < 0 || order[i] > 99;
		bad += n != 100;
#pragma omp taskloop final(1) grainsize(10) shared(bad)
		for (int i = 0; i < N; i++) {
			int child = 0;
			if (!omp_in_final())
				bump(&bad);
#pragma omp task shared(child)
			child = 1;
			if (!child)
				bump(&bad);
			bump(&runs[i]);
		}
#pragma omp taskloop untied mergeable priority(3) grainsize(10) if (taskloop: n == 100)
		for (int i = 0; i < N; i++)
			bump(&runs[i]);
	}
	is_int(bad, 0, "taskloop if(0), final: undeferred on the same thread; final in its body");
	ok(every_is(runs, N, 2), "taskloop final, untied, mergeable, priority: each iteration once");
}

static void nogroup(void)
{
	int completed = 0, early = 0;

	clear();
#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t open;
#pragma omp taskloop nogroup num_tasks(2) shared(open, completed)
		for (int i = 0; i < 2; i++) {
			if (i == 0) {
				omp_event_handle_t event;
#pragma omp task detach(event) shared(completed)
				bump(&completed);
				open = event;
			}
			bump(&completed);
		}
#pragma omp taskwait
		omp_fulfill_event(open);
#pragma omp taskgroup
		{
#pragma omp taskloop nogroup grainsize(10)
			for (int i = 0; i < N; i++)
				bump(&runs[i]);
		}
		early = !every_is(runs, N, 1);
	}
	is_int(completed, 3, "taskloop nogroup: the construct does not wait, taskwait and barrier do");
	ok(!early, "taskloop nogroup: in a group that waits for it");
}

static void waits_for_descendants(void)
{
	int early = 0;

	clear();
#pragma omp parallel
#pragma omp single
	for (int round = 1; round <= 5; round++) {
#pragma omp taskloop grainsize(20)
		for (int i = 0; i < N; i += 10) {
#pragma omp task
			for (int k = i; k < i + 10; k++) {
#pragma omp task
				bump(&runs[k]);
			}
		}
		early += !every_is(runs, N, round);
	}
	is_int(early, 0, "taskloop: its end waits for tasks that its tasks made");
}

static void reduction(void)
{
	long sum = 5, product = 1;
	int least = INT_MAX, bits = 0, either = 0, row[4] = { 1, 1, 1, 1 };
	double real = 0.5;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop reduction(+ : sum, real, row) reduction(min : least) reduction(| : bits) reduction(|| : either) \
	grainsize(9)
		for (int i = 1; i <= 100; i++) {
			sum += i;
			real += i;
			row[i % 4] += i;
			least = least < 200 - i ? least : 200 - i;
			bits |= 1 << i % 10;
			either = either || i == 50;
		}
#pragma omp taskloop reduction(* : product) num_tasks(4)
		for (int i = 1; i <= 10; i++)
			product *= i;
	}
	ok(sum == 5055 && real == 5050.5 && product == 3628800, "taskloop reduction: sums and products");
	ok(least == 100 && bits == 1023 && either == 1, "taskloop reduction: min, |, ||");
	ok(row[0] == 1301 && row[1] == 1226 && row[2] == 1251 && row[3] == 1276, "taskloop reduction: an array");
}

static void in_reduction(void)
{
	int sum = 100;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	{
#pragma omp taskloop in_reduction(+ : sum) num_tasks(5)
		for (int i = 1; i <= 100; i++)
			sum += i;
#pragma omp task in_reduction(+ : sum)
		sum += 50;
	}
	is_int(sum, 5200, "taskloop in_reduction: with other tasks of the group");
}

static void simd(void)
{
	float values[N], sum = 0;
	int last = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop simd grainsize(64) lastprivate(last)
		for (int i = 0; i < N; i++) {
			values[i] = (float)(i % 8);
			last = i;
		}
#pragma omp taskloop simd reduction(+ : sum) num_tasks(6)
		for (int i = 0; i < N; i++)
			sum += values[i];
	}
	ok(sum == 3500 && last == N - 1, "taskloop simd: with lastprivate and reduction");
}

static void combined(void)
{
	int sum = 0, members = omp_get_max_threads();

	clear();
#pragma omp parallel master taskloop reduction(+ : sum) num_tasks(8)
	for (int i = 0; i < N; i++) {
		bump(&runs[i]);
		sum++;
	}
	ok(every_is(runs, N, 1) && sum == N, "parallel master taskloop: each iteration once, with a reduction");
	clear();
#pragma omp parallel
#pragma omp masked taskloop simd filter(members - 1)
	for (int i = 0; i < N; i++)
		runs[i]++;
	ok(every_is(runs, N, 1), "masked taskloop simd: by the member that the filter names");
}

static void nested(void)
{
	clear();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(10)
	for (int i = 0; i < 10; i++) {
#pragma omp taskloop num_tasks(10)
		for (int k = 0; k < 100; k++)
			bump(&runs[i * 100 + k]);
	}
	ok(every_is(runs, N, 1), "taskloop: one inside of another");
}

static void unbalanced(void)
{
	long total = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) reduction(+ : total)
	for (int i = 0; i < 200; i++)
		for (int k = 0; k < i; k++) {
#pragma omp taskyield
			total++;
		}
	is_int(total, 199 * 100, "taskloop: uneven iterations with taskyield");
}

/* So many that a thread may run several without asking anybody else.  Each is a task of its own. */
static void many_pieces(void)
{
	const int first = 7;
	int bad = 0, seen = first, children = 0, late = 0;
	long sum = 0;

	clear();
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop grainsize(1) firstprivate(seen) shared(bad, children) reduction(+ : sum)
		for (int i = N - 1; i >= 0; i--) {
			int child = 0;
			if (seen++ != first || omp_in_final())
				bump(&bad);
#pragma omp task shared(child)
			child = 1;
#pragma omp taskwait
			if (child != 1)
				bump(&bad);
#pragma omp task shared(children)
			bump(&children);
			bump(&runs[i]);
			sum += i;
		}
		late = N - now(&children);
	}
	is_int(bad, 0, "taskloop of many pieces: each has its own data, and waits for its own children alone");
	ok(every_is(runs, N, 1) && sum == N * (N - 1l) / 2, "taskloop of many pieces: each once, with a reduction");
	is_int(late, 0, "taskloop of many pieces: its end waits for tasks that they made");
}

static void many_of_many(void)
{
	clear();
#pragma omp parallel
	for (int i = 0; i < 3; i++)
		orphaned_pieces(runs, N);
	ok(every_is(runs, N, 3 * omp_get_max_threads()), "taskloop of many pieces: of each member, again and again");
}

/* So much data that they are not copied for more than one piece. */
static void many_with_much(void)
{
	int bad = 0;
#define SIX(x) x##0, x##1, x##2, x##3, x##4, x##5
	long SIX(a), SIX(b), SIX(c), SIX(d), SIX(e), SIX(f);

	a0 = b0 = c0 = d0 = e0 = f0 = 1, a1 = b1 = c1 = d1 = e1 = f1 = 2, a2 = b2 = c2 = d2 = e2 = f2 = 3;
	a3 = b3 = c3 = d3 = e3 = f3 = 4, a4 = b4 = c4 = d4 = e4 = f4 = 5, a5 = b5 = c5 = d5 = e5 = f5 = 6;
	clear();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) shared(bad) \
	firstprivate(a0, a1, a2, a3, a4, a5, b0, b1, b2, b3, b4, b5, c0, c1, c2, c3, c4, c5) \
	firstprivate(d0, d1, d2, d3, d4, d5, e0, e1, e2, e3, e4, e5, f0, f1, f2, f3, f4, f5)
	for (int i = 0; i < N; i++) {
		if (a0 + b0 + c0 + d0 + e0 + f0 != 6 || a1 + b1 + c1 + d1 + e1 + f1 != 12 ||
			a2 + b2 + c2 + d2 + e2 + f2 != 18 || a3 + b3 + c3 + d3 + e3 + f3 != 24 ||
			a4 + b4 + c4 + d4 + e4 + f4 != 30 || a5 + b5 + c5 + d5 + e5 + f5 != 36)
			bump(&bad);
		a0 = b1 = c2 = d3 = e4 = f5 = -1;
		bump(&runs[i]);
	}
	ok(bad == 0 && every_is(runs, N, 1), "taskloop of many pieces: with 36 variables");
}

int main(void)
{
	plan(38);
	plain();
	in_every_member();
	grainsize();
	grainsize_strict();
	num_tasks();
	num_tasks_strict();
	steps();
	zero_trip();
	wide();
	pointers();
	collapse();
	data();
	first_and_last();
	if_and_final();
	nogroup();
	waits_for_descendants();
	reduction();
	in_reduction();
	simd();
	combined();
	nested();
	unbalanced();
	many_pieces();
	many_of_many();
	many_with_much();
	return done();
}
