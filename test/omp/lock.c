/* test/omp/lock.c -- simple and nest locks, and critical, by threads and by tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a lock protects is not atomic: a ThreadSanitizer build looks at that, too.
 */
#include "omp/tasking.h"

#include <pthread.h>
#include <string.h>

enum { TASKS = 200, MEMBERS = 8, ROUNDS = 200, MANY = 100000 };

/* Who is kept from its CPU between reading and writing shows whether others are let in. */
static void slowly(int *count)
{
	const int was = *count;

	if (was % 100 == 50)
		every_linger();
	*count = was + 1;
}

/* --- simple locks --------------------------------------------------------------------------------------- */

static void alone(void)
{
	omp_lock_t lock;
	int got[4];

	omp_init_lock(&lock);
	got[0] = omp_test_lock(&lock);
	got[1] = omp_test_lock(&lock);
	omp_unset_lock(&lock);
	got[2] = omp_test_lock(&lock);
	omp_unset_lock(&lock);
	omp_set_lock(&lock);
	got[3] = omp_test_lock(&lock);
	omp_unset_lock(&lock);
	omp_destroy_lock(&lock);
	ok(got[0] && !got[1] && got[2] && !got[3], "omp_test_lock: true if it was free, false if it was held");

	omp_init_lock(&lock);
	got[0] = omp_test_lock(&lock);
	omp_unset_lock(&lock);
	omp_destroy_lock(&lock);
	ok(got[0], "omp_init_lock: again, after omp_destroy_lock");
}

static void exclusion(void)
{
	int sum = 0, inside = 0, wrong = 0, members = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(MEMBERS)
	{
		bump(&members);
		for (int i = 0; i < ROUNDS; i++) {
			omp_set_lock(&lock);
			wrong += inside++ != 0;
			slowly(&sum);
			inside--;
			omp_unset_lock(&lock);
		}
	}
	omp_destroy_lock(&lock);
	ok(wrong == 0 && sum == ROUNDS * members, "omp_set_lock: one at a time, of 8 threads");
}

static void exclusion_by_test(void)
{
	int sum = 0, members = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel
	{
		bump(&members);
		for (int i = 0; i < ROUNDS; i++) {
			while (!omp_test_lock(&lock)) {
#pragma omp taskyield
				sched_yield();
			}
			slowly(&sum);
			omp_unset_lock(&lock);
		}
	}
	omp_destroy_lock(&lock);
	is_int(sum, ROUNDS * members, "omp_test_lock: tried until it is free");
}

static void by_tasks(void)
{
	int sum = 0, inside = 0, wrong = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(MEMBERS)
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		for (int k = 0; k < 10; k++) {
			omp_set_lock(&lock);
			wrong += inside++ != 0;
			slowly(&sum);
			inside--;
			omp_unset_lock(&lock);
		}
	}
	omp_destroy_lock(&lock);
	ok(wrong == 0 && sum == 10 * TASKS, "omp_set_lock: one at a time, of 200 tasks");
}

/* The lock is the task's: whatever its thread does meanwhile.  The children do not want it. */
static void across_scheduling_points(void)
{
	int sum = 0, inside = 0, wrong = 0, ran = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel
	for (int i = 0; i < 20; i++) {
		omp_set_lock(&lock);
		wrong += inside++ != 0;
		for (int k = 0; k < 5; k++) {
#pragma omp task
			bump(&ran);
		}
#pragma omp taskwait
		slowly(&sum);
		inside--;
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	ok(wrong == 0 && sum * 5 == ran, "omp_set_lock: held across a taskwait whose tasks others may run");
}

/* While a tied task is suspended its thread may begin descendants of it only: not its siblings, which want the lock. */
static void siblings_want_it(void)
{
	int sum = 0, ran = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		{
			omp_set_lock(&lock);
#pragma omp taskyield
			slowly(&sum);
#pragma omp task
			bump(&ran);
#pragma omp taskwait
			omp_unset_lock(&lock);
		}
	}
	omp_destroy_lock(&lock);
	ok(sum == TASKS && ran == TASKS,
		"omp_set_lock: held by tasks across taskyield and taskwait while siblings want it");
}

