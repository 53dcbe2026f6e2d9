/* test/xomp/lowered/loops.c -- pragma/loops.c in calls of XOMP.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "libxomp.h"

#include "xomp/constructs.h"

/* --- every schedule, both ways --------------------------------------------------------------------------- */

struct OUT__1__data {
	int from;
	int to;
	int step;
	int chunk;
	void *count_p;
};

#define UNPACK \
	int from = (int)(((struct OUT__1__data *)__out_argv)->from); \
	int to = (int)(((struct OUT__1__data *)__out_argv)->to); \
	int step = (int)(((struct OUT__1__data *)__out_argv)->step); \
	int chunk = (int)(((struct OUT__1__data *)__out_argv)->chunk); \
	int **count = (int **)(((struct OUT__1__data *)__out_argv)->count_p); \
	(void)chunk

#define VISIT(i) __atomic_fetch_add(&(*count)[i], 1, __ATOMIC_RELAXED)

#define PARALLEL(func) \
	struct OUT__1__data __out_argv1__; \
	__out_argv1__.from = from; \
	__out_argv1__.to = to; \
	__out_argv1__.step = step; \
	__out_argv1__.chunk = chunk; \
	__out_argv1__.count_p = ((void *)(&count)); \
	XOMP_parallel_start(func, &__out_argv1__, 1, 0, "loops.c", 1); \
	XOMP_parallel_end("loops.c", 2)

static void OUT__default__(void *__out_argv)
{
	UNPACK;
	if (step > 0) {
		long p_index_;
		long p_lower_;
		long p_upper_;
		XOMP_loop_default(from, to - 1, step, &p_lower_, &p_upper_);
		for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += step)
			VISIT(p_index_);
		XOMP_barrier();
	} else {
		long p_index_;
		long p_lower_;
		long p_upper_;
		XOMP_loop_default(from, to + 1, step, &p_lower_, &p_upper_);
		for (p_index_ = p_lower_; p_index_ >= p_upper_; p_index_ += step)
			VISIT(p_index_);
		XOMP_barrier();
	}
}

void loop_default(int from, int to, int step, int *count)
{
	int chunk = 0;

	PARALLEL(OUT__default__);
}

/* kind: of the entry points; `, chunk` or nothing. */
#define LOOP(kind, ...) \
	static void OUT__##kind##__(void *__out_argv) \
	{ \
		UNPACK; \
		if (step > 0) { \
			long p_index_; \
			long p_lower_; \
			long p_upper_; \
			XOMP_loop_##kind##_init(from, to - 1, step __VA_ARGS__); \
			if (XOMP_loop_##kind##_start(from, to - 1, step __VA_ARGS__, &p_lower_, &p_upper_)) { \
				do { \
					for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += step) \
						VISIT(p_index_); \
				} while (XOMP_loop_##kind##_next(&p_lower_, &p_upper_)); \
			} \
			XOMP_loop_end(); \
		} else { \
			long p_index_; \
			long p_lower_; \
			long p_upper_; \
			XOMP_loop_##kind##_init(from, to + 1, step __VA_ARGS__); \
			if (XOMP_loop_##kind##_start(from, to + 1, step __VA_ARGS__, &p_lower_, &p_upper_)) { \
				do { \
					for (p_index_ = p_lower_; p_index_ >= p_upper_; p_index_ += step) \
						VISIT(p_index_); \
				} while (XOMP_loop_##kind##_next(&p_lower_, &p_upper_)); \
			} \
			XOMP_loop_end(); \
		} \
	} \
	void loop_##kind(int from, int to, int step, int chunk, int *count) \
	{ \
		PARALLEL(OUT__##kind##__); \
	}

LOOP(static, , chunk)
LOOP(dynamic, , chunk)
LOOP(guided, , chunk)
LOOP(runtime)
LOOP(auto)

/* --- who runs what --------------------------------------------------------------------------------------- */

struct OUT__2__data {
	int n;
	int chunk;
	void *thread_p;
};

static void OUT__2__(void *__out_argv)
{
	int n = (int)(((struct OUT__2__data *)__out_argv)->n);
	int chunk = (int)(((struct OUT__2__data *)__out_argv)->chunk);
	int **thread = (int **)(((struct OUT__2__data *)__out_argv)->thread_p);
	long p_index_;
	long p_lower_;
	long p_upper_;

	XOMP_loop_static_init(0, n - 1, 1, chunk);
	if (XOMP_loop_static_start(0, n - 1, 1, chunk, &p_lower_, &p_upper_)) {
		do {
			for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1)
				(*thread)[p_index_] = omp_get_thread_num();
		} while (XOMP_loop_static_next(&p_lower_, &p_upper_));
	}
	XOMP_loop_end();
}

void loop_static_threads(int n, int chunk, int *thread)
{
	struct OUT__2__data __out_argv2__;
	__out_argv2__.n = n;
	__out_argv2__.chunk = chunk;
	__out_argv2__.thread_p = ((void *)(&thread));
	XOMP_parallel_start(OUT__2__, &__out_argv2__, 1, 0, "loops.c", 45);
	XOMP_parallel_end("loops.c", 48);
}

static void OUT__3__(void *__out_argv)
{
	int n = (int)(((struct OUT__2__data *)__out_argv)->n);
	int **thread = (int **)(((struct OUT__2__data *)__out_argv)->thread_p);
	long p_index_;
	long p_lower_;
	long p_upper_;

	XOMP_loop_runtime_init(0, n - 1, 1);
	if (XOMP_loop_runtime_start(0, n - 1, 1, &p_lower_, &p_upper_)) {
		do {
			for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1)
				(*thread)[p_index_] = omp_get_thread_num();
		} while (XOMP_loop_runtime_next(&p_lower_, &p_upper_));
	}
	XOMP_loop_end();
}

