/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Small figures: what a single operation costs.  micro.c runs each in a process of its own. */
#ifndef BENCH_MICRO_MICRO_H
#define BENCH_MICRO_MICRO_H

#include "common/native.h"

enum micro_place {
	MICRO_MAIN,  /* measured from the main task */
	MICRO_TASK,  /* measured from a qthread */
	MICRO_ALONE, /* measured before the library is started, with its settings in the environment */
};

enum { MICRO_ANY = 4096 }; /* as many workers as anybody may want */

struct micro_figure {
	const char *name, *unit, *what;
	double (*once)(unsigned long count); /* one sample, in unit */
	unsigned long count;                 /* operations in a sample */
	unsigned long quick_count;           /* the same with --quick */
	unsigned samples;                    /* of which the median counts */
	enum micro_place place;
	unsigned min_workers, max_workers; /* on how many workers it means something */
	double target[2];                  /* at most this on one worker, on two; 0: none set */
};

/* Tables, each ended by a figure without a name. */
extern const struct micro_figure micro_tasks[];
extern const struct micro_figure micro_words[];
extern const struct micro_figure micro_io[];
extern const struct micro_figure micro_whole[];
extern const struct micro_figure micro_inside[];

/* What bench/sim/sim --costs reads: NAN where the machine has no such thing to show. */
extern const struct micro_figure micro_costs[];

/* Tells what went wrong and ends the figure's process. */
_Noreturn void micro_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Forks f to a shepherd, or anywhere with NO_SHEPHERD; failing is fatal. */
void micro_fork(qthread_f f, const void *arg, aligned_t *ret, qthread_shepherd_id_t shepherd);
/* Calls f(NULL) in n tasks at once, task i on shepherd i modulo their number; returns when all have ended. */
void micro_side_by_side(unsigned n, qthread_f f);

#endif
