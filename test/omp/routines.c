/* test/omp/routines.c -- what the omp_ routines answer, odd arguments included.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include "omp/again.h"
#include "omp/tasking.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <time.h>

/* omp.h marks it as out of date. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* --- numbers of threads --------------------------------------------------------------------------------- */

static void num_threads(void)
{
	const int before = omp_get_max_threads();
	int got[3], size = 0;

	is_int(before, atoi(getenv("OMP_NUM_THREADS")), "omp_get_max_threads: OMP_NUM_THREADS at the beginning");
	omp_set_num_threads(3);
	got[0] = omp_get_max_threads();
#pragma omp parallel
#pragma omp single
	size = omp_get_num_threads();
	ok(got[0] == 3 && size == 3, "omp_set_num_threads: of the next region");
	omp_set_num_threads(0);
	got[0] = omp_get_max_threads();
	omp_set_num_threads(-4);
	got[1] = omp_get_max_threads();
	omp_set_num_threads(INT_MIN);
	got[2] = omp_get_max_threads();
	ok(got[0] == 1 && got[1] == 1 && got[2] == 1, "omp_set_num_threads: 1 for what is less than 1");
	omp_set_num_threads(1000000);
	is_int(omp_get_max_threads(), 1000000, "omp_set_num_threads: a large number is kept until a region begins");
	omp_set_num_threads(before);
	is_int(omp_get_thread_limit(), INT_MAX, "omp_get_thread_limit: no limit");
}

static void num_procs(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	again("procs", "QT_CPU_QUOTA=no", NULL);
	is_int(again_number("procs"), CPU_COUNT(&set), "omp_get_num_procs: CPUs of the affinity mask");
	ok(omp_get_num_procs() >= 1 && omp_get_num_procs() <= CPU_COUNT(&set),
		"omp_get_num_procs: or as many as a quota grants");
}

static void outside(void)
{
	ok(omp_get_num_threads() == 1 && omp_get_thread_num() == 0, "omp_get_num_threads, omp_get_thread_num: outside");
	ok(!omp_in_parallel() && !omp_in_final(), "omp_in_parallel, omp_in_final: outside");
	ok(omp_get_level() == 0 && omp_get_active_level() == 0, "omp_get_level, omp_get_active_level: outside");
	ok(omp_get_ancestor_thread_num(0) == 0 && omp_get_ancestor_thread_num(1) == -1 &&
			omp_get_ancestor_thread_num(-1) == -1 && omp_get_ancestor_thread_num(INT_MAX) == -1,
		"omp_get_ancestor_thread_num: outside; -1 for a level that is not there");
	ok(omp_get_team_size(0) == 1 && omp_get_team_size(1) == -1 && omp_get_team_size(-1) == -1 &&
			omp_get_team_size(INT_MIN) == -1,
		"omp_get_team_size: outside; -1 for a level that is not there");
}

static void *outsider(void *arg)
{
	int *wrong = arg;

	*wrong = omp_get_num_threads() != 1 || omp_get_thread_num() != 0 || omp_in_parallel() || omp_get_level() != 0 ||
		omp_get_max_threads() != atoi(getenv("OMP_NUM_THREADS")) || omp_in_final() || omp_get_dynamic();
	omp_set_num_threads(5);
	*wrong += omp_get_max_threads() != 5;
	return NULL;
}

static void plain_thread(void)
{
	const int before = omp_get_max_threads();
	int wrong = 0;
	pthread_t thread;

	omp_set_dynamic(1);
	if (pthread_create(&thread, NULL, outsider, &wrong))
		bail_out("no thread");
	pthread_join(thread, NULL);
	omp_set_dynamic(0);
	is_int(wrong, 0, "a plain thread begins with the settings of the environment");
	is_int(omp_get_max_threads(), before, "a plain thread's omp_set_num_threads is its own");
}

