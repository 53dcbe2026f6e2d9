/* test/xomp/quirks.c -- what translated programs take for granted beyond OpenMP, and what they do to the runtime.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "libxomp.h"

#include "tap.h"
#include "xomp/routines.h"

#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MOST = 64 };

static unsigned failures;

static void count_failure(bool good)
{
	if (!good)
		__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}

static bool none_failed(void)
{
	return __atomic_exchange_n(&failures, 0, __ATOMIC_RELAXED) == 0;
}

static void in_region(unsigned threads, void (*func)(void *), void *data)
{
	XOMP_parallel_start(func, data, 1, threads, NULL, 0);
	XOMP_parallel_end(NULL, 0);
}

/* --- default loops --------------------------------------------------------------------------------------- */

static void empty_blocks(void *unused)
{
	long from, to;

	(void)unused;
	XOMP_loop_default(0, -1, 1, &from, &to);
	count_failure(from > to);
	XOMP_loop_default(5, 0, 3, &from, &to);
	count_failure(from > to);
	XOMP_loop_default(0, 1, -1, &from, &to);
	count_failure(from < to);
	XOMP_loop_default(INT_MIN, INT_MAX, -1, &from, &to);
	count_failure(from < to);
	XOMP_loop_default(INT_MAX, INT_MIN, INT_MAX, &from, &to);
	count_failure(from > to);
}

struct blocks {
	int lower, upper, stride;
	long from[THREADS_MOST], to[THREADS_MOST];
};

static void take_block(void *data)
{
	struct blocks *b = data;
	int t = omp_get_thread_num();

	XOMP_loop_default(b->lower, b->upper, b->stride, &b->from[t], &b->to[t]);
}

/* Blocks follow each other without a gap, the last ends at the upper bound, and all before it are of the same size. */
static bool blocks_fit(struct blocks b)
{
	int n = omp_get_max_threads();
	long sign = b.stride > 0 ? 1 : -1, at = b.lower;
	bool good = true;

	in_region(0, take_block, &b);
	for (int t = 0; t < n; t++) {
		if (sign * b.from[t] > sign * b.to[t])
			continue;
		good = good && b.from[t] == at && (b.to[t] == b.upper || b.to[t] - b.from[t] == b.to[0] - b.from[0]);
		at = b.to[t] + sign;
	}
	return good && at == b.upper + sign;
}

static void loop_default(void)
{
	struct blocks b = { .lower = 0, .upper = 9, .stride = 4 };

	empty_blocks(NULL);
	in_region(0, empty_blocks, NULL);
	ok(none_failed(), "XOMP_loop_default gives everybody nothing of an empty loop, by the sign of the stride");
	in_region(2, take_block, &b);
	ok(b.from[0] == 0 && b.to[0] == 7 && b.from[1] == 8 && b.to[1] == 9, "XOMP_loop_default: blocks by strides");
	bool good = blocks_fit((struct blocks){ .lower = INT_MIN, .upper = INT_MAX, .stride = 1 }) &&
		    blocks_fit((struct blocks){ .lower = INT_MAX, .upper = INT_MIN, .stride = -1 }) &&
		    blocks_fit((struct blocks){ .lower = INT_MIN, .upper = INT_MAX, .stride = INT_MAX }) &&
		    blocks_fit((struct blocks){ .lower = 0, .upper = 1000, .stride = 7 }) &&
		    blocks_fit((struct blocks){ .lower = 3, .upper = 3, .stride = 1 });
	ok(good, "XOMP_loop_default: blocks of one size without a gap, of loops over all numbers as well");
}

/* --- other loops ----------------------------------------------------------------------------------------- */

typedef bool starter(long, long, long, long, long *, long *);
typedef bool nexter(long *, long *);

