/* base/pool.c -- slabs, magazines and the shared list behind base/pool.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/pool.h"

#include "base/diag.h"
#include "base/mem.h"

#include <string.h>

/* Kept outside the slab: a slab of stacks starts with a guard page. */
struct qti_pool_slab {
	struct qti_pool_slab *next;
	char *memory;
	size_t bytes;
	size_t carved;                          /* bytes handed out so far, for all slabs but the newest */
};

void qti_pool_init(struct qti_pool *p, const struct qti_pool_config *config)
{
	size_t page = qti_mem_page();

	memset(p, 0, sizeof(*p));
	p->batch = config->batch;
	p->size = config->size;
	p->link = config->link;
	p->on_carve = config->on_carve;
	p->slab_bytes = qti_mem_round(config->first_slab > p->size ? config->first_slab : p->size, page);
	p->slab_limit = config->max_slab > p->slab_bytes ? config->max_slab : p->slab_bytes;
}

void qti_pool_fini(struct qti_pool *p)
{
	struct qti_pool_slab *next;

	for (struct qti_pool_slab *s = p->slabs; s; s = next) {
		next = s->next;
		qti_mem_unmap(s->memory, s->bytes);
		qti_mem_free(s);
	}
	memset(p, 0, sizeof(*p));
}

void qti_pool_each(struct qti_pool *p, void (*visit)(void *object, void *arg), void *arg)
{
	for (struct qti_pool_slab *s = p->slabs; s; s = s->next) {
		size_t carved = s == p->slabs ? (size_t)(p->fresh - s->memory) : s->carved;
		for (size_t at = 0; at + p->size <= carved; at += p->size)
			visit(s->memory + at, arg);
	}
}

/* Under the lock: room for at least one more object. */
static bool grow(struct qti_pool *p)
{
	struct qti_pool_slab *s = qti_mem_alloc(sizeof(*s));

	if (!s)
		return false;
	s->memory = qti_mem_map(p->slab_bytes);
	if (!s->memory) {
		qti_mem_free(s);
		return false;
	}
	s->bytes = p->slab_bytes;
	if (p->slabs)
		p->slabs->carved = (size_t)(p->fresh - p->slabs->memory);
	s->next = p->slabs;
	p->slabs = s;
	p->fresh = s->memory;
	p->fresh_end = s->memory + s->bytes;
	if (p->slab_bytes * 2 <= p->slab_limit)
		p->slab_bytes *= 2;
	return true;
}

/* Under the lock: one object that was never used. */
static struct qti_pool_link *carve(struct qti_pool *p)
{
	if ((size_t)(p->fresh_end - p->fresh) < p->size && !grow(p))
		return NULL;
	char *object = p->fresh;
	p->fresh += p->size;
	if (p->on_carve)
		p->on_carve(p, object);
	return (struct qti_pool_link *)(object + p->link);
}

/* Under the lock: up to n objects, singles before fresh ones.  Fewer only when out of memory. */
static struct qti_pool_link *gather(struct qti_pool *p, unsigned n, unsigned *got)
{
	struct qti_pool_link *list = NULL;

	for (*got = 0; *got < n; (*got)++) {
		struct qti_pool_link *l = p->singles;
		if (l)
			p->singles = l->next;
		else if (!(l = carve(p)))
			break;
		l->next = list;
		list = l;
	}
	return list;
}

/* The active magazine is empty: take the backup, a full one from the shared list, or make one.
 * Returns the new active list, NULL when out of memory. */
struct qti_pool_link *qti_pool_refill(struct qti_pool *p, struct qti_pool_cache *c)
{
	if (c->backup) {
		c->active = c->backup;
		c->backup = NULL;
		c->nactive = p->batch;
		return c->active;
	}
	qti_lock_take(&p->lock);
	if (p->magazines) {
		c->active = p->magazines;
		p->magazines = c->active->next_magazine;
		c->nactive = p->batch;
	} else {
		c->active = gather(p, p->batch, &c->nactive);
	}
	qti_lock_drop(&p->lock);
	return c->active;
}

/* The active magazine is full: it becomes the backup, and a backup already there goes to the shared list. */
void qti_pool_spill(struct qti_pool *p, struct qti_pool_cache *c)
{
	QTI_ASSERT(c->nactive == p->batch);
	if (c->backup) {
		qti_lock_take(&p->lock);
		c->backup->next_magazine = p->magazines;
		p->magazines = c->backup;
		qti_lock_drop(&p->lock);
	}
	c->backup = c->active;
	c->active = NULL;
	c->nactive = 0;
}

void *qti_pool_get_shared(struct qti_pool *p)
{
	unsigned got;

	qti_lock_take(&p->lock);
	struct qti_pool_link *l = p->singles;
	if (!l && (l = p->magazines) != NULL) {
		/* Break a magazine up: all but its first object become singles. */
		p->magazines = l->next_magazine;
		p->singles = l;
	}
	l = gather(p, 1, &got);
	qti_lock_drop(&p->lock);
	return l ? (char *)l - p->link : NULL;
}

void qti_pool_put_shared(struct qti_pool *p, void *object)
{
	struct qti_pool_link *l = (struct qti_pool_link *)((char *)object + p->link);

	qti_lock_take(&p->lock);
	l->next = p->singles;
	p->singles = l;
	qti_lock_drop(&p->lock);
}
