/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* How much a program gets done that shares its CPUs with others: `run` starts copies of it at one moment, and
 * neighbours.
 *
 * A program is share.c and the shapes of one runtime (omp.c, qthread.c).  A shape is a step of some hundred
 * microseconds that its threads do together, meeting often; every answer is checked. */
#ifndef BENCH_SHARE_SHARE_H
#define BENCH_SHARE_SHARE_H

#include "common/bench.h"

enum {
	SHARE_N = 2000,   /* values */
	SHARE_MANY = 500, /* loops over them in a step that does little else */
	SHARE_FEW = 50,   /* and in one that creates tasks for each */
	SHARE_FIB = 18,
};

/* What one pthread works on. */
struct share_work {
	double values[SHARE_N];
	uint64_t number;
};

struct share_shape {
	const char *name, *what; /* NULL ends a table */
	void (*step)(struct share_work *work);
	unsigned loops; /* that a step makes over the values; 0: it leaves fib(SHARE_FIB) in number */
};

struct share_program {
	const char *name, *what;
	const struct share_shape *shapes;
	unsigned (*start)(void); /* starts the runtime; returns how many threads it runs a step on */
	/* How the main thread waits for pthreads where it must not sleep, because its runtime needs it; or NULL. */
	struct {
		void (*expect)(unsigned threads);
		void (*ended)(void);
		void (*wait)(void);
	} threads;
};

extern const struct share_program share_program;

/* A loop's work on one value, and on some of them. */
static inline double share_next(double value)
{
	return value * 0.999 + 1;
}

static inline void share_loop(double *values, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		values[i] = share_next(values[i]);
}

#endif
