/* test/api/guard.c -- a task that overruns its stack is named; every fault goes on to whom it belongs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each case is a process of its own.
 */
#define _GNU_SOURCE
#include "child.h"
#include "every.h"
#include "process.h"
#include "machine/fiber.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>

static struct child child;

/* ---- Overruns ------------------------------------------------------------------------------------------------- */

/* Less than a page a frame, so that none steps over the guard; what the compiler cannot see through it cannot make a
 * loop of. */
static __attribute__((noinline)) aligned_t recurse(uintptr_t depth)
{
	char frame[512] = { 0 };

	__asm__ volatile("" : : "r"(frame) : "memory");
	aligned_t below = depth ? recurse(depth - 1) : 0;
	__asm__ volatile("" : : "r"(frame) : "memory");
	return below + (aligned_t)frame[0];
}

static aligned_t overrun(void *arg)
{
	if (arg)
		*(unsigned *)arg = qthread_id();
	return recurse(UINTPTR_MAX);
}

static aligned_t deep_but_fine(void *arg)
{
	(void)arg;
	return recurse(20) != 1;
}

struct overrun {
	const char *scheduler;
	qthread_shepherd_id_t shepherd;
	bool asks;              /* for its id, as the first task to do so: 1 */
	bool guarded;
	bool handler;           /* the user has one of his own */
};

static void users_handler(int sig)
{
	(void)sig;
	static const char text[] = "user's handler\n";
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		abort();
	_exit(5);
}

static void run_over(void *arg)
{
	const struct overrun *o = arg;
	static aligned_t never;
	static unsigned id;
	aligned_t ret = 0;

	alarm(60);
	if (o->handler)
		signal(SIGSEGV, users_handler);
	setenv("QT_GUARD_PAGES", o->guarded ? "yes" : "no", 1);
	every_start(o->scheduler, "2", "1");
	qthread_fork(deep_but_fine, NULL, &ret);
	qthread_readFF(NULL, &ret);
	qthread_fork_to(overrun, o->asks ? &id : NULL, NULL, o->shepherd);
	qthread_empty(&never);
	qthread_readFF(NULL, &never);
}

static bool under_valgrind(void)
{
	const char *tool = getenv("QTI_TEST_TOOL");

	return tool && strcmp(tool, "valgrind") == 0;
}

/* valgrind puts its own status in place of the handler's: what the overrun left behind is lost memory to it. */
static bool is_handlers(int status)
{
	return status == 5 || (under_valgrind() && status == 99);
}

/* "program+0x1189"; without /proc, which tells where files are, the address itself */
static void place_of(void *address, char *text, size_t size)
{
	Dl_info info;

	if (!process_has_proc()) {
		snprintf(text, size, "%p", address);
		return;
	}
	if (!dladdr(address, &info))
		bail_out("no file has the function");
	const char *slash = strrchr(info.dli_fname, '/');
	snprintf(text, size, "%s+0x%zx", slash ? slash + 1 : info.dli_fname,
		(size_t)((char *)address - (char *)info.dli_fbase));
}

/* "... task 1 (function program+0x...) overran its stack of 32768 bytes at program+0x...; raise QT_STACK_SIZE" */
static void names_the_task(const struct overrun *o)
{
	char task[32] = "a task ", function[300], size[64];

	child_run(&child, run_over, (void *)(uintptr_t)o);
	if (o->asks)
		snprintf(task, sizeof(task), "task 1 ");
	place_of((void *)(uintptr_t)overrun, function, sizeof(function));
	strcat(function, ")");
	const long page = sysconf(_SC_PAGESIZE), asked = 32768 * QTI_FIBER_STACK_FACTOR;
	snprintf(size, sizeof(size), "%ld bytes", (asked + page - 1) / page * page);
	const char *line = strstr(child.said, "libqthread: ");
	if (!line)
		line = "";
	if (!ok(strstr(line, task) && strstr(line, function) && strstr(line, size) && strstr(line, "QT_STACK_SIZE"),
		"%s: an overrun on shepherd %d is reported with task, function, size and setting%s", o->scheduler, o->shepherd,
		o->handler ? ", in spite of a handler of the user's" : ""))
		child_tell(&child);
	/* A sanitizer has a handler of its own, which ends the process in its way. */
	const bool sanitized = QTI_FIBER_STACK_FACTOR > 1 && WIFEXITED(child.status) && WEXITSTATUS(child.status) != 0;
	const bool ended = o->handler ? WIFEXITED(child.status) && is_handlers(WEXITSTATUS(child.status)) && strstr(line, "user's handler")
	                              : sanitized || (WIFSIGNALED(child.status) && WTERMSIG(child.status) == SIGSEGV);
	if (!ok(ended, "%s: and %s", o->scheduler, o->handler ? "the user's handler comes next" : "ends the process by SIGSEGV"))
		child_tell(&child);
}

