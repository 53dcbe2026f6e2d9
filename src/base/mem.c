/* base/mem.c -- see base/mem.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/mem.h"

#include "base/race.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if QTI_VALGRIND
#include <valgrind/valgrind.h>
#endif

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  /* Linux 5.14 */
#endif

bool (*qti_mem_fault)(void);

static bool mem_fault(void)
{
	return qti_mem_fault && qti_mem_fault();
}

/* A race checker sees calls of the C library's, and would order memory of this one by them: so each lies between
 * qti_race_ignore(true) and this. */
static void *mem_attend_again(void *p)
{
	qti_race_ignore(false);
	return p;
}

void *qti_mem_alloc(size_t size)
{
	if (mem_fault())
		return NULL;
	qti_race_ignore(true);
	return mem_attend_again(malloc(size));
}

void *qti_mem_zalloc(size_t size)
{
	if (mem_fault())
		return NULL;
	qti_race_ignore(true);
	return mem_attend_again(calloc(1, size));
}

void *qti_mem_aligned(size_t align, size_t size)
{
	void *p;

	if (mem_fault())
		return NULL;
	qti_race_ignore(true);
	return mem_attend_again(posix_memalign(&p, align, size) == 0 ? p : NULL);
}

void qti_mem_free(void *p)
{
	qti_race_ignore(true);
	free(p);
	qti_race_ignore(false);
}

void *qti_mem_map(size_t size)
{
	if (mem_fault())
		return NULL;
	qti_race_ignore(true);
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return mem_attend_again(p == MAP_FAILED ? NULL : p);
}

void qti_mem_unmap(void *p, size_t size)
{
	if (p)
		munmap(p, size);
}

void qti_mem_commit(void *p, size_t size)
{
	int error = errno;

	(void)madvise(p, size, MADV_POPULATE_WRITE);
	errno = error;
}

bool qti_mem_watched(void)
{
#if QTI_VALGRIND
	return RUNNING_ON_VALGRIND != 0;
#else
	return false;
#endif
}

size_t qti_mem_page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}
