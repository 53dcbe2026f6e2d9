/* test/unit/pool.c -- base/pool.h: magazines, memory that stays an object's, out of memory.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/pool.h"
#include "stress/stress.h"
#include "fault.h"

#include <pthread.h>

enum { SIZE = 96, LINK = 32, BATCH = 4, MANY = 200, HANDED_OVER = 100000, RING = 64 };

static struct qti_pool pool;
static unsigned carved; /* calls of on_carve */

static void on_carve(struct qti_pool *p, void *object, void *apart)
{
	memset(object, 0xca, p->size);
	memset(apart, 0xca, p->apart);
	carved++;
}

static void begin(size_t first_slab, size_t max_slab)
{
	const struct qti_pool_config config = {
		.size = SIZE,
		.link = LINK,
		.batch = BATCH,
		.first_slab = first_slab,
		.max_slab = max_slab,
		.on_carve = on_carve,
	};

	carved = 0;
	qti_pool_init(&pool, &config);
}

/* Everything but the link. */
static void fill(void *object, int with)
{
	memset(object, with, LINK);
	memset((char *)object + LINK + sizeof(struct qti_pool_link), with, SIZE - LINK - sizeof(struct qti_pool_link));
}

static bool holds(const void *object, int what)
{
	const unsigned char *byte = object;

	for (size_t i = 0; i < SIZE; i++) {
		bool link = i >= LINK && i < LINK + sizeof(struct qti_pool_link);
		if (!link && byte[i] != (unsigned char)what)
			return false;
	}
	return true;
}

static void count(void *object, void *arg)
{
	(void)object;
	++*(unsigned *)arg;
}

static unsigned each(void)
{
	unsigned n = 0;

	qti_pool_each(&pool, count, &n);
	return n;
}

/* --- one cache ------------------------------------------------------------------------------------------- */

static void objects_are_apart(void)
{
	struct qti_pool_cache c = { 0 };
	void *object[MANY];
	bool fresh = true, whole = true;

	begin(1024, 1 << 20);
	is_int(each(), 0, "an unused pool holds nothing");
	for (int i = 0; i < MANY; i++) {
		object[i] = qti_pool_get(&pool, &c);
		fresh = fresh && holds(object[i], 0xca);
		fill(object[i], i);
	}
	for (int i = 0; i < MANY; i++)
		whole = whole && holds(object[i], i);
	ok(fresh, "every object has been carved before it is handed out");
	ok(whole, "no two objects overlap");
	ok(carved >= MANY && carved < MANY + BATCH, "one at a time is carved for each, and at most a magazine more");
	is_int(each(), carved, "qti_pool_each visits every object carved, over several slabs");

	for (int i = 0; i < MANY; i++)
		qti_pool_put(&pool, &c, object[i]);
	for (int i = 0; i < MANY; i++)
		whole = whole && holds(object[i], i);
	ok(whole, "freed objects keep their content, but for the link");
	is_int(each(), carved, "qti_pool_each visits free ones as well");
	void *last = object[MANY - 1];
	ok(qti_pool_get(&pool, &c) == last, "the object freed last is the first to be used again");
	qti_pool_put(&pool, &c, last);

	unsigned before = carved;
	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < MANY; i++)
			object[i] = qti_pool_get(&pool, &c);
		for (int i = 0; i < MANY; i++)
			qti_pool_put(&pool, &c, object[i]);
	}
	is_int(carved, before, "what comes back is used before anything new is carved");
	qti_pool_fini(&pool);
	is_int(each(), 0, "qti_pool_fini leaves an empty pool");
}

/* --- what lies apart ------------------------------------------------------------------------------------- */

enum { APART = 160 };

static void *apart_of[MANY];

static void note_apart(struct qti_pool *p, void *object, void *apart)
{
	memset(object, 0xca, p->size);
	apart_of[carved++] = apart;
}

