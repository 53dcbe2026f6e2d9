/* test/unit/heap.c -- the heap of deadlines gives them back in order, whatever the order they came in.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "io/heap.h"
#include "stress/stress.h"

enum { N = 3000, ROUNDS = 30 };

static struct qti_heap_node nodes[N];

static bool comes_out_in_order(const uint64_t *keys, unsigned n)
{
	struct qti_heap h = { .first = NULL };
	struct qti_heap_node *before = NULL;
	unsigned taken = 0;

	for (unsigned i = 0; i < n; i++)
		qti_heap_add(&h, &nodes[i], keys[i]);
	while (h.first) {
		struct qti_heap_node *t = qti_heap_take(&h);
		/* Nodes lie in the order of being added. */
		if (before && (before->key > t->key || (before->key == t->key && before > t)))
			return false;
		before = t;
		taken++;
	}
	return taken == n;
}

static void whole(void)
{
	static uint64_t keys[N];
	uint64_t random = stress_state(0);
	bool good = true;

	for (unsigned i = 0; i < N; i++)
		keys[i] = i;
	ok(comes_out_in_order(keys, N), "rising keys");
	for (unsigned i = 0; i < N; i++)
		keys[i] = N - i;
	ok(comes_out_in_order(keys, N), "falling keys");
	memset(keys, 0, sizeof(keys));
	ok(comes_out_in_order(keys, N), "equal keys come out as they came in");
	for (unsigned round = 0; good && round < ROUNDS; round++) {
		unsigned n = stress_random(&random, N);
		for (unsigned i = 0; i < n; i++)
			keys[i] = stress_random(&random, 1 + n / 2);
		good = comes_out_in_order(keys, n);
	}
	ok(good, "random keys, many of them equal");
}

/* The smallest of a set that is searched the simple way. */
static struct qti_heap_node *search(struct qti_heap_node **in, unsigned n, unsigned *at)
{
	for (unsigned i = *at = 0; i < n; i++)
		if (qti_heap_before(in[i], in[*at]))
			*at = i;
	return in[*at];
}

static void mixed(void)
{
	static struct qti_heap_node *in[N], *spare[N];
	struct qti_heap h = { .first = NULL };
	unsigned nin = 0, nspare = N, at;
	uint64_t random = stress_state(1);
	bool good = true;

	for (unsigned i = 0; i < N; i++)
		spare[i] = &nodes[i];
	for (unsigned step = 0; good && step < 4 * N; step++) {
		if (nspare > 0 && (nin == 0 || stress_random(&random, 5) < 3)) {
			struct qti_heap_node *n = spare[--nspare];
			qti_heap_add(&h, n, stress_random(&random, 100));
			in[nin++] = n;
		} else {
			struct qti_heap_node *least = search(in, nin, &at), *t = qti_heap_take(&h);
			good = t == least;
			spare[nspare++] = t;
			in[at] = in[--nin];
		}
	}
	ok(good && (h.first != NULL) == (nin != 0), "adding and taking by turns");
}

int main(void)
{
	plan(5);
	stress_say(ROUNDS);
	whole();
	mixed();
	return done();
}
