/* test/omp/task_reduction.c -- reductions in which tasks take part: of a group, a region, a loop, sections, a scope.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tasking.h"

#include <stdint.h>

struct stat {
	long sum;
	int least, most;
	char room[50];
};

static void stat_add(struct stat *to, const struct stat *from)
{
	to->sum += from->sum;
	to->least = to->least < from->least ? to->least : from->least;
	to->most = to->most > from->most ? to->most : from->most;
}

/* By a function: an initializer of the form omp_priv = value GCC 12 does not apply in tasks. */
static void stat_begin(struct stat *s)
{
	*s = (struct stat){ 0, 1 << 30, -1, { 0 } };
}

#pragma omp declare reduction(stat : struct stat : stat_add(&omp_out, &omp_in)) initializer(stat_begin(&omp_priv))

static void put_stat(struct stat *s, int value)
{
	const struct stat one = { value, value, value, { 0 } };

	stat_add(s, &one);
}

/* --- taskgroup task_reduction --------------------------------------------------------------------------- */

static void group(void)
{
	int sum = 1;
	double real = 0.25;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum, real)
	for (int i = 1; i <= 200; i++) {
#pragma omp task in_reduction(+ : sum, real)
		{
			sum += i;
			real += i;
		}
	}
	ok(sum == 20101 && real == 20100.25, "taskgroup task_reduction: what its tasks added is there at its end");
}

static void group_operators(void)
{
	int product = 3, both = -1, any = 0, odd = 0, and = 1, or = 0, least = 1000, most = -1000;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(* : product) task_reduction(& : both) task_reduction(| : any) \
	task_reduction(^ : odd) task_reduction(&& : and) task_reduction(|| : or) task_reduction(min : least) \
	task_reduction(max : most)
	for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(* : product) in_reduction(& : both) in_reduction(| : any) in_reduction(^ : odd) \
	in_reduction(&& : and) in_reduction(|| : or) in_reduction(min : least) in_reduction(max : most)
		{
			product *= i % 10 == 0 ? 2 : 1;
			both &= ~(1 << i);
			any |= 1 << i;
			odd ^= 3 << i;
			and = and && i >= 0;
			or = or || i == 7;
			least = least < i - 5 ? least : i - 5;
			most = most > i + 5 ? most : i + 5;
		}
	}
	ok(product == 12 && both == ~0xfffff && any == 0xfffff, "taskgroup task_reduction: *, &, |");
	ok(odd == 0x100001 && and == 1 && or == 1, "taskgroup task_reduction: ^, &&, ||");
	ok(least == -5 && most == 24, "taskgroup task_reduction: min, max");
}

static void group_array(void)
{
	int row[10] = { 0 }, wrong = 0;
	long plane[3][5] = { { 0 } };

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : row, plane)
	for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : row, plane)
		{
			row[i % 10] += i;
			plane[i % 3][i % 5]++;
		}
	}
	for (int i = 0; i < 10; i++)
		wrong += row[i] != 450 + 10 * i;
	for (int i = 0; i < 15; i++) {
		long want = 0;
		for (int k = 0; k < 100; k++)
			want += k % 3 == i / 5 && k % 5 == i % 5;
		wrong += plane[i / 5][i % 5] != want;
	}
	is_int(wrong, 0, "taskgroup task_reduction: arrays");
}

static void add_to_section(int n, int *row)
{
#pragma omp taskgroup task_reduction(+ : row[1:n])
	for (int i = 0; i < 60; i++) {
#pragma omp task in_reduction(+ : row[1:n])
		row[1 + i % n]++;
	}
}

static void group_section(void)
{
	int row[8] = { 7, 0, 0, 0, 0, 0, 0, 7 };

#pragma omp parallel
#pragma omp single
	add_to_section(6, row);
	ok(row[0] == 7 && row[7] == 7 && every_is(row + 1, 6, 10), "taskgroup task_reduction: a section of an array");
}

