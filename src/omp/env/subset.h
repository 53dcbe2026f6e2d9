/* omp/env/subset.h -- KMP_HW_SUBSET: a part of the machine, counted by sockets, cores and the like.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_SUBSET_H
#define QOMP_SUBSET_H

#include "machine/topo.h"

#include <stdbool.h>

/* Leaves in *cpus the CPUs of t that the text names, and says how many these are.  0 and no change: NULL in *why, the
 * text makes no sense; else why the machine does not have that. */
unsigned qomp_subset_take(const char *text, const struct qti_topo *t, struct qti_affinity *cpus, const char **why);

/* The same of this machine, by the variable's value; a line says if it has no effect.  The calling thread is bound to
 * what is left.  0: as it was. */
unsigned qomp_subset_apply(const char *text, struct qti_affinity *cpus);

#endif