static void left_alone(starter *start, nexter *next)
{
	long from = 4711, to = 0;

	count_failure(!start(0, -1, 1, 1, &from, &to) && from == 4711);
	count_failure(!next(&from, &to) && from == 4711);
	XOMP_loop_end();
	bool got = start(10, 13, 1, 1, &from, &to);
	for (; got; got = next(&from, &to)) {
		count_failure(from >= 10 && from <= to && to <= 13);
		from = 4711;
	}
	count_failure(from == 4711);
	XOMP_loop_end_nowait();
	count_failure(!next(&from, &to) && from == 4711);
}

static void false_leaves_alone(void *unused)
{
	(void)unused;
	left_alone(XOMP_loop_static_start, XOMP_loop_static_next);
	left_alone(XOMP_loop_dynamic_start, XOMP_loop_dynamic_next);
	left_alone(XOMP_loop_guided_start, XOMP_loop_guided_next);
	left_alone(XOMP_loop_ordered_static_start, XOMP_loop_ordered_static_next);
	left_alone(XOMP_loop_ordered_dynamic_start, XOMP_loop_ordered_dynamic_next);
	left_alone(XOMP_loop_ordered_guided_start, XOMP_loop_ordered_guided_next);
}

struct span {
	long lower, upper, stride, chunk;
	uint64_t got;           /* iterations */
	uint64_t ends;          /* pieces that contain an end of the loop */
};

static void take_pieces(struct span *s, starter *start, nexter *next)
{
	long from, to;
	uint64_t stride = s->stride < 0 ? -(uint64_t)s->stride : (uint64_t)s->stride;

	XOMP_loop_dynamic_init((int)s->lower, (int)s->upper, (int)s->stride, (int)s->chunk);
	bool got = start(s->lower, s->upper, s->stride, s->chunk, &from, &to);
	for (; got; got = next(&from, &to)) {
		uint64_t span = s->stride > 0 ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
		__atomic_fetch_add(&s->got, span / stride + 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&s->ends, (from == s->lower) + (to == s->upper), __ATOMIC_RELAXED);
		count_failure(s->stride > 0 ? from <= to : from >= to);
		count_failure(xomp_loop_sign() == (s->stride > 0 ? 1 : -1));
	}
	XOMP_loop_end();
}

static void take_pieces_static(void *data)
{
	take_pieces(data, XOMP_loop_static_start, XOMP_loop_static_next);
}

static void take_pieces_dynamic(void *data)
{
	take_pieces(data, XOMP_loop_dynamic_start, XOMP_loop_dynamic_next);
}

static void take_pieces_guided(void *data)
{
	take_pieces(data, XOMP_loop_guided_start, XOMP_loop_guided_next);
}

static void take_pieces_ordered(void *data)
{
	take_pieces(data, XOMP_loop_ordered_dynamic_start, XOMP_loop_ordered_dynamic_next);
}

static bool taken(struct span s, uint64_t want)
{
	void (*way[])(void *) = { take_pieces_static, take_pieces_dynamic, take_pieces_guided, take_pieces_ordered };
	bool good = true;

	for (int i = 0; i < 4; i++) {
		struct span mine = s;
		in_region(0, way[i], &mine);
		good = good && mine.got == want && mine.ends == 2;
	}
	return good && none_failed();
}

static void loop_pieces(void)
{
	const long large = LONG_MAX / 100;

	in_region(0, false_leaves_alone, NULL);
	false_leaves_alone(NULL);
	ok(none_failed(), "XOMP_loop_*_start, _next: what is false changes nothing");
	bool good = taken((struct span){ .lower = LONG_MAX - 9, .upper = LONG_MAX, .stride = 1, .chunk = 3 }, 10) &&
		    taken((struct span){ .lower = LONG_MIN + 9, .upper = LONG_MIN, .stride = -1, .chunk = 3 }, 10) &&
		    taken((struct span){ .lower = LONG_MIN, .upper = LONG_MAX, .stride = large, .chunk = 2 }, 201) &&
		    taken((struct span){ .lower = LONG_MAX, .upper = LONG_MIN, .stride = -large, .chunk = 2 }, 201);
	ok(good, "XOMP_loop_*_start: up to the largest index, and down to the smallest");
	good = taken((struct span){ .lower = 0, .upper = 99, .stride = 1, .chunk = 0 }, 100) &&
	       taken((struct span){ .lower = 0, .upper = 99, .stride = 1, .chunk = -5 }, 100) &&
	       taken((struct span){ .lower = 0, .upper = 99, .stride = 1, .chunk = LONG_MAX }, 100);
	ok(good, "XOMP_loop_*_start: a chunk size below 1 is none, and a large one no more than all");
}

