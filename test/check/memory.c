/* test/check/memory.c -- see test/check/memory.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/memory.h"

#include "check/explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA = 48 << 20, STORES = 1024, BUCKETS = 1024, RANGES = 64 };

struct view {
	uint16_t seen[CHECK_LOCATIONS];         /* number of the oldest store */
	uint16_t clock[CHECK_FIBERS];
	uint16_t told[CHECK_FIBERS];            /* the same as ThreadSanitizer has it */
};

struct store {
	uint64_t value;
	const struct view *carries;
	unsigned by;                            /* thread */
};

struct location {
	uintptr_t at;
	unsigned bytes;
	unsigned next;                          /* of its bucket, plus 1 */
	uint64_t first;                         /* as it was before */
	struct store *store;                    /* NULL: none but the first */
	unsigned stores;
	uint16_t wrote[CHECK_FIBERS], read[CHECK_FIBERS];       /* clocks of accesses that are not atomic */
	uint16_t stored[CHECK_FIBERS], loaded[CHECK_FIBERS];    /* and of atomic ones */
};

static struct location location[CHECK_LOCATIONS];
static unsigned locations;
static unsigned bucket[BUCKETS];        /* the first location, plus 1 */

static struct thread {
	struct view now;                /* what it has to see */
	struct view acquired;           /* and from an acquire fence on */
	struct view released;           /* at its last release fence */
} thread_of[CHECK_FIBERS];

static struct change {
	struct change *before;
	uintptr_t at;
	size_t bytes;
	unsigned char was[];
} *changes;                             /* the latest first */

static struct view fences;              /* of seq_cst */
static uint64_t all_stores;

/* By an access that is not atomic, and has not been executed when it is reported. */
static struct written {
	unsigned thread;
	struct location *location;
} written[CHECK_LOCATIONS];
static unsigned nwritten;

/* Written by accesses that are not atomic, and of many bytes: for locations that are found there later. */
static struct range {
	uintptr_t at;
	size_t bytes;
	unsigned thread;
	uint16_t clock;
} range[RANGES];
static unsigned ranges;

static char *arena;
static size_t arena_used;

static void *arena_get(size_t bytes)
{
	void *p = arena + arena_used;

	arena_used += (bytes + 15) & ~(size_t)15;
	if (arena_used > ARENA)
		check_broken("an execution needs more memory than there is (ARENA)");
	return p;
}

static void epoch_begin(unsigned thread)
{
	struct view *v = &thread_of[thread].now;

	v->told[thread] = ++v->clock[thread];
}

void memory_begin(void)
{
	if (!arena && !(arena = malloc(ARENA)))
		check_broken("out of memory");
	arena_used = 0;
	changes = NULL;
	locations = 0;
	all_stores = 0;
	nwritten = ranges = 0;
	memset(bucket, 0, sizeof(bucket));
	memset(thread_of, 0, sizeof(thread_of));
	memset(&fences, 0, sizeof(fences));
	for (unsigned i = 0; i < CHECK_FIBERS; i++)
		epoch_begin(i);
}

/* --- locations -------------------------------------------------------------------------------------------- */

static uint64_t bytes_at(uintptr_t at, unsigned bytes)
{
	uint64_t value = 0;

	memcpy(&value, (const void *)at, bytes);
	return value;
}

static void bytes_put(uintptr_t at, unsigned bytes, uint64_t value)
{
	memcpy((void *)at, &value, bytes);
}

void memory_undo(void)
{
	for (; changes; changes = changes->before)
		memcpy((void *)changes->at, changes->was, changes->bytes);
}

/* Before it is written to. */
static void memory_keep(uintptr_t at, size_t bytes)
{
	struct change *c = arena_get(sizeof(*c) + bytes);

	c->before = changes;
	c->at = at;
	c->bytes = bytes;
	memcpy(c->was, (const void *)at, bytes);
	changes = c;
}

static unsigned *bucket_of(uintptr_t at)
{
	return &bucket[(at >> 2) % BUCKETS];
}

/* NULL: never accessed in that size. */
static struct location *location_find(uintptr_t at, unsigned bytes)
{
	for (unsigned i = *bucket_of(at); i > 0; i = location[i - 1].next)
		if (location[i - 1].at == at && location[i - 1].bytes == bytes)
			return &location[i - 1];
	return NULL;
}

