/* test/api/spinlock.c -- spin locks exclude, belong to tasks, and say no instead of breaking.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <sched.h>

enum { CHECKS_PER_RUN = 14, OTHER_CHECKS = 31 };

static void answers(void)
{
	qthread_spinlock_t plain, recursive;

	is_int(qthread_spinlock_init(&plain, false), QTHREAD_SUCCESS, "init makes a plain lock");
	is_int(qthread_spinlock_lock(&plain), QTHREAD_SUCCESS, "lock takes it");
	is_int(qthread_spinlock_trylock(&plain), QTHREAD_OPFAIL, "trylock of a lock that is held fails");
	is_int(qthread_spinlock_unlock(&plain), QTHREAD_SUCCESS, "unlock releases it");
	is_int(qthread_spinlock_unlock(&plain), QTHREAD_OPFAIL, "unlock of a free lock fails");
	is_int(qthread_spinlock_trylock(&plain), QTHREAD_SUCCESS, "trylock of a free lock takes it");
	is_int(qthread_spinlock_unlock(&plain), QTHREAD_SUCCESS, "and unlock releases it");
	is_int(qthread_spinlock_destroy(&plain), QTHREAD_SUCCESS, "destroy");

	is_int(qthread_spinlock_init(&recursive, true), QTHREAD_SUCCESS, "init makes a recursive lock");
	is_int(qthread_spinlock_unlock(&recursive), QTHREAD_OPFAIL, "unlock of a free recursive lock fails");
	is_int(qthread_spinlock_trylock(&recursive), QTHREAD_SUCCESS, "trylock takes it");
	is_int(qthread_spinlock_lock(&recursive), QTHREAD_SUCCESS, "lock takes it again");
	is_int(qthread_spinlock_trylock(&recursive), QTHREAD_SUCCESS, "trylock takes it a third time");
	is_int(recursive.state.count, 3, "it is held three times");
	for (int i = 0; i < 3; i++)
		qthread_spinlock_unlock(&recursive);
	ok(recursive.state.count == 0 && recursive.state.s == QTHREAD_SPINLOCK_IS_RECURSIVE,
		"three unlocks make it free");
	is_int(qthread_spinlock_unlock(&recursive), QTHREAD_OPFAIL, "the fourth fails");
	qthread_spinlock_destroy(&recursive);

	is_int(qthread_spinlock_init(NULL, true), QTHREAD_OPFAIL, "init of NULL");
	is_int(qthread_spinlock_lock(NULL), QTHREAD_OPFAIL, "lock of NULL");
	is_int(qthread_spinlock_trylock(NULL), QTHREAD_OPFAIL, "trylock of NULL");
	is_int(qthread_spinlock_unlock(NULL), QTHREAD_OPFAIL, "unlock of NULL");
	is_int(qthread_spinlock_destroy(NULL), QTHREAD_OPFAIL, "destroy of NULL");
	is_int(qthread_spinlocks_init(&recursive, true), QTHREAD_SUCCESS, "qthread_spinlocks_init is init");
	ok(qthread_spinlock_lock(&recursive) == QTHREAD_SUCCESS && qthread_spinlock_lock(&recursive) == QTHREAD_SUCCESS &&
		qthread_spinlock_unlock(&recursive) == QTHREAD_SUCCESS && qthread_spinlock_unlock(&recursive) == QTHREAD_SUCCESS,
		"qthread_spinlocks_init makes a recursive lock");
	is_int(qthread_spinlocks_destroy(&recursive), QTHREAD_SUCCESS, "qthread_spinlocks_destroy is destroy");
	is_int(qthread_spinlocks_init(NULL, false), QTHREAD_OPFAIL, "qthread_spinlocks_init of NULL");
	is_int(qthread_spinlocks_destroy(NULL), QTHREAD_OPFAIL, "qthread_spinlocks_destroy of NULL");
}

static void initializers(void)
{
	static struct {
		const char *name;
		qthread_spinlock_t lock;
	} held[] = { { "plain", QTHREAD_MUTEX_INITIALIZER }, { "recursive", QTHREAD_RECURSIVE_MUTEX_INITIALIZER } };

	for (int i = 0; i < 2; i++) {
		is_int(qthread_spinlock_lock(&held[i].lock), QTHREAD_SUCCESS, "a static %s lock can be taken",
			held[i].name);
		is_int(qthread_spinlock_trylock(&held[i].lock), i ? QTHREAD_SUCCESS : QTHREAD_OPFAIL,
			"a second time only if it is recursive");
		while (qthread_spinlock_unlock(&held[i].lock) == QTHREAD_SUCCESS)
			;
	}
}

/* ---- Exclusion */

struct shared {
	qthread_spinlock_t lock;
	bool recursive;
	int rounds;
	aligned_t inside, crowded;      /* holders now; times there was another one */
	uint64_t plain;                 /* not atomic: the lock is all that protects it */
};

static void enter(struct shared *s)
{
	if (qthread_incr(&s->inside, 1) != 0)
		qthread_incr(&s->crowded, 1);
	s->plain++;
	qthread_incr(&s->inside, -1);
}

