/* test/stress/deque.c -- an owner and its thieves: each task changes hands once, and whole (sched/deque.h D1 to D4).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts tasks, in each of the settings in main.  Like the library, the test uses a task's memory again once
 * it has been taken, so that the owner may look at a record which somebody else is writing.
 */
#include "sched/deque.h"
#include "stress/stress.h"

#include <pthread.h>

enum { RECORDS = 1024, THIEVES_MAX = 3, RECENT = 16, TASKS = 300000 };

#define IN_HANDS UINT32_MAX

static char memory[RECORDS][sizeof(struct qti_task)] QTI_ALIGNED_LINE;
static uint32_t in_use[RECORDS]; /* 0: free; IN_HANDS; else the mark that it was pushed with */
static uint64_t words[RECORDS];  /* return words: where a claim's argument points */
static struct qti_deque d;
static unsigned thieves;
static bool stop;
static uint64_t taken; /* by thieves */
static unsigned wrong;

struct share { /* of one thief */
	uint64_t seed;
	unsigned kind; /* 0: in passing, 1: final, 2: now this, now that */
};

static struct qti_task *record(unsigned i)
{
	return (struct qti_task *)(void *)memory[i];
}

static unsigned number(const struct qti_task *t)
{
	return (unsigned)((const char(*)[sizeof(struct qti_task)])(const void *)t - memory);
}

/* Somebody got t.  It must be one that is queued, as it was when it was pushed. */
static void use(struct qti_task *t)
{
	unsigned i = number(t);
	uint32_t was = swap_acq_rel(&in_use[i], IN_HANDS);

	if (was == 0 || was == IN_HANDS || t->arg != (void *)(uintptr_t)(was ^ i) || load_rlx(&t->ret) != &words[i]) {
		add_rlx(&wrong, 1);
		diag("record %u: mark %u, argument %p, word %p", i, was, t->arg, load_rlx(&t->ret));
	}
	/* As if it were freed and forked again at once. */
	store_rlx(&t->ret, &words[(i + 1) % RECORDS]);
	store_rlx(&t->ret, NULL);
	t->arg = NULL;
	store_rel(&in_use[i], 0);
}

/* --- thieves --------------------------------------------------------------------------------------------- */

static void *thief(void *arg)
{
	const struct share *mine = arg;
	uint64_t random = mine->seed;

	while (!load_acq(&stop)) {
		struct qti_task *got[8];
		struct qti_batch batch = {
			.max = 1 + stress_random(&random, 8), .worth = stress_random(&random, 4), .task = got };
		bool final = mine->kind == 1 || (mine->kind == 2 && stress_random(&random, 4) == 0);
		qti_deque_steal(&d, &batch, final);
		for (unsigned i = 0; i < batch.count; i++)
			use(got[i]);
		add_rlx(&taken, batch.count);
		if (batch.count == 0 || stress_random(&random, 16) == 0)
			sched_yield();
		else
			stress_pause(stress_random(&random, 200));
	}
	return NULL;
}

/* --- the owner ------------------------------------------------------------------------------------------- */

static uint64_t pushed, popped, claimed, shed;
static unsigned recent[RECENT]; /* the records pushed last */

static bool push_one(unsigned mark)
{
	unsigned i = mark % RECORDS;

	if (load_acq(&in_use[i]) != 0)
		return false;
	struct qti_task *t = record(i);
	t->arg = (void *)(uintptr_t)(mark ^ i);
	store_rlx(&t->ret, &words[i]);
	store_rlx(&in_use[i], mark);
	if (!qti_deque_push(&d, t)) {
		store_rlx(&in_use[i], 0);
		return false;
	}
	recent[pushed++ % RECENT] = i;
	return true;
}

static bool pop_one(void)
{
	struct qti_task *t = qti_deque_pop(&d);

	if (!t)
		return false;
	popped++;
	use(t);
	return true;
}

static void claim_one(unsigned i)
{
	struct qti_task *t = qti_deque_claim(&d, &words[i]);

	if (t) {
		claimed++;
		wrong += number(t) != i;
		use(t);
	}
}

