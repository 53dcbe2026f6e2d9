/* test/api/external.c -- plain pthreads are served like tasks: many at once, and whatever the workers are doing.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "waiting.h"

#include <qthread/sinc.h>

enum { CHECKS_PER_RUN = 9 };

enum { THREADS = 12 };

/* ---- Threads of the test's own -------------------------------------------------------------------------------- */

struct member {
	pthread_t thread;
	void (*body)(struct member *);
	int number;
	int wrong;              /* what did not go as it should */
};

static struct member members[THREADS];

static void *member_main(void *arg)
{
	struct member *m = arg;

	m->body(m);
	return NULL;
}

static void begin(int n, void (*body)(struct member *))
{
	for (int i = 0; i < n; i++) {
		members[i] = (struct member){ .body = body, .number = i };
		if (pthread_create(&members[i].thread, NULL, member_main, &members[i]) != 0)
			bail_out("pthread_create failed");
	}
}

/* The main task's OS thread waits here, so its worker runs nothing. */
static int wrong_after_join(int n)
{
	int wrong = 0;

	for (int i = 0; i < n; i++) {
		pthread_join(members[i].thread, NULL);
		wrong += members[i].wrong;
	}
	return wrong;
}

/* ---- Forking and reading -------------------------------------------------------------------------------------- */

static aligned_t twice(void *arg)
{
	return 2 * (aligned_t)(uintptr_t)arg;
}

static aligned_t at_work, all_left;

static void leave(void)
{
	if (qthread_incr(&at_work, -1) == 1)
		qthread_fill(&all_left);
}

/* For bodies that need tasks to run: the main task waits as a task does. */
static int wrong_in(int n, void (*body)(struct member *))
{
	at_work = (aligned_t)n;
	qthread_empty(&all_left);
	begin(n, body);
	qthread_readFF(NULL, &all_left);
	return wrong_after_join(n);
}

static void fork_and_read(struct member *m)
{
	const int rounds = every_scaled(30);

	for (int r = 0; r < rounds; r++) {
		enum { BATCH = 10 };
		aligned_t ret[BATCH], value = 0;
		syncvar_t sv = SYNCVAR_INITIALIZER;
		uint64_t got = 0;

		for (uintptr_t i = 0; i < BATCH; i++)
			m->wrong += qthread_fork_to(twice, (void *)i, &ret[i], i % 3 ? NO_SHEPHERD : (qthread_shepherd_id_t)r) != 0;
		m->wrong += qthread_fork_syncvar(twice, (void *)77, &sv) != 0;
		for (aligned_t i = 0; i < BATCH; i++)
			m->wrong += (i % 2 ? qthread_readFF(&value, &ret[i]) : qthread_readFE(&value, &ret[i])) != 0 || value != 2 * i;
		m->wrong += qthread_syncvar_readFF(&got, &sv) != 0 || got != 154;
		for (int i = 0; i < BATCH; i++)
			qthread_fill(&ret[i]);
	}
	leave();
}

static void with_a_sinc(struct member *m)
{
	qt_sinc_t *s = qt_sinc_create(0, NULL, NULL, 20);

	for (uintptr_t i = 0; i < 20; i++)
		m->wrong += qthread_spawn(twice, (void *)i, 0, s, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC_VOID) != 0;
	qt_sinc_wait(s, NULL);
	qt_sinc_destroy(s);
	leave();
}

/* ---- Waking tasks and being woken by them --------------------------------------------------------------------- */

static struct {
	aligned_t there, back;
} lines[THREADS];

static aligned_t echo(void *arg)
{
	const int number = (int)(intptr_t)arg, rounds = every_scaled(50);
	aligned_t value = 0, sum = 0;

	for (int r = 0; r < rounds; r++) {
		qthread_readFE(&value, &lines[number].there);
		sum += value;
		qthread_writeEF_const(&lines[number].back, value + 1);
	}
	return sum;
}