void loop_runtime_threads(int n, int *thread)
{
	struct OUT__2__data __out_argv3__;
	__out_argv3__.n = n;
	__out_argv3__.thread_p = ((void *)(&thread));
	XOMP_parallel_start(OUT__3__, &__out_argv3__, 1, 0, "loops.c", 53);
	XOMP_parallel_end("loops.c", 56);
}

/* --- lastprivate, firstprivate, reduction ---------------------------------------------------------------- */

struct OUT__4__data {
	void *n_p;
	void *sum_p;
	void *l_p;
};

static void OUT__4__(void *__out_argv)
{
	int *n = (int *)(((struct OUT__4__data *)__out_argv)->n_p);
	long *sum = (long *)(((struct OUT__4__data *)__out_argv)->sum_p);
	int *l = (int *)(((struct OUT__4__data *)__out_argv)->l_p);
	long _p_sum;
	int _p_l;
	long p_index_;
	long p_lower_;
	long p_upper_;

	_p_sum = 0;
	XOMP_loop_default(0, *n - 1, 1, &p_lower_, &p_upper_);
	for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1) {
		_p_sum += p_index_;
		_p_l = 2 * p_index_;
	}
	if (p_index_ != p_lower_ && p_index_ > *n - 1)
		*l = _p_l;
	XOMP_atomic_start();
	*sum = *sum + _p_sum;
	XOMP_atomic_end();
	XOMP_barrier();
}

#define LAST_PARALLEL(func) \
	long sum = 0; \
	int l = *last; \
	struct OUT__4__data __out_argv4__; \
	__out_argv4__.n_p = ((void *)(&n)); \
	__out_argv4__.sum_p = ((void *)(&sum)); \
	__out_argv4__.l_p = ((void *)(&l)); \
	XOMP_parallel_start(func, &__out_argv4__, n > 2, 0, "loops.c", 64); \
	XOMP_parallel_end("loops.c", 71); \
	if (n > 0) \
		*last = l; \
	return sum

long loop_last_default(int n, int *last)
{
	LAST_PARALLEL(OUT__4__);
}

