/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Figures about what the library is made of: one object that many want, behind a lock and behind a combiner; a ring. */
#define QTI_OTHER_LIBRARY /* base/shared.h: variables of libqthread have a second name there */
#include "micro/micro.h"

#include "base/combine.h"
#include "sched/ring.h"

enum { WORDS = 8, SERVES = 32 }; /* the object: a line that each request reads and writes; requests served in a row */
enum { SLOTS = 16 };

static struct {
	struct qti_lock lock QTI_ALIGNED_LINE;
	struct qti_combine combine QTI_ALIGNED_LINE;
	uint64_t word[WORDS] QTI_ALIGNED_LINE;
	struct qti_combine_node node[MICRO_ANY + 1];
	unsigned tasks, begun;
	unsigned long each;
} object;

static void *add_one(void *word, void *arg)
{
	uint64_t *w = word;

	for (unsigned i = 0; i < WORDS; i++)
		w[i]++;
	return arg;
}

static aligned_t add_locked(void *arg)
{
	(void)arg;
	for (unsigned long i = 0; i < object.each; i++) {
		qti_lock_take(&object.lock);
		add_one(object.word, NULL);
		qti_lock_drop(&object.lock);
	}
	return 0;
}

static aligned_t add_combined(void *arg)
{
	struct qti_combine_node *spare = &object.node[1 + add_rlx(&object.begun, 1)];

	(void)arg;
	for (unsigned long i = 0; i < object.each; i++)
		qti_combine(&object.combine, &spare, add_one, object.word, NULL, SERVES);
	return 0;
}

/* A task on each worker. */
static double shared_object(qthread_f f, unsigned long count)
{
	object.tasks = qthread_num_workers();
	object.begun = 0;
	object.each = count / object.tasks;
	object.word[WORDS - 1] = 0;
	qti_combine_init(&object.combine, &object.node[0]);
	uint64_t start = bench_now_ns();
	micro_side_by_side(object.tasks, f);
	uint64_t took = bench_now_ns() - start;
	if (object.word[WORDS - 1] != object.each * object.tasks)
		micro_fail("%lu of %lu requests counted", (unsigned long)object.word[WORDS - 1], object.each * object.tasks);
	return (double)took / (double)(object.each * object.tasks);
}

static double object_locked(unsigned long count)
{
	return shared_object(add_locked, count);
}

static double object_combined(unsigned long count)
{
	return shared_object(add_combined, count);
}

/* No other thread knows the ring. */
static double ring_pair(unsigned long count)
{
	static char memory[sizeof(struct qti_ring) + SLOTS * sizeof(uintptr_t)] QTI_ALIGNED_LINE;
	static struct qti_task task;
	struct qti_ring *ring = (struct qti_ring *)(void *)memory;
	unsigned long came = 0;

	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++) {
		qti_ring_push(ring, SLOTS - 1, &task, false);
		came += qti_ring_pop(ring, SLOTS - 1) == &task;
	}
	uint64_t took = bench_now_ns() - start;
	if (came != count)
		micro_fail("%lu of %lu tasks came out of the ring", came, count);
	return (double)took / (double)count;
}

const struct micro_figure micro_inside[] = {
	{ "object_locked", "ns", "a line that all workers change, under a lock of the library's", object_locked, 2000000, 20000,
		5, MICRO_MAIN, 1, MICRO_ANY, { 0, 0 } },
	{ "object_combined", "ns", "the same by combining", object_combined, 2000000, 20000, 5, MICRO_MAIN, 1, MICRO_ANY,
		{ 0, 0 } },
	{ "ring_pair", "ns", "a task into a ring of xq's and out again, on one worker", ring_pair, 20000000, 500000, 5, MICRO_TASK,
		1, 1, { 10, 0 } },
	{ .name = NULL },
};
