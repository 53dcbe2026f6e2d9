/* base/outfile.c -- see base/outfile.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* O_NONBLOCK: a pipe of that name would have us wait for its reader. */
enum { OPEN_FLAGS = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY };

static int open_existing(const char *name, int flags)
{
	struct stat st;
	int fd = open(name, flags | OPEN_FLAGS);

	if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 && st.st_uid == geteuid()))
		return fd;
	close(fd);
	errno = EEXIST;
	return -1;
}

/* Another thread may make it between the first look and the second. */
int qti_outfile_open(const char *name, int flags)
{
	int fd = open_existing(name, flags);

	if (fd < 0 && errno == ENOENT)
		fd = open(name, flags | OPEN_FLAGS | O_CREAT | O_EXCL, 0666);
	return fd < 0 && errno == EEXIST ? open_existing(name, flags) : fd;
}
