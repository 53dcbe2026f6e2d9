/* sync/sinc.h -- sincs: what a report of who waits needs of them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_SYNC_SINC_H
#define QTI_SYNC_SINC_H

#include <stddef.h>

/* The submissions that are outstanding at the sinc for whose word somebody waits (QTI_WAIT_SINC),
 * while that goes on. */
size_t qti_sinc_missing(const void *ready);

#endif
