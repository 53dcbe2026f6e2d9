/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "uts/tree.h"

#include <inttypes.h>
#include <math.h>
#include <nettle/sha1.h>
#include <stdio.h>
#include <string.h>

const char *const uts_tree_names[] = { "a", "b", "t3l", "tiny", "small", NULL };

static const struct uts_tree trees[] = {
	{ .b0 = 2000, .q = 0.124875, .m = 8, .seed = 42, .nodes = 4112897, .depth = 1572, .leaves = 3599034 },
	{ .b0 = 2000, .q = 0.333332, .m = 3, .seed = 8, .nodes = 30399117, .depth = 6974, .leaves = 20266744 },
	{ .b0 = 2000, .q = 0.200014, .m = 5, .seed = 7, .nodes = 111345631, .depth = 17844, .leaves = 89076904 },
	{ .b0 = 2000, .q = 0.12, .m = 8, .seed = 3, .nodes = 56033, .depth = 87, .leaves = 49278 },
	{ .b0 = 2000, .q = 0.1248, .m = 8, .seed = 5, .nodes = 612201, .depth = 448, .leaves = 535925 },
};

const struct uts_tree *uts_tree_named(unsigned index)
{
	return &trees[index];
}

const char *uts_tree_read(struct uts_tree *t, const char *path)
{
	unsigned granularity;
	FILE *f = fopen(path, "r");

	if (!f)
		return "cannot be read";
	memset(t, 0, sizeof(*t));
	int got = fscanf(f, "%u %lf %u %" SCNu32 " %u %" SCNu64 " %" SCNu64 " %" SCNu64, &t->b0, &t->q, &t->m, &t->seed,
		&granularity, &t->nodes, &t->depth, &t->leaves);
	fclose(f);
	if (got < 5)
		return "does not begin with: b0 q m seed granularity";
	if (granularity != 1)
		return "has a granularity other than 1";
	/* Published files write 1 for a figure that nobody knew. */
	if (t->depth <= 1)
		t->depth = 0;
	if (t->leaves <= 1)
		t->leaves = 0;
	return NULL;
}

const char *uts_tree_problem(const struct uts_tree *t)
{
	if (t->m < 1 || t->m > UTS_MAX_FANOUT)
		return "m must be between 1 and 8";
	/* Above 1 a tree need not end; some published ones lie a hair above it and do. */
	if (!(t->q >= 0) || t->q * t->m > 1.001)
		return "q * m must not be above 1, or the tree may have no end";
	if (t->b0 < 1 || t->b0 > 1000000)
		return "b0 must be between 1 and 1000000";
	return NULL;
}

uint32_t uts_limit(const struct uts_tree *t)
{
	return (uint32_t)ceil(t->q * 2147483648.0);
}

static void put_be32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

/* Out of line so that the hash context is gone from the stack again when a node recurses. */
__attribute__((noinline)) static void digest_of(const uint8_t *prefix, size_t len, uint32_t i, uint8_t *digest)
{
	struct sha1_ctx ctx;
	uint8_t number[4];

	put_be32(number, i);
	sha1_init(&ctx);
	sha1_update(&ctx, len, prefix);
	sha1_update(&ctx, sizeof(number), number);
	sha1_digest(&ctx, UTS_DIGEST, digest);
}

void uts_root(const struct uts_tree *t, uint8_t digest[UTS_DIGEST])
{
	static const uint8_t zeros[16];

	digest_of(zeros, sizeof(zeros), t->seed, digest);
}

bool uts_child(const uint8_t parent[UTS_DIGEST], uint32_t i, uint32_t limit, uint8_t digest[UTS_DIGEST])
{
	digest_of(parent, UTS_DIGEST, i, digest);
	const uint8_t *p = digest + UTS_DIGEST - 4;
	uint32_t chance = ((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]) & 0x7fffffff;
	return chance < limit;
}

void uts_count_from(const struct uts_tree *t, uint64_t packed, struct uts_count *out)
{
	out->nodes = 1 + t->b0 + t->m * uts_inner(packed);
	out->leaves = out->nodes - 1 - uts_inner(packed);
	out->depth = uts_height(packed);
}

bool uts_count_check(const struct uts_tree *t, const struct uts_count *count, char *why, size_t size)
{
	if ((!t->nodes || count->nodes == t->nodes) && (!t->depth || count->depth == t->depth) &&
		(!t->leaves || count->leaves == t->leaves))
		return true;
	snprintf(why, size,
		"%" PRIu64 " nodes, depth %" PRIu64 ", %" PRIu64 " leaves; right is %" PRIu64 ", %" PRIu64 ", %" PRIu64,
		count->nodes, count->depth, count->leaves, t->nodes, t->depth, t->leaves);
	return false;
}