static void enter_twice(void *data)
{
	int *k = data;
	long from, to;

	XOMP_loop_ordered_static_init(0, 59, 1, 0);
	if (XOMP_loop_ordered_static_start(0, 59, 1, 1, &from, &to)) {
		do {
			for (long i = from; i <= to; i++)
				for (int twice = 0; twice < 2; twice++) {
					XOMP_ordered_start();
					count_failure((*k)++ == 2 * i + twice);
					XOMP_ordered_end();
				}
		} while (XOMP_loop_ordered_static_next(&from, &to));
	}
	XOMP_loop_end();
}

static void ordered_twice(void)
{
	int k = 0;

	in_region(0, enter_twice, &k);
	ok(none_failed() && k == 120, "XOMP_ordered_start: twice in an iteration");
	XOMP_ordered_start();
	XOMP_ordered_end();
	ok(true, "XOMP_ordered_start outside of a loop returns");
}

/* --- sections -------------------------------------------------------------------------------------------- */

static void ascending(void *data)
{
	int before = -1;

	for (int s = XOMP_sections_init_next(1000); s >= 0; s = XOMP_sections_next()) {
		count_failure(s > before && s < 1000);
		before = s;
		__atomic_fetch_add((int *)data, s, __ATOMIC_RELAXED);
	}
	count_failure(XOMP_sections_next() == -1);
	XOMP_sections_end();
	count_failure(XOMP_sections_init_next(0) < 0);
	XOMP_sections_end_nowait();
	count_failure(XOMP_sections_init_next(-3) < 0);
	XOMP_sections_end_nowait();
}

