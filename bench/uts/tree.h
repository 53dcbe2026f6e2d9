/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Unbalanced tree search: counting the nodes of a tree that exists only as a hash function.
 *
 * A node is a 20-byte SHA-1 digest.  Child i is the digest of its parent's 20 bytes followed by i as
 * four big-endian bytes; the root is the digest of sixteen zero bytes followed by the seed likewise.
 * The tree is binomial: the root has b0 children, any other node has m with probability q, else none;
 * a node's chance is its last four bytes, big-endian, with the top bit cleared, over 2^31. */
#ifndef BENCH_UTS_TREE_H
#define BENCH_UTS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { UTS_DIGEST = 20, UTS_MAX_FANOUT = 8 };

struct uts_tree {
	unsigned b0, m;
	double q;
	uint32_t seed;
	uint64_t nodes, depth, leaves; /* the known answer; 0 where none is known */
};

struct uts_count {
	uint64_t nodes, depth, leaves; /* depth: the root has 0 */
};

/* A node as its parent hands it to a task. */
struct uts_node {
	uint8_t digest[UTS_DIGEST];
	uint32_t depth; /* the root has 0 */
};

extern const char *const uts_tree_names[]; /* "a", "b", "t3l", "tiny", "small"; ended by NULL */
const struct uts_tree *uts_tree_named(unsigned index);
/* Reads a parameter file: b0 q m seed granularity [nodes depth leaves], then comments.
 * Returns NULL, or what is wrong with it. */
const char *uts_tree_read(struct uts_tree *t, const char *path);
/* NULL when t can be walked, else why not. */
const char *uts_tree_problem(const struct uts_tree *t);

/* Hashes every node once and fills *out; false when memory ran out. */
bool uts_walk_serial(const struct uts_tree *t, struct uts_count *out);
/* What a node with so many children reports, without tasks; false when memory ran out. */
bool uts_walk_below(const struct uts_tree *t, const uint8_t digest[UTS_DIGEST], unsigned children, uint64_t *packed);

/* Does count agree with what is known of t?  When not, says so in why. */
bool uts_count_check(const struct uts_tree *t, const struct uts_count *count, char *why, size_t size);

/* Shared by the walks.  The threshold below which a node has children. */
uint32_t uts_limit(const struct uts_tree *t);
void uts_count_from(const struct uts_tree *t, uint64_t packed, struct uts_count *out);
void uts_root(const struct uts_tree *t, uint8_t digest[UTS_DIGEST]);
/* Makes child i of parent; true when it has children itself. */
bool uts_child(const uint8_t parent[UTS_DIGEST], uint32_t i, uint32_t limit, uint8_t digest[UTS_DIGEST]);

static inline bool uts_child_node(const struct uts_node *parent, uint32_t i, uint32_t limit, struct uts_node *child)
{
	child->depth = parent->depth + 1;
	return uts_child(parent->digest, i, limit, child->digest);
}

/* What a node with children reports, in 60 bits so that it fits a syncvar: how many nodes of its subtree have
 * children (low 40 bits) and the subtree's height.  Each such node but the root has m children, so that
 * nodes = 1 + b0 + m * inner and leaves = nodes - 1 - inner, the root not counted among the inner ones. */
static inline uint64_t uts_inner(uint64_t packed)
{
	return packed & ((UINT64_C(1) << 40) - 1);
}

static inline uint64_t uts_height(uint64_t packed)
{
	return packed >> 40;
}

static inline uint64_t uts_pack(uint64_t inner, uint64_t height)
{
	return height << 40 | inner;
}

/* The report of a node once one more child has reported. */
static inline uint64_t uts_add(uint64_t node, uint64_t child)
{
	uint64_t below = uts_height(child) + 1;

	return uts_pack(uts_inner(node) + uts_inner(child), below > uts_height(node) ? below : uts_height(node));
}

#ifdef __cplusplus
}
#endif

#endif
