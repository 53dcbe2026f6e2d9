/* base/pool.h -- objects of one size: free ones a worker keeps, exchanged in magazines with a shared store.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A cache belongs to one worker and holds at most two full magazines of `batch` pointers.  Whole magazines move to and
 * from the store under its lock, so objects that one worker takes and another returns cost two lock acquisitions
 * every `batch` of them (Bonwick and Adams, Magazines and Vmem, USENIX 2001).  The objects of a magazine from the store
 * lie in another CPU's cache; being known at once, they are fetched together.
 *
 * All pools are on a list: they are whole in the child of fork(2), magazines of vanished workers too.
 *
 * Memory is type-stable: a slab goes back to the system only in qti_pool_fini.  A reader may therefore look at an
 * atomic field of an object that has been freed meanwhile, if it validates what it read.
 *
 * An object may have a part that most users never touch: those parts lie apart, behind all others of a slab, so that
 * they take neither pages nor room in caches away from what is used.
 *
 * Where there is no memory for a magazine, and for threads without a cache, free objects are linked through a
 * struct qti_pool_link at `link` bytes from their start; otherwise nothing in a free object changes.
 */
#ifndef QTI_BASE_POOL_H
#define QTI_BASE_POOL_H

#include "base/lock.h"

#include <stddef.h>

struct qti_pool_link {
	struct qti_pool_link *next;
};

struct qti_magazine {
	struct qti_magazine *next;              /* in the store */
	struct qti_magazine *next_made;         /* of all that the pool has */
	void *object[];                         /* batch of them */
};

struct qti_pool_slab;

struct qti_pool {
	struct qti_lock lock;                   /* guards everything below that changes */
	unsigned batch;
	unsigned carve;
	size_t size;                            /* bytes an object, but for those that lie apart */
	size_t apart;
	size_t link;
	size_t align;                           /* of the first object of a slab */
	size_t fetch;
	size_t slab_bytes;
	size_t slab_limit;                      /* slabs double up to this */
	size_t commit;
	void (*on_carve)(struct qti_pool *, void *object, void *apart);
	struct qti_magazine *full, *empty;      /* the store */
	struct qti_magazine *made;
	struct qti_pool_link *singles;
	char *fresh, *fresh_end;                /* uncarved rest of the newest slab */
	char *fresh_apart;                      /* what belongs to `fresh` */
	char *committed;                        /* end of what has been; NULL: nothing is */
	struct qti_pool_slab *slabs;
	struct qti_pool *next_pool, **place;    /* of all pools; place: what points here */
};

struct qti_pool_cache {
	struct qti_magazine *active;            /* its first `count` pointers are objects */
	unsigned count;
	unsigned room;                          /* batch; 0 while there is no active magazine */
	struct qti_magazine *full;              /* one more, or NULL */
};

struct qti_pool_config {
	size_t size;                            /* bytes an object, a multiple of 16 and of align */
	size_t apart;                           /* bytes of it that lie apart, a multiple of 16; 0: none */
	size_t align;                           /* a power of two; 0 stands for what a page has */
	size_t link;                            /* where a struct qti_pool_link fits */
	size_t fetch;                           /* bytes from its start that who gets an object writes; 0: not many */
	unsigned batch;
	unsigned carve;                         /* fresh objects for a cache at once,
						 * where each is costly; 0: a batch */
	size_t first_slab, max_slab;            /* bytes; at least one object is taken at a time */
	size_t commit;                          /* bytes that are committed at once in any slab but the first;
						 * 0: by touching */
	void (*on_carve)(struct qti_pool *, void *object, void *apart);         /* an object's first day; may be NULL */
};

QTI_SHARED void qti_pool_init(struct qti_pool *p, const struct qti_pool_config *config);
void qti_pool_fini(struct qti_pool *p);

/* In the child of fork(2): the pool's memory will be used for another one. */
void qti_pool_forget(struct qti_pool *p);

/* Calls visit(object, arg) for every object ever carved, free or not, under the pool's lock. */
QTI_SHARED void qti_pool_each(struct qti_pool *p, void (*visit)(void *object, void *arg), void *arg);

/* For threads without a cache. */
QTI_SHARED void *qti_pool_get_shared(struct qti_pool *p);
QTI_SHARED void qti_pool_put_shared(struct qti_pool *p, void *object);

/* A cache that has no object any more goes: its magazine is the pool's again. */
QTI_SHARED void qti_pool_put_magazine(struct qti_pool *p, struct qti_pool_cache *c);

/* The rare cases of the two below. */
QTI_SHARED void *qti_pool_get_refilled(struct qti_pool *p, struct qti_pool_cache *c);
QTI_SHARED void qti_pool_put_spilling(struct qti_pool *p, struct qti_pool_cache *c, void *object);

/* An object, or NULL when out of memory.  Its content is whatever its last user left. */
static inline void *qti_pool_get(struct qti_pool *p, struct qti_pool_cache *c)
{
	if (qti_unlikely(c->count == 0))
		return qti_pool_get_refilled(p, c);
	return c->active->object[--c->count];
}

static inline void qti_pool_put(struct qti_pool *p, struct qti_pool_cache *c, void *object)
{
	if (qti_unlikely(c->count == c->room)) {
		qti_pool_put_spilling(p, c, object);
		return;
	}
	c->active->object[c->count] = object;
	fence_compiler();       /* FK3 of base/forked.h */
	c->count++;
}

#endif
