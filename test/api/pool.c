/* test/api/pool.c -- pools give out memory that nobody else has, where and as large as they were told.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Without a runtime, too; and under every scheduler, items going from task to task.
 */
#include "api/every.h"

#include <qthread/qpool.h>

#include <string.h>

enum { CONTRACT_CHECKS = 26, CHECKS_PER_RUN = 4, ITEMS = 1000 };

static void *item[ITEMS];

static void take(qpool *p, size_t size, int n)
{
	for (int i = 0; i < n; i++) {
		item[i] = qpool_alloc(p);
		if (!item[i])
			bail_out("qpool_alloc failed");
		memset(item[i], i, size);
	}
}

static bool untouched(size_t size, int n)
{
	for (int i = 0; i < n; i++)
		for (size_t at = 0; at < size; at++)
			if (((unsigned char *)item[i])[at] != (unsigned char)i)
				return false;
	return true;
}

static bool aligned(size_t to, int n)
{
	for (int i = 0; i < n; i++)
		if ((uintptr_t)item[i] % to)
			return false;
	return true;
}

static void give_back(qpool *p, int n)
{
	for (int i = 0; i < n; i++)
		qpool_free(p, item[i]);
}

static void qpool_create_(void)
{
	static const size_t sizes[] = { 0, 1, 16, 17, 100, 5000 };

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const size_t size = sizes[i] < 16 ? 16 : sizes[i];
		qpool *p = qpool_create(sizes[i]);

		take(p, size, ITEMS);
		ok(aligned(16, ITEMS) && untouched(size, ITEMS), "qpool_create(%zu): %d items of %zu bytes, apart", sizes[i],
			ITEMS, size);
		qpool_destroy(p);
	}
	ok(!qpool_create(SIZE_MAX), "qpool_create(SIZE_MAX): NULL");
	ok(!qpool_create(SIZE_MAX - 4096), "qpool_create of nearly as much: NULL");
}

static void qpool_create_aligned_(void)
{
	for (size_t align = 1; align <= 65536; align *= 4) {
		qpool *p = qpool_create_aligned(24, align);

		take(p, 24, 50);
		ok(aligned(align < 16 ? 16 : align, 50) && untouched(24, 50), "qpool_create_aligned: to %zu bytes", align);
		give_back(p, 50);
		qpool_destroy(p);
	}
	qpool *p = qpool_create_aligned(24, 0);
	take(p, 24, 1);
	ok(aligned(16, 1), "qpool_create_aligned: 0 stands for 16");
	qpool_destroy(p);
	ok(!qpool_create_aligned(24, 24), "qpool_create_aligned: no power of two: NULL");
	ok(!qpool_create_aligned(24, 3), "qpool_create_aligned: a small one neither");
	ok(!qpool_create_aligned(24, SIZE_MAX / 2 + 1), "qpool_create_aligned: an absurd one: NULL");
	ok(!qpool_create_aligned(SIZE_MAX - 8, 64), "qpool_create_aligned: an absurd size: NULL");
}

static void qpool_alloc_(void)
{
	qpool *p = qpool_create(64);

	ok(!qpool_alloc(NULL), "qpool_alloc from NULL: NULL");
	take(p, 64, ITEMS);
	give_back(p, ITEMS);
	void *lowest = item[0], *highest = item[0];
	for (int i = 0; i < ITEMS; i++) {
		lowest = item[i] < lowest ? item[i] : lowest;
		highest = item[i] > highest ? item[i] : highest;
	}
	int again = 0;
	for (int i = 0; i < ITEMS; i++) {
		void *it = qpool_alloc(p);
		again += it >= lowest && it <= highest;
	}
	ok(again >= ITEMS / 2, "qpool_alloc gives what was freed again (%d of %d)", again, ITEMS);
	qpool_destroy(p);
}

static void qpool_free_(void)
{
	qpool *p = qpool_create(64);

	qpool_free(NULL, item);
	qpool_free(p, NULL);
	take(p, 64, 2);
	ok(item[0] != item[1], "qpool_free of NULL is ignored");
	qpool_destroy(p);
}

