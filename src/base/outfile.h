/* base/outfile.h -- opening a file to write by a name that others may know, in a directory where others may write.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A link is not followed, and what is already there is only taken if it is a file of this user under no second name.
 */
#ifndef QTI_BASE_OUTFILE_H
#define QTI_BASE_OUTFILE_H

#include "base/shared.h"

/* flags: as for open(2), how to write and how to go on; it is created if need be.  -1: errno says why. */
QTI_SHARED int qti_outfile_open(const char *name, int flags);

#endif
