/* test/omp/task_thread.c -- a task that has begun keeps its thread number and its thread of the system.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled code relies on both: it takes the address of errno, or of a __thread variable, once and uses it behind a
 * scheduling point.
 */
#include "omp/tasking.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TASKS = 60, MOST = 64 };

static __thread int local;
static int counter;
#pragma omp threadprivate(counter)

struct where {
	int number;
	pid_t system;
	int *local, *error;
	pthread_t self;
};

/* Out of line: each call has to look for itself. */
__attribute__((noinline)) static struct where here(void)
{
	__asm__ volatile("" ::: "memory");
	return (struct where){ omp_get_thread_num(), (pid_t)syscall(SYS_gettid), &local, &errno, pthread_self() };
}

static bool same_thread(struct where a, struct where b)
{
	return a.system == b.system && a.local == b.local && a.error == b.error && pthread_equal(a.self, b.self);
}

static int moved, renumbered;

static void look(struct where before)
{
	const struct where after = here();

	if (!same_thread(before, after))
		bump(&moved);
	if (before.number != after.number)
		bump(&renumbered);
}

static void report(const char *at)
{
	is_int(renumbered, 0, "%s: omp_get_thread_num is what it was", at);
	is_int(moved, 0, "%s: the thread of the system is what it was", at);
	moved = renumbered = 0;
}

static void children(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp task
		{
			const struct where begin = here();
#pragma omp taskyield
			look(begin);
		}
	}
}

static void at_taskwait(void)
{
#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		{
			const struct where begin = here();
			children(4);
			look(begin);
#pragma omp taskwait
			look(begin);
			children(2);
#pragma omp taskwait
			look(begin);
		}
	}
	report("taskwait");
}

static void at_taskgroup(void)
{
#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		{
			const struct where begin = here();
#pragma omp taskgroup
			{
#pragma omp task
				children(3);
			}
			look(begin);
		}
	}
	report("taskgroup");
}

static void at_taskyield(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		{
			const struct where begin = here();
			for (int k = 0; k < 10; k++) {
#pragma omp taskyield
				look(begin);
			}
		}
	}
	report("taskyield");
}

static void at_undeferred(void)
{
#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		{
			const struct where begin = here();
#pragma omp task if (0)
			{
				look(begin);
				children(2);
#pragma omp taskwait
				look(begin);
			}
			look(begin);
#pragma omp task final(1)
			{
				const struct where inside = here();
#pragma omp task
				look(inside);
				look(inside);
			}
#pragma omp taskwait
			look(begin);
		}
	}
	report("undeferred tasks");
}

static void at_dependences(void)
{
#pragma omp parallel
	for (int i = 0; i < TASKS / 2; i++) {
		int word = 0;
		const struct where begin = here();
#pragma omp task depend(out: word) shared(word)
		word = 1;
#pragma omp task depend(inout: word) shared(word) if (0)
		{
			look(begin);
			word = 2;
		}
		look(begin);
#pragma omp task depend(inout: word) shared(word)
		word = 3;
#pragma omp taskwait depend(in: word)
		look(begin);
	}
	report("depend on undeferred tasks, taskwait depend");
}

static void at_taskloop(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS / 6; i++) {
#pragma omp task
		{
			const struct where begin = here();
#pragma omp taskloop num_tasks(5)
			for (int k = 0; k < 10; k++)
				children(1);
			look(begin);
		}
	}
	report("taskloop");
}

static void at_locks(void)
{
	int in_critical = 0, in_lock = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		{
			const struct where begin = here();
#pragma omp critical(at_locks)
			in_critical++;
			look(begin);
			omp_set_lock(&lock);
			in_lock++;
			omp_unset_lock(&lock);
			look(begin);
		}
	}
	omp_destroy_lock(&lock);
	if (in_critical != in_lock)
		bump(&moved);
	report("critical and locks");
}

