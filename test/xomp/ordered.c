/* test/xomp/ordered.c -- ordered loops as ROSE lowers them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/constructs.h"

#include "tap.h"

enum { N = 103 };

static int out[N];

static bool in_order(int got, int n)
{
	for (int i = 0; i < got && i < n; i++)
		if (out[i] != i)
			return false;
	return got == n;
}

static bool orders(int (*loop)(int, int, int *))
{
	return in_order(loop(N, 1, out), N) && in_order(loop(N, 4, out), N) && in_order(loop(N, 500, out), N) &&
	       in_order(loop(1, 1, out), 1) && in_order(loop(0, 1, out), 0);
}

static bool some(int n)
{
	int k = ordered_some(n, out), want = 0;
	bool good = true;

	for (int i = n - 1; i >= 0; i -= 2)
		if (i % 3 == 0) {
			good = good && want < k && out[want] == i;
			want++;
		}
	return good && k == want;
}

int main(void)
{
	plan(6);
	ok(in_order(ordered_default(N, out), N), "without a schedule clause: in order");
	ok(orders(ordered_static), "static: in order");
	ok(orders(ordered_dynamic), "dynamic: in order");
	ok(orders(ordered_guided), "guided: in order");
	bool good = true;
	for (int kind = (int)omp_sched_static; kind <= (int)omp_sched_auto; kind++) {
		omp_set_schedule((omp_sched_t)kind, 3);
		good = good && in_order(ordered_runtime(N, out), N);
	}
	ok(good, "runtime: in order, with each kind that omp_set_schedule sets");
	ok(some(N) && some(N - 1) && some(5) && some(2), "downwards, where many iterations have no ordered region");
	return done();
}
