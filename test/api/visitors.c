/* test/api/visitors.c -- threads that are no workers call at any time, also while the runtime starts and ends.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of starts under each setting (default 6).  What a scheduler has to do with it, one shape
 * shows.
 */
#include "waiting.h"

#include <qthread/barrier.h>
#include <qthread/stats.h>
#include <qthread/qloop.h>
#include <qthread/qpool.h>
#include <qthread/sinc.h>

enum { ROUNDS = 6, CHECKS_PER_RUN = 3, OTHER_CHECKS = 8, WAITERS = 6 };

/* ---- A thread that calls whatever there is -------------------------------------------------------------------- */

struct visitor {
	pthread_t thread;
	int number;
	unsigned long served, refused, wrong, lost;
};

static uint32_t enough;

/* Either is right, for nobody knows whether the runtime is up. */
static bool served(struct visitor *v, int rc)
{
	v->served += rc == QTHREAD_SUCCESS;
	v->refused += rc == QTHREAD_NOT_ALLOWED;
	v->wrong += rc != QTHREAD_SUCCESS && rc != QTHREAD_NOT_ALLOWED;
	return rc == QTHREAD_SUCCESS;
}

static aligned_t seven(void *arg)
{
	if (arg)
		qthread_yield();
	return 7;
}

/* What has been accepted has run when the runtime has ended. */
static void fork_tasks(struct visitor *v)
{
	aligned_t ret[4] = { 0, 0, 0, 0 }, copied = 1;
	syncvar_t sv = SYNCVAR_INITIALIZER;
	uint64_t value = 0;

	const bool forked[] = {
		served(v, qthread_fork(seven, NULL, &ret[0])),
		served(v, qthread_fork_to(seven, v, &ret[1], (qthread_shepherd_id_t)v->number)),
		served(v, qthread_fork_copyargs(seven, &copied, sizeof(copied), &ret[2])),
		served(v, qthread_fork_precond(seven, NULL, &ret[3], 1, &ret[0])),
	};
	const bool to_syncvar = served(v, qthread_fork_syncvar(seven, NULL, &sv));
	for (int i = 0; i < 4; i++) {
		served(v, qthread_readFF(NULL, &ret[i]));
		v->lost += forked[i] && ret[i] != 7;
	}
	if (to_syncvar)
		qthread_syncvar_readFF(&value, &sv);
	v->lost += to_syncvar && value != 7;
}

static void use_words(struct visitor *v)
{
	aligned_t word = 1, value = 0;

	served(v, qthread_empty(&word));
	served(v, qthread_fill(&word));
	served(v, qthread_writeF_const(&word, 3));
	served(v, qthread_readFE(&value, &word));
	if (qthread_feb_status(&word) == 0)
		served(v, qthread_writeEF_const(&word, 4));
	served(v, qthread_purge_to_const(&word, 5));
	served(v, qthread_fill(&word));
	served(v, qthread_writeFF_const(&word, 6));
	if (served(v, qthread_lock(&word)))
		served(v, qthread_unlock(&word));
	qthread_fill(&word);
}

static aligned_t submit(void *sinc)
{
	qt_sinc_submit(sinc, NULL);
	return 0;
}

/* Where nobody submits, nobody waits. */
static void use_sinc(struct visitor *v)
{
	qt_sinc_t *s = qt_sinc_create(0, NULL, NULL, 1);

	if (!served(v, qthread_fork(submit, s, NULL)))
		qt_sinc_submit(s, NULL);
	qt_sinc_wait(s, NULL);
	qt_sinc_destroy(s);
}

static void add(const size_t start, const size_t stop, void *sum)
{
	__atomic_fetch_add((size_t *)sum, stop - start, __ATOMIC_RELAXED);
}

static void use_loop(struct visitor *v)
{
	size_t sum = 0;

	qt_loop_balance(0, 100, add, &sum);
	v->lost += sum != 100;
	sum = 0;
	qt_loop(0, 20, add, &sum);
	v->lost += sum != 20;
}

static void ask(struct visitor *v)
{
	qthread_shepherd_id_t s = 0;
	qt_stats_t stats;

	qthread_shep_next(&s);
	qthread_shep_prev(&s);
	v->wrong += qthread_num_workers() > 4 || qthread_num_workers_local(0) > 2 || qthread_num_shepherds() > 2;
	v->wrong += qthread_readstate(NODE_BUSYNESS) == (size_t)-1 || qthread_readstate(TOTAL_WORKERS) > 4;
	qthread_distance(0, 1);
	qthread_sorted_sheps_remote(0);
	served(v, qthread_stats(&stats, QT_STATS_TOTAL, 0));
	const int rc = qthread_disable_shepherd(1);
	if (rc != QTHREAD_BADARGS)
		served(v, rc);
	qthread_enable_shepherd(1);
	qpool *p = qpool_create(64);
	v->wrong += p == NULL;
	qpool_destroy(p);
}

static void use_queue(struct visitor *v)
{
	qthread_queue_t q = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);

	served(v, qthread_queue_release_one(q));
	served(v, qthread_queue_release_all(q));
	qt_barrier_t *b = qt_barrier_create(1, REGION_BARRIER);
	v->served += b != NULL;
	v->refused += b == NULL;
	served(v, qthread_queue_destroy(q));
}

