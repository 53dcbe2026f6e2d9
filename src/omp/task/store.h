/* omp/task/store.h -- the objects that few tasks need: pools of them, with a cache for every worker.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Their memory stays until the process ends: they may be in use while the runtime is replaced by a larger one, and who has come
 * late may look at an atomic field of one that is in use again.
 */
#ifndef QOMP_STORE_H
#define QOMP_STORE_H

enum qomp_store {
	QOMP_STORE_EXTRAS,              /* omp/task/depend.h */
	QOMP_STORE_TABLES,              /* omp/task/depend.c: the small ones */
	QOMP_STORE_GROUPS,              /* omp/task/group.h */
	QOMP_STORES,
};

/* An object: zeroed before its first use, as its last user left it later.  Aborts when out of memory. */
void *qomp_store_get(enum qomp_store kind);
void qomp_store_put(enum qomp_store kind, void *object);

/* They are there.  Not needed before the others. */
void qomp_stores_setup(void);

#endif
