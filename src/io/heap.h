/* io/heap.h -- a pairing heap of deadlines; its nodes belong to whoever waits.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Adding is O(1), taking the first O(log n) amortized (Fredman, Sedgewick, Sleator and Tarjan, The pairing heap,
 * Algorithmica 1986).  Needs no memory but the nodes.  Of equal deadlines the one added first comes first.  Not locked.
 * Checked by test/unit/heap.c.
 */
#ifndef QTI_IO_HEAP_H
#define QTI_IO_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qti_heap_node {
	uint64_t key;
	uint64_t order;                 /* of being added */
	struct qti_heap_node *child;    /* the first; none comes before its parent */
	struct qti_heap_node *sibling;  /* the next child of the same parent */
};

struct qti_heap {
	struct qti_heap_node *first;    /* NULL: empty */
	uint64_t added;
};

static inline bool qti_heap_before(const struct qti_heap_node *a, const struct qti_heap_node *b)
{
	return a->key < b->key || (a->key == b->key && a->order < b->order);
}

/* Two roots; the result's sibling is what it was. */
static inline struct qti_heap_node *qti_heap_meld(struct qti_heap_node *a, struct qti_heap_node *b)
{
	if (qti_heap_before(b, a)) {
		struct qti_heap_node *other = a;
		a = b;
		b = other;
	}
	b->sibling = a->child;
	a->child = b;
	return a;
}

static inline void qti_heap_add(struct qti_heap *h, struct qti_heap_node *n, uint64_t key)
{
	*n = (struct qti_heap_node){ .key = key, .order = h->added++ };
	h->first = h->first ? qti_heap_meld(h->first, n) : n;
}

/* The children in pairs from the first to the last, then the pairs from the last to the first. */
static inline struct qti_heap_node *qti_heap_take(struct qti_heap *h)
{
	struct qti_heap_node *taken = h->first, *pairs = NULL, *next;

	for (struct qti_heap_node *n = taken->child; n; n = next) {
		struct qti_heap_node *partner = n->sibling;
		next = partner ? partner->sibling : NULL;
		if (partner)
			n = qti_heap_meld(n, partner);
		n->sibling = pairs;
		pairs = n;
	}
	h->first = pairs;
	for (struct qti_heap_node *n = pairs ? pairs->sibling : NULL; n; n = next) {
		next = n->sibling;
		h->first = qti_heap_meld(h->first, n);
	}
	return taken;
}

#endif
