/* test/unit/taskring.c -- sched/ring.h, one step at a time, and against a model of it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Producer and consumer are one thread here; test/stress/rows.c has them run at once.
 */
#include "sched/ring.h"
#include "numbers.h"
#include "stress/stress.h"

enum { SLOTS = 8, MASK = SLOTS - 1, NTASKS = 256, MODEL_STEPS = 50000 };

static struct qti_task task[NTASKS];
static int words[NTASKS]; /* word i is the return word of task i */
static struct qti_ring *ring;

static void begin(void)
{
	static char memory[sizeof(struct qti_ring) + SLOTS * sizeof(uintptr_t)] QTI_ALIGNED_LINE;

	memset(memory, 0, sizeof(memory));
	ring = (struct qti_ring *)(void *)memory;
	for (unsigned i = 0; i < NTASKS; i++)
		task[i] = (struct qti_task){ .ret = &words[i], .flags = QTI_TASK_LIVE };
}

/* -1: none. */
static int number(const struct qti_task *t)
{
	return t ? (int)(t - task) : -1;
}

/* Tasks from .. to - 1; how many found room. */
static unsigned push(unsigned from, unsigned to)
{
	unsigned pushed = 0;

	for (unsigned i = from; i < to; i++)
		pushed += qti_ring_push(ring, MASK, &task[i], qti_task_is(&task[i], QTI_TASK_OPEN));
	return pushed;
}

static int pop(void)
{
	return number(qti_ring_pop(ring, MASK));
}

static int claim(unsigned i)
{
	return number(qti_ring_claim(ring, MASK, &words[i], SLOTS));
}

static int pop_open(void)
{
	return number(qti_ring_pop_open(ring, MASK));
}

static const char *pop_all(void)
{
	return numbers_text(pop);
}

static void in_order_and_bounded(void)
{
	begin();
	is_int(pop(), -1, "a ring of zeroes is empty");
	is_int(push(0, 10), SLOTS, "it takes as many tasks as it has slots");
	ok(qti_ring_full(ring, MASK) && qti_ring_length(ring) == SLOTS, "then it is full");
	ok(qti_ring_holds(ring, MASK, 1) && qti_ring_holds(ring, MASK, SIZE_MAX), "and holds any number");
	pop();
	pop();
	ok(qti_ring_holds(ring, MASK, SLOTS - 2) && !qti_ring_holds(ring, MASK, SLOTS - 1), "of those that have gone it holds none");
	is_str(pop_all(), "2 3 4 5 6 7", "they leave in the order in which they came");
	ok(!qti_ring_holds(ring, MASK, 1) && qti_ring_length(ring) == 0, "then it is empty");
	ring->head = ring->tail = UINT32_MAX - 2;
	push(0, 8);
	is_str(pop_all(), "0 1 2 3 4 5 6 7", "also where the indices wrap");
	is_int(qti_ring_bytes(64), 128 + 8 * 64, "a ring of 64 is two lines and its slots");
}

static void open_ones(void)
{
	begin();
	task[2].flags |= QTI_TASK_OPEN;
	task[4].flags |= QTI_TASK_OPEN;
	push(0, 6);
	is_int(pop_open(), 2, "a rescuer gets the oldest open one, out of the middle");
	is_int(pop_open(), 4, "and the next");
	is_int(pop_open(), -1, "but no other");
	is_str(pop_all(), "0 1 3 5", "and is in order");
	push(2, 3);
	is_int(pop_open(), 2, "one in front is taken, too");
	is_int(qti_ring_length(ring), 0, "and leaves nothing behind");
}

static void claims(void)
{
	begin();
	push(0, 6);
	is_int(claim(5), 5, "the newest is claimed");
	is_int(qti_ring_length(ring), 5, "and makes room");
	is_int(claim(2), 2, "one in the middle is");
	is_int(claim(2), -1, "once");
	is_int(claim(9), -1, "what is not there is not");
	is_int(claim(4), 4, "the newest again");
	is_int(claim(3), 3, "and once more");
	is_int(qti_ring_length(ring), 2, "what was claimed beneath it has gone, too");
	is_int(claim(0), 0, "the oldest is claimed");
	is_str(pop_all(), "1", "the other is there");
	push(0, 4);
	is_int(number(qti_ring_claim(ring, MASK, &words[0], 2)), -1, "what is out of reach is not claimed");
	is_int(number(qti_ring_claim(ring, MASK, &words[2], 2)), 2, "what is within is");
}

/* The same steps on a plain array. */
static unsigned model[SLOTS], count;

static int model_remove(unsigned at)
{
	unsigned i = model[at];

	memmove(&model[at], &model[at + 1], (--count - at) * sizeof(model[0]));
	return (int)i;
}

static int model_find(unsigned i)
{
	for (unsigned at = 0; at < count; at++)
		if (model[at] == i)
			return model_remove(at);
	return -1;
}

static int model_open(void)
{
	for (unsigned at = 0; at < count; at++)
		if (task[model[at]].flags & QTI_TASK_OPEN)
			return model_remove(at);
	return -1;
}

/* Claimed slots keep their room until what is in front or behind has gone, so the ring may be full before the model
 * is. */
static bool step(uint64_t *random, unsigned next)
{
	unsigned some = count ? model[stress_random(random, count)] : next;

	switch (stress_random(random, 8)) {
	case 0:
	case 1:
		return pop() == (count ? model_remove(0) : -1);
	case 2:
		return claim(some) == model_find(some);
	case 3:
		return pop_open() == model_open();
	default:
		task[next].flags = stress_random(random, 3) ? 0 : QTI_TASK_OPEN;
		if (qti_ring_push(ring, MASK, &task[next], qti_task_is(&task[next], QTI_TASK_OPEN)))
			model[count++] = next;
		else
			return qti_ring_length(ring) == SLOTS;
		return true;
	}
}

static void as_its_model(void)
{
	uint64_t random = stress_state(0);
	unsigned steps = 0, next = 0;

	begin();
	count = 0;
	while (steps < MODEL_STEPS && step(&random, next) && qti_ring_length(ring) >= count) {
		steps++;
		next = (next + 1) % NTASKS;     /* long gone: the ring is smaller than that */
	}
	is_int(steps, MODEL_STEPS, "%d random steps do as a list does, seed %llu", MODEL_STEPS,
		(unsigned long long)stress_seed());
}

int main(void)
{
	plan(9 + 6 + 12 + 1);
	in_order_and_bounded();
	open_ones();
	claims();
	as_its_model();
	return done();
}
