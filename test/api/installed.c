/* test/api/installed.c -- a user's first program, built by `make installcheck` from what is installed.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <qthread.h>
#include <qthread/qloop.h>

#include <stdio.h>

static aligned_t twice(void *arg)
{
	return 2 * *(aligned_t *)arg;
}

int main(void)
{
	aligned_t n = 21;
	aligned_t answer = 0;

	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	if (qthread_fork(twice, &n, &answer) != QTHREAD_SUCCESS)
		return 1;
	qthread_readFF(NULL, &answer);
	qthread_finalize();
	printf("installcheck: a task answered %llu\n", (unsigned long long)answer);
	return answer == 42 ? 0 : 1;
}
