/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Figures about full/empty words: what reading, writing, locking and waiting cost. */
#include "micro/micro.h"

static double readff_full(unsigned long count)
{
	aligned_t word = 7, got = 0, sum = 0;

	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++) {
		qthread_readFF(&got, &word);
		sum += got;
	}
	uint64_t took = bench_now_ns() - start;
	if (sum != 7 * (aligned_t)count)
		micro_fail("a full word was read wrong");
	return (double)took / (double)count;
}

static double feb_pair(unsigned long count)
{
	aligned_t word = 0, value;

	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++) {
		qthread_readFE(&value, &word);
		value++;
		qthread_writeEF(&word, &value);
	}
	uint64_t took = bench_now_ns() - start;
	if (word != count)
		micro_fail("the word holds %lu, not %lu", (unsigned long)word, count);
	return (double)took / (double)count;
}

static double syncvar_pair(unsigned long count)
{
	syncvar_t word = SYNCVAR_STATIC_INITIALIZER;
	uint64_t value = 0;

	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++) {
		qthread_syncvar_readFE(&value, &word);
		value++;
		qthread_syncvar_writeEF(&word, &value);
	}
	uint64_t took = bench_now_ns() - start;
	if (value != count)
		micro_fail("the word holds %lu, not %lu", (unsigned long)value, count);
	return (double)took / (double)count;
}

static double lock_pair(unsigned long count)
{
	aligned_t word = 0;

	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++) {
		qthread_lock(&word);
		qthread_unlock(&word);
	}
	uint64_t took = bench_now_ns() - start;
	if (!qthread_feb_status(&word))
		micro_fail("the word stayed locked");
	return (double)took / (double)count;
}

/* The two words are far enough apart not to share a cache line. */
static struct {
	_Alignas(128) aligned_t there;
	_Alignas(128) aligned_t back;
	unsigned long count;
} game;

static aligned_t ping(void *arg)
{
	(void)arg;
	for (unsigned long i = 0; i < game.count; i++) {
		qthread_writeEF_const(&game.there, i);
		qthread_readFE(NULL, &game.back);
	}
	return 0;
}

static aligned_t pong(void *arg)
{
	(void)arg;
	for (unsigned long i = 0; i < game.count; i++) {
		qthread_readFE(NULL, &game.there);
		qthread_writeEF_const(&game.back, i);
	}
	return 0;
}

static double ping_pong(unsigned long count)
{
	aligned_t ended[2];

	game.count = count;
	qthread_empty(&game.there);
	qthread_empty(&game.back);
	uint64_t start = bench_now_ns();
	micro_fork(ping, NULL, &ended[0], 0);
	micro_fork(pong, NULL, &ended[1], (qthread_shepherd_id_t)(1 % qthread_num_shepherds()));
	qthread_readFF(NULL, &ended[0]);
	qthread_readFF(NULL, &ended[1]);
	uint64_t took = bench_now_ns() - start;
	qthread_fill(&game.there);
	qthread_fill(&game.back);
	if (game.back != count - 1)
		micro_fail("%lu rounds were played, not %lu", (unsigned long)game.back + 1, count);
	return (double)took / (double)count;
}

static struct {
	_Alignas(128) aligned_t lock;
	_Alignas(128) unsigned long inside; /* written under the lock */
	unsigned long count;
} crowd;

static aligned_t enter_and_leave(void *arg)
{
	(void)arg;
	for (unsigned long i = 0; i < crowd.count; i++) {
		qthread_lock(&crowd.lock);
		crowd.inside++;
		qthread_unlock(&crowd.lock);
	}
	return 0;
}

static double contended_word(unsigned long count)
{
	unsigned sides = qthread_num_workers();

	crowd.inside = 0;
	crowd.count = count / sides;
	uint64_t start = bench_now_ns();
	micro_side_by_side(sides, enter_and_leave);
	uint64_t took = bench_now_ns() - start;
	if (crowd.inside != crowd.count * sides)
		micro_fail("the lock let two in at once: %lu of %lu", crowd.inside, crowd.count * sides);
	return (double)took / (double)crowd.inside;
}

enum { ADDERS = 10 };

static struct {
	_Alignas(128) aligned_t sum;
	_Alignas(128) unsigned long count;
} shared;

static aligned_t add_often(void *arg)
{
	(void)arg;
	for (unsigned long i = 0; i < shared.count; i++)
		qthread_incr(&shared.sum, 1);
	return 0;
}

/* More tasks than workers, wherever they run. */
static double shared_incr(unsigned long count)
{
	aligned_t ended[ADDERS];

	shared.sum = 0;
	shared.count = count / ADDERS;
	uint64_t start = bench_now_ns();
	for (unsigned i = 0; i < ADDERS; i++)
		micro_fork(add_often, NULL, &ended[i], NO_SHEPHERD);
	for (unsigned i = 0; i < ADDERS; i++)
		qthread_readFF(NULL, &ended[i]);
	uint64_t took = bench_now_ns() - start;
	if (shared.sum != shared.count * ADDERS)
		micro_fail("%lu of %lu additions counted", (unsigned long)shared.sum, shared.count * ADDERS);
	return (double)took / (double)shared.sum;
}

const struct micro_figure micro_words[] = {
	{ "readff_full", "ns", "readFF of a full word", readff_full, 5000000, 200000, 5, MICRO_TASK, 1, MICRO_ANY,
		{ 4, 4 } },
	{ "feb_pair", "ns/pair", "readFE and writeEF of an aligned_t nobody else uses", feb_pair, 1000000, 100000, 5,
		MICRO_TASK, 1, MICRO_ANY, { 30, 30 } },
	{ "syncvar_pair", "ns/pair", "readFE and writeEF of a syncvar_t nobody else uses", syncvar_pair, 1000000,
		100000, 5, MICRO_TASK, 1, MICRO_ANY, { 12, 12 } },
	{ "lock_pair", "ns/pair", "qthread_lock and qthread_unlock of a free word", lock_pair, 1000000, 100000, 5,
		MICRO_TASK, 1, MICRO_ANY, { 0, 0 } },
	{ "ping_pong", "ns/round", "two tasks wake each other through two words, there and back", ping_pong, 200000,
		10000, 5, MICRO_MAIN, 1, MICRO_ANY, { 150, 600 } },
	{ "contended_word", "ns/pair", "as many tasks as workers lock and unlock the same word", contended_word, 400000,
		20000, 5, MICRO_MAIN, 2, MICRO_ANY, { 0, 0 } },
	{ "shared_incr", "ns", "qthread_incr of one word by ten tasks", shared_incr, 10000000, 100000, 5, MICRO_MAIN, 1,
		MICRO_ANY, { 0, 0 } },
	{ .name = NULL },
};
