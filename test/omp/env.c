/* test/omp/env.c -- what the environment sets, and what is said of a value that is none.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The program runs itself once for each line below.  A value that is none is one line on stderr which names the
 * variable; the setting is as if it had not been there, and the program goes on.
 */
#include "omp/again.h"
#include "omp/tasking.h"

#include <sys/resource.h>

/* omp.h marks it as out of date. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

struct row {
	const char *setting, *other; /* NAME=value, perhaps two */
	const char *want;            /* "name=number ..." among what the program writes */
	bool complains;              /* of the first */
};

static const struct row rows[] = {
	{ "OMP_NUM_THREADS=4", NULL, "threads=4 team=4 levels=1", false },
	{ "OMP_NUM_THREADS= 6 ", NULL, "threads=6 team=6", false },
	{ "OMP_NUM_THREADS=4,2", NULL, "threads=4 team=4 inner=2", false },
	{ "OMP_NUM_THREADS=2, 3 ,1", NULL, "threads=2 team=2 inner=3", false },
	{ "OMP_NUM_THREADS=0", NULL, "default=1", true },
	{ "OMP_NUM_THREADS=-3", NULL, "default=1", true },
	{ "OMP_NUM_THREADS=three", NULL, "default=1", true },
	{ "OMP_NUM_THREADS=4x", NULL, "default=1", true },
	{ "OMP_NUM_THREADS=", NULL, "default=1", true },
	{ "OMP_NUM_THREADS=4,,2", NULL, "default=1", true },
	{ "OMP_NUM_THREADS=99999999999999999999", NULL, "default=1", true },
	{ "OMP_NUM_THREADS", NULL, "default=1", false },

	{ "OMP_THREAD_LIMIT=3", "OMP_NUM_THREADS=8", "limit=3 team=3", false },
	{ "OMP_THREAD_LIMIT=1", "OMP_NUM_THREADS=4", "limit=1 team=1", false },
	{ "OMP_THREAD_LIMIT=0", "OMP_NUM_THREADS=4", "limit=2147483647 team=4", true },
	{ "OMP_THREAD_LIMIT=many", "OMP_NUM_THREADS=4", "limit=2147483647 team=4", true },

	{ "OMP_DYNAMIC=true", NULL, "dynamic=1", false },
	{ "OMP_DYNAMIC=FALSE", NULL, "dynamic=0", false },
	{ "OMP_DYNAMIC= True ", NULL, "dynamic=1", false },
	{ "OMP_DYNAMIC=1", NULL, "dynamic=0", true },
	{ "OMP_DYNAMIC=yes", NULL, "dynamic=0", true },
	{ "OMP_DYNAMIC=", NULL, "dynamic=0", true },

	{ "OMP_NESTED=true", NULL, "nested=1", false },
	{ "OMP_NESTED=false", NULL, "nested=0 levels=1", false },
	{ "OMP_NESTED=on", NULL, "nested=0 levels=1", true },
	{ "OMP_MAX_ACTIVE_LEVELS=3", NULL, "levels=3", false },
	{ "OMP_MAX_ACTIVE_LEVELS=0", "OMP_NUM_THREADS=4", "levels=0 team=1", false },
	{ "OMP_MAX_ACTIVE_LEVELS=1", "OMP_NESTED=true", "levels=1 nested=0", false },
	{ "OMP_MAX_ACTIVE_LEVELS=-1", NULL, "levels=1", true },
	{ "OMP_MAX_ACTIVE_LEVELS=deep", NULL, "levels=1", true },

	{ "OMP_SCHEDULE=static", NULL, "kind=1 chunk=0", false },
	{ "OMP_SCHEDULE=static,4", NULL, "kind=1 chunk=4", false },
	{ "OMP_SCHEDULE=dynamic", NULL, "kind=2 chunk=1", false },
	{ "OMP_SCHEDULE=DYNAMIC,8", NULL, "kind=2 chunk=8", false },
	{ "OMP_SCHEDULE= Guided , 3 ", NULL, "kind=3 chunk=3", false },
	{ "OMP_SCHEDULE=auto", NULL, "kind=4", false },
	{ "OMP_SCHEDULE=monotonic:dynamic,2", NULL, "kind=2 chunk=2 monotonic=1", false },
	{ "OMP_SCHEDULE=nonmonotonic:guided", NULL, "kind=3 chunk=1 monotonic=0", false },
	{ "OMP_SCHEDULE=dynamic,0", NULL, "kind=2 chunk=1", false },
	{ "OMP_SCHEDULE=dynamic,", NULL, "monotonic=0 chunk=1", true },
	{ "OMP_SCHEDULE=random,2", NULL, "monotonic=0 chunk=1", true },
	{ "OMP_SCHEDULE=static,4,4", NULL, "team_of=3", true },

	{ "OMP_CANCELLATION=TRUE", NULL, "cancellation=1", false },
	{ "OMP_CANCELLATION=maybe", NULL, "cancellation=0", true },
	{ "OMP_MAX_TASK_PRIORITY=7", NULL, "priority=7", false },
	{ "OMP_MAX_TASK_PRIORITY=0", NULL, "priority=0", false },
	{ "OMP_MAX_TASK_PRIORITY=high", NULL, "priority=0", true },
	{ "OMP_MAX_TASK_PRIORITY=-1", NULL, "priority=0", true },

	{ "OMP_NUM_TEAMS=5", NULL, "teams=5", false },
	{ "OMP_NUM_TEAMS=0", NULL, "teams=0", true },
	{ "OMP_TEAMS_THREAD_LIMIT=6", NULL, "teams_limit=6", false },
	{ "OMP_TEAMS_THREAD_LIMIT=x", NULL, "teams_limit=0", true },
	{ "OMP_DEFAULT_DEVICE=3", NULL, "device=3", false },
	{ "OMP_DEFAULT_DEVICE=first", NULL, "device=0", true },
	{ "OMP_TARGET_OFFLOAD=disabled", NULL, "target=1", false },
	{ "OMP_TARGET_OFFLOAD=DEFAULT", NULL, "target=1", false },
	{ "OMP_TARGET_OFFLOAD=perhaps", NULL, "target=1", true },

	{ "OMP_ALLOCATOR=omp_high_bw_mem_alloc", NULL, "allocator=4", false },
	{ "OMP_ALLOCATOR=omp_thread_mem_alloc", NULL, "allocator=8", false },
	{ "OMP_ALLOCATOR=omp_bogus_alloc", NULL, "allocator=1", true },

	{ "OMP_STACKSIZE=20M", NULL, "deep=15 team_of=3", false },
	{ "OMP_STACKSIZE=20480", NULL, "deep=15 team_of=3", false },
	{ "OMP_STACKSIZE= 20000 k ", NULL, "deep=15 team_of=3", false },
	{ "OMP_STACKSIZE=20971520b", NULL, "deep=15 team_of=3", false },
	{ "GOMP_STACKSIZE=20480", NULL, "deep=15 team_of=3", false },
	{ "OMP_STACKSIZE=256K", NULL, "team_of=3", false },
	{ "OMP_STACKSIZE=big", NULL, "team_of=3", true },
	{ "OMP_STACKSIZE=-5M", NULL, "team_of=3", true },
	{ "OMP_STACKSIZE=5Q", NULL, "team_of=3", true },

	{ "OMP_WAIT_POLICY=active", "OMP_NUM_THREADS=3", "team=3 tasks=30", false },
	{ "OMP_WAIT_POLICY=PASSIVE", "OMP_NUM_THREADS=3", "team=3 tasks=30", false },
	{ "OMP_WAIT_POLICY=lazy", "OMP_NUM_THREADS=3", "team=3 tasks=30", true },
	{ "GOMP_SPINCOUNT=0", "OMP_NUM_THREADS=3", "team=3 tasks=30", false },
	{ "GOMP_SPINCOUNT=infinity", "OMP_NUM_THREADS=2", "team=2 tasks=20", false },
	{ "GOMP_SPINCOUNT=1000k", "OMP_NUM_THREADS=3", "team=3 tasks=30", false },
	{ "GOMP_SPINCOUNT=often", "OMP_NUM_THREADS=3", "team=3 tasks=30", true },

	{ "OMP_PROC_BIND=close", NULL, "bind=3", false },
	{ "OMP_PROC_BIND= Spread ", NULL, "bind=4", false },
	{ "OMP_PROC_BIND=bogus", NULL, "bind=0", true },
	{ "OMP_PROC_BIND=close,", NULL, "bind=0", true },
	{ "OMP_PROC_BIND=true,false", NULL, "bind=0", true },
	{ "OMP_PLACES=bogus", NULL, "places=0", true },
	{ "OMP_PLACES={0", NULL, "places=0", true },
	{ "OMP_PLACES={100000}", NULL, "places=0", true },
	{ "OMP_PLACES=", NULL, "places=0", true },
	{ "GOMP_CPU_AFFINITY=x", NULL, "places=0", true },

	{ "OMP_DISPLAY_AFFINITY=1", NULL, "team_of=3", true },
	{ "OMP_DISPLAY_ENV=perhaps", NULL, "team_of=3", true },
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* Needs more stack than a thread has by default: megabytes of it, every page. */
__attribute__((noinline)) static int deep(int megabytes)
{
	volatile char room[1 << 20];

	for (size_t i = 0; i < sizeof(room); i += 4096)
		room[i] = 1;
	return megabytes > 1 ? deep(megabytes - 1) + room[4096] : 1;
}

static void show_settings(void)
{
	omp_sched_t kind;
	int chunk;

	omp_get_schedule(&kind, &chunk);
	printf("threads=%d\ndefault=%d\nlimit=%d\ndynamic=%d\nnested=%d\nlevels=%d\n", omp_get_max_threads(),
		omp_get_max_threads() == omp_get_num_procs(), omp_get_thread_limit(), omp_get_dynamic(),
		omp_get_nested(), omp_get_max_active_levels());
	printf("kind=%d\nmonotonic=%d\nchunk=%d\ncancellation=%d\npriority=%d\nbind=%d\nplaces=%d\n",
		(int)(kind & ~omp_sched_monotonic), (kind & omp_sched_monotonic) != 0, chunk, omp_get_cancellation(),
		omp_get_max_task_priority(), (int)omp_get_proc_bind(), omp_get_num_places());
	printf("teams=%d\nteams_limit=%d\ndevice=%d\nallocator=%d\n", omp_get_max_teams(), omp_get_teams_thread_limit(),
		omp_get_default_device(), (int)omp_get_default_allocator());
}

/* The first call of a program may be any. */
static const struct first {
	const char *name, *setting;
	int (*get)(void);
	int want;
} firsts[] = {
	{ "omp_get_max_threads", "OMP_NUM_THREADS=5", omp_get_max_threads, 5 },
	{ "omp_get_thread_limit", "OMP_THREAD_LIMIT=9", omp_get_thread_limit, 9 },
	{ "omp_get_dynamic", "OMP_DYNAMIC=true", omp_get_dynamic, 1 },
	{ "omp_get_max_active_levels", "OMP_MAX_ACTIVE_LEVELS=4", omp_get_max_active_levels, 4 },
	{ "omp_get_cancellation", "OMP_CANCELLATION=true", omp_get_cancellation, 1 },
	{ "omp_get_max_task_priority", "OMP_MAX_TASK_PRIORITY=6", omp_get_max_task_priority, 6 },
	{ "omp_get_max_teams", "OMP_NUM_TEAMS=3", omp_get_max_teams, 3 },
	{ "omp_get_teams_thread_limit", "OMP_TEAMS_THREAD_LIMIT=2", omp_get_teams_thread_limit, 2 },
	{ "omp_get_default_device", "OMP_DEFAULT_DEVICE=2", omp_get_default_device, 2 },
	{ "omp_get_num_places", "OMP_PLACES=threads(1)", omp_get_num_places, 1 },
};

enum { FIRSTS = sizeof(firsts) / sizeof(firsts[0]) };

static int first(const char *name)
{
	for (int i = 0; i < FIRSTS; i++)
		if (strcmp(firsts[i].name, name) == 0)
			printf("first=%d\n", firsts[i].get());
	return 0;
}

static int settings(void)
{
	int team = 0, inner = 0, tasks = 0, target = 0, members = 0, depth = 0;

	show_settings();
#pragma omp parallel
	{
#pragma omp single
		team = omp_get_num_threads();
		for (int i = 0; i < 10; i++) {
#pragma omp task
			bump(&tasks);
		}
		if (omp_get_thread_num() == 0) {
#pragma omp parallel
#pragma omp single
			inner = omp_get_num_threads();
		}
	}
#pragma omp target map(from: target)
	target = omp_is_initial_device();
#pragma omp parallel num_threads(3) reduction(+ : members) reduction(max : depth)
	{
		members = 1;
		if (getenv("QTI_DEEP"))
			depth = deep(omp_get_thread_num() == 0 ? 1 : 15);
	}
	printf("team=%d\ninner=%d\ntasks=%d\ntarget=%d\nteam_of=%d\ndeep=%d\n", team, inner, tasks, target, members,
		depth);
	return 0;
}

enum { REGIONS = 5 };

/* The first one says how many threads are kept; those of the others that are more are their own. */
static int regions(void)
{
	int members = 0;

#pragma omp parallel reduction(+ : members)
	members = 1;
	for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(3) reduction(+ : members)
		members = 1;
	}
	printf("members=%d\n", members);
	return 0;
}

