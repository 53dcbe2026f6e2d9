/* tools/qtrun_needs.h -- which shared libraries the loader would bring.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TOOLS_QTRUN_NEEDS_H
#define QTI_TOOLS_QTRUN_NEEDS_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct qtrun_needs {
	bool listed;                    /* the loader could tell; else complaint says why, if it said so */
	bool in_front;                  /* the library is among them */
	char gomp[NAME_MAX + 1];        /* the first of each kind, empty: none */
	char llvm[NAME_MAX + 1];
	bool qthreads;                  /* libqthread, without libqomp */
	char missing[NAME_MAX + 1];     /* not found, libgomp apart */
	char complaint[512];
};

/* A run of the loader that maps the program and what it needs, and says so line by line; settings ends with a name
 * of NULL. */
struct qtrun_setting {
	const char *name, *value;
};

struct qtrun_trace {
	FILE *from;
	pid_t pid;
	char *line;
	size_t size;
};

bool qtrun_trace_begin(struct qtrun_trace *t, const char *loader, const char *program, const char *preload,
	const struct qtrun_setting *settings);
char *qtrun_trace_line(struct qtrun_trace *t);          /* without its end, until the next; NULL: there is none */
bool qtrun_trace_end(struct qtrun_trace *t);            /* whether the loader had no complaint */

/* Asks the loader, without running anything of the program or its libraries.  `preload` is the value of LD_PRELOAD,
 * NULL for none, `library` the path to look for. */
void qtrun_needs_list(const char *loader, const char *program, const char *preload, const char *library,
	struct qtrun_needs *needs);

#endif
