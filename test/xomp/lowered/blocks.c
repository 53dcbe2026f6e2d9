/* test/xomp/lowered/blocks.c -- pragma/blocks.c in calls of XOMP.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "libxomp.h"

#include "xomp/constructs.h"

/* --- sections -------------------------------------------------------------------------------------------- */

struct OUT__1__data {
	void *x_p;
	void *ran_p;
};

static void OUT__1__(void *__out_argv)
{
	int *x = (int *)(((struct OUT__1__data *)__out_argv)->x_p);
	int **ran = (int **)(((struct OUT__1__data *)__out_argv)->ran_p);
	int _p_x = 0;
	int xomp_section_1_save = -1;
	int xomp_section_1 = XOMP_sections_init_next(3);

	while (xomp_section_1 >= 0) {
		switch (xomp_section_1) {
		case 0: {
			_p_x = 10;
			(*ran)[0]++;
			break;
		}
		case 1: {
			_p_x = 20;
			(*ran)[1]++;
			break;
		}
		case 2: {
			_p_x = 30;
			(*ran)[2]++;
			break;
		}
		default: {
			abort();
		}
		}
		xomp_section_1_save = xomp_section_1;
		xomp_section_1 = XOMP_sections_next();
	}
	if (xomp_section_1_save == 3 - 1)
		*x = _p_x;
	XOMP_sections_end();
}

int sections_last(int *ran)
{
	int x = -1;
	struct OUT__1__data __out_argv1__;
	__out_argv1__.x_p = ((void *)(&x));
	__out_argv1__.ran_p = ((void *)(&ran));
	XOMP_parallel_start(OUT__1__, &__out_argv1__, 1, 0, "blocks.c", 11);
	XOMP_parallel_end("blocks.c", 29);
	return x;
}

static void count(int *counter)
{
	XOMP_atomic_start();
	(*counter)++;
	XOMP_atomic_end();
}

struct OUT__2__data {
	int rounds;
	void *ran_p;
};

static void OUT__2__(void *__out_argv)
{
	int rounds = (int)(((struct OUT__2__data *)__out_argv)->rounds);
	int **ran = (int **)(((struct OUT__2__data *)__out_argv)->ran_p);

	for (int r = 0; r < rounds; r++) {
		int xomp_section_2 = XOMP_sections_init_next(5);
		while (xomp_section_2 >= 0) {
			switch (xomp_section_2) {
			case 0: {
				count(&(*ran)[0]);
				break;
			}
			case 1: {
				count(&(*ran)[1]);
				break;
			}
			case 2: {
				count(&(*ran)[2]);
				break;
			}
			case 3: {
				count(&(*ran)[3]);
				break;
			}
			case 4: {
				count(&(*ran)[4]);
				break;
			}
			default: {
				abort();
			}
			}
			xomp_section_2 = XOMP_sections_next();
		}
		XOMP_sections_end_nowait();
	}
}

void sections_many(int rounds, int *ran)
{
	struct OUT__2__data __out_argv2__;
	__out_argv2__.rounds = rounds;
	__out_argv2__.ran_p = ((void *)(&ran));
	XOMP_parallel_start(OUT__2__, &__out_argv2__, 1, 0, "blocks.c", 40);
	XOMP_parallel_end("blocks.c", 55);
}

/* --- single and master ----------------------------------------------------------------------------------- */

struct OUT__3__data {
	int rounds;
	void *ran_p;
	void *other_p;
};

#define UNPACK(type) \
	int rounds = (int)(((struct OUT__3__data *)__out_argv)->rounds); \
	type *ran = (type *)(((struct OUT__3__data *)__out_argv)->ran_p); \
	type *other = (type *)(((struct OUT__3__data *)__out_argv)->other_p); \
	(void)other

#define PARALLEL(func, ran, other) \
	struct OUT__3__data __out_argv3__; \
	__out_argv3__.rounds = rounds; \
	__out_argv3__.ran_p = ((void *)(&ran)); \
	__out_argv3__.other_p = ((void *)(other)); \
	XOMP_parallel_start(func, &__out_argv3__, 1, 0, "blocks.c", 1); \
	XOMP_parallel_end("blocks.c", 2)

static void OUT__3__(void *__out_argv)
{
	UNPACK(int);
	for (int r = 0; r < rounds; r++) {
		if (XOMP_single()) {
			(*ran)++;
		}
		XOMP_barrier();
		if (*ran != r + 1) {
			XOMP_atomic_start();
			(*other)++;
			XOMP_atomic_end();
		}
		XOMP_barrier();
	}
}

