/* test/omp/task_wait.c -- taskwait, taskgroup, taskyield, barriers: whom they wait for, and whom not.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * That a construct does not wait for a task is seen with a task that cannot complete before the construct is over: its
 * event (the detach clause) is fulfilled behind it.
 */
#include "omp/tasking.h"

enum { TASKS = 100, ROUNDS = 100 };

/* --- taskwait ------------------------------------------------------------------------------------------- */

static void taskwait_children(void)
{
	int early = 0;

#pragma omp parallel
	for (int round = 0; round < 50; round++) {
		int ran = 0;
		for (int i = 0; i < 10; i++) {
#pragma omp task shared(ran)
			bump(&ran);
		}
#pragma omp taskwait
		if (ran != 10)
			bump(&early);
	}
	is_int(early, 0, "taskwait: every child has completed, in every member of the team");
}

static void taskwait_after_each(void)
{
	int early = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 1000; i++) {
		int done = 0;
#pragma omp task shared(done)
		done = 1;
#pragma omp taskwait
		early += !done;
	}
	is_int(early, 0, "taskwait: after each of 1000 tasks");
}

static void taskwait_without_children(void)
{
	int reached = 0;

#pragma omp taskwait
#pragma omp parallel
	{
#pragma omp taskwait
#pragma omp task
		{
#pragma omp taskwait
#pragma omp taskwait
			bump(&reached);
		}
#pragma omp taskwait
#pragma omp taskwait
	}
	ok(reached > 0, "taskwait: without children, and twice");
}

static void taskwait_not_for_grandchildren(void)
{
	int completed = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
		omp_event_handle_t event;
		int child = 0;
#pragma omp task shared(event, child)
		{
			omp_event_handle_t inner;
#pragma omp task detach(inner)
			bump(&completed);
			event = inner;
			child = 1;
		}
#pragma omp taskwait
		if (!child)
			bump(&completed);
		omp_fulfill_event(event);
	}
	is_int(completed, 20, "taskwait: does not wait for children of children");
}

static void taskwait_not_for_siblings(void)
{
	int waited = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
		omp_event_handle_t open;
#pragma omp task detach(open)
		bump(&waited);
#pragma omp task if (0)
		{
#pragma omp taskwait
			bump(&waited);
		}
		omp_fulfill_event(open);
#pragma omp taskwait
	}
	is_int(waited, 40, "taskwait: does not wait for siblings");
}

static void taskwait_in_each_generation(void)
{
	int early = 0, leaves = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task
		{
			int mine = 0;
			for (int k = 0; k < 5; k++) {
#pragma omp task shared(mine)
				{
					int lower = 0;
#pragma omp task shared(lower)
					lower = 1;
#pragma omp taskwait
					if (!lower)
						bump(&early);
					bump(&mine);
					bump(&leaves);
				}
			}
#pragma omp taskwait
			if (mine != 5)
				bump(&early);
		}
	}
	is_int(early, 0, "taskwait: in tasks of three generations");
	is_int(leaves, 100, "taskwait: each task ran once");
}

/* --- taskyield ------------------------------------------------------------------------------------------ */

static void taskyield_goes_on(void)
{
	int sum = 0, moved = 0;

#pragma omp taskyield
#pragma omp parallel
	{
		const int before = omp_get_thread_num();
		for (int i = 0; i < TASKS; i++) {
#pragma omp task
			{
				const int me = omp_get_thread_num();
				for (int k = 0; k < 3; k++) {
#pragma omp taskyield
					bump(&sum);
				}
				if (omp_get_thread_num() != me)
					bump(&moved);
			}
#pragma omp taskyield
		}
		if (omp_get_thread_num() != before)
			bump(&moved);
#pragma omp barrier
#pragma omp single
		sum -= 3 * TASKS * omp_get_num_threads();
	}
	is_int(sum, 0, "taskyield: the task goes on");
	is_int(moved, 0, "taskyield: the task is on the same thread as before");
}

/* --- taskgroup ------------------------------------------------------------------------------------------ */

static void descend(int depth, int *ran)
{
	bump(ran);
	if (depth > 0)
		for (int i = 0; i < 3; i++) {
#pragma omp task
			descend(depth - 1, ran);
		}
}

static void taskgroup_descendants(void)
{
	int early = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 10; round++) {
		int ran = 0;
#pragma omp taskgroup
		{
#pragma omp task shared(ran)
			descend(4, &ran);
#pragma omp task shared(ran) if (round % 2)
			descend(2, &ran);
		}
		early += now(&ran) != 121 + 13;
	}
	is_int(early, 0, "taskgroup: every descendant has completed at its end");
}

