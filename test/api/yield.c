/* test/api/yield.c -- giving way: everybody gets a turn, wherever tasks stand in line.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "waiting.h"

enum { CHECKS_PER_RUN = 10, ALONE_CHECKS = 8, OTHER_CHECKS = 2 };

static aligned_t ended;

static aligned_t count(void *arg)
{
	(void)arg;
	qthread_incr(&ended, 1);
	return 0;
}

static aligned_t seen(void)
{
	return qthread_cas(&ended, 0, 0);
}

/* ---- Who polls does not keep others from running -------------------------------------------------------------- */

static uint32_t flag;

static aligned_t raise_it(void *arg)
{
	(void)arg;
	flag_raise(&flag);
	return 0;
}

/* Plain qthread_yield, as a program would. */
static aligned_t poll(void *arg)
{
	(void)arg;
	while (!flag_is_up(&flag))
		qthread_yield();
	return 0;
}

static aligned_t poll_near(void *arg)
{
	(void)arg;
	while (!flag_is_up(&flag))
		qthread_yield_near();
	return 0;
}

enum where { ANYWHERE, PINNED };

static void start(qthread_f f, enum where where, aligned_t *ret)
{
	if (where == PINNED)
		qthread_fork_to(f, NULL, ret, 0);
	else
		qthread_fork(f, NULL, ret);
}

static void raise_outside(void *arg)
{
	const enum where *where = arg;

	start(raise_it, *where, NULL);
}

/* The main task and several others poll until one more task, forked last, has run. */
static bool pollers_end(qthread_f poller, enum where pollers, enum where raiser, bool outside)
{
	enum { POLLERS = 4 };
	aligned_t ret[POLLERS];
	pthread_t thread;
	struct every_external e = { raise_outside, &raiser, 0 };

	flag = 0;
	for (int i = 0; i < POLLERS; i++)
		start(poller, pollers, &ret[i]);
	if (outside && pthread_create(&thread, NULL, every_external_main, &e) != 0)
		bail_out("pthread_create failed");
	if (!outside)
		start(raise_it, raiser, NULL);
	poller(NULL);
	for (int i = 0; i < POLLERS; i++)
		qthread_readFF(NULL, &ret[i]);
	if (outside)
		pthread_join(thread, NULL);
	return true;
}

static void nobody_starves(const char *what)
{
	static const char *const name[] = { "free", "pinned" };

	for (enum where raiser = ANYWHERE; raiser <= PINNED; raiser++)
		ok(pollers_end(poll, ANYWHERE, raiser, false) && pollers_end(poll, PINNED, raiser, false),
			"%s: among tasks that yield and yield, a %s one still runs", what, name[raiser]);
	for (enum where raiser = ANYWHERE; raiser <= PINNED; raiser++)
		ok(pollers_end(poll, ANYWHERE, raiser, true) && pollers_end(poll, PINNED, raiser, true),
			"%s: a %s one that a pthread forked, too", what, name[raiser]);
	ok(pollers_end(poll_near, ANYWHERE, ANYWHERE, false) && pollers_end(poll_near, PINNED, PINNED, true),
		"%s: and if they yield near", what);
}

static aligned_t add_and_yield(void *arg)
{
	aligned_t *const turns = arg;

	for (int i = 0; i < 100; i++) {
		qthread_incr(turns, 1);
		qthread_yield();
	}
	return 0;
}

static void state_survives(const char *what)
{
	enum { TASKS = 20 };
	aligned_t turns = 0, ret[TASKS];

	for (int i = 0; i < TASKS; i++)
		qthread_fork_to(add_and_yield, &turns, &ret[i], i % 2 ? 0 : NO_SHEPHERD);
	for (int i = 0; i < 100; i++)
		qthread_yield();
	for (int i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ret[i]);
	is_int(turns, TASKS * 100, "%s: %d tasks go on from where they gave way", what, TASKS);
}

/* ---- Where nothing happens ------------------------------------------------------------------------------------ */

static aligned_t yield_all_kinds(void *arg)
{
	aligned_t *const before = arg;

	*before = seen();
	qthread_yield();
	qthread_yield_near();
	qthread_yield_(2);
	return seen() - *before;
}

static void yield_outside(void *arg)
{
	aligned_t before;

	*(aligned_t *)arg = yield_all_kinds(&before);
}

static void nothing_to_do(const char *what)
{
	aligned_t before, after = 1;

	ended = 0;
	until_quiet();
	ok(yield_all_kinds(&before) == 0, "%s: with nobody else there a yield returns at once", what);
	every_outside(yield_outside, &after);
	ok(after == 0, "%s: from a pthread it runs no task", what);
	until_quiet();
	qthread_flushsc();
	ok(true, "%s: qthread_flushsc returns", what);
}

