/* test/stress/soak.h -- a stress test as test/soak/run has it run: rounds counted, interrupted by signals, forked.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     QTI_SOAK         a file that both see, of a struct stress_soak; without it, none of this happens
 *     QTI_SOAK_FORK    a thread forks about every so many microseconds; the child uses the library
 *     QTI_SCHEDULER    what stress_start starts, whatever it is asked for
 *     QTI_SHAPE        SxW, on which; on more workers if more are asked for
 *
 * Who runs the test tells a hang from a wait by the rounds and by what the threads do: the alarm clock of stress.h
 * stands still.
 */
#ifndef QTI_TEST_STRESS_SOAK_H
#define QTI_TEST_STRESS_SOAK_H

#include "base/atomic.h"
#include "tap.h"

#include <qthread.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* test/soak/run knows where each is. */
struct stress_soak {
	uint64_t rounds;
	uint32_t quiet;         /* no more forks: something seems to hang, and is to be looked at */
	uint32_t signals;       /* handled */
	uint32_t children;      /* that have ended well */
	uint32_t crashed;       /* the process has stopped itself, for a look at it */
};

static struct stress_soak *stress_soak;

/* A scenario has begun, run and been looked at. */
static inline void stress_round(void)
{
	if (stress_soak)
		add_rlx(&stress_soak->rounds, 1);
}

/* --- signals --------------------------------------------------------------------------------------------- */

/* Uses what a handler of a program might: some of whatever stack it is on, and errno. */
static inline void stress_soak_interrupted(int sig)
{
	const int saved = errno;
	volatile unsigned char used[256];

	for (unsigned i = 0; i < sizeof(used); i++)
		used[i] = (unsigned char)(sig + (int)i);
	errno = used[0];
	add_rlx(&stress_soak->signals, 1);
	errno = saved;
}

/* The default action follows when somebody has had a look and says SIGCONT. */
static inline void stress_soak_crashed(int sig)
{
	diag("signal %d", sig);
	store_rel(&stress_soak->crashed, 1);
	raise(SIGSTOP);
	raise(sig);
}

static inline void stress_soak_handle(void)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
	struct sigaction action = { .sa_handler = stress_soak_interrupted, .sa_flags = SA_RESTART | SA_ONSTACK };

	sigaction(SIGUSR1, &action, NULL);
	/* Sanitizers have their own. */
	action = (struct sigaction){ .sa_handler = stress_soak_crashed, .sa_flags = (int)SA_RESETHAND | SA_ONSTACK };
	for (unsigned i = QTI_TSAN || QTI_ASAN ? 4 : 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		sigaction(crashes[i], &action, NULL);
}

/* --- fork ------------------------------------------------------------------------------------------------ */

static unsigned stress_soak_fork_us;
static pthread_t stress_soak_forker;
static bool stress_soak_over;

static aligned_t stress_soak_seven(void *unused)
{
	(void)unused;
	return 7;
}

/* ThreadSanitizer has no threads in the child of a process that had any; AddressSanitizer's allocator may be locked. */
static inline int stress_soak_child(void)
{
	aligned_t ret = 0;

	if (QTI_TSAN || QTI_ASAN)
		return 0;
	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	qthread_fork(stress_soak_seven, NULL, &ret);
	qthread_readFF(&ret, &ret);
	qthread_finalize();
	return ret == 7 ? 0 : 2;
}

static inline void stress_soak_fork(void)
{
	int status = -1;
	const pid_t pid = fork();

	if (pid == 0)
		_exit(stress_soak_child());
	if (pid < 0)
		return;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (status != 0)
		bail_out("the child of fork(2) ends with status %#x", (unsigned)status);
	add_rlx(&stress_soak->children, 1);
}

static inline void *stress_soak_fork_on(void *unused)
{
	unsigned seed = (unsigned)getpid();

	while (!load_acq(&stress_soak_over)) {
		const unsigned us = 1 + (unsigned)rand_r(&seed) % (2 * stress_soak_fork_us);
		const struct timespec time = { us / 1000000, us % 1000000 * 1000L };

		nanosleep(&time, NULL);
		if (!load_rlx(&stress_soak->quiet))
			stress_soak_fork();
	}
	return unused;
}

/* --- begin and end --------------------------------------------------------------------------------------- */

__attribute__((constructor)) static void stress_soak_begin(void)
{
	const char *file = getenv("QTI_SOAK"), *us = getenv("QTI_SOAK_FORK");
	sigset_t all, before;

	if (!file)
		return;
	const int fd = open(file, O_RDWR | O_CLOEXEC);
	stress_soak = mmap(NULL, sizeof(*stress_soak), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (stress_soak == MAP_FAILED)
		bail_out("QTI_SOAK=%s: %s", file, strerror(errno));
	close(fd);
	stress_soak_handle();
	stress_soak_fork_us = us ? (unsigned)atoi(us) : 0;
	if (!stress_soak_fork_us)
		return;
	/* The test's signals are for the test's threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	if (pthread_create(&stress_soak_forker, NULL, stress_soak_fork_on, NULL) != 0)
		bail_out("pthread_create failed");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* A child that hangs is seen while this process waits for it. */
__attribute__((destructor)) static void stress_soak_end(void)
{
	if (!stress_soak_fork_us)
		return;
	store_rel(&stress_soak_over, true);
	pthread_join(stress_soak_forker, NULL);
}

#endif
