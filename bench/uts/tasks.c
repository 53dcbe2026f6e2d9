/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Every node with children is a qthread.
 *
 * A node makes the digests of all its children.  A child without children is counted at once; each other
 * child is forked as soon as it is found, so that thieves need not wait for the rest.  Digests and return
 * words of the forked children lie in the parent's frame, which stays until it has read them all: newest
 * first, the order in which a last-in first-out scheduler would run them anyway. */
#include "uts/tree.h"

#include <stdlib.h>

#include <qthread/qthread.h>

struct child {
	uint8_t digest[UTS_DIGEST];
	union {
		aligned_t aligned;
		syncvar_t syncvar;
	} packed;
};

/* Of the walk in progress; there is one at a time.  Written before the first fork. */
static struct {
	uint32_t limit;
	unsigned m;
	enum uts_words words;
	bool failed; /* written by any task, read after the last */
} walk;

static aligned_t node(void *arg);

static bool fork_child(struct child *c)
{
	int rc;

	if (walk.words == UTS_ALIGNED) {
		rc = qthread_fork(node, c->digest, &c->packed.aligned);
	} else {
		c->packed.syncvar = SYNCVAR_INITIALIZER;
		rc = qthread_fork_syncvar(node, c->digest, &c->packed.syncvar);
	}
	if (rc != QTHREAD_SUCCESS)
		__atomic_store_n(&walk.failed, true, __ATOMIC_RELAXED);
	return rc == QTHREAD_SUCCESS;
}

static uint64_t join_child(struct child *c)
{
	uint64_t packed;

	if (walk.words == UTS_ALIGNED)
		qthread_readFF(&packed, &c->packed.aligned);
	else
		qthread_syncvar_readFF(&packed, &c->packed.syncvar);
	return packed;
}

/* The part that node and root share: n children into the room at kids. */
static uint64_t visit(const uint8_t *digest, unsigned n, uint64_t packed, struct child *kids)
{
	unsigned forked = 0;

	for (unsigned i = 0; i < n; i++)
		if (uts_child(digest, i, walk.limit, kids[forked].digest) && fork_child(&kids[forked]))
			forked++;
	while (forked > 0)
		packed = uts_add(packed, join_child(&kids[--forked]));
	return packed;
}

static aligned_t node(void *arg)
{
	struct child kids[UTS_MAX_FANOUT];

	return visit(arg, walk.m, uts_pack(1, 1), kids);
}

bool uts_walk_tasks(const struct uts_tree *t, enum uts_words words, struct uts_count *out)
{
	uint8_t digest[UTS_DIGEST];
	struct child *kids = calloc(t->b0, sizeof(*kids));

	if (!kids)
		return false;
	walk.limit = uts_limit(t);
	walk.m = t->m;
	walk.words = words;
	walk.failed = false;
	uts_root(t, digest);
	uts_count_from(t, visit(digest, t->b0, uts_pack(0, 1), kids), out);
	free(kids);
	return !walk.failed;
}
