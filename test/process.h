/* test/process.h -- what this process has at the moment.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_PROCESS_H
#define QTI_TEST_PROCESS_H

#include "tap.h"

#include <dirent.h>

/* With "." and "..": two more than there are. */
static inline int process_entries(const char *directory)
{
	DIR *d = opendir(directory);
	int n = 0;

	if (!d)
		bail_out("%s cannot be read", directory);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static inline int process_threads(void)
{
	return process_entries("/proc/self/task") - 2;
}

#endif
