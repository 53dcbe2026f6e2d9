/* omp/abi/kmp_memory.c -- memory from the heap, under the names that old programs of Intel's compilers use.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmp.h"

#include "omp/abi/api.h"

#include <stdlib.h>

void *kmp_malloc(size_t size)
{
	return malloc(size);
}

void *kmp_aligned_malloc(size_t size, size_t align)
{
	void *p;

	if (align == 0 || (align & (align - 1)) != 0)
		return NULL;
	if (align < sizeof(void *))
		align = sizeof(void *);
	return posix_memalign(&p, align, size) == 0 ? p : NULL;
}

void *kmp_calloc(size_t n, size_t size)
{
	return calloc(n, size);
}

void *kmp_realloc(void *p, size_t size)
{
	return realloc(p, size);
}

void kmp_free(void *p)
{
	free(p);
}

#define C_FORM(name, of) extern __typeof__(of) name __attribute__((alias(#of))) QOMP_EXPORT
C_FORM(kmpc_malloc, kmp_malloc);
C_FORM(kmpc_aligned_malloc, kmp_aligned_malloc);
C_FORM(kmpc_calloc, kmp_calloc);
C_FORM(kmpc_realloc, kmp_realloc);
C_FORM(kmpc_free, kmp_free);

QOMP_EXPORT void *kmp_malloc_(const size_t *size);
QOMP_EXPORT void *kmp_aligned_malloc_(const size_t *size, const size_t *align);
QOMP_EXPORT void *kmp_calloc_(const size_t *n, const size_t *size);
QOMP_EXPORT void *kmp_realloc_(void **p, const size_t *size);
QOMP_EXPORT void kmp_free_(void **p);

void *kmp_malloc_(const size_t *size)
{
	return kmp_malloc(*size);
}

void *kmp_aligned_malloc_(const size_t *size, const size_t *align)
{
	return kmp_aligned_malloc(*size, *align);
}

void *kmp_calloc_(const size_t *n, const size_t *size)
{
	return kmp_calloc(*n, *size);
}

void *kmp_realloc_(void **p, const size_t *size)
{
	return kmp_realloc(*p, *size);
}

void kmp_free_(void **p)
{
	kmp_free(*p);
}
