/* test/check/regions.c -- omp/team/region.c, teams.c: dispatches, and the time between regions (T1, T6, T8, T9).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Thread 0 is the master, the others are what members' threads run, once these have been started.
 */
#include "check/instead.h"

#include "core/guest.h"
#include "machine/thread.h"

static int launch(void *member);
static void *memory_get(size_t bytes);
static struct qti_worker *worker_of_thread(void);
static void task_sleep(qti_after after, void *member);
static void task_ready(struct qti_task *t);

#define qti_thread_create(thread, size, fn, arg) ((void)(thread), (void)(size), (void)(fn), launch(arg))
#define member_worker worker_of_thread
#define qti_guest_sleep task_sleep
#define qti_ready task_ready

#include "check/omp_sources.h"

#define qomp_share_enter(shares, place) ((void)0)
#define visit teams_visit

#define qti_mem_aligned(line, size) memory_get(size)
#include "omp/team/teams.c"
#undef visit
#include "omp/team/region.c"

#include "check/omp.h"
#include "check/switches.h"

enum { MEMORY = 16 << 10, REGIONS = 2 };

static bool as_tasks;                   /* the members */
static char memory[MEMORY] __attribute__((aligned(QTI_CACHE_LINE)));
static size_t memory_used;
static struct qomp_member *launched[CHECK_THREADS];     /* atomic; NULL: not yet */
static uint64_t own[CHECK_THREADS];     /* what is a member's own begins with its implicit task: the region's number */
static unsigned done[CHECK_THREADS], ran[CHECK_THREADS];
static unsigned told;                   /* atomic: tasks that have run */
static uint64_t region;                 /* that the master has begun */

static void *memory_get(size_t bytes)
{
	void *p = memory + memory_used;

	memory_used += bytes;
	check_that(memory_used <= MEMORY, "there is memory enough");
	return p;
}

static int launch(void *arg)
{
	struct qomp_member *m = arg;

	if (as_tasks)
		m->home = m->frame.num;
	store_rel(&launched[m->frame.num], m);
	return 0;
}

/* --- members that are tasks: their registers are saved before they can be made ready ----------------------- */

static struct qti_worker worker[CHECK_THREADS];

static struct qti_worker *worker_of_thread(void)
{
	return as_tasks ? &worker[check_thread()] : NULL;
}

static void task_sleep(qti_after after, void *m)
{
	context_leave(NULL, after, m);
}

static void task_ready(struct qti_task *t)
{
	context_enter(qti_container_of(t, struct qomp_member, base)->frame.num);
}

static void begin(void)
{
	team.root = &root;
	help_too = list_help;
	roster[0] = &member[0];
	root.team.member = roster;
	root.team.n = root.team.room = root.team.seats = 1;
	root.team.root = &root;
	member[0].team = &root.team;
	member[0].frame = (struct qomp_frame){ .team = &root.team, .place = QOMP_OUTSIDE, .flags = QOMP_IMPLICIT };
}

static struct qomp_frame *frame_of_member(unsigned i)
{
	return &team.member[i]->frame;
}

/* As omp/team/region.c does; the master's part of it is `body`. */
static void region_run(unsigned n, void (*fn)(void *), void (*body)(void))
{
	if (team.n != n)
		qomp_team_resize(&team, &member[0].frame, n, &life);
	check_that(team.n == n, "there are threads enough");
	store_rlx(&team.ended, 0);
	region = team.member[0]->region + 1;
	store_rlx(&team.region, region);                                                        /* T9 */
	for (unsigned i = 1; i < n; i++)
		done[i] = 0;
	dispatch_all(&team, fn, &region, region);
	region_enter(team.member[0], QOMP_OUTSIDE, region);
	own[0] = region;
	body();
	qomp_region_join(frame_of_member(0));
	for (unsigned i = 1; i < n; i++)
		check_that(done[i] == 1, "all members have come to the end");
	unsigned sum = 0;
	for (unsigned i = 0; i < CHECK_THREADS; i++)
		sum += ran[i];
	check_that(sum == load_rlx(&records_used), "all tasks have ended");
}

static void members_leave(void)
{
	for (unsigned i = 1; i < team.room; i++)
		qomp_member_dispatch(team.member[i], NULL, NULL, 0);
}

/* A member's: data are the master's. */
static void member_body(void *data)
{
	unsigned i = check_thread();

	own[i] = *(uint64_t *)data;
	check_that(done[i] == 0, "a region is run once");
	done[i] = 1;
}

static void live(unsigned thread)
{
	struct qomp_member *m;

	while (!(m = load_acq(&launched[thread])))
		check_pause();
	member_live(m);
}

/* --- tasks ------------------------------------------------------------------------------------------------ */

static void task_runs(void *number)
{
	check_that(own[check_thread()] == *(uint64_t *)number, "no task comes before what is the member's own has begun");
	ran[check_thread()]++;
	add_rlx(&told, 1);
}

static void task_of_region(void (*fn)(void *))
{
	task_list(task_new(frame_of_member(0), fn, &region));
}

static void tasks_await(void)
{
	while (load_rlx(&told) != load_rlx(&records_used))
		check_pause();
}

/* --- units ------------------------------------------------------------------------------------------------ */

static void nothing(void)
{
}

/* The members run all that the master has dispatched, and see what it has written. */
static void run_dispatch(unsigned thread)
{
	if (thread != 0) {
		live(thread);
		return;
	}
	for (unsigned i = 0; i < REGIONS; i++)
		region_run(2, member_body, nothing);
	members_leave();
}

static void run_three(unsigned thread)
{
	if (thread != 0) {
		live(thread);
		return;
	}
	region_run(3, member_body, nothing);
	members_leave();
}

