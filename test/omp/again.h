/* test/omp/again.h -- a program that runs itself with other settings, which are read once, at the start.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	again("mode", "OMP_CANCELLATION=false", "OMP_NESTED", NULL);    main(argc, argv) sees "mode" in argv[1]
 *	is_int(again_number("threads"), 3, ...);                        it wrote "threads=3"
 *
 * A setting without a value is taken out of the environment.
 */
#ifndef QTI_TEST_OMP_AGAIN_H
#define QTI_TEST_OMP_AGAIN_H

#include "tap.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AGAIN_MOST = 16384 };

static char again_out[AGAIN_MOST]; /* what the last one wrote to stdout */
static char again_err[AGAIN_MOST]; /* and to stderr */

/* Not by /proc/self/exe itself: under valgrind that is valgrind.  There may be no /proc. */
static inline void again_exec(const char *mode)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const char *self = n > 0 ? path : (const char *)getauxval(AT_EXECFN);

	path[n > 0 ? n : 0] = '\0';
	execl(self, self, mode, (char *)NULL);
	bail_out("this program cannot be run again");
}

static inline void again_read(FILE *from, char *text)
{
	rewind(from);
	text[fread(text, 1, AGAIN_MOST - 1, from)] = '\0';
	fclose(from);
}

/* Returns the exit status, or 128 and the signal. */
__attribute__((sentinel)) static inline int again(const char *mode, ...)
{
	FILE *out = tmpfile(), *err = tmpfile();
	pid_t child;
	int status;

	if (!out || !err || (child = fork()) < 0)
		bail_out("no files or no process for %s", mode);
	if (child == 0) {
		va_list settings;
		va_start(settings, mode);
		for (const char *s; (s = va_arg(settings, const char *)) != NULL;)
			if (strchr(s, '='))
				putenv((char *)(uintptr_t)s);
			else
				unsetenv(s);
		va_end(settings);
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(err), STDERR_FILENO);
		again_exec(mode);
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			bail_out("the process for %s is lost", mode);
	again_read(out, again_out);
	again_read(err, again_err);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* What stands behind "name=" at the beginning of a line, or "". */
static inline const char *again_text(const char *name)
{
	static char value[256];
	const size_t length = strlen(name);

	value[0] = '\0';
	for (const char *line = again_out; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, length) == 0 && line[length] == '=') {
			line += length + 1;
			snprintf(value, sizeof(value), "%.*s", (int)strcspn(line, "\n"), line);
			break;
		}
	}
	return value;
}

static inline long again_number(const char *name)
{
	const char *text = again_text(name);

	return *text ? strtol(text, NULL, 0) : -1000000;
}

#endif
