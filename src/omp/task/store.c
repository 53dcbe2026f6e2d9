/* omp/task/store.c -- see omp/task/store.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/store.h"

#include "omp/env/text.h"
#include "omp/task/depend.h"
#include "omp/task/group.h"
#include "omp/team/start.h"

enum { BATCH = 32, SLAB_FIRST = 16 << 10, SLAB_MAX = 1 << 20 };

static struct qti_pool pools[QOMP_STORES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void set_up_one(enum qomp_store kind, size_t size)
{
	qti_pool_init(&pools[kind], &(struct qti_pool_config){
		.size = size, .link = size - sizeof(struct qti_pool_link), .batch = BATCH,
		.first_slab = SLAB_FIRST, .max_slab = SLAB_MAX });
}

static void set_up(void)
{
	set_up_one(QOMP_STORE_EXTRAS, sizeof(struct qomp_extra));
	set_up_one(QOMP_STORE_TABLES, QOMP_SMALL_TABLE);
	set_up_one(QOMP_STORE_GROUPS, qomp_group_size());
}

void *qomp_store_get(enum qomp_store kind)
{
	struct qti_worker *w = qti_self();
	void *object;

	qomp_stores_setup();
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

void qomp_stores_setup(void)
{
	pthread_once(&once, set_up);
}