static void at_barriers(void)
{
#pragma omp parallel
	{
		const struct where begin = here();
		for (int i = 0; i < 20; i++) {
			children(5);
			look(begin);
#pragma omp barrier
			look(begin);
#pragma omp single
			children(5);
			look(begin);
#pragma omp for schedule(dynamic)
			for (int k = 0; k < 10; k++)
				children(1);
			look(begin);
#pragma omp taskwait
			look(begin);
		}
	}
	report("barriers of an implicit task");
}

static void at_inner_regions(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 6; i++) {
#pragma omp task
		{
			const struct where begin = here();
#pragma omp parallel num_threads(2)
			{
				if (omp_get_thread_num() == 0) {
					const struct where inside = here();
					if (!same_thread(begin, inside))
						bump(&moved);
				}
				children(3);
			}
			look(begin);
		}
	}
	omp_set_max_active_levels(1);
	report("an inner region");
}

static void untied(void)
{
#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
#pragma omp task untied
		{
			const struct where begin = here();
			children(3);
#pragma omp taskyield
			if (!same_thread(begin, here()))
				bump(&moved);
#pragma omp taskwait
			if (!same_thread(begin, here()))
				bump(&moved);
		}
	}
	is_int(moved, 0, "untied: the thread of the system is what it was");
	moved = renumbered = 0;
}

static void errno_survives(void)
{
	int lost = 0;

#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		{
			int *mine = &errno;
			children(2);
#pragma omp taskwait
			*mine = 1000 + i;
			if (errno != 1000 + i)
				bump(&lost);
		}
	}
	is_int(lost, 0, "errno: its address holds across taskwait");
}

/* --- numbers and threads belong together ----------------------------------------------------------------- */

static void numbers_are_threads(void)
{
	static struct where members[MOST];
	int wrong = 0;

#pragma omp parallel
	{
		const struct where mine = members[omp_get_thread_num()] = here();
#pragma omp barrier
		for (int i = 0; i < omp_get_num_threads(); i++)
			if (i != mine.number && same_thread(members[i], mine))
				bump(&wrong);
		for (int i = 0; i < TASKS; i++) {
#pragma omp task
			{
				const struct where it = here();
				if (!same_thread(it, members[it.number]))
					bump(&wrong);
#pragma omp task
				{
					const struct where child = here();
					if (!same_thread(child, members[child.number]))
						bump(&wrong);
				}
			}
		}
	}
	is_int(wrong, 0, "task: on the thread of the member whose number it has");
}

/* Every increment is found where an implicit task looks for it. */
static void counted_by_threads(void)
{
	const int n = every_scaled(2000);
	int total = 0, made = 0;

	for (int round = 0; round < 5; round++) {
#pragma omp parallel
		counter = 0;
#pragma omp parallel
		{
#pragma omp single
			for (int i = 0; i < n; i++) {
#pragma omp task
				{
					counter++;
#pragma omp task
					counter++;
#pragma omp taskwait
					counter++;
				}
			}
#pragma omp atomic
			total += counter;
		}
		made += 3 * n;
	}
	is_int(total, made, "threadprivate: counted in tasks, added up by the implicit tasks");
}

static void counted_in_the_next_region(void)
{
	int total = 0;

#pragma omp parallel
	counter = 0;
#pragma omp parallel
	for (int i = 0; i < 100; i++) {
#pragma omp task
		counter += 1;
	}
#pragma omp parallel reduction(+ : total)
	total += counter;
	is_int(total, 100 * omp_get_max_threads(), "threadprivate: counted in tasks, added up in the next region");
}

int main(void)
{
	plan(23);
	at_taskwait();
	at_taskgroup();
	at_taskyield();
	at_undeferred();
	at_dependences();
	at_taskloop();
	at_locks();
	at_barriers();
	at_inner_regions();
	untied();
	errno_survives();
	numbers_are_threads();
	counted_by_threads();
	counted_in_the_next_region();
	return done();
}
