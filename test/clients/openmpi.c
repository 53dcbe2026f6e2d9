/* test/clients/openmpi.c -- a threads module that starts the runtime on demand, after that of Open MPI.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every operation initializes first, from whichever OS thread it comes, so the first to come becomes the main task and
 * all others are external.  Mutexes are initialized statically, inside other structures; a condition variable is a list
 * of waiters that yield.
 */
#include "api/every.h"

#include <qthread/tls.h>

enum { CHECKS_PER_RUN = 9, THREADS = 3, TASKS = 4 };

/* ---- The module ------------------------------------------------------------------------------------------------- */

static int module_init(void)
{
	return qthread_initialize();
}

typedef struct {
	int type;
	qthread_spinlock_t lock;
	const char *file;
} mutex_t;

#define MUTEX_STATIC_INIT { 1, QTHREAD_MUTEX_INITIALIZER, __FILE__ }
#define RECURSIVE_MUTEX_STATIC_INIT { 2, QTHREAD_RECURSIVE_MUTEX_INITIALIZER, __FILE__ }

static void mutex_lock(mutex_t *m)
{
	module_init();
	if (qthread_spinlock_lock(&m->lock) != QTHREAD_SUCCESS)
		bail_out("qthread_spinlock_lock failed");
}

/* 0 if it was free, as everywhere in such a library. */
static int mutex_trylock(mutex_t *m)
{
	module_init();
	const int result = qthread_spinlock_trylock(&m->lock);
	return result == QTHREAD_OPFAIL ? 1 : result == QTHREAD_SUCCESS ? 0 : -1;
}

static void mutex_unlock(mutex_t *m)
{
	module_init();
	qthread_spinlock_unlock(&m->lock);
}

struct waiter {
	struct waiter *next;
	int signalled;          /* atomically */
};

typedef struct {
	mutex_t lock;
	struct waiter *head;
} cond_t;

#define COND_STATIC_INIT { MUTEX_STATIC_INIT, NULL }

static void cond_wait(cond_t *c, mutex_t *m)
{
	struct waiter me = { NULL, 0 };

	mutex_lock(&c->lock);
	me.next = c->head;
	c->head = &me;
	mutex_unlock(&c->lock);
	while (!__atomic_load_n(&me.signalled, __ATOMIC_ACQUIRE)) {
		mutex_unlock(m);
		qthread_yield();
		mutex_lock(m);
	}
}

static void cond_broadcast(cond_t *c)
{
	mutex_lock(&c->lock);
	for (struct waiter *w = c->head, *next; w; w = next) {
		next = w->next;
		__atomic_store_n(&w->signalled, 1, __ATOMIC_RELEASE);
	}
	c->head = NULL;
	mutex_unlock(&c->lock);
}

/* ---- A program -------------------------------------------------------------------------------------------------- */

static struct shared {
	mutex_t mutex, recursive;
	cond_t go;
	int gone, total, wrong;
	qthread_key_t key;
} shared;

static const struct shared fresh = { MUTEX_STATIC_INIT, RECURSIVE_MUTEX_STATIC_INIT, COND_STATIC_INIT, 0, 0, 0, NULL };

/* What a task and a thread do alike: their own value of the key, both mutexes, the condition. */
static void work(void)
{
	int mine;

	const bool right = module_init() == QTHREAD_SUCCESS && qthread_getspecific(shared.key) == NULL &&
		qthread_setspecific(shared.key, &mine) == QTHREAD_SUCCESS;
	mutex_lock(&shared.mutex);
	while (!shared.gone)
		cond_wait(&shared.go, &shared.mutex);
	mutex_lock(&shared.recursive);
	shared.wrong += !right || mutex_trylock(&shared.mutex) != 1 || mutex_trylock(&shared.recursive) != 0;
	mutex_unlock(&shared.recursive);
	mutex_unlock(&shared.recursive);
	shared.total++;
	shared.wrong += qthread_getspecific(shared.key) != &mine;
	mutex_unlock(&shared.mutex);
}

static aligned_t task(void *arg)
{
	(void)arg;
	work();
	return 0;
}

static void *other_thread(void *arg)
{
	(void)arg;
	work();
	return NULL;
}

static void keys(const char *what)
{
	int mine;

	is_int(qthread_key_create(&shared.key, NULL), QTHREAD_SUCCESS, "%s: qthread_key_create without destructor", what);
	ok(qthread_getspecific(shared.key) == NULL, "%s: qthread_getspecific is NULL at first", what);
	is_int(qthread_setspecific(shared.key, &mine), QTHREAD_SUCCESS, "%s: qthread_setspecific", what);
	ok(qthread_getspecific(shared.key) == &mine, "%s: qthread_getspecific has the value", what);
	is_int(qthread_setspecific(shared.key, NULL), QTHREAD_SUCCESS, "%s: qthread_setspecific of NULL", what);
}

/* The whole life of the module, on the OS thread that comes first. */
static void *first_thread(void *arg)
{
	const char *what = arg;
	pthread_t threads[THREADS];
	aligned_t done_words[TASKS];

	shared = fresh;
	is_int(mutex_trylock(&shared.mutex), 0, "%s: trylock starts the runtime and takes a free mutex", what);
	is_int(mutex_trylock(&shared.mutex), 1, "%s: and says so when it is taken", what);
	mutex_unlock(&shared.mutex);
	keys(what);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, other_thread, NULL);
	for (int i = 0; i < TASKS; i++)
		qthread_fork(task, NULL, &done_words[i]);
	mutex_lock(&shared.mutex);
	shared.gone = 1;
	mutex_unlock(&shared.mutex);
	/* Whoever looked before that waits for the condition; there may be some until all have been counted. */
	for (int total = 0; total < THREADS + TASKS;) {
		cond_broadcast(&shared.go);
		qthread_yield();
		mutex_lock(&shared.mutex);
		total = shared.total;
		mutex_unlock(&shared.mutex);
	}
	for (int i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &done_words[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	is_int(shared.total, THREADS + TASKS, "%s: tasks and threads exclude each other and are all woken", what);
	is_int(shared.wrong, 0, "%s: each has a value of its own, and trylock its codes", what);
	qthread_key_delete(shared.key);
	qthread_finalize();
	return NULL;
}

static void run(const char *what)
{
	pthread_t first;

	if (pthread_create(&first, NULL, first_thread, (void *)what) != 0)
		bail_out("pthread_create failed");
	pthread_join(first, NULL);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN);
	every_setting(run);
	return done();
}
