/* test/api/affine.h -- an operation that is associative but not commutative: whoever reorders is found out.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_API_AFFINE_H
#define QTI_TEST_API_AFFINE_H

#include <stdint.h>

/* x -> a x + b, modulo 2^64. */
struct affine {
	uint64_t a, b;
};

static inline void compose(void *restrict left, void const *restrict right)
{
	struct affine *l = left;
	const struct affine *r = right;

	l->b += l->a * r->b;
	l->a *= r->a;
}

#endif
