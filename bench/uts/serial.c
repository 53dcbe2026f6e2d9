/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Without tasks.  The nodes that are still to be visited lie on a stack of our own: the deepest published tree has
 * 758,577 levels, and those below a cut-off are walked on the stack of a task. */
#include "uts/tree.h"

#include <stdlib.h>
#include <string.h>

/* Makes n children of *from, which may lie among them, and keeps those that have children. */
static size_t visit(const struct uts_node *from, unsigned n, uint32_t limit, struct uts_node *kids)
{
	const struct uts_node parent = *from;
	size_t kept = 0;

	for (unsigned i = 0; i < n; i++)
		kept += uts_child_node(&parent, i, limit, &kids[kept]);
	return kept;
}

bool uts_walk_below(const struct uts_tree *t, const uint8_t digest[UTS_DIGEST], unsigned children, uint64_t *packed)
{
	const uint32_t limit = uts_limit(t);
	size_t room = (size_t)children + 1024, n = 1;
	uint64_t inner = 0, height = 0;
	struct uts_node *stack = malloc(room * sizeof(*stack));

	if (!stack)
		return false;
	memcpy(stack[0].digest, digest, UTS_DIGEST);
	stack[0].depth = 0;
	for (unsigned m = children; n > 0; m = t->m) {
		const uint32_t depth = stack[--n].depth;
		height = depth + 1 > height ? depth + 1 : height;
		inner++;
		n += visit(&stack[n], m, limit, &stack[n]);
		if (n + UTS_MAX_FANOUT <= room)
			continue;
		struct uts_node *more = realloc(stack, 2 * room * sizeof(*stack));
		if (!more) {
			free(stack);
			return false;
		}
		room *= 2;
		stack = more;
	}
	free(stack);
	*packed = uts_pack(inner, height);
	return true;
}

bool uts_walk_serial(const struct uts_tree *t, struct uts_count *out)
{
	uint8_t digest[UTS_DIGEST];
	uint64_t packed;

	uts_root(t, digest);
	if (!uts_walk_below(t, digest, t->b0, &packed))
		return false;
	uts_count_from(t, packed - uts_pack(1, 0), out); /* the root is not one of the inner nodes */
	return true;
}
