/* test/omp/parallel.c -- parallel: who runs a region, with which values, and what is there when it ends.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/every.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST = 64 };

static void each_member_once(void)
{
	const int most = omp_get_max_threads();
	int seen[MOST] = {0}, sizes[MOST] = {0};

#pragma omp parallel
	{
		const int me = omp_get_thread_num();

#pragma omp atomic
		seen[me]++;
		sizes[me] = omp_get_num_threads();
	}
	ok(every_is(seen, most, 1), "parallel: each of OMP_NUM_THREADS members once");
	ok(every_is(sizes, most, most), "parallel: each is told the same size");
	ok(every_is(seen + most, MOST - most, 0), "parallel: nobody else comes");
}

static void caller_is_member_0(void)
{
	const pthread_t caller = pthread_self();
	int same = 0, others = 0;

#pragma omp parallel num_threads(4)
	if (pthread_equal(pthread_self(), caller) && omp_get_thread_num() == 0) {
#pragma omp atomic
		same++;
	} else if (omp_get_thread_num() == 0) {
#pragma omp atomic
		others++;
	}
	ok(same == 1 && others == 0, "parallel: thread 0 is the one that met the region");
	is_int(omp_get_num_threads(), 1, "parallel: after it, the team of one is back");
	ok(!omp_in_parallel(), "parallel: and nobody is in a region");
}

static void num_threads(void)
{
	for (int n = 1; n <= 9; n += 4) {
		int members = 0, size = 0;

#pragma omp parallel num_threads(n) reduction(+ : members)
		{
			members++;
			if (omp_get_thread_num() == 0)
				size = omp_get_num_threads();
		}
		ok(members == n && size == n, "parallel num_threads(%d): that many", n);
	}

	int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
	members++;
	is_int(members, 3, "parallel num_threads(3): a constant too");
	is_int(omp_get_max_threads(), atoi(getenv("OMP_NUM_THREADS")), "parallel num_threads: for this region only");
}

static void if_clause(void)
{
	const pthread_t caller = pthread_self();

	for (int on = 0; on <= 1; on++) {
		int members = 0, inside = -1, level = -1, elsewhere = 0;

#pragma omp parallel if (on) num_threads(2) reduction(+ : members, elsewhere)
		{
			members++;
			elsewhere += !pthread_equal(pthread_self(), caller);
#pragma omp master
			{
				inside = omp_in_parallel();
				level = omp_get_level();
			}
		}
		is_int(members, on ? 2 : 1, "parallel if(%d): who comes", on);
		ok(!elsewhere || on, "parallel if(%d): the caller is among them", on);
		ok(inside == on && level == 1, "parallel if(%d): in_parallel is %d at level 1", on, on);
	}

	volatile int zero = 0;
	int members = 0;
#pragma omp parallel if (parallel : zero) reduction(+ : members)
	members++;
	is_int(members, 1, "parallel if(parallel: 0): one");
}

static void private_clause(void)
{
	int mine = -7, wrong = 0;
	double many[100] = {[0 ... 99] = 2.0};

#pragma omp parallel num_threads(4) private(mine, many) reduction(+ : wrong)
	{
		const int me = omp_get_thread_num();

		mine = me;
		for (int i = 0; i < 100; i++)
			many[i] = me;
#pragma omp barrier
		wrong += mine != me;
		for (int i = 0; i < 100; i++)
			wrong += many[i] != me;
	}
	is_int(wrong, 0, "parallel private: each member has its own");
	ok(mine == -7 && many[0] == 2.0 && many[99] == 2.0, "parallel private: the original is left alone");
}

struct pair {
	long first;
	char text[20];
};

static void firstprivate(int width)
{
	int x = 5, wrong = 0;
	struct pair p = {77, "a longer text"};
	short many[3] = {1, 2, 3};
	int vla[width];

	for (int i = 0; i < width; i++)
		vla[i] = i * i;
#pragma omp parallel num_threads(4) firstprivate(x, p, many, vla) reduction(+ : wrong)
	{
		wrong += x != 5 || p.first != 77 || strcmp(p.text, "a longer text") || many[2] != 3;
		for (int i = 0; i < width; i++)
			wrong += vla[i] != i * i;
#pragma omp barrier
		x += omp_get_thread_num();
		p.first = many[1] = vla[1] = (short)omp_get_thread_num();
#pragma omp barrier
		wrong += x != 5 + omp_get_thread_num() || p.first != omp_get_thread_num() || many[1] != p.first ||
			vla[1] != p.first;
	}
	is_int(wrong, 0, "parallel firstprivate: each begins with the original's value and has its own");
	ok(x == 5 && p.first == 77 && many[1] == 2 && vla[1] == 1,
		"parallel firstprivate: originals are left alone");
}

static void shared_and_default(void)
{
	int one = 0, wrong = 0;
	static int global;
	int *const where = &one;

	global = 0;
#pragma omp parallel num_threads(4) default(none) shared(one, where, global) reduction(+ : wrong)
	{
		wrong += where != &one;
#pragma omp atomic
		one++;
#pragma omp atomic
		global += 2;
	}
	ok(one == 4 && wrong == 0 && global == 8, "parallel default(none) shared: one variable for all");

	int all = 0;
#pragma omp parallel num_threads(4) default(shared)
	{
#pragma omp atomic
		all++;
	}
	is_int(all, 4, "parallel default(shared): likewise");

	int own = 3, bad = 0;
#pragma omp parallel num_threads(4) default(firstprivate) shared(bad)
	{
		own += omp_get_thread_num();
		if (own != 3 + omp_get_thread_num()) {
#pragma omp atomic
			bad++;
		}
	}
	ok(bad == 0 && own == 3, "parallel default(firstprivate): a copy each");
}

static void memory_at_both_ends(void)
{
	enum { WORDS = 1000 };
	static int before[WORDS], after[WORDS];
	int wrong = 0;

	for (int round = 1; round <= 20; round++) {
		for (int i = 0; i < WORDS; i++)
			before[i] = round * i;
#pragma omp parallel num_threads(3) reduction(+ : wrong)
		for (int i = omp_get_thread_num(); i < WORDS; i += omp_get_num_threads()) {
			wrong += before[i] != round * i;
			after[i] = before[i] + 1;
		}
		for (int i = 0; i < WORDS; i++)
			wrong += after[i] != round * i + 1;
	}
	is_int(wrong, 0, "parallel: what was written before is seen within, what was written within is seen after");
}

static void one_after_another(void)
{
	const int rounds = every_scaled(2000);
	long members = 0;

	for (int i = 0; i < rounds; i++) {
#pragma omp parallel reduction(+ : members)
		members++;
	}
	is_int(members, (long)rounds * omp_get_max_threads(), "parallel: region after region");

	int wrong = 0;
	for (int i = 0; i < rounds / 20; i++) {
		const int n = i * 7 % 11 + 1;
		int in = 0;

#pragma omp parallel num_threads(n) reduction(+ : in)
		in++;
		wrong += in != n;
	}
	is_int(wrong, 0, "parallel: of sizes that go up and down");
}

static void large_frames(void)
{
	struct rlimit limit;
	int wrong = 0;

	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < 2 << 20) {
		skip(1, "the first thread's stack is small");
		return;
	}
#pragma omp parallel num_threads(4) reduction(+ : wrong)
	{
		volatile double large[60000];   /* 480 KB, as benchmarks of private arrays have */
		const int me = omp_get_thread_num();

		for (int i = 0; i < 60000; i += 50)
			large[i] = me + i;