#define LAST(name, kind, chunk, lower, upper, stride, within, past) \
	static void OUT__last_##name##__(void *__out_argv) \
	{ \
		int *n = (int *)(((struct OUT__4__data *)__out_argv)->n_p); \
		long *sum = (long *)(((struct OUT__4__data *)__out_argv)->sum_p); \
		int *l = (int *)(((struct OUT__4__data *)__out_argv)->l_p); \
		long _p_sum; \
		int _p_l = 0; \
		long p_index_ = 0; \
		long p_lower_ = 0; \
		long p_upper_ = 0; \
\
		_p_sum = 0; \
		XOMP_loop_##kind##_init(lower, upper, stride, chunk); \
		if (XOMP_loop_##kind##_start(lower, upper, stride, chunk, &p_lower_, &p_upper_)) { \
			do { \
				for (p_index_ = p_lower_; p_index_ within p_upper_; p_index_ += stride) { \
					_p_sum += p_index_; \
					_p_l = 2 * p_index_; \
				} \
			} while (XOMP_loop_##kind##_next(&p_lower_, &p_upper_)); \
		} \
		if (p_index_ != p_lower_ && p_index_ past upper) \
			*l = _p_l; \
		XOMP_atomic_start(); \
		*sum = *sum + _p_sum; \
		XOMP_atomic_end(); \
		XOMP_loop_end(); \
	} \
	long loop_last_##name(int n, int *last) \
	{ \
		LAST_PARALLEL(OUT__last_##name##__); \
	}

LAST(static, static, 4, 0, *n - 1, 1, <=, >)
LAST(dynamic, dynamic, 1, 0, *n - 1, 1, <=, >)
LAST(guided, guided, 3, 0, *n - 1, 1, <=, >)
LAST(down, dynamic, 2, *n - 1, 0, -1, >=, <)

struct OUT__5__data {
	int n;
	int f;
	void *sum_p;
};

static void OUT__5__(void *__out_argv)
{
	int n = (int)(((struct OUT__5__data *)__out_argv)->n);
	int f = (int)(((struct OUT__5__data *)__out_argv)->f);
	long *sum = (long *)(((struct OUT__5__data *)__out_argv)->sum_p);
	int _p_f;
	long _p_sum;
	long p_index_;
	long p_lower_;
	long p_upper_;

	_p_f = f;
	_p_sum = 0;
	XOMP_loop_default(0, n - 1, 1, &p_lower_, &p_upper_);
	for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1)
		_p_sum += p_index_ + _p_f;
	XOMP_atomic_start();
	*sum = *sum + _p_sum;
	XOMP_atomic_end();
	XOMP_barrier();
}

long loop_first(int n, int f)
{
	long sum = 0;
	struct OUT__5__data __out_argv5__;
	__out_argv5__.n = n;
	__out_argv5__.f = f;
	__out_argv5__.sum_p = ((void *)(&sum));
	XOMP_parallel_start(OUT__5__, &__out_argv5__, 1, 0, "loops.c", 85);
	XOMP_parallel_end("loops.c", 88);
	return sum;
}

/* --- one after another ----------------------------------------------------------------------------------- */

struct OUT__6__data {
	void *n_p;
	void *v_p;
};

static void OUT__6__(void *__out_argv)
{
	int *n = (int *)(((struct OUT__6__data *)__out_argv)->n_p);
	int **v = (int **)(((struct OUT__6__data *)__out_argv)->v_p);
	{
		long p_index_;
		long p_lower_;
		long p_upper_;
		XOMP_loop_guided_init(*n - 1, 0, -3, 2);
		if (XOMP_loop_guided_start(*n - 1, 0, -3, 2, &p_lower_, &p_upper_)) {
			do {
				for (p_index_ = p_lower_; p_index_ >= p_upper_; p_index_ += -3)
					(*v)[p_index_] += 100;
			} while (XOMP_loop_guided_next(&p_lower_, &p_upper_));
		}
		XOMP_loop_end_nowait();
	}
	XOMP_barrier();
	{
		long p_index_;
		long p_lower_;
		long p_upper_;
		XOMP_loop_dynamic_init(0, *n - 1, 1, 1);
		if (XOMP_loop_dynamic_start(0, *n - 1, 1, 1, &p_lower_, &p_upper_)) {
			do {
				for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1)
					(*v)[p_index_] += 1;
			} while (XOMP_loop_dynamic_next(&p_lower_, &p_upper_));
		}
		XOMP_loop_end();
	}
}

void loop_down_and_up(int n, int *v)
{
	struct OUT__6__data __out_argv6__;
	__out_argv6__.n_p = ((void *)(&n));
	__out_argv6__.v_p = ((void *)(&v));
	XOMP_parallel_start(OUT__6__, &__out_argv6__, 1, 3, "loops.c", 96);
	XOMP_parallel_end("loops.c", 105);
}

static void count(int *counter)
{
	XOMP_atomic_start();
	(*counter)++;
	XOMP_atomic_end();
}

struct OUT__7__data {
	int rounds;
	int n;
	void *ran_p;
};

static void ahead_loops(int n, int *ran)
{
	long p_index_;
	long p_lower_;
	long p_upper_;

	XOMP_loop_dynamic_init(0, n - 1, 1, 2);
	if (XOMP_loop_dynamic_start(0, n - 1, 1, 2, &p_lower_, &p_upper_)) {
		do {
			for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1)
				count(&ran[0]);
		} while (XOMP_loop_dynamic_next(&p_lower_, &p_upper_));
	}
	XOMP_loop_end_nowait();
	XOMP_loop_guided_init(n, 1, -1, 1);
	if (XOMP_loop_guided_start(n, 1, -1, 1, &p_lower_, &p_upper_)) {
		do {
			for (p_index_ = p_lower_; p_index_ >= p_upper_; p_index_ += -1)
				count(&ran[1]);
		} while (XOMP_loop_guided_next(&p_lower_, &p_upper_));
	}
	XOMP_loop_end_nowait();
	XOMP_loop_static_init(0, n - 1, 1, 1);
	if (XOMP_loop_static_start(0, n - 1, 1, 1, &p_lower_, &p_upper_)) {
		do {
			for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1)
				count(&ran[2]);
		} while (XOMP_loop_static_next(&p_lower_, &p_upper_));
	}
	XOMP_loop_end_nowait();
}

