/* omp/task/reduce.c -- see omp/task/reduce.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/reduce.h"

#include "base/mem.h"
#include "omp/env/text.h"
#include "omp/task/group.h"
#include "omp/team/barrier.h"
#include "omp/team/member.h"
#include "omp/team/region.h"
#include "omp/team/standing.h"
#include "omp/team/teams.h"
#include "omp/team/told.h"

#include <string.h>

/* --- blocks ---------------------------------------------------------------------------------------------- */

/* In front of a block.  Thread 0, or who is first in a construct, changes a team's list of them. */
static struct qomp_kept *header_of(const uintptr_t *r)
{
	return (struct qomp_kept *)r[QOMP_REDUCE_BLOCK] - 1;
}

/* The allocator is not asked: the memory is the program's for the time of a construct only. */
static void block_new(uintptr_t *r, unsigned threads)
{
	size_t align = r[QOMP_REDUCE_BLOCK] > QTI_CACHE_LINE ? r[QOMP_REDUCE_BLOCK] : QTI_CACHE_LINE;
	size_t bytes, all;
	char *memory = NULL;

	if (!__builtin_mul_overflow(r[QOMP_REDUCE_BYTES], (size_t)threads, &bytes) &&
	    !__builtin_add_overflow(bytes, align, &all))
		memory = qti_mem_aligned(align, all);
	if (!memory)
		qomp_fatal("out of memory for the reductions of %u OpenMP threads", threads);
	memset(memory + align, 0, bytes);
	r[QOMP_REDUCE_BLOCK] = (uintptr_t)(memory + align);
	r[QOMP_REDUCE_BLOCK_END] = r[QOMP_REDUCE_BLOCK] + bytes;
	header_of(r)->memory = memory;
}

static void blocks_new(uintptr_t *first, unsigned threads)
{
	for (uintptr_t *r = first; r; r = (uintptr_t *)r[QOMP_REDUCE_NEXT]) {
		block_new(r, threads);
		r[QOMP_REDUCE_HEAD] = r == first;
	}
}

/* The blocks that another thread has made for its array of the same construct. */
static void blocks_of(uintptr_t *first, const uintptr_t *other)
{
	for (uintptr_t *r = first; r; r = (uintptr_t *)r[QOMP_REDUCE_NEXT]) {
		r[QOMP_REDUCE_BLOCK] = other[QOMP_REDUCE_BLOCK];
		r[QOMP_REDUCE_BLOCK_END] = other[QOMP_REDUCE_BLOCK_END];
		r[QOMP_REDUCE_HEAD] = r == first;
		other = (const uintptr_t *)other[QOMP_REDUCE_NEXT];
	}
}

/* What is around the construct comes after its own arrays. */
static void group_enclose(struct qomp_group *g, uintptr_t *first)
{
	uintptr_t *r = first;

	while (r[QOMP_REDUCE_NEXT])
		r = (uintptr_t *)r[QOMP_REDUCE_NEXT];
	r[QOMP_REDUCE_NEXT] = (uintptr_t)g->reductions;
	g->reductions = first;
}

void qomp_reduce_register(struct qomp_frame *f, uintptr_t *reductions, unsigned threads)
{
	blocks_new(reductions, threads);
	group_enclose(f->group, reductions);
}

void qomp_reduce_unregister(uintptr_t *reductions)
{
	uintptr_t *r = reductions;

	do {
		qti_mem_free(header_of(r)->memory);
		r = (uintptr_t *)r[QOMP_REDUCE_NEXT];
	} while (r && !r[QOMP_REDUCE_HEAD]);
}

/* --- work sharing ---------------------------------------------------------------------------------------- */

/* Those of a construct that is cancelled together with its region may be in use until that ends: the team keeps
 * them. */
static void keep_blocks(struct qomp_team *team, uintptr_t *first)
{
	for (uintptr_t *r = first; r; r = (uintptr_t *)r[QOMP_REDUCE_NEXT]) {
		header_of(r)->next = team->kept;
		team->kept = header_of(r);
	}
}

void qomp_reduce_workshare(struct qomp_frame *f, uintptr_t *reductions, bool first, uintptr_t **shared)
{
	struct qomp_group *g = qomp_group_start(f);

	g->implied = true;
	if (first) {
		blocks_new(reductions, f->team->n);
		keep_blocks(f->team, reductions);
		*shared = reductions;
	} else {
		blocks_of(reductions, *shared);
	}
	group_enclose(g, reductions);
	if (qomp_is_told(f))
		qomp_race_shares(qomp_told_of(f), qomp_member(f));
}

