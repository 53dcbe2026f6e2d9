/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Counting what tasks did: each OS thread counts on a line of its own, so that counting costs next to nothing. */
#ifndef BENCH_COMMON_TALLY_H
#define BENCH_COMMON_TALLY_H

#include "common/bench.h"

struct tally {
	unsigned long count;
	struct tally *next;
} __attribute__((aligned(128)));

extern __thread struct tally *tally_mine;
/* The calling thread's first. */
struct tally *tally_new(void);
/* What all threads counted since the last call.  When none is counting, and their work has been waited for. */
unsigned long tally_take(void);

/* Not in a function that waits in a qthread: it may come back on another OS thread, whose tally it is not. */
static inline void tally_count(unsigned long n)
{
	struct tally *t = tally_mine;

	if (__builtin_expect(!t, 0))
		t = tally_new();
	t->count += n;
	bench_keep(t->count);
}

#endif
