/* test/omp/depend_graph.c -- random task graphs compute what the same tasks compute one after another.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     QTI_SEED      what the random numbers begin with (default: another one each time)
 *     QTI_ROUNDS    how many graphs
 *
 * A task reads words, and writes others: what it writes mixes its number with what it read and with what was there.  So
 * a word holds the same as in the serial run only if each task saw what it was to see.  Adding up, which is all that
 * mutexinoutset tasks do, may happen in any order.  The words are not atomic: a ThreadSanitizer build looks at that.
 */
#include "omp/tasking.h"

#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 12, MOST_TASKS = 80, MOST_ITEMS = 6 };

enum kind { IN, OUT, INOUT, MUTEX, KINDS };

struct item {
	int word;
	enum kind kind;
};

struct task {
	struct item items[MOST_ITEMS];
	int count;
	bool undeferred, waits_after, final;
	int priority;
};

static struct task tasks[MOST_TASKS];
static int ntasks;
static uint64_t words[WORDS], serial[WORDS];
static int runs[MOST_TASKS];

/* --- random numbers (xorshift64*) ----------------------------------------------------------------------- */

static uint64_t state;

static int random_below(int n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (int)((state * UINT64_C(0x2545f4914f6cdd1d) >> 33) % (unsigned)n);
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

/* Each word at most once: OpenMP leaves open what several kinds of one word in one task mean. */
static void draw_task(struct task *t)
{
	bool used[WORDS] = { false };

	memset(t, 0, sizeof(*t));
	for (int i = random_below(MOST_ITEMS + 1); i > 0; i--) {
		struct item it = { random_below(WORDS), (enum kind)random_below(KINDS) };
		if (used[it.word])
			continue;
		used[it.word] = true;
		t->items[t->count++] = it;
	}
	t->undeferred = random_below(20) == 0;
	t->waits_after = random_below(30) == 0;
	t->final = random_below(10) == 0;
	t->priority = random_below(4);
}

static void draw_graph(void)
{
	ntasks = 1 + random_below(MOST_TASKS);
	for (int i = 0; i < ntasks; i++)
		draw_task(&tasks[i]);
}

/* --- what a task does ----------------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t a, uint64_t b)
{
	a ^= b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2);
	return a * UINT64_C(0xff51afd7ed558ccd);
}

static void work(const struct task *t, uint64_t *on)
{
	uint64_t value = (uint64_t)(t - tasks) + 1;

	for (int i = 0; i < t->count; i++)
		if (t->items[i].kind == IN || t->items[i].kind == INOUT)
			value = mixed(value, on[t->items[i].word]);
	for (int i = 0; i < t->count; i++) {
		uint64_t *w = &on[t->items[i].word];
		switch (t->items[i].kind) {
		case OUT:
		case INOUT:
			*w = mixed(value, (uint64_t)i);
			break;
		case MUTEX:
			*w += value;
			break;
		default:
			break;
		}
	}
}

static void make(const struct task *t)
{
	int n[KINDS] = { 0 }, words_of[KINDS][MOST_ITEMS];

	for (int i = 0; i < t->count; i++) {
		const struct item it = t->items[i];
		words_of[it.kind][n[it.kind]++] = it.word;
	}
#pragma omp task depend(iterator(i = 0 : n[IN]), in: words[words_of[IN][i]]) \
	depend(iterator(i = 0 : n[OUT]), out: words[words_of[OUT][i]]) \
	depend(iterator(i = 0 : n[INOUT]), inout: words[words_of[INOUT][i]]) \
	depend(iterator(i = 0 : n[MUTEX]), mutexinoutset: words[words_of[MUTEX][i]]) \
	firstprivate(t) if (!t->undeferred) final(t->final) priority(t->priority)
	{
		bump(&runs[t - tasks]);
		work(t, words);
	}
	if (t->waits_after) {
		if (n[IN] > 0) {
#pragma omp taskwait depend(in: words[words_of[IN][0]])
		} else {
#pragma omp taskwait
		}
	}
}

/* --- graphs --------------------------------------------------------------------------------------------- */

static bool as_serial(const char *how, int round)
{
	bool good = every_is(runs, ntasks, 1);

	for (int i = 0; i < WORDS; i++)
		if (words[i] != serial[i])
			good = false;
	if (!good)
		diag("%s: graph %d of %d tasks is wrong", how, round, ntasks);
	return good;
}

static void begin(void)
{
	memset(runs, 0, sizeof(runs));
	memset(words, 0, sizeof(words));
	memset(serial, 0, sizeof(serial));
	for (int i = 0; i < ntasks; i++)
		work(&tasks[i], serial);
}

static void made_by_a_member(int rounds)
{
	bool good = true;

	for (int round = 0; round < rounds && good; round++) {
		draw_graph();
		begin();
#pragma omp parallel
#pragma omp single
		for (int i = 0; i < ntasks; i++)
			make(&tasks[i]);
		good = as_serial("by a member", round);
	}
	ok(good, "task depend: %d random graphs in regions of their own", rounds);
}

static void made_by_a_task(int rounds)
{
	bool good = true;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < rounds && good; round++) {
		draw_graph();
		begin();
#pragma omp taskgroup
		{
#pragma omp task
			for (int i = 0; i < ntasks; i++)
				make(&tasks[i]);
		}
		good = as_serial("by a task", round);
	}
	ok(good, "task depend: %d random graphs, each made by a task within a group", rounds);
}

static void one_after_another(int rounds)
{
	bool good = true;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < rounds && good; round++) {
		draw_graph();
		begin();
		for (int i = 0; i < ntasks; i++)
			make(&tasks[i]);
#pragma omp taskwait
		good = as_serial("one after another", round);
	}
	ok(good, "task depend: %d random graphs of the same parent and words, with a taskwait in between", rounds);
}

int main(void)
{
	struct timespec t;
	const int rounds = (int)setting("QTI_ROUNDS", (uint64_t)every_scaled(60));

	clock_gettime(CLOCK_REALTIME, &t);
	state = setting("QTI_SEED", (uint64_t)t.tv_nsec ^ (uint64_t)getpid() << 32);
	state += !state;
	plan(3);
	diag("QTI_SEED=%llu QTI_ROUNDS=%d", (unsigned long long)state, rounds);
	made_by_a_member(rounds);
	made_by_a_task(rounds);
	one_after_another(rounds);
	return done();
}
