/* tools/qtrun.h -- what the parts of qtrun share.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands alone: nothing of the library is in the process that looks at a program and then becomes it.
 */
#ifndef QTI_TOOLS_QTRUN_H
#define QTI_TOOLS_QTRUN_H

#include <limits.h>
#include <stdbool.h>

/* Exit statuses of qtrun itself: those of env(1), but for the usage. */
enum qtrun_status {
	QTRUN_USAGE = 2,                /* an option or its value */
	QTRUN_REFUSED = 125,            /* the program would not run on libqomp */
	QTRUN_CANNOT_RUN = 126,         /* it is there, and is not a program or may not be run */
	QTRUN_NOT_FOUND = 127,
};

/* One line on stderr, and the end. */
_Noreturn void qtrun_fail(enum qtrun_status status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- qtrun_image.c: what a file is ------------------------------------------------------------------------------ */

enum qtrun_kind {
	QTRUN_UNREADABLE,               /* see errno */
	QTRUN_ELF,
	QTRUN_SCRIPT,                   /* begins with #! */
	QTRUN_OTHER,
};

struct qtrun_image {
	enum qtrun_kind kind;
	unsigned char bits, order;      /* ELF: EI_CLASS and EI_DATA */
	unsigned machine, type;         /* ELF: e_machine and e_type */
	char interpreter[PATH_MAX];     /* a script's, or the loader that a native ELF file names; empty: none */
	char argument[PATH_MAX];        /* what a script hands to its interpreter, empty: nothing */
};

enum qtrun_kind qtrun_image_read(const char *path, struct qtrun_image *image);

/* Whether code of the two can be in one process. */
bool qtrun_image_same_machine(const struct qtrun_image *a, const struct qtrun_image *b);

/* "64-bit x86-64" and the like, in a static buffer. */
const char *qtrun_image_machine(const struct qtrun_image *image);

/* ---- qtrun_needs.c: which shared libraries the loader would bring ----------------------------------------------- */

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

/* ---- qtrun_program.c: the file behind a name, and whether libqomp can be put in front of it --------------------- */

struct qtrun_preload {
	char *library;                  /* absolute */
	char *without, *with;           /* values of LD_PRELOAD: what there was, less the library, NULL if nothing; plus it */
};

/* As a shell would find it.  Ends qtrun if there is none.  To be freed. */
char *qtrun_program_find(const char *name);

/* Ends qtrun if `library` is no shared library for this machine. */
void qtrun_library_check(const char *library);

/* Ends qtrun if `program` could not be run with the library in front, or would not use it.  With `force` only what
 * would keep the library from the programs that this one starts counts. */
void qtrun_program_check(const char *program, const struct qtrun_preload *preload, bool force);

#endif
