/* tools/qtrun_needs.h -- which shared libraries the loader would bring.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TOOLS_QTRUN_NEEDS_H
#define QTI_TOOLS_QTRUN_NEEDS_H

#include <limits.h>
#include <stdbool.h>

struct qtrun_needs {
	bool listed;                    /* the loader could tell; else complaint says why, if it said so */
	bool in_front;                  /* the library is among them */
	char gomp[NAME_MAX + 1];        /* the first of each kind, empty: none */
	char llvm[NAME_MAX + 1];
	char missing[NAME_MAX + 1];     /* not found, libgomp apart */
	char complaint[512];
};

/* Asks the loader, without running anything of the program or its libraries.  `preload` is the value of LD_PRELOAD,
 * NULL for none, `library` the path to look for. */
void qtrun_needs_list(const char *loader, const char *program, const char *preload, const char *library,
	struct qtrun_needs *needs);

#endif