static void taskgroup_in_every_member(void)
{
	int early = 0;

#pragma omp parallel
	for (int round = 0; round < 20; round++) {
		int ran = 0;
#pragma omp taskgroup
		descend(3, &ran);
		if (now(&ran) != 40)
			bump(&early);
	}
	is_int(early, 0, "taskgroup: one in every member of the team at once");
}

static void taskgroup_nested(void)
{
	int early = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 20; round++) {
		int outer = 0, inner = 0;
#pragma omp taskgroup
		{
#pragma omp task shared(outer)
			descend(2, &outer);
#pragma omp taskgroup
			{
#pragma omp task shared(inner)
				descend(3, &inner);
			}
			early += now(&inner) != 40;
#pragma omp task shared(outer)
			{
				int mine = 0;
#pragma omp taskgroup
				{
#pragma omp task shared(mine)
					descend(1, &mine);
				}
				if (now(&mine) != 4)
					bump(&early);
				bump(&outer);
			}
		}
		early += now(&outer) != 14;
	}
	is_int(early, 0, "taskgroup: one inside of another and in a task of another");
}

static void taskgroup_inherited(void)
{
	int completed = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 20; round++) {
		omp_event_handle_t event = 0;
		int after = 0;
#pragma omp taskgroup
		{
#pragma omp task shared(event, after)
			{
				omp_event_handle_t inner;
#pragma omp taskgroup
				{
#pragma omp task shared(after)
					after = 1;
				}
#pragma omp task detach(inner) shared(completed)
				bump(&completed);
				event = inner;
			}
#pragma omp taskwait
			omp_fulfill_event(event);
		}
		if (!after)
			bump(&completed);
	}
	is_int(completed, 20, "taskgroup: behind an inner one the outer one counts again");
}

static void taskgroup_not_for_earlier(void)
{
	int completed = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 20; round++) {
		omp_event_handle_t before, outer;
		int inner = 0;
#pragma omp task detach(before)
		bump(&completed);
#pragma omp taskgroup
		{
#pragma omp task detach(outer)
			bump(&completed);
#pragma omp taskgroup
			{
#pragma omp task shared(inner)
				inner = 1;
			}
			if (!inner)
				bump(&completed);
			omp_fulfill_event(outer);
		}
		omp_fulfill_event(before);
#pragma omp taskwait
	}
	is_int(completed, 40, "taskgroup: waits neither for earlier tasks nor for those of the outer group");
}

static void taskgroup_empty(void)
{
	int reached = 0;

#pragma omp taskgroup
	reached++;
#pragma omp parallel
	{
#pragma omp taskgroup
		{
		}
#pragma omp taskgroup
#pragma omp taskgroup
		bump(&reached);
#pragma omp barrier
#pragma omp single
		reached -= omp_get_num_threads();
	}
	is_int(reached, 1, "taskgroup: without tasks, and outside of a region");
}

static void taskgroup_outside(void)
{
	int ran = 0;

#pragma omp taskgroup
	{
#pragma omp task shared(ran)
		descend(3, &ran);
	}
	is_int(ran, 40, "taskgroup: outside of a region its tasks have run");
}

static void taskgroup_and_taskwait(void)
{
	int early = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 20; round++) {
		int before = 0, inside = 0;
#pragma omp task shared(before)
		bump(&before);
#pragma omp taskgroup
		{
#pragma omp task shared(inside)
			bump(&inside);
#pragma omp taskwait
			early += now(&inside) != 1 || now(&before) != 1;
#pragma omp task shared(inside)
			descend(1, &inside);
		}
		early += now(&inside) != 5;
	}
	is_int(early, 0, "taskgroup: a taskwait inside of it waits for all children");
}

/* --- barriers and ends ---------------------------------------------------------------------------------- */

static void explicit_barrier(void)
{
	int early = 0, ran = 0;

#pragma omp parallel
	for (int round = 1; round <= ROUNDS; round++) {
		for (int i = 0; i < 3; i++) {
#pragma omp task
			bump(&ran);
		}
#pragma omp barrier
		if (now(&ran) != 3 * round * omp_get_num_threads())
			bump(&early);
#pragma omp barrier
	}
	is_int(early, 0, "barrier: nobody goes on before every task of the team is done");
}

static void barrier_and_descendants(void)
{
	int early = 0, ran = 0;

#pragma omp parallel
	for (int round = 1; round <= 10; round++) {
#pragma omp single nowait
		{
#pragma omp task
			descend(5, &ran);
		}
#pragma omp barrier
		if (now(&ran) != round * 364)
			bump(&early);
#pragma omp barrier
	}
	is_int(early, 0, "barrier: tasks made by tasks while others wait in it");
}

