/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* So many tasks are forked, then waited for, newest first, before the next: who forks millions needs memory for
 * them. */
#include "pos/pos.h"

#include <qthread/qthread.h>

enum { AT_ONCE = 1024 };

static aligned_t fill(void *arg)
{
	pos_batch((unsigned long)(uintptr_t)arg);
	return 0;
}

static void parallel(void)
{
	static aligned_t done[AT_ONCE];
	const unsigned long end = pos_batches();

	for (unsigned long first = 0; first < end; first += AT_ONCE) {
		const unsigned long n = end - first < AT_ONCE ? end - first : AT_ONCE;
		for (unsigned long i = 0; i < n; i++)
			if (qthread_fork(fill, (void *)(uintptr_t)(first + i), &done[i]) != QTHREAD_SUCCESS)
				pos_batch(first + i);
		for (unsigned long i = n; i > 0; i--)
			qthread_readFF(NULL, &done[i - 1]);
	}
}

const struct bench_version bench_version = { .parallel = parallel };