static void shed_some(unsigned max)
{
	struct qti_task *got[8];
	struct qti_batch batch = { .max = max, .task = got };

	qti_deque_shed(&d, &batch);
	shed += batch.count;
	for (unsigned i = 0; i < batch.count; i++)
		use(got[i]);
}

/* A few steps of what a worker does: bursts of forks, joins in either order, popping until nothing is left. */
static void act(uint64_t *random, unsigned *mark)
{
	unsigned n = 1 + stress_random(random, 12);

	switch (stress_random(random, 8)) {
	case 0:
		while (n-- && pop_one())
			continue;
		break;
	case 1:
		while (pop_one())
			continue;
		break;
	case 2:
	case 3:
		while (n--)
			claim_one(recent[stress_random(random, RECENT)]);
		break;
	case 4:
		if (qti_deque_hidden(&d) != 0)
			qti_deque_publish(&d);
		break;
	case 5:
		if (stress_random(random, 16) == 0)
			shed_some(1 + n % 8);
		break;
	default:
		while (n--)
			*mark += push_one(*mark);
	}
}

static void own(uint64_t tasks, uint64_t stream)
{
	uint64_t random = stress_state(stream);
	unsigned mark = RECORDS + 1; /* never 0 */

	while (pushed < tasks) {
		act(&random, &mark);
		if (mark % RECORDS == 0)
			mark++;
		if (load_acq(&in_use[mark % RECORDS]) != 0)
			mark++;
		if (stress_random(&random, 256) == 0)
			sched_yield();
	}
	while (pop_one())
		continue;
}

static void battle(unsigned capacity, unsigned limit, unsigned nthieves, unsigned kind, uint64_t tasks)
{
	static uint64_t streams;
	struct share share[THIEVES_MAX];
	pthread_t thread[THIEVES_MAX];

	if (qti_deque_init(&d, capacity, limit) != QTHREAD_SUCCESS)
		bail_out("no memory for a deque");
	pushed = popped = claimed = shed = taken = 0;
	thieves = nthieves;
	store_rel(&stop, false);
	for (unsigned i = 0; i < thieves; i++) {
		share[i] = (struct share){ stress_state(++streams), kind };
		if (pthread_create(&thread[i], NULL, thief, &share[i]) != 0)
			bail_out("pthread_create failed");
	}
	own(tasks, ++streams);
	store_rel(&stop, true);
	for (unsigned i = 0; i < thieves; i++)
		pthread_join(thread[i], NULL);
	unsigned left = 0;
	for (unsigned i = 0; i < RECORDS; i++)
		left += in_use[i] != 0;
	static const char *const kinds[] = { "in passing", "final", "both" };
	diag("%llu pushed: %llu popped, %llu claimed, %llu stolen, %llu shed", (unsigned long long)pushed,
		(unsigned long long)popped, (unsigned long long)claimed, (unsigned long long)taken,
		(unsigned long long)shed);
	ok(left == 0 && popped + claimed + taken + shed == pushed,
		"limit %u, %u thieves, %s: no task is lost or doubled", limit, thieves, kinds[kind]);
	is_int(wrong, 0, "limit %u, %u thieves, %s: and each arrives whole", limit, thieves, kinds[kind]);
	qti_deque_fini(&d);
	stress_round();
}

static void battles(uint64_t tasks)
{
	battle(64, 64, 1, 0, tasks);
	battle(64, 64, 1, 1, tasks);
	battle(8, 5, 1, 1, tasks);
	battle(256, 256, 2, 2, tasks);
	battle(64, 64, 3, 2, tasks);
}

int main(void)
{
	unsigned tasks = stress_rounds(TASKS);

	plan(2 * 2 * 5);
	stress_say(tasks);
	stress_watch("deque, full fences");
	battles(tasks);
	stress_watch("deque, asymmetric fences");
	qti_fence_setup();
	diag("asymmetric fences: %s", qti_fence_asymmetric ? "yes" : "no");
	battles(tasks);
	return done();
}
