/* test/moment.h -- processes that end at a random moment, by exit(3) in the handler of a signal.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	static void body(void *arg)
 *	{
 *		moment_comes();                 the calling thread gets the signal, in a moment
 *		for (;;)
 *			work();
 *	}
 *
 *	is_int(moments(60, body, arg), 60, "...");
 *
 * QTI_SEED repeats the moments of a run that failed.
 */
#ifndef QTI_TEST_MOMENT_H
#define QTI_TEST_MOMENT_H

#include "leaks.h"
#include "tap.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
	MOMENT_LIMIT = 20,      /* seconds until a process counts as hung */
	MOMENT_HUNG_MOST = 2,   /* the others are not tried then */
	MOMENT_STATUS = 7,
	MOMENT_US = 4000,       /* the latest: starting and the first regions lie before it */
};

static unsigned moment_seed, moment_us;

/* With gcc's --coverage exit(3) asks for memory, which no handler may that has interrupted who did. */
extern void __gcov_dump(void) __attribute__((weak));

#define MOMENTS_COUNTED "exit(3) counts lines here, and asks for memory for that"

static inline bool moments_counted(void)
{
	return &__gcov_dump != NULL;
}

static void moment_exit(int unused)
{
	(void)unused;
	exit(MOMENT_STATUS);
}

/* Once; of several threads that call it the first one's signal counts. */
static inline void moment_comes(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1 };
	static int called;
	timer_t timer;

	if (__atomic_exchange_n(&called, 1, __ATOMIC_ACQ_REL))
		return;
	event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
		_exit(MOMENT_STATUS + 1);
	timer_settime(timer, 0, &(struct itimerspec){ .it_value.tv_nsec = 1000L * (long)moment_us }, NULL);
}

/* The next child's.  Under a tool all takes longer. */
static inline unsigned moment_next(void)
{
	const char *tool = getenv("QTI_TEST_TOOL");

	moment_seed = moment_seed * 1103515245u + 12345u;
	return 1 + (moment_seed >> 8) % (tool && *tool ? 100 * MOMENT_US : MOMENT_US);
}

static inline void moment_begin(void)
{
	const char *given = getenv("QTI_SEED");

	moment_seed = given ? (unsigned)strtoul(given, NULL, 0) : (unsigned)time(NULL) ^ (unsigned)getpid() << 16;
	diag("QTI_SEED=%u", moment_seed);
}

/* Until the child has ended; one that hangs is killed.  Looks at it count, a millisecond apart, not the clock: while all
 * are stopped, as on a machine that is suspended, there are none. */
static inline bool moment_wait(pid_t child, int *status)
{
	for (int looks = 0; looks < MOMENT_LIMIT * 1000; looks++) {
		const pid_t ended = waitpid(child, status, WNOHANG);
		if (ended != 0)
			return ended == child;
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	kill(child, SIGKILL);
	return waitpid(child, status, 0) == child;
}

/* How many of so many children that run body(arg) have ended by the signal's handler.  The caller has no other
 * thread. */
static inline int moments(int children, void (*body)(void *arg), void *arg)
{
	int good = 0, hung = 0;

	fflush(NULL);
	for (int i = 0; i < children && hung < MOMENT_HUNG_MOST; i++) {
		int status = 0;

		moment_us = moment_next();
		const pid_t child = fork();
		if (child == 0) {
			leaks_allow();
			signal(SIGUSR1, moment_exit);
			body(arg);
			_exit(MOMENT_STATUS + 2);
		}
		if (child < 0 || !moment_wait(child, &status))
			bail_out("no process");
		if (WIFEXITED(status) && WEXITSTATUS(status) == MOMENT_STATUS) {
			good++;
			continue;
		}
		diag("the moment at %u us: status 0x%x", moment_us, (unsigned)status);
		hung += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	}
	return good;
}

#endif