static void second_parts_are_apart(void)
{
	struct qti_pool_cache c = { 0 };
	void *object[MANY];
	bool whole = true, above = true;

	carved = 0;
	qti_pool_init(&pool, &(struct qti_pool_config){ .size = SIZE, .apart = APART, .link = LINK, .batch = 1,
		.commit = qti_mem_page(), .first_slab = 4096, .max_slab = 1 << 20, .on_carve = note_apart });
	for (unsigned i = 0; i < MANY; i++) {
		object[i] = qti_pool_get(&pool, &c);
		fill(object[i], (int)i);
		memset(apart_of[i], (int)i, APART);
		above = above && (char *)apart_of[i] > (char *)object[i];
	}
	for (unsigned i = 0; i < MANY; i++)
		for (unsigned at = 0; at < APART; at++)
			whole = whole && holds(object[i], (int)i) && ((unsigned char *)apart_of[i])[at] == i;
	ok(whole, "parts that lie apart overlap neither each other nor an object, over several slabs");
	ok(above, "and lie above what they belong to");
	is_int(each(), MANY, "qti_pool_each visits what has been carved, and no more");
	qti_pool_fini(&pool);
}

/* --- several caches -------------------------------------------------------------------------------------- */

static void magazines_move(void)
{
	struct qti_pool_cache giver = { 0 }, taker = { 0 };
	void *object[8 * BATCH];

	begin(4096, 4096);
	for (int i = 0; i < 8 * BATCH; i++)
		object[i] = qti_pool_get(&pool, &giver);
	unsigned before = carved;
	for (int i = 0; i < 8 * BATCH; i++)
		qti_pool_put(&pool, &giver, object[i]);
	/* Two magazines stay with the giver. */
	for (int i = 0; i < 6 * BATCH; i++)
		object[i] = qti_pool_get(&pool, &taker);
	is_int(carved, before, "another cache gets the full magazines");
	object[6 * BATCH] = qti_pool_get(&pool, &taker);
	is_int(carved, before + BATCH, "but not the two that a cache may keep");
	for (int i = 0; i <= 6 * BATCH; i++)
		qti_pool_put(&pool, &taker, object[i]);
	qti_pool_fini(&pool);
}

static void without_a_cache(void)
{
	struct qti_pool_cache c = { 0 };
	void *object[8 * BATCH];

	begin(4096, 4096);
	object[0] = qti_pool_get_shared(&pool);
	is_int(carved, 1, "without a cache one object is carved for one");
	qti_pool_put_shared(&pool, object[0]);
	ok(qti_pool_get_shared(&pool) == object[0], "and comes again");
	qti_pool_put_shared(&pool, object[0]);

	for (int i = 0; i < 8 * BATCH; i++)
		object[i] = qti_pool_get(&pool, &c);
	unsigned before = carved;
	for (int i = 0; i < 8 * BATCH; i++)
		qti_pool_put(&pool, &c, object[i]);
	for (int i = 0; i < 6 * BATCH; i++)
		object[i] = qti_pool_get_shared(&pool);
	is_int(carved, before, "a thread without a cache takes magazines apart");
	for (int i = 0; i < 6 * BATCH; i++)
		qti_pool_put_shared(&pool, object[i]);
	for (int i = 0; i < 8 * BATCH; i++)
		object[i] = qti_pool_get(&pool, &c);
	is_int(carved, before, "and a cache takes what such threads have freed");
	qti_pool_fini(&pool);
}

/* --- out of memory --------------------------------------------------------------------------------------- */

static void out_of_memory(void)
{
	struct qti_pool_cache c = { 0 };
	unsigned got = 0;

	begin(1, 1); /* one page a slab: 42 objects of 96 bytes where that is 4096 bytes */
	unsigned a_slab = (unsigned)(qti_mem_page() / SIZE);
	qti_mem_fault = fault;
	fault_after(0);
	ok(!qti_pool_get(&pool, &c), "no memory for the slab's record: NULL");
	fault_after(1);
	ok(!qti_pool_get(&pool, &c), "no memory for the slab: NULL");
	ok(!qti_pool_get_shared(&pool), "without a cache as well");
	is_int(each(), 0, "and nothing half done");
	fault_after(2);
	while (qti_pool_get(&pool, &c))
		got++;
	is_int(got, a_slab, "the last magazine is shorter: what memory there is serves");
	ok(!qti_pool_get(&pool, &c), "NULL again and again");
	fault_after(2);
	ok(qti_pool_get(&pool, &c), "until there is memory");
	qti_mem_fault = NULL;
	qti_pool_fini(&pool);
}