static void talk_to_task(struct member *m)
{
	const int rounds = every_scaled(50);
	aligned_t ret = 0, value = 0;

	qthread_purge(&lines[m->number].there);
	qthread_purge(&lines[m->number].back);
	m->wrong += qthread_fork(echo, (void *)(intptr_t)m->number, &ret) != 0;
	for (aligned_t r = 0; r < (aligned_t)rounds; r++) {
		qthread_writeEF_const(&lines[m->number].there, r);
		m->wrong += qthread_readFE(&value, &lines[m->number].back) != 0 || value != r + 1;
	}
	m->wrong += qthread_readFF(&value, &ret) != 0 || value != (aligned_t)rounds * (rounds - 1) / 2;
	qthread_fill(&lines[m->number].there);
	qthread_fill(&lines[m->number].back);
	leave();
}

/* ---- Among themselves: no worker is needed -------------------------------------------------------------------- */

static aligned_t ring[THREADS];

/* One value goes round; each waits for it with readFE and hands it on, increased. */
static void hand_on(struct member *m)
{
	const int rounds = every_scaled(50);
	aligned_t *mine = &ring[m->number], *next = &ring[(m->number + 1) % THREADS], value = 0;

	for (int r = 0; r < rounds; r++) {
		m->wrong += qthread_readFE(&value, mine) != 0 || value != (aligned_t)(r * THREADS + m->number);
		m->wrong += qthread_writeEF_const(next, value + 1) != 0;
	}
}

static bool ring_turns(void)
{
	for (int i = 0; i < THREADS; i++)
		qthread_empty(&ring[i]);
	begin(THREADS, hand_on);
	qthread_writeEF_const(&ring[0], 0);
	const int wrong = wrong_after_join(THREADS);
	const bool right = wrong == 0 && qthread_feb_status(&ring[0]) == 1 && ring[0] == (aligned_t)(every_scaled(50) * THREADS);
	for (int i = 0; i < THREADS; i++)
		qthread_fill(&ring[i]);
	return right;
}

static struct {
	aligned_t lock;
	uint64_t plain;         /* not atomic: the lock is all that protects it */
} safe;

static void count_under_lock(struct member *m)
{
	const int rounds = every_scaled(200);

	for (int r = 0; r < rounds; r++) {
		m->wrong += qthread_lock(&safe.lock) != 0;
		safe.plain++;
		m->wrong += qthread_unlock(&safe.lock) != 0;
	}
}

/* A barrier of words: purge and fill, wait with readFF. */
static aligned_t gates[2];
static aligned_t arrived;

static void meet(struct member *m)
{
	const int rounds = every_scaled(40);

	for (int r = 0; r < rounds; r++) {
		if (qthread_incr(&arrived, 1) == THREADS - 1) {
			__atomic_store_n(&arrived, 0, __ATOMIC_RELAXED);
			qthread_purge(&gates[(r + 1) % 2]);
			qthread_writeF_const(&gates[r % 2], (aligned_t)r + 1);
		} else {
			aligned_t value = 0;
			m->wrong += qthread_readFF(&value, &gates[r % 2]) != 0 || value != (aligned_t)r + 1;
		}
	}
}

static bool threads_meet(void)
{
	arrived = 0;
	qthread_purge(&gates[0]);
	qthread_fill(&gates[1]);
	begin(THREADS, meet);
	const int wrong = wrong_after_join(THREADS);
	qthread_fill(&gates[0]);
	qthread_fill(&gates[1]);
	return wrong == 0;
}

static bool threads_exclude(void)
{
	safe.plain = 0;
	begin(THREADS, count_under_lock);
	return wrong_after_join(THREADS) == 0 && safe.plain == (uint64_t)THREADS * every_scaled(200);
}

/* ---- While every worker is busy ------------------------------------------------------------------------------- */

static uint32_t busy;
static uint32_t enough;

