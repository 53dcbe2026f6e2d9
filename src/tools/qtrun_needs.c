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
#include "tools/qtrun_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool qtrun_trace_begin(struct qtrun_trace *t, const char *loader, const char *program, const char *preload,
	const struct qtrun_setting *settings)
{
	int ends[2];

	*t = (struct qtrun_trace){ 0 };
	if (pipe(ends) != 0)
		return false;
	t->pid = fork();
	if (t->pid == 0) {
		if (preload)
			setenv("LD_PRELOAD", preload, 1);
		else
			unsetenv("LD_PRELOAD");
		setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
		for (; settings && settings->name; settings++)
			setenv(settings->name, settings->value, 1);
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl(loader, loader, program, (char *)NULL);
		_exit(QTRUN_NOT_FOUND);
	}
	close(ends[1]);
	t->from = t->pid > 0 ? fdopen(ends[0], "r") : NULL;
	if (!t->from)
		close(ends[0]);
	return t->from != NULL;
}

char *qtrun_trace_line(struct qtrun_trace *t)
{
	ssize_t length = getline(&t->line, &t->size, t->from);

	if (length <= 0)
		return NULL;
	if (t->line[length - 1] == '\n')
		t->line[length - 1] = '\0';
	return t->line;
}

bool qtrun_trace_end(struct qtrun_trace *t)
{
	int status;

	free(t->line);
	fclose(t->from);
	while (waitpid(t->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
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

	if (qtrun_file_is_called(name, "libgomp"))
		path_keep(needs->gomp, name);        /* found or not: another will take its name */
	else if (!found)
		path_keep(needs->missing, name);
	else if (qtrun_file_is_llvm(name))
		path_keep(needs->llvm, name);
	else
		needs->qthreads |= qtrun_file_is_called(name, "libqthread");
}

void qtrun_needs_list(const char *loader, const char *program, const char *preload, const char *library,
	struct qtrun_needs *needs)
{
	struct qtrun_trace trace;
	char *line;

	*needs = (struct qtrun_needs){ 0 };
	if (!qtrun_trace_begin(&trace, loader, program, preload, NULL)) {
		snprintf(needs->complaint, sizeof(needs->complaint), "%s: %s", loader, strerror(errno));
		return;
	}
	while ((line = qtrun_trace_line(&trace)) != NULL)
		take_line(line, library, needs);
	needs->listed = qtrun_trace_end(&trace);
}
