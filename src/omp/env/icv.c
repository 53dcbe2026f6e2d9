/* omp/env/icv.c -- sets of control variables: each exists once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A hash table that only grows.
 *
 * I1  a set is complete before compare-and-swap (acq_rel) makes it the first of its bucket || who looks for it loads
 *     the bucket (acquire) and follows links that never change.
 *
 * Two threads that add equal sets at the same time race on one bucket: the loser sees the other's set when it looks
 * again.  Checked by test/unit/omp_icv.c.
 */
#include "omp/env/icv.h"

#include "base/lock.h"
#include "base/mem.h"

const struct qomp_icv *qomp_icv_initial;

struct qomp_settings qomp_settings;

enum { NBUCKETS = 1024 };

struct set {
	struct qomp_icv values;
	struct set *next;
};

static struct set *bucket[NBUCKETS];

static bool icv_equal(const struct qomp_icv *a, const struct qomp_icv *b)
{
	return a->nthreads == b->nthreads && a->thread_limit == b->thread_limit && a->schedule == b->schedule &&
		a->monotonic == b->monotonic && a->dynamic == b->dynamic &&
		a->max_active_levels == b->max_active_levels && a->bind == b->bind &&
		a->default_device == b->default_device && a->chunk == b->chunk && a->allocator == b->allocator &&
		a->inner == b->inner;
}

/* What programs change most often has the low bits, so that consecutive numbers fall into different buckets. */
static unsigned icv_hash(const struct qomp_icv *v)
{
	uint64_t small = (uint64_t)v->schedule << 32 | (uint64_t)v->monotonic << 40 | (uint64_t)v->dynamic << 41 |
		(uint64_t)v->max_active_levels << 44 | (uint64_t)v->bind << 52;
	uint64_t h = (small ^ (uint64_t)v->chunk ^ (uint64_t)(uint32_t)v->default_device << 20) *
		UINT64_C(0x9e3779b97f4a7c15);

	h ^= v->thread_limit ^ v->allocator ^ (uintptr_t)v->inner >> 4;
	return (v->nthreads + (unsigned)(h ^ h >> 40)) % NBUCKETS;
}

/* Looks at the sets before `end`. */
static struct set *icv_find(struct set *first, const struct set *end, const struct qomp_icv *values)
{
	for (; first != end; first = first->next)
		if (icv_equal(&first->values, values))
			return first;
	return NULL;
}

const struct qomp_icv *qomp_icv_of(const struct qomp_icv *values)
{
	struct set **b = &bucket[icv_hash(values)];
	struct set *seen = load_acq(b), *found = icv_find(seen, NULL, values), *mine;

	if (qti_likely(found != NULL))
		return &found->values;
	mine = qti_mem_alloc(sizeof(*mine));
	if (!mine)
		return NULL;
	mine->values = *values;
	for (mine->next = seen; !cas_acq_rel(b, &seen, mine); mine->next = seen)        /* I1 */
		if ((found = icv_find(seen, mine->next, values)) != NULL) {
			qti_mem_free(mine);
			return &found->values;
		}
	return &mine->values;
}

static const struct qomp_sizes *sizes_add(uint32_t nthreads, const struct qomp_sizes *rest)
{
	static struct known {
		struct qomp_sizes list;
		struct known *next;
	} *all;
	static struct qti_lock lock;
	struct known *k;

	qti_lock_take(&lock);
	for (k = all; k && (k->list.nthreads != nthreads || k->list.rest != rest); k = k->next)
		;
	if (!k && (k = qti_mem_alloc(sizeof(*k))) != NULL) {
		*k = (struct known){ .list = { .nthreads = nthreads, .rest = rest }, .next = all };
		all = k;
	}
	qti_lock_drop(&lock);
	return k ? &k->list : NULL;
}

const struct qomp_sizes *qomp_sizes_of(const int32_t *nthreads, unsigned n)
{
	const struct qomp_sizes *list = NULL;

	while (n-- > 0) {
		list = sizes_add(nthreads[n] > 0 ? (uint32_t)nthreads[n] : 1, list);
		if (!list)
			return NULL;
	}
	return list;
}

static uint32_t at_level(const struct qomp_levels *list, unsigned level, uint32_t inherited)
{
	return level < list->n ? list->value[level] : inherited;
}

const struct qomp_icv *qomp_icv_inside(const struct qomp_icv *outer, unsigned level, unsigned clause)
{
	const struct qomp_levels *nthreads = &qomp_settings.nthreads, *bind = &qomp_settings.bind;
	uint32_t bound = clause && outer->bind != QOMP_BIND_FALSE ? clause : outer->bind;
	struct qomp_icv inner = *outer;

	if (qti_likely(level >= nthreads->n && level >= bind->n && bound == outer->bind && !outer->inner))
		return outer;
	inner.nthreads = outer->inner ? outer->inner->nthreads : at_level(nthreads, level, outer->nthreads);
	if (outer->inner && outer->inner->rest)
		inner.inner = outer->inner->rest;
	inner.bind = (uint8_t)at_level(bind, level, bound);

	const struct qomp_icv *set = qomp_icv_of(&inner);
	return set ? set : outer;
}
