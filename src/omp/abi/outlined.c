/* omp/abi/outlined.c -- see omp/abi/outlined.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * C has no call with as many arguments as an array has.  But in every calling convention of the machines that we know
 * the caller takes the arguments away again, so the function may get more of them than it looks at.
 */
#include "omp/abi/outlined.h"

#include <string.h>

#define P8 void *, void *, void *, void *, void *, void *, void *, void *
#define P32 P8, P8, P8, P8
#define P128 P32, P32, P32, P32
#define P1024 P128, P128, P128, P128, P128, P128, P128, P128
#define A8(i) a[i], a[i + 1], a[i + 2], a[i + 3], a[i + 4], a[i + 5], a[i + 6], a[i + 7]
#define A32(i) A8(i), A8(i + 8), A8(i + 16), A8(i + 24)
#define A128(i) A32(i), A32(i + 32), A32(i + 64), A32(i + 96)
#define A1024 A128(0), A128(128), A128(256), A128(384), A128(512), A128(640), A128(768), A128(896)

enum { FEW = 8, SOME = 32, MANY = 128 };

static void call_most(void (*func)(void), void *const *arg, unsigned n)
{
	void *a[QOMP_OUTLINED_MOST] = { NULL };

	memcpy(a, arg, n * sizeof(*a));
	((void (*)(P1024))func)(A1024);
}

static void call_many(void (*func)(void), void *const *arg, unsigned n)
{
	void *a[MANY] = { NULL };

	memcpy(a, arg, n * sizeof(*a));
	((void (*)(P128))func)(A128(0));
}

static void call_some(void (*func)(void), void *const *arg, unsigned n)
{
	void *a[SOME] = { NULL };

	memcpy(a, arg, n * sizeof(*a));
	((void (*)(P32))func)(A32(0));
}

static void call_few(void (*func)(void), void *const *arg, unsigned n)
{
	void *a[FEW] = { NULL };

	memcpy(a, arg, n * sizeof(*a));
	((void (*)(P8))func)(A8(0));
}

void qomp_outlined_call(void (*func)(void), void *const *arg, unsigned n)
{
	if (n <= FEW)
		call_few(func, arg, n);
	else if (n <= SOME)
		call_some(func, arg, n);
	else if (n <= MANY)
		call_many(func, arg, n);
	else
		call_most(func, arg, n);
}
