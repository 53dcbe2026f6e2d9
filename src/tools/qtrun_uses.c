/* tools/qtrun_uses.c -- see tools/qtrun_uses.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "tools/qtrun_uses.h"

#include "tools/qtrun_fail.h"
#include "tools/qtrun_names.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static char *copied(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		qtrun_fail(QTRUN_REFUSED, "%s", strerror(ENOMEM));
	return copy;
}

/* Room for one more. */
static void *grown(void *array, size_t n, size_t size)
{
	void *more = realloc(array, (n + 1) * size);

	if (!more)
		qtrun_fail(QTRUN_REFUSED, "%s", strerror(ENOMEM));
	return more;
}

/* The loader writes a path as it has found it. */
static const char *real_path(const char *path, char *room)
{
	return realpath(path, room) ? room : path;
}

static bool is_use_of(const struct qtrun_use *u, const char *runtime, long space, const char *user)
{
	return u->space == space && strcmp(u->runtime, runtime) == 0 &&
		(u->user && user ? strcmp(u->user, user) == 0 : !u->user && !user);
}

struct qtrun_use *qtrun_use_of(struct qtrun_uses *uses, const char *runtime, long space, const char *user)
{
	char room[2][PATH_MAX];

	runtime = real_path(runtime, room[0]);
	user = user ? real_path(user, room[1]) : NULL;
	for (size_t i = 0; i < uses->n; i++)
		if (is_use_of(&uses->use[i], runtime, space, user))
			return &uses->use[i];
	uses->use = grown(uses->use, uses->n, sizeof(*uses->use));
	uses->use[uses->n] = (struct qtrun_use){
		.runtime = copied(runtime), .user = user ? copied(user) : NULL, .space = space,
	};
	return &uses->use[uses->n++];
}

void qtrun_use_call(struct qtrun_use *u, const char *name)
{
	for (size_t i = 0; i < u->names; i++)
		if (strcmp(u->name[i], name) == 0)
			return;
	u->name = grown(u->name, u->names, sizeof(*u->name));
	u->name[u->names++] = copied(name);
	u->works |= qtrun_symbol_is_work(name);
}

void qtrun_uses_free(struct qtrun_uses *uses)
{
	for (size_t i = 0; i < uses->n; i++) {
		free(uses->use[i].runtime);
		free(uses->use[i].user);
		for (size_t k = 0; k < uses->use[i].names; k++)
			free(uses->use[i].name[k]);
		free(uses->use[i].name);
	}
	free(uses->use);
}

/* ---- What it says ----------------------------------------------------------------------------------------------- */

bool qtrun_use_is_ours(const struct qtrun_use *u, const char *library)
{
	char room[PATH_MAX];

	return u->space == 0 && strcmp(u->runtime, real_path(library, room)) == 0;
}

const struct qtrun_use *qtrun_uses_other(const struct qtrun_uses *uses, const char *library)
{
	for (size_t i = 0; i < uses->n; i++)
		if (uses->use[i].names > 0 && !qtrun_use_is_ours(&uses->use[i], library))
			return &uses->use[i];
	return NULL;
}

static bool is_same_runtime(const struct qtrun_use *a, const struct qtrun_use *b)
{
	return a->space == b->space && strcmp(a->runtime, b->runtime) == 0;
}

/* Among those that have threads work, or all. */
static bool is_first(const struct qtrun_uses *uses, size_t i, bool works)
{
	for (size_t k = 0; k < i; k++)
		if (uses->use[k].works >= works && is_same_runtime(&uses->use[k], &uses->use[i]))
			return false;
	return true;
}

const struct qtrun_use *qtrun_uses_next_pool(const struct qtrun_uses *uses, const struct qtrun_use *last)
{
	for (size_t i = last ? (size_t)(last - uses->use) + 1 : 0; i < uses->n; i++)
		if (uses->use[i].works && is_first(uses, i, true))
			return &uses->use[i];
	return NULL;
}

/* Those that have not called it, in a line: a package may have dozens of them. */
static void print_linked(const struct qtrun_uses *uses, const struct qtrun_use *runtime, FILE *to)
{
	const char *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < uses->n; i++) {
		const struct qtrun_use *u = &uses->use[i];
		if (!u->user || u->names > 0 || !is_same_runtime(u, runtime))
			continue;
		first = first ? first : u->user;
		n++;
	}
	if (n == 1)
		fprintf(to, "\t%s is linked with it\n", first);
	else if (n > 1)
		fprintf(to, "\t%zu files are linked with it, %s first\n", n, first);
}

static void print_users(const struct qtrun_uses *uses, const struct qtrun_use *runtime, FILE *to)
{
	bool called = false;

	for (size_t i = 0; i < uses->n; i++) {
		const struct qtrun_use *u = &uses->use[i];
		if (u->names == 0 || !is_same_runtime(u, runtime))
			continue;
		if (u->names == 1)
			fprintf(to, "\t%s: 1 name of it, %s\n", u->user, u->name[0]);
		else
			fprintf(to, "\t%s: %zu names of it, %s first\n", u->user, u->names, u->name[0]);
		called = true;
	}
	print_linked(uses, runtime, to);
	if (!called)
		fputs("\tnobody uses it\n", to);
}

void qtrun_uses_print(const struct qtrun_uses *uses, const char *library, FILE *to)
{
	for (size_t i = 0; i < uses->n; i++) {
		const struct qtrun_use *u = &uses->use[i];
		if (!is_first(uses, i, false))
			continue;
		fprintf(to, "%s%s%s\n", u->runtime, qtrun_use_is_ours(u, library) ? " (libqomp)" : "",
			u->space ? " (in a namespace of its own)" : "");
		print_users(uses, u, to);
	}
	if (uses->n == 0)
		fputs("no OpenMP runtime\n", to);
}
