/* test/xomp/dialect.h -- a program in the dialect that the includer has chosen; to be included once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Before it:
 *   DIALECT(name)        the names of this one's functions
 *   HANDLE               the declaration of a loop's handle
 *   INIT(kind, ...), NEXT(kind, ...), END
 *   BEGIN(kind, ...)     the calls of a loop, with and without that
 *   UPPER(u, s)          an inclusive upper bound as this dialect passes it
 *   WITHIN(i, u, s)      whether the index is not past what it got as the end of a piece
 *   START(f, d, n)       the beginning of a region of n threads
 */

struct DIALECT(data) {
	int from;
	int last;
	int step;
	int chunk;
	void *count_p;
};

#define LOOP(kind, ...) \
	static void DIALECT(kind)(void *__out_argv) \
	{ \
		int from = (int)(((struct DIALECT(data) *)__out_argv)->from); \
		int last = (int)(((struct DIALECT(data) *)__out_argv)->last); \
		int step = (int)(((struct DIALECT(data) *)__out_argv)->step); \
		int chunk = (int)(((struct DIALECT(data) *)__out_argv)->chunk); \
		int **count = (int **)(((struct DIALECT(data) *)__out_argv)->count_p); \
		HANDLE \
		long p_index_; \
		long p_lower_; \
		long p_upper_; \
		(void)chunk; \
		INIT(kind, from, UPPER(last, step), step __VA_ARGS__); \
		if (BEGIN(kind, from, UPPER(last, step), step __VA_ARGS__, &p_lower_, &p_upper_)) { \
			do { \
				for (p_index_ = p_lower_; WITHIN(p_index_, p_upper_, step); p_index_ += step) \
					__atomic_fetch_add(&(*count)[p_index_], 1, __ATOMIC_RELAXED); \
			} while (NEXT(kind, &p_lower_, &p_upper_)); \
		} \
		if (step > 0) \
			XOMP_loop_end(END); \
		else \
			XOMP_loop_end_nowait(END); \
	}

LOOP(static, , chunk)
LOOP(dynamic, , chunk)
LOOP(guided, , chunk)
LOOP(runtime)
LOOP(ordered_static, , chunk)
LOOP(ordered_dynamic, , chunk)
LOOP(ordered_guided, , chunk)
LOOP(ordered_runtime)

static bool DIALECT(each_once)(void (*loop)(void *), int from, int last, int step, int chunk)
{
	int counts[2 * REACH + 1] = { 0 };
	int *count = counts + REACH;
	struct DIALECT(data) data;
	bool good = true;

	data.from = from;
	data.last = last;
	data.step = step;
	data.chunk = chunk;
	data.count_p = ((void *)(&count));
	START(loop, &data, 3);
	XOMP_parallel_end();
	for (int i = -REACH; i <= REACH; i++) {
		bool inside = step > 0 ? i >= from && i <= last : i <= from && i >= last;
		good = good && count[i] == (inside && (i - from) % step == 0);
	}
	return good;
}

static bool DIALECT(covers)(void (*loop)(void *))
{
	return DIALECT(each_once)(loop, 0, 99, 1, 1) && DIALECT(each_once)(loop, -50, 50, 7, 3) &&
	       DIALECT(each_once)(loop, 60, -60, -7, 1) && DIALECT(each_once)(loop, 5, 5, -1, 2) &&
	       DIALECT(each_once)(loop, 9, 9, 1, 4) && DIALECT(each_once)(loop, 0, -1, 1, 1) &&
	       DIALECT(each_once)(loop, 0, 1, -1, 1);
}

static void DIALECT(check)(const char *name)
{
	ok(DIALECT(covers)(DIALECT(static)), "%s: static loops", name);
	ok(DIALECT(covers)(DIALECT(dynamic)), "%s: dynamic loops", name);
	ok(DIALECT(covers)(DIALECT(guided)), "%s: guided loops", name);
	ok(DIALECT(covers)(DIALECT(runtime)), "%s: runtime loops", name);
	ok(DIALECT(covers)(DIALECT(ordered_static)) && DIALECT(covers)(DIALECT(ordered_dynamic)) &&
			DIALECT(covers)(DIALECT(ordered_guided)) && DIALECT(covers)(DIALECT(ordered_runtime)),
		"%s: ordered loops", name);
}
