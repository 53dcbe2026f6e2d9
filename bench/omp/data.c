/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Regions that give each thread an array of its own, in the manner of EPCC's arraybench (Bull and O'Neill, EWOMP 2001):
 * a region, its body and the copies, less the body. */
#include "omp/omp.h"

#include <omp.h>

static inline void use(double *a)
{
	bench_keep((uintptr_t)a);
	body();
}

static inline void use_copy(double *a, unsigned size)
{
	bench_keep((uintptr_t)a);
	if (a[size - 1] == 1)
		body();
}

#define SIZE 1
#include "omp/arrays.h"
#define SIZE 9
#include "omp/arrays.h"
#define SIZE 81
#include "omp/arrays.h"
#define SIZE 729
#include "omp/arrays.h"
#define SIZE 6561
#include "omp/arrays.h"
#define SIZE 59049
#include "omp/arrays.h"

#define EACH { 1, 1, true }
#define ARRAY(CLAUSE, N) \
	{ #CLAUSE "_" #N, "ns", #CLAUSE "() of " #N " doubles", CLAUSE##_##N, bodies_serial, .count = EACH }
#define EVERY_SIZE(CLAUSE) \
	ARRAY(CLAUSE, 1), ARRAY(CLAUSE, 9), ARRAY(CLAUSE, 81), ARRAY(CLAUSE, 729), ARRAY(CLAUSE, 6561), \
		ARRAY(CLAUSE, 59049)

const struct figure figures_data[] = {
	EVERY_SIZE(private),
	EVERY_SIZE(firstprivate),
	EVERY_SIZE(copyin),
	EVERY_SIZE(lastprivate),
	{ .name = NULL },
};
