/* base/keysort.h -- sorting of 64-bit keys, in place, by one thread.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Quicksort whose inner loops have no branch that depends on a key.  Equal keys are set aside together, so that k
 * different keys cost n log k.  A range whose pivots turned out badly too often is finished by heap sort: n log n
 * whatever the keys.  The stack grows with log n; no memory is taken.
 *
 * api/sort.c cuts large ranges itself, so that different workers can sort the parts.
 */
#ifndef QTI_BASE_KEYSORT_H
#define QTI_BASE_KEYSORT_H

#include <stddef.h>
#include <stdint.h>

/* A key may be the memory of a double. */
typedef uint64_t __attribute__((may_alias)) qti_key;

struct qti_keyrange {
	qti_key *key;
	size_t n;
	qti_key floor;                  /* no key is less */
	unsigned patience;              /* so many bad cuts more are put up with */
};

enum { QTI_KEYSORT_SMALL = 32 };        /* shorter ranges are not worth cutting; nor are they to be cut */

/* The whole of an array of which nothing is known. */
struct qti_keyrange qti_keyrange_all(qti_key *key, size_t n);

/* Move the keys less than `bound` to the front; returns how many they are. */
typedef size_t (*qti_keys_part_f)(qti_key *key, size_t n, qti_key bound);

/* One that does it alone. */
size_t qti_keys_part(qti_key *key, size_t n, qti_key bound);

/* Cut *r, longer than QTI_KEYSORT_SMALL, in two, by means of `part`: *left gets the low keys, perhaps none, and *r
 * keeps the high ones, perhaps none.  What lies between the two is in its place for good. */
void qti_keyrange_cut(struct qti_keyrange *r, struct qti_keyrange *left, qti_keys_part_f part);

/* Sort a range. */
void qti_keyrange_sort(struct qti_keyrange r);

#endif
