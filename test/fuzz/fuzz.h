/* test/fuzz/fuzz.h -- what reads text or files from outside, given anything.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each test/fuzz/NAME.c gives one input to one of the library's readers.  `make fuzz` links it with clang's libFuzzer,
 * which looks for inputs; `make check` with replay.c, which has it read those that are kept in test/fuzz/corpus/NAME.
 * What is wrong crashes, or a sanitizer says so.
 */
#ifndef QTI_TEST_FUZZ_H
#define QTI_TEST_FUZZ_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libFuzzer's name for it; 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A string, to be freed: so that a reader past its end is seen. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* --- files ----------------------------------------------------------------------------------------------- */

static char fuzz_root[64];

static inline void fuzz_remove_root(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf %s", fuzz_root);
	if (system(command) != 0)
		perror(fuzz_root);
}

/* A directory of this process, in memory if there is such a place; taken away in the end. */
static inline const char *fuzz_directory(void)
{
	if (fuzz_root[0])
		return fuzz_root;
	strcpy(fuzz_root, access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-XXXXXX" : "/tmp/fuzz-XXXXXX");
	if (!mkdtemp(fuzz_root))
		abort();
	atexit(fuzz_remove_root);
	return fuzz_root;
}

/* NAME below it, and its directories. */
static inline void fuzz_path(char *path, size_t size, const char *name)
{
	snprintf(path, size, "%s/%s", fuzz_directory(), name);
	for (char *slash = path + strlen(fuzz_root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
}

static inline void fuzz_write(const char *name, const void *bytes, size_t size)
{
	char path[256];

	fuzz_path(path, sizeof(path), name);
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	close(fd);
}

/* Parts of the input between form feeds are the files of these names; of those without a part there is none. */
static inline void fuzz_files(const char *const *name, unsigned names, const uint8_t *data, size_t size)
{
	bool over = false;

	for (unsigned i = 0; i < names; i++) {
		const uint8_t *end = over ? NULL : memchr(data, '\f', size);
		const size_t length = end ? (size_t)(end - data) : size;
		if (over || length == 0) {
			char path[256];
			fuzz_path(path, sizeof(path), name[i]);
			unlink(path);
		} else {
			fuzz_write(name[i], data, length);
		}
		over = over || !end;
		if (!over) {
			data = end + 1;
			size -= length + 1;
		}
	}
}

#endif
