/* tools/qtrun_report.c -- see tools/qtrun_report.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "tools/qtrun_report.h"

#include "tools/qtrun_fail.h"
#include "tools/qtrun_uses.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 7 };

/* One program in one process. */
struct image {
	const char *id, *file;
	struct qtrun_uses uses;
};

/* One line of the log, as far as it is about runtimes. */
struct line {
	size_t image;
	const char *field[FIELDS_MAX];                  /* NULL from the first that it has not */
};

struct report {
	struct image *images;
	struct line *lines;
	size_t nimages, nlines;
	const char *library;
};

static void *grown(void *array, size_t n, size_t size)
{
	void *more = realloc(array, (n + 1) * size);

	if (!more)
		qtrun_fail(QTRUN_REFUSED, "%s", strerror(ENOMEM));
	return more;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static void take_fields(char *text, const char **field)
{
	for (unsigned i = 0; i < FIELDS_MAX; i++)
		field[i] = text ? strsep(&text, "\t") : NULL;
}

/* A process may become another program: its last is meant. */
static bool image_find(const struct report *r, const char *id, size_t *found)
{
	for (size_t i = r->nimages; i-- > 0;)
		if (strcmp(r->images[i].id, id) == 0) {
			*found = i;
			return true;
		}
	return false;
}

static void take_line(struct report *r, char *text)
{
	struct line line = { 0 };

	take_fields(text, line.field);
	if (!line.field[1] || !line.field[2])
		return;
	if (strcmp(line.field[0], "program") == 0) {
		r->images = grown(r->images, r->nimages, sizeof(*r->images));
		r->images[r->nimages++] = (struct image){ .id = line.field[1], .file = line.field[2] };
	} else if (line.field[4] && image_find(r, line.field[1], &line.image)) {
		r->lines = grown(r->lines, r->nlines, sizeof(*r->lines));
		r->lines[r->nlines++] = line;
	}
}

static bool is_line(const struct line *l, const char *what)
{
	return strcmp(l->field[0], what) == 0;
}

/* ---- Uses ------------------------------------------------------------------------------------------------------- */

static const char *user_of(const struct report *r, const struct line *l)
{
	return l->field[3][0] ? l->field[3] : r->images[l->image].file;
}

/* Whether the loader takes the runtime for what is asked for by this name. */
static bool is_called(const struct line *runtime, const char *soname)
{
	const char *slash = strrchr(runtime->field[3], '/');

	return strcmp(runtime->field[4], soname) == 0 || strcmp(slash ? slash + 1 : runtime->field[3], soname) == 0;
}

/* The library in front has other names beside it, which are links. */
static bool is_other_name(const char *library, const char *soname)
{
	const char *slash = strrchr(library, '/');
	char path[PATH_MAX], room[2][PATH_MAX];
	int length = snprintf(path, sizeof(path), "%.*s/%s", slash ? (int)(slash - library) : 0, library, soname);

	return length < (int)sizeof(path) && realpath(path, room[0]) && realpath(library, room[1]) &&
		strcmp(room[0], room[1]) == 0;
}

static void take_need(struct report *r, const struct line *need)
{
	struct qtrun_uses *uses = &r->images[need->image].uses;
	const char *soname = need->field[4];
	long space = atol(need->field[2]);

	for (size_t i = 0; i < r->nlines; i++) {
		const struct line *l = &r->lines[i];
		if (l->image == need->image && is_line(l, "runtime") && atol(l->field[2]) == space &&
		    is_called(l, soname)) {
			qtrun_use_of(uses, l->field[3], space, user_of(r, need));
			return;
		}
	}
	if (space == 0 && is_other_name(r->library, soname))
		qtrun_use_of(uses, r->library, space, user_of(r, need));
}

static void uses_find(struct report *r)
{
	for (size_t i = 0; i < r->nlines; i++) {
		const struct line *l = &r->lines[i];
		struct qtrun_uses *uses = &r->images[l->image].uses;
		if (is_line(l, "runtime"))
			qtrun_use_of(uses, l->field[3], atol(l->field[2]), NULL);
		else if (is_line(l, "needs"))
			take_need(r, l);
		else if (is_line(l, "binds") && l->field[6])
			qtrun_use_call(qtrun_use_of(uses, l->field[5], atol(l->field[4]), user_of(r, l)), l->field[6]);
	}
}

/* ---- What it says ----------------------------------------------------------------------------------------------- */

/* A program with the library in front alone has nothing to do with OpenMP. */
static bool is_of_interest(const struct image *image, const char *library)
{
	for (size_t i = 0; i < image->uses.n; i++)
		if (image->uses.use[i].user || !qtrun_use_is_ours(&image->uses.use[i], library))
			return true;
	return false;
}

static void print_pools(const struct image *image, const char *library, FILE *to)
{
	const struct qtrun_use *first = qtrun_uses_next_pool(&image->uses, NULL), *pool = first;

	fprintf(to, "qtrun: %s (process %s): ", image->file, image->id);
	if (!pool) {
		fputs("no OpenMP runtime at work\n", to);
	} else if (qtrun_uses_next_pool(&image->uses, pool)) {
		fputs("several OpenMP runtimes at work, with threads of its own each: ", to);
		for (; pool; pool = qtrun_uses_next_pool(&image->uses, pool))
			fprintf(to, "%s%s", pool == first ? "" : ", ", pool->runtime);
		fputc('\n', to);
	} else if (qtrun_use_is_ours(pool, library)) {
		fputs("one OpenMP runtime at work: libqomp\n", to);
	} else {
		fprintf(to, "one OpenMP runtime at work: %s, which is not libqomp\n", pool->runtime);
	}
	qtrun_uses_print(&image->uses, library, to);
}

void qtrun_report(char *text, const char *program, const char *library, FILE *to)
{
	struct report r = { .library = library };
	bool any = false;
	char *line;

	while ((line = strsep(&text, "\n")) != NULL)
		take_line(&r, line);
	uses_find(&r);
	for (size_t i = 0; i < r.nimages; i++)
		if (is_of_interest(&r.images[i], library)) {
			print_pools(&r.images[i], library, to);
			any = true;
		}
	if (!any && r.nimages > 0)
		print_pools(&r.images[0], library, to);
	else if (!any)
		fprintf(to, "qtrun: %s: its loader has told nothing\n", program);
	for (size_t i = 0; i < r.nimages; i++)
		qtrun_uses_free(&r.images[i].uses);
	free(r.images);
	free(r.lines);
}