static void *visit(void *arg)
{
	static void (*const calls[])(struct visitor *) = { fork_tasks, use_words, use_sinc, use_loop, ask, use_queue };
	enum { CALLS = sizeof(calls) / sizeof(calls[0]) };
	struct visitor *v = arg;

	for (unsigned i = 0; !flag_is_up(&enough); i++)
		calls[(i + (unsigned)v->number) % CALLS](v);
	return NULL;
}

static aligned_t forks_some(void *arg)
{
	(void)arg;
	for (int i = 0; i < 3; i++)
		qthread_fork(seven, NULL, NULL);
	return 0;
}

/* The runtime is down when it is called, and when it returns. */
static void cycles(const char *what)
{
	enum { VISITORS = 3 };
	const int rounds = every_scaled(getenv("QTI_ROUNDS") ? atoi(getenv("QTI_ROUNDS")) : ROUNDS);
	struct visitor v[VISITORS] = { 0 };
	int started = 0;

	enough = 0;
	for (int i = 0; i < VISITORS; i++) {
		v[i].number = i;
		if (pthread_create(&v[i].thread, NULL, visit, &v[i]) != 0)
			bail_out("pthread_create failed");
	}
	for (int i = 0; i < rounds; i++) {
		started += qthread_initialize() == QTHREAD_SUCCESS;
		if (i % 2)
			qthread_fork(forks_some, NULL, NULL);
		if (i % 3 == 0)
			qthread_yield();
		qthread_finalize();
	}
	flag_raise(&enough);
	for (int i = 0; i < VISITORS; i++) {
		pthread_join(v[i].thread, NULL);
		if (i > 0) {
			v[0].served += v[i].served;
			v[0].refused += v[i].refused;
			v[0].wrong += v[i].wrong;
			v[0].lost += v[i].lost;
		}
	}
	is_int(started, rounds, "%s: %d starts, while %d other threads make all kinds of calls", what, rounds, VISITORS);
	ok(v[0].wrong == 0, "%s: each is served, or refused with QTHREAD_NOT_ALLOWED (%lu and %lu times)", what, v[0].served, v[0].refused);
	is_int((int)v[0].lost, 0, "%s: what was served has been done", what);
}

/* ---- Those who wait when the runtime ends --------------------------------------------------------------------- */

static aligned_t empty_word = 11, full_word = 12;
static qt_barrier_t *barrier;

struct waiter {
	pthread_t thread;
	const char *call;
	int (*wait)(aligned_t *got);
	int rc;
	aligned_t got;
};

static int read_ff(aligned_t *got)
{
	return qthread_readFF(got, &empty_word);
}

static int read_fe(aligned_t *got)
{
	return qthread_readFE(got, &empty_word);
}

static int write_ff(aligned_t *got)
{
	(void)got;
	return qthread_writeFF_const(&empty_word, 1);
}

static int write_ef(aligned_t *got)
{
	(void)got;
	return qthread_writeEF_const(&full_word, 1);
}

static int lock(aligned_t *got)
{
	(void)got;
	return qthread_lock(&empty_word);
}

static int enter(aligned_t *got)
{
	(void)got;
	qt_barrier_enter(barrier);
	return QTHREAD_NOT_ALLOWED;
}

static void *wait_in_vain(void *arg)
{
	struct waiter *w = arg;

	w->rc = w->wait(&w->got);
	return NULL;
}

static void count_waiter(const struct qti_waiter *w, void *n)
{
	(void)w;
	++*(unsigned *)n;
}

static void until_all_wait(unsigned n)
{
	for (unsigned waiting = 0; waiting != n; let_others_run()) {
		waiting = 0;
		qti_feb_each_waiter(count_waiter, &waiting);
	}
}

static void waiters_go_on(void)
{
	static struct waiter w[WAITERS] = {
		{ .call = "qthread_readFF", .wait = read_ff },   { .call = "qthread_readFE", .wait = read_fe },
		{ .call = "qthread_writeFF", .wait = write_ff }, { .call = "qthread_writeEF", .wait = write_ef },
		{ .call = "qthread_lock", .wait = lock },        { .call = "qt_barrier_enter", .wait = enter },
	};

	every_start("mts", "1", "2");
	barrier = qt_barrier_create(2, REGION_BARRIER);
	qthread_empty(&empty_word);
	for (int i = 0; i < WAITERS; i++) {
		w[i].got = 99;
		if (pthread_create(&w[i].thread, NULL, wait_in_vain, &w[i]) != 0)
			bail_out("pthread_create failed");
	}
	until_all_wait(5);
	qthread_finalize();
	for (int i = 0; i < WAITERS; i++) {
		pthread_join(w[i].thread, NULL);
		ok(w[i].rc == QTHREAD_NOT_ALLOWED && w[i].got == 99, "qthread_finalize: %s returns, in another thread that waits", w[i].call);
	}
	ok(empty_word == 11 && full_word == 12, "and has changed nothing");
	every_start("mts", "1", "2");
	ok(qthread_feb_status(&empty_word) == 1 && qthread_feb_status(&full_word) == 1, "all words are full in the next run");
	qthread_finalize();
}

int main(void)
{
	plan(every_few_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	every_few_settings(cycles);
	waiters_go_on();
	return done();
}
