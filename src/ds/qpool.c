/* ds/qpool.c -- pools of memory for users, over base/pool.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A worker's cache is found by its number, which one OS thread has at a time: those who have it one after the other
 * are separated by a whole finalize and initialize.  Caches come in blocks, made when a worker of that range first
 * asks; a worker without one, for want of memory, does as threads that are no workers.
 *
 * Memory checkers are told of every item, so that they find who uses it after it was freed, or writes past its end.
 * The pool's own link must stay readable then: it lies behind the item, and a zone that nobody may touch between them.
 */
#include "base/atomic.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/race.h"
#include "core/gate.h"
#include "core/worker.h"
#include "machine/fiber.h"
#include "qthread/qpool.h"

#include <string.h>

#if QTI_VALGRIND
#include <valgrind/memcheck.h>
#endif

enum {
	LEAST = 16,             /* bytes of an item, and of its alignment */
	BATCH = 64,             /* items that go to and from a worker's cache at once; fewer if they are large */
	BATCH_BYTES = 64 << 10,
	SLAB_ITEMS = 128,       /* the first slab has room for so many, and so many pages */
	SLAB_PAGES = 16,
	SLAB_MOST = 4 << 20,    /* bytes; later slabs double up to this */
	RED_ZONE = 16,          /* bytes behind an item that a memory checker watches */
	CACHES = 32,            /* of a block */
	BLOCKS = 128,           /* as many caches in all as a runtime may have workers */
};

struct caches {
	struct {
		struct qti_pool_cache cache QTI_ALIGNED_LINE;
	} of[CACHES];
};

struct qt_mpool_s {
	struct qti_pool pool;
	size_t item;                    /* bytes that the user sees */
	bool checked;                   /* a memory checker watches */
	struct caches *block[BLOCKS] QTI_ALIGNED_LINE;
};

/* ---- Memory checkers */

#if QTI_VALGRIND
static bool memory_watched(void)
{
	return QTI_ASAN || RUNNING_ON_VALGRIND;
}
#else
static bool memory_watched(void)
{
	return QTI_ASAN;
}
#endif

static void memory_allow(void *from, size_t bytes)
{
#if QTI_ASAN
	__asan_unpoison_memory_region(from, bytes);
#endif
#if QTI_VALGRIND
	VALGRIND_MAKE_MEM_UNDEFINED(from, bytes);
#endif
	(void)from, (void)bytes;
}

static void memory_forbid(void *from, size_t bytes)
{
#if QTI_ASAN
	__asan_poison_memory_region(from, bytes);
#endif
#if QTI_VALGRIND
	VALGRIND_MAKE_MEM_NOACCESS(from, bytes);
#endif
	(void)from, (void)bytes;
}

static inline void *item_taken(const qpool *p, void *item)
{
	if (qti_unlikely(p->checked) && item) {
		memory_allow(item, p->item);
		memory_forbid((char *)item + p->item, p->pool.link - p->item);
	}
	return item;
}

static inline void item_given_back(const qpool *p, void *item)
{
	if (qti_unlikely(p->checked))
		memory_forbid(item, p->item);
}

/* An address that leaves the pool may come back as anything. */
static void item_forgotten(void *item, void *pool)
{
	memory_allow(item, ((qpool *)pool)->pool.link);
}

/* ---- Workers' caches */

static struct caches *block_make(struct caches **place)
{
	struct caches *mine = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*mine)), *other = NULL;

	if (!mine)
		return NULL;
	memset(mine, 0, sizeof(*mine));
	if (cas_acq_rel(place, &other, mine))
		return mine;
	qti_mem_free(mine);
	return other;
}

/* NULL: use the shared store. */
static inline struct qti_pool_cache *cache_of_caller(qpool *p)
{
	const struct qti_worker *w = qti_self();

	if (!w || qti_unlikely(w->id >= CACHES * BLOCKS))
		return NULL;
	struct caches **place = &p->block[w->id / CACHES], *block = load_acq(place);
	if (qti_unlikely(!block) && !(block = block_make(place)))
		return NULL;
	return &block->of[w->id % CACHES].cache;
}

