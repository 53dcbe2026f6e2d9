/* base/fence.c -- the rare side of the asymmetric fence (base/atomic.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/atomic.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

bool qti_fence_asymmetric;
QTI_SHARE_VARIABLE(qti_fence_asymmetric);

static long membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

static void fence_set_up(void)
{
	store_rlx(&qti_fence_asymmetric, membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0);
}

/* Before the first worker starts, if possible: registration is cheap while the process has one thread.  Who relies on
 * the pair calls this first, and hands on what it protects to other threads after that: nobody sees the answer
 * change. */
void qti_fence_setup(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fence_set_up);
}

void qti_fence_heavy(void)
{
	fence_sc();
	if (load_rlx(&qti_fence_asymmetric))
		membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}