static bool overlaps(const struct location *l, uintptr_t at, size_t bytes)
{
	return l->at < at + bytes && at < l->at + l->bytes;
}

static struct location *location_at(uintptr_t at, unsigned bytes)
{
	struct location *l = location_find(at, bytes);

	if (l)
		return l;
	if (locations == CHECK_LOCATIONS)
		check_broken("a unit uses too many locations (CHECK_LOCATIONS)");
	l = &location[locations++];
	*l = (struct location){ .at = at, .bytes = bytes, .next = *bucket_of(at), .first = bytes_at(at, bytes) };
	*bucket_of(at) = locations;
	for (unsigned i = 0; i < ranges; i++)
		if (overlaps(l, range[i].at, range[i].bytes))
			l->wrote[range[i].thread] = range[i].clock;
	return l;
}

static unsigned number_of(const struct location *l)
{
	return (unsigned)(l - location);
}

static uint64_t value_of(const struct location *l, unsigned number)
{
	return number ? l->store[number - 1].value : l->first;
}

/* --- views ------------------------------------------------------------------------------------------------ */

static void view_join_seen(struct view *to, const struct view *from)
{
	for (unsigned i = 0; i < locations; i++)
		if (to->seen[i] < from->seen[i])
			to->seen[i] = from->seen[i];
}

static void clock_join(uint16_t *to, const uint16_t *from)
{
	for (unsigned i = 0; i < CHECK_FIBERS; i++)
		if (to[i] < from[i])
			to[i] = from[i];
}

/* By a fence. */
static void view_join_fenced(struct view *to, const struct view *from)
{
	view_join_seen(to, from);
	clock_join(to->clock, from->clock);
}

static void view_join(struct view *to, const struct view *from)
{
	view_join_fenced(to, from);
	clock_join(to->told, from->told);
}

void memory_join(unsigned to, unsigned of)
{
	view_join(&thread_of[to].now, &thread_of[of].now);
	epoch_begin(of);
}