/* --- the parent ----------------------------------------------------------------------------------------- */

static bool wrote(const char *want)
{
	bool good = true;
	char list[256];

	snprintf(list, sizeof(list), "%s", want);
	for (char *item = strtok(list, " "); item; item = strtok(NULL, " ")) {
		char *value = strchr(item, '=');
		*value++ = '\0';
		if (again_number(item) != atol(value)) {
			diag("%s is %ld, not %s", item, again_number(item), value);
			good = false;
		}
	}
	return good;
}

/* Lines that name the variable. */
static int complaints(const char *setting)
{
	char name[64];
	int n = 0;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(setting, "="), setting);
	for (const char *line = again_err; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *found = strstr(line, name);
		if (found && found < line + strcspn(line, "\n"))
			n++;
	}
	return n;
}

/* Stacks of megabytes, as a thread has by default, cost a sanitizer most of the time: for rows about stacks only. */
static const char *stacks(const struct row *r)
{
	return strstr(r->setting, "STACKSIZE") ? "QT_STACK_SIZE" : "QT_STACK_SIZE=262144";
}

static void check(const struct row *r)
{
	const char *deep = strstr(r->want, "deep") ? "QTI_DEEP=yes" : "QTI_DEEP";
	const bool own = strncmp(r->setting, "OMP_NUM_THREADS", 15) == 0 || r->other;
	const int status = again("settings", own ? r->setting : "OMP_NUM_THREADS=2", own && r->other ? r->other : deep,
		own ? deep : r->setting, stacks(r), NULL);
	const bool good = status == 0 && wrote(r->want);
	/* libgomp 14 complains of a priority that OpenMP allows. */
	const bool differs = on_oracle() && strcmp(r->setting, "OMP_MAX_TASK_PRIORITY=0") == 0;
	const int lines = differs ? 0 : complaints(r->setting);

	if (status != 0)
		diag("status %d", status);
	if (!good || lines != r->complains)
		diag("%d lines; stderr: %s", lines, again_err);
	ok(good && lines == r->complains && (r->complains || differs || again_err[0] == '\0'), "%s%s%s: %s", r->setting,
		r->other ? " " : "", r->other ? r->other : "", r->complains ? "is complained of" : r->want);
}

