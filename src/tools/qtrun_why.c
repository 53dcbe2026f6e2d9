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
#include "tools/qtrun_names.h"
#include "tools/qtrun_needs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The text between two others, which ends where the second begins; NULL: they are not there. */
static char *between(char *line, const char *before, const char *after)
{
	char *from = strstr(line, before), *to = from ? strstr(from + strlen(before), after) : NULL;

	if (!to)
		return NULL;
	*to = '\0';
	return from + strlen(before);
}

static void take_binding(char *line, struct qtrun_uses *uses)
{
	char *name = between(line, "symbol `", "'"), *library, *user;

	if (!name || !qtrun_symbol_is_openmp(name))
		return;
	library = between(line, "] to ", " [");
	user = between(line, "binding file ", " [");
	if (library && user && !qtrun_path_is_runtime(user) && strcmp(library, user) != 0)
		qtrun_use_call(qtrun_use_of(uses, library, 0, user), name);
}

static void take_mapped(char *line, struct qtrun_uses *uses)
{
	char *arrow = strstr(line, " => "), *path = arrow ? arrow + 4 : line + 1;
	char *address = strstr(path, " (0x");

	if (!address)
		return;
	*address = '\0';
	if (qtrun_path_is_runtime(path))
		qtrun_use_of(uses, path, 0, NULL);
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
