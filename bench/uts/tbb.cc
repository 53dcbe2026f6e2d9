/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "uts/uts.h"

#include <atomic>
#include <new>
#include <vector>

#include <oneapi/tbb/task_group.h>

namespace
{

struct child {
	uts_node node;
	uint64_t packed;
};

/* Of the walk in progress.  Written before the first task. */
uint32_t limit;
unsigned long manual_depth;
std::atomic<bool> failed; /* written by any task, read after the last */

uint64_t node(const uts_node &n);

uint64_t visit(const uts_node &of, unsigned n, uint64_t packed, child *kids)
{
	oneapi::tbb::task_group group;
	unsigned created = 0;

	for (unsigned i = 0; i < n; i++) {
		child *c = &kids[created];
		if (!uts_child_node(&of, i, limit, &c->node))
			continue;
		group.run([c] { c->packed = node(c->node); });
		created++;
	}
	group.wait();
	while (created > 0)
		packed = uts_add(packed, kids[--created].packed);
	return packed;
}

uint64_t node(const uts_node &n)
{
	child kids[UTS_MAX_FANOUT];
	uint64_t packed = 0;

	if (n.depth < manual_depth)
		return visit(n, uts_tree.m, uts_pack(1, 1), kids);
	if (!uts_walk_below(&uts_tree, n.digest, uts_tree.m, &packed))
		failed = true;
	return packed;
}

void walk()
{
	uts_node root{};
	std::vector<child> kids(uts_tree.b0);

	limit = uts_limit(&uts_tree);
	manual_depth = uts_manual_depth();
	failed = false;
	uts_root(&uts_tree, root.digest);
	uts_count_from(&uts_tree, visit(root, uts_tree.b0, uts_pack(0, 1), kids.data()), &uts_count);
	uts_walked = !failed;
}

void parallel()
try {
	walk();
} catch (const std::bad_alloc &) {
	uts_walked = false;
}

} // namespace

const struct bench_version bench_version = { nullptr, nullptr, parallel };
