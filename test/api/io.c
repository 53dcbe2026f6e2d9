/* test/api/io.c -- blocking actions, the threads that carry them, and how programs end with some under way.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blocking.h"
#include "child.h"
#include "machine/fiber.h"
#include "process.h"

#include <qthread/io.h>
#include <qthread/qt_syscalls.h>
#include <qthread/sinc.h>

#include <signal.h>

enum { CHECKS_PER_RUN = 15, CHECKS_OF_POOL = 12, CHECKS_OF_ENDINGS = 7 };

static int answers[16];

/* ---- qt_begin_blocking_action, qt_end_blocking_action ----------------------------------------------------------- */

static aligned_t own_things(void *arg)
{
	int *a = answers;
	unsigned id = qthread_id();
	aligned_t *ret = qthread_retloc();
	void *tos = qthread_tos(), *local = qthread_get_tasklocal(64);

	memset(local, PATTERN & 0xff, 64);
	*a++ = on_worker();
	qt_begin_blocking_action();
	qthread_shepherd_id_t shep = 0;
	*a++ = qthread_shep() == NO_SHEPHERD && qthread_worker(&shep) == NO_WORKER && shep == NO_SHEPHERD;
	*a++ = qthread_id() == id && qthread_retloc() == ret;
	*a++ = qthread_get_tasklocal(8) == local && ((unsigned char *)local)[63] == (PATTERN & 0xff);
	*a++ = qthread_tos() == tos && qthread_stackleft() > 0;
	local = qthread_get_tasklocal(4096);
	*a++ = local && ((unsigned char *)local)[63] == (PATTERN & 0xff);
	qt_end_blocking_action();
	*a++ = on_worker();
	*a++ = qthread_id() == id && qthread_retloc() == ret && qthread_get_tasklocal(8) == local;
	return (aligned_t)(uintptr_t)arg;
}

static void keeps_what_is_its_own(const char *what)
{
	is_int(in_task(own_things, (void *)11, NULL), 11, "%s: qt_begin_blocking_action and back, the result comes",
		what);
	ok(answers[0] && answers[1], "%s: qt_begin_blocking_action leaves shepherd and worker", what);
	ok(answers[2] && answers[3], "%s: qt_begin_blocking_action keeps id, return location and task-local data",
		what);
	ok(answers[4] && answers[5], "%s: qt_begin_blocking_action keeps the stack; task-local data may grow", what);
	ok(answers[6] && answers[7], "%s: qt_end_blocking_action brings the task back to a worker, with all it had",
		what);
}

static aligned_t blocks_in_action(void *arg)
{
	char c = 0;

	(void)arg;
	qt_begin_blocking_action();
	flag_raise(&there);
	ssize_t n = read(ends[0], &c, 1);
	qt_end_blocking_action();
	return n == 1 ? (aligned_t)c : 0;
}

static void lets_others_run(const char *what)
{
	pipe_open();
	is_int(in_task(blocks_in_action, NULL, put_x), 'x', "%s: qt_begin_blocking_action lets the worker go on", what);
	pipe_close();
}

static aligned_t stays_home(void *arg)
{
	qthread_shepherd_id_t home = (qthread_shepherd_id_t)(uintptr_t)arg;

	for (int i = 0; i < 10; i++) {
		qt_begin_blocking_action();
		qt_end_blocking_action();
		if (qthread_shep() != home)
			return 0;
	}
	return 1;
}

static void returns_home(const char *what)
{
	qthread_shepherd_id_t last = (qthread_shepherd_id_t)(qthread_num_shepherds() - 1);
	aligned_t ret = 0;

	qthread_fork_to(stays_home, (void *)(uintptr_t)last, &ret, last);
	qthread_readFF(&ret, &ret);
	is_int(ret, 1, "%s: qt_end_blocking_action takes a pinned task back to its shepherd", what);
}

static aligned_t nests(void *arg)
{
	(void)arg;
	qt_end_blocking_action();
	bool good = on_worker();
	qt_begin_blocking_action();
	qt_begin_blocking_action();
	good = good && !on_worker();
	qt_end_blocking_action();
	good = good && !on_worker();
	qt_end_blocking_action();
	good = good && on_worker();
	qt_end_blocking_action();
	return good && on_worker();
}

static aligned_t ends_inside(void *arg)
{
	qt_begin_blocking_action();
	qt_begin_blocking_action();
	return (aligned_t)(uintptr_t)arg;
}

