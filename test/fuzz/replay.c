/* test/fuzz/replay.c -- main of the tests in test/fuzz for `make check`: no kept input, nor any beginning of one, does
 * harm.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With arguments: these files instead.
 */
#include "fuzz.h"
#include "tap.h"

#include <dirent.h>

enum { BEGINNINGS = 200 };      /* of a longer one, this many */

static unsigned ninputs;
static bool under_valgrind;      /* it sees what it is to see in the whole ones */

static void replay_file(const char *path)
{
	FILE *f = fopen(path, "re");
	struct stat st;

	if (!f || fstat(fileno(f), &st) != 0)
		bail_out("%s cannot be read", path);
	const size_t size = (size_t)st.st_size;
	uint8_t *whole = malloc(size + 1);
	if (!whole || fread(whole, 1, size, f) != size)
		bail_out("%s cannot be read", path);
	fclose(f);
	LLVMFuzzerTestOneInput(whole, size);
	ninputs++;
	for (size_t length = 0; length < size && !under_valgrind; length += size / BEGINNINGS + 1) {
		uint8_t *begin = malloc(length + 1);
		if (!begin)
			bail_out("no memory");
		memcpy(begin, whole, length);
		LLVMFuzzerTestOneInput(begin, length);
		free(begin);
	}
	free(whole);
}

static void replay_directory(const char *name)
{
	const char *top = getenv("abs_top_srcdir");
	char path[4096];
	struct dirent *e;

	snprintf(path, sizeof(path), "%s/test/fuzz/corpus/%s", top ? top : ".", name);
	DIR *d = opendir(path);
	if (!d)
		bail_out("%s cannot be read", path);
	while ((e = readdir(d)) != NULL) {
		char file[sizeof(path) + sizeof(e->d_name)];
		snprintf(file, sizeof(file), "%s/%s", path, e->d_name);
		if (e->d_name[0] != '.')
			replay_file(file);
	}
	closedir(d);
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	plan(1);
	under_valgrind = getenv("QTI_TEST_TOOL") && *getenv("QTI_TEST_TOOL");
	/* Refusals are lines on stderr: none of them is news, and a sanitizer's report goes to its own file. */
	const int saved = dup(STDERR_FILENO);
	if (!getenv("QTI_FUZZ_LOUD"))
		dup2(null, STDERR_FILENO);
	if (argc > 1)
		for (int i = 1; i < argc; i++)
			replay_file(argv[i]);
	else
		replay_directory(slash ? slash + 1 : argv[0]);
	dup2(saved, STDERR_FILENO);
	ok(ninputs > 0, "%u inputs and their beginnings do no harm", ninputs);
	return done();
}
