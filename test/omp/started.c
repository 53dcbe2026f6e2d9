/* test/omp/started.c -- programs and threads that the program starts have the CPUs of the process; and a mask that is
 * set for all threads while regions run is lost by none.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of masks set, QTI_SEED says when.
 */
#define _GNU_SOURCE
#include "omp/every.h"

#include "cpus.h"

#include <stdatomic.h>
#include <stdint.h>

enum { ROUNDS = 70, MEMBERS = 4, REGIONS_MORE = 20, DELAY_MOST = 65536 };

static cpu_set_t all;

/* ---- What regions start ------------------------------------------------------------------------------------------ */

static void started(void)
{
	char lost[CPUS_TEXT], in_member[CPUS_TEXT] = "", in_task[CPUS_TEXT] = "";

	cpus_lost(lost);
	is_str(lost, "", "what the program starts has the CPUs of the process");
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		if (!in_member[0])
			cpus_lost(in_member);
#pragma omp barrier
#pragma omp single
#pragma omp task
		cpus_lost(in_task);
	}
	is_str(in_member, "", "so has what members of a region start");
	is_str(in_task, "", "and what a task starts");
	cpus_lost(lost);
	is_str(lost, "", "and what is started after the region");
}

/* ---- Masks set while regions run --------------------------------------------------------------------------------- */

static uint64_t seed;
static cpu_set_t two, one;
static atomic_int asked, answered;      /* rounds */

static unsigned next_delay(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (unsigned)(seed >> 33) % DELAY_MOST;
}

/* At any moment of the regions. */
static void *setter(void *rounds)
{
	for (int round = 1; round <= *(int *)rounds; round++) {
		while (atomic_load(&asked) < round)
			sched_yield();
		for (volatile unsigned i = next_delay(); i > 0; i--)
			;
		cpus_set_all_of(getpid(), &one);
		atomic_store(&answered, round);
	}
	return NULL;
}

static int work_a_little(void)
{
	int sum = 0;

#pragma omp parallel num_threads(MEMBERS) reduction(+ : sum)
	{
		for (volatile int i = 0; i < 2000; i++)
			;
		sum++;
	}
	return sum;
}

static void masks(void)
{
	const char *text = getenv("QTI_ROUNDS");
	int rounds = text ? atoi(text) : every_scaled(ROUNDS), lost = 0, sum = 0;
	pthread_t thread;

	text = getenv("QTI_SEED");
	seed = text ? strtoull(text, NULL, 0) : 1;
	diag("QTI_SEED=%llu QTI_ROUNDS=%d", (unsigned long long)seed, rounds);
	if (pthread_create(&thread, NULL, setter, &rounds) != 0)
		bail_out("pthread_create failed");
	for (int round = 1; round <= rounds; round++) {
		one = cpus_one_of(&all, round % 2);
		cpus_set_all_of(getpid(), &two);
		sum += work_a_little() - MEMBERS;
		atomic_store(&asked, round);
		while (atomic_load(&answered) < round)
			sum += work_a_little() - MEMBERS;
		for (int i = 0; i < REGIONS_MORE; i++)
			sum += work_a_little() - MEMBERS;
		lost += cpus_others_of(getpid(), &one) != 0;
	}
	pthread_join(thread, NULL);
	cpus_set_all_of(getpid(), &all);
	is_int(lost, 0, "of %d masks set for all threads while regions run none is lost", rounds);
	is_int(sum, 0, "and every member has run");
}

int main(int argc, char **argv)
{
	cpus_begin(argc, argv);
	all = cpus_now();
	if (CPU_COUNT(&all) < 2)
		plan_skip_all("one CPU");
	one = cpus_one_of(&all, true);
	two = cpus_one_of(&all, false);
	CPU_OR(&two, &two, &one);
	plan(4 + 2);
	started();
	masks();
	return done();
}
