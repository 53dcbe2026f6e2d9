/* test/check/parks.c -- core/idle.c: no worker sleeps beside a task that it may run (P1 to P5, H1, H2).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With the policy of check/boxes.h.
 */
#include "check/boxes.h"

static void begin_two(void)
{
	begin_with(2);
}

static void begin_three(void)
{
	begin_with(3);
}

static void idle_once(unsigned thread)
{
	qti_worker_self = &worker[thread];
	run_task(qti_idle(&worker[thread]));
}

/* A worker makes a task ready, and is busy then. */
static void run_push(unsigned thread)
{
	if (thread != 0) {
		idle_once(thread);
		return;
	}
	qti_worker_self = &worker[0];
	make(0);
	qti_ready(&task[0]);
	stay_busy(1);
}

/* Two tasks, for two workers: each keeps its worker busy. */
static void run_two(unsigned thread)
{
	qti_worker_self = &worker[thread];
	if (thread == 0)
		for (unsigned i = 0; i < TASKS; i++) {
			make(i);
			qti_ready(&task[i]);
		}
	else
		run_task(qti_idle(&worker[thread]));
	stay_busy(TASKS);
}

/* A thread that is no worker makes one ready, for anybody. */
static void run_outside(unsigned thread)
{
	if (thread != 0) {
		idle_once(thread);
		return;
	}
	make(0);
	qti_ready(&task[0]);
}

/* The same for one worker alone, and for a shepherd's. */
static void run_bound(unsigned thread)
{
	if (thread != 0) {
		idle_once(thread);
		return;
	}
	make(0);
	task[0].flags = QTI_TASK_BOUND;
	task[0].home = 1;
	qti_ready(&task[0]);
}

static void run_pinned(unsigned thread)
{
	if (thread != 0) {
		idle_once(thread);
		return;
	}
	make(0);
	task[0].flags = QTI_TASK_PINNED;
	task[0].home = 0;
	qti_ready(&task[0]);
}

/* Two of them, and one worker sleeps already: who makes them ready relies on the one that searches, until it has found
 * one. */
static void begin_relied(void)
{
	begin_one_asleep(3);
}

static void run_relied(unsigned thread)
{
	qti_worker_self = &worker[thread];
	if (thread == 0)
		for (unsigned i = 0; i < TASKS; i++) {
			make(i);
			task[i].flags = QTI_TASK_PINNED;
			qti_ready(&task[i]);
		}
	else
		run_task(thread == 1 ? qti_idle(&worker[1]) : wake_up(&worker[2]));
	stay_busy(TASKS);
}

/* The loops end. */
static void run_stop(unsigned thread)
{
	if (thread == 0) {
		qti_idle_stop();
		return;
	}
	qti_worker_self = &worker[thread];
	check_that(qti_idle(&worker[thread]) == NULL, "there is nothing to run");
}

/* From outside: is there anything left to run?  As qthread_readstate asks. */
static void begin_hands(void)
{
	begin_with(1);
	make(0);
	box[0][0] = &task[0];
	worker[0].hands = QTI_HANDS_EMPTY;
}

static void ask(void)
{
	uint64_t before, after;
	size_t n = qti_idle_occupied(&before) + box_length(shepherd);

	fence_sc();                                                                             /* H1 */
	qti_idle_occupied(&after);
	check_that(n != 0 || before != after, "a task on its way is not missed");
}

static void run_hands(unsigned thread)
{
	if (thread != 0) {
		ask();
		return;
	}
	qti_worker_self = &worker[0];
	check_that(reach_for_task(&worker[0], false) == &task[0], "it is there");
}

static void begin_lays(void)
{
	begin_with(1);
	make(0);
}

static void run_lays(unsigned thread)
{
	if (thread != 0) {
		ask();
		return;
	}
	qti_worker_self = &worker[0];
	qti_ready(&task[0]);
	hands_change(&worker[0], QTI_HANDS_EMPTY);
}

/* --- off duty: a shepherd of one worker leaves, and somebody makes a task ready that is pinned there ------- */

static void begin_duty(void)
{
	static const unsigned short other[SHEPHERDS] = { 1, 0 };

	begin_with(2);
	qti_rt.nshepherds = SHEPHERDS;
	for (unsigned i = 0; i < SHEPHERDS; i++) {
		shepherd[i].id = i;
		shepherd[i].workers = &worker[i];
		shepherd[i].nworkers = 1;
		shepherd[i].nearest = &other[i];
		worker[i].shepherd = &shepherd[i];
	}
	qti_duty_init();
	make(0);
	task[0].flags = QTI_TASK_PINNED;
	task[0].home = 1;
}

static void leave_and_push(unsigned thread)
{
	if (thread == 0)
		qti_duty_set_shepherd(&shepherd[1], true);
	else
		qti_ready(&task[0]);
}

static void run_duty(unsigned thread)
{
	if (thread < 2)
		work(thread);
	else
		leave_and_push(thread - 2);
}

/* Its worker runs something for long. */
static void run_busy(unsigned thread)
{
	if (thread < 1)
		work(thread);
	else
		leave_and_push(thread - 1);
}

static void end_duty(void)
{
	check_that(started == 1, "the task has run once");
}

static const struct check_spare spare[] = {
	{ "idle.c", "store_rel(&w->hands, before);", "it has moved nothing" },
	{ "idle.c", "return load_acq(&qti_rt.idle.stop)",
		"what comes after a stop comes after the workers' threads have ended" },
	{ "idle.c", "store_rel(&qti_rt.idle.stop, true);", "the other end of that" },
	{ "idle.c", "if (load_acq(&qti_rt.idle.stop) ||",
		"what comes after a stop comes after the workers' threads have ended" },
	{ "notify.c", "store_rel(&w->state, QTI_WORKER_AWAKE);",
		"so that the first look finds what it was woken for; the last one does anyway" },
	{ "idle.c", "while ((state = load_acq(&w->state)) != QTI_WORKER_AWAKE)", "the other end of that" },
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, first, last) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = last, .switches = 3, \
	  .stale = 2, .most = 1500 }

int main(int argc, char **argv)
{
	static const struct check_unit pushes = UNIT(push, 2, begin_two, end), two = UNIT(two, 3, begin_three, end),
		from_outside = UNIT(outside, 2, begin_two, end), bound = UNIT(bound, 2, begin_two, end),
		pinned = UNIT(pinned, 2, begin_two, end), stop = UNIT(stop, 2, begin_two, end), hands = UNIT(hands, 2,
		begin_hands, end),
		lays = UNIT(lays, 2, begin_lays, end), duty = UNIT(duty, 4, begin_duty, end_duty),
		busy = UNIT(busy, 3, begin_duty, end_duty), relied = UNIT(relied, 3, begin_relied, end);
	static const struct check_unit *const units[] = { &pushes, &two, &from_outside, &bound, &pinned, &relied, &stop,
		&hands, &lays, &duty, &busy };
	static const char *const of[] = { "core/idle.c", "core/notify.", "core/ready.", "core/duty.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	if (!boxes_made())
		return 2;
	return check_run(&program, argc, argv);
}
