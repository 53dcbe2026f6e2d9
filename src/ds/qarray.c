/* ds/qarray.c -- distributed arrays: their memory and the owners of their segments.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/mem.h"
#include "ds/qarray.h"
#include "qthread/qtimer.h"

enum { ARRAY_UNIT = 8, ARRAY_SEGMENT_PAGES = 16 };

/* ---- Who owns how much */

/* Bytes of all DIST and ALL_SAME arrays, by owner, for DIST_LEAST and ALL_LEAST.  The others weigh on all alike. */
static uint64_t owner_bytes[NO_SHEPHERD];

static qthread_shepherd_id_t owner_least(size_t nsheps)
{
	size_t least = 0;

	for (size_t s = 1; s < nsheps; s++)
		if (load_rlx(&owner_bytes[s]) < load_rlx(&owner_bytes[least]))
			least = s;
	return (qthread_shepherd_id_t)least;
}

static void owner_add(qthread_shepherd_id_t shep, uint64_t bytes)
{
	add_rlx(&owner_bytes[shep], bytes);
}

/* Count the array in, or, negated, out. */
static void array_count(const struct qti_qarray *a, bool negated)
{
	const uint64_t bytes = negated ? -(uint64_t)a->open.segment_bytes : a->open.segment_bytes;

	if (a->open.dist_type == ALL_SAME)
		owner_add(a->open.dist_specific.dist_shep, bytes * a->nsegments);
	for (size_t s = 0; a->owner && s < a->nsegments; s++)
		owner_add(a->owner[s], bytes);
}

/* ---- Placement */

static qthread_shepherd_id_t place_local(void)
{
	const qthread_shepherd_id_t here = qthread_shep();

	return here == NO_SHEPHERD ? 0 : here;
}

static qthread_shepherd_id_t place_random(size_t nsheps)
{
	return (qthread_shepherd_id_t)(qtimer_fastrand() % nsheps);
}

static void place_fields(struct qti_qarray *a, size_t nsheps)
{
	a->open.dist_specific.stripes.segs_per_shep = a->nsegments / nsheps;
	a->open.dist_specific.stripes.extras = a->nsegments % nsheps;
}

static void place_all(struct qti_qarray *a, qthread_shepherd_id_t shep)
{
	a->open.dist_type = ALL_SAME;
	a->open.dist_specific.dist_shep = shep;
	array_count(a, false);
}

static qthread_shepherd_id_t place_one(const struct qti_qarray *a, distribution_t d, size_t segment, size_t nsheps)
{
	switch (d) {
	case DIST_STRIPES:
		return (qthread_shepherd_id_t)(segment % nsheps);
	case DIST_FIELDS:
		return (qthread_shepherd_id_t)qti_qarray_field(&a->open, segment);
	case DIST_LEAST:
		return owner_least(nsheps);
	default:
		return place_random(nsheps);
	}
}

static bool place_each(struct qti_qarray *a, distribution_t d, size_t nsheps)
{
	a->open.dist_type = DIST;
	a->owner = qti_mem_alloc(a->nsegments * sizeof(*a->owner));
	if (!a->owner)
		return false;
	place_fields(a, nsheps);        /* for DIST_FIELDS */
	for (size_t s = 0; s < a->nsegments; s++) {
		a->owner[s] = place_one(a, d, s, nsheps);
		owner_add(a->owner[s], a->open.segment_bytes);
	}
	return true;
}

static bool array_place(struct qti_qarray *a, distribution_t d, size_t nsheps)
{
	switch (d) {
	case FIXED_HASH:
		a->open.dist_type = FIXED_HASH;
		return true;
	case FIXED_FIELDS:
		a->open.dist_type = FIXED_FIELDS;
		place_fields(a, nsheps);
		return true;
	case ALL_SAME:
	case ALL_LOCAL:
		place_all(a, place_local());
		return true;
	case ALL_RAND:
		place_all(a, place_random(nsheps));
		return true;
	case ALL_LEAST:
		place_all(a, owner_least(nsheps));
		return true;
	default:
		return place_each(a, d, nsheps);
	}
}

/* ---- Making and releasing */

static bool is_each(distribution_t d)
{
	return d == DIST || d == DIST_STRIPES || d == DIST_FIELDS || d == DIST_RAND || d == DIST_LEAST;
}

/* Sizes for count elements of a->unit_size bytes, with `room` bytes left free in each segment.  False when that is more
 * than can be addressed. */
static bool array_cut(struct qti_qarray *a, size_t count, size_t pages, size_t room)
{
	const size_t page = qti_mem_page();
	qarray *q = &a->open;
	size_t least;

	if (__builtin_add_overflow(q->unit_size, room, &least) || least > SIZE_MAX - page ||
	    __builtin_mul_overflow(pages, page, &q->segment_bytes))
		return false;
	if (q->segment_bytes < least)
		q->segment_bytes = qti_mem_round(least, page);
	q->segment_size = (q->segment_bytes - room) / q->unit_size;
	q->count = count;
	a->nsegments = count / q->segment_size + (count % q->segment_size != 0);

	size_t bytes;
	return !__builtin_mul_overflow(a->nsegments, q->segment_bytes, &bytes);
}