/* The worker of a simple task while that yields, plus 1; tasks that have run there meanwhile. */
static aligned_t yields_on, crossed;

static aligned_t yield_simply(void *unused)
{
	aligned_t before;

	(void)unused;
	__atomic_store_n(&yields_on, (aligned_t)qthread_worker(NULL) + 1, __ATOMIC_RELEASE);
	(void)yield_all_kinds(&before);
	__atomic_store_n(&yields_on, 0, __ATOMIC_RELEASE);
	return 0;
}

static aligned_t cross(void *unused)
{
	if (__atomic_load_n(&yields_on, __ATOMIC_ACQUIRE) == (aligned_t)qthread_worker(NULL) + 1)
		qthread_incr(&crossed, 1);
	return count(unused);
}

static void simple_does_not_yield(const char *what)
{
	aligned_t ret = 9;

	ended = crossed = 0;
	until_quiet();
	qthread_spawn(yield_simply, NULL, 0, &ret, 0, NULL, 0, QTHREAD_SPAWN_SIMPLE);
	for (int i = 0; i < 3; i++)
		qthread_fork_to(cross, NULL, NULL, 0);
	qthread_readFF(NULL, &ret);
	while (seen() != 3)
		qthread_yield();
	ok(crossed == 0, "%s: in a simple task it does nothing", what);
	until_quiet();
}

/* ---- On one worker the order can be told ---------------------------------------------------------------------- */

enum { READY = 10 };

static aligned_t fork_and_yield(void *arg)
{
	const int yields = (int)(intptr_t)arg;

	for (int i = 0; i < READY; i++)
		qthread_fork(count, NULL, NULL);
	const aligned_t before = seen();
	for (int i = 0; i < yields; i++)
		qthread_yield();
	return seen() - before;
}

/* The main task stands in a line of its own, which takes turns with that of the others, one for several. */
static void all_go_first(const char *what)
{
	aligned_t ret = 0;

	ended = 0;
	is_int(fork_and_yield((void *)READY), READY, "%s: %d yields of the main task let %d ready tasks run", what, READY, READY);
	until_quiet();
	ended = 0;
	is_int(fork_and_yield((void *)1), READY, "%s: and one lets them all go first, who end without yielding", what);
	until_quiet();
	ended = 0;
	qthread_fork(fork_and_yield, (void *)1, &ret);
	qthread_readFF(NULL, &ret);
	is_int(ret, READY, "%s: one yield of another task lets %d ready ones go first", what, READY);
	until_quiet();
}

static aligned_t fork_and_yield_near(void *arg)
{
	const int ready = (int)(intptr_t)arg;

	for (int i = 0; i < ready; i++)
		qthread_fork(count, NULL, NULL);
	const aligned_t before = seen();
	qthread_yield_near();
	return seen() - before;
}

/* The order of q, l and the policies with rings is strict: there it lets all go first, like any yield. */
static void near_comes_back_soon(const char *what)
{
	aligned_t ret = 0;

	ended = 0;
	qthread_fork(fork_and_yield_near, (void *)READY, &ret);
	qthread_readFF(NULL, &ret);
	ok(ret == 1 || (!qti_rt.sched->push_behind && ret >= 1), "%s: a near yield lets one task go first (%d ran)",
		what, (int)ret);
	until_quiet();
	qthread_fork(fork_and_yield_near, (void *)0, &ret);
	qthread_readFF(NULL, &ret);
	is_int(ret, 0, "%s: and returns if there is none", what);
}

/* ---- Who forks and yields goes down, but not for ever --------------------------------------------------------- */

enum { LEVELS = 9, ROUNDS = 1000 };

static aligned_t alive, alive_most;

static aligned_t tree(void *arg)
{
	const uintptr_t levels = (uintptr_t)arg;
	aligned_t left, right;

	if (levels == 0)
		return 1;
	alive++;
	if (alive_most < alive)
		alive_most = alive;
	qthread_fork(tree, (void *)(levels - 1), &left);
	qthread_fork(tree, (void *)(levels - 1), &right);
	qthread_yield();
	qthread_readFF(&left, &left);
	qthread_readFF(&right, &right);
	alive--;
	return left + right;
}

/* Q, L and the policies with rings keep their order. */
static void recursion_goes_down(const char *what)
{
	aligned_t ret = 0;

	alive_most = 0;
	qthread_fork(tree, (void *)LEVELS, &ret);
	qthread_readFF(&ret, &ret);
	ok(ret == 1 << LEVELS && (!qti_rt.sched->push_behind || alive_most <= 2 * LEVELS),
		"%s: tasks of a recursion that fork and yield: %d of %d had begun at once", what, (int)alive_most,
		(1 << LEVELS) - 1);
}

