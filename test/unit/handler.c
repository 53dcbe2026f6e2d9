/* test/unit/handler.c -- exit(3) in a handler that interrupts the look for a handler itself.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The walk along the stack may set something up behind a pthread_once, the first time.  This program's pthread_once
 * sends the signal in the midst of that, and its handler calls exit: who began the walk after main would wait for
 * itself.
 */
#include "api/child.h"
#include "machine/handler.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

enum { STATUS = 7, LIMIT = 20 };

static bool armed;
static void (*routine_asked)(void);

static void handler(int unused)
{
	(void)unused;
	_exit(qti_in_handler() ? STATUS : STATUS + 1);
}

static void routine_interrupted(void)
{
	armed = false;
	raise(SIGUSR1);
	routine_asked();
}

/* In place of the C library's, for the unwinder, too. */
__attribute__((visibility("default")))
int pthread_once(pthread_once_t *control, void (*routine)(void))
{
	int (*real)(pthread_once_t *, void (*)(void)) = (int (*)(pthread_once_t *, void (*)(void)))dlsym(RTLD_NEXT, "pthread_once");

	if (!armed)
		return real(control, routine);
	routine_asked = routine;
	return real(control, routine_interrupted);
}

static void first_walk(void *unused)
{
	(void)unused;
	alarm(LIMIT);
	signal(SIGUSR1, handler);
	qti_handler_prepare();
	armed = true;
	if (qti_in_handler())
		_exit(STATUS + 2);
	raise(SIGUSR1);
}

int main(void)
{
	struct child child;

	plan(1);
#ifdef __SANITIZE_THREAD__
	skip(1, "ThreadSanitizer calls handlers late");
	return done();
#endif
	child_run(&child, first_walk, NULL);
	is_int(WIFEXITED(child.status) ? WEXITSTATUS(child.status) : -1, STATUS,
		"a handler within the first walk, or right behind it, walks to its end");
	return done();
}