static void strangers_want_it(void)
{
	int sum = 0, ran = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(MEMBERS)
	{
		if (omp_get_thread_num() == 0)
			for (int i = 0; i < TASKS; i++) {
#pragma omp task
				{
					omp_set_lock(&lock);
					slowly(&sum);
					omp_unset_lock(&lock);
				}
			}
		else
			for (int i = 0; i < 20; i++) {
				omp_set_lock(&lock);
#pragma omp task
				bump(&ran);
#pragma omp taskwait
#pragma omp taskyield
				omp_unset_lock(&lock);
			}
#pragma omp barrier
#pragma omp single
		sum -= TASKS, ran -= 20 * (omp_get_num_threads() - 1);
	}
	omp_destroy_lock(&lock);
	ok(sum == 0 && ran == 0, "omp_set_lock: held by a member across taskwait while another member's tasks want it");
}

static void await_flag(const int *flag)
{
	while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
		sched_yield();
}

/* Some of the tasks are left for the member that has the lock and gives way: it must not begin one that wants it. */
static void held_across_taskyield(void)
{
	int holds = 0, made = 0, yielded = 0, sum = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(MEMBERS)
	if (omp_get_num_threads() > 1 && omp_get_thread_num() == 0) {
		await_flag(&holds);
		for (int i = 0; i < 2 * MEMBERS; i++) {
#pragma omp task
			{
				omp_set_lock(&lock);
				slowly(&sum);
				omp_unset_lock(&lock);
			}
		}
		__atomic_store_n(&made, 1, __ATOMIC_RELEASE);
		await_flag(&yielded);
	} else if (omp_get_thread_num() == 1) {
		omp_set_lock(&lock);
		__atomic_store_n(&holds, 1, __ATOMIC_RELEASE);
		await_flag(&made);
		for (int i = 0; i < 100; i++) {
#pragma omp taskyield
		}
		omp_unset_lock(&lock);
		__atomic_store_n(&yielded, 1, __ATOMIC_RELEASE);
	}
	omp_destroy_lock(&lock);
	ok(sum == (made ? 2 * MEMBERS : 0), "omp_set_lock: held by a member across taskyield while another member's tasks want it");
}

/* Held by one member for long: those who wait for it must not keep it from going on. */
static void held_while_others_wait(void)
{
	int sum = 0, members = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(MEMBERS)
	{
		bump(&members);
		omp_set_lock(&lock);
		for (int i = 0; i < 5; i++)
			sched_yield();
		slowly(&sum);
		omp_unset_lock(&lock);
#pragma omp barrier
		omp_set_lock(&lock);
		slowly(&sum);
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	is_int(sum, 2 * members, "omp_set_lock: by all at once");
}

static void two_at_once(void)
{
	omp_lock_t lock[2];
	int turns = 0;

	omp_init_lock(&lock[0]);
	omp_init_lock(&lock[1]);
	for (int i = 0; i < 10; i++) {
		omp_set_lock(&lock[0]);
		omp_set_lock(&lock[1]);
		turns++;
		omp_unset_lock(&lock[0]);
		turns += omp_test_lock(&lock[0]);
		omp_unset_lock(&lock[1]);
		omp_unset_lock(&lock[0]);
	}
	omp_destroy_lock(&lock[0]);
	omp_destroy_lock(&lock[1]);
	is_int(turns, 20, "omp_set_lock: two locks, given back in any order");
}

static void many(void)
{
	const int n = every_scaled(MANY);
	omp_lock_t *locks = malloc(n * sizeof(*locks));
	int *sums = calloc(n, sizeof(*sums)), wrong = 0, members = 0;

	for (int i = 0; i < n; i++)
		omp_init_lock(&locks[i]);
#pragma omp parallel
	{
		bump(&members);
		for (int i = omp_get_thread_num(); i < n; i += 3) {
			omp_set_lock(&locks[i]);
			sums[i]++;
			omp_unset_lock(&locks[i]);
		}
	}
	for (int i = 0; i < n; i++) {
		int want = 0;
		for (int m = 0; m < members; m++)
			want += i >= m && (i - m) % 3 == 0;
		wrong += sums[i] != want;
	}
	is_int(wrong, 0, "omp_init_lock: 100000 locks, none of which is ever destroyed");
	free(locks);
	free(sums);
}

static void *outsider(void *arg)
{
	omp_lock_t *lock = ((void **)arg)[0];
	int *sum = ((void **)arg)[1];

	for (int i = 0; i < ROUNDS; i++) {
		omp_set_lock(lock);
		slowly(sum);
		omp_unset_lock(lock);
	}
	return NULL;
}

static void with_plain_threads(void)
{
	int sum = 0, members = 0;
	omp_lock_t lock;
	void *args[2] = { &lock, &sum };
	pthread_t threads[3];

	omp_init_lock(&lock);
	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, outsider, args))
			bail_out("no thread");
