/* test/unit/poller.c -- core/poller.h: tasks that wait for what somebody has to ask for.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The poller's news come by the clock: each waiting task says when.
 */
#include "api/every.h"
#include "base/park.h"
#include "core/guest.h"
#include "core/poller.h"
#include "sync/waiter.h"

#include <stdlib.h>
#include <unistd.h>

enum { CHECKS = 12, TASKS = 60, LEAST_STACK = 96 << 10, SHORT_US = 300, MOST_US = 4 };

/* --- a poller -------------------------------------------------------------------------------------------- */

struct item {
	struct qti_waiter waiter;
	bool *come;                     /* to be set instead of waking anybody */
	struct item *next;
	uint64_t due;                   /* ns; atomic */
};

static struct {
	struct item *fresh;             /* anybody pushes */
	struct item *known;             /* the asker's, as the next two */
	bool asking;
	unsigned twice;                 /* that two workers asked at the same time; atomic, as the next */
	unsigned asked;
	unsigned most_us;               /* each eighth time asking takes so much longer */
	uint64_t took_us;
} news;

static void take_fresh(void)
{
	struct item *next;

	for (struct item *i = swap_acq_rel(&news.fresh, NULL); i; i = next) {
		next = i->next;
		i->next = news.known;
		news.known = i;
	}
}

static void hand_over(struct item *i)
{
	struct qti_waiter *woken = NULL;

	bool *come = i->come;
	if (!come) {
		qti_waiters_add(&woken, &i->waiter);
		qti_wake_all(&woken);
	}
	qti_guest_absent(false);
	qti_poller_met();
	if (come)
		store_rel(come, true);                                  /* i is its creator's again */
}

static void take_time(uint64_t us)
{
	uint64_t end = qti_now_ns() + us * 1000;

	while (qti_now_ns() < end)
		;
	news.took_us += us;
}

static unsigned poll_news(unsigned most)
{
	uint64_t now = qti_now_ns();
	unsigned n = 0;

	add_rlx(&news.twice, news.asking);
	news.asking = true;
	add_rlx(&news.asked, 1);
	take_fresh();
	for (struct item **at = &news.known; *at && most > 0; most--) {
		struct item *i = *at;
		if (load_rlx(&i->due) > now) {
			at = &i->next;
			continue;
		}
		*at = i->next;
		hand_over(i);
		n++;
	}
	if (news.asked % 8 == 0)
		take_time(news.most_us);
	news.asking = false;
	return n;
}

static const struct qti_poller poller = { .poll = poll_news, .stack_size = LEAST_STACK };

static void await(struct item *i)
{
	bool suspends = !i->come;

	qti_guest_absent(true);
	i->next = load_rlx(&news.fresh);
	while (!cas_acq_rel(&news.fresh, &i->next, i))
		;
	qti_poller_await(suspends);
}

static void wait_for_news(uint64_t ns)
{
	struct item i = { .due = qti_now_ns() + ns };

	while (!qti_waiter_begin(&i.waiter, QTI_WAIT_MESSAGE, &i))
		;
	await(&i);
	qti_waiter_leave(&i.waiter);
}

/* --- what is promised ------------------------------------------------------------------------------------ */

static aligned_t ended, early;

static aligned_t waits_in_turn(void *arg)
{
	uint64_t step = (uintptr_t)arg % 7 * 10000;

	for (unsigned i = 0; i < 4; i++) {
		uint64_t due = qti_now_ns() + step;
		wait_for_news(step);
		if (qti_now_ns() < due)
			qthread_incr(&early, 1);
	}
	qthread_incr(&ended, 1);
	return 0;
}

static void all_go_on(const char *what)
{
	aligned_t ret[TASKS];

	ended = early = 0;
	for (unsigned i = 0; i < TASKS; i++)
		qthread_fork(waits_in_turn, (void *)(uintptr_t)i, &ret[i]);
	for (unsigned i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ret[i]);
	is_int(ended, TASKS, "%s: %d tasks that wait four times each end", what, TASKS);
	is_int(early, 0, "%s: none goes on before its news have come", what);
}

static void main_waits_alone(const char *what)
{
	uint64_t due = qti_now_ns() + 100000;

	wait_for_news(100000);
	ok(qti_now_ns() >= due, "%s: the main task waits, and nobody has anything to do", what);
}

static bool over;

static aligned_t waits_beside(void *arg)
{
	(void)arg;
	wait_for_news(SHORT_US * 1000);
	store_rlx(&over, true);
	return 0;
}

static aligned_t nothing(void *arg)
{
	return (aligned_t)(uintptr_t)arg;
}

/* Where no worker is ever without a task somebody asks in between, but not at each turn. */
static void busy_workers_ask(const char *what)
{
	uint64_t begin = qti_now_ns();
	unsigned turns = 0, asked;
	aligned_t ret;

	store_rlx(&over, false);
	qthread_fork(waits_beside, NULL, NULL);
	for (asked = load_rlx(&news.asked); !load_rlx(&over) && qti_now_ns() - begin < 10 * UINT64_C(1000000000); turns++) {
		qthread_fork(nothing, NULL, &ret);
		qthread_yield();
		qthread_readFF(NULL, &ret);
	}
	asked = load_rlx(&news.asked) - asked;
	ok(load_rlx(&over), "%s: a task gets its news beside tasks that never end", what);
	if (qthread_num_workers() == 1)
		ok(asked < turns / 2 + 10, "%s: between two of them, now and then (%u of %u)", what, asked, turns);
	else
		skip(1, "another worker is on watch");
}

