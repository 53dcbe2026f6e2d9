/* test/check/rings.c -- sched/ring.h: tasks come out in order, whole, and once; a slot is not filled over one (RG1,
 * RG2).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/instead.h"

#include "sched/ring.h"

enum { SLOTS = 2, TASKS = 4 };

static struct {
	struct qti_ring ring;
	uintptr_t slot[SLOTS];
} r;
static struct qti_task task[TASKS];
static unsigned pushed, popped;

static void begin(void)
{
	pushed = popped = 0;
}

static void push(void)
{
	task[pushed].arg = &task[pushed];
	pushed += qti_ring_push(&r.ring, SLOTS - 1, &task[pushed], pushed % 2);
}

static void take(struct qti_task *t, bool in_order)
{
	if (!t)
		return;
	check_that(t->arg == t, "a task is whole");
	check_that(!in_order || t == &task[popped], "in order");
	t->arg = NULL;
	popped++;
}

static void run_in_order(unsigned thread)
{
	for (unsigned i = 0; i < TASKS; i++)
		if (thread == 0)
			push();
		else
			take(qti_ring_pop(&r.ring, SLOTS - 1), true);
}

static void run_open(unsigned thread)
{
	for (unsigned i = 0; i < 3; i++)
		if (thread == 0)
			push();
		else
			take(i < 2 ? qti_ring_pop_open(&r.ring, SLOTS - 1) : qti_ring_pop(&r.ring, SLOTS - 1), false);
}

static void end(void)
{
	struct qti_task *t;

	while ((t = qti_ring_pop(&r.ring, SLOTS - 1)) != NULL)
		take(t, false);
	check_that(popped == pushed, "each has come out once");
}

static const struct check_spare spare[] = {
	{ "ring.h", "store_rel(&r->slot[head & mask], 0);", "RG2 keeps a load before a store; the model knows no execution in which it "
	  "comes later" },
	{ "ring.h", "if (load_acq(&r->slot[tail & mask]) != 0)", "the same" },
	{ NULL, NULL, NULL }
};

int main(int argc, char **argv)
{
	static const struct check_unit in_order = { .name = "in_order", .threads = 2, .begin = begin, .run = run_in_order,
		.end = end, .switches = 4, .stale = 2, .most = 12000 };
	static const struct check_unit open = { .name = "open", .threads = 2, .begin = begin, .run = run_open,
		.end = end, .switches = 4, .stale = 2, .most = 12000 };
	static const struct check_unit *const units[] = { &in_order, &open };
	static const struct check_program program = { units, 2, spare, NULL };

	return check_run(&program, argc, argv);
}
