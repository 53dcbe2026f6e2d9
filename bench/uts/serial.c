/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The serial twin: the same recursion without tasks, on a stack as deep as the deepest tree needs. */
#include "uts/tree.h"

#include <pthread.h>

/* About 150 bytes a level; the deepest published tree has 758,577 levels. */
#define STACK_BYTES ((size_t)512 << 20)

struct walk {
	const struct uts_tree *tree;
	uint32_t limit;
	unsigned m;
	uint64_t packed;
};

static uint64_t node(const struct walk *w, const uint8_t *digest)
{
	uint8_t child[UTS_DIGEST];
	uint64_t packed = uts_pack(1, 1);

	for (unsigned i = 0; i < w->m; i++)
		if (uts_child(digest, i, w->limit, child))
			packed = uts_add(packed, node(w, child));
	return packed;
}

static void *root(void *arg)
{
	struct walk *w = arg;
	uint8_t digest[UTS_DIGEST], child[UTS_DIGEST];

	uts_root(w->tree, digest);
	w->packed = uts_pack(0, 1);
	for (unsigned i = 0; i < w->tree->b0; i++)
		if (uts_child(digest, i, w->limit, child))
			w->packed = uts_add(w->packed, node(w, child));
	return NULL;
}

bool uts_walk_serial(const struct uts_tree *t, struct uts_count *out)
{
	struct walk w = { .tree = t, .limit = uts_limit(t), .m = t->m };
	pthread_attr_t attr;
	pthread_t thread;

	if (pthread_attr_init(&attr) != 0)
		return false;
	bool started =
		pthread_attr_setstacksize(&attr, STACK_BYTES) == 0 && pthread_create(&thread, &attr, root, &w) == 0;
	pthread_attr_destroy(&attr);
	if (!started)
		return false;
	pthread_join(thread, NULL);
	uts_count_from(t, w.packed, out);
	return true;
}
