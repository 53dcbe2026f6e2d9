/* test/api/syscall_names.c -- USE_HEADER_SYSCALLS gives the plain names another meaning.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "tap.h"

#include <stdlib.h>

#define USE_HEADER_SYSCALLS
#include <qthread.h>
#include <qthread/qt_syscalls.h>

static int fds[2];

static aligned_t reads(void *arg)
{
	char c = 0;

	(void)arg;
	return read(fds[0], &c, 1) == 1 ? (aligned_t)c : 0;
}

static aligned_t writes(void *arg)
{
	(void)arg;
	usleep(1);
	return (aligned_t)write(fds[1], "w", 1);
}

int main(void)
{
	aligned_t got = 0, put = 0;

	plan(4);
	ok(accept == qt_accept && connect == qt_connect && poll == qt_poll && select == qt_select, "names of waiting calls");
	ok(read == qt_read && write == qt_write && pread == qt_pread && pwrite == qt_pwrite, "names of transfers");
	ok(system == qt_system && wait4 == qt_wait4 && sleep == qt_sleep && usleep == qt_usleep &&
		nanosleep == qt_nanosleep, "names of the others");
	setenv("QT_HWPAR", "1", 1);
	if (qthread_initialize() != QTHREAD_SUCCESS || pipe(fds) != 0)
		bail_out("cannot start");
	qthread_fork(reads, NULL, &got);
	qthread_yield();
	qthread_fork(writes, NULL, &put);
	qthread_readFF(&put, &put);
	qthread_readFF(&got, &got);
	ok(got == 'w' && put == 1, "a program that says read() waits as a task");
	return done();
}
