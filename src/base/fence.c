/* base/fence.c -- the rare side of the asymmetric fence (base/atomic.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/atomic.h"

#include "base/tuning.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

bool qti_fence_asymmetric;
QTI_SHARE_VARIABLE(qti_fence_asymmetric);

static long membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

/* That are to be interrupted.  Of who does not know, as a dictionary that is made before the workers: one a CPU. */
static unsigned threads_expected = UINT32_MAX;

/* Very many interrupts cost more than everybody's own fences. */
static bool interrupts_are_few(void)
{
	cpu_set_t cpus;

	return load_rlx(&threads_expected) <= TUNE_LIGHT_CPUS ||
		(sched_getaffinity(0, sizeof(cpus), &cpus) == 0 && CPU_COUNT(&cpus) <= TUNE_LIGHT_CPUS);
}

static void fence_set_up(void)
{
	bool reaches_all = interrupts_are_few() && membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;

	store_rlx(&qti_fence_asymmetric, reaches_all);
}

/* Before the first worker starts, if possible: registration is cheap while the process has one thread.  Who relies on
 * the pair calls this first, and hands on what it protects to other threads after that: nobody sees the answer
 * change.
 *
 * So it is once for all, though the library may be started again with another number of workers.  Dictionaries, locks
 * and teams of the program's own threads outlive the workers, and any of their threads may be between a light fence
 * that it has left out and the load behind it, whatever is done meanwhile; only if the heavy side went on to interrupt
 * for ever could others change to full fences, and that is what costs.  A program of few workers that starts many later
 * keeps interrupts; one of many that starts few, a fence a push.  Both are right, and slower than need be. */
void qti_fence_setup(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fence_set_up);
}

void qti_fence_setup_for(unsigned threads)
{
	store_rlx(&threads_expected, threads);
	qti_fence_setup();
}

void qti_fence_heavy(void)
{
	fence_sc();
	if (load_rlx(&qti_fence_asymmetric))
		membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}
