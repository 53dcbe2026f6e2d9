/* base/text.c -- see base/text.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static ssize_t read_some(int fd, char *to, size_t size)
{
	ssize_t n;

	do
		n = read(fd, to, size);
	while (n < 0 && errno == EINTR);
	return n;
}

bool qti_text_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	ssize_t n = read_some(fd, text, size - 1);
	close(fd);
	if (n < 0)
		return false;
	text[n] = '\0';
	return true;
}

bool qti_lines_open(struct qti_lines *l, const char *path)
{
	l->fd = open(path, O_RDONLY | O_CLOEXEC);
	l->begin = l->end = 0;
	return l->fd >= 0;
}

/* Makes room behind what is left and reads more into it; false at the end of the file. */
static bool lines_refill(struct qti_lines *l)
{
	l->end -= l->begin;
	memmove(l->buffer, l->buffer + l->begin, l->end);
	l->begin = 0;
	ssize_t n = read_some(l->fd, l->buffer + l->end, sizeof(l->buffer) - 1 - l->end);
	if (n <= 0)
		return false;
	l->end += (size_t)n;
	return true;
}

char *qti_lines_next(struct qti_lines *l)
{
	bool too_long = false;

	for (;;) {
		char *line = l->buffer + l->begin;
		char *newline = memchr(line, '\n', l->end - l->begin);

		if (newline) {
			*newline = '\0';
			l->begin = (size_t)(newline + 1 - l->buffer);
			if (!too_long)
				return line;
			too_long = false;
		} else if (l->end - l->begin == sizeof(l->buffer) - 1) {
			too_long = true;
			l->begin = l->end;
		} else if (!lines_refill(l)) {
			if (l->begin == l->end || too_long)
				return NULL;
			l->buffer[l->end] = '\0';
			line = l->buffer + l->begin;    /* lines_refill moved it */
			l->begin = l->end;
			return line;
		}
	}
}

void qti_lines_close(struct qti_lines *l)
{
	close(l->fd);
}
