/* test/check/children.c -- tasks that are waited for: children (C1, C2), a group's (G1 to G4), detached ones (EV1).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/omp.h"

#include <stdlib.h>

static struct qti_worker *worker;       /* CHECK_THREADS of them */
static unsigned ran[RECORDS];

static void task_runs(void *count)
{
	++*(unsigned *)count;
}

static void begin(void)
{
	team_begin(2);
	no_help = 1;
}

/* One that is not to be helped by: who waits sleeps, or finds that it need not. */
static void run_taskwait(unsigned thread)
{
	if (thread == 1) {
		while (!team_help(frame_of(1)))
			check_pause();
		return;
	}
	task_push(task_new(frame_of(0), task_runs, &ran[0]));
	qomp_taskwait(frame_of(0));
	check_that(ran[0] == 1, "the child has ended");
	ran[0]++;
}

/* Two enders. */
static void begin_enders(void)
{
	team_begin(3);
	no_help = 1;
	for (unsigned i = 0; i < 2; i++)
		task_push(task_new(frame_of(0), task_runs, &ran[i]));
}

static void run_enders(unsigned thread)
{
	if (thread != 0) {
		team_help(frame_of(thread));
		return;
	}
	qomp_taskwait(frame_of(0));
	check_that(ran[0] == 1 && ran[1] == 1, "the children have ended");
}

/* A task ends before its child: the last of the two frees its record. */
static void creates(void *record_of)
{
	struct qomp_task *t = record_of;

	task_push(task_new(&t->frame, task_runs, &ran[1]));
}

static void begin_orphan(void)
{
	team_begin(2);
	task_push(task_new(frame_of(0), creates, &record[0]));
}

static void run_orphan(unsigned thread)
{
	if (thread == 0)
		team_help(frame_of(0));
	else
		for (unsigned i = 0; i < 2; i++)
			team_help(frame_of(1));
}

static void end_orphan(void)
{
	while (team_help(frame_of(0)))
		;
	check_that(ran[1] == 1, "both have ended");
	team_end();
}

/* A group of a task that another thread runs, and of what that creates. */
static void begin_group(void)
{
	begin();
	qomp_group_start(frame_of(0));
	task_push(task_new(frame_of(0), task_runs, &ran[0]));
}

static void begin_group_of_two(void)
{
	team_begin(3);
	no_help = 1;
	qomp_group_start(frame_of(0));
	for (unsigned i = 0; i < 2; i++)
		task_push(task_new(frame_of(0), task_runs, &ran[i]));
}

/* As of a runtime with so many workers. */
static void use_slots(void)
{
	slot_owner = worker;
	frame_of(0)->group->slots = 1 + CHECK_THREADS;
}

static void begin_group_slots(void)
{
	begin_group();
	use_slots();
}

static void begin_group_slots_of_two(void)
{
	begin_group_of_two();
	use_slots();
}

static void begin_group_deep(void)
{
	team_begin(3);
	no_help = 1;
	qomp_group_start(frame_of(0));
	use_slots();
	task_push(task_new(frame_of(0), creates, &record[0]));
}

static void group_wait(unsigned tasks)
{
	qomp_group_end(frame_of(0));
	for (unsigned i = 0; i < tasks; i++)
		check_that(ran[i] == 1, "the group's tasks have ended");
}

static void run_group(unsigned thread)
{
	if (thread == 0)
		group_wait(team.n - 1);
	else
		team_help(frame_of(thread));
}

static void run_group_deep(unsigned thread)
{
	if (thread == 0) {
		qomp_group_end(frame_of(0));
		check_that(ran[1] == 1, "what the group's task has created has ended");
		return;
	}
	for (unsigned i = 0; i < 2; i++)
		team_help(frame_of(thread));
}

/* An undeferred task of the owner's leaves the group, and its child is still on the way. */
static void begin_group_passed(void)
{
	begin();
	qomp_group_start(frame_of(0));
	use_slots();
	(void)task_new(frame_of(0), creates, &record[0]);
}

static void run_group_passed(unsigned thread)
{
	if (thread == 1) {
		team_help(frame_of(1));
		return;
	}
	qomp_task_run(&record[0]);
	if (load_rlx(&queue[1]) == NULL) {
		qomp_group_end(frame_of(0));
		check_that(ran[1] == 1, "what the group's task has created has ended");
	}
}

/* The function returns, and the event is fulfilled: the last of the two ends the task. */
static void begin_event(void)
{
	void *handle;

	begin();
	struct qomp_task *t = task_new(frame_of(0), task_runs, &ran[0]);
	qomp_event_prepare(t, &handle, NULL);
	task_push(t);
}

