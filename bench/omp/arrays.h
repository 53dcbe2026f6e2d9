/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The four figures' functions for arrays of SIZE doubles.  data.c includes this for one size after another. */

#define JOIN(a, b) a##_##b
#define NAME_OF(clause, size) JOIN(clause, size)
#define NAME(clause) NAME_OF(clause, SIZE)

static double NAME(mine)[SIZE];
#pragma omp threadprivate(NAME(mine))

static void NAME(private)(unsigned long n, unsigned arg)
{
	double a[SIZE];
	(void)arg;

	for (unsigned long i = 0; i < n; i++) {
#pragma omp parallel private(a)
		use(a);
	}
}

static void NAME(firstprivate)(unsigned long n, unsigned arg)
{
	double a[SIZE];
	(void)arg;

	a[SIZE - 1] = 1;
	for (unsigned long i = 0; i < n; i++) {
#pragma omp parallel firstprivate(a)
		use_copy(a, SIZE);
	}
}

static void NAME(copyin)(unsigned long n, unsigned arg)
{
	(void)arg;

	NAME(mine)[SIZE - 1] = 1;
	for (unsigned long i = 0; i < n; i++) {
#pragma omp parallel copyin(NAME(mine))
		use_copy(NAME(mine), SIZE);
	}
}

static void NAME(lastprivate)(unsigned long n, unsigned arg)
{
	double a[SIZE];
	int threads = omp_get_max_threads();
	(void)arg;

	for (unsigned long i = 0; i < n; i++) {
#pragma omp parallel for lastprivate(a)
		for (int t = 0; t < threads; t++) {
			use(a);
			a[SIZE - 1] = t;
		}
		if ((int)a[SIZE - 1] != threads - 1)
			body_count(); /* too many bodies now */
	}
}

#undef JOIN
#undef NAME_OF
#undef NAME
#undef SIZE
