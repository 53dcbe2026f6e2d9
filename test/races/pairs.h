/* test/races/pairs.h -- what programs with a race and without have in common.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each of the pairs is a function: with `racy` it leaves out what orders two accesses, or says something else than it
 * should.  The program prints a line for each pair: its name, and how many reports there were without a race, and with one.
 */
#ifndef TEST_RACES_PAIRS_H
#define TEST_RACES_PAIRS_H

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	const char *name;
	void (*call)(bool racy);
};

#define PAIR(name) { #name, p_##name }

#ifdef PAIRS_VALGRIND
#include <valgrind/valgrind.h>
#endif

static unsigned reports;

/* ThreadSanitizer calls these. */
void __tsan_on_report(void *report);
const char *__tsan_default_options(void);

void __tsan_on_report(void *report)
{
	(void)report;
	__atomic_fetch_add(&reports, 1, __ATOMIC_RELAXED);
}

const char *__tsan_default_options(void)
{
	return "exitcode=0:symbolize=0:atexit_sleep_ms=0";
}

static unsigned reports_now(void)
{
#ifdef PAIRS_VALGRIND
	return (unsigned)VALGRIND_COUNT_ERRORS;
#else
	return __atomic_load_n(&reports, __ATOMIC_RELAXED);
#endif
}

/* A checker that has reported an address is silent about it from then on.  So each call has other memory: what `renew`
 * gets, and another part of the stack. */
static __attribute__((noinline)) void call_apart(const struct pair *p, bool racy, unsigned calls)
{
	char apart[64 + calls % 1024 * 1024];

	__asm__ volatile("" : : "r"(apart) : "memory");
	p->call(racy);
	__asm__ volatile("" : : "r"(apart) : "memory");
}

static unsigned reports_of(const struct pair *p, bool racy, int times, void (*renew)(void))
{
	static unsigned calls;
	unsigned before = reports_now();

	while (times-- > 0) {
		renew();
		call_apart(p, racy, calls++);
	}
	return reports_now() - before;
}

static bool is_named(const struct pair *p, int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], p->name) == 0)
			return true;
	return argc < 3;
}

/* [times [name...]] */
static int run_pairs(const struct pair *pair, unsigned n, void (*renew)(void), int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 1;
	unsigned clean[64];

	for (unsigned i = 0; i < n; i++)
		clean[i] = is_named(&pair[i], argc, argv) ? reports_of(&pair[i], false, times, renew) : 0;
	for (unsigned i = 0; i < n; i++)
		if (is_named(&pair[i], argc, argv))
			printf("%s %u %u\n", pair[i].name, clean[i], reports_of(&pair[i], true, times, renew));
	return 0;
}

#endif
