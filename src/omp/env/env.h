/* omp/env/env.h -- reading the variables of OpenMP and libgomp in the environment.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_ENV_H
#define QOMP_ENV_H

#include "base/atomic.h"

#include <stdbool.h>
#include <stddef.h>

struct qomp_icv;
struct qti_affinity;

/* Reads OMP_* and GOMP_* variables and complains about bad ones, once: when the library is loaded, or before that, if
 * another library's constructor calls us first; where the environment has none, when qomp_settings or qomp_icv_initial
 * are to be used first.  A root's frame (omp/team/standing.h) comes behind that, so who has one need not call it.
 * The second reads them again, while nothing else goes on. */
void qomp_settings_read(void);
void qomp_settings_read_now(void);

/* Inquiries do not read the settings, which takes memory and a lock: they may come from the handler of a signal, or
 * from malloc(3) while they are being read.  As long as this is false they have the defaults, which is what there
 * is if the environment has no setting.  Set by a release store, when all has been read -> acquire load. */
extern bool qomp_settings_are_read;

static inline bool qomp_settings_known(void)
{
	return qti_likely(load_acq(&qomp_settings_are_read));
}

/* For inquiries: the initial task's control variables; those that it will have, in `room`, if they are not known. */
const struct qomp_icv *qomp_settings_initial(struct qomp_icv *room);

/* For inquiries: what a quota leaves of so many CPUs. */
unsigned qomp_settings_procs(unsigned cpus);

/* As if the variable had been in the environment, while nothing else goes on.  The initial task's control variables
 * change. */
void qomp_settings_change(const char *name, const char *value);

/* Bytes of the stacks of threads that begin later; nothing if there cannot be such stacks. */
void qomp_settings_set_stack(size_t bytes);

/* CPUs that the process began with. */
const struct qti_affinity *qomp_settings_cpus(void);

#endif