/* ---- The calls */

/* Of one block from the system; two items fit. */
static size_t block_limit(size_t size)
{
	size_t cap = SIZE_MAX;

	if (qti_call_in()) {
		cap = qti_rt.env.max_pool_alloc;
		qti_call_out();
	}

	return cap > 2 * size ? cap : 2 * size;
}

static struct qti_pool_config config_for(size_t size, size_t align, size_t link)
{
	const size_t limit = block_limit(size), pages = SLAB_PAGES * qti_mem_page();
	const size_t items = size < SLAB_MOST / SLAB_ITEMS ? SLAB_ITEMS * size : 2 * size;
	const size_t first = items > pages ? items : pages;
	const size_t batch = BATCH_BYTES / size;

	return (struct qti_pool_config){
		.size = size, .align = align, .link = link,
		.batch = batch > BATCH ? BATCH : batch < 1 ? 1 : (unsigned)batch,
		.first_slab = first < limit ? first : limit, .max_slab = SLAB_MOST < limit ? SLAB_MOST : limit,
	};
}

/* What one item takes; 0 if that is more than an address space holds. */
static size_t item_bytes(size_t size, size_t align, size_t behind)
{
	const size_t most = PTRDIFF_MAX / 4;

	return size > most || align > most ? 0 : qti_mem_round(size + behind, align);
}

qpool *qpool_create_aligned(size_t const item_size, size_t const alignment)
{
	const size_t align = alignment < LEAST ? LEAST : alignment, item = item_size < LEAST ? LEAST : item_size;
	const bool checked = memory_watched();
	const size_t bytes = item_bytes(item, align, checked ? RED_ZONE + sizeof(struct qti_pool_link) : 0);

	if ((alignment & (alignment - 1)) != 0 || bytes == 0)
		return NULL;
	qpool *p = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*p));
	if (!p)
		return NULL;
	memset(p, 0, sizeof(*p));
	p->item = item;
	p->checked = checked;
	const size_t link = checked ? bytes - sizeof(struct qti_pool_link) : 0;
	const struct qti_pool_config config = config_for(bytes, align, link);
	qti_pool_init(&p->pool, &config);
	return p;
}

qpool *qpool_create(size_t const item_size)
{
	return qpool_create_aligned(item_size, LEAST);
}

/* Whoever had it gave it back before; what the pool itself has written there does not count. */
static __attribute__((noinline, cold)) void item_is_new(const qpool *p, void *item)
{
	qti_race_acquire_as(item, QTI_RACE_ELEMENT);
	if (item)
		qti_race_own(item, p->item);
}

void *qpool_alloc(qpool *pool)
{
	if (!pool)
		return NULL;
	struct qti_pool_cache *c = cache_of_caller(pool);
	void *item = c ? qti_pool_get(&pool->pool, c) : qti_pool_get_shared(&pool->pool);
	if (qti_races())
		item_is_new(pool, item);
	return item_taken(pool, item);
}

void qpool_free(qpool *restrict pool, void *restrict mem)
{
	if (!pool || !mem)
		return;
	struct qti_pool_cache *c = cache_of_caller(pool);
	qti_race_release_as(mem, QTI_RACE_ELEMENT);
	item_given_back(pool, mem);
	if (c)
		qti_pool_put(&pool->pool, c, mem);
	else
		qti_pool_put_shared(&pool->pool, mem);
}

void qpool_destroy(qpool *pool)
{
	if (!pool)
		return;
	if (pool->checked)
		qti_pool_each(&pool->pool, item_forgotten, pool);
	for (unsigned i = 0; i < BLOCKS; i++)
		qti_mem_free(pool->block[i]);
	qti_pool_fini(&pool->pool);
	qti_mem_free(pool);
}
