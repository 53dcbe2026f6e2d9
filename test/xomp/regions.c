/* test/xomp/regions.c -- parallel regions as ROSE lowers them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/constructs.h"

#include "tap.h"

#include <string.h>

static int visits[THREADS_MOST];

/* Whether the first n were visited `times` times, and no other; and forgets it. */
static bool visited(int n, int times)
{
	bool good = true;

	for (int i = 0; i < THREADS_MOST; i++)
		good = good && visits[i] == (i < n ? times : 0);
	memset(visits, 0, sizeof(visits));
	return good;
}

static void sizes(void)
{
	int most = omp_get_max_threads(), size;

	size = region_default(visits);
	ok(size == most && visited(most, 1), "a region has the default number of threads, each of which runs once");
	size = region_if(0, visits);
	ok(size == 1 && visited(1, 1), "if: a false condition makes a team of one");
	size = region_if(2, visits);
	ok(size == most && visited(most, 1), "if: any other value than 0 is true");
	size = region_threads(5, visits);
	ok(size == 5 && visited(5, 1), "num_threads: as many as it says, more than the default as well");
	size = region_if_threads(0, 5, visits);
	ok(size == 1 && visited(1, 1), "if and num_threads: a false condition wins");
	omp_set_num_threads(3);
	size = region_default(visits);
	ok(size == 3 && visited(3, 1), "omp_set_num_threads sets the default");
	omp_set_num_threads(most);
	for (int i = 0; i < 300; i++)
		region_threads(1 + i % 4, visits);
	bool good = visits[0] == 300 && visits[1] == 225 && visits[2] == 150 && visits[3] == 75;
	ok(good, "300 regions of 1 to 4 threads after one another");
	memset(visits, 0, sizeof(visits));
}

static void data(void)
{
	int most = omp_get_max_threads(), out[THREADS_MOST] = { 0 }, top = -1;
	long sum = 1000, product = 3;

	region_global = 0;
	region_nothing();
	ok(region_global == most, "a region that uses no variable of its function");
	bool good = region_data(4, 7, out) == 69;
	for (int i = 0; i < 4; i++)
		good = good && out[i] == 701 + 10 * i;
	ok(good, "private, firstprivate: each thread has its own; the variables outside stay");
	region_reduction(6, &sum, &product, &top);
	ok(sum == 1021 && product == 192 && top == 5, "reduction: what was there, and what each thread has");
}

static void nested(void)
{
	int before = omp_get_max_active_levels();

	omp_set_max_active_levels(1);
	int ran = region_nested(3, 4, visits);
	ok(ran == 3 && visited(1, 3), "nested regions are teams of one where one level may be active");
	omp_set_max_active_levels(2);
	ran = region_nested(3, 4, visits);
	ok(ran == 12 && visited(4, 3), "and have their threads, numbered from 0, where two may");
	omp_set_max_active_levels(before);
}

int main(void)
{
	plan(12);
	sizes();
	data();
	nested();
	return done();
}
