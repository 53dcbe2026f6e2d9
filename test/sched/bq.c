/* test/sched/bq.c -- sched/bq.c, one step at a time: where tasks wait, who gets which, when a worker is throttled.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On one worker; test/sched/contract.c has thieves, test/stress/bq.c all at once.
 */
#include "numbers.h"
#include "stress/stress.h"

#include <qthread.h>

enum { NTASKS = 100, QUEUE = 10 };

static struct qti_task task[NTASKS];
static int words[NTASKS]; /* word i is the return word of task i */

static void begin(void)
{
	stress_set("QT_QUEUE", QUEUE);
	stress_start("bq", (struct stress_shape){ 1, 1 });
	for (unsigned i = 0; i < NTASKS; i++)
		task[i] = (struct qti_task){ .ret = &words[i], .flags = QTI_TASK_LIVE | QTI_TASK_NO_RECORD };
}

/* -1: none. */
static int number(const struct qti_task *t)
{
	return t ? (int)(t - task) : -1;
}

static void push(unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		qti_rt.sched->push(qti_self(), &task[i]);
}

static int pop(void)
{
	return number(qti_rt.sched->pop(qti_self()));
}

static int claim(unsigned i)
{
	return number(qti_rt.sched->claim(qti_self(), &words[i]));
}

static bool full(void)
{
	return qti_rt.sched->full(qti_self(), SIZE_MAX);
}

static const char *pop_all(void)
{
	return numbers_text(pop);
}

static void throttling(void)
{
	begin();
	push(0, QUEUE - 1);
	ok(!full(), "with room for one there is room");
	push(QUEUE - 1, QUEUE);
	ok(full(), "in a full queue there is none");
	pop();
	pop();
	ok(full(), "nor when less than 30 %% of it have gone");
	pop();
	ok(!full(), "when that many have gone there is");
	push(QUEUE, QUEUE + 1);
	ok(!full(), "until it is full again");
	push(QUEUE + 1, QUEUE + 3);
	ok(full(), "and then there is none");
	is_str(pop_all(), "3 4 5 6 7 8 9 10 11 12", "tasks leave in the order in which they came, around the end");
	ok(!full(), "and leave room");
	qthread_finalize();
}

static void spilling(void)
{
	begin();
	push(0, QUEUE + 4);
	is_int(qti_rt.sched->length(&qti_rt.shepherds[0]), QUEUE + 4, "what finds no room is not refused");
	is_int(pop(), QUEUE + 3, "it is what its worker takes first, the newest");
	push(20, 21);
	is_str(pop_all(), "20 12 11 10 0 1 2 3 4 5 6 7 8 9", "down to the queue");
	push(30, 31);
	qti_rt.sched->push_yielded(qti_self(), &task[31]);
	push(32, 33);
	is_str(pop_all(), "30 32 31", "what has yielded comes behind all");
	qthread_finalize();
}

static void claims(void)
{
	begin();
	push(0, QUEUE + 4);
	is_int(claim(QUEUE + 2), QUEUE + 2, "a child is claimed from what was spilled");
	is_int(claim(QUEUE - 1), QUEUE - 1, "and from the queue, the newest");
	is_int(claim(4), 4, "and one in the middle");
	is_int(claim(4), -1, "once");
	is_int(claim(50), -1, "what is not there is not");
	is_str(pop_all(), "13 11 10 0 1 2 3 5 6 7 8", "the others stay in order");
	push(0, 8);
	for (int i = 7; i >= 0; i--)
		claim((unsigned)i);
	is_int(pop(), -1, "all may be claimed");
	push(0, QUEUE);
	is_str(pop_all(), "0 1 2 3 4 5 6 7 8 9", "and leave all of the room");
	qthread_finalize();
}

int main(void)
{
	plan(8 + 4 + 8);
	stress_watch("steps");
	throttling();
	spilling();
	claims();
	return done();
}
