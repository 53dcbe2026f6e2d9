/* test/xomp/lowered/regions.c -- pragma/regions.c in calls of XOMP.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "libxomp.h"

#include "xomp/constructs.h"

#include <limits.h>

int region_global;

/* --- size ------------------------------------------------------------------------------------------------ */

struct OUT__1__data {
	void *size_p;
	void *visits_p;
};

static void OUT__1__(void *__out_argv)
{
	int *size = (int *)(((struct OUT__1__data *)__out_argv)->size_p);
	int **visits = (int **)(((struct OUT__1__data *)__out_argv)->visits_p);

	(*visits)[omp_get_thread_num()]++;
	if (XOMP_master()) {
		*size = omp_get_num_threads();
	}
}

int region_default(int *visits)
{
	int size = 0;
	struct OUT__1__data __out_argv1__;
	__out_argv1__.visits_p = ((void *)(&visits));
	__out_argv1__.size_p = ((void *)(&size));
	XOMP_parallel_start(OUT__1__, &__out_argv1__, 1, 0, "regions.c", 14);
	XOMP_parallel_end("regions.c", 19);
	return size;
}

int region_if(int condition, int *visits)
{
	int size = 0;
	struct OUT__1__data __out_argv1__;
	__out_argv1__.visits_p = ((void *)(&visits));
	__out_argv1__.size_p = ((void *)(&size));
	XOMP_parallel_start(OUT__1__, &__out_argv1__, condition, 0, "regions.c", 26);
	XOMP_parallel_end("regions.c", 31);
	return size;
}

int region_threads(int threads, int *visits)
{
	int size = 0;
	struct OUT__1__data __out_argv1__;
	__out_argv1__.visits_p = ((void *)(&visits));
	__out_argv1__.size_p = ((void *)(&size));
	XOMP_parallel_start(OUT__1__, &__out_argv1__, 1, threads, "regions.c", 38);
	XOMP_parallel_end("regions.c", 43);
	return size;
}

int region_if_threads(int condition, int threads, int *visits)
{
	int size = 0;
	struct OUT__1__data __out_argv1__;
	__out_argv1__.visits_p = ((void *)(&visits));
	__out_argv1__.size_p = ((void *)(&size));
	XOMP_parallel_start(OUT__1__, &__out_argv1__, condition, threads, "regions.c", 50);
	XOMP_parallel_end("regions.c", 55);
	return size;
}

/* --- data ------------------------------------------------------------------------------------------------ */

static void OUT__2__(void *__out_argv)
{
	(void)__out_argv;
	XOMP_atomic_start();
	region_global++;
	XOMP_atomic_end();
}

void region_nothing(void)
{
	XOMP_parallel_start(OUT__2__, 0, 1, 0, "regions.c", 61);
	XOMP_parallel_end("regions.c", 65);
}

struct OUT__3__data {
	int f;
	void *out_p;
};

static void OUT__3__(void *__out_argv)
{
	int f = (int)(((struct OUT__3__data *)__out_argv)->f);
	int **out = (int **)(((struct OUT__3__data *)__out_argv)->out_p);
	int _p_p;
	int _p_f;
	_p_f = f;
	_p_p = omp_get_thread_num() * 10;
	_p_f = _p_f * 100 + _p_p;
	(*out)[omp_get_thread_num()] = _p_f + 1;
}

int region_data(int threads, int f, int *out)
{
	int p = -1;
	struct OUT__3__data __out_argv3__;
	__out_argv3__.out_p = ((void *)(&out));
	__out_argv3__.f = f;
	XOMP_parallel_start(OUT__3__, &__out_argv3__, 1, threads, "regions.c", 71);
	XOMP_parallel_end("regions.c", 76);
	return f * 10 + p;
}

struct OUT__4__data {
	void *s_p;
	void *x_p;
	void *m_p;
};

static void OUT__4__(void *__out_argv)
{
	long *s = (long *)(((struct OUT__4__data *)__out_argv)->s_p);
	long *x = (long *)(((struct OUT__4__data *)__out_argv)->x_p);
	int *m = (int *)(((struct OUT__4__data *)__out_argv)->m_p);
	long _p_s;
	long _p_x;
	int _p_m;
	_p_s = 0;
	_p_x = 1;
	_p_m = INT_MIN;
	_p_s += omp_get_thread_num() + 1;
	_p_x *= 2;
	if (_p_m < omp_get_thread_num())
		_p_m = omp_get_thread_num();
	XOMP_atomic_start();
	*s = *s + _p_s;
	XOMP_atomic_end();
	XOMP_atomic_start();
	*x = *x * _p_x;
	XOMP_atomic_end();
	XOMP_atomic_start();
	*m = *m > _p_m ? *m : _p_m;
	XOMP_atomic_end();
}

void region_reduction(int threads, long *sum, long *product, int *top)
{
	long s = *sum;
	long x = *product;
	int m = *top;
	struct OUT__4__data __out_argv4__;
	__out_argv4__.s_p = ((void *)(&s));
	__out_argv4__.x_p = ((void *)(&x));
	__out_argv4__.m_p = ((void *)(&m));
	XOMP_parallel_start(OUT__4__, &__out_argv4__, 1, threads, "regions.c", 84);
	XOMP_parallel_end("regions.c", 90);
	*sum = s;
	*product = x;
	*top = m;
}

/* --- nested ---------------------------------------------------------------------------------------------- */

static void *xomp_critical_user_;

struct OUT__6__data {
	void *ran_p;
	void *numbers_p;
};

static void OUT__6__(void *__out_argv)
{
	int *ran = (int *)(((struct OUT__6__data *)__out_argv)->ran_p);
	int **numbers = (int **)(((struct OUT__6__data *)__out_argv)->numbers_p);

	XOMP_critical_start(&xomp_critical_user_);
	(*ran)++;
	(*numbers)[omp_get_thread_num()]++;
	XOMP_critical_end(&xomp_critical_user_);
}

struct OUT__5__data {
	int inner;
	void *ran_p;
	void *numbers_p;
};

static void OUT__5__(void *__out_argv)
{
	int inner = (int)(((struct OUT__5__data *)__out_argv)->inner);
	int *ran = (int *)(((struct OUT__5__data *)__out_argv)->ran_p);
	int **numbers = (int **)(((struct OUT__5__data *)__out_argv)->numbers_p);
	struct OUT__6__data __out_argv6__;
	__out_argv6__.ran_p = ((void *)(&*ran));
	__out_argv6__.numbers_p = ((void *)(&*numbers));
	XOMP_parallel_start(OUT__6__, &__out_argv6__, 1, inner, "regions.c", 101);
	XOMP_parallel_end("regions.c", 108);
}

int region_nested(int outer, int inner, int *numbers)
{
	int ran = 0;
	struct OUT__5__data __out_argv5__;
	__out_argv5__.inner = inner;
	__out_argv5__.ran_p = ((void *)(&ran));
	__out_argv5__.numbers_p = ((void *)(&numbers));
	XOMP_parallel_start(OUT__5__, &__out_argv5__, 1, outer, "regions.c", 99);
	XOMP_parallel_end("regions.c", 109);
	return ran;
}