static void implicit_barriers(void)
{
	int early = 0, ran = 0;

#pragma omp parallel
	for (int round = 0; round < 30; round++) {
		const int before = round * (10 + 10 + 1 + 2);
#pragma omp single
		for (int i = 0; i < 10; i++) {
#pragma omp task
			bump(&ran);
		}
		if (now(&ran) != before + 10)
			bump(&early);
#pragma omp barrier
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 10; i++) {
#pragma omp task
			bump(&ran);
		}
		if (now(&ran) != before + 20)
			bump(&early);
#pragma omp barrier
#pragma omp for schedule(static)
		for (int i = 0; i < 1; i++) {
#pragma omp task
			bump(&ran);
		}
		if (now(&ran) != before + 21)
			bump(&early);
#pragma omp barrier
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp task
				bump(&ran);
			}
#pragma omp section
			{
#pragma omp task
				bump(&ran);
			}
		}
		if (now(&ran) != before + 23)
			bump(&early);
#pragma omp barrier
	}
	is_int(early, 0, "single, for, sections: their ends have waited for the tasks");
}

static void ends_of_regions(void)
{
	int early = 0;

	for (int round = 0; round < ROUNDS; round++) {
		int ran = 0, made = 0;
#pragma omp parallel
		{
			bump(&made);
#pragma omp task
			{
#pragma omp task
				bump(&ran);
			}
		}
		early += ran != made;
	}
	is_int(early, 0, "parallel: its end has waited for every task, in 100 regions one after another");
}

/* One member comes late; meanwhile those in the barrier run what there is. */
static void tasks_while_one_is_away(void)
{
	int ran = 0, seen = 0;

#pragma omp parallel num_threads(2)
	{
		const int members = omp_get_num_threads();
#pragma omp masked filter(members - 1)
		for (int i = 0; i < TASKS; i++) {
#pragma omp task
			bump(&ran);
		}
#pragma omp masked filter(members - 1)
		if (members > 1)
			while (now(&ran) < TASKS) {
#pragma omp taskyield
				sched_yield();
			}
#pragma omp barrier
		if (now(&ran) == TASKS)
			bump(&seen);
#pragma omp barrier
#pragma omp single
		seen -= members;
	}
	is_int(seen, 0, "barrier: who waits in it runs the tasks of one who does not come yet");
}

static void results_are_visible(void)
{
	static int plain[TASKS];
	int wrong = 0;

#pragma omp parallel
	for (int round = 0; round < 30; round++) {
#pragma omp single
		for (int i = 0; i < TASKS; i++) {
#pragma omp task
			plain[i] += i + round;
		}
		for (int i = 0; i < TASKS; i++)
			if (plain[i] != (round + 1) * i + round * (round + 1) / 2)
				bump(&wrong);
#pragma omp barrier
	}
	is_int(wrong, 0, "barrier: what tasks wrote is seen by every member behind it");
}

/* --- threads that wait in other ways --------------------------------------------------------------------- */

/* GCC's library defers the tasks of one thread, which then have nobody. */
static bool somebody_else_runs_them(void)
{
	return omp_get_num_threads() > 1 || !on_oracle();
}

/* The others are at the barrier.  Each task may be anywhere, also where its creator would have run it. */
static void own_task_awaited_awake(void)
{
	int seen = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
		int set = 0;
#pragma omp task shared(set)
		put(&set, 1);
		if (somebody_else_runs_them())
			wait_until(now(&set));
#pragma omp taskwait
		seen += set;
	}
	is_int(seen, 20, "a thread that looks at a word until its own task has set it");
}

/* All of them but one look at the word. */
static void all_but_one_awake(void)
{
	int ran = 0, seen = 0;

#pragma omp parallel
	{
		const int members = omp_get_num_threads(), last = omp_get_thread_num() == members - 1;

		for (int i = 0; i < 10; i++) {
#pragma omp task
			bump(&ran);
		}
		if (!last)
			wait_until(now(&ran) >= 10 * members);
#pragma omp barrier
		if (now(&ran) == 10 * members)
			bump(&seen);
#pragma omp barrier
#pragma omp single
		seen -= members;
	}
	is_int(seen, 0, "threads that look at a word until the tasks of all have set it, while one is at the barrier");
}

int main(void)
{
	plan(25);
	taskwait_children();
	taskwait_after_each();
	taskwait_without_children();
	taskwait_not_for_grandchildren();
	taskwait_not_for_siblings();
	taskwait_in_each_generation();
	taskyield_goes_on();
	taskgroup_descendants();
	taskgroup_in_every_member();
	taskgroup_nested();
	taskgroup_inherited();
	taskgroup_not_for_earlier();
	taskgroup_empty();
	taskgroup_outside();
	taskgroup_and_taskwait();
	explicit_barrier();
	barrier_and_descendants();
	implicit_barriers();
	ends_of_regions();
	tasks_while_one_is_away();
	results_are_visible();
	own_task_awaited_awake();
	all_but_one_awake();
	return done();
}
