/* tools/qtrun_needs.c -- which shared libraries a program would get.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The way from a DT_NEEDED entry to a file leads through RPATH and RUNPATH of several objects, LD_LIBRARY_PATH,
 * ld.so.cache, processor-specific directories and the names that loaded libraries give themselves.  Only the loader
 * knows it exactly, and it tells: `LD_TRACE_LOADED_OBJECTS=1 ld.so PROGRAM` maps everything and runs nothing but
 * itself.  (With `ld.so --list` a library that is missing would be the end; with the variable and the program alone,
 * the program could name what it likes as its loader.)
 */
#include "tools/qtrun_needs.h"

#include "tools/qtrun_fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The loader's stdout and stderr, to be read; NULL: could not be started. */
static FILE *loader_start(const char *loader, const char *program, const char *preload, pid_t *pid)
{
	int ends[2];

	if (pipe(ends) != 0)
		return NULL;
	*pid = fork();
	if (*pid == 0) {
		if (preload)
			setenv("LD_PRELOAD", preload, 1);
		else
			unsetenv("LD_PRELOAD");
		setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl(loader, loader, program, (char *)NULL);
		_exit(QTRUN_NOT_FOUND);
	}
	close(ends[1]);
	FILE *from = *pid > 0 ? fdopen(ends[0], "r") : NULL;
	if (!from)
		close(ends[0]);
	return from;
}

/* Whether a file is called STEM.so..., or STEM-SOMETHING.so... as the copies in Python's wheels are. */
static bool is_called(const char *file, const char *stem)
{
	size_t length = strlen(stem);

	return strncmp(file, stem, length) == 0 && (file[length] == '.' || file[length] == '-') && strstr(file, ".so");
}

static void path_keep(char *where, const char *name)
{
	if (!where[0])
		snprintf(where, NAME_MAX + 1, "%s", name);
}

/* One line: "<TAB>NAME => PATH (ADDRESS)", "<TAB>PATH (ADDRESS)", "<TAB>NAME => not found", or a message. */
static void take_line(char *line, const char *library, struct qtrun_needs *needs)
{
	if (line[0] != '\t') {
		if (!needs->complaint[0])
			snprintf(needs->complaint, sizeof(needs->complaint), "%s", line);
		return;
	}

	char *name = line + 1, *arrow = strstr(name, " => "), *address = strstr(name, " (0x");
	bool found = !arrow || strcmp(arrow, " => not found") != 0;
	if (arrow)
		*arrow = '\0';
	else if (address)
		*address = '\0';
	needs->in_front |= strcmp(name, library) == 0;
	if (strrchr(name, '/'))
		name = strrchr(name, '/') + 1;

	if (is_called(name, "libgomp"))
		path_keep(needs->gomp, name);        /* found or not: another will take its name */
	else if (!found)
		path_keep(needs->missing, name);
	else if (is_called(name, "libomp") || is_called(name, "libomp5") || is_called(name, "libiomp5"))
		path_keep(needs->llvm, name);
}

void qtrun_needs_list(const char *loader, const char *program, const char *preload, const char *library,
	struct qtrun_needs *needs)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	pid_t pid;
	int status;

	*needs = (struct qtrun_needs){ 0 };
	FILE *from = loader_start(loader, program, preload, &pid);
	if (!from) {
		snprintf(needs->complaint, sizeof(needs->complaint), "%s: %s", loader, strerror(errno));
		return;
	}
	while ((length = getline(&line, &size, from)) > 0) {
		if (line[length - 1] == '\n')
			line[length - 1] = '\0';
		take_line(line, library, needs);
	}
	free(line);
	fclose(from);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	needs->listed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
