/* tools/qtrun_uses.h -- a list of OpenMP runtimes in a process, and of who calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TOOLS_QTRUN_USES_H
#define QTI_TOOLS_QTRUN_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One of the program's files calls a runtime. */
struct qtrun_use {
	char *runtime, *user;           /* paths; user NULL: the runtime is there */
	long space;                     /* the loader's namespace in which the runtime is: not 0 after dlmopen */
	char **name;                    /* those that it calls, each once; none: it is linked with the runtime */
	size_t names;
	bool works;                     /* one of them has the runtime's threads work */
};

struct qtrun_uses {
	struct qtrun_use *use;
	size_t n;
};

/* Found or added; until the next call of it. */
struct qtrun_use *qtrun_use_of(struct qtrun_uses *uses, const char *runtime, long space, const char *user);
void qtrun_use_call(struct qtrun_use *u, const char *name);
void qtrun_uses_free(struct qtrun_uses *uses);

/* Whether the use's runtime is `library`, as the loader maps it where the program is. */
bool qtrun_use_is_ours(const struct qtrun_use *u, const char *library);

/* The first that calls another runtime than `library`; NULL: none. */
const struct qtrun_use *qtrun_uses_other(const struct qtrun_uses *uses, const char *library);

/* Of each runtime that has its threads work one use, in turn: the one after `last`, NULL for the first; NULL: that
 * was the last. */
const struct qtrun_use *qtrun_uses_next_pool(const struct qtrun_uses *uses, const struct qtrun_use *last);

/* By runtime. */
void qtrun_uses_print(const struct qtrun_uses *uses, const char *library, FILE *to);

#endif
