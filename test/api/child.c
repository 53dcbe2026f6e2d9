/* test/api/child.c -- the child of fork(2) may start the runtime afresh, whatever its parent's was doing.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/qt_syscalls.h>

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHECKS = 5, ENOUGH = 30, FORKS = 100, WAITERS = 3 };

/* How a child ended that does body and is done. */
static int status_of(int (*body)(void))
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		alarm(ENOUGH);
		_exit(body());
	}
	waitpid(pid, &status, 0);
	return status;
}

static aligned_t seven(void *arg)
{
	(void)arg;
	return 7;
}

static int afresh(void)
{
	aligned_t ret = 0;

	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	qthread_fork(seven, NULL, &ret);
	qthread_readFF(&ret, &ret);
	qthread_finalize();
	return ret != 7;
}

/* ---- While the parent finalizes */

static aligned_t status_meanwhile;

static aligned_t forks_late(void *arg)
{
	(void)arg;
	qt_usleep(20000);
	status_meanwhile = (aligned_t)status_of(afresh);
	return 0;
}

static void while_finalizing(void)
{
	every_start("mts", "1", "2");
	status_meanwhile = 1;
	qthread_fork(forks_late, NULL, NULL);
	qthread_finalize();
	is_int(status_meanwhile, 0, "qthread_initialize in a child, whose parent is in qthread_finalize");
}

/* ---- While external threads make tasks ready */

static aligned_t enough;

static void *forks_on(void *arg)
{
	while (!__atomic_load_n(&enough, __ATOMIC_ACQUIRE)) {
		aligned_t ret;
		qthread_fork(seven, NULL, &ret);
		qthread_readFF(NULL, &ret);
	}
	return arg;
}

static void while_forking(void)
{
	pthread_t thread[3];
	int wrong = 0;

	every_start("mts", "1", "2");
	for (int i = 0; i < 3; i++)
		if (pthread_create(&thread[i], NULL, forks_on, NULL) != 0)
			bail_out("pthread_create failed");
	for (int i = 0; i < FORKS && !wrong; i++)
		wrong += status_of(afresh) != 0;
	__atomic_store_n(&enough, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	qthread_finalize();
	is_int(wrong, 0, "qthread_finalize in a child, whose parent's other threads forked tasks");
}

/* ---- A handler for SIGSEGV */

static void exit_7(int sig)
{
	(void)sig;
	_exit(7);
}

static int is_faulty(void)
{
	if (afresh() != 0 || qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	raise(SIGSEGV);
	return 2;
}

static void faults(void)
{
	struct sigaction action = { .sa_handler = exit_7 }, before;

	sigaction(SIGSEGV, &action, &before);
	every_start("mts", "1", "2");
	int status = status_of(is_faulty);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 7, "a fault in a child finds the program's own handler");
	qthread_finalize();
	sigaction(SIGSEGV, &before, NULL);
}

/* ---- Waiting tasks stay with the parent */

static syncvar_t word;
static qthread_queue_t queue;
static aligned_t woken;

static aligned_t waits_for_word(void *arg)
{
	(void)arg;
	qthread_syncvar_readFF(NULL, &word);
	qthread_incr(&woken, 1);
	return 0;
}

static aligned_t waits_in_queue(void *arg)
{
	(void)arg;
	qthread_queue_join(queue);
	qthread_incr(&woken, 1);
	return 0;
}

static int wakes(void)
{
	if (qthread_initialize() != QTHREAD_SUCCESS || qthread_queue_length(queue) != 0)
		return 1;
	qthread_syncvar_fill(&word);
	qthread_queue_release_all(queue);
	qthread_finalize();
	return woken != 0;
}

static void waiters(void)
{
	aligned_t ret[2 * WAITERS];

	every_start("mts", "1", "1");
	queue = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);
	qthread_syncvar_empty(&word);
	for (int i = 0; i < 2 * WAITERS; i++)
		qthread_fork(i < WAITERS ? waits_for_word : waits_in_queue, NULL, &ret[i]);
	while (qthread_queue_length(queue) != WAITERS)
		qthread_yield();
	is_int(status_of(wakes), 0, "who waits for a syncvar or in a queue does not in a child");
	qthread_syncvar_fill(&word);
	qthread_queue_release_all(queue);
	for (int i = 0; i < 2 * WAITERS; i++)
		qthread_readFF(NULL, &ret[i]);
	is_int(woken, 2 * WAITERS, "and goes on waiting in the parent");
	qthread_queue_destroy(queue);
	qthread_finalize();
}

int main(void)
{
	plan(CHECKS);
	if (every_is_slow()) {
		skip(CHECKS, "ThreadSanitizer allows no new thread in a child, valgrind no memory that it leaves");
		return done();
	}
	while_finalizing();
	while_forking();
	faults();
	waiters();
	return done();
}
