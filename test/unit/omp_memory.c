/* test/unit/omp_memory.c -- allocators where memory is short: nothing is lost, and a pool's sum stays right.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/allocator.h"

#include "fault.h"
#include "omp/abi/api.h"
#include "omp/abi/memory.h"
#include "omp/env/allocator_text.h"
#include "tap.h"

#include <string.h>

enum { ALIGNMENT = 2, POOL_SIZE = 4, FALLBACK = 5, FALLBACK_ALLOCATOR = 6 };    /* of omp_alloctrait_key_t */

/* What a block takes besides, and what is lost where it is to be at an alignment. */
enum { HEADER = 32, NATURAL = 16 };

enum { LLVM_DEFAULT = 99 };     /* of omp_memspace_handle_t, in the omp.h of LLVM 22; 0 before, and GCC's */

static uintptr_t pool_of(size_t bytes, enum qomp_fallback fallback, uintptr_t next)
{
	const struct qomp_trait traits[] = {
		{ POOL_SIZE, bytes }, { FALLBACK, fallback }, { FALLBACK_ALLOCATOR, next },
	};

	return omp_init_allocator(0, 3, traits);
}

static size_t used(uintptr_t allocator)
{
	return qomp_allocator(allocator)->used;
}

static void making(void)
{
	fault_after(0);
	ok(pool_of(100, QOMP_FALLBACK_NULL, 0) == 0, "omp_init_allocator: no handle where there is no memory");
	fault_end();
	ok(omp_init_allocator(0, 1, &(struct qomp_trait){ ALIGNMENT, 24 }) == 0, "omp_init_allocator: no handle for alignment 24");
	ok(omp_init_allocator(0, 1, &(struct qomp_trait){ 9, 1 }) == 0, "omp_init_allocator: nor for a trait that there is not");

	/* access, preferred_device, device_access, target_access, atomic_scope, part_size */
	const struct qomp_trait newer[] = { { 3, 19 }, { 10, 5 }, { 11, 20 }, { 12, 21 }, { 13, 19 }, { 13, 7 }, { 14, 4096 } };
	uintptr_t a = omp_init_allocator(LLVM_DEFAULT, 7, newer);
	ok(a != 0 && omp_init_allocator(LLVM_DEFAULT, 1, &(struct qomp_trait){ 11, 5 }) == 0 &&
		omp_init_allocator(LLVM_DEFAULT + 1, 0, NULL) == 0,
		"omp_init_allocator: LLVM's number of the default memory, and the traits of OpenMP 6.0");
	omp_destroy_allocator(a);
}

static void made_from_text(void)
{
	char wrong[64];
	uintptr_t a = qomp_allocator_read("omp_default_mem_space:alignment=4096,fallback=null_fb,pool_size=10000", wrong,
		sizeof(wrong));
	char *p = omp_alloc(100, a);

	ok(p && (uintptr_t)p % 4096 == 0, "an allocator that OMP_ALLOCATOR describes aligns what it gives");
	ok(!omp_alloc(10000, a), "and has its pool and its fallback");
	omp_free(p, a);
	omp_destroy_allocator(a);
	fault_after(0);
	is_int(qomp_allocator_read("omp_default_mem_space:alignment=64", wrong, sizeof(wrong)), 0,
		"there is none where there is no memory");
	fault_end();
}

static void allocating(void)
{
	uintptr_t a = pool_of(100 + 2 * HEADER, QOMP_FALLBACK_NULL, 0);

	fault_after(0);
	ok(omp_alloc(60, a) == NULL && used(a) == 0, "omp_alloc: what the system does not give is not counted in the pool");
	fault_end();
	void *p = omp_alloc(60, a), *q = omp_alloc(41, a);
	ok(p && !q && used(a) == 60 + HEADER, "omp_alloc: a pool with room for 100 bytes has 60 and not 41 more");
	q = omp_alloc(40, a);
	ok(q && used(a) == 100 + 2 * HEADER, "omp_alloc: but 40");
	omp_free(p, a);
	omp_free(q, 0);
	is_int(used(a), 0, "omp_free: gives them back, told where they come from or not");
	ok(omp_alloc(SIZE_MAX, 1) == NULL && omp_aligned_alloc((size_t)1 << 63, SIZE_MAX / 2, 1) == NULL,
		"omp_alloc: sizes that do not fit are not had");
	ok(omp_calloc(SIZE_MAX / 2, 3, a) == NULL && used(a) == 0, "omp_calloc: nor products that do not fit");
	omp_destroy_allocator(a);
}

static void fallbacks(void)
{
	uintptr_t last = pool_of(1000, QOMP_FALLBACK_NULL, 0), next = pool_of(HEADER + 50, QOMP_FALLBACK_ALLOCATOR, last);
	uintptr_t first = pool_of(HEADER + 10, QOMP_FALLBACK_ALLOCATOR, next), other = pool_of(10, QOMP_FALLBACK_DEFAULT_MEM, 0);
	void *p = omp_aligned_alloc(128, 200, first);

	ok(p && (uintptr_t)p % 128 == 0 && used(first) == 0 && used(next) == 0 && used(last) == 200 + HEADER + 128 - NATURAL,
		"fallback to an allocator: from one to the next, with the alignment asked for");
	omp_free(p, first);
	ok(used(last) == 0 && omp_alloc(2000, first) == NULL, "and the last of them gives no more than it has");
	p = omp_alloc(2000, other);
	ok(p && used(other) == 0, "fallback to the default memory: from there");
	omp_free(p, other);
	fault_after(1);
	p = omp_alloc(5, first);
	ok(p && used(first) == 5 + HEADER, "and from the allocator itself, while it can");
	fault_end();
	omp_free(p, first);
	omp_destroy_allocator(first);
	omp_destroy_allocator(next);
	omp_destroy_allocator(last);
	omp_destroy_allocator(other);
}

static void reallocating(void)
{
	uintptr_t a = pool_of(100 + HEADER, QOMP_FALLBACK_NULL, 0);
	char *p = omp_alloc(60, a);

	memset(p, 'x', 60);
	p = omp_realloc(p, 90, a, a);
	ok(p && p[59] == 'x' && used(a) == 90 + HEADER, "omp_realloc: a pool with room for 100 bytes need not hold 60 and 90");
	ok(omp_realloc(p, 101, a, a) == NULL && p[0] == 'x' && used(a) == 90 + HEADER, "omp_realloc: has not 101, and leaves what there is");
	fault_after(0);
	ok(omp_realloc(p, 95, a, a) == NULL && p[0] == 'x' && used(a) == 90 + HEADER, "omp_realloc: the same where there is no memory");
	fault_end();
	p = omp_realloc(p, 10, 0, 0);
	ok(p && p[9] == 'x' && used(a) == 10 + HEADER, "omp_realloc: smaller, where it came from");
	p = omp_realloc(p, 500, 1, a);
	ok(p && p[9] == 'x' && used(a) == 0, "omp_realloc: to another allocator");
	ok(omp_realloc(p, 0, 1, 1) == NULL, "omp_realloc: of 0 bytes frees");
	omp_destroy_allocator(a);
}

int main(void)
{
	plan(23);
	omp_get_default_allocator();    /* a thread's first call, which needs memory of its own */
	qti_mem_fault = fault;
	making();
	made_from_text();
	allocating();
	fallbacks();
	reallocating();
	return done();
}
