/* test/xomp/lowered/tasks.c -- pragma/tasks.c in calls of XOMP.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "libxomp.h"

#include "xomp/constructs.h"
#include "xomp/load.h"

/* --- a tree ---------------------------------------------------------------------------------------------- */

struct OUT__2__data {
	int n;
	void *a_p;
};

static void OUT__2__(void *__out_argv);

static long tree(int n)
{
	long a = 0;
	if (n < 1)
		return 1;
	struct OUT__2__data __out_argv2__;
	__out_argv2__.a_p = ((void *)(&a));
	__out_argv2__.n = n;
	XOMP_task(OUT__2__, &__out_argv2__, 0, sizeof(struct OUT__2__data), 4, n > 3, 1);
	long b = tree(n - 1);
	XOMP_taskwait();
	return a + b;
}

static void OUT__2__(void *__out_argv)
{
	int n = (int)(((struct OUT__2__data *)__out_argv)->n);
	long *a = (long *)(((struct OUT__2__data *)__out_argv)->a_p);
	int _p_n = n;
	*a = tree(_p_n - 1);
}

struct OUT__1__data {
	void *n_p;
	void *res_p;
};

static void OUT__1__(void *__out_argv)
{
	int *n = (int *)(((struct OUT__1__data *)__out_argv)->n_p);
	long *res = (long *)(((struct OUT__1__data *)__out_argv)->res_p);
	if (XOMP_single()) {
		*res = tree(*n);
	}
	XOMP_barrier();
}

long task_tree(int n)
{
	long res = 0;
	struct OUT__1__data __out_argv1__;
	__out_argv1__.n_p = ((void *)(&n));
	__out_argv1__.res_p = ((void *)(&res));
	XOMP_parallel_start(OUT__1__, &__out_argv1__, 1, 0, "tasks.c", 25);
	XOMP_parallel_end("tasks.c", 27);
	return res;
}

long task_tree_outside(int n)
{
	return tree(n);
}

/* --- copies ---------------------------------------------------------------------------------------------- */

static void *xomp_critical_user_;

struct OUT__4__data {
	struct load load;
	double factor;
	void *sum_p;
};

static void OUT__4__(void *__out_argv)
{
	struct load load = (struct load)(((struct OUT__4__data *)__out_argv)->load);
	double factor = (double)(((struct OUT__4__data *)__out_argv)->factor);
	double *sum = (double *)(((struct OUT__4__data *)__out_argv)->sum_p);
	struct load _p_load = load;
	double _p_factor = factor;
	double x = load_weigh(&_p_load) * _p_factor;

	XOMP_critical_start(&xomp_critical_user_);
	*sum += x;
	XOMP_critical_end(&xomp_critical_user_);
}

struct OUT__3__data {
	void *tasks_p;
	void *sum_p;
};

static void OUT__3__(void *__out_argv)
{
	int *tasks = (int *)(((struct OUT__3__data *)__out_argv)->tasks_p);
	double *sum = (double *)(((struct OUT__3__data *)__out_argv)->sum_p);
	if (XOMP_single()) {
		for (int i = 0; i < *tasks; i++) {
			struct load load = load_make(i);
			double factor = i * 0.5;
			struct OUT__4__data __out_argv4__;
			__out_argv4__.load = load;
			__out_argv4__.factor = factor;
			__out_argv4__.sum_p = ((void *)(&*sum));
			XOMP_task(OUT__4__, &__out_argv4__, 0, sizeof(struct OUT__4__data), 4, 1, 0);
			memset(&__out_argv4__, 0xa5, sizeof(__out_argv4__));
			load_spoil(&load);
			factor = -1e9;
		}
	}
	XOMP_barrier();
}

double task_copies(int tasks)
{
	double sum = 0;
	struct OUT__3__data __out_argv3__;
	__out_argv3__.tasks_p = ((void *)(&tasks));
	__out_argv3__.sum_p = ((void *)(&sum));
	XOMP_parallel_start(OUT__3__, &__out_argv3__, 1, 0, "tasks.c", 39);
	XOMP_parallel_end("tasks.c", 53);
	return sum;
}

/* --- undeferred, children -------------------------------------------------------------------------------- */

struct OUT__6__data {
	void *ended_p;
	void *ran_p;
};

static void OUT__6__(void *__out_argv)
{
	int *ended = (int *)(((struct OUT__6__data *)__out_argv)->ended_p);
	int *ran = (int *)(((struct OUT__6__data *)__out_argv)->ran_p);
	*ended = 1;
	(*ran)++;
}

struct OUT__5__data {
	void *n_p;
	void *ran_p;
	void *wrong_p;
};