/* Where the worker never looks for a task, as it joins one after the other. */
static void joins_ask(const char *what)
{
	uint64_t begin = qti_now_ns();
	aligned_t ret;

	store_rlx(&over, false);
	qthread_fork(waits_beside, NULL, NULL);
	qthread_yield();
	while (!load_rlx(&over) && qti_now_ns() - begin < 10 * UINT64_C(1000000000)) {
		qthread_fork(nothing, NULL, &ret);
		qthread_readFF(NULL, &ret);
	}
	ok(load_rlx(&over), "%s: a task gets its news beside one that forks and joins", what);
	while (!load_rlx(&over))
		qthread_yield();
}

/* The task goes on, and its worker asks nobody; another one sleeps. */
static void idle_worker_asks(const char *what)
{
	uint64_t begin = qti_now_ns();
	bool come = false;
	struct item i = { .due = begin + SHORT_US * 1000, .come = &come };

	if (qthread_num_workers() == 1) {
		skip(1, "there is no other worker");
		return;
	}
	while (load_rlx(&qti_rt.idle.parked) == 0 && qti_now_ns() - begin < SHORT_US * 1000)
		usleep(10);
	await(&i);
	while (!load_acq(&come) && qti_now_ns() - begin < 10 * UINT64_C(1000000000))
		usleep(10);
	ok(load_acq(&come), "%s: what a task awaits that goes on is asked for by a worker without one", what);
	while (!load_acq(&come))
		qthread_yield();
}

/* An open task: any worker may take it, under every policy. */
struct open_task {
	struct qti_task base;
	struct qti_task_more more;
};

static unsigned taken;

static bool was_taken(struct qti_task *t, aligned_t unused)
{
	(void)t;
	(void)unused;
	add_acq_rel(&taken, 1);
	return false;
}

/* The main task goes on in front of them.  The worker on watch, which those who made them ready saw search, takes them
 * or wakes who does. */
static void watch_takes_tasks(const char *what)
{
	struct open_task behind[TASKS];
	uint64_t end = qti_now_ns() + 10 * UINT64_C(1000000000);
	unsigned before = load_rlx(&news.asked);
	bool come = false;
	struct item i = { .due = UINT64_MAX, .come = &come };

	if (qthread_num_workers() == 1) {
		skip(1, "there is no other worker");
		return;
	}
	store_rlx(&taken, 0);
	await(&i);
	while (load_rlx(&news.asked) == before && qti_now_ns() < end)
		usleep(10);
	for (unsigned n = 0; n < TASKS; n++) {
		qti_guest_task_set(&behind[n].base, &behind[n].more, nothing, NULL, NULL, was_taken, QTI_TASK_OPEN);
		qti_guest_push(qti_self(), &behind[n].base);
	}
	while (load_acq(&taken) < TASKS && qti_now_ns() < end)
		usleep(10);
	is_int(load_acq(&taken), TASKS, "%s: tasks behind one that goes on are taken by who is on watch", what);
	store_rlx(&i.due, 0);
	while (!load_acq(&come) || load_acq(&taken) < TASKS)
		qthread_yield();
}

static void nobody_asks_for_nothing(const char *what)
{
	unsigned before = load_rlx(&news.asked);

	usleep(2000);
	for (unsigned i = 0; i < 100; i++)
		qthread_yield();
	is_int(load_rlx(&news.asked), before, "%s: when nothing is awaited nobody asks", what);
	is_int(load_rlx(&qti_rt.idle.awaited), 0, "%s: all that was awaited has come", what);
}

static void check(const char *what)
{
	all_go_on(what);
	main_waits_alone(what);
	busy_workers_ask(what);
	joins_ask(what);
	idle_worker_asks(what);
	watch_takes_tasks(what);
	nobody_asks_for_nothing(what);
	is_int(load_rlx(&news.twice), 0, "%s: one worker asks at a time", what);
	ok(qti_rt.env.stack_size >= LEAST_STACK, "%s: stacks are large enough for what the poller calls", what);
}

/* A worker that has tasks pays for all that asking takes, also if that is little most times,
 * and much more now and then. */
static void asking_is_paid_for(void)
{
	uint64_t begin;
	aligned_t ret;
	bool come = false;
	struct item i = { .due = UINT64_MAX, .come = &come };

	setenv("QT_HWPAR", "1", 1);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("no runtime");
	news.most_us = MOST_US;
	news.took_us = 0;
	begin = qti_now_ns();
	await(&i);
	while (news.took_us < 100 * MOST_US) {
		qthread_fork(nothing, NULL, &ret);
		qthread_readFF(NULL, &ret);
	}
	uint64_t lost = 100 * 1000 * news.took_us, time = qti_now_ns() - begin;
	news.most_us = 0;
	ok(lost < 2 * time, "asking that takes %d us now and then has %.1f %% of a busy worker's time", MOST_US, (double)lost / (double)time);
	store_rlx(&i.due, 0);
	while (!load_acq(&come))
		qthread_yield();
	qthread_finalize();
	unsetenv("QT_HWPAR");
}

static void finalize_waits(void)
{
	ended = 0;
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("no runtime");
	for (unsigned i = 0; i < TASKS; i++)
		qthread_fork(waits_in_turn, (void *)(uintptr_t)i, NULL);
	qthread_finalize();
	is_int(ended, TASKS, "finalize waits for tasks that wait for news");
}

int main(void)
{
	qti_poller_come(&poller);
	plan(every_runs() * CHECKS + 2);
	every_runtime(check);
	asking_is_paid_for();
	finalize_waits();
	return done();
}
