/* test/check/pools.c -- base/pool.h, core/taskq.h: what moves from one worker to another is one's at a time.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/instead.h"

#include "base/mem.h"

enum { SPACE = 4096 };

static char space[SPACE] __attribute__((aligned(64)));
static size_t space_used;

/* Under the pool's lock. */
static void *space_get(size_t bytes)
{
	void *p = space + space_used;

	space_used += (bytes + 63) / 64 * 64;
	return space_used <= SPACE ? p : NULL;
}

#define qti_mem_alloc space_get
#define qti_mem_map space_get
#define qti_mem_page() ((size_t)64)

#include "base/pool.c"

#include "core/taskq.h"

enum { THREADS = 2, TASKS = 3 };

struct object {
	unsigned used;
	struct qti_pool_link link;
};

static struct qti_pool pool;
static struct qti_pool_cache cache[THREADS];
static struct qti_taskq inbox;
static struct qti_task task[TASKS];
static unsigned pushed, popped;

static void begin_small(void)
{
	const struct qti_pool_config config = { .size = sizeof(struct object), .link = offsetof(struct object, link),
		.batch = 1, .first_slab = 64, .max_slab = 64 };

	qti_pool_init(&pool, &config);
}

static void begin(void)
{
}

static struct object *get(struct qti_pool_cache *c)
{
	struct object *o = c ? qti_pool_get(&pool, c) : qti_pool_get_shared(&pool);

	check_that(o != NULL, "there is memory");
	check_that(o->used == 0, "nobody else has it");
	o->used = 1;
	return o;
}

static void put(struct qti_pool_cache *c, struct object *o)
{
	o->used = 0;
	if (c)
		qti_pool_put(&pool, c, o);
	else
		qti_pool_put_shared(&pool, o);
}

/* Batches of one: each goes by the store. */
static void run_batches(unsigned thread)
{
	struct object *a = get(&cache[thread]), *b = get(&cache[thread]);

	put(&cache[thread], a);
	put(&cache[thread], b);
	a = get(&cache[thread]);
	put(&cache[thread], a);
}

/* One has no cache. */
static void run_shared(unsigned thread)
{
	struct qti_pool_cache *c = thread == 0 ? &cache[0] : NULL;
	struct object *a = get(c), *b = get(c);

	put(c, b);
	put(c, a);
	put(c, get(c));
}

/* An inbox: one puts tasks in at both ends, the other takes them out at both. */
static void run_inbox(unsigned thread)
{
	if (thread == 0) {
		for (unsigned i = 0; i < TASKS; i++) {
			task[i].arg = &task[i];
			if (i == 1)
				qti_taskq_push_front(&inbox, &task[i]);
			else
				qti_taskq_push_back(&inbox, &task[i]);
			pushed++;
		}
	} else {
		for (unsigned i = 0; i < TASKS; i++) {
			struct qti_task *t = i == 1 ? qti_taskq_pop_back(&inbox) : qti_taskq_pop_front(&inbox);
			check_that(!t || t->arg == t, "a task is whole");
			popped += t != NULL;
		}
	}
}

static void end(void)
{
	while (qti_taskq_pop_front(&inbox))
		popped++;
	check_that(popped == pushed, "each has come out once");
}

#define UNIT(what, first) \
	{ .name = #what, .threads = THREADS, .begin = first, .run = run_##what, .end = end, .switches = 3, \
	  .stale = 2, .most = 4000 }

int main(int argc, char **argv)
{
	static const struct check_unit batches = UNIT(batches, begin_small), shared = UNIT(shared, begin_small),
		box = UNIT(inbox, begin);
	static const struct check_unit *const units[] = { &batches, &shared, &box };
	static const struct check_program program = { .unit = units, .nunits = sizeof(units) / sizeof(units[0]) };

	store_rlx(&qti_poll_rate, 0);
	return check_run(&program, argc, argv);
}