static void sections(void)
{
	int sum = 0;

	in_region(0, ascending, &sum);
	ascending(&sum);
	ok(none_failed() && sum == 999 * 1000, "XOMP_sections_init_next, _next: ever larger numbers, then -1");
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

struct pointers {
	void *self;             /* of the original */
	char rest[72];
};

static int copied;

static void look_at_copy(void *data)
{
	count_failure((uintptr_t)data % 16 == 0);
	count_failure(((struct pointers *)data)->rest[71] == 'x');
}

static void look_at_large(void *data)
{
	count_failure((uintptr_t)data % 256 == 0 && ((char *)data)[999] == 'y');
}

static void look_at_nothing(void *unused)
{
	(void)unused;
	__atomic_fetch_add(&copied, 1, __ATOMIC_RELAXED);
}

static void copy_by_function(void *to, void *from)
{
	memcpy(to, from, sizeof(struct pointers));
	__atomic_fetch_add(&copied, 1, __ATOMIC_RELAXED);
}

static void make_tasks(void *unused)
{
	/* A task that runs at once may have the original. */
	struct pointers p __attribute__((aligned(16))) = { .self = &p };
	char large[1000] __attribute__((aligned(256)));

	(void)unused;
	p.rest[71] = 'x';
	large[999] = 'y';
	for (int i = 0; i < 300; i++) {
		XOMP_task(look_at_copy, &p, 0, sizeof(p), 4, 1, (unsigned)i % 2);
		XOMP_task(look_at_copy, &p, copy_by_function, sizeof(p), 4, i % 3 != 0, 0);
		XOMP_task(look_at_nothing, 0, 0, 0, 0, 1, 0);
	}
	for (int i = 0; i < 20; i++)
		XOMP_task(look_at_large, large, 0, sizeof(large), 256, 1, 0);
	p.rest[71] = large[999] = 'z';
}

static void tasks(void)
{
	in_region(0, make_tasks, NULL);
	bool good = none_failed() && copied == 600 * omp_get_max_threads();
	ok(good, "XOMP_task: copies are aligned whatever arg_align says, and made by cpyfn if there is one");
}

/* --- outside of regions ---------------------------------------------------------------------------------- */

static void outside(void)
{
	static void *word;
	void *another = NULL;

	ok(XOMP_single() && XOMP_single() && XOMP_master(), "XOMP_single, XOMP_master: true outside of regions");
	XOMP_barrier();
	XOMP_taskwait();
	XOMP_flush_all();
	ok(true, "XOMP_barrier, XOMP_taskwait, XOMP_flush_all return outside of regions");
	XOMP_critical_start(&word);
	XOMP_critical_start(&another);
	XOMP_atomic_start();
	XOMP_atomic_end();
	XOMP_critical_end(&another);
	XOMP_critical_end(&word);
	ok(true, "XOMP_critical_start: each word is a lock of its own");
}

static void helpers(void)
{
	long offset, size;
	bool good = true;

	for (int i = 0; i < 5; i++) {
		XOMP_static_even_divide(100, 17, 5, i, &offset, &size);
		good = good && size == (i < 2 ? 4 : 3) && offset == 100 + 3 * i + (i < 2 ? i : 2);
	}
	ok(good, "XOMP_static_even_divide: the first ones are the larger ones");
	ok(xomp_time_stamp() > 1.6e9, "xomp_time_stamp: seconds since 1970");
}

/* --- threads of the program ------------------------------------------------------------------------------ */

static void add_numbers(void *data)
{
	long from, to, *sum = data, mine = 0;

	XOMP_loop_dynamic_init(1, 100, 1, 1);
	if (XOMP_loop_dynamic_start(1, 100, 1, 1, &from, &to)) {
		do {
			for (long i = from; i <= to; i++)
				mine += i;
		} while (XOMP_loop_dynamic_next(&from, &to));
	}
	if (XOMP_single())
		mine += 1000000;
	__atomic_fetch_add(sum, mine, __ATOMIC_RELAXED);
	XOMP_loop_end();
}

static void *regions_of_a_thread(void *unused)
{
	(void)unused;
	for (int i = 0; i < 50; i++) {
		long sum = 0;
		in_region(i % 2 ? 3 : 0, add_numbers, &sum);
		count_failure(sum == 1005050);
	}
	return NULL;
}

static void several_threads(void)
{
	enum { N = 4 };
	pthread_t thread[N];

	for (int i = 0; i < N; i++)
		if (pthread_create(&thread[i], NULL, regions_of_a_thread, NULL) != 0)
			bail_out("no thread");
	regions_of_a_thread(NULL);
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	ok(none_failed(), "regions of several threads of the program at once");
}

/* --- the end --------------------------------------------------------------------------------------------- */

static void after_main(void)
{
	long sum = 0;

	in_region(0, add_numbers, &sum);
	if (sum != 1005050)
		_exit(1);
}

static void again(int argc, char **argv)
{
	long sum = 0;

	XOMP_terminate(0);
	in_region(0, add_numbers, &sum);
	ok(sum == 1005050, "after XOMP_terminate everything works still");
	XOMP_terminate(0);
	XOMP_init(argc, argv);
	XOMP_init(argc, argv);
	in_region(0, add_numbers, &sum);
	ok(sum == 2 * 1005050, "and XOMP_init may be called again");
	XOMP_terminate(0);
}

int main(int argc, char **argv)
{
	plan(18);
	atexit(after_main);
	loop_default();
	loop_pieces();
	ordered_twice();
	sections();
	tasks();
	outside();
	helpers();
	several_threads();
	again(argc, argv);
	return done();
}
