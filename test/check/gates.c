/* test/check/gates.c -- omp/team/barrier.c: a barrier comes after all tasks and all that members wrote (T2 to T5, T7).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/barriers.h"

static void begin_two(void)
{
	team_begin(2);
}

static void begin_three(void)
{
	team_begin(3);
}

static void task_runs_alone(void *unused)
{
	(void)unused;
}

static void run_task_of_three(unsigned thread)
{
	run_task(thread);
}

/* The region's end: thread 0 waits for the others, and for the tasks. */
static void arrive(void)
{
	if (add_sc(&team.ended, 1) + 2 == team.n && load_sc(&team.asleep) != 0)                 /* T4: as omp/team/region.c */
		qomp_team_rouse(&team);
}

static void run_end(unsigned thread)
{
	done[thread] = 1;
	if (thread != 0) {
		task_push(task_new(frame_of(thread), task_runs, NULL));
		team_help(frame_of(thread));
		arrive();
		return;
	}
	qomp_region_join(frame_of(0));
	check_that(done[1] == 1 && ran == 1, "all have ended");
}

/* A thread that is not of the team fulfils a task's event: the team may go when that has looked for the last time. */
static void begin_elsewhere(void)
{
	team_begin(2);
	team.n = 1;
	task_push(task_with_event());
}

static void run_elsewhere(unsigned thread)
{
	struct qomp_task *t = &record[0];

	if (thread == 1) {
		done[1] = 1;
		qomp_task_fulfil(t->frame.extra);
		return;
	}
	t = swap_acq_rel(&queue[0], NULL);
	frame_start(&t->frame, frame_of(0)->place, 0);
	ran++;
	task_returned(t);
	qomp_region_join(frame_of(0));
	check_that(done[1] == 1, "all that came before the event");
	qomp_root_see_off(&root);
	check_memset(&team, 0xa5, sizeof(team));
}

/* A member sleeps at the barrier, and its worker runs a task of the team meanwhile. */
static void arrive_asleep(void)
{
	uint64_t gate = add_acq_rel(&team.gate, 1) + 1;

	if (add_sc(&team.asleep, 1) + 1 >= team.n) {                                            /* T4: as qomp_team_block */
		store_rlx(&team.watch, watch_for(gate_number(gate)));
		qti_fence_heavy();
	}
}

static void begin_asleep(void)
{
	team_begin(2);
	task_push(task_new(frame_of(0), task_runs, NULL));
	no_help = 1;
	arrive_asleep();
}

static void run_asleep(unsigned thread)
{
	if (thread == 0)
		qomp_barrier(frame_of(0));
	else
		team_help(frame_of(thread));
}

/* The same of two, whose tasks end at a time. */
static void begin_enders(void)
{
	team_begin(3);
	for (unsigned i = 0; i < 2; i++) {
		task_push(task_new(frame_of(0), task_runs_alone, NULL));
		arrive_asleep();
	}
	no_help = 1;
}

static void run_enders(unsigned thread)
{
	run_asleep(thread);
}

/* Who has ended a task before a barrier was passed looks at the team when somebody sleeps at the next one. */
static void begin_slow(void)
{
	begin_elsewhere();
	team.n = 2;
	no_help = 1;
	queue[0] = NULL;
	(void)event_too(&record[0]);
}

static void run_slow(unsigned thread)
{
	if (thread == 2) {
		qomp_task_fulfil(record[0].frame.extra);
		return;
	}
	qomp_barrier(frame_of(thread));
	if (thread == 0) {
		qomp_barrier(frame_of(0));
	} else {
		task_push(task_new(frame_of(1), task_runs, NULL));
		arrive_asleep();
		team_help(frame_of(1));
	}
}

static void nothing(void)
{
}

#define UNIT(what, n, first, last) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = last, .switches = 3, \
	  .stale = 2, .most = 1000 }

#define RESIZED "T6: test/check/regions.c"
#define RELEASES "it is there to release"

static const struct check_spare spare[] = {
	{ "barrier.c", "return gate_arrived(*gate) == load_acq(&team->n)",
		"T6: who finds members at the gate sees the number of them that was stored before they came" },
	{ "barrier.c", "unsigned n = load_acq(&team->n);", RESIZED },
	{ "barrier.c", "struct qomp_member **member = load_acq(&team->member);", RESIZED },
	{ "barrier.c", "store_rel(&team->watch,",
		"the model has one order of seq_cst operations and of what comes between them" },
	{ "barrier.c", "uint32_t watch = load_acq(&team->watch);", "the other end of that" },
	{ "barrier.c", "if (watch < QOMP_WATCH_TREE &&", "open_if_complete has acquired it" },
	{ "barrier.c", "cas_acq_rel(&team->watch, &watch, 0);", "it takes a mark off, from which nobody learns anything" },
	{ "task.c", "uint64_t now = add_acq_rel(&parent->remote, 1) + 1;", "C1, C2: test/check/children.c" },
	{ "task.c", "add_acq_rel(&team->elsewhere, 1);", RELEASES },
	{ "task.c", "sub_acq_rel(&root->visitors, 1);", RELEASES },
	{ NULL, NULL, NULL }
};

int main(int argc, char **argv)
{
	static const struct check_unit two = UNIT(two, 2, begin_two, team_end), three = UNIT(three, 3, begin_three, team_end),
		task = UNIT(task, 2, begin_two, team_end), task_of_three = UNIT(task_of_three, 3, begin_three, team_end),
		late = UNIT(late, 2, begin_two, team_end), ends = UNIT(end, 2, begin_two, team_end),
		elsewhere = UNIT(elsewhere, 2, begin_elsewhere, nothing), asleep = UNIT(asleep, 2, begin_asleep, team_end),
		enders = UNIT(enders, 3, begin_enders, team_end), slow = UNIT(slow, 3, begin_slow, nothing);
	static const struct check_unit *const units[] = {
		&two, &three, &task, &task_of_three, &late, &ends, &elsewhere, &asleep, &enders, &slow };
	static const char *const of[] = { "omp/team/barrier.c", "omp/task/task.c", "omp/team/root.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	store_rlx(&qti_poll_rate, 0);
	return check_run(&program, argc, argv);
}
