/* test/omp/threadprivate.c -- threadprivate: a copy for each member, that is there again in the next region.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/every.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 8, LARGE = 30000 };

static int number = 5;
static double many[3] = {1, 2, 3};
static char large[LARGE];
static struct {
	long a;
	char text[10];
} pair = {7, "seven"};
#pragma omp threadprivate(number, many, large, pair)

static int calls(void)
{
	static int count;
#pragma omp threadprivate(count)

	return ++count;
}

static void first_values(void)
{
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	wrong += number != 5 || many[2] != 3 || pair.a != 7 || strcmp(pair.text, "seven") || large[LARGE - 1];
	is_int(wrong, 0, "threadprivate: each begins as it was defined");
}

static void copies_differ(void)
{
	uintptr_t where[MOST] = {0};
	int same = 0, n = 0;

#pragma omp parallel
	{
		where[omp_get_thread_num()] = (uintptr_t)&number;
#pragma omp single
		n = omp_get_num_threads();
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			same += where[i] == where[j];
	is_int(same, 0, "threadprivate: a copy for each member");
	ok(where[0] == (uintptr_t)&number, "threadprivate: thread 0's is that of whoever met the region");
}

static void they_stay(void)
{
	int wrong = 0;

	number = 100;
#pragma omp parallel
	{
		number = 100 + omp_get_thread_num();
		many[1] = -number;
		memset(large, number, LARGE);
	}
	for (int r = 0; r < every_scaled(50); r++) {
#pragma omp parallel reduction(+ : wrong)
		{
			wrong += number != 100 + r + omp_get_thread_num() || many[1] != -100 - omp_get_thread_num();
			wrong += large[LARGE - 1] != (char)(100 + omp_get_thread_num());
			number++;
		}
		wrong += number != 100 + r + 1;
	}
	is_int(wrong, 0, "threadprivate: from region to region of one size");

	/* A region of one is no active one, and comes between nothing. */
#pragma omp parallel if (0)
	number += 0;
#pragma omp parallel for reduction(+ : wrong) schedule(static, 1)
	for (int i = 0; i < omp_get_max_threads(); i++)
		wrong += many[1] != -100 - omp_get_thread_num();
	is_int(wrong, 0, "threadprivate: also past a region of one");
}

static void within_a_region(void)
{
	int wrong = 0, total = 0;

#pragma omp parallel reduction(+ : wrong, total)
	{
		const int before = calls();

		for (int r = 0; r < 10; r++) {
#pragma omp barrier
#pragma omp for schedule(dynamic)
			for (int i = 0; i < 20; i++)
				total += calls() > 0;
#pragma omp critical
			total += calls() > 0;
		}
		/* Each call is counted in one copy, and here the copies are added up. */
		total -= calls() - before - 1;
		number = omp_get_thread_num();
#pragma omp barrier
#pragma omp parallel if (0) reduction(+ : wrong)
		wrong += number != omp_get_ancestor_thread_num(1);
	}
	is_int(total, 0, "threadprivate: in a function, every increment is in some copy");
	is_int(wrong, 0, "threadprivate: an inner region of one uses its caller's");
}

static void copyin(void)
{
	int wrong = 0;

	for (int r = 0; r < every_scaled(50); r++) {
		number = r;
		many[0] = r + 0.5;
		pair.a = -r;
		pair.text[0] = (char)('a' + r % 20);
		large[LARGE - 1] = (char)r;
#pragma omp parallel copyin(number, many, pair, large) reduction(+ : wrong)
		{
			wrong += number != r || many[0] != r + 0.5 || pair.a != -r || pair.text[0] != 'a' + r % 20;
			wrong += large[LARGE - 1] != (char)r;
#pragma omp barrier
			number = many[0] = pair.a = 10000 + omp_get_thread_num();
		}
		wrong += number != 10000;
	}
	is_int(wrong, 0, "parallel copyin: each copy begins with thread 0's value");

	int members = 0;
	number = 33;
#pragma omp parallel for schedule(dynamic) num_threads(3) copyin(number) reduction(+ : wrong)
	for (int i = 0; i < 10; i++)
		wrong += number != 33;
#pragma omp parallel sections num_threads(4) copyin(number) reduction(+ : wrong, members)
	{
		wrong += number != 33;
#pragma omp section
		members = number == 33;
	}
	ok(wrong == 0 && members == 1, "parallel for, parallel sections copyin: likewise");
}

static void *foreign(void *arg)
{
	int *wrong = arg;
	int sum = 0;

	*wrong += number != 5;
	number = 50;
#pragma omp parallel num_threads(2) copyin(number) reduction(+ : sum)
	{
		sum += number;
		number = -1;
	}
	*wrong += sum != 100 || number != -1;
	return NULL;
}

static void of_other_threads(void)
{
	pthread_t thread;
	int wrong = 0;

	number = 44;
	if (pthread_create(&thread, NULL, foreign, &wrong) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, NULL);
	ok(wrong == 0 && number == 44, "threadprivate: another pthread has its own, and its members theirs");
}

int main(void)
{
	plan(10);
	omp_set_dynamic(0);
	first_values();
	copies_differ();
	they_stay();
	within_a_region();
	copyin();
	of_other_threads();
	return done();
}