/* valgrind makes the main thread's stack itself, as large as the limit is at the start, but no larger than 16 MiB; a
 * lower limit later changes nothing. */
static bool limit_is_obeyed(void)
{
	struct rlimit limit;

	return !under_valgrind() || (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur <= 16 << 20);
}

static void run_over_main(void *arg)
{
	(void)arg;
	alarm(60);
	if (!under_valgrind())
		setrlimit(RLIMIT_STACK, &(struct rlimit){ 1 << 20, 1 << 20 });
	every_start("mts", "2", "1");
	recurse(UINTPTR_MAX);
}

static void main_thread(void)
{
	if (!limit_is_obeyed()) {
		skip(1, "valgrind gives the main thread's stack less than its limit");
		return;
	}
	child_run(&child, run_over_main, NULL);
	if (!ok(strstr(child.said, "libqthread: the main thread overran its stack at ") && strstr(child.said, "ulimit -s"),
		"an overrun of the main thread's own stack is reported"))
		child_tell(&child);
}

static aligned_t use_half_a_megabyte(void *arg)
{
	(void)arg;
	return recurse((512 << 10) / 1024) != 1;
}

static void larger_stack(void *arg)
{
	aligned_t ret = 0;

	(void)arg;
	alarm(60);
	setenv("QT_STACK_SIZE", "1M", 1);
	every_start("mts", "2", "1");
	qthread_fork_to(use_half_a_megabyte, NULL, &ret, 1);
	qthread_readFF(NULL, &ret);
	if (ret != 1)
		exit(1);
}

static void guard_is(void *arg)
{
	setenv("QT_INFO", "1", 1);
	setenv("QT_GUARD_PAGES", arg, 1);
	every_start("mts", "1", "1");
}

static void settings(void)
{
	child_run(&child, larger_stack, NULL);
	if (!ok(child_ended_well(&child), "QT_STACK_SIZE=1M is enough for half of it"))
		child_tell(&child);
	child_run(&child, guard_is, "no");
	ok(strstr(child.said, "guard none") != NULL, "QT_GUARD_PAGES=no: there are no guards");
	child_run(&child, guard_is, "yes");
	ok(strstr(child.said, "guard ") != NULL && strstr(child.said, "guard none") == NULL, "QT_GUARD_PAGES=yes: there are");
	ok(strstr(child.said, ", 1 shepherd, 1 worker,") != NULL, "QT_INFO=1 counts shepherds and workers");
}

/* ---- Other faults --------------------------------------------------------------------------------------------- */

enum place { MAIN_TASK, OTHER_TASK, OTHER_WORKER, PTHREAD };
enum users { NO_HANDLER, SIMPLE_HANDLER, INFO_HANDLER, LATE_HANDLER, IGNORES, GOES_ON };

struct fault {
	const char *name;
	enum place place;
	enum users users;
};

static volatile int *volatile nowhere;
static int somewhere;

static void info_handler(int sig, siginfo_t *info, void *context)
{
	if (sig != SIGSEGV || info->si_addr != NULL || !context)
		_exit(6);
	users_handler(sig);
}

/* Repairs what was wrong: the instruction is to be run again. */
static jmp_buf again;

static void go_on(int sig)
{
	(void)sig;
	nowhere = &somewhere;
	longjmp(again, 1);
}

static aligned_t touch_nothing(void *arg)
{
	(void)arg;
	nowhere = NULL;
	*nowhere = 1;
	return 0;
}

static aligned_t touch_and_go_on(void *arg)
{
	(void)arg;
	nowhere = NULL;
	if (setjmp(again) == 0)
		*nowhere = 1;
	return 7;
}

static void *touch_in_thread(void *arg)
{
	touch_nothing(arg);
	return NULL;
}

