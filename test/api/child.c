/* test/api/child.c -- the child of fork(2) may start the runtime afresh, whatever its parent's was doing.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "child.h"
#include "every.h"
#include "process.h"

#include <qthread/io.h>
#include <qthread/qalloc.h>
#include <qthread/qloop.h>
#include <qthread/qpool.h>
#include <qthread/qt_syscalls.h>

#include <pthread.h>
#include <signal.h>

/* AddressSanitizer's allocator stays locked in a child if another thread of the parent was in it.  Where the others have
 * nothing to do, the one that forks waits until they sleep: a new thread is in the allocator before its first line. */
#ifdef __SANITIZE_ADDRESS__
enum { ALLOCATES_IN_CHILD = 0 };
#else
enum { ALLOCATES_IN_CHILD = 1 };
#endif

enum { CHECKS = 11, BESIDE_OTHERS = 3, ENOUGH = 30, FORKS = 100, WAITERS = 3 };

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
	process_until_others_sleep();   /* the main task in qthread_finalize */
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

/* ---- In a blocking action, on a thread that is no worker */

static int ends_action_afresh(void)
{
	qt_end_blocking_action();
	return qthread_shep() != NO_SHEPHERD || afresh() || afresh();
}

static aligned_t forks_in_action(void *arg)
{
	(void)arg;
	qt_begin_blocking_action();
	process_until_others_sleep();
	aligned_t status = (aligned_t)status_of(ends_action_afresh);
	qt_end_blocking_action();
	return status;
}

static void in_action(void)
{
	aligned_t ret = 1;

	every_start("mts", "1", "2");
	qthread_fork(forks_in_action, NULL, &ret);
	qthread_readFF(&ret, &ret);
	is_int(ret, 0, "a child of a task in a blocking action ends it, and has a runtime of its own");
	is_int(forks_in_action(NULL), 0, "and one of the main task there");
	qthread_finalize();
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
	process_until_others_sleep();
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

/* ---- Locks of those who are not there */

static qpool *items;
static void *map;

static void nothing(const size_t start, const size_t stop, void *arg)
{
	(void)start;
	(void)stop;
	(void)arg;
}

/* Of all that has a lock which does not go with the runtime. */
static int takes_locks(void)
{
	enum { SOME = 40 };
	void *item[SOME], *block[SOME];

	for (int i = 0; i < SOME; i++)
		if (!(item[i] = qpool_alloc(items)) || !(block[i] = qalloc_malloc(map, 64)))
			return 1;
	for (int i = 0; i < SOME; i++) {
		qpool_free(items, item[i]);
		qalloc_free(block[i], map);
	}
	qqloop_handle_t *h = qt_loop_queue_create(CHUNK, 0, 10, 1, nothing, NULL);
	qqloop_handle_t *other = qt_loop_queue_create(CHUNK, 0, 10, 1, nothing, NULL);
	qpool *own = qpool_create(64);
	if (!h || !other || !own)
		return 2;
	qt_loop_queue_run(h);
	qt_loop_queue_run(other);
	qpool_destroy(own);
	return 0;
}

static int takes_locks_afresh(void)
{
	return takes_locks() || afresh() || qthread_initialize() != QTHREAD_SUCCESS || takes_locks();
}

static void *takes_locks_on(void *wrong)
{
	while (!__atomic_load_n(&enough, __ATOMIC_ACQUIRE))
		if (takes_locks() != 0)
			*(int *)wrong = 1;
	return NULL;
}

static aligned_t task_takes_locks_on(void *wrong)
{
	while (!__atomic_load_n(&enough, __ATOMIC_ACQUIRE)) {
		if (takes_locks() != 0)
			*(int *)wrong = 1;
		qthread_yield();
	}
	return 0;
}

static void others_have_locks(void)
{
	char name[] = "/tmp/qthread-child-XXXXXX";
	int fd = mkstemp(name), wrong = 0, bad = 0, by_task = 0;
	pthread_t thread[2];
	aligned_t ret = 0;

	if (fd < 0)
		bail_out("no temporary file");
	close(fd);
	unlink(name);
	enough = 0;
	every_start("mts", "1", "2");
	items = qpool_create(48);
	map = qalloc_makedynmap(1 << 20, NULL, name, 2);
	if (!map)
		bail_out("no map");
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, takes_locks_on, &bad) != 0)
			bail_out("pthread_create failed");
	qthread_fork(task_takes_locks_on, &by_task, &ret);
	for (int i = 0; i < FORKS && !wrong; i++)
		wrong += status_of(takes_locks_afresh) != 0;
	__atomic_store_n(&enough, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	qthread_readFF(NULL, &ret);
	is_int(wrong, 0, "pools, maps and loop queues serve a child, whose parent's other threads use them");
	ok(!bad && !by_task, "and serve those");
	qalloc_cleanup();
	unlink(name);
	qpool_destroy(items);
	qthread_finalize();
}

/* ---- A task that returns where there are none */

static aligned_t forks_and_returns(void *arg)
{
	int status = 0;
	pid_t pid;

	(void)arg;
	fflush(NULL);
	if ((pid = fork()) == 0)
		return 1;
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? 7 : 8;
}

static void return_of_task(void *yields)
{
	aligned_t ret = 0;

	alarm(ENOUGH);
	every_start("mts", "1", "1");
	qthread_fork(forks_and_returns, NULL, &ret);
	while (yields && qthread_feb_status(&ret) == 0)
		qthread_yield();
	qthread_readFF(NULL, &ret);
	qthread_finalize();
	exit(ret == 7 ? 0 : 1);
}

static void returns(const char *where, void *yields)
{
	static struct child c;

	child_run(&c, return_of_task, yields);
	if (!ok(child_ended_well(&c) && strstr(c.said, "returns in the child"),
		"a task that forks, %s, must not return in the child, and is told so", where))
		child_tell(&c);
}

int main(void)
{
	process_needs_proc();
	plan(CHECKS);
	if (every_is_slow()) {
		skip(CHECKS, "ThreadSanitizer allows no new thread in a child, valgrind no memory that it leaves");
		return done();
	}
	returns("on top of who waits for it", NULL);
	returns("on a worker", &woken);
	while_finalizing();
	if (ALLOCATES_IN_CHILD) {
		while_forking();
		others_have_locks();
	} else {
		skip(BESIDE_OTHERS, "the allocator of AddressSanitizer cannot be used in the child of several threads");
	}
	faults();
	waiters();
	in_action();
	return done();
}
