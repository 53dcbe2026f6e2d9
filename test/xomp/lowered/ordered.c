/* test/xomp/lowered/ordered.c -- pragma/ordered.c in calls of XOMP.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "libxomp.h"

#include "xomp/constructs.h"

struct OUT__1__data {
	int n;
	int chunk;
	void *out_p;
	void *k_p;
};

#define UNPACK \
	int n = (int)(((struct OUT__1__data *)__out_argv)->n); \
	int chunk = (int)(((struct OUT__1__data *)__out_argv)->chunk); \
	int **out = (int **)(((struct OUT__1__data *)__out_argv)->out_p); \
	int *k = (int *)(((struct OUT__1__data *)__out_argv)->k_p); \
	(void)chunk

#define PARALLEL(func, the_chunk) \
	int k = 0; \
	struct OUT__1__data __out_argv1__; \
	__out_argv1__.n = n; \
	__out_argv1__.chunk = the_chunk; \
	__out_argv1__.out_p = ((void *)(&out)); \
	__out_argv1__.k_p = ((void *)(&k)); \
	XOMP_parallel_start(func, &__out_argv1__, 1, 0, "ordered.c", 1); \
	XOMP_parallel_end("ordered.c", 2); \
	return k

/* ...: `, chunk` or nothing. */
#define OUTLINED(name, kind, ...) \
	static void OUT__##name##__(void *__out_argv) \
	{ \
		UNPACK; \
		long p_index_; \
		long p_lower_; \
		long p_upper_; \
		XOMP_loop_##kind##_init(0, n - 1, 1 __VA_ARGS__); \
		if (XOMP_loop_##kind##_start(0, n - 1, 1 __VA_ARGS__, &p_lower_, &p_upper_)) { \
			do { \
				for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1) { \
					XOMP_ordered_start(); \
					(*out)[(*k)++] = p_index_; \
					XOMP_ordered_end(); \
				} \
			} while (XOMP_loop_##kind##_next(&p_lower_, &p_upper_)); \
		} \
		XOMP_loop_end(); \
	}

OUTLINED(default, ordered_static, , 0)
OUTLINED(static, ordered_static, , chunk)
OUTLINED(dynamic, ordered_dynamic, , chunk)
OUTLINED(guided, ordered_guided, , chunk)
OUTLINED(runtime, ordered_runtime)

int ordered_default(int n, int *out)
{
	PARALLEL(OUT__default__, 0);
}

int ordered_static(int n, int chunk, int *out)
{
	PARALLEL(OUT__static__, chunk);
}

int ordered_dynamic(int n, int chunk, int *out)
{
	PARALLEL(OUT__dynamic__, chunk);
}

int ordered_guided(int n, int chunk, int *out)
{
	PARALLEL(OUT__guided__, chunk);
}

int ordered_runtime(int n, int *out)
{
	PARALLEL(OUT__runtime__, 0);
}

static void OUT__some__(void *__out_argv)
{
	UNPACK;
	long p_index_;
	long p_lower_;
	long p_upper_;

	XOMP_loop_ordered_dynamic_init(n - 1, 0, -2, 2);
	if (XOMP_loop_ordered_dynamic_start(n - 1, 0, -2, 2, &p_lower_, &p_upper_)) {
		do {
			for (p_index_ = p_lower_; p_index_ >= p_upper_; p_index_ += -2) {
				if (p_index_ % 3 == 0) {
					XOMP_ordered_start();
					(*out)[(*k)++] = p_index_;
					XOMP_ordered_end();
				}
			}
		} while (XOMP_loop_ordered_dynamic_next(&p_lower_, &p_upper_));
	}
	XOMP_loop_end();
}

int ordered_some(int n, int *out)
{
	PARALLEL(OUT__some__, 2);
}
