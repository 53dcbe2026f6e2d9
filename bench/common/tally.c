/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "common/tally.h"

#include <stdlib.h>

__thread struct tally *tally_mine;
static struct tally *tallies; /* atomic */

struct tally *tally_new(void)
{
	struct tally *t = aligned_alloc(sizeof(*t), sizeof(*t));

	if (!t) {
		fprintf(stderr, "out of memory for a thread's tally\n");
		_Exit(1);
	}
	t->count = 0;
	t->next = __atomic_load_n(&tallies, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&tallies, &t->next, t, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	tally_mine = t;
	return t;
}

unsigned long tally_take(void)
{
	unsigned long sum = 0;

	/* The wait for the work orders the threads' counts before these loads. */
	for (struct tally *t = __atomic_load_n(&tallies, __ATOMIC_ACQUIRE); t; t = t->next) {
		sum += t->count;
		t->count = 0;
	}
	return sum;
}
