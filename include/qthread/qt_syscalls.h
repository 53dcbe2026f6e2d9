/* qthread/qt_syscalls.h -- system calls that block the calling task instead of its worker.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each is the call of the same name without qt_: arguments, result and errno are those of that call.  While a task
 * waits its worker runs others.  Where the answer is there at once the call is made directly; else an OS thread of
 * the pool that qthread/io.h describes makes it.
 *
 * External threads and tasks forked with QTHREAD_SPAWN_SIMPLE, and everybody while the runtime is down, make the call
 * themselves.  So do tasks when no memory or no OS thread is to be had.
 *
 * qthread_finalize waits for tasks in one of these calls, as it does for running ones.  A process that ends by exit()
 * or by returning from main does not wait.
 *
 * errno belongs to an OS thread, and a task may be on another one after each of these calls.  Compilers look its
 * address up once in a function: one that uses errno, waits, and uses errno again reads another thread's.  qt_errno is
 * errno, looked up at every use.
 *
 * With USE_HEADER_SYSCALLS defined before it is included, this header gives the plain names the meaning of these
 * functions, in what follows.  The names then are macros: include it after other headers.
 */
#ifndef QTHREAD_QT_SYSCALLS_H
#define QTHREAD_QT_SYSCALLS_H

#include <poll.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common.h"
#include "macros.h"

Q_STARTCXX
#pragma GCC visibility push(default)

int qt_accept(int socket, struct sockaddr *restrict address, socklen_t *restrict address_len);
int qt_connect(int socket, const struct sockaddr *address, socklen_t address_len);
int qt_poll(struct pollfd fds[], nfds_t nfds, int timeout);
ssize_t qt_pread(int filedes, void *buf, size_t nbyte, off_t offset);
ssize_t qt_pwrite(int filedes, void const *buf, size_t nbyte, off_t offset);
ssize_t qt_read(int filedes, void *buf, size_t nbyte);
int qt_select(int nfds, fd_set *restrict readfds, fd_set *restrict writefds, fd_set *restrict errorfds,
              struct timeval *restrict timeout);
int qt_system(char const *command);
pid_t qt_wait4(pid_t pid, int *stat_loc, int options, struct rusage *rusage);
ssize_t qt_write(int filedes, void const *buf, size_t nbyte);

/* Where the errno of the calling OS thread is. */
int *qt_errno_location(void);
#define qt_errno (*qt_errno_location())

/* Sleep for so many seconds, or microseconds, or what *duration says, at least.  Any number of tasks may sleep: they
 * take no OS thread.  A sleeping task is not interrupted by signals.
 *
 * qt_nanosleep gives -1 with errno EINVAL for nanoseconds that are not from 0 to 999,999,999 or a negative number of
 * seconds, and EFAULT for NULL; it does not write *rest from a task. */
unsigned int qt_sleep(unsigned int seconds);
int qt_usleep(unsigned int microseconds);
int qt_nanosleep(const struct timespec *duration, struct timespec *rest);

#pragma GCC visibility pop
Q_ENDCXX

#ifdef USE_HEADER_SYSCALLS
#define accept qt_accept
#define connect qt_connect
#define poll qt_poll
#define pread qt_pread
#define pwrite qt_pwrite
#define read qt_read
#define select qt_select
#define system qt_system
#define wait4 qt_wait4
#define write qt_write
#define sleep qt_sleep
#define usleep qt_usleep
#define nanosleep qt_nanosleep
#include <errno.h>
#undef errno
#define errno qt_errno
#endif

#endif