static void run_event(unsigned thread)
{
	if (thread == 0) {
		qomp_taskwait(frame_of(0));
		check_that(ran[0] == 1 && ran[1] == 1, "the function has returned, and the event is fulfilled");
	} else if (thread == 1) {
		struct qomp_task *t = swap_acq_rel(&queue[0], NULL);
		frame_start(&t->frame, frame_of(1)->place, 1);
		t->frame.fn(t->frame.data);
		task_returned(t);
	} else {
		ran[1] = 1;
		qomp_task_fulfil(object[0]);
	}
}

/* An undeferred one: its parent waits for the event alone. */
static void run_awaited(unsigned thread)
{
	if (thread == 0) {
		qomp_event_wait(frame_of(0), &record[0]);
		check_that(ran[1] == 1, "the event is fulfilled");
	} else {
		ran[1] = 1;
		qomp_task_fulfil(object[0]);
	}
}

static void nothing(void)
{
}

#define TEAM "T2, T7: test/check/gates.c"
#define TWICE "it acquires the same that is acquired when they are collected"
#define FROM_LIST "for who calls it after a push to the team's list, and has acquired nothing of it before"
#define LOCK "a lock, which test/check/gates.c needs more of"

static const struct check_spare spare[] = {
	{ "wait.c", "return f->created - f->finished == (uint32_t)load_acq(&f->remote);", TWICE },
	{ "frame.c", "sub_acq_rel(&f->remote, n);", TWICE },
	{ "wait.c", "or_acq_rel(&f->remote, bit);", "the look at the children, which follows, acquires" },
	{ "wait.c", "return and_acq_rel(&f->remote, ~bit) & bit;",
		"who finds the bit set has seen the children end, who does not is woken" },
	{ "frame.c", "uint64_t was = and_acq_rel(&f->remote, ~bits);", FROM_LIST },
	{ "task.c", "store_rel(&m->finished, m->finished + 1);", TEAM },
	{ "task.c", "add_acq_rel(&team->elsewhere, 1);", TEAM },
	{ "task.c", "sub_acq_rel(&root->visitors, 1);", TEAM },
	{ "group.c", "add_acq_rel(&g->slot[0].ended, 1);", "it is there to release" },
	{ "group.c", "if (!parent_will_ask(", "the owner learns that the group is quiet from its slots" },
	{ "address_wait.c", "if (load_acq(word) != expected)", "who waits looks at the word again" },
	{ "address_wait.c", "store_rel(&b->lock, 0);", LOCK },
	{ "group.c", "store_rel(&g->watched, 1);",
		"G4, which the heavy fence keeps as well: the ender's is before it, and the owner "
	  "sees what has ended, or after it" },
	{ "event.c", "uint32_t seen = or_acq_rel(bits, QOMP_EVENT_AWAITED)", "who fulfils the event only wakes then" },
	{ NULL, NULL, NULL }
};

#define UNIT(what, code, n, first, last) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##code, .end = last, .switches = 3, \
	  .stale = 2, .most = 800 }

int main(int argc, char **argv)
{
	static const struct check_unit waits = UNIT(taskwait, taskwait, 2, begin, team_end),
		enders = UNIT(enders, enders, 3, begin_enders, team_end),
		orphan = UNIT(orphan, orphan, 2, begin_orphan, end_orphan),
		group = UNIT(group, group, 2, begin_group, team_end),
		two = UNIT(group_of_two, group, 3, begin_group_of_two, team_end),
		slots = UNIT(group_slots, group, 2, begin_group_slots, team_end),
		slots_of_two = UNIT(group_slots_of_two, group, 3, begin_group_slots_of_two, team_end),
		deep = UNIT(group_deep, group_deep, 3, begin_group_deep, nothing),
		passed = UNIT(group_passed, group_passed, 2, begin_group_passed, nothing),
		event = UNIT(event, event, 3, begin_event, team_end),
		awaited = UNIT(awaited, awaited, 2, begin_event, nothing);
	static const struct check_unit *const units[] = {
		&waits, &enders, &orphan, &group, &two, &slots, &slots_of_two, &deep, &passed, &event, &awaited };
	static const char *const of[] = { "omp/task/task.c", "omp/task/wait.c", "omp/team/frame.", "omp/task/group.",
		"omp/task/event.c", "omp/team/address_wait.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	store_rlx(&qti_poll_rate, 0);
	worker = calloc(CHECK_THREADS, sizeof(*worker));
	for (unsigned i = 0; worker && i < CHECK_THREADS; i++)
		worker[i].id = i;
	return worker ? check_run(&program, argc, argv) : 2;
}