static void check_first(const struct first *f)
{
	again(f->name, f->setting, NULL);
	is_int(again_number("first"), f->want, "%s: %s, in the first call of all", f->setting, f->name);
}

/* The environment is read when the program begins, and not when it first asks; also if there was nothing to be read. */

static int later(void)
{
	setenv("OMP_NUM_THREADS", "3", 1);
	setenv("OMP_MAX_TASK_PRIORITY", "5", 1);
	setenv("KMP_BLOCKTIME", "never", 1);
	printf("threads=%d\npriority=%d\nprocs=%d\n", omp_get_max_threads(), omp_get_max_task_priority(), omp_get_num_procs());
	return 0;
}

static void set_later(void)
{
	extern char **environ;

	for (int i = 0; i < 2; i++) {
		char **all = environ, *path = getenv("LD_LIBRARY_PATH");
		char library_path[4096];

		snprintf(library_path, sizeof(library_path), "LD_LIBRARY_PATH=%s", path ? path : "");
		char *few[] = { library_path, i ? (char *)(uintptr_t)"OMP_DYNAMIC=false" : NULL, NULL };
		environ = few;
		again("later", NULL);
		environ = all;
		ok(again_number("threads") == again_number("procs") && again_number("priority") == 0 && again_err[0] == '\0',
			"a variable that the program sets later does not count%s", i ? "" : ", nor if there was none before");
	}
}