static bool array_make(struct qti_qarray *a, distribution_t d, size_t nsheps)
{
	a->open.base_ptr = qti_mem_aligned(qti_mem_page(), a->nsegments * a->open.segment_bytes);
	if (!a->open.base_ptr)
		return false;
	if (array_place(a, d, nsheps))
		return true;
	qti_mem_free(a->open.base_ptr);
	return false;
}

qarray *qarray_create_configured(size_t const count, size_t const unit_size, distribution_t const d, char const tight,
	int const seg_pages)
{
	const size_t nsheps = qti_qarray_nsheps();
	struct qti_qarray *a;

	if (count == 0 || unit_size == 0 || unit_size > SIZE_MAX - ARRAY_UNIT || (unsigned)d > ALL_LEAST ||
	    seg_pages < 0 || nsheps == 0)
		return NULL;
	a = qti_mem_zalloc(sizeof(*a));
	if (!a)
		return NULL;
	a->open.unit_size = tight ? unit_size : qti_mem_round(unit_size, ARRAY_UNIT);
	if (array_cut(a, count, seg_pages ? (size_t)seg_pages : ARRAY_SEGMENT_PAGES,
		    is_each(d) ? sizeof(qthread_shepherd_id_t) : 0) &&
	    array_make(a, d, nsheps))
		return &a->open;
	qti_mem_free(a);
	return NULL;
}

qarray *qarray_create(size_t const count, size_t const unit_size)
{
	return qarray_create_configured(count, unit_size, FIXED_HASH, 0, 0);
}

qarray *qarray_create_tight(size_t const count, size_t const unit_size)
{
	return qarray_create_configured(count, unit_size, FIXED_HASH, 1, 0);
}

static struct qti_qarray *array_inside(qarray *a)
{
	return (struct qti_qarray *)(void *)a;
}

void qarray_destroy(qarray *q)
{
	struct qti_qarray *a = array_inside(q);

	if (!a)
		return;
	array_count(a, true);
	qti_mem_free(a->owner);
	qti_mem_free(q->base_ptr);
	qti_mem_free(a);
}

/* ---- Owners */

qthread_shepherd_id_t qarray_shepof(qarray const *a, size_t const index)
{
	const size_t nsheps = qti_qarray_nsheps();

	if (!a || index >= a->count || nsheps == 0)
		return NO_SHEPHERD;
	return qti_qarray_owner(a, index / a->segment_size, nsheps);
}

void *qarray_elem_migrate(qarray const *a, size_t const index)
{
	const qthread_shepherd_id_t owner = qarray_shepof(a, index);

	if (owner != NO_SHEPHERD && owner != qthread_shep())
		qthread_migrate_to(owner);      /* refused: the address is as good from here, only farther */
	return qarray_elem_nomigrate(a, index);
}

void qarray_set_shepof(qarray *q, size_t const i, qthread_shepherd_id_t shep)
{
	struct qti_qarray *a = array_inside(q);
	uint64_t bytes;
	qthread_shepherd_id_t before;

	if (!a || i >= q->count || shep >= qti_qarray_nsheps())
		return;
	if (q->dist_type == ALL_SAME) {
		before = swap_acq_rel(&q->dist_specific.dist_shep, shep);
		bytes = (uint64_t)q->segment_bytes * a->nsegments;
	} else if (q->dist_type == DIST) {
		before = swap_acq_rel(&a->owner[i / q->segment_size], shep);
		bytes = q->segment_bytes;
	} else {
		return;
	}
	owner_add(before, -bytes);
	owner_add(shep, bytes);
}

/* Do equal formulas give equal owners?  Where each segment has its own there is no formula. */
static bool array_same_formula(const qarray *x, const qarray *y)
{
	return x->dist_type == ALL_SAME || (x->dist_type == FIXED_HASH && x->segment_size == y->segment_size) ||
	       (x->dist_type == FIXED_FIELDS && x->segment_size == y->segment_size && x->count == y->count);
}

/* The owner, by ref, of an element that ref may not have: a formula goes on, else the last element counts. */
static qthread_shepherd_id_t array_owner_like(const qarray *ref, size_t index, size_t nsheps)
{
	const bool goes_on = ref->dist_type == FIXED_HASH || index < ref->count;

	return qti_qarray_owner(ref, (goes_on ? index : ref->count - 1) / ref->segment_size, nsheps);
}

/* The owners, by ref, of the segments of a. */
static qthread_shepherd_id_t *array_owners_like(const struct qti_qarray *a, const qarray *ref, size_t nsheps)
{
	qthread_shepherd_id_t *owner = qti_mem_alloc(a->nsegments * sizeof(*owner));

	for (size_t s = 0; owner && s < a->nsegments; s++)
		owner[s] = array_owner_like(ref, s * a->open.segment_size, nsheps);
	return owner;
}

void qarray_dist_like(qarray const *ref, qarray *mod)
{
	const size_t nsheps = qti_qarray_nsheps();
	struct qti_qarray *a = array_inside(mod);
	qthread_shepherd_id_t *owner = NULL;

	if (!ref || !mod || ref == mod || nsheps == 0)
		return;
	const bool formula = array_same_formula(ref, mod);
	if (!formula && !(owner = array_owners_like(a, ref, nsheps)))
		return;
	array_count(a, true);
	qti_mem_free(a->owner);
	a->owner = owner;
	mod->dist_type = formula ? ref->dist_type : DIST;
	mod->dist_specific = ref->dist_specific;
	array_count(a, false);
}
