/* test/unit/omp_kmpc_misuse.c -- what no compiler calls, settings that say nothing, and callers from anywhere: a clear
 * message, or the right result.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/child.h"
#include "fault.h"
#include "leaks.h"
#include "machine/fiber.h"
#include "omp/abi/api.h"
#include "omp/abi/kmpc_loop.h"
#include "omp/abi/kmpc_region.h"
#include "omp/abi/kmpc_schedule.h"
#include "omp/abi/kmpc_tasking.h"
#include "omp/env/env.h"
#include "omp/env/icv.h"
#include "omp/env/places.h"
#include "tap.h"

#include <pthread.h>
#include <sys/mman.h>

enum { THREADS = 3, ITERATIONS = 100, TASKS = 10 };

#define MICRO(fn) ((kmpc_micro *)(void (*)(void))(fn))

/* --- settings -------------------------------------------------------------------------------------------- */

/* Values that begin well are no better. */
static const struct setting {
	const char *name, *value;
} settings[] = {
	{ "KMP_AFFINITY", "nonsense" },
	{ "KMP_AFFINITY", "compact,1,0" },
	{ "KMP_AFFINITY", "explicit,proclist=[8191]" },
	{ "KMP_AFFINITY", "scatter and more" },
	{ "KMP_ALL_THREADS", "0" },
	{ "KMP_BLOCKTIME", "never" },
	{ "KMP_BLOCKTIME", "12ms or so" },
	{ "KMP_BLOCKTIME", "infinite or so" },
	{ "KMP_DEVICE_THREAD_LIMIT", "-1" },
	{ "KMP_DUPLICATE_LIB_OK", "yes, perhaps" },
	{ "KMP_HW_SUBSET", "2 of them" },
	{ "KMP_INHERIT_FP_CONTROL", "no, perhaps" },
	{ "KMP_LIBRARY", "parallel" },
	{ "KMP_LIBRARY", "serial and more" },
	{ "KMP_SETTINGS", "7" },
	{ "KMP_STACKSIZE", "1B" },
	{ "KMP_TEAMS_THREAD_LIMIT", "x" },
	{ "KMP_VERSION", "14" },
	{ "KMP_WARNINGS", "x" },
};
enum { SETTINGS = sizeof(settings) / sizeof(settings[0]) };

static void in_force(struct qomp_settings *s, struct qomp_icv *initial, unsigned *places)
{
	qomp_settings_read_now();
	*s = qomp_settings;
	*initial = *qomp_icv_initial;
	*places = qomp_places.n;
}

static void read_nonsense(void *arg)
{
	const struct setting *bad = arg;
	struct qomp_settings before, after;
	struct qomp_icv initial[2];
	unsigned places[2];

	setenv("OMP_PLACES", "threads", 1);
	setenv("OMP_PROC_BIND", "spread", 1);
	in_force(&before, &initial[0], &places[0]);
	setenv(bad->name, bad->value, 1);
	in_force(&after, &initial[1], &places[1]);
	_exit(after.blocktime_us == before.blocktime_us && after.stack_size == before.stack_size &&
		after.own_fp_control == before.own_fp_control && after.duplicate_ok == before.duplicate_ok &&
		after.teams_thread_limit == before.teams_thread_limit && after.bind.n == before.bind.n &&
		after.bind.value[0] == before.bind.value[0] && initial[1].nthreads == initial[0].nthreads &&
		initial[1].thread_limit == initial[0].thread_limit && initial[1].bind == initial[0].bind &&
		places[0] > 0 && places[1] == places[0] ? 0 : 1);
}

static void nonsense(void)
{
	static struct child c;

	for (int i = 0; i < SETTINGS; i++) {
		char begin[100];

		snprintf(begin, sizeof(begin), "libqomp: %s=%s ", settings[i].name, settings[i].value);
		child_run(&c, read_nonsense, (void *)(uintptr_t)&settings[i]);
		if (!ok(child_ended_well(&c) && child_lines(&c) == 1 && strncmp(c.said, begin, strlen(begin)) == 0,
			"%s=%s: one line says so, and all is as without it", settings[i].name, settings[i].value))
			child_tell(&c);
	}
}

/* --- what no compiler calls ------------------------------------------------------------------------------ */

static const struct strange {
	bool shared_out;                /* a loop of __kmpc_dispatch_init, otherwise of __kmpc_for_static_init */
	int32_t schedule;
} strange[] = {
	{ false, 0 }, { false, -1 }, { false, KMPC_DYNAMIC }, { false, KMPC_DISTRIBUTE + 1 }, { false, 500 },
	{ false, INT32_MAX }, { true, 0 }, { true, -1 }, { true, KMPC_ORDERED }, { true, KMPC_ORDERED + 13 },
	{ true, KMPC_DISTRIBUTE }, { true, 500 },
};
enum { STRANGE = sizeof(strange) / sizeof(strange[0]) };

