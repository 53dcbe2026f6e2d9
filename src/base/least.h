/* base/least.h -- the least of numbers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_BASE_LEAST_H
#define QTI_BASE_LEAST_H

#include <stdint.h>

static inline uint64_t qti_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

#endif