int single_barrier(int rounds)
{
	int ran = 0;
	int wrong = 0;
	PARALLEL(OUT__3__, ran, &wrong);
	return ran - wrong;
}

static void OUT__4__(void *__out_argv)
{
	UNPACK(int);
	for (int r = 0; r < rounds; r++) {
		if (XOMP_single()) {
			count(&*ran);
		}
	}
}

int single_nowait(int rounds)
{
	int ran = 0;
	PARALLEL(OUT__4__, ran, 0);
	return ran;
}

static void OUT__5__(void *__out_argv)
{
	UNPACK(int);
	for (int r = 0; r < rounds; r++) {
		if (XOMP_master()) {
			(*ran)++;
			*other += omp_get_thread_num();
		}
	}
}

int master_only(int rounds, int *number)
{
	int ran = 0;
	PARALLEL(OUT__5__, ran, number);
	return ran;
}

/* --- exclusion ------------------------------------------------------------------------------------------- */

static void *xomp_critical_user_;
static void *xomp_critical_user_upd;
static void *xomp_critical_user_inner;

static void OUT__6__(void *__out_argv)
{
	UNPACK(long);
	for (int r = 0; r < rounds; r++) {
		XOMP_critical_start(&xomp_critical_user_);
		(*ran)++;
		XOMP_critical_end(&xomp_critical_user_);
	}
}

long critical_unnamed(int rounds)
{
	long sum = 0;
	PARALLEL(OUT__6__, sum, 0);
	return sum;
}

static void OUT__7__(void *__out_argv)
{
	UNPACK(long);
	for (int r = 0; r < rounds; r++) {
		XOMP_critical_start(&xomp_critical_user_upd);
		(*ran)++;
		XOMP_critical_start(&xomp_critical_user_inner);
		*other += 2;
		XOMP_critical_end(&xomp_critical_user_inner);
		XOMP_critical_end(&xomp_critical_user_upd);
		XOMP_critical_start(&xomp_critical_user_inner);
		(*other)++;
		XOMP_critical_end(&xomp_critical_user_inner);
	}
}

long critical_named(int rounds, long *other)
{
	long sum = 0;
	long x = 0;
	PARALLEL(OUT__7__, sum, &x);
	*other = x;
	return sum;
}

static void OUT__8__(void *__out_argv)
{
	UNPACK(long);
	for (int r = 0; r < rounds; r++) {
		XOMP_atomic_start();
		*ran += 3;
		XOMP_atomic_end();
	}
}

long atomic_added(int rounds)
{
	long sum = 0;
	PARALLEL(OUT__8__, sum, 0);
	return sum;
}

/* --- barriers and flushes -------------------------------------------------------------------------------- */

static void OUT__9__(void *__out_argv)
{
	UNPACK(int);
	for (int r = 1; r <= rounds; r++) {
		other[omp_get_thread_num()] = r;
		XOMP_barrier();
		for (int t = 0; t < omp_get_num_threads(); t++)
			if (other[t] != r)
				count(&*ran);
		XOMP_barrier();
	}
}

int barrier_phases(int rounds)
{
	int done[THREADS_MOST] = { 0 };
	int wrong = 0;
	PARALLEL(OUT__9__, wrong, done);
	return wrong;
}

struct OUT__10__data {
	void *data_p;
	void *ready_p;
	void *read_p;
};

static void OUT__10__(void *__out_argv)
{
	int *data = (int *)(((struct OUT__10__data *)__out_argv)->data_p);
	int *ready = (int *)(((struct OUT__10__data *)__out_argv)->ready_p);
	int *read = (int *)(((struct OUT__10__data *)__out_argv)->read_p);

	if (omp_get_thread_num() == 0) {
		*data = 42;
		XOMP_flush_all();
		__atomic_store_n(&*ready, 1, __ATOMIC_RELAXED);
	}
	XOMP_barrier();
	if (omp_get_thread_num() == omp_get_num_threads() - 1 && __atomic_load_n(&*ready, __ATOMIC_RELAXED)) {
		XOMP_flush_one((char *)data, sizeof(*data));
		*read = *data;
	}
}

int flush_published(void)
{
	int data = 0;
	int ready = 0;
	int read = 0;
	struct OUT__10__data __out_argv10__;
	__out_argv10__.data_p = ((void *)(&data));
	__out_argv10__.ready_p = ((void *)(&ready));
	__out_argv10__.read_p = ((void *)(&read));
	XOMP_parallel_start(OUT__10__, &__out_argv10__, 1, 2, "blocks.c", 160);
	XOMP_parallel_end("blocks.c", 173);
	return read;
}
