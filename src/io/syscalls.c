/* io/syscalls.c -- system calls that block the calling task instead of its worker.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A task on a worker first asks for what is there at once, where the kernel has a way to ask that cannot block and that
 * takes nothing it does not deliver.  That costs a system call; handing the task to a proxy and back costs two sleeping
 * threads' wake-ups, some twenty times as much.
 */
#include "core/worker.h"
#include "io/call.h"
#include "qthread/qt_syscalls.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>

/* --- read, write, pread, pwrite -------------------------------------------------------------------------- */

struct transfer {
	int fd;
	bool writes, positioned;
	char *buf;
	size_t size;
	off_t offset;                   /* if positioned */
	size_t moved;                   /* so far */
};

static ssize_t transfer_blocking(const struct transfer *x)
{
	char *buf = x->buf + x->moved;
	size_t size = x->size - x->moved;
	off_t offset = x->offset + (off_t)x->moved;

	if (x->writes)
		return x->positioned ? pwrite(x->fd, buf, size, offset) : write(x->fd, buf, size);
	return x->positioned ? pread(x->fd, buf, size, offset) : read(x->fd, buf, size);
}

static bool is_file(int fd)
{
	struct stat s;

	return fstat(fd, &s) == 0 && (S_ISREG(s.st_mode) || S_ISBLK(s.st_mode));
}

/* Whether the kernel has refused to look, or would have had to wait. */
static bool says_nothing(int error)
{
	return error == EAGAIN || error == EOPNOTSUPP || error == EINVAL || error == ENOSYS;
}

/* True if *result is the call's.  Else x->moved bytes have been, and the rest is to be waited for: a write that blocks
 * writes all, a read of a file falls short at its end only, a read of anything else never waits twice: not even after
 * nothing, which may have been an empty datagram. */
static bool move_at_once(struct transfer *x, ssize_t *result)
{
	const struct iovec v = { .iov_base = x->buf, .iov_len = x->size };
	off_t offset = x->positioned ? x->offset : -1;
	int before = qt_errno;

	if (x->size == 0 || (x->positioned && offset < 0))
		return false;
	*result = x->writes ? pwritev2(x->fd, &v, 1, offset, RWF_NOWAIT) : preadv2(x->fd, &v, 1, offset, RWF_NOWAIT);
	if (*result < 0) {
		if (!says_nothing(qt_errno))
			return true;
		qt_errno = before;
		return false;
	}
	x->moved = (size_t)*result;
	return x->moved == x->size || (!x->writes && !is_file(x->fd));
}

static ssize_t transfer_bytes(struct transfer *x)
{
	struct qti_call c;
	ssize_t result;

	if (qti_self() && move_at_once(x, &result))
		return result;
	qti_call_begin(&c);
	result = transfer_blocking(x);
	qti_call_end(&c, result < 0 && x->moved == 0);
	if (x->moved == 0)
		return result;
	return (ssize_t)x->moved + (result > 0 ? result : 0);
}

ssize_t qt_read(int filedes, void *buf, size_t nbyte)
{
	return transfer_bytes(&(struct transfer){ .fd = filedes, .buf = buf, .size = nbyte });
}

ssize_t qt_write(int filedes, void const *buf, size_t nbyte)
{
	return transfer_bytes(&(struct transfer){
		.fd = filedes, .buf = (void *)(uintptr_t)buf, .size = nbyte, .writes = true });
}

ssize_t qt_pread(int filedes, void *buf, size_t nbyte, off_t offset)
{
	return transfer_bytes(&(struct transfer){
		.fd = filedes, .buf = buf, .size = nbyte, .positioned = true, .offset = offset });
}

ssize_t qt_pwrite(int filedes, void const *buf, size_t nbyte, off_t offset)
{
	return transfer_bytes(&(struct transfer){
		.fd = filedes, .buf = (void *)(uintptr_t)buf, .size = nbyte, .writes = true,
		.positioned = true, .offset = offset });
}

/* --- waiting --------------------------------------------------------------------------------------------- */

int qt_poll(struct pollfd fds[], nfds_t nfds, int timeout)
{
	struct qti_call c;

	if (qti_self()) {
		int n = poll(fds, nfds, 0);
		if (n != 0 || timeout == 0)
			return n;
	}
	qti_call_begin(&c);
	int n = poll(fds, nfds, timeout);
	qti_call_end(&c, n < 0);
	return n;
}

int qt_select(int nfds, fd_set *restrict readfds, fd_set *restrict writefds, fd_set *restrict errorfds,
              struct timeval *restrict timeout)
{
	struct qti_call c;

	if (timeout && timeout->tv_sec == 0 && timeout->tv_usec == 0)
		return select(nfds, readfds, writefds, errorfds, timeout);
	qti_call_begin(&c);
	int n = select(nfds, readfds, writefds, errorfds, timeout);
	qti_call_end(&c, n < 0);
	return n;
}

pid_t qt_wait4(pid_t pid, int *stat_loc, int options, struct rusage *rusage)
{
	struct qti_call c;

	if (qti_self()) {
		pid_t child = wait4(pid, stat_loc, options | WNOHANG, rusage);
		if (child != 0 || (options & WNOHANG))
			return child;
	}
	qti_call_begin(&c);
	pid_t child = wait4(pid, stat_loc, options, rusage);
	qti_call_end(&c, child < 0);
	return child;
}

/* --- with no way to ask ---------------------------------------------------------------------------------- */

int qt_accept(int socket, struct sockaddr *restrict address, socklen_t *restrict address_len)
{
	struct qti_call c;

	qti_call_begin(&c);
	int fd = accept(socket, address, address_len);
	qti_call_end(&c, fd < 0);
	return fd;
}

int qt_connect(int socket, const struct sockaddr *address, socklen_t address_len)
{
	struct qti_call c;

	qti_call_begin(&c);
	int rc = connect(socket, address, address_len);
	qti_call_end(&c, rc < 0);
	return rc;
}

int qt_system(char const *command)
{
	struct qti_call c;

	qti_call_begin(&c);
	int status = system(command);
	qti_call_end(&c, status == -1);
	return status;
}