/* Only the member can run the master's task: after its own part of the region, maybe asleep already. */
static void list_and_await(void)
{
	task_of_region(task_runs);
	tasks_await();
}

static void run_listed(unsigned thread)
{
	if (thread != 0) {
		live(thread);
		return;
	}
	region_run(2, member_body, list_and_await);
	members_leave();
}

/* Two take one each: a task goes on when the other one runs as well. */
static void task_meets(void *number)
{
	task_runs(number);
	tasks_await();
}

static void list_two(void)
{
	task_of_region(task_meets);
	task_of_region(task_meets);
	tasks_await();
}

static void run_listed_two(unsigned thread)
{
	if (thread != 0) {
		live(thread);
		return;
	}
	region_run(3, member_body, list_two);
	members_leave();
}

static void begin_as_tasks(void)
{
	begin();
	as_tasks = true;
}

/* In the second region: the member may not have begun it, and has something of its own left from the first. */
static void run_listed_late(unsigned thread)
{
	if (thread != 0) {
		live(thread);
		return;
	}
	region_run(2, member_body, nothing);
	region_run(2, member_body, list_and_await);
	members_leave();
}

/* The step is left out that keeps the task from a member that has not begun. */
static void begin_early(void)
{
	begin();
	begun_early = true;
}

/* The next region has more members, and another roster, while a member is about to tell the team of its task's end, or
 * to look for tasks in the list. */
static struct qomp_member *ender;

static void begin_resize(void)
{
	begin();
	qomp_team_resize(&team, &member[0].frame, 2, &life);
	ender = team.member[1];
	team.watch = QOMP_WATCH_END;
}

static void resize(void)
{
	qomp_team_resize(&team, &member[0].frame, 3, &life);
	store_rlx(&team.tasks, 1);
	add_sc(&team.asleep, 1);        /* at the next one's end */
}

static void run_resize(unsigned thread)
{
	if (thread == 0)
		resize();
	else
		qomp_team_look(&team, ender);
}

static void begin_resize_listed(void)
{
	begin_resize();
	team.list.count = 1;            /* as the member knows it */
}

static void run_resize_listed(unsigned thread)
{
	if (thread == 0)
		resize();
	else
		check_that(!list_help(&ender->frame), "there is no task");
}

static void end(void)
{
	check_that(records_freed == records_used, "each record was freed once");
	check_that(told == records_used, "each task has run once");
}

#define GATES "T3, T4: test/check/gates.c"
#define AT_GATE "T6: who finds members at the gate sees the number of them that was stored before they came"
#define LOST "is_kept of teams.c, which no unit here calls: test/omp/lost.c"
#define WITHIN "whose task is not counted as ended, or member not at the end: its region is not over"

static const struct check_spare spare[] = {
	{ "barrier.c", "store_rel(&team->watch,", GATES },
	{ "barrier.c", "store_rel(&team->lock, 0);", GATES },
	{ "barrier.c", "qti_fence_heavy();", GATES },
	{ "barrier.c", "uint32_t watch = load_acq(&team->watch);", GATES },
	{ "barrier.c", "fence_sc();", GATES },
	{ "barrier.c", "*gate = load_sc(&team->gate);", GATES },
	{ "barrier.c", "return gate_arrived(*gate) == load_acq(&team->n)", AT_GATE },
	{ "barrier.c", "open -= load_acq(&team->elsewhere);", GATES },
	{ "member.c", "while (load_acq(&m->go) == (m->seen | ASLEEP))", "who is awake looks at it again" },
	{ "member.c", "if (!cas_acq_rel(&m->go, &known, known | ASLEEP))",
		"what has come before a dispatch is acquired by the look at that" },
	{ "member.c", "return go & ASLEEP && cas_acq_rel(", "the member finds what it is called for under the lock" },
	{ "teams.c", "store_rel(&team->room, i + 1);", LOST },
	{ "list.c", "unsigned n = load_acq(&team->n);", WITHIN },
	{ "list.c", "struct qomp_member **member = load_acq(&team->member);", WITHIN },
	{ NULL, NULL, NULL }
};

#define UNIT_OF(what, n, code, first, last, executions) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##code, .end = last, .switches = 3, .stale = 2, .most = executions }
#define UNIT(what, n, code, first, last) UNIT_OF(what, n, code, first, last, 600)

int main(int argc, char **argv)
{
	/* With fewer the seed decides whether the order of `ended` is found to be needed. */
	static const struct check_unit dispatch = UNIT_OF(dispatch, 2, dispatch, begin, end, 8000),
		of_tasks = UNIT(dispatch_to_tasks, 2, dispatch, begin_as_tasks, end),
		three = UNIT(three, 3, three, begin, end), listed = UNIT(listed, 2, listed, begin, end),
		for_tasks = UNIT(listed_for_tasks, 2, listed, begin_as_tasks, end),
		two = UNIT(listed_two, 3, listed_two, begin, end), late = UNIT(listed_late, 2, listed_late, begin, end),
		grows = UNIT(resize, 2, resize, begin_resize, nothing),
		grows_listed = UNIT(resize_listed, 2, resize_listed, begin_resize_listed, nothing);
	static const struct check_unit early = { .name = "listed_late", .threads = 2, .begin = begin_early,
		.run = run_listed_late, .end = end, .switches = 3, .stale = 2, .most = 1000,
		.without = "asking whether the member has begun (T9)" };
	static const struct check_unit *const units[] = { &dispatch, &of_tasks, &three, &listed, &for_tasks, &two, &late,
		&grows, &grows_listed, &early };
	static const char *const of[] = { "omp/team/region.c", "omp/team/member.c", "omp/team/teams.c", "omp/team/list.c",
		"omp/team/team.h", "omp/team/barrier.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	store_rlx(&qti_poll_rate, 0);
	return check_run(&program, argc, argv);
}