static void unbalanced(const char *what)
{
	is_int(in_task(nests, NULL, NULL), 1, "%s: qt_end_blocking_action is counted inside, ignored outside", what);
	is_int(in_task(ends_inside, (void *)17, NULL), 17, "%s: qt_begin_blocking_action: a task may return inside",
		what);
	qt_sinc_t *s = qt_sinc_create(0, NULL, NULL, CROWD);
	for (int i = 0; i < CROWD; i++)
		qthread_spawn(ends_inside, NULL, 0, s, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC_VOID);
	qt_sinc_wait(s, NULL);
	qt_sinc_destroy(s);
	ok(on_worker(), "%s: qt_begin_blocking_action: %d tasks return inside, more than there are threads", what,
		CROWD);
}

static aligned_t word, locked, child_ran;

static aligned_t child_of_action(void *arg)
{
	(void)arg;
	qthread_incr(&child_ran, 1);
	return 5;
}

static aligned_t as_external(void *arg)
{
	aligned_t ret = 0;

	(void)arg;
	child_ran = 0;
	qt_begin_blocking_action();
	flag_raise(&there);
	qthread_readFE(NULL, &word);
	qthread_yield();
	bool good = !on_worker() && qthread_fork(child_of_action, NULL, &ret) == QTHREAD_SUCCESS &&
		qthread_readFF(&ret, &ret) == QTHREAD_SUCCESS && ret == 5 && child_ran == 1;
	good = good && qthread_migrate_to(0) == QTHREAD_NOT_ALLOWED && !on_worker();
	qthread_lock(&locked);
	qt_end_blocking_action();
	qthread_unlock(&locked);
	return good && on_worker();
}

static void fill_word(void)
{
	qthread_fill(&word);
}

static void acts_as_external(const char *what)
{
	qthread_empty(&word);
	is_int(in_task(as_external, NULL, fill_word), 1,
		"%s: qt_begin_blocking_action: words, forks and locks work inside", what);
}

static void main_acts(const char *what)
{
	unsigned id = qthread_id();
	aligned_t ret = 0;

	pipe_open();
	qt_begin_blocking_action();
	bool left = !on_worker() && qthread_id() == id;
	bool forked = qthread_fork(blocks_in_action, NULL, &ret) == QTHREAD_SUCCESS;
	put("m");
	qthread_finalize();             /* not from here */
	qthread_readFF(&ret, &ret);
	qt_end_blocking_action();
	pipe_close();
	ok(left && forked && ret == 'm', "%s: qt_begin_blocking_action in the main task", what);
	ok(on_worker() && qthread_shep() == 0 && qthread_id() == id, "%s: qt_end_blocking_action in the main task",
		what);
}

static aligned_t in_place(void *arg)
{
	(void)arg;
	qt_begin_blocking_action();
	bool good = on_worker();
	qt_end_blocking_action();
	return good && on_worker();
}

static void outside(void *good)
{
	qt_end_blocking_action();
	qt_begin_blocking_action();
	qt_begin_blocking_action();
	qt_end_blocking_action();
	*(bool *)good = qthread_id() == QTHREAD_NON_TASK_ID;
}

static void ignored(const char *what)
{
	aligned_t ret = 0;
	bool good = false;

	qthread_spawn(in_place, NULL, 0, &ret, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_SIMPLE);
	qthread_readFF(&ret, &ret);
	is_int(ret, 1, "%s: qt_begin_blocking_action is ignored in a simple task", what);
	every_outside(outside, &good);
	ok(good, "%s: qt_begin_blocking_action and qt_end_blocking_action are ignored by external threads", what);
}

static void run(const char *what)
{
	keeps_what_is_its_own(what);
	lets_others_run(what);
	returns_home(what);
	unbalanced(what);
	acts_as_external(what);
	main_acts(what);
	ignored(what);
}

/* ---- the pool --------------------------------------------------------------------------------------------------- */

/* A thread that has ended stays in the list for a moment more. */
static void until_threads(int n)
{
	while (process_threads() != n)
		let_others_run();
}

static aligned_t inside, most_inside;

static aligned_t counts_and_blocks(void *arg)
{
	char c;

	(void)arg;
	qt_begin_blocking_action();
	aligned_t now = qthread_incr(&inside, 1) + 1;
	for (aligned_t most = __atomic_load_n(&most_inside, __ATOMIC_RELAXED); now > most;)
		most = qthread_cas(&most_inside, most, now);
	bool good = read(ends[0], &c, 1) == 1;
	qthread_incr(&inside, -1);
	qt_end_blocking_action();
	return good;
}

