/* base/pool.c -- slabs, magazines and the store behind base/pool.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/pool.h"

#include "base/diag.h"
#include "base/forked.h"
#include "base/mem.h"

#include <string.h>

/* Kept outside the slab: a slab of stacks starts with a guard page. */
struct qti_pool_slab {
	struct qti_pool_slab *next;
	char *memory;
	size_t bytes;
	char *first;                            /* object: the first place in memory that is aligned */
	size_t carved;                          /* bytes handed out so far, for all slabs but the newest */
};

/* --- all of them ----------------------------------------------------------------------------------------- */

static struct qti_lock all_lock;
static struct qti_pool *all;

static void pool_enlist(struct qti_pool *p)
{
	qti_lock_take(&all_lock);
	p->next_pool = all;
	p->place = &all;
	if (all)
		all->place = &p->next_pool;
	all = p;
	qti_lock_drop(&all_lock);
}

/* A pool of a start that failed before is in no list.  Under the lock: its neighbour in the list changes `place`,
 * too. */
static void pool_delist(struct qti_pool *p)
{
	qti_lock_take(&all_lock);
	if (p->place)
		*p->place = p->next_pool;
	if (p->place && p->next_pool)
		p->next_pool->place = p->place;
	p->place = NULL;
	qti_lock_drop(&all_lock);
}

void qti_pool_forget(struct qti_pool *p)
{
	pool_delist(p);
}

static void take_all(void)
{
	qti_lock_take(&all_lock);
	for (struct qti_pool *p = all; p; p = p->next_pool)
		qti_lock_take(&p->lock);
}

static void drop_all(void)
{
	for (struct qti_pool *p = all; p; p = p->next_pool)
		qti_lock_drop(&p->lock);
	qti_lock_drop(&all_lock);
}

QTI_FORKED(QTI_FORKED_POOLS, take_all, drop_all, NULL)

/* --- one ------------------------------------------------------------------------------------------------- */

void qti_pool_init(struct qti_pool *p, const struct qti_pool_config *config)
{
	size_t page = qti_mem_page();

	memset(p, 0, sizeof(*p));
	p->batch = config->batch;
	p->carve = config->carve ? config->carve : config->batch;
	p->size = config->size;
	p->apart = config->apart;
	p->align = config->align > page ? config->align : page;
	p->link = config->link;
	p->fetch = config->fetch;
	p->commit = config->commit;
	p->on_carve = config->on_carve;
	size_t least = p->size + p->apart;
	p->slab_bytes = qti_mem_round(config->first_slab > least ? config->first_slab : least, page);
	p->slab_limit = config->max_slab > p->slab_bytes ? config->max_slab : p->slab_bytes;
	pool_enlist(p);
}

void qti_pool_fini(struct qti_pool *p)
{
	struct qti_pool_slab *next;

	pool_delist(p);
	for (struct qti_magazine *m = p->made, *next_made; m; m = next_made) {
		next_made = m->next_made;
		qti_mem_free(m);
	}

	for (struct qti_pool_slab *s = p->slabs; s; s = next) {
		next = s->next;
		qti_mem_unmap(s->memory, s->bytes);
		qti_mem_free(s);
	}
	memset(p, 0, sizeof(*p));
}

void qti_pool_each(struct qti_pool *p, void (*visit)(void *object, void *arg), void *arg)
{
	qti_lock_take(&p->lock);
	for (struct qti_pool_slab *s = p->slabs; s; s = s->next) {
		size_t carved = s == p->slabs ? (size_t)(p->fresh - s->first) : s->carved;
		for (size_t at = 0; at + p->size <= carved; at += p->size)
			visit(s->first + at, arg);
	}
	qti_lock_drop(&p->lock);
}

/* Under the lock: room for at least one more object. */
static bool pool_grow(struct qti_pool *p)
{
	struct qti_pool_slab *s = qti_mem_alloc(sizeof(*s));

	if (!s)
		return false;
	/* Pages come aligned to a page; what more is asked for lies somewhere in a longer piece. */
	s->bytes = p->slab_bytes + p->align - qti_mem_page();
	s->memory = qti_mem_map(s->bytes);
	if (!s->memory) {
		qti_mem_free(s);
		return false;
	}
	s->first = s->memory + (-(uintptr_t)s->memory & (p->align - 1));
	if (p->slabs)
		p->slabs->carved = (size_t)(p->fresh - p->slabs->first);
	s->next = p->slabs;
	p->slabs = s;
	p->fresh = s->first;
	p->fresh_end = s->first + p->slab_bytes / (p->size + p->apart) * p->size;
	p->fresh_apart = p->fresh_end;
	p->committed = p->commit && s->next ? p->fresh : NULL;
	if (p->slab_bytes * 2 <= p->slab_limit)
		p->slab_bytes *= 2;
	return true;
}

/* Under the lock: before the next object is touched.  A program that needs a second slab will need much of it. */
static void pool_commit(struct qti_pool *p)
{
	size_t page = qti_mem_page(), left = (size_t)(p->fresh_end - p->committed);

	qti_mem_commit(p->committed, left < p->commit ? qti_mem_round(left, page) : p->commit);
	p->committed += left < p->commit ? left : p->commit;
}