/* Never gives its worker away; only its CPU, for who may have to share it. */
static aligned_t keep_busy(void *arg)
{
	(void)arg;
	__atomic_fetch_add(&busy, 1, __ATOMIC_RELEASE);
	while (!flag_is_up(&enough))
		sched_yield();
	return 0;
}

enum { MOST_BUSY = 3, FORKED = 20 };

static aligned_t forked_ret[FORKED];

/* Only what does not wait for a task. */
static void fork_only(struct member *m)
{
	aligned_t word = 5, value = 0;

	for (uintptr_t i = 0; i < FORKED; i++)
		m->wrong += qthread_fork(twice, (void *)i, &forked_ret[i]) != 0 || qthread_feb_status(&forked_ret[i]) != 0;
	m->wrong += qthread_readFF_nb(&value, &forked_ret[0]) != QTHREAD_OPFAIL;
	m->wrong += qthread_empty(&word) != 0 || qthread_writeEF(&word, &value) != 0 || qthread_readFE(&value, &word) != 0;
	m->wrong += qthread_purge_to_const(&word, 9) != 0 || qthread_fill(&word) != 0 || qthread_readFF(&value, &word) != 0;
	m->wrong += value != 9;
}

static void occupy_workers(aligned_t ret[MOST_BUSY])
{
	const int workers = qthread_num_workers(), per_shepherd = qthread_num_workers_local(0);

	busy = enough = 0;
	for (int i = 1; i < workers; i++)
		qthread_fork_to(keep_busy, NULL, &ret[i - 1], (qthread_shepherd_id_t)(i / per_shepherd));
	while (__atomic_load_n(&busy, __ATOMIC_ACQUIRE) != (uint32_t)workers - 1)
		sched_yield();
}

static void while_workers_are_busy(const char *what)
{
	aligned_t ret[MOST_BUSY];
	int wrong = 0;

	occupy_workers(ret);
	const bool right = ring_turns() && threads_exclude() && threads_meet();
	begin(1, fork_only);
	wrong = wrong_after_join(1);
	ok(right, "%s: pthreads wait for and wake each other while every worker is busy", what);
	flag_raise(&enough);
	for (int i = 1; i < qthread_num_workers(); i++)
		qthread_readFF(NULL, &ret[i - 1]);
	for (aligned_t i = 0; i < FORKED; i++) {
		aligned_t value = 0;
		wrong += qthread_readFF(&value, &forked_ret[i]) != 0 || value != 2 * i;
	}
	is_int(wrong, 0, "%s: what they fork meanwhile runs afterwards", what);
}

/* ---- Waking the main task ------------------------------------------------------------------------------------- */

static aligned_t wake_up;

static void fill_it(struct member *m)
{
	until_waiting(&wake_up, QTI_WAIT_READ_FE, 1);
	m->wrong += qthread_writeEF_const(&wake_up, 4) != 0;
}

static void wakes_the_main_task(const char *what)
{
	aligned_t value = 0;
	int wrong = 0;

	for (int i = 0; i < every_scaled(20); i++) {
		qthread_empty(&wake_up);
		begin(1, fill_it);
		wrong += qthread_readFE(&value, &wake_up) != 0 || value != 4;
		wrong += wrong_after_join(1);
	}
	qthread_fill(&wake_up);
	is_int(wrong, 0, "%s: a pthread wakes the main task, with nobody else there", what);
}

static void run(const char *what)
{
	is_int(wrong_in(THREADS, fork_and_read), 0, "%s: %d pthreads fork tasks and read their results", what, THREADS);
	is_int(wrong_in(THREADS, with_a_sinc), 0, "%s: and wait for sincs", what);
	is_int(wrong_in(THREADS, talk_to_task), 0, "%s: a pthread and a task talk through two words", what);
	ok(ring_turns(), "%s: a value goes round among pthreads", what);
	ok(threads_exclude(), "%s: a lock excludes them", what);
	ok(threads_meet(), "%s: they meet at a word", what);
	wakes_the_main_task(what);
	while_workers_are_busy(what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN);
	every_runtime(run);
	return done();
}
