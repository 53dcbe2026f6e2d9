/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Regions, barriers, exclusion and the simple work shares, in the manner of EPCC's syncbench (Bull, EWOMP 1999). */
#include "omp/omp.h"

#include <omp.h>

/* Each thread's part of n things that are done one after another whatever the number of threads.  That is asked once:
 * it takes as long as what is measured, and has figures of its own. */
#define FOR_MY_SHARE(n) \
	for (unsigned long i_ = (unsigned)omp_get_thread_num(), threads_ = (unsigned)omp_get_num_threads(); i_ < (n); \
	     i_ += threads_)

static void parallel(unsigned long n, unsigned arg)
{
	(void)arg;
	for (unsigned long i = 0; i < n; i++) {
#pragma omp parallel
		body();
	}
}

static void parallel_for(unsigned long n, unsigned arg)
{
	int threads = omp_get_max_threads();
	(void)arg;

	for (unsigned long i = 0; i < n; i++) {
#pragma omp parallel for
		for (int t = 0; t < threads; t++)
			body();
	}
}

static void parallel_sections(unsigned long n, unsigned arg)
{
	(void)arg;
	for (unsigned long i = 0; i < n; i++) {
#pragma omp parallel sections
		{
			body_count();
#pragma omp section
			body_count();
		}
	}
}

static void reduction(unsigned long n, unsigned arg)
{
	(void)arg;
	for (unsigned long i = 0; i < n; i++) {
		double sum = 0;
#pragma omp parallel reduction(+ : sum)
		{
			body();
			sum += 1;
		}
		if ((int)sum != omp_get_max_threads())
			body_count(); /* too many bodies now */
	}
}

static void for_static(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel
	for (unsigned long i = 0; i < n; i++) {
		int threads = omp_get_num_threads();
#pragma omp for
		for (int t = 0; t < threads; t++)
			body();
	}
}

static void barrier(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel
	for (unsigned long i = 0; i < n; i++) {
		body();
#pragma omp barrier
	}
}

static void single(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel
	for (unsigned long i = 0; i < n; i++) {
#pragma omp single
		body();
	}
}

static void single_nowait(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel
	for (unsigned long i = 0; i < n; i++) {
#pragma omp single nowait
		body_count();
	}
}

static void copyprivate(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel
	for (unsigned long i = 0; i < n; i++) {
		unsigned long copy = 0;
#pragma omp single copyprivate(copy)
		{
			body();
			copy = i + 1;
		}
		if (copy != i + 1)
			body_count(); /* too many bodies now */
	}
}

static void master(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel
	for (unsigned long i = 0; i < n; i++) {
#pragma omp master
		body();
	}
}

static void sections(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel
	for (unsigned long i = 0; i < n; i++) {
#pragma omp sections
		{
			body_count();
#pragma omp section
			body_count();
		}
	}
}

static void critical(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel
	FOR_MY_SHARE(n) {
#pragma omp critical
		body();
	}
}

static void critical_named(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel
	FOR_MY_SHARE(n) {
#pragma omp critical(one)
		body();
	}
}

static void lock(unsigned long n, unsigned arg)
{
	omp_lock_t shared;
	(void)arg;

	omp_init_lock(&shared);
#pragma omp parallel
	FOR_MY_SHARE(n) {
		omp_set_lock(&shared);
		body();
		omp_unset_lock(&shared);
	}
	omp_destroy_lock(&shared);
}

/* No work but the lock's own: threads meet there all the time. */
static void lock_contended(unsigned long n, unsigned arg)
{
	omp_lock_t shared;
	(void)arg;

	omp_init_lock(&shared);
#pragma omp parallel
	FOR_MY_SHARE(n) {
		omp_set_lock(&shared);
		body_count();
		omp_unset_lock(&shared);
	}
	omp_destroy_lock(&shared);
}

static void nest_lock(unsigned long n, unsigned arg)
{
	omp_nest_lock_t shared;
	(void)arg;

	omp_init_nest_lock(&shared);
#pragma omp parallel
	FOR_MY_SHARE(n) {
		omp_set_nest_lock(&shared);
		body();
		omp_unset_nest_lock(&shared);
	}
	omp_destroy_nest_lock(&shared);
}

static void lock_own(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel
	{
		struct {
			omp_lock_t lock;
		} __attribute__((aligned(128))) mine;
		omp_init_lock(&mine.lock);
		for (unsigned long i = 0; i < n; i++) {
			omp_set_lock(&mine.lock);
			body_count();
			omp_unset_lock(&mine.lock);
		}
		omp_destroy_lock(&mine.lock);
	}
}

static void counts_serial(unsigned long n, unsigned arg)
{
	(void)arg;
	for (unsigned long i = 0; i < n; i++)
		body_count();
}

static void ordered(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel for ordered schedule(static, 1)
	for (unsigned long i = 0; i < n; i++) {
#pragma omp ordered
		body();
	}
}

static void ordered_dynamic(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel for ordered schedule(dynamic)
	for (unsigned long i = 0; i < n; i++) {
#pragma omp ordered
		body();
	}
}