static void in_regions(void)
{
	int wrong = 0;

	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
	{
		const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
		{
			if (omp_get_level() != 3 || omp_get_active_level() != 2 || !omp_in_parallel())
				bump(&wrong);
			if (omp_get_ancestor_thread_num(0) != 0 || omp_get_ancestor_thread_num(1) != outer ||
				omp_get_ancestor_thread_num(2) != 0 ||
				omp_get_ancestor_thread_num(3) != omp_get_thread_num() ||
				omp_get_ancestor_thread_num(4) != -1)
				bump(&wrong);
			if (omp_get_team_size(0) != 1 || omp_get_team_size(1) != 2 || omp_get_team_size(2) != 1 ||
				omp_get_team_size(3) != 2 || omp_get_team_size(4) != -1)
				bump(&wrong);
		}
	}
	omp_set_max_active_levels(1);
	is_int(wrong, 0, "omp_get_level, active_level, ancestor_thread_num, team_size: in three regions");
}

/* --- settings ------------------------------------------------------------------------------------------- */

static void dynamic(void)
{
	int got[3];

	got[0] = omp_get_dynamic();
	omp_set_dynamic(7);
	got[1] = omp_get_dynamic();
	omp_set_dynamic(0);
	got[2] = omp_get_dynamic();
	ok(got[0] == 0 && got[1] == 1 && got[2] == 0, "omp_set_dynamic, omp_get_dynamic: 0 or 1");
}

static void max_active_levels(void)
{
	int got[5], level[3] = { 0 };

	got[0] = omp_get_max_active_levels();
	omp_set_max_active_levels(-1);
	got[1] = omp_get_max_active_levels();
	omp_set_max_active_levels(4);
	got[2] = omp_get_max_active_levels();
	omp_set_max_active_levels(1000);
	got[3] = omp_get_max_active_levels();
	got[4] = omp_get_supported_active_levels();
	omp_set_max_active_levels(0);
#pragma omp parallel num_threads(3)
#pragma omp single
	{
		level[0] = omp_get_num_threads();
		level[1] = omp_get_level();
		level[2] = omp_get_active_level();
	}
	omp_set_max_active_levels(1);
	ok(got[0] == 1 && got[1] == 1, "omp_set_max_active_levels: 1 at the beginning, a negative number is ignored");
	ok(got[2] == 4 && got[4] >= 4 && got[3] == got[4],
		"omp_set_max_active_levels: no more than omp_get_supported_active_levels");
	ok(level[0] == 1 && level[1] == 1 && level[2] == 0,
		"omp_set_max_active_levels(0): every region has one thread");
}

static void nested(void)
{
	int got[4];

	got[0] = omp_get_nested();
	omp_set_nested(1);
	got[1] = omp_get_nested();
	got[2] = omp_get_max_active_levels();
	omp_set_nested(0);
	got[3] = omp_get_nested();
	ok(got[0] == 0 && got[1] == 1 && got[2] > 1 && got[3] == 0 && omp_get_max_active_levels() == 1,
		"omp_set_nested: another way to set max_active_levels");
}

static bool schedules(omp_sched_t kind, int chunk, int want)
{
	omp_sched_t got = 0;
	int size = -77;

	omp_set_schedule(kind, chunk);
	omp_get_schedule(&got, &size);
	if (got != kind || size != want)
		diag("set 0x%x, %d: got 0x%x, %d", (unsigned)kind, chunk, (unsigned)got, size);
	return got == kind && size == want;
}

static void schedule(void)
{
	const omp_sched_t monotonic = omp_sched_monotonic;
	omp_sched_t kind;
	int chunk;

	omp_get_schedule(&kind, &chunk);
	ok((kind == omp_sched_dynamic || kind == omp_sched_guided) && chunk == 1,
		"omp_get_schedule: dynamic or guided at the beginning, in pieces of 1 at least");
	ok(schedules(omp_sched_static, 5, 5) && schedules(omp_sched_static, 0, 0) && schedules(omp_sched_static, -3, 0),
		"omp_set_schedule: static; a chunk below 1 is none");
	ok(schedules(omp_sched_dynamic, 7, 7) && schedules(omp_sched_dynamic, 0, 1) &&
			schedules(omp_sched_guided, 2, 2) && schedules(omp_sched_guided, -1, 1),
		"omp_set_schedule: dynamic, guided; a chunk below 1 is 1");
	ok(schedules((omp_sched_t)(monotonic | omp_sched_dynamic), 3, 3) &&
			schedules((omp_sched_t)(monotonic | omp_sched_static), 0, 0),
		"omp_set_schedule: monotonic is kept");
	omp_set_schedule(omp_sched_auto, 1);
	omp_get_schedule(&kind, &chunk);
	is_int(kind, omp_sched_auto, "omp_set_schedule: auto");
	schedules(omp_sched_guided, 4, 4);
	omp_set_schedule((omp_sched_t)77, 3);
	omp_get_schedule(&kind, &chunk);
	ok(kind == omp_sched_guided && chunk == 4, "omp_set_schedule: a kind that is none is ignored");
	schedules(omp_sched_dynamic, 1, 1);
}