static void put_up(enum users users)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	switch (users) {
	case SIMPLE_HANDLER:
	case LATE_HANDLER:
		action.sa_handler = users_handler;
		break;
	case INFO_HANDLER:
		action.sa_sigaction = info_handler;
		action.sa_flags = SA_SIGINFO;
		break;
	case IGNORES:
		action.sa_handler = SIG_IGN;
		break;
	case GOES_ON:
		action.sa_handler = go_on;
		action.sa_flags = SA_NODEFER;
		break;
	case NO_HANDLER:
		break;
	}
	sigaction(SIGSEGV, &action, NULL);
}

static void touch(void *arg)
{
	const struct fault *f = arg;
	aligned_t ret = 0;
	pthread_t thread;

	alarm(60);
	if (f->users != LATE_HANDLER)
		put_up(f->users);
	every_start("ws", "2", "1");
	if (f->users == LATE_HANDLER)
		put_up(f->users);
	if (f->users == GOES_ON) {
		qthread_fork_to(touch_and_go_on, NULL, &ret, 1);
		qthread_readFF(NULL, &ret);
		qthread_finalize();
		exit(ret == 7 ? 5 : 6);
	}
	switch (f->place) {
	case MAIN_TASK:
		touch_nothing(NULL);
		break;
	case OTHER_TASK:
		qthread_fork_to(touch_nothing, NULL, &ret, 0);
		qthread_readFF(NULL, &ret);
		break;
	case OTHER_WORKER:
		qthread_fork_to(touch_nothing, NULL, &ret, 1);
		qthread_readFF(NULL, &ret);
		break;
	case PTHREAD:
		if (pthread_create(&thread, NULL, touch_in_thread, NULL) != 0)
			abort();
		pthread_join(thread, NULL);
		break;
	}
}

static void other_faults(void)
{
	static const struct fault faults[] = {
		{ "in the main task, no handler", MAIN_TASK, NO_HANDLER },
		{ "in a task, no handler", OTHER_TASK, NO_HANDLER },
		{ "in a task on another worker, no handler", OTHER_WORKER, NO_HANDLER },
		{ "in a pthread, no handler", PTHREAD, NO_HANDLER },
		{ "in a task, SIGSEGV ignored", OTHER_WORKER, IGNORES },
		{ "in the main task, a handler", MAIN_TASK, SIMPLE_HANDLER },
		{ "in a task, a handler", OTHER_TASK, SIMPLE_HANDLER },
		{ "in a task on another worker, a handler", OTHER_WORKER, SIMPLE_HANDLER },
		{ "in a pthread, a handler", PTHREAD, SIMPLE_HANDLER },
		{ "in a task, a handler that wants to know where", OTHER_WORKER, INFO_HANDLER },
		{ "in a task, a handler put up after qthread_initialize", OTHER_WORKER, LATE_HANDLER },
		{ "in a task, a handler that goes on elsewhere", OTHER_WORKER, GOES_ON },
	};

	enum { NFAULTS = sizeof(faults) / sizeof(faults[0]) };
	const char *tool = getenv("QTI_TEST_TOOL");

	if (tool && *tool) {
		skip(NFAULTS, "%s has its own say about such faults", tool);
		return;
	}
	for (int i = 0; i < NFAULTS; i++) {
		const struct fault *f = &faults[i];
		const bool dies = f->users == NO_HANDLER || f->users == IGNORES;

		child_run(&child, touch, (void *)(uintptr_t)f);
		const bool ended = dies ? WIFSIGNALED(child.status) && WTERMSIG(child.status) == SIGSEGV
		                        : WIFEXITED(child.status) && WEXITSTATUS(child.status) == 5;
		if (!ok(ended && !strstr(child.said, "libqthread"), "a fault that is no overrun, %s: %s", f->name,
			dies ? "ends the process, without a word of ours" : "is the handler's"))
			child_tell(&child);
	}
}

int main(void)
{
	static const struct overrun overruns[] = {
		{ "mts", 0, true, true, false }, { "mts", 1, false, true, false }, { "q", 0, false, true, false },
		{ "ws", 1, true, true, true },
	};

	plan(2 * 4 + 1 + 4 + 12);
	for (int i = 0; i < 4; i++)
		names_the_task(&overruns[i]);
	main_thread();
	settings();
	other_faults();
	return done();
}
