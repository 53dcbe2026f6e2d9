/* test/api/cxx_exceptions.cc -- a task may wait while it handles an exception, and an exception ends where its task
 * ends.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "child.h"
#include "every.h"

#include <qthread/qloop.hpp>

#include <exception>
#include <signal.h>
#include <stdexcept>

static const int CHECKS_PER_RUN = 6, OTHER_CHECKS = 4;

enum { TASKS = 64 };

struct error {
	int who;
};

static void give_way()
{
	for (int i = 0; i < 3; i++)
		qthread_yield();
}

/* ---- In a catch block ------------------------------------------------------------------------------------------- */

/* Waits within the handler, throws another one inside it, and the first one again: both have to be this task's own. */
static aligned_t handles(void *arg)
{
	const int me = static_cast<int>(reinterpret_cast<uintptr_t>(arg));

	try {
		try {
			throw error{ me };
		} catch (error &mine) {
			give_way();
			try {
				throw error{ -me };
			} catch (error &inner) {
				give_way();
				if (inner.who != -me || mine.who != me)
					return 0;
			}
			give_way();
			throw;
		}
	} catch (error const &again) {
		give_way();
		return again.who == me && std::current_exception() != nullptr;
	}
	return 0;
}

static aligned_t no_exception(void *)
{
	give_way();
	return !std::current_exception() && !std::uncaught_exception();
}

static int failures(qthread_f f)
{
	aligned_t right[TASKS];
	int wrong = 0;

	for (uintptr_t i = 0; i < TASKS; i++)
		qthread_fork(f, reinterpret_cast<void *>(i), &right[i]);
	for (int i = 0; i < TASKS; i++) {
		qthread_readFF(NULL, &right[i]);
		wrong += right[i] != 1;
	}
	return wrong;
}

/* ---- While one passes ------------------------------------------------------------------------------------------- */

struct waits_in_destructor {
	aligned_t *gate;
	int *seen;

	~waits_in_destructor()
	{
		qthread_readFF(NULL, gate);
		*seen += std::uncaught_exception();
	}
};

static aligned_t gate;

static aligned_t unwinds(void *)
{
	int seen = 0;

	try {
		waits_in_destructor w = { &gate, &seen };
		throw std::runtime_error("passing");
	} catch (std::runtime_error const &) {
		return seen == 1 && !std::uncaught_exception();
	}
}

static aligned_t opens(void *)
{
	qthread_fill(&gate);
	return 1;
}

static void run(const char *what)
{
	is_int(failures(handles), 0, "%s: %d tasks wait in their catch blocks", what, static_cast<int>(TASKS));
	is_int(failures(no_exception), 0, "%s: and leave no exception to those that come after them", what);

	qthread_empty(&gate);
	aligned_t right[TASKS], opened;
	int wrong = 0;
	for (int i = 0; i < TASKS; i++)
		qthread_fork(unwinds, NULL, &right[i]);
	qthread_fork(opens, NULL, &opened);
	for (int i = 0; i < TASKS; i++) {
		qthread_readFF(NULL, &right[i]);
		wrong += right[i] != 1;
	}
	is_int(wrong, 0, "%s: and in destructors, while an exception passes", what);

	try {
		throw error{ 1 };
	} catch (error &mine) {
		is_int(failures(handles), 0, "%s: beside the main task, which is in a catch block itself", what);
		is_int(failures(no_exception), 0, "%s: nor does a task on top of it see that", what);
		ok(mine.who == 1 && std::current_exception() != nullptr, "%s: and still is afterwards", what);
	}
}

/* ---- One that is not caught --------------------------------------------------------------------------------------- */

static aligned_t throws(void *)
{
	throw error{ 1 };
}

/* Ends the process so that no checking tool asks it for what it has not given back. */
static void terminated()
{
	kill(getpid(), SIGKILL);
}

/* Whoever waits for the task must not get it: not even when the task runs on top of the waiting one. */
static void nobody_catches(void *)
{
	aligned_t ret;

	std::set_terminate(terminated);
	every_start("mts", "1", "1");
	try {
		qthread_fork(throws, NULL, &ret);
		qthread_readFF(NULL, &ret);
	} catch (...) {
		_exit(1);
	}
	_exit(2);
}

static void nobody_joins(void *arg)
{
	setenv("QT_INLINE_JOIN", "no", 1);
	nobody_catches(arg);
}

static void loop_body(void *)
{
	std::set_terminate(terminated);
	every_start("mts", "1", "2");
	try {
		qt_loop_balance(0, 10, [](size_t, size_t) { throw error{ 2 }; });
	} catch (...) {
		_exit(1);
	}
	_exit(2);
}

static void ends_the_program(const char *how, void (*body)(void *))
{
	static struct child c;

	child_run(&c, body, NULL);
	if (!is_int(WIFSIGNALED(c.status) ? WTERMSIG(c.status) : -1, SIGKILL, "an exception that leaves %s is std::terminate", how))
		child_tell(&c);
}

static aligned_t exits(void *)
{
	pthread_exit(NULL);
}

static void ends_its_thread(void *)
{
	aligned_t ret;

	every_start("mts", "1", "1");
	qthread_fork(exits, NULL, &ret);
	qthread_readFF(NULL, &ret);
}

static void nobody_ends_a_thread(void)
{
	static struct child c;

	child_run(&c, ends_its_thread, NULL);
	if (!ok(WIFSIGNALED(c.status) && strstr(c.said, "a task has called pthread_exit"),
		"pthread_exit in a task ends the program with a message"))
		child_tell(&c);
}

int main()
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	ends_the_program("a task on top of the one that waits for it", nobody_catches);
	ends_the_program("a task on a stack of its own", nobody_joins);
	ends_the_program("the body of a loop", loop_body);
	nobody_ends_a_thread();
	every_runtime(run);
	return done();
}
