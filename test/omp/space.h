/* test/omp/space.h -- what a loop went through, and what it should have.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	space_begin();
 *	for (int i = 0; i < 10; i += 3)
 *		space_expect(i);
 *	#pragma omp parallel for
 *	for (int i = 0; i < 10; i += 3)
 *		space_visit(i);
 *	space_compare(false);           again, after further loops
 *	ok(space_good(), ...);
 */
#ifndef QTI_TEST_OMP_SPACE_H
#define QTI_TEST_OMP_SPACE_H

#include "tap.h"

#include <stdlib.h>
#include <string.h>

enum { SPACE_MOST = 4096 };

static unsigned long long space_expected[SPACE_MOST], space_visited[SPACE_MOST];
static int space_want, space_got, space_faults;

static inline void space_begin(void)
{
	space_want = space_got = space_faults = 0;
}

static inline void space_expect(unsigned long long i)
{
	if (space_want == SPACE_MOST)
		bail_out("a space of more than %d iterations", SPACE_MOST);
	space_expected[space_want++] = i;
}

static inline void space_visit(unsigned long long i)
{
	int at;

#pragma omp atomic capture
	at = space_got++;
	if (at < SPACE_MOST)
		space_visited[at] = i;
}

static int space_order(const void *a, const void *b)
{
	const unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;

	return x < y ? -1 : x > y;
}

/* Whether each was visited once; if in_order, one after another, which the expected ones need not be otherwise. */
static inline void space_compare(bool in_order)
{
	unsigned long long sorted[SPACE_MOST];
	const size_t size = sizeof(sorted[0]);

	memcpy(sorted, space_expected, (size_t)space_want * size);
	if (!in_order) {
		qsort(sorted, (size_t)space_want, size, space_order);
		if (space_got <= SPACE_MOST)
			qsort(space_visited, (size_t)space_got, size, space_order);
	}
	if (space_got != space_want) {
		diag("%d iterations, not %d", space_got, space_want);
		space_faults++;
	} else if (memcmp(sorted, space_visited, (size_t)space_want * size) != 0) {
		diag("%d iterations, but not those that were to be, or in another order", space_got);
		space_faults++;
	}
	space_got = 0;
}

static inline bool space_good(void)
{
	return space_faults == 0;
}

#endif