#pragma omp barrier
		for (int i = 0; i < 60000; i += 50)
			wrong += large[i] != me + i;
	}
	is_int(wrong, 0, "parallel: members have stacks for half a megabyte");
}

static void aligned_frames(void)
{
	int wrong = 0;

#pragma omp parallel num_threads(4) reduction(+ : wrong)
	{
		double aligned[8] __attribute__((aligned(64)));

		__asm__ volatile("" : : "r"(aligned) : "memory");
		wrong += (uintptr_t)aligned % 64 != 0;
	}
	is_int(wrong, 0, "parallel: with aligned variables on them");
}

static void proc_bind(void)
{
	int members = 0;

#pragma omp parallel num_threads(3) proc_bind(close) reduction(+ : members)
	members++;
#pragma omp parallel num_threads(3) proc_bind(spread) reduction(+ : members)
	members++;
#pragma omp parallel num_threads(3) proc_bind(primary) reduction(+ : members)
	members++;
	is_int(members, 9, "parallel proc_bind: is accepted");
}

static void allocate(void)
{
	int x = 4, wrong = 0;
	long sum = 0;

#pragma omp parallel num_threads(4) allocate(omp_default_mem_alloc : x) firstprivate(x) reduction(+ : wrong)
	{
		wrong += x != 4;
		x = omp_get_thread_num();
#pragma omp barrier
		wrong += x != omp_get_thread_num();
	}
#pragma omp parallel for num_threads(4) allocate(omp_high_bw_mem_alloc : sum) reduction(+ : sum)
	for (int i = 1; i <= 100; i++)
		sum += i;
	ok(wrong == 0 && x == 4 && sum == 5050, "parallel allocate: copies lie in memory of an allocator");
}

int main(void)
{
	plan(32);
	omp_set_dynamic(0);
	each_member_once();
	caller_is_member_0();
	num_threads();
	if_clause();
	private_clause();
	firstprivate(10);
	shared_and_default();
	memory_at_both_ends();
	one_after_another();
	large_frames();
	aligned_frames();
	proc_bind();
	allocate();
	return done();
}