#pragma omp parallel
	{
		bump(&members);
		for (int i = 0; i < ROUNDS; i++) {
			omp_set_lock(&lock);
			slowly(&sum);
			omp_unset_lock(&lock);
		}
	}
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	omp_destroy_lock(&lock);
	is_int(sum, ROUNDS * (members + 3), "omp_set_lock: by members of a team and by plain threads");
}

/* --- nest locks ----------------------------------------------------------------------------------------- */

static void nest_alone(void)
{
	omp_nest_lock_t lock;
	int first, second, third;

	omp_init_nest_lock(&lock);
	first = omp_test_nest_lock(&lock);
	omp_set_nest_lock(&lock);
	second = omp_test_nest_lock(&lock);
	omp_unset_nest_lock(&lock);
	omp_unset_nest_lock(&lock);
	omp_unset_nest_lock(&lock);
	third = omp_test_nest_lock(&lock);
	omp_unset_nest_lock(&lock);
	omp_destroy_nest_lock(&lock);
	ok(first == 1 && second == 3 && third == 1, "omp_test_nest_lock: how often it is held now");
}

static void nest_exclusion(void)
{
	int sum = 0, inside = 0, wrong = 0, members = 0;
	omp_nest_lock_t lock;

	omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(MEMBERS)
	{
		bump(&members);
		for (int i = 0; i < ROUNDS; i++) {
			omp_set_nest_lock(&lock);
			wrong += inside++ != 0;
			omp_set_nest_lock(&lock);
			slowly(&sum);
			omp_unset_nest_lock(&lock);
			inside--;
			omp_unset_nest_lock(&lock);
		}
	}
	omp_destroy_nest_lock(&lock);
	ok(wrong == 0 && sum == ROUNDS * members, "omp_set_nest_lock: one at a time, each twice");
}

/* It belongs to the task, not to the thread: not even to a child that runs on the same one. */
static void nest_is_the_tasks(void)
{
	int child = -1, parent = -1, inner = -1, again = -1;
	omp_nest_lock_t lock;

	omp_init_nest_lock(&lock);
#pragma omp parallel
#pragma omp single
	{
		omp_set_nest_lock(&lock);
#pragma omp task if (0) shared(child)
		child = omp_test_nest_lock(&lock);
		parent = omp_test_nest_lock(&lock);
		omp_unset_nest_lock(&lock);
		omp_unset_nest_lock(&lock);
#pragma omp task shared(inner, again)
		{
			omp_set_nest_lock(&lock);
#pragma omp taskyield
			inner = omp_test_nest_lock(&lock);
			omp_unset_nest_lock(&lock);
#pragma omp taskyield
			again = omp_test_nest_lock(&lock);
			omp_unset_nest_lock(&lock);
			omp_unset_nest_lock(&lock);
		}
	}
	ok(child == 0 && parent == 2, "omp_test_nest_lock: false for a child of the task that holds it");
	ok(inner == 2 && again == 2, "omp_set_nest_lock: held by an explicit task across scheduling points");
	is_int(omp_test_nest_lock(&lock), 1, "omp_test_nest_lock: free again afterwards");
	omp_unset_nest_lock(&lock);
	omp_destroy_nest_lock(&lock);
}

