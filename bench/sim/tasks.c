/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Tasks of a simulated program: forked as api/fork.c does, joined by a word in the parent's frame.
 *
 * The word stands for the one that a native task returns through: who waits runs the child on top if it stands
 * in its own queue, else leaves for another task, or looks a moment and sleeps; the child's end swaps the word
 * and wakes who waits. The table of full/empty bits, which is between the two in the library, is left out. */
#include "sim/run.h"

#include "base/poll.h"
#include "base/tuning.h"
#include "core/loop.h"
#include "core/next.h"
#include "core/ready.h"
#include "sim/lines.h"

#include <stdlib.h>

enum { DONE = 1 };

struct sim_task_counts sim_counts;

unsigned long sim_work_percent = 100;

void sim_work(double ns)
{
	sim_spend(SIM_WORK, (uint64_t)(ns * 10 * (double)sim_work_percent));
}

uint64_t sim_mix(uint64_t a, uint64_t b)
{
	uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + b + UINT64_C(0x632be59bd9b4e019);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static void run_body(struct sim_child *c)
{
	sim_counts.run++;
	sim_counts.again += c->runs++ != 0;
	sim_counts.by_distance[sim_distance(c->maker, sim_cpu())]++;
	sim_note(sim_counts.run);
	c->body(c->arg);
	sim_turn_to(SIM_QUEUE);
}

static aligned_t entry(void *arg)
{
	struct sim_child *c = arg;

	sim_turn_to(SIM_QUEUE);
	sim_spend(SIM_QUEUE, sim_cost[SIM_RUN]);
	sim_touch(qti_self()->current, false);
	sim_touch(c, false);
	run_body(c);
	return 0;
}

static bool ended(struct qti_task *t, aligned_t value)
{
	struct sim_child *c = t->ret;
	uint64_t was = swap_acq_rel(&c->state, DONE);

	(void)value;
	if (was)
		qti_ready((struct qti_task *)(uintptr_t)was);
	return true;
}

void sim_fork(struct sim_child *c, void (*body)(void *arg), void *arg)
{
	struct qti_worker *w = qti_self();

	*c = (struct sim_child){ .body = body, .arg = arg, .maker = sim_cpu() };
	sim_counts.forked++;
	if (qti_rt.sched->full && qti_rt.sched->full(w, SIZE_MAX)) {
		sim_counts.at_once++;
		run_body(c);
		store_rel(&c->state, DONE);
		return;
	}
	struct qti_task *t = qti_pool_get(&qti_rt.tasks, &w->tasks);
	sim_spend(SIM_QUEUE, sim_cost[SIM_CREATE]);
	sim_touch(t, true);
	sim_touch(c, true);
	*t = (struct qti_task){ .fn = entry, .arg = c, .finish = ended, .flags = QTI_TASK_LIVE, .more = t->more };
	store_rlx(&t->ret, c);
	qti_count(w, forks);
	qti_ready(t);
}

static bool fall_asleep(struct qti_task *t, void *arg)
{
	struct sim_child *c = arg;
	uint64_t seen = 0;

	return cas_acq_rel(&c->state, &seen, (uint64_t)(uintptr_t)t);
}

static bool look_for_end(const struct sim_child *c)
{
	struct qti_poll poll = { .ns = TUNE_WAIT_NS };

	do
		if (load_acq(&c->state) == DONE)
			return true;
	while (qti_poll_again(&poll));
	return false;
}

/* As sync/waiter.c: other ready tasks come first, then a moment's patience, then the loop. */
void sim_wait(struct sim_child *c)
{
	if (load_acq(&c->state) == DONE)
		return;
	if (qti_rt.inline_join && qti_join_inline(c)) {
		sim_turn_to(SIM_QUEUE);
		return;
	}
	if (qti_suspend_prepare(qti_self()) != QTHREAD_SUCCESS)
		abort();
	struct qti_task *next = qti_next_local(qti_self());
	if (!next && qti_rt.nworkers > 1 && look_for_end(c))
		return;
	sim_spend(SIM_SWITCHES, sim_cost[SIM_SWITCH]);
	qti_suspend_for(next, fall_asleep, c);
	sim_turn_to(SIM_QUEUE);
	sim_spend(SIM_SWITCHES, sim_cost[SIM_SWITCH]);
}

void sim_count_steal(const struct qti_task *t)
{
	const struct sim_child *c = t->arg;

	sim_counts.steals[sim_distance(c->maker, sim_cpu())]++;
}