static void display_env(void)
{
	again("settings", "OMP_DISPLAY_ENV=TRUE", "OMP_SCHEDULE=static,3", NULL);
	ok(strstr(again_err, "OMP_SCHEDULE = 'STATIC,3'") && strstr(again_err, "OMP_NUM_THREADS = '") &&
			strstr(again_err, "_OPENMP = '201511'"),
		"OMP_DISPLAY_ENV=TRUE: shows the settings before the program begins");
	again("settings", "OMP_DISPLAY_ENV=verbose", NULL);
	ok(strstr(again_err, "OPENMP DISPLAY ENVIRONMENT BEGIN") && strstr(again_err, "GOMP_SPINCOUNT"),
		"OMP_DISPLAY_ENV=verbose: the library's own settings, too");
	again("settings", "OMP_DISPLAY_ENV=FALSE", NULL);
	is_str(again_err, "", "OMP_DISPLAY_ENV=FALSE: shows nothing");
}

/* Less than a page a frame, so that none steps over the guard. */
__attribute__((noinline)) static int endless(int depth)
{
	volatile char room[512];

	room[0] = (char)depth;
	return depth ? endless(depth | 1) + room[0] : 0;
}

static int overrun(int member)
{
	int depth = 0;

	setrlimit(RLIMIT_STACK, &(struct rlimit){ 1 << 20, 1 << 20 });
#pragma omp parallel num_threads(2) reduction(+ : depth)
	if (omp_get_thread_num() == member)
		depth = endless(1);
	return depth;
}

