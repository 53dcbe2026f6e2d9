/* test/api/blocking.h -- what the tests of blocking actions and calls share: a pipe, and tasks that wait for it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_API_BLOCKING_H
#define QTI_TEST_API_BLOCKING_H

#include "waiting.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { PATTERN = 0x5ee1 };

/* Tasks that are in a call or an action, as many as can be. */
enum { CROWD = 24 };

static int ends[2];

static inline void pipe_open(void)
{
	if (pipe2(ends, O_CLOEXEC) != 0)
		bail_out("pipe: %s", strerror(errno));
}

static inline void pipe_close(void)
{
	close(ends[0]);
	close(ends[1]);
}

static inline void put(const char *text)
{
	if (write(ends[1], text, strlen(text)) != (ssize_t)strlen(text))
		bail_out("write: %s", strerror(errno));
}

/* Runs f in a task; the main task does `meanwhile`, unless that is NULL, once the task has raised `there` and, if it
 * stopped its worker, not before it ended. */
static uint32_t there;

static inline aligned_t in_task(qthread_f f, void *arg, void (*meanwhile)(void))
{
	aligned_t ret = 0;

	__atomic_store_n(&there, 0, __ATOMIC_RELAXED);
	if (qthread_fork(f, arg, &ret) != QTHREAD_SUCCESS)
		bail_out("qthread_fork failed");
	if (meanwhile) {
		until_flag(&there);
		meanwhile();
	}
	qthread_readFF(&ret, &ret);
	return ret;
}

static inline bool on_worker(void)
{
	return qthread_shep() != NO_SHEPHERD && qthread_worker(NULL) != NO_WORKER;
}

static inline void put_x(void)
{
	put("x");
}

#endif