static void qpool_destroy_(void)
{
	qpool_destroy(NULL);
	for (int i = 0; i < 100; i++) {
		qpool *p = qpool_create(128);
		take(p, 128, 300);
		qpool_destroy(p);
	}
	ok(true, "qpool_destroy takes what was not given back");
}

static void contract(void)
{
	qpool_create_();
	qpool_create_aligned_();
	qpool_alloc_();
	qpool_free_();
	qpool_destroy_();
}

/* ---- Items that go from task to task.  Each carries who has it. */

enum { TASKS = 6, BOXES = 64 };

struct thing {
	aligned_t owner;        /* while somebody has it */
	char rest[40];
};

static qpool *pool;
static struct thing *box[BOXES];
static aligned_t had_already, rounds;

static struct thing *exchange(struct thing **place, struct thing *t)
{
	return __atomic_exchange_n(place, t, __ATOMIC_ACQ_REL);
}

static aligned_t pass_on(void *arg)
{
	const aligned_t me = (aligned_t)(uintptr_t)arg;
	uint64_t random = me;

	for (aligned_t i = 0; i < rounds; i++) {
		struct thing *t = qpool_alloc(pool);

		t->owner = me;
		random = random * UINT64_C(6364136223846793005) + 1;
		if (i % 100 == 0)
			qthread_yield();
		if (t->owner != me)
			qthread_incr(&had_already, 1);
		t = exchange(&box[random >> 58], t);
		if (t) {
			t->owner = 0;
			qpool_free(pool, t);
		}
	}
	return 0;
}

static void pass_on_outside(void *arg)
{
	pass_on(arg);
}

static void all_pass_on(void)
{
	aligned_t done[TASKS];

	for (uintptr_t t = 0; t < TASKS; t++)
		qthread_fork(pass_on, (void *)(t + 1), &done[t]);
	every_outside(pass_on_outside, (void *)100);
	for (int t = 0; t < TASKS; t++)
		qthread_readFF(NULL, &done[t]);
}

static int distinct(void)
{
	int twice = 0;

	for (int i = 0; i < BOXES; i++)
		for (int j = 0; j < i; j++)
			twice += box[i] && box[i] == box[j];
	return twice;
}

static qpool *old_pool;         /* of the runtime before */

static void run(const char *what)
{
	rounds = (aligned_t)every_scaled(2000);
	had_already = 0;
	pool = qpool_create(sizeof(struct thing));
	all_pass_on();
	is_int(had_already, 0, "%s: nobody gets an item that another has", what);
	is_int(distinct(), 0, "%s: what lies about is different items", what);
	memset(box, 0, sizeof(box));
	qpool_destroy(pool);

	take(old_pool, 32, 200);
	ok(untouched(32, 200), "%s: a pool made before qthread_initialize serves", what);
	give_back(old_pool, 200);

	qpool *p = qpool_create_aligned(100, 4096);
	take(p, 100, 100);
	ok(aligned(4096, 100) && untouched(100, 100), "%s: a worker's items are aligned to pages", what);
	give_back(p, 50);
	qpool_destroy(p);
}

int main(void)
{
	plan(2 * CONTRACT_CHECKS + every_runs() * CHECKS_PER_RUN + 2);
	contract();
	old_pool = qpool_create(32);
	every_runtime(run);
	take(old_pool, 32, 200);
	ok(untouched(32, 200), "a pool outlives the runtime");
	give_back(old_pool, 200);
	qpool_destroy(old_pool);
	contract();

	setenv("QT_MAX_POOL_ALLOC_SIZE", "4096", 1);
	every_start("mts", "1", "2");
	qpool *p = qpool_create(3000);
	take(p, 3000, 100);
	ok(untouched(3000, 100), "QT_MAX_POOL_ALLOC_SIZE: two items fit all the same");
	give_back(p, 100);
	qthread_finalize();
	qpool_destroy(p);
	return done();
}
