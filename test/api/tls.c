/* test/api/tls.c -- every task has its own value for every key, and destructors see the last of it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/io.h>
#include <qthread/tls.h>

#include <stdint.h>
#include <string.h>

enum { CHECKS_PER_RUN = 17, OTHER_CHECKS = 28, KEYS = 1024 };

static void *pointer(uintptr_t n)
{
	return (void *)n;
}

/* ---- Values */

static qthread_key_t few[3];

static aligned_t keeps_its_own(void *arg)
{
	const uintptr_t me = (uintptr_t)arg;
	aligned_t wrong = 0;

	for (int k = 0; k < 3; k++)
		wrong += qthread_getspecific(few[k]) != NULL;
	for (uintptr_t r = 0; r < 4; r++) {
		for (uintptr_t k = 0; k < 3; k++)
			wrong += qthread_setspecific(few[k], pointer(me * 100 + k * 10 + r)) != QTHREAD_SUCCESS;
		qthread_yield();
		for (uintptr_t k = 0; k < 3; k++)
			wrong += qthread_getspecific(few[k]) != pointer(me * 100 + k * 10 + r);
	}
	return wrong;
}

static aligned_t run_tasks(int n, qthread_f f)
{
	enum { MOST = 200 };
	static aligned_t ret[MOST];
	aligned_t sum = 0;

	for (int i = 0; i < n; i++)
		qthread_fork(f, pointer((uintptr_t)i + 1), &ret[i]);
	for (int i = 0; i < n; i++) {
		qthread_readFF(NULL, &ret[i]);
		sum += ret[i];
	}
	return sum;
}

static void outside(void *arg)
{
	*(aligned_t *)arg = keeps_its_own(pointer(77));
}

static void values(const char *what)
{
	aligned_t wrong = 1;

	for (int k = 0; k < 3; k++)
		qthread_key_create(&few[k], NULL);
	qthread_setspecific(few[0], &wrong);
	is_int(run_tasks(200, keeps_its_own), 0, "%s: qthread_setspecific: each task has its own values", what);
	is_int(run_tasks(200, keeps_its_own), 0, "%s: qthread_getspecific: NULL in tasks that start later", what);
	every_outside(outside, &wrong);
	is_int(wrong, 0, "%s: qthread_setspecific: external threads have theirs", what);
	ok(qthread_getspecific(few[0]) == &wrong, "%s: qthread_getspecific: and the main task still its own", what);
	qt_begin_blocking_action();
	ok(qthread_getspecific(few[0]) == &wrong, "%s: qthread_getspecific: in an action of the main task, too", what);
	qthread_setspecific(few[1], few);
	qt_end_blocking_action();
	ok(qthread_getspecific(few[1]) == few, "%s: qthread_setspecific: in that, and it is still there afterwards", what);
	for (int k = 0; k < 3; k++)
		qthread_key_delete(few[k]);
}

/* ---- Destructors */

static qthread_key_t mortal;
static aligned_t destroyed, destroyed_sum;
static aligned_t outside_owner;

static void count_it(void *value)
{
	qthread_incr(&destroyed, 1);
	qthread_incr(&destroyed_sum, (aligned_t)(uintptr_t)value);
	if (qthread_getspecific(mortal))
		qthread_incr(&destroyed_sum, 1000000);
}

static aligned_t leaves_a_value(void *arg)
{
	qthread_setspecific(mortal, arg);
	if ((uintptr_t)arg % 3 == 0)
		qthread_yield();
	return 0;
}

static void leave_outside(void *arg)
{
	leaves_a_value(arg);
}

static void destructors(const char *what)
{
	destroyed = destroyed_sum = 0;
	qthread_key_create(&mortal, count_it);
	run_tasks(100, leaves_a_value);
	is_int(destroyed, 100, "%s: qthread_key_create: a destructor has run before the task's result is there", what);
	is_int(destroyed_sum, 5050, "%s: qthread_key_create: it gets the value, and the key has none any more", what);

	every_outside(leave_outside, &outside_owner);
	is_int(destroyed, 101, "%s: qthread_key_create: likewise when an OS thread ends", what);

	qthread_setspecific(mortal, pointer(5));
	qthread_setspecific(mortal, NULL);
	run_tasks(1, leaves_a_value);
	is_int(destroyed, 102, "%s: qthread_setspecific: NULL means that there is nothing to destroy", what);
	qthread_key_delete(mortal);
}

