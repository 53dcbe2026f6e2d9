/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What constructs of OpenMP cost.  A program that knows OpenMP alone: `run` starts it under one runtime after another.
 *
 * Every body counts itself, so that a runtime that loses or repeats work is found out rather than timed. */
#ifndef BENCH_OMP_OMP_H
#define BENCH_OMP_OMP_H

#include "common/tally.h"

struct figure {
	const char *name, *unit, *what;
	void (*with)(unsigned long n, unsigned arg);    /* n times the construct */
	void (*without)(unsigned long n, unsigned arg); /* n times the work alone; NULL: nothing is subtracted */
	unsigned arg;
	struct {
		unsigned in_one;   /* what the time of one of n is divided by; 0 is 1 */
		unsigned bodies;   /* that one of n runs */
		bool every_thread; /* so many in each thread, not altogether */
	} count;
	unsigned min_threads; /* on fewer it means nothing */
	struct {
		double ns[2];      /* at most this on one thread, on two; 0: none set, and the rivals set it */
		const char *rival; /* the runtime that must not be faster; NULL: any, by no more than the usual share */
	} target;
};

/* Tables, each ended by a figure without a name. */
extern const struct figure figures_sync[], figures_loop[], figures_task[], figures_data[];

static inline void body_counts(unsigned long n)
{
	tally_count(n);
}

static inline void body_count(void)
{
	tally_count(1);
}

/* Counts itself and takes about 70 ns: as much as keeps threads from meeting in the construct all the time. */
static inline void body(void)
{
	uint64_t x = 1;

	for (unsigned i = 0; i < 64; i++) {
		x *= 0x9e3779b97f4a7c15u;
		bench_keep(x);
	}
	body_count();
}

/* n bodies, one after another: what most constructs are compared with. */
void bodies_serial(unsigned long n, unsigned arg);

#endif