static void hammer(void *arg)
{
	struct shared *s = arg;

	for (int i = 0; i < s->rounds; i++) {
		while (i % 4 == 3 && qthread_spinlock_trylock(&s->lock) != QTHREAD_SUCCESS) {
			qthread_yield();
			sched_yield();
		}
		if (i % 4 != 3)
			qthread_spinlock_lock(&s->lock);
		if (s->recursive)
			qthread_spinlock_lock(&s->lock);
		enter(s);
		if (i % 16 == 0)
			qthread_yield();        /* a holder that gives way must not lock its worker up */
		if (s->recursive)
			qthread_spinlock_unlock(&s->lock);
		qthread_spinlock_unlock(&s->lock);
	}
}

static aligned_t hammer_task(void *arg)
{
	hammer(arg);
	return 0;
}

static void excludes(const char *what, bool recursive)
{
	enum { TASKS = 8 };
	struct shared s = { .recursive = recursive, .rounds = every_scaled(200) };
	aligned_t ret[TASKS];

	qthread_spinlock_init(&s.lock, recursive);
	for (int i = 0; i < TASKS; i++)
		qthread_fork(hammer_task, &s, &ret[i]);
	every_outside(hammer, &s);
	for (int i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ret[i]);
	is_int(s.crowded, 0, "%s: a %s lock has one holder", what, recursive ? "recursive" : "plain");
	ok(s.plain == (uint64_t)(TASKS + 1) * s.rounds, "%s: and the next one sees what it wrote", what);
	is_int(qthread_spinlock_unlock(&s.lock), QTHREAD_OPFAIL, "%s: in the end it is free", what);
}

/* ---- Ownership */

struct owned {
	qthread_spinlock_t lock;
	int trylock, unlock;
};

static void try_other(void *arg)
{
	struct owned *o = arg;

	o->trylock = qthread_spinlock_trylock(&o->lock);
	o->unlock = qthread_spinlock_unlock(&o->lock);
}

static aligned_t try_other_task(void *arg)
{
	try_other(arg);
	return 0;
}

static void belongs_to_the_task(const char *what)
{
	struct owned o;
	aligned_t ret;

	qthread_spinlock_init(&o.lock, true);
	qthread_spinlock_lock(&o.lock);
	/* On this very worker, perhaps, while the holder waits. */
	qthread_fork_to(try_other_task, &o, &ret, qthread_shep());
	qthread_readFF(NULL, &ret);
	is_int(o.trylock, QTHREAD_OPFAIL, "%s: a task does not share a recursive lock with another one", what);
	is_int(o.unlock, QTHREAD_OPFAIL, "%s: nor does it release that one's", what);
	every_outside(try_other, &o);
	is_int(o.trylock, QTHREAD_OPFAIL, "%s: an external thread does not share it", what);
	is_int(o.unlock, QTHREAD_OPFAIL, "%s: nor does it release it", what);
	is_int(o.lock.state.count, 1, "%s: all that leaves the holder's count alone", what);
	is_int(qthread_spinlock_unlock(&o.lock), QTHREAD_SUCCESS, "%s: and the holder releases it", what);
}

/* ---- Waiting */

static aligned_t wait_task(void *arg)
{
	struct shared *s = arg;

	qthread_spinlock_lock(&s->lock);
	s->plain++;
	qthread_spinlock_unlock(&s->lock);
	return 0;
}

static bool all_stand_in_line(const struct shared *s, haligned_t tickets)
{
	return __atomic_load_n((const haligned_t *)&s->lock.lock.s.users, __ATOMIC_RELAXED) == tickets;
}

/* The main task is what remains, sooner or later: where tasks look on instead, this has no end. */
static void sleeps(const char *what)
{
	enum { TASKS = 100 };
	struct shared s = { .plain = 0 };
	aligned_t ret[TASKS];

	qthread_spinlock_init(&s.lock, false);
	qthread_spinlock_lock(&s.lock);
	for (int i = 0; i < TASKS; i++)
		qthread_fork(wait_task, &s, &ret[i]);
	while (!all_stand_in_line(&s, TASKS + 1) || qthread_readstate(NODE_BUSYNESS) != 1) {
		qthread_yield();
		sched_yield();
	}
	ok(true, "%s: tasks that wait do not run in the meantime", what);
	qthread_spinlock_unlock(&s.lock);
	for (int i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ret[i]);
	is_int(s.plain, TASKS, "%s: they get the lock, one after the other", what);
}

static void run(const char *what)
{
	excludes(what, false);
	excludes(what, true);
	belongs_to_the_task(what);
	sleeps(what);
}

static void *outside_task(void *arg)
{
	try_other(arg);
	return NULL;
}

static void external_threads_differ(void)
{
	struct owned o;
	pthread_t thread;

	qthread_spinlock_init(&o.lock, true);
	qthread_spinlock_lock(&o.lock);
	if (pthread_create(&thread, NULL, outside_task, &o) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, NULL);
	is_int(o.trylock, QTHREAD_OPFAIL, "external threads do not share a recursive lock");
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	/* These need no runtime. */
	answers();
	initializers();
	external_threads_differ();
	every_runtime(run);
	return done();
}