/* Without cancellation all are through with the parts - there was a barrier - when thread 0, which has added them up,
 * comes here. */
void qomp_reduce_workshare_end(struct qomp_frame *f, bool cancelled)
{
	qomp_group_end(f);
	if (cancelled)
		return;
	if (f->num == 0)
		qomp_kept_free(f->team);
	qomp_barrier(f);
}

/* --- regions --------------------------------------------------------------------------------------------- */

struct region {
	void (*fn)(void *);             /* first: qomp_region_function */
	void *data;
	struct qomp_group *group;       /* which all members are in; they have ended when it goes */
	unsigned threads;
};

static void reduction_member(void *arg)
{
	const struct region *r = arg;

	store_rlx(&qomp_frame()->group, r->group);
	r->fn(r->data);
}

__attribute__((constructor)) static void regions_are_known(void)
{
	qomp_region_stand_in(reduction_member);
}

static void reductions_prepare(struct qomp_team *team, void *arg)
{
	struct region *r = arg;

	r->threads = team->n;
	r->group = qomp_group_new(NULL);
	r->group->implied = true;
	r->group->reductions = *(uintptr_t **)r->data;
	blocks_new(r->group->reductions, team->n);
}

unsigned qomp_reduce_region(void (*fn)(void *), void *data, unsigned threads, unsigned bind)
{
	struct region r = { .fn = fn, .data = data };
	const struct qomp_prepare prepare = { reductions_prepare, &r };

	qomp_region_begin(qomp_frame(), reduction_member, &r, threads, bind, &prepare);
	reduction_member(&r);
	qomp_region_end();
	qomp_group_free(r.group);
	return r.threads;
}

/* --- finding items --------------------------------------------------------------------------------------- */

static const uintptr_t *reduction_item(const uintptr_t *r, size_t i)
{
	return r + QOMP_REDUCE_ITEMS + i * QOMP_REDUCE_ITEM_WORDS;
}

/* Where the item is in a part, if `address` is the item's, or in somebody's part; otherwise false. */
static bool reduction_find(const uintptr_t *r, uintptr_t address, size_t *offset)
{
	if (address >= r[QOMP_REDUCE_BLOCK] && address < r[QOMP_REDUCE_BLOCK_END]) {
		*offset = (address - r[QOMP_REDUCE_BLOCK]) % r[QOMP_REDUCE_BYTES];
		return true;
	}
	for (size_t i = 0; i < r[QOMP_REDUCE_COUNT]; i++) {
		if (reduction_item(r, i)[QOMP_REDUCE_ORIGINAL] != address)
			continue;
		*offset = reduction_item(r, i)[QOMP_REDUCE_OFFSET];
		return true;
	}
	return false;
}

/* The original of what lies there in a part. */
static uintptr_t reduction_original(const uintptr_t *r, size_t offset)
{
	size_t i = r[QOMP_REDUCE_COUNT] - 1;

	while (i > 0 && reduction_item(r, i)[QOMP_REDUCE_OFFSET] > offset)
		i--;
	return reduction_item(r, i)[QOMP_REDUCE_ORIGINAL] + offset - reduction_item(r, i)[QOMP_REDUCE_OFFSET];
}

void qomp_reduce_remap(struct qomp_frame *f, size_t count, size_t originals, void **ptrs)
{
	for (size_t i = 0; i < count; i++) {
		const uintptr_t *r = f->group ? f->group->reductions : NULL;
		size_t offset;

		while (r && !reduction_find(r, (uintptr_t)ptrs[i], &offset))
			r = (const uintptr_t *)r[QOMP_REDUCE_NEXT];
		if (!r)
			qomp_fatal("an OpenMP task takes part in a reduction of %p, which there is not", ptrs[i]);
		ptrs[i] = (void *)(r[QOMP_REDUCE_BLOCK] + f->num * r[QOMP_REDUCE_BYTES] + offset);
		if (i < originals)
			ptrs[count + i] = (void *)reduction_original(r, offset);
	}
	if (qomp_is_told(f))
		qomp_race_shares(qomp_told_of(f), qomp_member(f));
}