static void strange_member(int32_t *thread, int32_t *bound, const struct strange *s)
{
	int32_t lower = 0, upper = ITERATIONS - 1, stride, last;

	(void)bound;
	if (s->shared_out)
		__kmpc_dispatch_init_4(NULL, *thread, s->schedule, lower, upper, 1, 1);
	else
		__kmpc_for_static_init_4(NULL, *thread, s->schedule, &last, &lower, &upper, &stride, 1, 1);
	_exit(0);
}

static void strange_region(void *arg)
{
	leaks_allow();
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(strange_member), arg);
}

static const size_t immense[] = { SIZE_MAX, SIZE_MAX - 7, (size_t)1 << 40 };

static void immense_task(void *size)
{
	leaks_allow();
	__kmpc_omp_task_alloc(NULL, 0, 1, *(const size_t *)size, 64, NULL);
}

static void task_without_memory(void *unused)
{
	(void)unused;
	leaks_allow();
	omp_get_level();
	__kmpc_omp_task_alloc(NULL, 0, 1, 64, 0, NULL);
	qti_mem_fault = fault;
	fault_after(0);
	__kmpc_omp_task_alloc(NULL, 0, 1, (size_t)1 << 30, 64, NULL);
}

static void aborts(void (*body)(void *arg), const void *arg, const char *message, const char *what)
{
	static struct child c;

	child_run(&c, body, (void *)(uintptr_t)arg);
	if (!ok(WIFSIGNALED(c.status) && WTERMSIG(c.status) == SIGABRT && strstr(c.said, message), "%s: %s", what, message))
		child_tell(&c);
}

static void refused(void)
{
	char message[100];

	for (int i = 0; i < STRANGE; i++) {
		snprintf(message, sizeof(message), "libqomp: a %sloop with schedule %d, which is none\n",
			strange[i].shared_out ? "" : "static ", (int)strange[i].schedule);
		aborts(strange_region, &strange[i], message, strange[i].shared_out ? "dispatch_init" : "for_static_init");
	}
	for (int i = 0; i < 3; i++) {
		snprintf(message, sizeof(message), "libqomp: an OpenMP task of %zu bytes, where 4294967295 are the most\n",
			immense[i] > SIZE_MAX - 64 ? SIZE_MAX : immense[i] + 64);
		aborts(immense_task, &immense[i], message, "omp_task_alloc");
	}
	aborts(task_without_memory, NULL, "libqomp: out of memory for the ", "omp_task_alloc");
}

/* --- callers from anywhere ------------------------------------------------------------------------------- */

struct seen {
	uint32_t iterations, singles, tasks, criticals;
	int64_t reduced;
};

static int32_t count_task(int32_t thread, struct kmpc_task *task)
{
	(void)thread;
	add_rlx(*(uint32_t **)task->shareds, 1);
	return 0;
}

static void merge(void *into, void *from)
{
	**(int64_t **)into += **(int64_t **)from;
}

static kmpc_critical_name critical_lock, reduce_lock;

/* One of each kind of construct. */
static void constructs(int32_t *thread, int32_t *bound, struct seen *s)
{
	int32_t lower = 0, upper = ITERATIONS - 1, stride, last;
	int64_t own = 1, *copies[] = { &own };

	(void)bound;
	__kmpc_for_static_init_4(NULL, *thread, KMPC_STATIC, &last, &lower, &upper, &stride, 1, 1);
	for (int32_t i = lower; i <= upper && i < ITERATIONS; i++)
		add_rlx(&s->iterations, 1);
	__kmpc_for_static_fini(NULL, *thread);
	__kmpc_dispatch_init_4(NULL, *thread, KMPC_DYNAMIC, 0, ITERATIONS - 1, 1, 7);
	while (__kmpc_dispatch_next_4(NULL, *thread, &last, &lower, &upper, &stride))
		for (int32_t i = lower; i <= upper; i++)
			add_rlx(&s->iterations, 1);
	__kmpc_critical(NULL, *thread, &critical_lock);
	s->criticals++;
	__kmpc_end_critical(NULL, *thread, &critical_lock);
	if (__kmpc_reduce_nowait(NULL, *thread, 1, sizeof(copies), copies, merge, &reduce_lock) == 1) {
		s->reduced += own;
		__kmpc_end_reduce_nowait(NULL, *thread, &reduce_lock);
	}
	if (__kmpc_single(NULL, *thread)) {
		s->singles++;
		__kmpc_taskgroup(NULL, *thread);
		for (int i = 0; i < TASKS; i++) {
			struct kmpc_task *t = __kmpc_omp_task_alloc(NULL, *thread, 1, sizeof(*t), sizeof(void *), count_task);
			*(uint32_t **)t->shareds = &s->tasks;
			__kmpc_omp_task(NULL, *thread, t);
		}
		__kmpc_end_taskgroup(NULL, *thread);
		__kmpc_end_single(NULL, *thread);
	}
	__kmpc_barrier(NULL, *thread);
}