static aligned_t fork_and_poll(void *arg)
{
	aligned_t rounds = 0;

	(void)arg;
	while (!flag_is_up(&flag) && rounds++ < ROUNDS) {
		qthread_fork(count, NULL, NULL);
		qthread_yield();
	}
	return rounds;
}

static void older_ones_run(const char *what)
{
	aligned_t ret = 0;

	flag = 0;
	qthread_fork(raise_it, NULL, NULL);
	qthread_fork(fork_and_poll, NULL, &ret);
	qthread_readFF(&ret, &ret);
	ok(ret < ROUNDS, "%s: who forks and yields and forks and yields lets older tasks run (%d rounds)", what, (int)ret);
	until_quiet();
}

static aligned_t gate;
static uint32_t waits, came;

static aligned_t wait_at_gate(void *arg)
{
	(void)arg;
	flag_raise(&waits);
	qthread_readFF(NULL, &gate);
	flag_raise(&came);
	return 0;
}

static aligned_t fork_after_a_join(void *arg)
{
	aligned_t child;

	(void)arg;
	qthread_fork(count, NULL, &child);
	qthread_readFF(NULL, &child);
	qthread_yield();
	qthread_fill(&gate);
	qthread_fork(count, NULL, NULL);
	qthread_yield();
	return seen() == 2 && !flag_is_up(&came);
}

/* One that has been joined is none of those it has forked that are still to go first. */
static void joined_ones_do_not_count(const char *what)
{
	aligned_t ret = 0, older;

	ended = 0;
	waits = came = 0;
	qthread_empty(&gate);
	qthread_fork(wait_at_gate, NULL, &older);
	while (!flag_is_up(&waits))
		qthread_yield();
	qthread_fork(fork_after_a_join, NULL, &ret);
	qthread_readFF(&ret, &ret);
	ok(ret == 1 || !qti_rt.sched->push_behind, "%s: who has joined and found nothing goes behind what it forks then, "
		"and not behind an older task", what);
	qthread_readFF(NULL, &older);
	until_quiet();
}

static void run(const char *what)
{
	nobody_starves(what);
	state_survives(what);
	nothing_to_do(what);
	simple_does_not_yield(what);
	if (qthread_num_workers() == 1) {
		all_go_first(what);
		near_comes_back_soon(what);
		recursion_goes_down(what);
		older_ones_run(what);
		joined_ones_do_not_count(what);
	}
}

/* ---- Threads that are no tasks -------------------------------------------------------------------------------- */

enum { EXCHANGES = 200, ENOUGH = 1000 * EXCHANGES };

static uint32_t ball;

/* Each of two waits for an odd or an even ball, and counts how often it looks in vain. */
static uint64_t play(uint32_t mine)
{
	uint64_t yields = 0;

	for (uint32_t next = mine; next < 2 * EXCHANGES; next += 2) {
		for (; __atomic_load_n(&ball, __ATOMIC_ACQUIRE) != next; yields++)
			qthread_yield();
		__atomic_store_n(&ball, next + 1, __ATOMIC_RELEASE);
	}
	return yields;
}

static void *play_second(void *yields)
{
	*(uint64_t *)yields = play(1);
	return NULL;
}

static void stay_on_one_cpu(cpu_set_t *before)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_getaffinity(0, sizeof(*before), before) != 0)
		bail_out("no affinity");
	(void)!sched_setaffinity(0, sizeof(one), &one);         /* on more than one, where a sandbox refuses it */
}

/* Who kept the CPU would look for a whole slice of time, each time. */
static void threads_give_way(void)
{
	uint64_t first, second = 0;
	pthread_t thread;
	cpu_set_t before;

	stay_on_one_cpu(&before);
	if (pthread_create(&thread, NULL, play_second, &second) != 0)
		bail_out("pthread_create failed");
	first = play(0);
	pthread_join(thread, NULL);
	sched_setaffinity(0, sizeof(before), &before);
	ok(first + second < ENOUGH, "two threads on one CPU that yield to each other look in vain %llu times, for %d turns",
		(unsigned long long)(first + second), EXCHANGES);
}

int main(void)
{
	const int alone = every_nshapes() == EVERY_SHAPES ? EVERY_THOROUGH * ALONE_CHECKS : 0;
	aligned_t before;

	plan(every_runs() * CHECKS_PER_RUN + alone + OTHER_CHECKS);
	ok(yield_all_kinds(&before) == 0, "before qthread_initialize a yield does nothing");
	threads_give_way();
	every_runtime(run);
	return done();
}
