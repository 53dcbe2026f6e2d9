/* test/check/steals.c -- sched/deque.h: each task leaves once, whoever takes it, and whole (D1 to D4).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/instead.h"

#include "sched/deque.c"

enum { CAPACITY = 4, TASKS = 6 };

static struct qti_deque d;
static struct qti_task task[TASKS];
static aligned_t ret[TASKS];
static unsigned taken[TASKS];
static unsigned pushed;
static struct qti_task *slots[CAPACITY];

static void use(struct qti_task *t)
{
	unsigned i = (unsigned)(t - task);

	check_that(t->arg == &ret[i], "a task is whole");
	taken[i]++;
}

static bool push(void)
{
	struct qti_task *t = &task[pushed];

	t->arg = &ret[pushed];
	store_rlx(&t->ret, &ret[pushed]);
	bool done = qti_deque_push(&d, t);
	pushed += done;
	return done;
}

static void pop(void)
{
	struct qti_task *t = qti_deque_pop(&d);

	if (t)
		use(t);
}

static void claim(unsigned i)
{
	struct qti_task *t = qti_deque_claim(&d, &ret[i]);

	check_that(!t || t == &task[i], "what is claimed is what was asked for");
	if (t)
		use(t);
}

static void steal(unsigned max, unsigned worth, bool final)
{
	struct qti_task *got[CAPACITY];
	struct qti_batch b = { .max = max, .worth = worth, .task = got };

	(void)qti_deque_steal(&d, &b, final);
	for (unsigned i = 0; i < b.count; i++)
		use(got[i]);
}

static void begin_empty(void)
{
	d.slot = slots;
	d.mask = CAPACITY - 1;
	d.limit = CAPACITY;
}

static void begin_with_one(void)
{
	begin_empty();
	push();
}

static void begin_with_two(void)
{
	begin_with_one();
	push();
}

static void all_have_left(void)
{
	struct qti_task *t;

	while ((t = qti_deque_pop(&d)) != NULL)
		use(t);
	for (unsigned i = 0; i < pushed; i++)
		check_that(taken[i] == 1, "each task has left once");
}

/* A thief sees what the owner has just pushed. */
static void run_push(unsigned thread)
{
	if (thread == 0) {
		push();
		push();
		pop();
	} else {
		steal(2, 0, true);
	}
}

/* The owner pops what a thief raises the split over. */
static void run_pop(unsigned thread)
{
	if (thread == 0) {
		pop();
		push();
		pop();
	} else {
		steal(2, 0, true);
	}
}

/* It claims out of the middle, where a thief raises the split, too. */
static void run_claim(unsigned thread)
{
	if (thread == 0)
		claim(0);
	else
		steal(1, 1, true);
}

/* The newest, and what is below that. */
static void run_claim_newest(unsigned thread)
{
	if (thread == 0) {
		push();
		claim(2);
		claim(1);
	} else {
		steal(2, 2, false);
	}
}

static void run_claim_pushed(unsigned thread)
{
	if (thread == 0) {
		push();
		push();
		claim(1);
	} else {
		steal(2, 0, true);
	}
}

/* It publishes, and takes back from the public part. */
static void run_publish(unsigned thread)
{
	if (thread == 0) {
		push();
		qti_deque_publish(&d);
		pop();
		pop();
	} else {
		steal(1, 0, thread == 1);
	}
}

/* It uses a slot again at which a thief has looked already. */
static void run_reuse(unsigned thread)
{
	if (thread == 0) {
		pop();
		push();
	} else {
		steal(1, 0, true);
	}
}

/* Two thieves, and nothing is public. */
static void run_thieves(unsigned thread)
{
	if (thread == 0) {
		push();
		pop();
	} else {
		steal(1, 0, true);
	}
}

#define PUT_BACK "the split was above it, so a thief had loaded as much, and the next one takes the lock after it"
#define LOCKED "under the lock, which a thief that loads it has taken later"

static const struct check_spare spare[] = {
	{ "deque.c", "store_rel(&d->top, top);", "D4 keeps a load before a store; the model knows no execution in which it comes later" },
	{ "deque.h", "store_rel(&d->bottom, b + 1);", PUT_BACK },
	{ "deque.c", "store_rel(&d->bottom, b);", PUT_BACK },
	{ "deque.c", "store_rel(&d->bottom, d->bottom - 1);", LOCKED },
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, first) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = all_have_left, .switches = 3, .stale = 2, \
	  .most = 6000 }

int main(int argc, char **argv)
{
	static const struct check_unit pushes = UNIT(push, 2, begin_empty), pops = UNIT(pop, 2, begin_with_two),
		claims = UNIT(claim, 2, begin_with_two), newest = UNIT(claim_newest, 2, begin_with_two),
		pushed_claim = UNIT(claim_pushed, 2, begin_empty), publishes = UNIT(publish, 3, begin_with_two), reuses = UNIT(reuse, 2, begin_with_one),
		thieves = UNIT(thieves, 3, begin_with_one);
	static const struct check_unit *const units[] = {
		&pushes, &pops, &claims, &newest, &pushed_claim, &publishes, &reuses, &thieves };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, NULL };

	return check_run(&program, argc, argv);
}
