/* test/unit/keysort.c -- the serial sort by itself: all lengths, all shapes, its way out of bad luck, its stack.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/keysort.h"
#include "tap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100000, SHAPES = 12 };

static qti_key key[MOST], want[MOST];
static uint64_t seed = 1, state;

static uint64_t random_word(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static const char *const shape_name[SHAPES] = { "random", "sorted", "reversed", "all equal", "organ pipe", "two values",
	"few values", "sawtooth", "largest and smallest", "sorted but for one", "random in few bits", "all largest" };

static qti_key shaped(int shape, size_t i, size_t n)
{
	switch (shape) {
	case 0:
		return random_word();
	case 1:
		return i;
	case 2:
		return n - i;
	case 3:
		return 42;
	case 4:
		return i < n / 2 ? i : n - i;
	case 5:
		return random_word() % 2 + 5;
	case 6:
		return random_word() % 17 << 40;
	case 7:
		return i % 100;
	case 8:
		return random_word() % 2 ? UINT64_MAX : 0;
	case 9:
		return i == n / 2 ? 0 : i;
	case 10:
		return random_word() % n;
	default:
		return UINT64_MAX;
	}
}

static int compare(const void *a, const void *b)
{
	const qti_key x = *(const qti_key *)a, y = *(const qti_key *)b;

	return (x > y) - (x < y);
}

static void make(int shape, size_t n)
{
	state = seed * UINT64_C(0x9e3779b97f4a7c15) + n;
	state += !state;
	for (size_t i = 0; i < n; i++)
		want[i] = key[i] = shaped(shape, i, n);
	qsort(want, n, sizeof(*want), compare);
}

static bool sorted(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (key[i] != want[i]) {
			diag("%zu keys: the one at %zu is wrong", n, i);
			return false;
		}
	}
	return true;
}

static void sorts(int shape)
{
	bool right = true;

	for (size_t n = 0; n <= 300; n++) {
		make(shape, n);
		qti_keyrange_sort(qti_keyrange_all(key, n));
		right = sorted(n) && right;
	}
	make(shape, MOST);
	qti_keyrange_sort(qti_keyrange_all(key, MOST));
	ok(sorted(MOST) && right, "%s keys", shape_name[shape]);
}

/* With no patience, or little, heap sort takes over. */
static void sorts_by_heap(int shape)
{
	bool right = true;

	for (unsigned patience = 0; patience < 3; patience++) {
		for (size_t n = 33; n < 2000; n += 13) {
			struct qti_keyrange r = qti_keyrange_all(key, n);
			make(shape, n);
			r.patience = patience;
			qti_keyrange_sort(r);
			right = sorted(n) && right;
		}
	}
	ok(right, "%s keys, patience at an end", shape_name[shape]);
}

/* A part that never finds a good place to cut: the worst luck there can be. */
static unsigned parts;

static size_t part_badly(qti_key *k, size_t n, qti_key bound)
{
	size_t lowest = 0;

	(void)bound;
	parts++;
	for (size_t i = 1; i < n; i++)
		lowest = k[i] < k[lowest] ? i : lowest;
	const qti_key low = k[lowest];
	k[lowest] = k[0];
	k[0] = low;
	return 1;
}

static void patience_ends(void)
{
	struct qti_keyrange r = qti_keyrange_all(key, 10000), left;

	make(0, 10000);
	while (r.patience > 0 && parts < 1000)
		qti_keyrange_cut(&r, &left, part_badly);
	ok(parts < 20, "patience ends after %u bad cuts of 10000 keys", parts);
	qti_keyrange_sort(r);
	ok(sorted(10000), "and what is left is sorted");
}

/* What a cut promises: low keys, keys in their place, high keys. */
static void cuts(int shape)
{
	bool right = true;

	for (size_t n = 33; n < 3000; n += 57) {
		struct qti_keyrange r = qti_keyrange_all(key, n), left;
		make(shape, n);
		qti_keyrange_cut(&r, &left, qti_keys_part);
		const size_t begin = left.n, end = (size_t)(r.key - key);
		right = right && left.key == key && r.key + r.n == key + n && begin <= end && left.n + r.n < n + (begin > 0);
		for (size_t i = 0; right && i < begin; i++)
			right = key[i] < r.floor;
		for (size_t i = begin; right && i < end; i++)
			right = key[i] == want[i];
		for (size_t i = end; right && i < n; i++)
			right = key[i] >= r.floor;
	}
	ok(right, "%s keys are cut in two", shape_name[shape]);
}

int main(void)
{
	if (getenv("QTI_SEED"))
		seed = strtoull(getenv("QTI_SEED"), NULL, 0);
	diag("QTI_SEED=%llu", (unsigned long long)seed);
	plan(3 * SHAPES + 2);
	for (int shape = 0; shape < SHAPES; shape++) {
		sorts(shape);
		sorts_by_heap(shape);
		cuts(shape);
	}
	patience_ends();
	return done();
}