static void OUT__5__(void *__out_argv)
{
	int *n = (int *)(((struct OUT__5__data *)__out_argv)->n_p);
	int *ran = (int *)(((struct OUT__5__data *)__out_argv)->ran_p);
	int **wrong = (int **)(((struct OUT__5__data *)__out_argv)->wrong_p);
	if (XOMP_single()) {
		for (int i = 0; i < *n; i++) {
			int ended = 0;
			struct OUT__6__data __out_argv6__;
			__out_argv6__.ended_p = ((void *)(&ended));
			__out_argv6__.ran_p = ((void *)(&*ran));
			XOMP_task(OUT__6__, &__out_argv6__, 0, sizeof(struct OUT__6__data), 4, 0, 0);
			if (!ended)
				(**wrong)++;
		}
	}
	XOMP_barrier();
}

int task_undeferred(int n, int *wrong)
{
	int ran = 0;
	struct OUT__5__data __out_argv5__;
	__out_argv5__.n_p = ((void *)(&n));
	__out_argv5__.ran_p = ((void *)(&ran));
	__out_argv5__.wrong_p = ((void *)(&wrong));
	XOMP_parallel_start(OUT__5__, &__out_argv5__, 1, 0, "tasks.c", 60);
	XOMP_parallel_end("tasks.c", 72);
	return ran;
}

struct OUT__8__data {
	void *ended_p;
};

static void OUT__8__(void *__out_argv)
{
	int *ended = (int *)(((struct OUT__8__data *)__out_argv)->ended_p);
	XOMP_atomic_start();
	(*ended)++;
	XOMP_atomic_end();
}

struct OUT__7__data {
	void *n_p;
	void *ended_p;
	void *seen_p;
};

static void OUT__7__(void *__out_argv)
{
	int *n = (int *)(((struct OUT__7__data *)__out_argv)->n_p);
	int *ended = (int *)(((struct OUT__7__data *)__out_argv)->ended_p);
	int *seen = (int *)(((struct OUT__7__data *)__out_argv)->seen_p);
	if (XOMP_single()) {
		for (int i = 0; i < *n; i++) {
			struct OUT__8__data __out_argv8__;
			__out_argv8__.ended_p = ((void *)(&*ended));
			XOMP_task(OUT__8__, &__out_argv8__, 0, sizeof(struct OUT__8__data), 4, 1, 0);
		}
		XOMP_taskwait();
		*seen = *ended;
	}
	XOMP_barrier();
}

int task_children(int n)
{
	int ended = 0;
	int seen = 0;
	struct OUT__7__data __out_argv7__;
	__out_argv7__.n_p = ((void *)(&n));
	__out_argv7__.ended_p = ((void *)(&ended));
	__out_argv7__.seen_p = ((void *)(&seen));
	XOMP_parallel_start(OUT__7__, &__out_argv7__, 1, 0, "tasks.c", 79);
	XOMP_parallel_end("tasks.c", 91);
	return seen;
}

/* --- in loops -------------------------------------------------------------------------------------------- */

struct OUT__10__data {
	int i;
	void *sum_p;
};

static void OUT__10__(void *__out_argv)
{
	int i = (int)(((struct OUT__10__data *)__out_argv)->i);
	long *sum = (long *)(((struct OUT__10__data *)__out_argv)->sum_p);
	int _p_i = i;
	XOMP_atomic_start();
	*sum += _p_i;
	XOMP_atomic_end();
}

static void OUT__11__(void *__out_argv)
{
	int i = (int)(((struct OUT__10__data *)__out_argv)->i);
	long *sum = (long *)(((struct OUT__10__data *)__out_argv)->sum_p);
	int _p_i = i;
	XOMP_atomic_start();
	*sum += 10 * _p_i;
	XOMP_atomic_end();
}

struct OUT__9__data {
	void *n_p;
	void *sum_p;
};