/* Members have stacks of their own but for the first, which is on the main thread's.  GCC's library says nothing. */
static void overruns(void)
{
	again("overrun1", "OMP_STACKSIZE=256k", "QT_STACK_SIZE", NULL);
	ok(getenv("QTI_OMP_ORACLE") || (strstr(again_err, "overran its stack of") && strstr(again_err, "+0x") &&
		strstr(again_err, "; raise OMP_STACKSIZE") && !strstr(again_err, "task 0")),
		"an overrun of a thread's stack names the setting that it has here, and the place");
	again("overrun0", "OMP_STACKSIZE=256k", "QT_STACK_SIZE", NULL);
	ok(getenv("QTI_OMP_ORACLE") || strstr(again_err, "the main thread overran its stack"),
		"one of the main thread's is reported, too");
}

/* More than addresses can tell apart.  GCC's library gives up. */
static void no_threads(void)
{
	const char *line = "cannot start another thread", *found;
	int lines = 0;

	again("regions", "OMP_NUM_THREADS=2", "OMP_STACKSIZE=200000G", "QT_STACK_SIZE=262144", NULL);
	for (found = strstr(again_err, line); found; found = strstr(found + 1, line))
		lines++;
	ok(getenv("QTI_OMP_ORACLE") || (again_number("members") == 2 + 2 * REGIONS && lines == 1),
		"a thread that cannot be had is complained of once, and regions do without");
}