static void group_struct(void)
{
	struct stat s = { 5, 5, 5, { 0 } };

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(stat : s)
	for (int i = 1; i <= 100; i++) {
#pragma omp task in_reduction(stat : s)
		put_stat(&s, i);
	}
	ok(s.sum == 5055 && s.least == 1 && s.most == 100,
		"taskgroup task_reduction: a declared reduction of structures");
}

static void tree(int depth, int *sum)
{
	if (depth == 0)
		return;
	for (int i = 0; i < 2; i++) {
#pragma omp task in_reduction(+ : sum[0])
		{
			sum[0] += depth;
			tree(depth - 1, sum);
		}
	}
}

static void group_descendants(void)
{
	int sum = 0;

#pragma omp parallel
#pragma omp single
	{
		int *p = &sum;
#pragma omp taskgroup task_reduction(+ : p[0])
		tree(7, p);
	}
	is_int(sum, 2 * 7 + 4 * 6 + 8 * 5 + 16 * 4 + 32 * 3 + 64 * 2 + 128, "in_reduction: in tasks of tasks");
}

static void group_nested(void)
{
	int outer = 0, inner = 0, both = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : outer, both)
	for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : outer, both) shared(inner)
		{
			int mine = 0;
			outer++;
#pragma omp taskgroup task_reduction(+ : mine)
			for (int k = 0; k < 10; k++) {
#pragma omp task in_reduction(+ : mine) in_reduction(+ : both)
				{
					mine += k;
					both += 100;
				}
			}
			__atomic_fetch_add(&inner, mine, __ATOMIC_RELAXED);
			both++;
		}
	}
	ok(outer == 10 && inner == 450 && both == 10010,
		"taskgroup task_reduction: a group in a task of another group");
}

static void group_untouched(void)
{
	int sum = 17;
	struct stat s = { 1, 2, 3, { 0 } };

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(stat : s)
		{
		}
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(stat : s)
		{
#pragma omp task in_reduction(stat : s) in_reduction(+ : sum)
			sum += 0;
		}
	}
	ok(sum == 17 && s.sum == 1 && s.least == 2 && s.most == 3, "taskgroup task_reduction: nobody adds anything");
}

static void group_across_scheduling_points(void)
{
	int sum = 0, moved = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : sum) shared(moved)
		{
			const uintptr_t mine = (uintptr_t)&sum;
			sum++;
			for (int k = 0; k < 2; k++) {
#pragma omp task in_reduction(+ : sum)
				sum += 10;
			}
#pragma omp taskyield
			sum++;
#pragma omp taskwait
			sum++;
			if ((uintptr_t)&sum != mine)
				bump(&moved);
		}
	}
	ok(sum == 2300 && moved == 0, "in_reduction: across taskwait and taskyield");
}

static void group_undeferred(void)
{
	int sum = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : sum) if (i % 2)
		sum += i;
#pragma omp task in_reduction(+ : sum) final(1)
		{
#pragma omp task in_reduction(+ : sum)
			sum += 1000;
		}
	}
	is_int(sum, 50 * 49 / 2 + 50000, "in_reduction: undeferred and final tasks");
}

static void group_in_every_member(void)
{
	int wrong = 0;

#pragma omp parallel
	for (int round = 0; round < 20; round++) {
		int sum = round;
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
			sum += i;
		}
		if (sum != round + 45)
			bump(&wrong);
	}
	is_int(wrong, 0, "taskgroup task_reduction: one in every member of the team at once");
}

static void group_outside(void)
{
	int sum = 0;

#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
		sum += i;
	}
	is_int(sum, 45, "taskgroup task_reduction: outside of any region");
}

/* --- reduction(task, ...) ------------------------------------------------------------------------------- */

static void region(void)
{
	int sum = 1000, members = 0, least = 99;

#pragma omp parallel reduction(task, + : sum, members) reduction(min : least)
	{
		members++;
		least = omp_get_thread_num();
		sum += 1;
		for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
			sum += 100;
		}
	}
	ok(members >= 1 && sum == 1000 + members * 2001 && least == 0, "parallel reduction(task, +)");
}

