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

/* That are to be interrupted, as far as is known. */
static unsigned threads_expected;

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
 * change. */
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
