/* omp/team/share.c -- see omp/team/share.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/share.h"

#include "base/mem.h"
#include "base/tuning.h"
#include "omp/env/icv.h"
#include "omp/env/text.h"
#include "omp/team/address_wait.h"

#include <string.h>

enum { STAGE_NEW, STAGE_BUSY, STAGE_AWAITED, STAGE_SET };       /* AWAITED: busy, and somebody sleeps until it is set */

/* --- one share ------------------------------------------------------------------------------------------- */

bool qomp_share_first(struct qomp_share *s)
{
	uint32_t seen = STAGE_NEW;

	if (cas_acq(&s->stage, &seen, STAGE_BUSY))                                              /* X3 */
		return true;
	while ((seen = load_acq(&s->stage)) != STAGE_SET)
		if (seen == STAGE_AWAITED || cas_acq(&s->stage, &seen, STAGE_AWAITED))
			qomp_address_wait(&s->stage, STAGE_AWAITED);
	return false;
}

void qomp_share_set(struct qomp_share *s)
{
	if (swap_acq_rel(&s->stage, STAGE_SET) == STAGE_AWAITED)
		qomp_address_wake(&s->stage, UINT_MAX);
}

/* --- memory ---------------------------------------------------------------------------------------------- */

void *qomp_share_memory(struct qomp_share *s, size_t size)
{
	if (size > s->room) {
		qti_mem_free(s->memory);
		s->room = qti_mem_round(size, QTI_CACHE_LINE);
		s->memory = qti_mem_aligned(QTI_CACHE_LINE, s->room);
		if (!s->memory)
			qomp_fatal("out of memory for what a work-sharing construct shares: %zu bytes", size);
	}
	return memset(s->memory, 0, size);
}

static void share_clear(struct qomp_share *s)
{
	store_rlx(&s->next, 0);
	store_rlx(&s->stage, STAGE_NEW);
	store_rlx(&s->turn, 0);
	s->reductions = NULL;
	s->doacross = NULL;
	if (qti_unlikely(s->room > TUNE_SHARE_KEPT_BYTES)) {
		qti_mem_free(s->memory);
		s->memory = NULL;
		s->room = 0;
	}
}

/* --- blocks ---------------------------------------------------------------------------------------------- */

static void parts_clear(struct qomp_share_block *b, unsigned used)
{
	struct qomp_parts *parts = load_rlx(&b->parts);
	unsigned members = parts ? load_rlx(&b->members) : 0;

	for (unsigned num = 0; num < members; num++)
		for (unsigned i = 0; i < used; i++)
			store_rlx(&parts[num].word[i], 0);
}

static void block_clear(struct qomp_share_block *b, unsigned used)
{
	for (unsigned i = 0; i < used; i++)
		share_clear(&b->share[i]);
	parts_clear(b, used);
	store_rlx(&b->after, NULL);
	store_rlx(&b->left, 0);
}

static struct qomp_share_block *block_new(void)
{
	struct qomp_share_block *b = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*b));

	if (!b)
		qomp_fatal("out of memory for work-sharing constructs");
	return memset(b, 0, sizeof(*b));
}

static void block_put(struct qomp_shares *all, struct qomp_share_block *b)
{
	qti_lock_take(&all->lock);
	store_rlx(&b->after, all->unused);
	all->unused = b;
	qti_lock_drop(&all->lock);
}

static struct qomp_share_block *block_get(struct qomp_shares *all)
{
	qti_lock_take(&all->lock);
	struct qomp_share_block *b = all->unused;
	if (b)
		all->unused = load_rlx(&b->after);
	qti_lock_drop(&all->lock);
	if (!b)
		return block_new();
	store_rlx(&b->after, NULL);
	return b;
}

/* What stands at *end of the chain, which is made longer if need be. */
static struct qomp_share_block *block_at(struct qomp_shares *all, struct qomp_share_block **end)
{
	struct qomp_share_block *b = load_acq(end);                                             /* X1 */

	if (!b) {
		struct qomp_share_block *mine = block_get(all);
		if (cas_acq_rel(end, &b, mine))                                                 /* X1 */
			return mine;
		block_put(all, mine);
	}
	return b;
}

