/* base/text.h -- reading the kernel's small text files, without allocating.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_BASE_TEXT_H
#define QTI_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The beginning of a file as a string; false if it cannot be read. */
bool qti_text_read(const char *path, char *text, size_t size);

/* A file line by line.  Lines that do not fit are passed over. */
struct qti_lines {
	int fd;
	size_t begin, end;              /* what is left in the buffer */
	char buffer[4096];
};

bool qti_lines_open(struct qti_lines *l, const char *path);
char *qti_lines_next(struct qti_lines *l);      /* without its end of line, valid until the next call; NULL: no more */
void qti_lines_close(struct qti_lines *l);

#endif
