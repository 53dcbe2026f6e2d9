/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* A country's health care, day by day, after the program of the Olden and BOTS suites.
 *
 * Villages form a tree; each has a hospital with a fixed number of personnel.  An inhabitant who falls ill waits for a
 * free member of the personnel and is assessed for some days; then he goes home, stays inside for treatment, or is
 * referred to the hospital of the village above, where it begins again.  Everybody draws from a random sequence of his
 * own and a hospital takes in those referred to it by their numbers, so that what happens depends on nobody's timing.
 *
 * A day of a village has two parts, with the days of all villages below it between the beginning of the first and that
 * of the second.  Whatever else runs meanwhile: the first touches the village and, by referring, the one above; the
 * second touches the village alone. */
#ifndef BENCH_HEALTH_HEALTH_H
#define BENCH_HEALTH_HEALTH_H

#include "common/bench.h"

struct patient {
	struct patient *next, *prev;
	uint32_t seed;
	int id, visits, time, left; /* the last two in days */
};

struct patients {
	struct patient *first, *last;
};

struct village {
	struct village *below; /* `nbelow` neighbours in memory */
	unsigned nbelow;
	int level; /* 1 has none below */
	struct village *above;
	int personnel, free;
	struct patients home, waiting, assessed, inside;
	uint64_t done; /* for the native version: the word that is full after the village's day */
	struct patient *referred __attribute__((aligned(64))); /* atomic; those below push to it; linked by next */
} __attribute__((aligned(64)));

extern struct village *health_top; /* the village above all */
extern unsigned long health_days;  /* a repetition */

/* With a cut-off: are the days of the villages below this one tasks? */
bool health_splits(const struct village *v);

/* What a day does before the villages below are through with theirs, and after. */
void health_before(struct village *v);
void health_after(struct village *v);

/* A whole day, serially. */
void health_day(struct village *v);

#endif