static void atomic(unsigned long n, unsigned arg)
{
	double sum = 0;
	(void)arg;

#pragma omp parallel
	FOR_MY_SHARE(n) {
#pragma omp atomic
		sum += 1;
	}
	if (sum != (double)n)
		body_count(); /* too many bodies now */
}

/* Too wide for an instruction of the machine: the runtime's own lock. */
static void atomic_wide(unsigned long n, unsigned arg)
{
	long double sum = 0;
	(void)arg;

#pragma omp parallel
	FOR_MY_SHARE(n) {
#pragma omp atomic
		sum += 1;
	}
	if (sum != (long double)n)
		body_count(); /* too many bodies now */
}

/* By pointers that the compiler does not see through: else it asks once. */
static void thread_num(unsigned long n, unsigned arg)
{
	int (*volatile number)(void) = omp_get_thread_num;
	int (*volatile threads)(void) = omp_get_num_threads;
	(void)arg;

#pragma omp parallel
	for (unsigned long i = 0; i < n; i++)
		if (number() >= threads())
			body_count(); /* too many bodies now */
}

static void nested(unsigned long n, unsigned threads)
{
	omp_set_max_active_levels(2);
	for (unsigned long i = 0; i < n; i++) {
#pragma omp parallel
		{
#pragma omp parallel num_threads(threads)
			body();
		}
	}
	omp_set_max_active_levels(1);
}

/* One outer region, in which every thread starts region after region. */
static void nested_inner(unsigned long n, unsigned threads)
{
	omp_set_max_active_levels(2);
#pragma omp parallel
	for (unsigned long i = 0; i < n; i++) {
#pragma omp parallel num_threads(threads)
		body();
	}
	omp_set_max_active_levels(1);
}

/* Inner regions of one thread, as they are unless somebody asks for more levels. */
static void nested_serial(unsigned long n, unsigned arg)
{
	(void)arg;
#pragma omp parallel
	for (unsigned long i = 0; i < n; i++) {
#pragma omp parallel
		body();
	}
}

#define EACH { 1, 1, true }
#define ONE { 1, 1, false }
#define PAIR { 1, 2, false }
#define NONE { 1, 0, false }

const struct figure figures_sync[] = {
	{ "parallel", "ns", "a region, begin to end", parallel, bodies_serial, .count = EACH,
		.target = { { 0, 600 }, NULL } },
	{ "parallel_for", "ns", "a region with a static loop, an iteration a thread", parallel_for, bodies_serial,
		.count = EACH },
	{ "parallel_sections", "ns", "a region of two sections", parallel_sections, .count = PAIR },
	{ "reduction", "ns", "a region with a reduction", reduction, bodies_serial, .count = EACH },
	{ "for", "ns", "a static loop and its barrier", for_static, bodies_serial, .count = EACH },
	{ "barrier", "ns", "a barrier", barrier, bodies_serial, .count = EACH, .target = { { 0, 200 }, NULL } },
	{ "single", "ns", "single and its barrier", single, bodies_serial, .count = ONE },
	{ "single_nowait", "ns", "single without a barrier", single_nowait, .count = ONE },
	{ "copyprivate", "ns", "single that hands out a value", copyprivate, bodies_serial, .count = ONE },
	{ "master", "ns", "master", master, bodies_serial, .count = ONE },
	{ "sections", "ns", "two sections and their barrier", sections, .count = PAIR },
	{ "critical", "ns", "an unnamed critical section", critical, bodies_serial, .count = ONE },
	{ "critical_named", "ns", "a critical section with a name", critical_named, bodies_serial, .count = ONE },
	{ "lock", "ns", "setting and unsetting a lock of all threads", lock, bodies_serial, .count = ONE },
	{ "lock_contended", "ns", "the same with nothing else to do", lock_contended, counts_serial, .count = ONE,
		.min_threads = 2 },
	{ "lock_own", "ns", "setting and unsetting a lock that nobody else wants", lock_own, counts_serial,
		.count = EACH },
	{ "nest_lock", "ns", "setting and unsetting a nestable lock of all threads", nest_lock, bodies_serial,
		.count = ONE },
	{ "ordered", "ns", "an ordered iteration, static schedule", ordered, bodies_serial, .count = ONE },
	{ "ordered_dynamic", "ns", "an ordered iteration, dynamic schedule", ordered_dynamic, bodies_serial,
		.count = ONE },
	{ "atomic", "ns", "atomic update of a double (the compiler's)", atomic, .count = NONE },
	{ "atomic_wide", "ns", "atomic update of a long double (the runtime's)", atomic_wide, .count = NONE },
	{ "thread_num", "ns", "omp_get_thread_num and omp_get_num_threads", thread_num, .count = NONE },
	{ "nested", "ns", "a region in which each thread starts one of two threads", nested, .arg = 2,
		.count = { 1, 2, true } },
	{ "nested_inner", "ns", "a region of two threads within one that lasts", nested_inner, .arg = 2,
		.count = { 1, 2, true } },
	{ "nested_serial", "ns", "a region of one thread within another", nested_serial, bodies_serial, .count = EACH },
	{ .name = NULL },
};
