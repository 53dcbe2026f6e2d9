/* tools/qtrun_why.c -- see tools/qtrun_why.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Which of several libraries a name is taken from is the loader's to say, by the order in which they are mapped and by
 * versions.  It does in lines `PID: binding file USER [0] to LIBRARY [0]: normal symbol `NAME' [VERSION]' when it is to
 * bind all names at once.
 */
#include "tools/qtrun_why.h"

#include "tools/qtrun_fail.h"
#include "tools/qtrun_needs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The list --------------------------------------------------------------------------------------------------- */

static char *copied(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		qtrun_fail(QTRUN_REFUSED, "%s", strerror(ENOMEM));
	return copy;
}

static bool is_user(const struct qtrun_use *u, const char *user)
{
	return u->user && user ? strcmp(u->user, user) == 0 : !u->user && !user;
}

static struct qtrun_use *use_of(struct qtrun_uses *uses, const char *runtime, const char *user)
{
	for (size_t i = 0; i < uses->n; i++)
		if (strcmp(uses->use[i].runtime, runtime) == 0 && is_user(&uses->use[i], user))
			return &uses->use[i];
	uses->use = realloc(uses->use, (uses->n + 1) * sizeof(*uses->use));
	if (!uses->use)
		qtrun_fail(QTRUN_REFUSED, "%s", strerror(ENOMEM));
	uses->use[uses->n] = (struct qtrun_use){ .runtime = copied(runtime), .user = user ? copied(user) : NULL };
	return &uses->use[uses->n++];
}

void qtrun_uses_free(struct qtrun_uses *uses)
{
	for (size_t i = 0; i < uses->n; i++) {
		free(uses->use[i].runtime);
		free(uses->use[i].user);
		free(uses->use[i].name);
	}
	free(uses->use);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static bool is_name_of_openmp(const char *name)
{
	static const char *const begin[] = { "GOMP_", "__kmpc_", "omp_", "ompc_", "kmp_", "kmpc_" };

	for (size_t i = 0; i < sizeof(begin) / sizeof(begin[0]); i++)
		if (strncmp(name, begin[i], strlen(begin[i])) == 0)
			return true;
	return false;
}

/* The text between two others, which ends where the second begins; NULL: they are not there. */
static char *between(char *line, const char *before, const char *after)
{
	char *from = strstr(line, before), *to = from ? strstr(from + strlen(before), after) : NULL;

	if (!to)
		return NULL;
	*to = '\0';
	return from + strlen(before);
}

/* The loader writes a path as it has found it. */
static const char *real_path(const char *path, char *room)
{
	return realpath(path, room) ? room : path;
}

static void take_binding(char *line, struct qtrun_uses *uses)
{
	char room[2][PATH_MAX], *name = between(line, "symbol `", "'"), *library, *user;

	if (!name || !is_name_of_openmp(name))
		return;
	library = between(line, "] to ", " [");
	user = between(line, "binding file ", " [");
	if (!library || !user || qtrun_needs_is_runtime(user) || strcmp(library, user) == 0)
		return;
	struct qtrun_use *u = use_of(uses, real_path(library, room[0]), real_path(user, room[1]));
	if (u->names++ == 0)
		u->name = copied(name);
}

static void take_mapped(char *line, struct qtrun_uses *uses)
{
	char room[PATH_MAX], *arrow = strstr(line, " => "), *path = arrow ? arrow + 4 : line + 1;
	char *address = strstr(path, " (0x");

	if (!address)
		return;
	*address = '\0';
	if (qtrun_needs_is_runtime(path))
		use_of(uses, real_path(path, room), NULL);
}

struct qtrun_uses qtrun_uses_list(const char *loader, const char *program, const char *preload)
{
	static const struct qtrun_setting all_at_once[] = {
		{ "LD_WARN", "yes" }, { "LD_BIND_NOW", "yes" }, { "LD_DEBUG", "bindings" }, { NULL, NULL },
	};
	struct qtrun_uses uses = { NULL, 0 };
	struct qtrun_trace trace;
	char *line;

	if (!qtrun_trace_begin(&trace, loader, program, preload, all_at_once))
		qtrun_fail(QTRUN_REFUSED, "%s: %s", loader, strerror(errno));
	while ((line = qtrun_trace_line(&trace)) != NULL)
		if (line[0] == '\t')
			take_mapped(line, &uses);
		else
			take_binding(line, &uses);
	qtrun_trace_end(&trace);
	return uses;
}

/* ---- What it says ----------------------------------------------------------------------------------------------- */

static bool is_library(const char *runtime, const char *library)
{
	char room[2][PATH_MAX];

	return strcmp(real_path(runtime, room[0]), real_path(library, room[1])) == 0;
}

const struct qtrun_use *qtrun_uses_other(const struct qtrun_uses *uses, const char *library)
{
	for (size_t i = 0; i < uses->n; i++)
		if (uses->use[i].user && !is_library(uses->use[i].runtime, library))
			return &uses->use[i];
	return NULL;
}

static bool is_first(const struct qtrun_uses *uses, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(uses->use[k].runtime, uses->use[i].runtime) == 0)
			return false;
	return true;
}

static void print_users(const struct qtrun_uses *uses, const char *runtime)
{
	bool any = false;

	for (size_t i = 0; i < uses->n; i++) {
		const struct qtrun_use *u = &uses->use[i];
		if (!u->user || strcmp(u->runtime, runtime) != 0)
			continue;
		if (u->names == 1)
			printf("\t%s: 1 name of it, %s\n", u->user, u->name);
		else
			printf("\t%s: %u names of it, %s first\n", u->user, u->names, u->name);
		any = true;
	}
	if (!any)
		puts("\tnobody uses it");
}

void qtrun_uses_print(const struct qtrun_uses *uses, const char *library)
{
	for (size_t i = 0; i < uses->n; i++) {
		if (!is_first(uses, i))
			continue;
		printf("%s%s\n", uses->use[i].runtime, is_library(uses->use[i].runtime, library) ? " (libqomp)" : "");
		print_users(uses, uses->use[i].runtime);
	}
	if (uses->n == 0)
		puts("no OpenMP runtime");
}