static void constants(void)
{
	is_int(omp_get_cancellation(), 0, "omp_get_cancellation");
	is_int(omp_get_max_task_priority(), 0, "omp_get_max_task_priority");
	is_int(omp_get_proc_bind(), omp_proc_bind_false, "omp_get_proc_bind");
	is_int(omp_get_default_allocator(), omp_default_mem_alloc, "omp_get_default_allocator");
	omp_set_default_allocator(omp_large_cap_mem_alloc);
	is_int(omp_get_default_allocator(), omp_large_cap_mem_alloc, "omp_set_default_allocator");
	omp_set_default_allocator(omp_null_allocator);
	is_int(omp_get_default_allocator(), omp_default_mem_alloc,
		"omp_set_default_allocator: none is the default one");
	omp_set_default_allocator(omp_default_mem_alloc);
}

static void devices(void)
{
	int got[3];

	ok(omp_get_num_devices() == 0 && omp_get_initial_device() == 0 && omp_get_device_num() == 0 &&
			omp_is_initial_device(),
		"omp_get_num_devices, initial_device, device_num, omp_is_initial_device: the host alone");
	got[0] = omp_get_default_device();
	omp_set_default_device(5);
	got[1] = omp_get_default_device();
	omp_set_default_device(-3);
	got[2] = omp_get_default_device();
	omp_set_default_device(0);
	/* GCC's library made 0 of it before 13. */
	ok(got[0] == 0 && got[1] == 5 && (got[2] == -3 || (on_oracle() && got[2] == 0)),
		"omp_set_default_device: keeps what it is given");
}

static void teams(void)
{
	int got[6];

	ok(omp_get_num_teams() == 1 && omp_get_team_num() == 0,
		"omp_get_num_teams, omp_get_team_num: outside of teams");
	got[0] = omp_get_max_teams();
	omp_set_num_teams(6);
	got[1] = omp_get_max_teams();
	omp_set_num_teams(-2);
	got[2] = omp_get_max_teams();
	omp_set_num_teams(0);
	ok(got[0] == 0 && got[1] == 6 && got[2] == 6 && omp_get_max_teams() == 0,
		"omp_set_num_teams, omp_get_max_teams");
	got[3] = omp_get_teams_thread_limit();
	omp_set_teams_thread_limit(3);
	got[4] = omp_get_teams_thread_limit();
	omp_set_teams_thread_limit(-1);
	got[5] = omp_get_teams_thread_limit();
	omp_set_teams_thread_limit(0);
	ok(got[3] == 0 && got[4] == 3 && got[5] == 3 && omp_get_teams_thread_limit() == 0,
		"omp_set_teams_thread_limit, omp_get_teams_thread_limit");
}

/* --- time ----------------------------------------------------------------------------------------------- */

static double monotonic_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void wall_clock(void)
{
	int backwards = 0;
	double begin, middle, from, to, end;

#pragma omp parallel
	for (int i = 0; i < 1000; i++) {
		const double a = omp_get_wtime(), b = omp_get_wtime();
		if (b < a)
			bump(&backwards);
	}
	begin = monotonic_clock();
	from = omp_get_wtime();
	middle = monotonic_clock();
	wait_until(monotonic_clock() - middle > 0.002);
	to = omp_get_wtime();
	end = monotonic_clock();
	is_int(backwards, 0, "omp_get_wtime: never goes back");
	ok(to - from > 0.0019 && to - from < end - begin + 0.0001, "omp_get_wtime: counts seconds");
	ok(omp_get_wtick() > 0 && omp_get_wtick() <= 1e-3, "omp_get_wtick: a fraction of a second");
}

/* --- pause ---------------------------------------------------------------------------------------------- */

static int left;                /* by a region, in each thread */
#pragma omp threadprivate(left)