static void loop_reduction(void)
{
	int sum = 0, members = 0, wrong = 0;

#pragma omp parallel reduction(+ : members)
	{
		members++;
#pragma omp for reduction(task, + : sum)
		for (int i = 0; i < 100; i++) {
			sum += i;
#pragma omp task in_reduction(+ : sum)
			sum += 1000;
		}
		if (now(&sum) != 104950)
			bump(&wrong);
	}
	is_int(wrong, 0, "for reduction(task, +): static, every member sees the sum behind it");

	sum = 0;
#pragma omp parallel
#pragma omp for reduction(task, + : sum) schedule(dynamic, 3)
	for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : sum)
		sum += i;
	}
	is_int(sum, 4950, "for reduction(task, +): dynamic");

	sum = 0;
#pragma omp parallel for reduction(task, + : sum) schedule(guided)
	for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : sum)
		sum += i;
	}
	is_int(sum, 4950, "parallel for reduction(task, +): guided");
}

static void sections_reduction(void)
{
	int sum = 5;

#pragma omp parallel
#pragma omp sections reduction(task, + : sum)
	{
#pragma omp section
		{
#pragma omp task in_reduction(+ : sum)
			sum += 10;
		}
#pragma omp section
		for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
			sum += 100;
		}
#pragma omp section
		sum += 10000;
	}
	is_int(sum, 11015, "sections reduction(task, +)");
}

static void scope_reduction(void)
{
	int sum = 0, members = 0, wrong = 0;

#pragma omp parallel
	{
#pragma omp scope reduction(task, + : sum) reduction(+ : members)
		{
			members++;
			for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
				sum += i;
			}
		}
		if (now(&members) != omp_get_num_threads() || now(&sum) != 45 * now(&members))
			bump(&wrong);
	}
	is_int(wrong, 0, "scope reduction(task, +): every member sees the sum behind it");
}

static void regions_again(void)
{
	int wrong = 0;

	for (int round = 0; round < 50; round++) {
		int sum = 0, members = 0, inner = 0;
#pragma omp parallel reduction(task, + : sum) reduction(+ : members)
		{
			members++;
#pragma omp task in_reduction(+ : sum)
			sum += round;
#pragma omp for reduction(task, + : inner)
			for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : inner)
				inner++;
			}
		}
		wrong += sum != members * round || inner != 10;
	}
	is_int(wrong, 0, "parallel reduction(task, +): 50 regions, each with such a loop inside");
}

/* What is not zero at first is stored there when a thread begins: what tasks have left there before would be gone. */
static unsigned power(unsigned base, int exponent)
{
	unsigned p = 1;

	while (exponent-- > 0)
		p *= base;
	return p;
}

enum { ROUNDS = 200, TASKS = 20 };

static bool is_product(int threads)
{
	unsigned product = 1;
	int members = 0;

#pragma omp parallel reduction(task, * : product) reduction(+ : members) num_threads(threads)
	{
		members++;
		for (int i = 0; i < TASKS; i++) {
#pragma omp task in_reduction(* : product)
			product *= 3;
		}
	}
	return product == power(3, members * TASKS);
}

static void region_product(void)
{
	int wrong = 0, wrong_inside = 0;

	for (int round = 0; round < ROUNDS; round++)
		wrong += !is_product(omp_get_max_threads());
	is_int(wrong, 0, "parallel reduction(task, *): %d regions, no task's factor is lost", ROUNDS);

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : wrong_inside)
	for (int round = 0; round < ROUNDS / 4; round++)
		wrong_inside += !is_product(3);
	omp_set_max_active_levels(1);
	is_int(wrong_inside, 0, "parallel reduction(task, *): nor in regions inside another");
}

int main(void)
{
	plan(23);
	group();
	group_operators();
	group_array();
	group_section();
	group_struct();
	group_descendants();
	group_nested();
	group_untouched();
	group_across_scheduling_points();
	group_undeferred();
	group_in_every_member();
	group_outside();
	region();
	if (on_oracle() && omp_get_max_threads() > 1) {
		skip(8, "GCC's library hangs now and then at the end of such a construct");
	} else {
		loop_reduction();
		sections_reduction();
		scope_reduction();
		regions_again();
		region_product();
	}
	return done();
}
