/* base/pool.h -- objects of one size: a free list a worker, exchanged in batches with a shared one.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A cache belongs to one worker and holds at most two magazines of `batch` objects.  Whole magazines move to and
 * from the shared list under its lock, so a task that one worker forks and another frees costs two lock
 * acquisitions every `batch` objects (Bonwick and Adams, Magazines and Vmem, USENIX 2001).
 *
 * Memory is type-stable: a slab goes back to the system only in qti_pool_fini.  A reader may therefore look at an
 * atomic field of an object that has been freed meanwhile, if it validates what it read.
 *
 * A free object is linked through a struct qti_pool_link at `link` bytes from its start; nothing else in it changes.
 */
#ifndef QTI_BASE_POOL_H
#define QTI_BASE_POOL_H

#include "base/lock.h"

#include <stddef.h>

struct qti_pool_link {
	struct qti_pool_link *next;             /* in its magazine */
	struct qti_pool_link *next_magazine;    /* in the shared list; first object of a magazine only */
};

struct qti_pool_slab;

struct qti_pool {
	struct qti_lock lock;                   /* guards everything below that changes */
	unsigned batch;
	size_t size;                            /* bytes an object */
	size_t link;
	size_t slab_bytes;
	size_t slab_limit;                      /* slabs double up to this */
	void (*on_carve)(struct qti_pool *, void *object);      /* an object's first day; may be NULL */
	struct qti_pool_link *magazines;        /* full ones */
	struct qti_pool_link *singles;          /* returned one by one by threads without a cache */
	char *fresh, *fresh_end;                /* uncarved rest of the newest slab */
	struct qti_pool_slab *slabs;
};

struct qti_pool_cache {
	struct qti_pool_link *active;
	struct qti_pool_link *backup;           /* NULL or a full magazine */
	unsigned nactive;
};

struct qti_pool_config {
	size_t size;                            /* bytes an object, a multiple of 16 */
	size_t link;
	unsigned batch;
	size_t first_slab, max_slab;            /* bytes; at least one object is taken at a time */
	void (*on_carve)(struct qti_pool *, void *object);
};

void qti_pool_init(struct qti_pool *p, const struct qti_pool_config *config);
void qti_pool_fini(struct qti_pool *p);

/* Calls visit(object, arg) for every object ever carved, free or not.  No other call may run beside it. */
void qti_pool_each(struct qti_pool *p, void (*visit)(void *object, void *arg), void *arg);

struct qti_pool_link *qti_pool_refill(struct qti_pool *p, struct qti_pool_cache *c);
void qti_pool_spill(struct qti_pool *p, struct qti_pool_cache *c);

/* For threads without a cache. */
void *qti_pool_get_shared(struct qti_pool *p);
void qti_pool_put_shared(struct qti_pool *p, void *object);

/* An object, or NULL when out of memory.  Its content is whatever its last user left. */
static inline void *qti_pool_get(struct qti_pool *p, struct qti_pool_cache *c)
{
	struct qti_pool_link *l = c->active;

	if (qti_unlikely(!l)) {
		l = qti_pool_refill(p, c);
		if (!l)
			return NULL;
	}
	c->active = l->next;
	c->nactive--;
	__builtin_prefetch(c->active, 1);       /* after a burst of frees the free list is longer than the caches */
	return (char *)l - p->link;
}

static inline void qti_pool_put(struct qti_pool *p, struct qti_pool_cache *c, void *object)
{
	struct qti_pool_link *l = (struct qti_pool_link *)((char *)object + p->link);

	if (qti_unlikely(c->nactive == p->batch))
		qti_pool_spill(p, c);
	l->next = c->active;
	c->active = l;
	c->nactive++;
}

#endif
