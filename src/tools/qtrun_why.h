/* tools/qtrun_why.h -- which OpenMP runtimes a program would have, and who would use which.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TOOLS_QTRUN_WHY_H
#define QTI_TOOLS_QTRUN_WHY_H

#include "tools/qtrun_uses.h"

/* Asks the loader, with `preload` as LD_PRELOAD, without running anything of the program or its libraries. */
struct qtrun_uses qtrun_uses_list(const char *loader, const char *program, const char *preload);

#endif