static void OUT__9__(void *__out_argv)
{
	int *n = (int *)(((struct OUT__9__data *)__out_argv)->n_p);
	long *sum = (long *)(((struct OUT__9__data *)__out_argv)->sum_p);
	long p_index_;
	long p_lower_;
	long p_upper_;

	XOMP_loop_dynamic_init(0, *n - 1, 1, 1);
	if (XOMP_loop_dynamic_start(0, *n - 1, 1, 1, &p_lower_, &p_upper_)) {
		do {
			for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1) {
				struct OUT__10__data __out_argv10__;
				__out_argv10__.i = p_index_;
				__out_argv10__.sum_p = ((void *)(&*sum));
				XOMP_task(OUT__10__, &__out_argv10__, 0, sizeof(struct OUT__10__data), 4, 1, 0);
			}
		} while (XOMP_loop_dynamic_next(&p_lower_, &p_upper_));
	}
	XOMP_loop_end();
	XOMP_taskwait();
	XOMP_loop_guided_init(0, *n - 1, 1, 1);
	if (XOMP_loop_guided_start(0, *n - 1, 1, 1, &p_lower_, &p_upper_)) {
		do {
			for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1) {
				struct OUT__10__data __out_argv11__;
				__out_argv11__.i = p_index_;
				__out_argv11__.sum_p = ((void *)(&*sum));
				XOMP_task(OUT__11__, &__out_argv11__, 0, sizeof(struct OUT__10__data), 4, 1, 1);
			}
		} while (XOMP_loop_guided_next(&p_lower_, &p_upper_));
	}
	XOMP_loop_end_nowait();
	XOMP_taskwait();
	XOMP_barrier();
}

long task_in_loops(int n)
{
	long sum = 0;
	struct OUT__9__data __out_argv9__;
	__out_argv9__.n_p = ((void *)(&n));
	__out_argv9__.sum_p = ((void *)(&sum));
	XOMP_parallel_start(OUT__9__, &__out_argv9__, 1, 0, "tasks.c", 98);
	XOMP_parallel_end("tasks.c", 120);
	return sum;
}

/* --- a barrier ------------------------------------------------------------------------------------------- */

static void OUT__13__(void *__out_argv)
{
	int *ended = (int *)(((struct OUT__8__data *)__out_argv)->ended_p);
	struct OUT__8__data __out_argv8__;
	__out_argv8__.ended_p = ((void *)(&*ended));
	XOMP_task(OUT__8__, &__out_argv8__, 0, sizeof(struct OUT__8__data), 4, 1, 0);
	XOMP_atomic_start();
	(*ended)++;
	XOMP_atomic_end();
}

static void OUT__12__(void *__out_argv)
{
	int *n = (int *)(((struct OUT__7__data *)__out_argv)->n_p);
	int *ended = (int *)(((struct OUT__7__data *)__out_argv)->ended_p);
	int *seen = (int *)(((struct OUT__7__data *)__out_argv)->seen_p);
	if (omp_get_thread_num() == 0)
		for (int i = 0; i < *n; i++) {
			struct OUT__8__data __out_argv13__;
			__out_argv13__.ended_p = ((void *)(&*ended));
			XOMP_task(OUT__13__, &__out_argv13__, 0, sizeof(struct OUT__8__data), 4, 1, 0);
		}
	XOMP_barrier();
	if (XOMP_master()) {
		*seen = *ended;
	}
}

int task_barrier(int n)
{
	int ended = 0;
	int seen = 0;
	struct OUT__7__data __out_argv12__;
	__out_argv12__.n_p = ((void *)(&n));
	__out_argv12__.ended_p = ((void *)(&ended));
	__out_argv12__.seen_p = ((void *)(&seen));
	XOMP_parallel_start(OUT__12__, &__out_argv12__, 1, 0, "tasks.c", 127);
	XOMP_parallel_end("tasks.c", 145);
	return seen;
}

/* --- threadprivate --------------------------------------------------------------------------------------- */

static __thread int own;

static void OUT__14__(void *__out_argv)
{
	(void)__out_argv;
	own++;
}

struct OUT__15__data {
	void *same_p;
	void *before_p;
	void *regions_p;
};

static void OUT__15__(void *__out_argv)
{
	bool *same = (bool *)(((struct OUT__15__data *)__out_argv)->same_p);
	int *before = (int *)(((struct OUT__15__data *)__out_argv)->before_p);
	int *regions = (int *)(((struct OUT__15__data *)__out_argv)->regions_p);
	if (own != *before + *regions) {
		XOMP_critical_start(&xomp_critical_user_);
		*same = false;
		XOMP_critical_end(&xomp_critical_user_);
	}
}

bool threadprivate_kept(int regions)
{
	bool same = true;
	int before = own;

	for (int r = 0; r < regions; r++) {
		XOMP_parallel_start(OUT__14__, 0, 1, 0, "tasks.c", 157);
		XOMP_parallel_end("tasks.c", 158);
	}
	struct OUT__15__data __out_argv15__;
	__out_argv15__.same_p = ((void *)(&same));
	__out_argv15__.before_p = ((void *)(&before));
	__out_argv15__.regions_p = ((void *)(&regions));
	XOMP_parallel_start(OUT__15__, &__out_argv15__, 1, 0, "tasks.c", 160);
	XOMP_parallel_end("tasks.c", 166);
	return same && own == before + regions;
}
