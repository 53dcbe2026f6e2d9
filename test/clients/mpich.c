/* test/clients/mpich.c -- threads, mutexes, condition variables and thread-local storage of a message-passing library,
 * after those of MPICH.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It defines qthread_t and the qthread_cond_ names for itself, so the headers must not have them.  A task is known by
 * the address of its return word.
 */
#include "api/every.h"

#include <qthread/tls.h>

enum { CHECKS_PER_RUN = 9, THREADS = 12 };

/* ---- The layer that such a library has ----------------------------------------------------------------------------- */

typedef aligned_t qthread_t;

typedef struct qthread_cond_waiter {
	struct qthread_cond_waiter *next;
	int signalled;          /* atomically */
} qthread_cond_waiter_t;

typedef struct {
	qthread_spinlock_t lock;
	qthread_cond_waiter_t *first, **last;
} qthread_cond_t;

static int qthread_cond_init(qthread_cond_t *c)
{
	c->first = NULL;
	c->last = &c->first;
	return qthread_spinlock_init(&c->lock, false);
}

static int qthread_cond_destroy(qthread_cond_t *c)
{
	return qthread_spinlock_destroy(&c->lock);
}

static int qthread_cond_wait(qthread_cond_t *c, qthread_spinlock_t *mutex)
{
	qthread_cond_waiter_t me = { NULL, 0 };

	qthread_spinlock_lock(&c->lock);
	*c->last = &me;
	c->last = &me.next;
	qthread_spinlock_unlock(&c->lock);
	qthread_spinlock_unlock(mutex);
	while (!__atomic_load_n(&me.signalled, __ATOMIC_ACQUIRE))
		qthread_yield();
	return qthread_spinlock_lock(mutex);
}

static bool cond_release(qthread_cond_t *c)
{
	qthread_spinlock_lock(&c->lock);
	qthread_cond_waiter_t *w = c->first;
	if (w) {
		c->first = w->next;
		if (!c->first)
			c->last = &c->first;
		__atomic_store_n(&w->signalled, 1, __ATOMIC_RELEASE);
	}
	qthread_spinlock_unlock(&c->lock);
	return w != NULL;
}

static int qthread_cond_signal(qthread_cond_t *c)
{
	cond_release(c);
	return QTHREAD_SUCCESS;
}

static int qthread_cond_broadcast(qthread_cond_t *c)
{
	while (cond_release(c))
		;
	return QTHREAD_SUCCESS;
}

/* The arguments of its macros are in an order of their own. */
#define thread_tls_create(destructor, key, error) (*(error) = qthread_key_create((key), (destructor)))
#define thread_tls_set(key, value, error) (*(error) = qthread_setspecific((key), (value)))
#define thread_tls_get(key, value) (*(value) = qthread_getspecific((key)))
#define thread_self() ((qthread_t)(uintptr_t)qthread_retloc())

/* ---- A program on top of it ---------------------------------------------------------------------------------------- */

static struct {
	qthread_spinlock_t lock;
	qthread_cond_t come, go;
	int arrived, round;
	qthread_key_t key;
	qthread_t id[THREADS];
	int wrong, destroyed;   /* atomically */
} shared;

static void destroy(void *value)
{
	if (value)
		qthread_incr(&shared.destroyed, 1);
}

static aligned_t thread(void *arg)
{
	const int index = (int)(uintptr_t)arg;
	int mine, error;
	void *value;

	shared.id[index] = thread_self();
	thread_tls_get(shared.key, &value);
	bool right = value == NULL && thread_self() != QTHREAD_NON_TASK_ID;
	thread_tls_set(shared.key, &mine, &error);
	right &= error == QTHREAD_SUCCESS;

	/* Everybody waits for the last to come, and that one for a signal of the first to leave. */
	qthread_spinlock_lock(&shared.lock);
	if (++shared.arrived == THREADS)
		qthread_cond_signal(&shared.come);
	while (shared.round == 0)
		qthread_cond_wait(&shared.go, &shared.lock);
	qthread_spinlock_unlock(&shared.lock);

	thread_tls_get(shared.key, &value);
	right &= value == &mine && shared.id[index] == thread_self();
	if (!right)
		qthread_incr(&shared.wrong, 1);
	return 0;
}

static int same_ids(void)
{
	int same = 0;

	for (int i = 0; i < THREADS; i++) {
		same += (shared.id[i] & 1) != 0;
		for (int j = 0; j < i; j++)
			same += shared.id[i] == shared.id[j];
	}
	return same;
}

static void run(const char *what)
{
	aligned_t ret[THREADS];
	void *value = &value;
	int error = 0, forked = 0;

	memset(&shared, 0, sizeof(shared));
	qthread_spinlock_init(&shared.lock, false);
	qthread_cond_init(&shared.come);
	qthread_cond_init(&shared.go);
	thread_tls_create(destroy, &shared.key, &error);
	is_int(error, QTHREAD_SUCCESS, "%s: qthread_key_create", what);
	thread_tls_get(shared.key, &value);
	ok(value == NULL, "%s: qthread_getspecific is NULL at first", what);
	for (uintptr_t i = 0; i < THREADS; i++)
		forked += qthread_fork(thread, (void *)i, &ret[i]) == QTHREAD_SUCCESS;
	is_int(forked, THREADS, "%s: qthread_fork", what);

	qthread_spinlock_lock(&shared.lock);
	while (shared.arrived < THREADS)
		qthread_cond_wait(&shared.come, &shared.lock);
	shared.round = 1;
	qthread_cond_broadcast(&shared.go);
	qthread_spinlock_unlock(&shared.lock);
	for (int i = 0; i < THREADS; i++)
		qthread_readFF(NULL, &ret[i]);

	is_int(same_ids(), 0, "%s: qthread_retloc tells threads apart, its lowest bit being 0", what);
	is_int(shared.wrong, 0, "%s: and is the same all the time; so is each thread's value of the key", what);
	is_int(shared.destroyed, THREADS, "%s: the destructor was called for each", what);
	ok(qthread_retloc() == NULL, "%s: the main thread has none", what);
	is_int(qthread_key_delete(shared.key), QTHREAD_SUCCESS, "%s: qthread_key_delete", what);
	is_int(qthread_cond_destroy(&shared.come) | qthread_cond_destroy(&shared.go) |
			qthread_spinlock_destroy(&shared.lock), QTHREAD_SUCCESS, "%s: everything is given back", what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN);
	every_runtime(run);
	return done();
}
