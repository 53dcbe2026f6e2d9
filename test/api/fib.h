/* test/api/fib.h -- a tree of tasks that read what their children return.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_FIB_H
#define QTI_TEST_FIB_H

#include <qthread/qthread.h>

static inline aligned_t fib(void *arg)
{
	const uintptr_t n = (uintptr_t)arg;
	aligned_t x = 0, y = 0;

	if (n < 2)
		return n;
	qthread_fork(fib, (void *)(n - 1), &x);
	qthread_fork(fib, (void *)(n - 2), &y);
	qthread_readFF(NULL, &x);
	qthread_readFF(NULL, &y);
	return x + y;
}

#endif