/* A destructor that sets the value again gets four rounds; one that waits for another task, the time it takes. */
static void come_again(void *value)
{
	qthread_incr(&destroyed, 1);
	qthread_setspecific(mortal, value);
}

static aligned_t nothing(void *arg)
{
	qthread_yield();
	return (aligned_t)(uintptr_t)arg;
}

static void wait_for_others(void *value)
{
	aligned_t ret;

	qthread_fork(nothing, value, &ret);
	qthread_yield();
	qthread_readFF(NULL, &ret);
	qthread_incr(&destroyed_sum, ret);
}

static void destructors_that_do_things(const char *what)
{
	destroyed = destroyed_sum = 0;
	qthread_key_create(&mortal, come_again);
	run_tasks(10, leaves_a_value);
	is_int(destroyed, 40, "%s: qthread_key_create: four rounds for values that come again", what);
	qthread_key_delete(mortal);

	qthread_key_create(&mortal, wait_for_others);
	run_tasks(100, leaves_a_value);
	is_int(destroyed_sum, 5050, "%s: qthread_key_create: destructors may fork and wait", what);
	qthread_key_delete(mortal);
}

static aligned_t leaves_after_deletion(void *arg)
{
	qthread_setspecific(mortal, arg);
	qthread_key_delete(mortal);
	return qthread_getspecific(mortal) != NULL;
}

static void deletion(const char *what)
{
	destroyed = 0;
	qthread_key_create(&mortal, count_it);
	is_int(run_tasks(1, leaves_after_deletion), 0, "%s: qthread_key_delete: the values are gone", what);
	is_int(destroyed, 0, "%s: qthread_key_delete: without their destructors", what);
}

/* ---- Keys come and go while tasks use others */

static aligned_t makes_keys(void *arg)
{
	qthread_key_t mine[10];
	aligned_t wrong = 0;

	for (int r = 0; r < 5; r++) {
		for (int k = 0; k < 10; k++)
			wrong += qthread_key_create(&mine[k], NULL) != QTHREAD_SUCCESS;
		for (int k = 0; k < 10; k++) {
			wrong += qthread_getspecific(mine[k]) != NULL;
			qthread_setspecific(mine[k], arg);
		}
		qthread_yield();
		for (int k = 0; k < 10; k++) {
			wrong += qthread_getspecific(mine[k]) != arg;
			wrong += qthread_key_delete(mine[k]) != QTHREAD_SUCCESS;
			wrong += qthread_getspecific(mine[k]) != NULL;
		}
	}
	return wrong;
}

static void keys_beside_each_other(const char *what)
{
	is_int(run_tasks(80, makes_keys), 0, "%s: qthread_key_create: tasks make and delete keys beside each other", what);
}

/* ---- The main task */

static aligned_t simple(void *arg)
{
	qthread_setspecific(mortal, arg);
	return qthread_getspecific(mortal) == arg;
}

static void main_task(const char *what)
{
	aligned_t ret;

	destroyed = 0;
	qthread_key_create(&mortal, count_it);
	qthread_spawn(simple, pointer(4), 0, &ret, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_SIMPLE);
	qthread_readFF(NULL, &ret);
	is_int(ret + destroyed, 2, "%s: qthread_setspecific: in a simple task", what);
	qthread_setspecific(mortal, pointer(3));
	qthread_finalize();
	is_int(destroyed, 2, "%s: qthread_finalize: the main task's destructors run", what);
	qthread_initialize();
	qthread_key_delete(mortal);
}

static void run(const char *what)
{
	values(what);
	destructors(what);
	destructors_that_do_things(what);
	deletion(what);
	keys_beside_each_other(what);
	main_task(what);
}

/* ---- Without a runtime, and around its start */

