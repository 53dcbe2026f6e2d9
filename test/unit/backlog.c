/* test/unit/backlog.c -- sched/backlog.h does what a deque of any length does, with memory and without.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/backlog.h"
#include "stress/stress.h"
#include "fault.h"

enum { NTASKS = 512, STEPS = 40000, BATCH = 40 };

static char memory[NTASKS][sizeof(struct qti_task)] QTI_ALIGNED_LINE;
static struct qti_backlog b;

static struct qti_task *task(unsigned i)
{
	return (struct qti_task *)(void *)memory[i % NTASKS];
}

/* -1: none. */
static int number(const struct qti_task *t)
{
	return t ? (int)((const char(*)[sizeof(struct qti_task)])(const void *)t - memory) : -1;
}

static void begin(void)
{
	memset(&b, 0, sizeof(b));
	fault_end();
}

/* --- order ----------------------------------------------------------------------------------------------- */

static void push_newest(unsigned from, unsigned to)
{
	struct qti_task *batch[NTASKS];

	for (unsigned i = from; i < to; i++)
		batch[i - from] = task(i);
	qti_backlog_push_newest(&b, batch, to - from);
}

/* Whether that many come out, the first numbered `first` and the others one less or more each. */
static bool pops(unsigned (*pop)(struct qti_backlog *, struct qti_task **, unsigned), unsigned n, int first, int step)
{
	struct qti_task *got[NTASKS];

	if (pop(&b, got, n) != n)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (number(got[i]) != first + step * (int)i)
			return false;
	return true;
}

static void order(void)
{
	struct qti_task *got;

	begin();
	is_int(qti_backlog_pop_newest(&b, &got, 1), 0, "a new backlog is empty, for those who want the newest");
	is_int(qti_backlog_pop_oldest(&b, &got, 1), 0, "and for those who want the oldest");
	push_newest(0, 100);
	is_int(qti_backlog_count(&b), 100, "it counts");
	ok(pops(qti_backlog_pop_newest, 10, 99, -1), "newest first, across bundles");
	ok(pops(qti_backlog_pop_oldest, 35, 0, 1), "oldest first");
	qti_backlog_push_oldest(&b, task(200));
	qti_backlog_push_oldest(&b, task(201));
	ok(pops(qti_backlog_pop_newest, 55, 89, -1), "the newest are where they were");
	ok(pops(qti_backlog_pop_newest, 2, 200, 1), "what was pushed as the oldest comes last");
	is_int(qti_backlog_count(&b), 0, "and then it is empty");
	push_newest(0, 3);
	is_int(qti_backlog_pop_oldest(&b, (struct qti_task *[NTASKS]){ NULL }, NTASKS), 3,
		"no more come than there are");
	qti_backlog_fini(&b);
}

/* --- against a model ------------------------------------------------------------------------------------- */

/* An array with room on both sides: oldest .. newest - 1. */
static struct {
	int task[2 * BATCH * STEPS];
	unsigned oldest, newest;
	bool queued[NTASKS];
} model;

/* Free tasks from a random one on: how many. */
static unsigned batch_of_free(uint64_t *random, struct qti_task **batch)
{
	unsigned at = stress_random(random, NTASKS), want = 1 + stress_random(random, BATCH), n = 0;

	for (; n < want && !model.queued[at % NTASKS]; at++) {
		model.queued[at % NTASKS] = true;
		batch[n++] = task(at);
	}
	return n;
}

static bool step_push(uint64_t *random, bool newest)
{
	struct qti_task *batch[BATCH];
	unsigned n = batch_of_free(random, batch);

	if (newest)
		qti_backlog_push_newest(&b, batch, n);
	for (unsigned i = 0; i < n; i++) {
		if (!newest)
			qti_backlog_push_oldest(&b, batch[i]);
		model.task[newest ? model.newest++ : --model.oldest] = number(batch[i]);
	}
	return true;
}

static bool step_pop(uint64_t *random, bool newest, bool ordered)
{
	struct qti_task *got[BATCH];
	unsigned max = 1 + stress_random(random, BATCH), have = model.newest - model.oldest;
	unsigned n = (newest ? qti_backlog_pop_newest : qti_backlog_pop_oldest)(&b, got, max);

	if (n != (max < have ? max : have))
		return false;
	for (unsigned i = 0; i < n; i++) {
		int want = model.task[newest ? --model.newest : model.oldest++];
		if (ordered ? number(got[i]) != want : !model.queued[number(got[i])])
			return false;
		model.queued[number(got[i])] = false;
	}
	return true;
}

static bool step(uint64_t *random, bool ordered)
{
	bool newest = stress_random(random, 4) != 0;

	if (!ordered)
		stress_random(random, 3) != 0 ? fault_after(0) : fault_end();
	if (stress_random(random, 100) < 51)
		return step_push(random, newest);
	return step_pop(random, newest, ordered);
}

static void as_the_model(bool ordered)
{
	uint64_t random = stress_state(ordered);
	unsigned steps = 0;

	begin();
	memset(&model, 0, sizeof(model));
	model.oldest = model.newest = BATCH * STEPS;
	while (steps < STEPS && step(&random, ordered) && qti_backlog_count(&b) == model.newest - model.oldest)
		steps++;
	if (ordered)
		is_int(steps, STEPS, "with memory it does what an array does");
	else
		is_int(steps, STEPS, "without, it loses and doubles none");
	fault_end();
	qti_backlog_fini(&b);
}

static void without_memory(void)
{
	begin();
	fault_after(0);
	push_newest(0, 5);
	qti_backlog_push_oldest(&b, task(10));
	is_int(qti_backlog_count(&b), 6, "pushing does not fail for want of memory");
	ok(pops(qti_backlog_pop_newest, 5, 4, -1), "and tasks without bundles keep their order among each other");
	ok(pops(qti_backlog_pop_oldest, 1, 10, 1), "from both ends");
	qti_backlog_fini(&b);
}

int main(void)
{
	plan(14);
	stress_say(STEPS);
	qti_mem_fault = fault;
	order();
	without_memory();
	as_the_model(true);
	as_the_model(false);
	return done();
}
