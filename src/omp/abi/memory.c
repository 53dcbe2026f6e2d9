/* omp/abi/memory.c -- allocating through OpenMP.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is preceded by a header that says where it comes from, since omp_free may be told or not.
 */
#include "omp/abi/memory.h"

#include "base/mem.h"
#include "omp/abi/allocator.h"
#include "omp/env/icv.h"
#include "omp/env/text.h"
#include "omp/team/standing.h"

#include <stdbool.h>
#include <string.h>

struct header {
	void *start;                    /* of what the system gave */
	size_t size;                    /* that the program may use */
	size_t bytes;                   /* that the block takes, all told */
	uintptr_t allocator;
};

#define NATURAL _Alignof(max_align_t)   /* of what the system gives */

static struct header *header_of(void *p)
{
	return (struct header *)p - 1;
}

/* --- the system's ---------------------------------------------------------------------------------------- */

/* What a block takes so that `size` bytes of it are at that alignment; SIZE_MAX: more than any object has, and tools
 * complain of whoever asks for one. */
static size_t block_bytes(size_t align, size_t size)
{
	size_t room, bytes;

	if (align < NATURAL)
		align = NATURAL;
	if (__builtin_add_overflow(sizeof(struct header), align - NATURAL, &room) ||
	    __builtin_add_overflow(qti_mem_round(room, NATURAL), size, &bytes) || bytes > PTRDIFF_MAX)
		return SIZE_MAX;
	return bytes;
}

/* A block of `bytes`, zeroed if that is wanted. */
static void *block_new(size_t align, size_t size, size_t bytes, uintptr_t allocator, bool zeroed)
{
	char *start = zeroed ? qti_mem_zalloc(bytes) : qti_mem_alloc(bytes);

	if (!start)
		return NULL;
	char *p = (char *)qti_mem_round((uintptr_t)start + sizeof(struct header), align < NATURAL ? NATURAL : align);
	*header_of(p) = (struct header){ start, size, bytes, allocator };
	return p;
}

/* --- an allocator's pool --------------------------------------------------------------------------------- */

/* Relaxed: a sum, which orders nothing. */
static bool pool_take(struct qomp_allocator *a, size_t bytes)
{
	if (!a || a->pool == SIZE_MAX)
		return true;
	size_t used = load_rlx(&a->used);
	do {
		if (bytes > a->pool || used > a->pool - bytes)
			return false;
	} while (!cas_acq(&a->used, &used, used + bytes));
	return true;
}

static void pool_give(struct qomp_allocator *a, size_t bytes)
{
	if (a && a->pool != SIZE_MAX)
		sub_rlx(&a->used, bytes);
}

static void *take_from(size_t align, size_t size, uintptr_t handle, bool zeroed)
{
	struct qomp_allocator *a = qomp_allocator(handle);
	size_t bytes = block_bytes(align, size);

	if (bytes == SIZE_MAX || !pool_take(a, bytes))
		return NULL;
	void *p = block_new(align, size, bytes, handle, zeroed);
	if (!p)
		pool_give(a, bytes);
	return p;
}

/* --- an allocator's fallbacks ---------------------------------------------------------------------------- */

/* Who is asked next after the one that had nothing to give; 0: nobody. */
static uintptr_t next_after(uintptr_t handle, size_t size)
{
	const struct qomp_allocator *a = qomp_allocator(handle);

	if (!a || a->fallback == QOMP_FALLBACK_NULL)
		return 0;
	if (a->fallback == QOMP_FALLBACK_ABORT)
		qomp_fatal("out of memory for %zu bytes from an allocator whose fallback is to abort", size);
	return a->fallback == QOMP_FALLBACK_ALLOCATOR ? a->next : QOMP_ALLOCATOR_DEFAULT;
}

/* The alignment asked for holds wherever the memory comes from. */
static void *block_allocate(size_t align, size_t size, uintptr_t handle, bool zeroed)
{
	if (size == 0 || (align & (align - 1)) != 0)
		return NULL;
	if (handle == 0)
		handle = qomp_frame()->icv->allocator;
	do {
		const struct qomp_allocator *a = qomp_allocator(handle);
		if (a && a->align > align)
			align = a->align;
		void *p = take_from(align, size, handle, zeroed);
		if (p)
			return p;
		handle = next_after(handle, size);
	} while (handle != 0);
	return NULL;
}

/* --- the calls ------------------------------------------------------------------------------------------- */

void *omp_aligned_alloc(size_t align, size_t size, uintptr_t allocator)
{
	return block_allocate(align, size, allocator, false);
}

void *omp_alloc(size_t size, uintptr_t allocator)
{
	return block_allocate(0, size, allocator, false);
}

void *omp_aligned_calloc(size_t align, size_t n, size_t size, uintptr_t allocator)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		bytes = SIZE_MAX;       /* which nobody has */
	return block_allocate(align, bytes, allocator, true);
}

void *omp_calloc(size_t n, size_t size, uintptr_t allocator)
{
	return omp_aligned_calloc(0, n, size, allocator);
}

void omp_free(void *p, uintptr_t allocator)
{
	(void)allocator;        /* the header knows better */
	if (!p)
		return;
	struct header *h = header_of(p);
	pool_give(qomp_allocator(h->allocator), h->bytes);
	qti_mem_free(h->start);
}

/* A block of another size from where it came from, whose pool need not have room for both.  NULL: there is none. */
static void *block_resized(void *p, size_t size)
{
	const struct header *h = header_of(p);
	struct qomp_allocator *a = qomp_allocator(h->allocator);
	size_t align = a ? a->align : 0, old = h->bytes, bytes = block_bytes(align, size);

	if (bytes == SIZE_MAX || (bytes > old && !pool_take(a, bytes - old)))
		return NULL;
	void *other = block_new(align, size, bytes, h->allocator, false);
	if (!other) {
		pool_give(a, bytes > old ? bytes - old : 0);
		return NULL;
	}
	memcpy(other, p, size < h->size ? size : h->size);
	qti_mem_free(h->start);
	pool_give(a, old > bytes ? old - bytes : 0);
	return other;
}

static void *block_moved(void *p, size_t size, uintptr_t allocator)
{
	const struct header *h = header_of(p);
	void *other = omp_alloc(size, allocator);

	if (other) {
		memcpy(other, p, size < h->size ? size : h->size);
		omp_free(p, 0);
	}
	return other;
}

void *omp_realloc(void *p, size_t size, uintptr_t allocator, uintptr_t free_allocator)
{
	if (!p)
		return omp_alloc(size, allocator);
	if (size == 0) {
		omp_free(p, free_allocator);
		return NULL;
	}
	uintptr_t from = header_of(p)->allocator;
	void *other = allocator == 0 || allocator == from ? block_resized(p, size) : NULL;
	return other ? other : block_moved(p, size, allocator ? allocator : from);
}

void *GOMP_alloc(size_t align, size_t size, uintptr_t allocator)
{
	void *p = omp_aligned_alloc(align, size, allocator);

	if (!p && size != 0)
		qomp_fatal("out of memory for %zu bytes of an allocate clause", size);
	return p;
}

void GOMP_free(void *p, uintptr_t allocator)
{
	omp_free(p, allocator);
}