/* Under the lock: one object that was never used. */
static void *pool_carve(struct qti_pool *p)
{
	if ((size_t)(p->fresh_end - p->fresh) < p->size && !pool_grow(p))
		return NULL;
	char *object = p->fresh;
	p->fresh += p->size;
	while (p->committed && p->fresh > p->committed)
		pool_commit(p);
	if (p->on_carve)
		p->on_carve(p, object, p->fresh_apart);
	p->fresh_apart += p->apart;
	return object;
}

/* Under the lock: a single or a fresh one. */
static void *take_one(struct qti_pool *p)
{
	struct qti_pool_link *l = p->singles;

	if (!l)
		return pool_carve(p);
	p->singles = l->next;
	return (char *)l - p->link;
}

static void add_single(struct qti_pool *p, void *object)
{
	struct qti_pool_link *l = (struct qti_pool_link *)((char *)object + p->link);

	l->next = p->singles;
	p->singles = l;
}

static struct qti_magazine *magazine_pop(struct qti_magazine **list)
{
	struct qti_magazine *m = *list;

	if (m)
		*list = m->next;
	return m;
}

static void magazine_push(struct qti_magazine **list, struct qti_magazine *m)
{
	m->next = *list;
	*list = m;
}

/* Under the lock: a magazine without objects, NULL when out of memory. */
static struct qti_magazine *empty_magazine(struct qti_pool *p)
{
	struct qti_magazine *m = magazine_pop(&p->empty);

	if (m)
		return m;
	m = qti_mem_alloc(sizeof(*m) + p->batch * sizeof(m->object[0]));
	if (m) {
		m->next_made = p->made;
		p->made = m;
	}
	return m;
}

static void cache_activate(struct qti_pool *p, struct qti_pool_cache *c, struct qti_magazine *m, unsigned count)
{
	c->active = m;
	c->count = count;
	c->room = m ? p->batch : 0;
}

static void object_prefetch(const struct qti_pool *p, const char *object)
{
	__builtin_prefetch(object + p->link, 1);
	for (size_t at = 0; at < p->fetch; at += QTI_CACHE_LINE)
		__builtin_prefetch(object + at, 1);
}

/* Under the lock: the active magazine, which is empty if it is there, is loaded with what has been used before, or as
 * far as memory goes with what has not. */
static void cache_reload(struct qti_pool *p, struct qti_pool_cache *c)
{
	struct qti_magazine *m = magazine_pop(&p->full);

	if (m) {
		if (c->active)
			magazine_push(&p->empty, c->active);
		cache_activate(p, c, m, p->batch);
		for (unsigned i = p->batch; i-- > 0;)
			object_prefetch(p, m->object[i]);
		return;
	}
	if (!c->active)
		cache_activate(p, c, empty_magazine(p), 0);
	for (void *object; c->count < c->room && (p->singles || c->count < p->carve) && (object = take_one(p)) != NULL;)
		c->active->object[c->count++] = object;
}

void qti_pool_put_magazine(struct qti_pool *p, struct qti_pool_cache *c)
{
	qti_lock_take(&p->lock);
	magazine_push(&p->empty, c->active);
	qti_lock_drop(&p->lock);
	*c = (struct qti_pool_cache){ 0 };
}

void *qti_pool_get_refilled(struct qti_pool *p, struct qti_pool_cache *c)
{
	struct qti_magazine *drained = c->active;
	void *object = NULL;

	qti_lock_take(&p->lock);
	if (c->full) {
		cache_activate(p, c, c->full, p->batch);
		c->full = NULL;
		if (drained)
			magazine_push(&p->empty, drained);
	} else {
		cache_reload(p, c);
	}
	if (c->count)
		object = c->active->object[--c->count];
	else if (!c->active)
		object = take_one(p);   /* no memory for a magazine */
	qti_lock_drop(&p->lock);
	return object;
}

/* The active magazine is full, or there is none: it is put aside, and one that was there already goes to the store. */
void qti_pool_put_spilling(struct qti_pool *p, struct qti_pool_cache *c, void *object)
{
	qti_lock_take(&p->lock);
	struct qti_magazine *m = empty_magazine(p);
	if (m) {
		if (c->full)
			magazine_push(&p->full, c->full);
		c->full = c->active;
		cache_activate(p, c, m, 1);
		m->object[0] = object;
	} else {
		add_single(p, object);
	}
	qti_lock_drop(&p->lock);
}

void *qti_pool_get_shared(struct qti_pool *p)
{
	qti_lock_take(&p->lock);
	struct qti_magazine *m = p->singles ? NULL : magazine_pop(&p->full);
	if (m) {
		for (unsigned i = 0; i < p->batch; i++)
			add_single(p, m->object[i]);
		magazine_push(&p->empty, m);
	}
	void *object = take_one(p);
	qti_lock_drop(&p->lock);
	return object;
}

void qti_pool_put_shared(struct qti_pool *p, void *object)
{
	qti_lock_take(&p->lock);
	add_single(p, object);
	qti_lock_drop(&p->lock);
}
