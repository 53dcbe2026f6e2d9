/* omp/task/copies.c -- see omp/task/copies.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/copies.h"

#include "base/mem.h"
#include "omp/env/text.h"
#include "omp/task/group.h"
#include "omp/team/barrier.h"
#include "omp/team/standing.h"
#include "omp/team/told.h"

#include <string.h>

/* A thread's part of the room. */
struct part {
	char *copy;                     /* all items one after the other */
	bool *begun;                    /* by item; the thread's own until all tasks have ended */
	void **shared;                  /* by item: of that thread; NULL: as the description says */
};

struct qomp_copies {
	unsigned n, threads;
	uint32_t left;                  /* members that have closed it */
	struct qomp_copied *item;
	size_t *offset;                 /* by item */
	size_t bytes;                   /* of a part's copies */
	struct part part[];
};

/* --- making ---------------------------------------------------------------------------------------------- */

static void *room_for(size_t bytes)
{
	void *p = qti_mem_aligned(QTI_CACHE_LINE, qti_mem_round(bytes ? bytes : 1, QTI_CACHE_LINE));

	if (!p)
		qomp_fatal("out of memory for the reductions of OpenMP tasks: %zu bytes", bytes);
	return memset(p, 0, bytes);
}

static void lay_out(struct qomp_copies *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		c->offset[i] = c->bytes;
		c->bytes += qti_mem_round(c->item[i].size, QTI_CACHE_LINE);
	}
	for (unsigned k = 0; k < c->threads; k++) {
		struct part *p = &c->part[k];
		p->begun = room_for(c->n * sizeof(*p->begun));
		p->shared = room_for(c->n * sizeof(*p->shared));
		p->copy = room_for(c->bytes);
	}
}

static struct qomp_copies *copies_new(unsigned threads, unsigned n, const struct qomp_copied *item)
{
	struct qomp_copies *c = room_for(sizeof(*c) + threads * sizeof(c->part[0]));

	c->n = n;
	c->threads = threads;
	c->item = room_for(n * sizeof(*item));
	c->offset = room_for(n * sizeof(*c->offset));
	memcpy(c->item, item, n * sizeof(*item));       /* the caller's is on a stack */
	lay_out(c);
	return c;
}

static void copies_free(struct qomp_copies *c)
{
	for (unsigned k = 0; k < c->threads; k++) {
		qti_mem_free(c->part[k].begun);
		qti_mem_free(c->part[k].shared);
		qti_mem_free(c->part[k].copy);
	}
	qti_mem_free(c->item);
	qti_mem_free(c->offset);
	qti_mem_free(c);
}

struct qomp_copies *qomp_copies_register(struct qomp_frame *f, unsigned n, const struct qomp_copied *item)
{
	return f->group->copies = copies_new(f->team->n, n, item);
}

/* --- finding --------------------------------------------------------------------------------------------- */

static bool is_shared_of(const struct qomp_copies *c, unsigned i, const void *address)
{
	for (unsigned k = 0; k < c->threads; k++)
		if (load_rlx(&c->part[k].shared[i]) == address)
			return true;
	return false;
}

static bool is_copy(const struct qomp_copies *c, unsigned i, const char *address)
{
	for (unsigned k = 0; k < c->threads; k++)
		if ((uintptr_t)(address - c->part[k].copy) - c->offset[i] < c->item[i].size)
			return true;
	return false;
}

static bool is_item(const struct qomp_copies *c, unsigned i, const void *address)
{
	const struct qomp_copied *it = &c->item[i];

	return address == it->shared || address == it->original || is_copy(c, i, address) ||
		is_shared_of(c, i, address);
}

static void *own_copy(struct qomp_copies *c, unsigned thread, unsigned i)
{
	struct part *p = &c->part[thread];
	void *copy = p->copy + c->offset[i];

	if (!p->begun[i]) {
		p->begun[i] = true;
		if (c->item[i].begin)
			c->item[i].begin(copy, c->item[i].original);
		else
			memset(copy, 0, c->item[i].size);
	}
	return copy;
}

static void *find_in(struct qomp_copies *c, unsigned thread, void *address)
{
	for (unsigned i = 0; i < c->n; i++)
		if (is_item(c, i, address))
			return own_copy(c, thread, i);
	return NULL;
}

void *qomp_copies_find(struct qomp_frame *f, struct qomp_copies *c, void *address)
{
	void *copy = c ? find_in(c, f->num, address) : NULL;

	for (const struct qomp_group *g = f->group; g && !copy; g = g->outer)
		copy = g->copies ? find_in(g->copies, f->num, address) : NULL;
	if (!copy)
		qomp_fatal("an OpenMP task takes part in a reduction of %p, which there is not", address);
	if (qomp_is_told(f))
		qomp_race_shares(qomp_told_of(f), qomp_member(f));
	return copy;
}

/* --- merging --------------------------------------------------------------------------------------------- */

/* What the thread has, into what is shared by thread `into`. */
static void merge_part(struct qomp_copies *c, unsigned thread, unsigned into)
{
	struct part *p = &c->part[thread];

	for (unsigned i = 0; i < c->n; i++) {
		const struct qomp_copied *it = &c->item[i];
		void *shared = c->part[into].shared[i];
		if (!p->begun[i])
			continue;
		p->begun[i] = false;
		it->merge(shared ? shared : it->shared, p->copy + c->offset[i]);
		if (it->end)
			it->end(p->copy + c->offset[i]);
	}
}

void qomp_copies_merge(struct qomp_copies *c)
{
	for (unsigned k = 0; k < c->threads; k++)
		merge_part(c, k, 0);
	copies_free(c);
}

/* --- a team's -------------------------------------------------------------------------------------------- */

/* Who comes first makes it; the construct's share tells the others. */
static struct qomp_copies *agree(struct qomp_frame *f, unsigned n, const struct qomp_copied *item)
{
	struct qomp_share_place *p = &qomp_member(f)->share;
	struct qomp_share *s = qomp_share_open(&f->team->shares, p, f->team->n);

	if (qomp_share_first(s)) {
		s->copies = copies_new(f->team->n, n, item);
		qomp_share_set(s);
	}
	qomp_share_close(p);
	return s->copies;
}

struct qomp_copies *qomp_copies_open(struct qomp_frame *f, unsigned n, const struct qomp_copied *item)
{
	struct qomp_copies *c = agree(f, n, item);
	struct qomp_group *g = qomp_group_start(f);

	g->implied = true;
	g->copies = c;
	for (unsigned i = 0; i < n; i++)
		store_rlx(&c->part[f->num].shared[i], item[i].shared);
	return c;
}

/* Each member merges its own copies: what merges may ask what tasks on that thread alone have left there.  It waits
 * for all, not for its own group alone, whose tasks may be elsewhere: a task of another's may have begun on its
 * thread, wait for something and add to its copy later.  In a region that was cancelled nobody asks for the sum. */
void qomp_copies_close(struct qomp_frame *f)
{
	struct qomp_copies *c = f->group->copies;
	const unsigned threads = c->threads;    /* once this one has counted itself, c may be gone */

	qomp_group_end(f);
	if (!qomp_barrier_cancel(f))
		merge_part(c, f->num, f->num);
	if (add_acq_rel(&c->left, 1) + 1 == threads)
		copies_free(c);
}