/* While threads end, reading the list may pass over one that is there. */
static bool settles_at(int n)
{
	int seen = 0;

	for (int tries = 0; tries < 100 && seen < 3; tries++) {
		until_threads(n);
		for (seen = 0; seen < 3 && process_threads() == n;)
			seen++;
	}
	return seen == 3;
}

static void limit(const char *setting, unsigned most)
{
	aligned_t ret[CROWD];
	int got = 0;

	setenv("QT_MAX_IO_WORKERS", setting, 1);
	setenv("QT_IO_TIMEOUT", "1000", 1);
	every_start("mts", "1", "2");
	int before = process_threads();
	pipe_open();
	inside = most_inside = 0;
	for (int i = 0; i < CROWD; i++)
		qthread_fork(counts_and_blocks, NULL, &ret[i]);
	while (__atomic_load_n(&inside, __ATOMIC_RELAXED) < most)
		let_others_run();
	is_int(process_threads(), before + (int)most, "QT_MAX_IO_WORKERS=%s: so many threads for %d tasks", setting, CROWD);
	for (int i = 0; i < CROWD; i++)
		put("c");
	for (int i = 0; i < CROWD; i++) {
		qthread_readFF(&ret[i], &ret[i]);
		got += ret[i] == 1;
	}
	is_int(got, CROWD, "QT_MAX_IO_WORKERS=%s: each has its turn", setting);
	is_int(most_inside, most, "QT_MAX_IO_WORKERS=%s: never more at once", setting);
	ok(settles_at(before), "QT_MAX_IO_WORKERS=%s: idle threads leave", setting);
	pipe_close();
	qthread_finalize();
	unsetenv("QT_MAX_IO_WORKERS");
	unsetenv("QT_IO_TIMEOUT");
}

/* The bits of one line of a thread's status, or 0. */
static unsigned long long signals(const char *tid, const char *key)
{
	unsigned long long bits = 0;
	char path[64], line[128];

	snprintf(path, sizeof(path), "/proc/self/task/%.20s/status", tid);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, key, strlen(key)) == 0)
			bits = strtoull(line + strlen(key), NULL, 16);
	if (f)
		fclose(f);
	return bits;
}

static bool some_thread_blocks(int sig)
{
	DIR *d = opendir("/proc/self/task");
	bool found = false;

	for (struct dirent *e; d && (e = readdir(d)) != NULL;)
		found = found || (e->d_name[0] != '.' && (signals(e->d_name, "SigBlk:") >> (sig - 1) & 1));
	if (d)
		closedir(d);
	return found;
}

static aligned_t signals_inside(void *arg)
{
	sigset_t now;

	(void)arg;
	qt_begin_blocking_action();
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	qt_end_blocking_action();
	return !sigismember(&now, SIGINT) && sigismember(&now, SIGUSR2);
}

static void signal_masks(void)
{
	sigset_t usr2, before;

	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	setenv("QT_IO_TIMEOUT", "4000000000", 1);
	pthread_sigmask(SIG_BLOCK, &usr2, &before);
	every_start("mts", "1", "1");
	is_int(in_task(signals_inside, NULL, NULL), 1,
		"qt_begin_blocking_action: the workers' signal mask holds inside");
	while (!some_thread_blocks(SIGINT))
		let_others_run();
	ok(some_thread_blocks(SIGINT), "a thread that waits for tasks blocks signals");
	qthread_finalize();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	unsetenv("QT_IO_TIMEOUT");
}

static void none_is_left(int before)
{
	for (int i = 0; i < 20; i++) {
		every_start("ws", "1", "2");
		for (int n = 0; n < 5; n++)
			qthread_fork(ends_inside, NULL, NULL);
		qthread_finalize();
	}
	while (process_threads() != before)
		sched_yield();
	is_int(process_threads(), before, "qthread_finalize leaves no thread");
	setenv("QT_IO_TIMEOUT", "4000000000", 1);
	every_start("ws", "1", "2");
	in_task(nests, NULL, NULL);
	qthread_finalize();
	unsetenv("QT_IO_TIMEOUT");
	while (process_threads() != before)
		sched_yield();
	is_int(process_threads(), before, "qthread_finalize leaves no thread that would wait for long");
}

static void check_pool(int before)
{
	limit("3", 3);
	limit("0", 1);
	signal_masks();
	none_is_left(before);
}

/* ---- how it ends ------------------------------------------------------------------------------------------------ */

static aligned_t finished;

static aligned_t finishes(void *arg)
{
	char c;

	(void)arg;
	flag_raise(&there);
	bool good = qt_read(ends[0], &c, 1) == 1;
	qthread_yield();
	good = good && qt_read(ends[0], &c, 1) == 1;
	qthread_incr(&finished, good);
	return 0;
}

