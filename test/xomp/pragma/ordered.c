/* test/xomp/pragma/ordered.c -- ordered loops; see test/xomp/constructs.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/constructs.h"

#define OMP(...) _Pragma(#__VA_ARGS__)

#define LOOP \
	for (int i = 0; i < n; i++) { \
		OMP(omp ordered) \
		out[k++] = i; \
	}

int ordered_default(int n, int *out)
{
	int k = 0;
#pragma omp parallel for ordered
	LOOP
	return k;
}

int ordered_static(int n, int chunk, int *out)
{
	int k = 0;
#pragma omp parallel for ordered schedule(static, chunk)
	LOOP
	return k;
}

int ordered_dynamic(int n, int chunk, int *out)
{
	int k = 0;
#pragma omp parallel for ordered schedule(dynamic, chunk)
	LOOP
	return k;
}

int ordered_guided(int n, int chunk, int *out)
{
	int k = 0;
#pragma omp parallel for ordered schedule(guided, chunk)
	LOOP
	return k;
}

int ordered_runtime(int n, int *out)
{
	int k = 0;
#pragma omp parallel for ordered schedule(runtime)
	LOOP
	return k;
}

int ordered_some(int n, int *out)
{
	int k = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
	for (int i = n - 1; i >= 0; i -= 2)
		if (i % 3 == 0) {
#pragma omp ordered
			out[k++] = i;
		}
	return k;
}