static void climb(omp_nest_lock_t *lock, int depth, int *sum)
{
	omp_set_nest_lock(lock);
	slowly(sum);
	if (depth > 0)
		climb(lock, depth - 1, sum);
	omp_unset_nest_lock(lock);
}

static void nest_by_tasks(void)
{
	int sum = 0;
	omp_nest_lock_t lock;

	omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(MEMBERS)
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		climb(&lock, 9, &sum);
	}
	omp_destroy_nest_lock(&lock);
	is_int(sum, 10 * TASKS, "omp_set_nest_lock: ten deep in each of 200 tasks");
}

static void nest_many(void)
{
	enum { LOCKS = 1000 };
	static omp_nest_lock_t locks[LOCKS];
	int wrong = 0;

	for (int i = 0; i < LOCKS; i++)
		omp_init_nest_lock(&locks[i]);
	for (int i = 0; i < LOCKS; i++)
		for (int k = 1; k <= 3; k++)
			wrong += omp_test_nest_lock(&locks[i]) != k;
	for (int i = 0; i < LOCKS; i++)
		for (int k = 1; k <= 3; k++)
			omp_unset_nest_lock(&locks[i]);
	for (int i = 0; i < LOCKS; i++)
		omp_destroy_nest_lock(&locks[i]);
	is_int(wrong, 0, "omp_test_nest_lock: 1000 held at once by one task");
}

/* --- critical ------------------------------------------------------------------------------------------- */

static void critical_in_tasks(void)
{
	int sum = 0, named = 0, other = 0;

#pragma omp parallel num_threads(MEMBERS)
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		{
#pragma omp critical
			slowly(&sum);
#pragma omp critical(first_of_lock_c)
			slowly(&named);
#pragma omp critical(second_of_lock_c) hint(omp_sync_hint_contended)
			{
				slowly(&other);
#pragma omp critical(first_of_lock_c)
				slowly(&named);
			}
		}
	}
	ok(sum == TASKS && named == 2 * TASKS && other == TASKS, "critical: in 200 tasks, unnamed, named, nested");
}

static void critical_with_tasks_inside(void)
{
	int sum = 0, ran = 0, members = 0;

#pragma omp parallel
	{
		bump(&members);
		for (int i = 0; i < 20; i++) {
#pragma omp critical(tasks_inside)
			{
				slowly(&sum);
#pragma omp task
				bump(&ran);
			}
		}
	}
	ok(sum == 20 * members && ran == sum, "critical: tasks made inside of it");
}

static void critical_with_a_taskwait_inside(void)
{
	int sum = 0, ran = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		{
#pragma omp critical(waits_inside)
			{
#pragma omp task
				bump(&ran);
				slowly(&sum);
#pragma omp taskwait
#pragma omp taskyield
			}
		}
	}
	ok(sum == TASKS && ran == TASKS, "critical: taskwait and taskyield inside of it, while siblings wait for it");
}

static void critical_by_task_and_member(void)
{
	int sum = 0, members = 0;

#pragma omp parallel
	{
		bump(&members);
		for (int i = 0; i < 50; i++) {
#pragma omp task
			{
#pragma omp critical(both_kinds)
				slowly(&sum);
			}
#pragma omp critical(both_kinds)
			slowly(&sum);
		}
	}
	is_int(sum, 100 * members, "critical: by implicit tasks and their explicit ones");
}

int main(void)
{
	plan(24);
	alone();
	exclusion();
	exclusion_by_test();
	by_tasks();
	across_scheduling_points();
	siblings_want_it();
	strangers_want_it();
	held_across_taskyield();
	held_while_others_wait();
	two_at_once();
	many();
	with_plain_threads();
	nest_alone();
	nest_exclusion();
	nest_is_the_tasks();
	nest_by_tasks();
	nest_many();
	critical_in_tasks();
	critical_with_tasks_inside();
	critical_with_a_taskwait_inside();
	critical_by_task_and_member();
	return done();
}