static void *writes_later(void *unused)
{
	(void)unused;
	put("1");
	sched_yield();
	put("2");
	return NULL;
}

static void finalize_waits(void)
{
	pthread_t thread;

	finished = 0;
	pipe_open();
	every_start("mts", "1", "1");
	qthread_fork(finishes, NULL, NULL);
	qthread_yield();
	if (pthread_create(&thread, NULL, writes_later, NULL) != 0)
		bail_out("pthread_create failed");
	qthread_finalize();
	is_int(finished, 1, "qthread_finalize waits for tasks in calls, and for what they do then");
	pthread_join(thread, NULL);
	pipe_close();
}

static aligned_t never_comes_back(void *arg)
{
	char c;

	flag_raise(&there);
	if (arg)
		qt_begin_blocking_action();
	return (aligned_t)qt_read(ends[0], &c, 1);
}

static void leave_blocked(void *how)
{
	pipe_open();
	every_start("mts", "1", "2");
	qthread_fork(never_comes_back, how, NULL);
	until_flag(&there);
	for (int i = 0; i < CROWD; i++)
		qthread_fork(never_comes_back, how, NULL);
}

static void exit_in_action(void *unused)
{
	(void)unused;
	every_start("mts", "1", "2");
	qt_begin_blocking_action();
	exit(0);
}

static void again_after_fork(void *unused)
{
	(void)unused;
	every_start("mts", "1", "1");
	qt_begin_blocking_action();
	pid_t pid = fork();
	if (pid == 0) {
		bool down = qthread_num_workers() == 0 && qthread_id() == QTHREAD_NON_TASK_ID;
		qt_end_blocking_action();
		every_start("mts", "1", "1");
		down = down && in_task(nests, NULL, NULL) == 1;
		_exit(down ? 0 : 1);
	}
	int status = -1;
	waitpid(pid, &status, 0);
	qt_end_blocking_action();
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
}

__attribute__((noinline)) static int deeper(int n)
{
	volatile char frame[1024];

	frame[0] = (char)n;
	return n > 1 << 20 ? 0 : deeper(n + 1) + frame[0];
}

static aligned_t overruns(void *arg)
{
	(void)arg;
	qt_begin_blocking_action();
	flag_raise(&there);
	return (aligned_t)deeper(0);
}

static void overrun(void *unused)
{
	(void)unused;
	every_start("mts", "1", "1");
	in_task(overruns, NULL, fill_word);     /* not run by its joiner, on whose stack there is more room */
}

static bool ends_well(void (*body)(void *), void *arg)
{
	struct child c;

	child_run(&c, body, arg);
	if (!child_ended_well(&c))
		child_tell(&c);
	return child_ended_well(&c);
}

static void check_overrun(void)
{
	struct child c;

	if (QTI_ASAN || QTI_TSAN || every_is_slow()) {
		skip(1, "a checking tool has its own way of ending");
		return;
	}
	child_run(&c, overrun, NULL);
	if (!ok(WIFSIGNALED(c.status) && strstr(c.said, "overran its stack"), "an overrun in an action is reported"))
		child_tell(&c);
}

static void check_exit(void)
{
	if (getenv("QTI_TEST_TOOL") && *getenv("QTI_TEST_TOOL")) {
		skip(4, "valgrind takes what belongs to a live thread for a leak");
		return;
	}
	ok(ends_well(leave_blocked, NULL), "exit does not wait for tasks in calls");
	ok(ends_well(leave_blocked, &finished), "exit does not wait for tasks in actions");
	ok(ends_well(exit_in_action, NULL), "exit in an action of the main task");
	if (QTI_TSAN)
		skip(1, "ThreadSanitizer allows no new thread in a child");
	else
		ok(ends_well(again_after_fork, NULL),
			"a child of fork in an action has no action, and may start the runtime");
}

static void check_endings(void)
{
	finalize_waits();
	check_exit();
	check_overrun();
	qt_begin_blocking_action();
	qt_end_blocking_action();
	ok(qthread_shep() == NO_SHEPHERD, "qt_begin_blocking_action is ignored while the runtime is down");
}

int main(void)
{
	process_needs_proc();
	plan(every_runs() * CHECKS_PER_RUN + CHECKS_OF_POOL + CHECKS_OF_ENDINGS);
	const int before = process_threads_at_first();
	every_runtime(run);
	check_pool(before);
	check_endings();
	return done();
}