static bool acquires(int order)
{
	return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

static bool releases(int order)
{
	return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* --- races ------------------------------------------------------------------------------------------------ */

static bool is_before(unsigned thread, const uint16_t *clock)
{
	const struct view *v = &thread_of[thread].now;

	for (unsigned i = 0; i < CHECK_FIBERS; i++) {
		if (i != thread && clock[i] > v->clock[i])
			return false;
		if (i != thread && clock[i] > v->told[i])
			check_fail("an access that is not atomic relies on a fence");
	}
	return true;
}

static void note_access(unsigned thread, uint16_t *clock)
{
	clock[thread] = thread_of[thread].now.clock[thread];
}

static void check_atomic(unsigned thread, struct location *l, bool write)
{
	if (!is_before(thread, l->wrote) || (write && !is_before(thread, l->read)))
		check_fail("an atomic access races with one that is not");
	note_access(thread, write ? l->stored : l->loaded);
}

static void check_plain(unsigned thread, struct location *l, bool write)
{
	if (!is_before(thread, l->wrote) || !is_before(thread, l->stored) ||
	    (write && (!is_before(thread, l->read) || !is_before(thread, l->loaded))))
		check_fail("an access that is not atomic races");
	note_access(thread, write ? l->wrote : l->read);
}

/* --- accesses --------------------------------------------------------------------------------------------- */

static void store_add(unsigned thread, struct location *l, uint64_t value, struct view *carries)
{
	if (!l->store)
		l->store = arena_get(STORES * sizeof(*l->store));
	if (l->stores == STORES)
		check_broken("an execution stores too often to one location (STORES)");
	l->store[l->stores++] = (struct store){ .value = value, .carries = carries, .by = thread };
	thread_of[thread].now.seen[number_of(l)] = (uint16_t)l->stores;
	all_stores++;
}

/* After the store, which the view has to show as well. */
static void store_carry(unsigned thread, const struct location *l, struct view *carries, int order)
{
	struct thread *t = &thread_of[thread];

	if (releases(order)) {
		view_join(carries, &t->now);
		epoch_begin(thread);
	} else {
		view_join(carries, &t->released);
	}
	carries->seen[number_of(l)] = (uint16_t)l->stores;
	if (order == __ATOMIC_SEQ_CST)
		fences.seen[number_of(l)] = (uint16_t)l->stores;
}

static struct view *view_new(void)
{
	struct view *v = arena_get(sizeof(*v));

	memset(v, 0, sizeof(*v));
	return v;
}

void memory_store(unsigned thread, uintptr_t at, unsigned bytes, uint64_t value, int order)
{
	struct location *l = location_at(at, bytes);
	const struct store *last = l->stores ? &l->store[l->stores - 1] : NULL;
	struct view *carries = view_new();

	check_atomic(thread, l, true);
	if (last && last->carries && last->by == thread)
		clock_join(carries->told, last->carries->told);
	memory_keep(at, bytes);
	bytes_put(at, bytes, value);
	store_add(thread, l, value, carries);
	store_carry(thread, l, carries, order);
}

static void load_from(unsigned thread, struct location *l, unsigned number, int order)
{
	struct thread *t = &thread_of[thread];
	const struct view *carries = number ? l->store[number - 1].carries : NULL;

	t->now.seen[number_of(l)] = (uint16_t)number;
	if (carries)
		view_join(acquires(order) ? &t->now : &t->acquired, carries);
}

uint64_t memory_load(unsigned thread, uintptr_t at, unsigned bytes, int order, bool latest)
{
	struct location *l = location_at(at, bytes);
	unsigned oldest = thread_of[thread].now.seen[number_of(l)];

	check_atomic(thread, l, false);
	if (order == __ATOMIC_SEQ_CST && oldest < fences.seen[number_of(l)])
		oldest = fences.seen[number_of(l)];
	unsigned number = l->stores - (latest ? 0 : check_choose_stale(l->stores - oldest));
	load_from(thread, l, number, order);
	return value_of(l, number);
}

uint64_t memory_now(uintptr_t at, unsigned bytes)
{
	return bytes_at(at, bytes);
}

void memory_set(uintptr_t at, unsigned bytes, uint64_t value)
{
	bytes_put(at, bytes, value);
}

void memory_rmw(unsigned thread, uintptr_t at, unsigned bytes, uint64_t value, int order)
{
	struct location *l = location_at(at, bytes);
	struct view *carries = view_new();

	check_atomic(thread, l, true);
	if (l->stores && l->store[l->stores - 1].carries)
		view_join(carries, l->store[l->stores - 1].carries);
	load_from(thread, l, l->stores, order);
	memory_keep(at, bytes);
	bytes_put(at, bytes, value);
	store_add(thread, l, value, carries);
	store_carry(thread, l, carries, order);
}

void memory_fence(unsigned thread, int order)
{
	struct thread *t = &thread_of[thread];

	if (acquires(order))
		view_join_fenced(&t->now, &t->acquired);
	if (order == __ATOMIC_SEQ_CST) {
		view_join_seen(&t->now, &fences);
		view_join_seen(&fences, &t->now);
	}
	if (releases(order)) {
		t->released = t->now;
		memset(t->released.told, 0, sizeof(t->released.told));
		epoch_begin(thread);
	}
}

static void range_add(unsigned thread, uintptr_t at, size_t bytes)
{
	if (ranges == RANGES)
		check_broken("an execution writes too much at once too often (RANGES)");
	range[ranges++] = (struct range){ at, bytes, thread, thread_of[thread].now.clock[thread] };
}

static void plain_access(unsigned thread, struct location *l, bool write)
{
	check_plain(thread, l, write);
	if (write)
		written[nwritten++ % CHECK_LOCATIONS] = (struct written){ thread, l };
}

void memory_plain(unsigned thread, uintptr_t at, size_t bytes, bool write, bool own)
{
	struct location *l = bytes <= 8 ? location_find(at, (unsigned)bytes) : NULL;
	bool known = l != NULL;

	if (write)
		memory_keep(at, bytes);
	if (l)
		plain_access(thread, l, write);
	for (unsigned i = 0; i < locations && !l; i++)
		if (overlaps(&location[i], at, bytes)) {
			plain_access(thread, &location[i], write);
			known = true;
		}
	if (!known && !own && bytes <= 8)
		plain_access(thread, location_at(at, (unsigned)bytes), write);
	if (write && !own && bytes > 8)
		range_add(thread, at, bytes);
}

void memory_settle(void)
{
	for (unsigned i = 0; i < nwritten; i++) {
		struct location *l = written[i].location;
		store_add(written[i].thread, l, bytes_at(l->at, l->bytes), NULL);
	}
	nwritten = 0;
}

uint64_t memory_stores(void)
{
	return all_stores;
}
