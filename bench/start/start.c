/* bench/start/start.c -- what libraries cost a program that never uses them: from posix_spawn to its end.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The program is this one, which returns from main at once.  Each argument is a list of libraries that are loaded before it,
 * by LD_PRELOAD; starts with each list and with none take turns.
 */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LISTS_MAX = 16, STARTS = 1000 };

extern char **environ;

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double start_once(void)
{
	char *const arguments[] = { "start", "--end", NULL };
	double begin = now_us();
	int status, error;
	pid_t child;

	error = posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ);
	if (error || waitpid(child, &status, 0) != child || status != 0) {
		fprintf(stderr, "start: the program does not end well: %s\n", strerror(error));
		exit(1);
	}
	return now_us() - begin;
}

/* The linker would only warn, each time. */
static void check_readable(const char *list)
{
	char *copy = strdup(list), *rest = copy;

	for (const char *name; copy && (name = strsep(&rest, ":")) != NULL;)
		if (!strchr(name, '/') || access(name, R_OK) != 0) {
			fprintf(stderr, "start: %s: give the path of a library\n", name);
			exit(2);
		}
	free(copy);
}

static void load_before(const char *list)
{
	if (list)
		setenv("LD_PRELOAD", list, 1);
	else
		unsetenv("LD_PRELOAD");
}

int main(int argc, char **argv)
{
	const char *list[LISTS_MAX] = { NULL };
	static double us[LISTS_MAX][STARTS];
	int lists = 1;

	if (argc == 2 && strcmp(argv[1], "--end") == 0)
		return 0;
	for (int i = 1; i < argc && lists < LISTS_MAX; i++) {
		check_readable(argv[i]);
		list[lists++] = argv[i];
	}
	for (int r = 0; r < STARTS; r++)
		for (int i = 0; i < lists; i++) {
			int which = (i + r) % lists;
			load_before(list[which]);
			us[which][r] = start_once();
		}
	for (int i = 0; i < lists; i++) {
		qsort(us[i], STARTS, sizeof(us[i][0]), compare);
		printf("%7.1f us, %+7.1f  %s\n", us[i][STARTS / 2], us[i][STARTS / 2] - us[0][STARTS / 2],
			list[i] ? list[i] : "no library");
	}
	return 0;
}
