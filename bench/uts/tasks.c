/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Every node with children is a qthread.
 *
 * A node makes the digests of all its children.  A child without children is counted at once; each other
 * child is forked as soon as it is found, so that thieves need not wait for the rest.  Digests and return
 * words of the forked children lie in the parent's frame, which stays until it has read them all: newest
 * first, the order in which a last-in first-out scheduler would run them anyway. */
#include "uts/tasks.h"
#include "common/must.h"

#include <stdlib.h>

#include <qthread/qthread.h>

const char *const uts_words_names[] = { "aligned", "syncvar", NULL };

struct child {
	struct uts_node node;
	union {
		aligned_t aligned;
		syncvar_t syncvar;
	} packed;
};

/* Of the walk in progress; there is one at a time.  Written before the first fork. */
static struct {
	const struct uts_tree *tree;
	uint32_t limit;
	unsigned long depth;
	enum uts_words words;
	struct uts_share *share; /* NULL: with nobody */
	bool failed;             /* written by any task, read after the last */
} walk;

static void fail(void)
{
	__atomic_store_n(&walk.failed, true, __ATOMIC_RELAXED);
}

static aligned_t node(void *arg);

static bool fork_child(struct child *c)
{
	int rc;

	if (walk.words == UTS_ALIGNED) {
		rc = qthread_fork(node, &c->node, &c->packed.aligned);
	} else {
		c->packed.syncvar = SYNCVAR_INITIALIZER;
		rc = qthread_fork_syncvar(node, &c->node, &c->packed.syncvar);
	}
	if (rc != QTHREAD_SUCCESS)
		fail();
	return rc == QTHREAD_SUCCESS;
}

static uint64_t join_child(struct child *c)
{
	uint64_t packed;

	if (walk.words == UTS_ALIGNED)
		must(qthread_readFF(&packed, &c->packed.aligned));
	else
		must(qthread_syncvar_readFF(&packed, &c->packed.syncvar));
	return packed;
}

static bool give_away(const struct uts_node *n)
{
	return walk.share && __atomic_load_n(&walk.share->wanted, __ATOMIC_RELAXED) && walk.share->take(n);
}

/* The part that node and root share: n children into the room at kids. */
static uint64_t visit(const struct uts_node *of, unsigned n, uint64_t packed, struct child *kids)
{
	unsigned forked = 0;

	for (unsigned i = 0; i < n; i++)
		if (uts_child_node(of, i, walk.limit, &kids[forked].node) && !give_away(&kids[forked].node) &&
			fork_child(&kids[forked]))
			forked++;
	while (forked > 0)
		packed = uts_add(packed, join_child(&kids[--forked]));
	return packed;
}

static aligned_t node(void *arg)
{
	const struct uts_node *n = arg;
	struct child kids[UTS_MAX_FANOUT];
	uint64_t packed = 0;

	if (n->depth < walk.depth)
		return visit(n, walk.tree->m, uts_pack(1, 1), kids);
	if (!uts_walk_below(walk.tree, n->digest, walk.tree->m, &packed))
		fail();
	return packed;
}

void uts_tasks_begin(const struct uts_tree *t, enum uts_words words, unsigned long depth, struct uts_share *share)
{
	walk.tree = t;
	walk.limit = uts_limit(t);
	walk.words = words;
	walk.depth = depth;
	walk.share = share;
	walk.failed = false;
}

uint64_t uts_tasks_below(const struct uts_node *n)
{
	return node((void *)n);
}

bool uts_tasks_end(void)
{
	return !walk.failed;
}

bool uts_walk_tasks(const struct uts_tree *t, enum uts_words words, unsigned long depth, struct uts_count *out)
{
	struct uts_node root = { .depth = 0 };
	struct child *kids = calloc(t->b0, sizeof(*kids));

	if (!kids)
		return false;
	uts_tasks_begin(t, words, depth, NULL);
	uts_root(t, root.digest);
	uts_count_from(t, visit(&root, t->b0, uts_pack(0, 1), kids), out);
	free(kids);
	return uts_tasks_end();
}
