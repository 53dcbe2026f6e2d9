/* omp/env/values.h -- the values of the variables: which there are, and what they set.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_VALUES_H
#define QOMP_VALUES_H

#include "omp/env/icv.h"
#include "omp/env/variables.h"

struct qti_affinity;

enum { QOMP_STACK_MIN = 16384 };        /* bytes: what pthreads accept everywhere */

enum {
	QOMP_DELICATE = 1,              /* counts only in a trusted environment */
	QOMP_FOR_ALL = 2,               /* NAME_ALL is for all devices, the host among them, where NAME is not set */
};

extern const struct qomp_value {
	bool (*read)(const char *text); /* into qomp_settings or qomp_given.  false: it is none, and nothing is set */
	const char *allowed;
	unsigned is;
} qomp_values[QOMP_NVARIABLES] __attribute__((visibility("hidden")));

/* What does not go into qomp_settings as it was given. */
extern struct qomp_given {
	struct qomp_icv initial;        /* of the initial task */
	const struct qti_affinity *cpus;        /* that places are made of */
	bool levels_given;              /* OMP_MAX_ACTIVE_LEVELS */
	bool nested_given, nested;
	bool device_given;              /* OMP_DEFAULT_DEVICE */
	bool display, verbose;
	char wrong[96];                 /* with the last value that was not taken; "": nothing that is not clear */
} qomp_given __attribute__((visibility("hidden")));

/* The value that the allocator with traits was made from. */
const char *qomp_allocator_text(void);

#endif
