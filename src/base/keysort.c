/* base/keysort.c -- see base/keysort.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/keysort.h"

#include "base/diag.h"

#include <stdbool.h>
#include <string.h>

/* ---- Few keys: a fixed sequence of merges */

static inline void pair_order(qti_key *x, qti_key *y)
{
	const qti_key low = *x < *y ? *x : *y;
	const qti_key high = *x < *y ? *y : *x;

	*x = low;
	*y = high;
}

static inline void four_order(qti_key *k)
{
	pair_order(&k[0], &k[1]);
	pair_order(&k[2], &k[3]);
	pair_order(&k[0], &k[2]);
	pair_order(&k[1], &k[3]);
	pair_order(&k[1], &k[2]);
}

/* Merge two runs of `half` keys each, one after the other, from both ends at once.  Either end hands out half of the
 * keys, so neither runs past its two runs: no bounds to look at, and two chains of work that do not wait for each
 * other. */
static inline void runs_merge(const qti_key *from, size_t half, qti_key *to)
{
	const qti_key *x = from, *y = from + half, *xe = y - 1, *ye = y + half - 1;

	for (size_t i = 0; i < half; i++) {
		const bool second = *y < *x;
		to[i] = second ? *y : *x;
		y += second;
		x += !second;

		const bool first = *ye < *xe;
		to[2 * half - 1 - i] = first ? *xe : *ye;
		xe -= first;
		ye -= !first;
	}
}

static inline void runs_merge_all(const qti_key *from, size_t half, qti_key *to, size_t n)
{
	for (size_t i = 0; i < n; i += 2 * half)
		runs_merge(from + i, half, to + i);
}

/* The largest key of all fills up what is missing to 8, 16 or 32 and ends up behind the others. */
static void small_sort(qti_key *key, size_t n)
{
	qti_key a[QTI_KEYSORT_SMALL], b[QTI_KEYSORT_SMALL];
	const size_t full = n <= 8 ? 8 : n <= 16 ? 16 : 32;
	const qti_key *sorted = b;

	memcpy(a, key, n * sizeof(*a));
	for (size_t i = n; i < full; i++)
		a[i] = UINT64_MAX;
	for (size_t i = 0; i < full; i += 4)
		four_order(a + i);
	runs_merge_all(a, 4, b, full);
	if (full > 8) {
		runs_merge_all(b, 8, a, full);
		sorted = a;
	}
	if (full > 16) {
		runs_merge_all(a, 16, b, full);
		sorted = b;
	}
	memcpy(key, sorted, n * sizeof(*key));
}

/* ---- No luck with pivots: heap sort */

static void heap_sift(qti_key *key, size_t n, size_t at)
{
	const qti_key k = key[at];
	size_t child;

	while ((child = 2 * at + 1) < n) {
		child += child + 1 < n && key[child] < key[child + 1];
		if (key[child] <= k)
			break;
		key[at] = key[child];
		at = child;
	}
	key[at] = k;
}

static void heap_sort(qti_key *key, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		heap_sift(key, n, i);
	for (size_t i = n; i-- > 1;) {
		const qti_key largest = key[0];
		key[0] = key[i];
		key[i] = largest;
		heap_sift(key, i, 0);
	}
}

/* ---- Cutting */

/* Each key goes to the end of the front part and what was there takes its place; only the length of that part depends
 * on the key, and that without a branch. */
size_t qti_keys_part(qti_key *key, size_t n, qti_key bound)
{
	size_t below = 0;

	for (size_t i = 0; i < n; i++) {
		const qti_key k = key[i];
		key[i] = key[below];
		key[below] = k;
		below += k < bound;
	}
	return below;
}

/* The median of a few keys from anywhere in the range: more of them, the longer the range.  The places look random but
 * depend on the length alone. */
static qti_key pivot_choose(const qti_key *key, size_t n)
{
	qti_key sample[QTI_KEYSORT_SMALL];
	const size_t count = n < 256 ? 3 : n < 4096 ? 15 : 31;
	uint64_t random = n;

	for (size_t i = 0; i < count; i++) {
		random = random * UINT64_C(0xd1342543de82ef95) + 1;
		sample[i] = key[(size_t)((unsigned __int128)random * n >> 64)];
	}
	small_sort(sample, count);
	return sample[count / 2];
}

struct qti_keyrange qti_keyrange_all(qti_key *key, size_t n)
{
	const unsigned log2n = n ? 63 - (unsigned)__builtin_clzll(n) : 0;

	return (struct qti_keyrange){ .key = key, .n = n, .floor = 0, .patience = log2n };
}

void qti_keyrange_cut(struct qti_keyrange *r, struct qti_keyrange *left, qti_keys_part_f part)
{
	QTI_ASSERT(r->n > QTI_KEYSORT_SMALL);
	const size_t n = r->n;
	const qti_key pivot = pivot_choose(r->key, n);
	/* A pivot that is the floor has nothing below it. */
	const size_t below = pivot > r->floor ? part(r->key, n, pivot) : 0;
	size_t done = below;

	/* With low keys, the pivot's equals are left among the high ones.  Without, they have to go, or the high keys
	 * would never become fewer. */
	if (below == 0)
		done = pivot < UINT64_MAX ? part(r->key, n, pivot + 1) : n;
	const size_t longer = below > n - done ? below : n - done;

	if (longer > n - n / 8 && r->patience > 0)
		r->patience--;
	*left = *r;
	left->n = below;
	r->key += done;
	r->n -= done;
	r->floor = pivot;
}

void qti_keyrange_sort(struct qti_keyrange r)
{
	while (r.n > QTI_KEYSORT_SMALL && r.patience > 0) {
		struct qti_keyrange left;
		qti_keyrange_cut(&r, &left, qti_keys_part);
		/* The shorter one has less than half of the keys: the stack is as deep as the logarithm. */
		if (left.n < r.n) {
			qti_keyrange_sort(left);
		} else {
			qti_keyrange_sort(r);
			r = left;
		}
	}
	if (r.n <= QTI_KEYSORT_SMALL)
		small_sort(r.key, r.n);
	else
		heap_sort(r.key, r.n);
}
