/* test/omp/cancel.c -- cancel and cancellation point, with OMP_CANCELLATION true and false.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Members that are to be cancelled by somebody else go around until they are: they yield there, since they may share a
 * processor with who cancels them.
 */
#include "omp/again.h"
#include "omp/tasking.h"

enum { N = 100, ROUNDS = 10 };

/* --- parallel ------------------------------------------------------------------------------------------- */

static void parallel(void)
{
	int behind = 0, others = 0, after = 0;

	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel
		{
			if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp cancel parallel
				bump(&behind);
			} else {
				for (;;) {
#pragma omp cancellation point parallel
#pragma omp taskyield
					sched_yield();
				}
			}
			bump(&others);
		}
		after++;
	}
	is_int(behind + others, 0, "cancel parallel: nobody gets to what stands behind it");
	is_int(after, ROUNDS, "cancel parallel: and behind the region it goes on");
}

static void parallel_barrier(void)
{
	int behind = 0;

	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel
		{
			if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
				bump(&behind);
			}
#pragma omp barrier
			bump(&behind);
		}
	}
	is_int(behind, 0, "cancel parallel: releases those who wait in a barrier, which do not go on behind it");
}

static void parallel_implicit_barrier(void)
{
	int behind = 0, ran = 0;

	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel
		{
#pragma omp single nowait
			for (int i = 0; i < 10; i++) {
#pragma omp task
				bump(&ran);
			}
			if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
				bump(&behind);
			}
#pragma omp single
			bump(&ran);
			bump(&behind);
		}
	}
	ok(behind == 0 && ran <= 11 * ROUNDS, "cancel parallel: others wait at the end of a single region");
}

static void parallel_if(void)
{
	int ignored = 0, behind = 0, members = 0;

#pragma omp parallel
	{
		bump(&members);
#pragma omp cancel parallel if (now(&members) < 0)
#pragma omp cancellation point parallel
		bump(&ignored);
#pragma omp barrier
#pragma omp cancel parallel if (now(&members) > 0)
		bump(&behind);
	}
	ok(ignored == members && behind == 0, "cancel parallel if(): false is no cancellation, true is one");
}

static void parallel_nested(void)
{
	int inner = 0, outer = 0, members = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
		bump(&members);
#pragma omp parallel num_threads(2)
		{
#pragma omp cancel parallel
			bump(&inner);
		}
#pragma omp cancellation point parallel
		bump(&outer);
	}
	omp_set_max_active_levels(1);
	ok(inner == 0 && outer == members, "cancel parallel: an inner region, the outer one goes on");
}

static void next_region_is_whole(void)
{
	int wrong = 0;

	for (int round = 0; round < ROUNDS; round++) {
		int ran = 0, members = 0, looped = 0;
#pragma omp parallel
		{
			for (int i = 0; i < 5; i++) {
#pragma omp task
				bump(&ran);
			}
#pragma omp cancel parallel
		}
		ran = 0;
#pragma omp parallel
		{
			bump(&members);
#pragma omp task
			bump(&ran);
#pragma omp barrier
#pragma omp cancellation point parallel
#pragma omp for schedule(dynamic)
			for (int i = 0; i < N; i++)
				bump(&looped);
			if (now(&ran) != now(&members) || now(&looped) != N)
				bump(&wrong);
		}
		wrong += ran != members;
	}
	is_int(wrong, 0, "cancel parallel: the region behind it has all its tasks, barriers and iterations");
}

/* --- for ------------------------------------------------------------------------------------------------ */

static void loop_static(void)
{
	int behind = 0, reached = 0, members = 0;

#pragma omp parallel
	{
		bump(&members);
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++) {
			if (i == 0) {
#pragma omp cancel for
				bump(&behind);
			} else {
				for (;;) {
#pragma omp cancellation point for
#pragma omp taskyield
					sched_yield();
				}
			}
		}
		bump(&reached);
	}
	ok(behind == 0 && reached == members, "cancel for: static; every member goes on behind the loop");
}

