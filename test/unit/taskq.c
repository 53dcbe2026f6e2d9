/* test/unit/taskq.c -- core/taskq.h: order at both ends, and many threads at once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/taskq.h"
#include "stress/stress.h"

#include <pthread.h>

enum { NTASKS = 4096, PRODUCERS = 2, CONSUMERS = 2, STEPS = 20000 };

static char memory[NTASKS][sizeof(struct qti_task)] QTI_ALIGNED_LINE;

static struct qti_task *task(unsigned i)
{
	return (struct qti_task *)(void *)memory[i];
}

/* -1: none. */
static int number(const struct qti_task *t)
{
	return t ? (int)((const char(*)[sizeof(struct qti_task)])(const void *)t - memory) : -1;
}

/* --- lists ----------------------------------------------------------------------------------------------- */

static struct qti_tasklist list;

/* Whether the list is this one, forwards, backwards and counted. */
static bool reads(const int *want, unsigned n)
{
	const struct qti_task *t = list.front;
	unsigned i;

	for (i = 0; i < n && t && number(t) == want[i]; i++)
		t = t->next;
	if (i < n || t || list.count != n)
		return false;
	for (t = list.back; i > 0 && t && number(t) == want[i - 1]; i--)
		t = t->prev;
	return i == 0 && !t;
}

static void both_ends(void)
{
	is_int(number(qti_tasklist_pop_front(&list)), -1, "nothing at the front of an empty list");
	is_int(number(qti_tasklist_pop_back(&list)), -1, "nor at its back");
	qti_tasklist_push_front(&list, task(1));
	ok(reads((int[]){ 1 }, 1), "one, from the front");
	qti_tasklist_push_back(&list, task(2));
	qti_tasklist_push_front(&list, task(0));
	ok(reads((int[]){ 0, 1, 2 }, 3), "one to each side");
	is_int(number(qti_tasklist_pop_back(&list)), 2, "pop the back");
	ok(reads((int[]){ 0, 1 }, 2), "which leaves the others");
	is_int(number(qti_tasklist_pop_front(&list)), 0, "pop the front");
	is_int(number(qti_tasklist_pop_front(&list)), 1, "pop the last one, from the front");
	ok(reads(NULL, 0), "empty again");
	qti_tasklist_push_back(&list, task(3));
	is_int(number(qti_tasklist_pop_back(&list)), 3, "pop the last one, from the back");
	ok(reads(NULL, 0), "empty once more");
}

/* Against an array with room on both sides. */
static void as_an_array(void)
{
	static int array[2 * STEPS];
	bool queued[32] = { false };
	unsigned front = STEPS, back = STEPS, steps;
	uint64_t random = stress_state(0);

	for (steps = 0; steps < STEPS && reads(array + front, back - front); steps++) {
		unsigned i = stress_random(&random, 32);
		bool at_front = stress_random(&random, 2);
		if (stress_random(&random, 2) && !queued[i]) {
			queued[i] = true;
			(at_front ? qti_tasklist_push_front : qti_tasklist_push_back)(&list, task(i));
			array[at_front ? --front : back++] = (int)i;
		} else {
			int got = number((at_front ? qti_tasklist_pop_front : qti_tasklist_pop_back)(&list));
			if (got != (front == back ? -1 : at_front ? array[front++] : array[--back]))
				break;
			if (got >= 0)
				queued[got] = false;
		}
	}
	is_int(steps, STEPS, "a list does what an array does");
}

/* --- queues ---------------------------------------------------------------------------------------------- */

static struct qti_taskq queue;
static unsigned taken[NTASKS];
static unsigned left; /* consumers stop at 0 */
static unsigned out_of_order;

/* Tasks i, i + PRODUCERS, ... */
static void *produce(void *arg)
{
	for (unsigned i = (unsigned)(uintptr_t)arg; i < NTASKS; i += PRODUCERS) {
		task(i)->arg = (void *)(uintptr_t)(i + 1);
		qti_taskq_push_back(&queue, task(i));
	}
	return NULL;
}

static void *consume(void *unused)
{
	int last[PRODUCERS] = { -1, -1 };

	(void)unused;
	while (load_acq(&left) > 0) {
		struct qti_task *t = qti_taskq_pop_front(&queue);
		if (!t) {
			sched_yield();
			continue;
		}
		int i = number(t);
		add_rlx(&taken[i], t->arg == (void *)(uintptr_t)(i + 1) ? 1 : 100);
		if (i < last[i % PRODUCERS])
			add_rlx(&out_of_order, 1);
		last[i % PRODUCERS] = i;
		sub_acq_rel(&left, 1);
	}
	return NULL;
}

static void many_threads(unsigned rounds)
{
	unsigned wrong = 0;

	for (unsigned r = 0; r < rounds; r++) {
		pthread_t thread[PRODUCERS + CONSUMERS];
		memset(taken, 0, sizeof(taken));
		left = NTASKS;
		for (uintptr_t i = 0; i < PRODUCERS + CONSUMERS; i++)
			if (pthread_create(&thread[i], NULL, i < PRODUCERS ? produce : consume, (void *)i) != 0)
				bail_out("pthread_create failed");
		for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
			pthread_join(thread[i], NULL);
		for (int i = 0; i < NTASKS; i++)
			wrong += taken[i] != 1;
	}
	is_int(wrong, 0, "many threads at both ends: each task comes out once, and whole");
	is_int(out_of_order, 0, "in the order in which its producer put it in");
	is_int(qti_taskq_count(&queue), 0, "and the count ends at nothing");
}

static void front_of_queue(void)
{
	qti_taskq_push_back(&queue, task(1));
	qti_taskq_push_front(&queue, task(0));
	is_int(qti_taskq_count(&queue), 2, "a queue counts");
	is_int(number(qti_taskq_pop_front(&queue)), 0, "what was put in front comes first");
	is_int(number(qti_taskq_pop_front(&queue)), 1, "then the other");
	is_int(number(qti_taskq_pop_front(&queue)), -1, "then nothing");
}

int main(void)
{
	unsigned rounds = stress_rounds(100);

	plan(19);
	stress_say(rounds);
	stress_watch("taskq");
	both_ends();
	as_an_array();
	front_of_queue();
	many_threads(rounds);
	return done();
}
