/* omp/env/allocator.c -- see omp/env/allocator.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A trait that cannot be honoured, or that has a value which is none of its own, leaves no allocator: the handle is 0.
 */
#include "omp/env/allocator.h"

#include "base/mem.h"

enum {                                  /* of omp_alloctrait_value_t, besides those of enum qomp_fallback */
	NOT_PINNED = 0,
	SYNC_FIRST = 3, SYNC_LAST = 6,
	ACCESS_FIRST = 7, ACCESS_LAST = 10,
	PARTITION_FIRST = 15, PARTITION_LAST = 18,
	/* OpenMP 6.0: FROM_ALL was FROM_DEVICE's before. */
	FROM_DEVICE = 7, FROM_ALL = 19, BY_SINGLE = 20, BY_MULTIPLE = 21,
};

#define THE_DEFAULT UINTPTR_MAX         /* as a value of any trait */

/* of omp_memspace_handle_t: what there is none of; how many the standard has; the default one as LLVM 22 numbers it,
 * whose 0 is none; GCC's own, shared with devices */
enum { HIGH_BANDWIDTH = 3, SPACES = 5, LLVM_DEFAULT = 99, MANAGED = 200 };

static bool value_is_among(uintptr_t value, uintptr_t first, uintptr_t last)
{
	return value == THE_DEFAULT || (value >= first && value <= last);
}

static bool set_alignment(struct qomp_allocator *a, uintptr_t value)
{
	if (value == THE_DEFAULT)
		value = 1;
	a->align = value;
	return value != 0 && (value & (value - 1)) == 0;
}

static bool set_fallback(struct qomp_allocator *a, uintptr_t value)
{
	a->fallback = value == THE_DEFAULT ? QOMP_FALLBACK_DEFAULT_MEM : (enum qomp_fallback)value;
	return value_is_among(value, QOMP_FALLBACK_DEFAULT_MEM, QOMP_FALLBACK_ALLOCATOR);
}

static bool trait_set(struct qomp_allocator *a, const struct qomp_trait *t)
{
	switch (t->key) {
	case QOMP_TRAIT_ALIGNMENT:
		return set_alignment(a, t->value);
	case QOMP_TRAIT_POOL_SIZE:
		a->pool = t->value;
		return true;
	case QOMP_TRAIT_FALLBACK:
		return set_fallback(a, t->value);
	case QOMP_TRAIT_FALLBACK_ALLOCATOR:
		a->next = t->value == THE_DEFAULT ? QOMP_ALLOCATOR_DEFAULT : t->value;
		return true;
	case QOMP_TRAIT_SYNC_HINT:
		return value_is_among(t->value, SYNC_FIRST, SYNC_LAST);
	case QOMP_TRAIT_ACCESS:
		return value_is_among(t->value, ACCESS_FIRST, ACCESS_LAST) || t->value == FROM_ALL;
	case QOMP_TRAIT_PINNED:
		return value_is_among(t->value, NOT_PINNED, NOT_PINNED);
	case QOMP_TRAIT_PARTITION:
		return value_is_among(t->value, PARTITION_FIRST, PARTITION_LAST);
	case QOMP_TRAIT_DEVICE_ACCESS:
	case QOMP_TRAIT_TARGET_ACCESS:
		return value_is_among(t->value, BY_SINGLE, BY_MULTIPLE);
	case QOMP_TRAIT_ATOMIC_SCOPE:
		return value_is_among(t->value, FROM_ALL, FROM_ALL) || t->value == FROM_DEVICE;
	case QOMP_TRAIT_PREFERRED_DEVICE:
	case QOMP_TRAIT_PART_SIZE:
		return true;            /* hints */
	default:
		return false;
	}
}

bool qomp_allocator_can(const struct qomp_trait *t)
{
	struct qomp_allocator unused;

	return trait_set(&unused, t);
}

uintptr_t qomp_allocator_make(uintptr_t space, int n, const struct qomp_trait *traits)
{
	struct qomp_allocator a = { .align = 1, .pool = SIZE_MAX, .fallback = QOMP_FALLBACK_DEFAULT_MEM };

	if ((space >= SPACES && space != LLVM_DEFAULT && space != MANAGED) || space == HIGH_BANDWIDTH)
		return 0;
	for (int i = 0; i < n; i++)
		if (!trait_set(&a, &traits[i]))
			return 0;
	struct qomp_allocator *made = qti_mem_alloc(sizeof(*made));
	if (made)
		*made = a;
	return (uintptr_t)made;
}