static void place_advance(struct qomp_shares *all, struct qomp_share_place *p, unsigned n)
{
	struct qomp_share_block *from = p->block;

	p->unmet = QOMP_SHARES;
	if (!from) {
		p->block = block_at(all, &all->first);
		return;
	}
	p->block = block_at(all, &from->after);
	if (add_acq_rel(&from->left, 1) + 1 == n) {                                       /* X2 */
		store_rlx(&all->first, p->block);
		block_clear(from, QOMP_SHARES);
		block_put(all, from);
	}
}

/* Whoever makes them makes them for as many. */
static __attribute__((noinline)) struct qomp_parts *parts_make(struct qomp_share_block *b, unsigned members)
{
	struct qomp_parts *mine = qti_mem_aligned(QTI_CACHE_LINE, members * sizeof(*mine)), *seen = NULL;

	if (!mine)
		qomp_fatal("out of memory for a loop in parts for %u threads", members);
	memset(mine, 0, members * sizeof(*mine));
	store_rlx(&b->members, members);
	if (cas_acq_rel(&b->parts, &seen, mine))                                                /* X1 */
		return mine;
	qti_mem_free(mine);
	return seen;
}

uint64_t *qomp_share_part(const struct qomp_share_place *p, unsigned num, unsigned room)
{
	struct qomp_parts *parts = load_acq(&p->block->parts);                                  /* X1 */

	if (qti_unlikely(!parts))
		parts = parts_make(p->block, room);
	return &parts[num].word[p->share - p->block->share];
}

struct qomp_share *qomp_share_open(struct qomp_shares *all, struct qomp_share_place *p, unsigned n)
{
	if (qti_unlikely(p->unmet == 0))
		place_advance(all, p, n);
	return p->share = &p->block->share[QOMP_SHARES - p->unmet--];
}

/* --- regions --------------------------------------------------------------------------------------------- */

/*
 * Nobody is in a region of the team.  Members have met the same constructs, unless the region was cancelled.  Not
 * inlined: most regions need none of it, nor the registers that it would save for each.
 */
static __attribute__((noinline)) void blocks_renew(struct qomp_shares *all, const struct qomp_share_place *master)
{
	struct qomp_share_block *b = load_acq(&all->first);
	bool uneven = qomp_settings.cancellation;

	store_rlx(&all->singles, 0);
	store_rlx(&all->copied, 0);
	all->has_preset = false;
	if (!b)
		return;
	for (struct qomp_share_block *after; (after = load_acq(&b->after)) != NULL; b = after) {
		block_clear(b, QOMP_SHARES);
		block_put(all, b);
	}
	block_clear(b, uneven ? QOMP_SHARES : master->block ? QOMP_SHARES - master->unmet : 0);
	store_rlx(&all->first, b);
}

void qomp_shares_reset(struct qomp_shares *all, const struct qomp_share_place *master)
{
	if (master->block || master->singles || master->copies || qomp_settings.cancellation)
		blocks_renew(all, master);
}

void qomp_share_enter(const struct qomp_shares *all, struct qomp_share_place *p)
{
	p->taking = all->has_preset ? QOMP_TAKE_PRESET : QOMP_TAKE_NOTHING;
	p->share = NULL;
	p->takes_turns = false;
	p->block = NULL;
	p->unmet = 0;
	p->singles = 0;
	p->copies = 0;
}

static void blocks_free(struct qomp_share_block *b)
{
	while (b) {
		struct qomp_share_block *after = load_rlx(&b->after);
		for (unsigned i = 0; i < QOMP_SHARES; i++)
			qti_mem_free(b->share[i].memory);
		qti_mem_free(load_rlx(&b->parts));
		qti_mem_free(b);
		b = after;
	}
}

void qomp_shares_fini(struct qomp_shares *all)
{
	blocks_free(load_acq(&all->first));
	blocks_free(all->unused);
	store_rlx(&all->first, NULL);
	all->unused = NULL;
}

void qomp_share_cancel(struct qomp_share_place *p)
{
	if (p->share)
		store_rlx(&p->share->next, p->range.count);
}