static void ahead_others(int *ran)
{
	int xomp_section_1 = XOMP_sections_init_next(2);
	while (xomp_section_1 >= 0) {
		switch (xomp_section_1) {
		case 0: {
			count(&ran[3]);
			break;
		}
		case 1: {
			count(&ran[3]);
			break;
		}
		default: {
			abort();
		}
		}
		xomp_section_1 = XOMP_sections_next();
	}
	XOMP_sections_end_nowait();
	if (XOMP_single()) {
		count(&ran[4]);
	}
}

static void OUT__7__(void *__out_argv)
{
	int rounds = (int)(((struct OUT__7__data *)__out_argv)->rounds);
	int n = (int)(((struct OUT__7__data *)__out_argv)->n);
	int **ran = (int **)(((struct OUT__7__data *)__out_argv)->ran_p);

	for (int r = 0; r < rounds; r++) {
		ahead_loops(n, *ran);
		ahead_others(*ran);
	}
}

void loop_ahead(int threads, int rounds, int n, int *ran)
{
	struct OUT__7__data __out_argv7__;
	__out_argv7__.rounds = rounds;
	__out_argv7__.n = n;
	__out_argv7__.ran_p = ((void *)(&ran));
	XOMP_parallel_start(OUT__7__, &__out_argv7__, 1, threads, "loops.c", 117);
	XOMP_parallel_end("loops.c", 137);
}

/* --- collapsed, orphaned --------------------------------------------------------------------------------- */

struct OUT__8__data {
	void *n_p;
	void *m_p;
	void *sum_p;
};

static void OUT__8__(void *__out_argv)
{
	int *n = (int *)(((struct OUT__8__data *)__out_argv)->n_p);
	int *m = (int *)(((struct OUT__8__data *)__out_argv)->m_p);
	long *sum = (long *)(((struct OUT__8__data *)__out_argv)->sum_p);
	int i_total_iters = *n;
	int j_total_iters = *m;
	long _p_sum;
	long p_index_;
	long p_lower_;
	long p_upper_;

	_p_sum = 0;
	XOMP_loop_default(0, i_total_iters * j_total_iters - 1, 1, &p_lower_, &p_upper_);
	for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1)
		_p_sum += p_index_ / j_total_iters * 1000 + p_index_ % j_total_iters;
	XOMP_atomic_start();
	*sum = *sum + _p_sum;
	XOMP_atomic_end();
	XOMP_barrier();
}

long loop_collapsed(int n, int m)
{
	long sum = 0;
	struct OUT__8__data __out_argv8__;
	__out_argv8__.n_p = ((void *)(&n));
	__out_argv8__.m_p = ((void *)(&m));
	__out_argv8__.sum_p = ((void *)(&sum));
	XOMP_parallel_start(OUT__8__, &__out_argv8__, 1, 0, "loops.c", 143);
	XOMP_parallel_end("loops.c", 147);
	return sum;
}

void loop_orphan(int n, int *count)
{
	long p_index_;
	long p_lower_;
	long p_upper_;

	XOMP_loop_dynamic_init(0, n - 1, 1, 3);
	if (XOMP_loop_dynamic_start(0, n - 1, 1, 3, &p_lower_, &p_upper_)) {
		do {
			for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1)
				count[p_index_]++;
		} while (XOMP_loop_dynamic_next(&p_lower_, &p_upper_));
	}
	XOMP_loop_end();
}

struct OUT__9__data {
	int n;
	void *count_p;
};

static void OUT__9__(void *__out_argv)
{
	int n = (int)(((struct OUT__9__data *)__out_argv)->n);
	int **count = (int **)(((struct OUT__9__data *)__out_argv)->count_p);

	loop_orphan(n, *count);
}

void loop_orphan_in_region(int n, int *count)
{
	struct OUT__9__data __out_argv9__;
	__out_argv9__.n = n;
	__out_argv9__.count_p = ((void *)(&count));
	XOMP_parallel_start(OUT__9__, &__out_argv9__, 1, 0, "loops.c", 160);
	XOMP_parallel_end("loops.c", 161);
}
