/* omp/team/region.h -- parallel regions.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_REGION_H
#define QOMP_REGION_H

#include "omp/team/team.h"

/* How many threads a region gets whose clause says `asked` (0: none), met by f. */
unsigned qomp_region_size(const struct qomp_frame *f, unsigned asked);

/* What is done for a region before its members begin. */
struct qomp_prepare {
	void (*call)(struct qomp_team *team, void *arg);
	void *arg;
};

/* The calling thread, which stands in f (qomp_frame), becomes thread 0 of a region, and the others begin with fn(data).
 * asked, bind: by clause, 0: none.  prepare: NULL: nothing.  Aborts when out of memory. */
void qomp_region_begin(struct qomp_frame *f, void (*fn)(void *), void *data, unsigned asked, unsigned bind,
                       const struct qomp_prepare *prepare);

/* Thread 0: all members have returned and all tasks have ended.  Back to the frame that met the region. */
void qomp_region_end(void);

#endif
