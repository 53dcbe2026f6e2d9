/* test/api/child.h -- what happens in a process of its own: how it ends, and what it says on stderr.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For the main thread of a program, while the runtime is down and there is no other thread.
 */
#ifndef QTI_TEST_API_CHILD_H
#define QTI_TEST_API_CHILD_H

#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
	int status;             /* as waitpid has it */
	char said[16384];       /* on stderr, without what a checking tool puts there */
};

/* Lines of valgrind's own. */
static inline void child_strip(char *said)
{
	char *to = said, *next;

	for (char *line = said; *line; line = next) {
		next = strchr(line, '\n');
		next = next ? next + 1 : line + strlen(line);
		if (strncmp(line, "==", 2) == 0 || strncmp(line, "**", 2) == 0)
			continue;
		memmove(to, line, (size_t)(next - line));
		to += next - line;
	}
	*to = '\0';
}

/* To the end, even if there is more than is kept: a pipe without a reader would end the child. */
static inline void child_listen(struct child *c, int fd)
{
	size_t used = 0;

	for (;;) {
		char more[1024];
		const size_t room = sizeof(c->said) - 1 - used;
		ssize_t n = read(fd, room ? c->said + used : more, room ? room : sizeof(more));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used += room ? (size_t)n : 0;
	}
	c->said[used] = '\0';
}

/* body(arg) in a new process, which ends with exit(0) if body returns. */
static inline void child_run(struct child *c, void (*body)(void *arg), void *arg)
{
	int fds[2];

	fflush(NULL);
	if (pipe(fds) != 0)
		bail_out("pipe: %s", strerror(errno));
	const pid_t pid = fork();
	if (pid < 0)
		bail_out("fork: %s", strerror(errno));
	if (pid == 0) {
		dup2(fds[1], STDERR_FILENO);
		close(fds[0]);
		close(fds[1]);
		body(arg);
		exit(0);
	}
	close(fds[1]);
	child_listen(c, fds[0]);
	close(fds[0]);
	while (waitpid(pid, &c->status, 0) < 0 && errno == EINTR)
		continue;
	child_strip(c->said);
}

static inline bool child_ended_well(const struct child *c)
{
	return WIFEXITED(c->status) && WEXITSTATUS(c->status) == 0;
}

static inline int child_lines(const struct child *c)
{
	int n = 0;

	for (const char *s = c->said; *s; s++)
		n += *s == '\n';
	return n;
}

/* For the log, when a check has failed. */
static inline void child_tell(const struct child *c)
{
	diag("the child ended with status 0x%x and said:\n%s", (unsigned)c->status, c->said);
}

#endif