static void loop_dynamic(void)
{
	int ran = 0, behind = 0, wrong = 0, second = 0;

	for (int round = 0; round < ROUNDS; round++) {
		ran = second = 0;
#pragma omp parallel
		{
#pragma omp for schedule(dynamic, 1)
			for (int i = 0; i < N; i++) {
				if (i == 3) {
#pragma omp cancel for
					bump(&behind);
				} else if (i > 3) {
					for (;;) {
#pragma omp cancellation point for
#pragma omp taskyield
						sched_yield();
					}
				}
				bump(&ran);
			}
#pragma omp for schedule(guided)
			for (int i = 0; i < N; i++)
				bump(&second);
			if (now(&second) != N)
				bump(&wrong);
		}
		wrong += ran != 3;
	}
	ok(behind == 0 && wrong == 0, "cancel for: dynamic; the loop behind it is whole");
}

static void loop_if(void)
{
	int ran = 0;

#pragma omp parallel
#pragma omp for
	for (int i = 0; i < N; i++) {
#pragma omp cancel for if (i < 0)
		bump(&ran);
	}
	is_int(ran, N, "cancel for if(0): no cancellation");
}

static void every_iteration(void)
{
	int behind = 0, reached = 0, members = 0;

#pragma omp parallel
	{
		bump(&members);
#pragma omp for schedule(dynamic)
		for (int i = 0; i < N; i++) {
#pragma omp cancel for
			bump(&behind);
		}
		bump(&reached);
	}
	ok(behind == 0 && reached == members, "cancel for: in every iteration");
}

/* --- sections ------------------------------------------------------------------------------------------- */

static void sections(void)
{
	int behind = 0, reached = 0, members = 0;

#pragma omp parallel
	{
		bump(&members);
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp cancel sections
				bump(&behind);
			}
#pragma omp section
			for (;;) {
#pragma omp cancellation point sections
#pragma omp taskyield
				sched_yield();
			}
#pragma omp section
			for (;;) {
#pragma omp cancellation point sections
#pragma omp taskyield
				sched_yield();
			}
		}
		bump(&reached);
	}
	ok(behind == 0 && reached == members, "cancel sections: every member goes on behind them");
}

/* --- taskgroup ------------------------------------------------------------------------------------------ */

/* They cannot begin before the group is cancelled: they wait for a task that is none of the group. */
static void group_discards(void)
{
	int behind = 0, ran = 0, word = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < ROUNDS; round++) {
		omp_event_handle_t open;
#pragma omp task depend(out: word) detach(open) shared(word)
		word++;
#pragma omp taskgroup
		{
			for (int i = 0; i < 20; i++) {
#pragma omp task depend(in: word) shared(ran)
				bump(&ran);
			}
#pragma omp task if (0) shared(behind)
			{
#pragma omp cancel taskgroup
				bump(&behind);
			}
			omp_fulfill_event(open);
		}
	}
	ok(behind == 0 && word == ROUNDS, "cancel taskgroup: the task that met it ends there");
	is_int(ran, 0, "cancel taskgroup: tasks that have not begun are discarded");
}

/* A task that its maker's thread runs at once would go around for ever: it has to be cancelled by that thread. */
static void group_begun(void)
{
	int endless = 0, reached = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < ROUNDS; round++) {
		const int maker = omp_get_thread_num();
#pragma omp taskgroup
		{
			for (int i = 0; i < 4; i++) {
#pragma omp task shared(endless)
				if (omp_get_thread_num() != maker) {
					for (int k = 0; k < 1000000; k++) {
#pragma omp cancellation point taskgroup
#pragma omp taskyield
						sched_yield();
					}
					bump(&endless);
				}
			}
#pragma omp task if (0)
			{
#pragma omp cancel taskgroup
			}
		}
		reached++;
	}
	ok(endless == 0 && reached == ROUNDS, "cancel taskgroup: tasks that have begun end at a cancellation point");
}

