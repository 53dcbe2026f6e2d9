/* omp/team/store.h -- the objects that few tasks need: pools of them, with a cache for every worker.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Their memory stays until the process ends: they may be in use while the runtime is replaced by a larger one, and who
 * has come late may look at an atomic field of one that is in use again.
 */
#ifndef QOMP_STORE_H
#define QOMP_STORE_H

#include "omp/team/locals.h"

/* An object of `size` bytes, always the same for a kind: zeroed before its first use, as its last user left it
 * later.  Aborts when out of memory. */
void *qomp_store_get(enum qomp_store kind, size_t size);
void qomp_store_put(enum qomp_store kind, void *object);

#endif