static void slabs_grow(void)
{
	struct qti_pool_cache c = { 0 };

	qti_mem_fault = fault;
	fault_after(UINT32_MAX);
	begin(1, 1 << 20);
	for (int i = 0; i < 20000; i++)
		qti_pool_get(&pool, &c);
	const unsigned asked = (unsigned)fault_asked();
	ok(asked > 2 && asked <= 2 * 11, "slabs double up to their limit: 20000 objects came in %u", asked / 2);
	qti_mem_fault = NULL;
	qti_pool_fini(&pool);
}

/* --- threads --------------------------------------------------------------------------------------------- */

/* One thread gets, another puts: a task that is forked here and freed there. */
static void *ring[RING];
static unsigned objects;

static void *taker(void *arg)
{
	struct qti_pool_cache c = { 0 };
	unsigned wrong = 0;

	for (unsigned i = 0; i < objects; i++) {
		void *object;
		stress_until((object = load_acq(&ring[i % RING])) != NULL);
		wrong += !holds(object, (int)(i & 0xff));
		store_rel(&ring[i % RING], NULL);
		qti_pool_put(&pool, &c, object);
	}
	*(unsigned *)arg = wrong;
	return NULL;
}

static void handed_over(void)
{
	struct qti_pool_cache c = { 0 };
	pthread_t thread;
	unsigned wrong = 1;

	objects = stress_scaled(HANDED_OVER);
	begin(1, 1 << 20);
	if (pthread_create(&thread, NULL, taker, &wrong) != 0)
		bail_out("pthread_create failed");
	for (unsigned i = 0; i < objects; i++) {
		void *object = qti_pool_get(&pool, &c);
		fill(object, (int)(i & 0xff));
		stress_until(load_acq(&ring[i % RING]) == NULL);
		store_rel(&ring[i % RING], object);
	}
	pthread_join(thread, NULL);
	is_int(wrong, 0, "what one thread gets another puts, and nobody else has it meanwhile");
	/* In the ring, two magazines in each cache, one in each thread's hands, one on the way. */
	ok(carved <= RING + 2 + 5 * BATCH, "and objects come back: %u were carved", carved);
	qti_pool_fini(&pool);
}

/* Several threads get and put at once, some without a cache. */
static void *getter(void *arg)
{
	struct qti_pool_cache c = { 0 };
	uint64_t random = stress_state((uintptr_t)arg);
	bool cached = (uintptr_t)arg % 2 == 0;
	void *mine[16] = { NULL };
	uintptr_t wrong = 0;

	for (unsigned i = 0; i < objects; i++) {
		unsigned at = stress_random(&random, 16);
		if (!mine[at]) {
			mine[at] = cached ? qti_pool_get(&pool, &c) : qti_pool_get_shared(&pool);
			fill(mine[at], (int)(uintptr_t)arg * 16 + (int)at);
			continue;
		}
		wrong += !holds(mine[at], (int)(uintptr_t)arg * 16 + (int)at);
		if (cached)
			qti_pool_put(&pool, &c, mine[at]);
		else
			qti_pool_put_shared(&pool, mine[at]);
		mine[at] = NULL;
	}
	return (void *)wrong;
}

static void all_at_once(void)
{
	pthread_t thread[4];
	uintptr_t wrong = 0;

	objects = stress_scaled(HANDED_OVER);
	begin(1, 1 << 20);
	for (uintptr_t i = 0; i < 4; i++)
		if (pthread_create(&thread[i], NULL, getter, (void *)i) != 0)
			bail_out("pthread_create failed");
	for (int i = 0; i < 4; i++) {
		void *n;
		pthread_join(thread[i], &n);
		wrong += (uintptr_t)n;
	}
	is_int(wrong, 0, "four threads, two without a cache: an object has one user");
	is_int(each(), carved, "and all objects are known");
	qti_pool_fini(&pool);
}

int main(void)
{
	plan(31);
	objects_are_apart();
	second_parts_are_apart();
	magazines_move();
	without_a_cache();
	out_of_memory();
	slabs_grow();
	stress_say(stress_scaled(HANDED_OVER));
	stress_watch("pool");
	handed_over();
	all_at_once();
	return done();
}
