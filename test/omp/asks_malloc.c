/* test/omp/asks_malloc.c -- routines that ask answer within malloc(3), from the process's first call of it on.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Profilers of memory ask which thread it is that allocates.  The program's allocator asks, and counts the calls that
 * come while it does.
 */
#include "omp/asking.h"

#include <pthread.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HAS_OWN_MALLOC 1
#else
#define HAS_OWN_MALLOC 0
#endif

enum { ROUNDS = 200, MOST = 64 };

static int by[MOST], wrong, nested;     /* atomic */

#if HAS_OWN_MALLOC
/* libqomp has it.  GCC's libraries from 14 on crash if they are asked before their constructor has run. */
extern void XOMP_init(int argc, char **argv) __attribute__((weak));

static __thread bool asks;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *p);

static void ask(void)
{
	if (!XOMP_init)
		return;
	if (asks) {
		__atomic_add_fetch(&nested, 1, __ATOMIC_RELAXED);
		return;
	}
	asks = true;
	if (!asking_all())
		__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&by[omp_get_thread_num() % MOST], 1, __ATOMIC_RELAXED);
	asks = false;
}

void *malloc(size_t size)
{
	ask();
	return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	ask();
	return __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	ask();
	return __libc_realloc(p, size);
}

void *aligned_alloc(size_t align, size_t size)
{
	ask();
	return __libc_memalign(align, size);
}

void *memalign(size_t align, size_t size)
{
	ask();
	return __libc_memalign(align, size);
}

int posix_memalign(void **p, size_t align, size_t size)
{
	ask();
	*p = __libc_memalign(align, size);
	return *p ? 0 : 12;
}

void free(void *p)
{
	ask();
	__libc_free(p);
}
#endif

static void allocate(void)
{
	char *volatile p = malloc(100);

	*p = 1;
	free(p);
}

static void *in_a_pthread(void *unused)
{
#pragma omp parallel num_threads(2)
	allocate();
	return unused;
}

static void regions(void)
{
	pthread_t thread;

#pragma omp parallel num_threads(3)
	for (int i = 0; i < ROUNDS; i++)
		allocate();
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < ROUNDS; i++) {
#pragma omp task
		allocate();
	}
	omp_set_num_threads(5);
	if (pthread_create(&thread, NULL, in_a_pthread, NULL) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, NULL);
}

int main(void)
{
	plan(3);
	if (!HAS_OWN_MALLOC || (getenv("QTI_TEST_TOOL") && *getenv("QTI_TEST_TOOL"))) {
		skip(3, "the allocator is somebody else's");
		return done();
	}
	if (on_oracle()) {
		skip(3, "ours to promise");
		return done();
	}
	omp_set_dynamic(0);
	regions();
	is_int(wrong, 0, "within malloc all answers may be");
	is_int(nested, 0, "nobody allocates in order to answer");
	ok(by[0] >= ROUNDS && by[1] >= ROUNDS && by[2] >= ROUNDS, "each thread of a region is told by its number");
	return done();
}
