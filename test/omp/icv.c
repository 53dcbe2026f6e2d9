/* test/omp/icv.c -- settings belong to tasks: a child begins with its parent's, and what it sets is gone with it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tasking.h"

struct settings {
	int threads, dynamic, chunk;
	omp_sched_t kind;
};

static struct settings get(void)
{
	struct settings s = { .threads = omp_get_max_threads(), .dynamic = omp_get_dynamic() };

	omp_get_schedule(&s.kind, &s.chunk);
	return s;
}

static void set(struct settings s)
{
	omp_set_num_threads(s.threads);
	omp_set_dynamic(s.dynamic);
	omp_set_schedule(s.kind, s.chunk);
}

static bool same(struct settings a, struct settings b)
{
	return a.threads == b.threads && a.dynamic == b.dynamic && a.kind == b.kind && a.chunk == b.chunk;
}

static struct settings some(int i)
{
	return (struct settings){ 11 + i, i % 2, 3 + i, i % 3 ? omp_sched_guided : omp_sched_static };
}

static void regions(void)
{
	const struct settings before = get();
	int wrong = 0;

	set(some(1));
#pragma omp parallel num_threads(3)
	{
		const int me = omp_get_thread_num();
		if (!same(get(), some(1)))
			bump(&wrong);
		set(some(2 + me));
#pragma omp barrier
		if (!same(get(), some(2 + me)))
			bump(&wrong);
	}
	ok(wrong == 0, "parallel: each member begins with the settings of who met it, and has its own");
	ok(same(get(), some(1)), "parallel: behind it the settings of before");
	wrong = 0;
#pragma omp parallel num_threads(3)
	if (!same(get(), some(1)))
		bump(&wrong);
	is_int(wrong, 0, "parallel: members do not keep what they set in the region before");
	set(before);
}

static void tasks(void)
{
	const struct settings before = get();
	int wrong = 0, leaked = 0;

#pragma omp parallel num_threads(3)
	{
		const int me = omp_get_thread_num();
		set(some(me));
		for (int i = 0; i < 50; i++) {
			const struct settings mine = some(me);
#pragma omp task firstprivate(mine, i)
			{
				if (!same(get(), mine))
					bump(&wrong);
				set(some(10 + i));
#pragma omp task firstprivate(i)
				{
					if (!same(get(), some(10 + i)))
						bump(&wrong);
					set(some(90));
				}
#pragma omp taskwait
				if (!same(get(), some(10 + i)))
					bump(&leaked);
			}
			if (!same(get(), mine))
				bump(&leaked);
		}
#pragma omp taskwait
		if (!same(get(), some(me)))
			bump(&leaked);
#pragma omp barrier
		if (!same(get(), some(me)))
			bump(&leaked);
	}
	is_int(wrong, 0, "task: begins with the settings of who made it");
	is_int(leaked, 0, "task: what it sets is its own");
	ok(same(get(), before), "task: nor does it reach who met the region");
	set(before);
}

static void undeferred(void)
{
	const struct settings before = get();
	int wrong = 0;

#pragma omp parallel num_threads(2)
	{
		const struct settings mine = some(omp_get_thread_num());
		set(mine);
#pragma omp task if (0) shared(wrong)
		{
			if (!same(get(), mine))
				bump(&wrong);
			set(some(50));
#pragma omp task final(1) shared(wrong)
			{
				if (!same(get(), some(50)))
					bump(&wrong);
				set(some(51));
#pragma omp task shared(wrong)
				{
					if (!same(get(), some(51)))
						bump(&wrong);
					set(some(52));
				}
				if (!same(get(), some(51)))
					bump(&wrong);
			}
#pragma omp taskwait
			if (!same(get(), some(50)))
				bump(&wrong);
		}
		if (!same(get(), mine))
			bump(&wrong);
	}
	is_int(wrong, 0, "task if(0), final: what they set is their own, too");
	set(before);
}

static void outside_of_regions(void)
{
	const struct settings before = get();
	struct settings inside = before;

#pragma omp task if (0) shared(inside)
	{
		set(some(7));
		inside = get();
	}
	ok(same(inside, some(7)) && same(get(), before), "task: outside of regions as well");
	set(before);
}

static void sizes_of_inner_regions(void)
{
	int wrong = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
		const int want = 2 + omp_get_thread_num();
		int size = 0;
		omp_set_num_threads(want);
#pragma omp parallel
#pragma omp single
		size = omp_get_num_threads();
		if (size != want)
			bump(&wrong);
#pragma omp task shared(wrong)
		{
			int inner = 0;
			if (omp_get_max_threads() != want)
				bump(&wrong);
			omp_set_num_threads(1);
#pragma omp parallel shared(inner)
#pragma omp single
			inner = omp_get_num_threads();
			if (inner != 1)
				bump(&wrong);
		}
#pragma omp taskwait
		if (omp_get_max_threads() != want)
			bump(&wrong);
	}
	omp_set_max_active_levels(1);
	is_int(wrong, 0, "omp_set_num_threads: in a region, for the inner regions of who called it");
}

static void schedule_of_a_runtime_loop(void)
{
	const struct settings before = get();
	int wrong = 0;

	omp_set_schedule(omp_sched_static, 5);
#pragma omp parallel num_threads(3)
	{
		const int me = omp_get_thread_num(), members = omp_get_num_threads();
#pragma omp for schedule(runtime)
		for (int i = 0; i < 100; i++)
			if (i / 5 % members != me)
				bump(&wrong);
	}
	is_int(wrong, 0, "omp_set_schedule: of the next loop with schedule(runtime)");
	set(before);
}

static void taskloops(void)
{
	const struct settings before = get();
	int wrong = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		set(some(20));
#pragma omp taskloop num_tasks(10)
		for (int i = 0; i < 10; i++) {
			if (!same(get(), some(20)))
				bump(&wrong);
			set(some(30 + i));
		}
		if (!same(get(), some(20)))
			bump(&wrong);
	}
	is_int(wrong, 0, "taskloop: its tasks begin with the settings of who met it, and have their own");
	set(before);
}

int main(void)
{
	plan(11);
	regions();
	tasks();
	undeferred();
	outside_of_regions();
	sizes_of_inner_regions();
	schedule_of_a_runtime_loop();
	taskloops();
	return done();
}
