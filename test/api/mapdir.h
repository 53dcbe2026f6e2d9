/* test/api/mapdir.h -- a directory for files that a test makes, and what their bytes are.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_API_MAPDIR_H
#define QTI_TEST_API_MAPDIR_H

#include "tap.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char mapdir[200];

static inline void mapdir_make(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(mapdir, sizeof(mapdir), "%s/qalloc-XXXXXX", tmp && *tmp && strlen(tmp) < 100 ? tmp : "/tmp");
	if (!mkdtemp(mapdir))
		bail_out("no directory %s", mapdir);
}

/* The path of a file in there; good until the call after the next three. */
static inline const char *mapdir_file(const char *name)
{
	static char path[4][256];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", mapdir, name);
	return path[turn];
}

/* Empty by now. */
static inline void mapdir_remove(void)
{
	if (rmdir(mapdir) != 0)
		diag("%s is not empty", mapdir);
}

struct file_bytes {
	size_t n;
	unsigned char *at;
};

static inline struct file_bytes file_read(const char *path)
{
	struct file_bytes b = { 0, NULL };
	FILE *f = fopen(path, "rb");
	struct stat st;

	if (!f || fstat(fileno(f), &st) != 0 || !(b.at = malloc((size_t)st.st_size + 1)))
		bail_out("cannot read %s", path);
	b.n = fread(b.at, 1, (size_t)st.st_size, f);
	fclose(f);
	return b;
}

static inline void file_write(const char *path, const void *at, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(at, 1, n, f) != n || fclose(f) != 0)
		bail_out("cannot write %s", path);
}

static inline bool file_is(const char *path, const void *at, size_t n)
{
	struct file_bytes b = file_read(path);
	const bool same = b.n == n && memcmp(b.at, at, n) == 0;

	free(b.at);
	return same;
}

#endif