static void group_only(void)
{
	int inner = 0, outer = 0, later = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		{
			for (int i = 0; i < 10; i++) {
#pragma omp task
				bump(&outer);
			}
#pragma omp taskgroup
			{
#pragma omp task if (0)
				{
#pragma omp cancel taskgroup
					bump(&inner);
				}
			}
			for (int i = 0; i < 10; i++) {
#pragma omp task
				{
#pragma omp cancellation point taskgroup
					bump(&outer);
				}
			}
		}
#pragma omp taskgroup
		for (int i = 0; i < 10; i++) {
#pragma omp task
			bump(&later);
		}
	}
	ok(inner == 0 && outer == 20 && later == 10, "cancel taskgroup: neither the outer group nor the next one");
}

static void group_if(void)
{
	int ran = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
	for (int i = 0; i < 20; i++) {
#pragma omp task
		{
#pragma omp cancel taskgroup if (i > 100)
			bump(&ran);
		}
	}
	is_int(ran, 20, "cancel taskgroup if(0): no cancellation");
}

static void group_search(void)
{
	int found = 0, reached = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < N; i++) {
#pragma omp task
			{
				if (i % 10 == 7) {
					bump(&found);
#pragma omp cancel taskgroup
				}
			}
		}
		reached = now(&found);
	}
	ok(reached >= 1 && reached == found && reached <= 10, "cancel taskgroup: several at once");
}

static void taskloop(void)
{
	int ran = 0, behind = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(10)
	for (int i = 0; i < N; i++) {
		bump(&ran);
#pragma omp cancel taskgroup
		bump(&behind);
	}
	ok(behind == 0 && ran >= 1 && ran <= 10, "cancel taskgroup: in a taskloop");

	ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
	for (int i = 0; i < N; i++) {
		bump(&ran);
#pragma omp cancel taskgroup
		bump(&behind);
	}
	ok(behind == 0 && ran >= 1 && (on_oracle() || ran <= omp_get_max_threads()),
		"cancel taskgroup: in a taskloop of many pieces, of which no thread starts one more");
}

/* --- without --------------------------------------------------------------------------------------------- */

static int ignored(void)
{
	int region = 0, members = 0, loop = 0, section = 0, tasks = 0;

#pragma omp parallel
	{
		bump(&members);
#pragma omp cancel parallel
#pragma omp cancellation point parallel
#pragma omp barrier
		bump(&region);
#pragma omp for
		for (int i = 0; i < N; i++) {
#pragma omp cancel for
#pragma omp cancellation point for
			bump(&loop);
		}
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp cancel sections
				bump(&section);
			}
#pragma omp section
			{
#pragma omp cancellation point sections
				bump(&section);
			}
		}
#pragma omp single
#pragma omp taskgroup
		for (int i = 0; i < N; i++) {
#pragma omp task
			{
#pragma omp cancel taskgroup
#pragma omp cancellation point taskgroup
				bump(&tasks);
			}
		}
	}
	printf("cancellation=%d\nregion=%d\nloop=%d\nsections=%d\ntasks=%d\n", omp_get_cancellation(),
		region == members, loop, section, tasks);
	return 0;
}

static void without(const char *how, char *setting)
{
	is_int(again("ignored", setting, NULL), 0, "%s: the program ends", how);
	is_int(again_number("cancellation"), 0, "%s: omp_get_cancellation", how);
	ok(again_number("region") == 1 && again_number("loop") == N && again_number("sections") == 2 &&
			again_number("tasks") == N,
		"%s: cancel does nothing", how);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "ignored") == 0)
		return ignored();
	if (argc == 1) {
		setenv("OMP_CANCELLATION", "true", 1);
		again_exec("cancelled");
	}
	plan(27);
	is_int(omp_get_cancellation(), 1, "OMP_CANCELLATION=true: omp_get_cancellation");
	parallel();
	parallel_barrier();
	parallel_implicit_barrier();
	parallel_if();
	parallel_nested();
	next_region_is_whole();
	loop_static();
	loop_dynamic();
	loop_if();
	every_iteration();
	sections();
	group_discards();
	group_begun();
	group_only();
	group_if();
	group_search();
	taskloop();
	without("OMP_CANCELLATION=false", "OMP_CANCELLATION=false");
	without("no OMP_CANCELLATION", "OMP_CANCELLATION");
	return done();
}