static bool is_right(const struct seen *s, uint32_t members)
{
	return s->iterations == 2 * ITERATIONS && s->singles == 1 && s->tasks == TASKS && s->criticals == members &&
	       s->reduced == members;
}

/* In a region, in one of one thread, and in none; whatever number it says it has. */
static bool all_right(int32_t thread)
{
	struct seen in = { 0 }, alone = { 0 }, outside = { 0 };
	int32_t zero = 0;

	__kmpc_push_num_threads(NULL, thread, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(constructs), &in);
	__kmpc_serialized_parallel(NULL, thread);
	constructs(&thread, &zero, &alone);
	__kmpc_end_serialized_parallel(NULL, thread);
	constructs(&thread, &zero, &outside);
	return is_right(&in, THREADS) && is_right(&alone, 1) && is_right(&outside, 1);
}

static void *foreign(void *right)
{
	bool good = true;

	for (int i = 0; i < 10; i++)
		good = all_right(__kmpc_global_thread_num(NULL)) && good;
	*(bool *)right = good;
	return NULL;
}

static bool foreigners_right(int n)
{
	pthread_t thread[THREADS];
	bool right[THREADS] = { false }, good = true;

	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, foreign, &right[i]) != 0)
			bail_out("pthread_create failed");
	for (int i = 0; i < n; i++) {
		pthread_join(thread[i], NULL);
		good = good && right[i];
	}
	return good;
}

static void begins_foreigner(int32_t *thread, int32_t *bound, uint32_t *good)
{
	(void)thread, (void)bound;
	add_rlx(good, foreigners_right(1));
}

static void from_threads(void)
{
	uint32_t good = 0;

	ok(foreigners_right(THREADS), "%d threads of nobody's at once: every construct", THREADS);
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(begins_foreigner), &good);
	is_int(good, THREADS, "threads that members of a region have begun");
	ok(all_right(12345) && all_right(-1), "a number that no thread has: nobody asks it");
}

/* Its status is not asked: a checker of memory, which misses the threads of the parent, may have its say there. */
static bool child_right(void)
{
	bool *right = mmap(NULL, sizeof(*right), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), good;

	if (right == MAP_FAILED)
		bail_out("no memory");
	pid_t child = fork();
	if (child == 0) {
		alarm(100);
		leaks_allow();
		*right = all_right(__kmpc_global_thread_num(NULL)) && foreigners_right(2);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	good = *right;
	munmap(right, sizeof(*right));
	return good;
}

static void *forks(void *right)
{
	int32_t own = __kmpc_global_thread_num(NULL);

	*(bool *)right = all_right(own) && child_right() && all_right(own);
	return NULL;
}

static void member_forks(int32_t *thread, int32_t *bound, uint32_t *good)
{
	(void)thread;
	if (*bound == 1)
		add_rlx(good, child_right());
	__kmpc_barrier(NULL, *thread);
}

static void in_children(void)
{
	uint32_t good = 0;
	bool right = false;
	pthread_t t;

	if (QTI_TSAN || QTI_ASAN || getenv("QTI_EMULATED")) {
		skip(3, "in the child of several threads sanitizers and qemu 7.2 allow no new thread");
		return;
	}
	ok(child_right() && all_right(0), "in a child of fork(2) after regions, and in its parent");
	if (pthread_create(&t, NULL, forks, &right) != 0)
		bail_out("pthread_create failed");
	pthread_join(t, NULL);
	ok(right, "in the child of a thread of nobody's");
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(member_forks), &good);
	is_int(good, 1, "in the child of a region's member");
}

/* Processes that end badly come first, while there are no threads. */
int main(void)
{
	unsetenv("OMP_NUM_THREADS");
	unsetenv("OMP_THREAD_LIMIT");
	unsetenv("HWLOC_SYNTHETIC");
	unsetenv("HWLOC_XMLFILE");
	plan(SETTINGS + STRANGE + 3 + 1 + 3 + 3);
	nonsense();
	refused();
	from_threads();
	in_children();
	return done();
}
