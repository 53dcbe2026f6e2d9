/* omp/env/places.h -- the list of places that threads are bound to.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A place is a set of CPUs, all of which the process may use.  The list is made when the settings are read and never
 * changes.
 */
#ifndef QOMP_PLACES_H
#define QOMP_PLACES_H

#include "machine/topo.h"
#include "omp/env/text.h"

struct qomp_places {
	unsigned n;                     /* 0: threads are not bound */
	unsigned *first;                /* n + 1 of them: where each place's CPUs begin */
	unsigned *cpu;                  /* the operating system's numbers, ascending in each place */
	struct qti_affinity whole;      /* CPUs that the process began with; valid if there are places */
};

extern struct qomp_places qomp_places;

static inline unsigned qomp_place_size(unsigned place)
{
	return qomp_places.first[place + 1] - qomp_places.first[place];
}

static inline const unsigned *qomp_place_cpus(unsigned place)
{
	return qomp_places.cpu + qomp_places.first[place];
}

/* Makes the list from a value of OMP_PLACES or GOMP_CPU_AFFINITY, of CPUs that are allowed.  False, and no change: it
 * makes no sense, has no place with such a CPU, or memory ran out. */
bool qomp_places_read(const char *text, const struct qti_affinity *allowed);
bool qomp_places_read_cpus(const char *text, const struct qti_affinity *allowed);

/* Makes the list of one of OMP_PLACES' names: a place for each group of the machine's PUs, at most n of them. */
enum qomp_group_kind {
	QOMP_BY_THREAD,
	QOMP_BY_CORE,
	QOMP_BY_CACHE,
	QOMP_BY_NODE,
	QOMP_BY_SOCKET,
};

bool qomp_places_group(const struct qti_topo *t, enum qomp_group_kind kind, unsigned n,
                       const struct qti_affinity *allowed);

/* The list is empty again. */
void qomp_places_free(void);

void qomp_places_show(struct qomp_text *out);

void qomp_place_mask(unsigned place, struct qti_affinity *mask);

#endif
