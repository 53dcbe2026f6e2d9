/* base/mem.h -- all memory that the library takes from the system.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every allocation passes here, so that a test can make the n-th one fail (test/api/out_of_memory.c).
 */
#ifndef QTI_BASE_MEM_H
#define QTI_BASE_MEM_H

#include "base/shared.h"

#include <stdbool.h>
#include <stddef.h>

/* Asked before each allocation when set; true makes that allocation fail.  May be called from any thread. */
extern bool (*qti_mem_fault)(void);

QTI_SHARED void *qti_mem_alloc(size_t size);               /* NULL when out of memory */
QTI_SHARED void *qti_mem_zalloc(size_t size);
QTI_SHARED void *qti_mem_aligned(size_t align, size_t size);    /* align: a power of two, at least that of a pointer */
QTI_SHARED void qti_mem_free(void *p);

/* Zeroed pages, committed when first touched; NULL when out of memory.  size is a multiple of the page size. */
void *qti_mem_map(size_t size);
void qti_mem_unmap(void *p, size_t size);

/* Mapped pages that are about to be touched, all of them: what the kernel does at once costs half of one fault for
 * each.  Advice; size is a multiple of the page size. */
void qti_mem_commit(void *p, size_t size);

/* valgrind runs the program: it complains of what is not given back before the process ends.  No in a library that has
 * been configured without it. */
bool qti_mem_watched(void);

size_t qti_mem_page(void);                      /* bytes */

/* The smallest power of two that is at least n. */
static inline size_t qti_mem_power(size_t n)
{
	size_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

/* n rounded up to a multiple of `to`, a power of two. */
static inline size_t qti_mem_round(size_t n, size_t to)
{
	return (n + to - 1) & ~(to - 1);
}

#endif