/* For all devices, the host among them.  GCC's library has them from 13 on. */
static const struct for_all {
	const char *setting, *host, *item;
	long want;
	int complains;
} for_all[] = {
	{ "OMP_DYNAMIC_ALL=true", NULL, "dynamic", 1, 0 },
	{ "OMP_NUM_THREADS_ALL=3", NULL, "threads", 3, 0 },
	{ "OMP_NUM_THREADS_ALL=3", "OMP_NUM_THREADS=2", "threads", 2, 0 },
	{ "OMP_NUM_THREADS_ALL=no", "OMP_THREAD_LIMIT=1", "limit", 1, 1 },
	{ "OMP_SCHEDULE_ALL=guided,7", NULL, "chunk", 7, 0 },
	{ "OMP_THREAD_LIMIT_ALL=9", NULL, "limit", 9, 0 },
	{ "OMP_MAX_ACTIVE_LEVELS_ALL=4", NULL, "levels", 4, 0 },
	{ "OMP_NUM_TEAMS_ALL=5", NULL, "teams", 5, 0 },
	{ "OMP_TEAMS_THREAD_LIMIT_ALL=6", NULL, "teams_limit", 6, 0 },
	{ "OMP_STACKSIZE_ALL=no", NULL, "team", 2, 1 },
	{ "OMP_PROC_BIND_ALL=no", NULL, "team", 2, 1 },
	{ "OMP_WAIT_POLICY_ALL=no", NULL, "team", 2, 1 },
	{ "OMP_CANCELLATION_ALL=true", NULL, "cancellation", 0, 0 },
};

enum { FOR_ALL = sizeof(for_all) / sizeof(for_all[0]) };

static void check_for_all(const struct for_all *a)
{
	const char *threads = strcmp(a->item, "team") == 0 ? "OMP_NUM_THREADS=2" : "OMP_NUM_THREADS";
	const int status = again("settings", threads, a->setting, a->host ? a->host : "QTI_DEEP", NULL);

	if (getenv("QTI_OMP_ORACLE")) {
		skip(1, "not before GCC 13");
		return;
	}
	if (complaints(a->setting) != a->complains)
		diag("stderr: %s", again_err);
	ok(status == 0 && again_number(a->item) == a->want && complaints(a->setting) == a->complains, "%s %s: %s=%ld",
		a->setting, a->host ? a->host : "", a->item, a->want);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "settings") == 0)
		return settings();
	if (argc > 1 && strcmp(argv[1], "regions") == 0)
		return regions();
	if (argc > 1 && strncmp(argv[1], "overrun", 7) == 0)
		return overrun(argv[1][7] - '0');
	if (argc > 1 && strcmp(argv[1], "later") == 0)
		return later();
	if (argc > 1)
		return first(argv[1]);
	/* The rows set it themselves: nothing more is learnt from other numbers. */
	if (atoi(getenv("OMP_NUM_THREADS")) > 1)
		plan_skip_all("the same with any number of threads");
	plan(ROWS + FIRSTS + FOR_ALL + 8);
	for (int i = 0; i < ROWS; i++)
		check(&rows[i]);
	for (int i = 0; i < FIRSTS; i++)
		check_first(&firsts[i]);
	for (int i = 0; i < FOR_ALL; i++)
		check_for_all(&for_all[i]);
	set_later();
	display_env();
	no_threads();
	overruns();
	return done();
}
