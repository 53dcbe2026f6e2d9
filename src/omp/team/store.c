/* omp/team/store.c -- see omp/team/store.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/store.h"

#include "base/forked.h"
#include "base/lock.h"
#include "omp/env/text.h"

enum { BATCH = 32, SLAB_FIRST = 16 << 10, SLAB_MAX = 1 << 20 };

static struct qti_pool pools[QOMP_STORES];
static bool ready[QOMP_STORES];         /* whose store (release) comes after all of the pool's */
static struct qti_lock setting_up;

static __attribute__((noinline)) void store_set_up(enum qomp_store kind, size_t size)
{
	qti_lock_take(&setting_up);
	if (!load_rlx(&ready[kind])) {
		qti_pool_init(&pools[kind], &(struct qti_pool_config){
			.size = size, .link = size - sizeof(struct qti_pool_link), .batch = BATCH,
			.first_slab = SLAB_FIRST, .max_slab = SLAB_MAX });
		store_rel(&ready[kind], true);
	}
	qti_lock_drop(&setting_up);
}

void *qomp_store_get(enum qomp_store kind, size_t size)
{
	struct qti_worker *w = qti_self();
	void *object;

	if (qti_unlikely(!load_acq(&ready[kind])))
		store_set_up(kind, size);
	if (qti_likely(w && qomp_local))
		object = qti_pool_get(&pools[kind], &qomp_local[qti_worker_number(w)].stores[kind]);
	else
		object = qti_pool_get_shared(&pools[kind]);
	if (qti_unlikely(!object))
		qomp_fatal("out of memory for OpenMP tasks");
	return object;
}

void qomp_store_put(enum qomp_store kind, void *object)
{
	struct qti_worker *w = qti_self();

	if (qti_likely(w && qomp_local))
		qti_pool_put(&pools[kind], &qomp_local[qti_worker_number(w)].stores[kind], object);
	else
		qti_pool_put_shared(&pools[kind], object);
}

/* What is set up once is not left half way by fork(2). */
static void take_setting_up(void)
{
	qti_lock_take(&setting_up);
}

static void drop_setting_up(void)
{
	qti_lock_drop(&setting_up);
}

QTI_FORKED(QTI_FORKED_LOCKS, take_setting_up, drop_setting_up, NULL)
