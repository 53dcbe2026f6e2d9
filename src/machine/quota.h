/* machine/quota.h -- how many CPUs' worth of time control groups grant this process.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_MACHINE_QUOTA_H
#define QTI_MACHINE_QUOTA_H

#include "base/shared.h"

/* The smallest CPU bandwidth limit from the process's control group up to the root that is visible, in CPUs, rounded
 * up; 0 if there is none, UINT_MAX when out of memory.  root: "", or a directory that holds proc/ and what its
 * mountinfo names. */
QTI_SHARED unsigned qti_quota_cpus(const char *root);

#endif
