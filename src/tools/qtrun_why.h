/* tools/qtrun_why.h -- which OpenMP runtimes a program would have, and who uses which.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TOOLS_QTRUN_WHY_H
#define QTI_TOOLS_QTRUN_WHY_H

#include <stdbool.h>
#include <stddef.h>

/* One of the program's files calls a runtime. */
struct qtrun_use {
	char *runtime, *user;           /* paths; user NULL: the runtime is there */
	char *name;                     /* one of those that it calls */
	unsigned names;
};

struct qtrun_uses {
	struct qtrun_use *use;
	size_t n;
};

/* Asks the loader, with `preload` as LD_PRELOAD, without running anything of the program or its libraries. */
struct qtrun_uses qtrun_uses_list(const char *loader, const char *program, const char *preload);
void qtrun_uses_free(struct qtrun_uses *uses);

/* The first that calls another runtime than `library`; NULL: none. */
const struct qtrun_use *qtrun_uses_other(const struct qtrun_uses *uses, const char *library);

/* To stdout, by runtime. */
void qtrun_uses_print(const struct qtrun_uses *uses, const char *library);

#endif