static void around_the_start(void)
{
	qthread_key_t key, other;

	destroyed = 0;
	is_int(qthread_key_create(&key, count_it), QTHREAD_SUCCESS, "qthread_key_create: before qthread_initialize");
	mortal = key;
	ok(!qthread_getspecific(key), "qthread_getspecific: before qthread_initialize");
	is_int(qthread_setspecific(key, pointer(9)), QTHREAD_SUCCESS, "qthread_setspecific: before qthread_initialize");
	every_start("mts", "1", "2");
	ok(qthread_getspecific(key) == pointer(9), "qthread_getspecific: the main task has what its thread had");
	is_int(run_tasks(20, leaves_a_value), 0, "qthread_setspecific: a key made before serves the tasks");
	is_int(destroyed, 20, "qthread_key_create: and so does its destructor");
	qthread_finalize();
	is_int(destroyed, 21, "qthread_finalize: destroys the main task's value");
	ok(!qthread_getspecific(key), "qthread_getspecific: NULL after qthread_finalize");
	every_start("mts", "1", "2");
	ok(!qthread_getspecific(key), "qthread_getspecific: and in the next life");
	is_int(qthread_key_create(&other, NULL), QTHREAD_SUCCESS, "qthread_key_create: keys outlive the runtime");
	ok(other != key, "qthread_key_create: so that a new one is another");
	qthread_finalize();
	is_int(qthread_key_delete(key), QTHREAD_SUCCESS, "qthread_key_delete: after qthread_finalize");
	is_int(qthread_key_delete(other), QTHREAD_SUCCESS, "qthread_key_delete: the other one");
}

/* ---- Mistakes */

static qthread_key_t all[KEYS];

static void as_many_as_there_are(void)
{
	int made = 0, distinct = 1, kept = 1;

	while (made < KEYS && qthread_key_create(&all[made], NULL) == QTHREAD_SUCCESS)
		made++;
	is_int(made, KEYS, "qthread_key_create: makes 1024 keys");
	qthread_key_t extra = NULL;
	is_int(qthread_key_create(&extra, NULL), QTHREAD_OVERFLOW, "qthread_key_create: QTHREAD_OVERFLOW for another");
	for (int i = 0; i < KEYS; i++)
		qthread_setspecific(all[i], &all[i]);
	for (int i = 0; i < KEYS; i++) {
		kept = kept && qthread_getspecific(all[i]) == &all[i];
		distinct = distinct && all[i] != NULL && (i == 0 || all[i] != all[i - 1]);
	}
	ok(distinct && kept, "qthread_setspecific: as many values");
	const qthread_key_t old = all[500];
	is_int(qthread_key_delete(old), QTHREAD_SUCCESS, "qthread_key_delete: one of them");
	is_int(qthread_key_create(&all[500], NULL), QTHREAD_SUCCESS, "qthread_key_create: takes its place");
	ok(all[500] != old && !qthread_getspecific(all[500]), "qthread_key_create: without its value");
	is_int(qthread_setspecific(old, &made), QTHREAD_BADARGS, "qthread_setspecific: QTHREAD_BADARGS for the old one");
	is_int(qthread_key_delete(old), QTHREAD_BADARGS, "qthread_key_delete: likewise");
	for (int i = 0; i < KEYS; i++)
		qthread_key_delete(all[i]);
}

static void mistakes(void)
{
	qthread_key_t key = NULL;

	is_int(qthread_key_create(NULL, count_it), QTHREAD_BADARGS, "qthread_key_create: QTHREAD_BADARGS for NULL");
	is_int(qthread_key_delete(NULL), QTHREAD_BADARGS, "qthread_key_delete: QTHREAD_BADARGS for NULL");
	is_int(qthread_setspecific(NULL, &key), QTHREAD_BADARGS, "qthread_setspecific: QTHREAD_BADARGS for NULL");
	ok(!qthread_getspecific(NULL), "qthread_getspecific: NULL for NULL");
	qthread_key_create(&key, NULL);
	is_int(qthread_key_delete((qthread_key_t)(void *)&key), QTHREAD_BADARGS,
		"qthread_key_delete: a key's address is not the key");
	is_int(qthread_setspecific((qthread_key_t)UINTPTR_MAX, &key), QTHREAD_BADARGS,
		"qthread_setspecific: nor is any number");
	is_int(qthread_key_delete(key), QTHREAD_SUCCESS, "qthread_key_delete: the key is");
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	around_the_start();
	as_many_as_there_are();
	mistakes();
	every_runtime(run);
	return done();
}
