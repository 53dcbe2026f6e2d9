/* tools/qtrun_image.h -- what a file is: ELF, a script, or neither.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TOOLS_QTRUN_IMAGE_H
#define QTI_TOOLS_QTRUN_IMAGE_H

#include <limits.h>
#include <stdbool.h>

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

#endif