static void pause_resource(void)
{
	int got[6], inside = 0, ran = 0, members = 0;

	got[0] = omp_pause_resource(omp_pause_soft, omp_get_initial_device());
	got[1] = omp_pause_resource(omp_pause_hard, omp_get_initial_device());
	got[2] = omp_pause_resource_all(omp_pause_soft);
	got[3] = omp_pause_resource_all(omp_pause_hard);
	got[4] = omp_pause_resource(omp_pause_soft, 1);
	got[5] = omp_pause_resource(omp_pause_soft, -3);
	ok(got[0] == 0 && got[1] == 0 && got[2] == 0 && got[3] == 0,
		"omp_pause_resource, omp_pause_resource_all: done");
	ok(got[4] != 0 && got[5] != 0, "omp_pause_resource: of a device that is not there");
#pragma omp parallel num_threads(2)
#pragma omp single
	inside = omp_pause_resource_all(omp_pause_hard);
	ok(inside != 0, "omp_pause_resource_all: not in a region");
	int found = 0;
#pragma omp parallel num_threads(3)
	left = 1;
	omp_pause_resource_all(omp_pause_soft);
#pragma omp parallel num_threads(3) reduction(+ : found)
	found += left;
	is_int(found, 1, "omp_pause_resource_all: what was threadprivate of other threads is gone");
	for (int i = 0; i < 5; i++) {
#pragma omp parallel
		{
			bump(&members);
#pragma omp task
			bump(&ran);
		}
		omp_pause_resource_all(i % 2 ? omp_pause_soft : omp_pause_hard);
	}
	ok(ran == members && members >= 5, "omp_pause_resource_all: regions run behind it");
}

/* --- the environment, shown ------------------------------------------------------------------------------ */

static int show(void)
{
	omp_display_env(0);
	fprintf(stderr, "MIDDLE\n");
	omp_display_env(1);
	return 0;
}

static void display_env(void)
{
	static const char *const names[] = { "_OPENMP", "OMP_DYNAMIC", "OMP_NESTED", "OMP_NUM_THREADS", "OMP_SCHEDULE",
		"OMP_PROC_BIND", "OMP_PLACES", "OMP_STACKSIZE", "OMP_WAIT_POLICY", "OMP_THREAD_LIMIT",
		"OMP_MAX_ACTIVE_LEVELS", "OMP_NUM_TEAMS", "OMP_TEAMS_THREAD_LIMIT", "OMP_CANCELLATION",
		"OMP_DEFAULT_DEVICE", "OMP_MAX_TASK_PRIORITY", "OMP_DISPLAY_AFFINITY", "OMP_AFFINITY_FORMAT",
		"OMP_ALLOCATOR", "OMP_TARGET_OFFLOAD" };
	int missing = 0;
	char *middle, line[80];

	is_int(again("show", "OMP_NUM_THREADS=7", NULL), 0, "omp_display_env: the program ends");
	middle = strstr(again_err, "MIDDLE");
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(line, sizeof(line), "%s = '", names[i]);
		const char *first = strstr(again_err, line), *second = middle ? strstr(middle, line) : NULL;
		if (!first || first > middle || !second) {
			diag("no line for %s", names[i]);
			missing++;
		}
	}
	is_int(missing, 0, "omp_display_env: a line for each setting, on stderr");
	ok(middle && strstr(again_err, "OPENMP DISPLAY ENVIRONMENT BEGIN") < strstr(again_err, "_OPENMP = '201511'") &&
			strstr(again_err, "OPENMP DISPLAY ENVIRONMENT END") < middle,
		"omp_display_env: between the words for its begin and end, the version first");
	ok(strstr(again_err, "OMP_NUM_THREADS = '7'") != NULL, "omp_display_env: shows what is set");
	is_str(again_out, "", "omp_display_env: nothing on stdout");
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "show") == 0)
		return show();
	if (argc > 1 && strcmp(argv[1], "procs") == 0)
		return printf("procs=%d\n", omp_get_num_procs()) < 0;
	plan(50);
	num_threads();
	num_procs();
	outside();
	plain_thread();
	in_regions();
	dynamic();
	max_active_levels();
	nested();
	schedule();
	constants();
	devices();
	teams();
	wall_clock();
	pause_resource();
	display_env();
	return done();
}
