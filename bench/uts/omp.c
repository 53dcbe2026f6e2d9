/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "uts/uts.h"

#include <stdlib.h>

struct child {
	struct uts_node node;
	uint64_t packed;
	bool inner;
};

/* Of the walk in progress.  Written before the region. */
static uint32_t limit;
static unsigned long manual_depth;
static bool failed; /* written by any task, read after the last */

static uint64_t node(const struct uts_node *n);

static void create_task(struct child *c)
{
	switch (bench_cutoff) {
	case BENCH_IF:
#pragma omp task default(none) firstprivate(c) if (c->node.depth <= uts_depth)
		c->packed = node(&c->node);
		break;
	case BENCH_FINAL:
#pragma omp task default(none) firstprivate(c) final(c->node.depth >= uts_depth) mergeable
		c->packed = node(&c->node);
		break;
	default:
#pragma omp task default(none) firstprivate(c)
		c->packed = node(&c->node);
	}
}

static uint64_t visit(const struct uts_node *of, unsigned n, uint64_t packed, struct child *kids)
{
	unsigned created = 0;

	for (unsigned i = 0; i < n; i++)
		if (uts_child_node(of, i, limit, &kids[created].node))
			create_task(&kids[created++]);
#pragma omp taskwait
	while (created > 0)
		packed = uts_add(packed, kids[--created].packed);
	return packed;
}

static uint64_t visit_all(const struct uts_node *of, unsigned n, uint64_t packed, struct child *kids)
{
	for (unsigned i = 0; i < n; i++) {
		kids[i].inner = uts_child_node(of, i, limit, &kids[i].node);
#pragma omp task default(none) untied firstprivate(i, kids)
		kids[i].packed = kids[i].inner ? node(&kids[i].node) : 0;
	}
#pragma omp taskwait
	while (n > 0)
		packed = uts_add(packed, kids[--n].packed);
	return packed;
}

static uint64_t node(const struct uts_node *n)
{
	struct child kids[UTS_MAX_FANOUT];
	uint64_t packed = 0;

	if (uts_leaves)
		return visit_all(n, uts_tree.m, uts_pack(1, 1), kids);
	if (n->depth < manual_depth)
		return visit(n, uts_tree.m, uts_pack(1, 1), kids);
	if (!uts_walk_below(&uts_tree, n->digest, uts_tree.m, &packed)) {
#pragma omp atomic write
		failed = true;
	}
	return packed;
}

static void parallel(void)
{
	struct uts_node root = { .depth = 0 };
	struct child *kids = calloc(uts_tree.b0, sizeof(*kids));
	uint64_t packed = 0;

	uts_walked = kids;
	if (!kids)
		return;
	limit = uts_limit(&uts_tree);
	manual_depth = uts_manual_depth();
	failed = false;
	uts_root(&uts_tree, root.digest);
#pragma omp parallel default(none) shared(root, kids, packed, uts_tree, uts_leaves)
#pragma omp single
	packed = (uts_leaves ? visit_all : visit)(&root, uts_tree.b0, uts_pack(0, 1), kids);
	uts_count_from(&uts_tree, packed, &uts_count);
	uts_walked = !failed;
	free(kids);
}

static const struct bench_option options[] = {
	{ "leaves", "every node is a task, leaves too, without any cut-off", BENCH_SWITCH, &uts_leaves, 0, 0, NULL },
	{ .name = NULL },
};

const struct bench_version bench_version = { .options = options, .parallel = parallel };
