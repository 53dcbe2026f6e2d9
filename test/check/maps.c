/* test/check/maps.c -- ds/dictionary.c: who reads without a lock finds what belongs together, and what was there all
 * the time (DI1 to DI5).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All keys of a unit have the same hash: one chain, whose slots are used again; or two have the odd and the even ones.
 * Tables are given up by test/check/readers.c's protocol.
 */
#include "check/instead.h"

#include "base/mem.h"
#include "base/readers.h"

enum { SPACE = 16384, KEYS = 9, MOVE_AT_ONCE = 2 };

static char space[SPACE] __attribute__((aligned(64)));
static size_t space_used;               /* atomic */

static void *space_get(size_t bytes)
{
	size_t at = add_rlx(&space_used, (bytes + 63) / 64 * 64);

	return at + bytes <= SPACE ? space + at : NULL;
}

#define qti_mem_alloc space_get
#define qti_mem_aligned(align, bytes) space_get(bytes)
#define qti_mem_free(p) ((void)(p))
#define qti_reader_enter() ((struct qti_reader *)NULL)
#define qti_reader_leave(r) ((void)(r))
#define __builtin_prefetch(p) ((void)(p))

#include "base/tuning.h"
#include "ds/buckets.h"

#define TUNE_DICT_MOVE ((size_t)MOVE_AT_ONCE)

static bool look_left_out;              /* DI3 */

#define found_still(f) (look_left_out || found_still(f))

#include "ds/dictionary.c"

static qt_dictionary *map;
static unsigned key[KEYS], value[KEYS];

static int same(void *a, void *b)
{
	return *(unsigned *)a == *(unsigned *)b;
}

static bool two_chains;

static int hash_of(void *k)
{
	return 7 + (two_chains ? (int)(*(unsigned *)k & 1) : 0);
}

/* From here on whoever finds them finds them whole. */
static void make(unsigned i)
{
	key[i] = value[i] = i + 1;
}

static void put(unsigned i)
{
	make(i);
	check_that(qt_dictionary_put(map, &key[i], &value[i]) == &value[i], "there is memory");
}

/* Another key that is equal to number i. */
static unsigned *get(unsigned i)
{
	unsigned k = i + 1, *v = qt_dictionary_get(map, &k);

	check_that(!v || (v == &value[i] && *v == i + 1), "a key's value is its own, and whole");
	return v;
}

static void delete(unsigned i)
{
	unsigned k = i + 1;

	check_that(qt_dictionary_delete(map, &k) == &value[i], "it was there");
}

static void begin_with(unsigned keys)
{
	map = qt_dictionary_create(same, hash_of, NULL);
	for (unsigned i = 0; i < keys; i++)
		put(i);
}

static void begin_none(void)
{
	begin_with(0);
}

static void begin_one(void)
{
	begin_with(1);
}

static void begin_two(void)
{
	begin_with(2);
}

/* The bucket is full. */
static void begin_full(void)
{
	begin_with(SLOTS);
}

/* One is in the bucket behind that. */
static void begin_behind(void)
{
	begin_with(SLOTS + 1);
}

/* The chain is moved first. */
static void move_first(void)
{
	map->table->cursor = (dict_hash(map, &key[0]) >> map->table->shift) & ~(uint64_t)1;
}

/* The next one makes the table grow. */
static void begin_crowded(void)
{
	begin_full();
	map->table->crowded = FIRST_BUCKETS;
	move_first();
}

/* Either of two chains does. */
static void begin_both_crowded(void)
{
	two_chains = true;
	begin_with(2 * SLOTS);
	map->table->crowded = FIRST_BUCKETS;
	move_first();
}

/* Three buckets are to be moved. */
static void begin_long(void)
{
	begin_with(2 * SLOTS + 1);
	map->table->next = table_new(2 * FIRST_BUCKETS);
	move_first();
}

/* It is to be moved. */
static void begin_grows(void)
{
	begin_with(2);
	map->table->next = table_new(2 * FIRST_BUCKETS);
	move_first();
}

static void run_appears(unsigned thread)
{
	if (thread == 0)
		put(0);
	else
		(void)get(0);
}

/* One key goes, and another comes into its slot. */
static void run_replaced(unsigned thread)
{
	if (thread == 0) {
		delete(0);
		put(1);
	} else {
		(void)get(0);
		(void)get(1);
	}
}

/* The same by two writers. */
static void run_replaced_by_another(unsigned thread)
{
	if (thread == 0)
		delete(0);
	else if (thread == 1)
		put(2);
	else
		check_that(get(1) != NULL, "what stays is found");
}

static void run_replaced_behind(unsigned thread)
{
	if (thread == 0) {
		put(SLOTS);
		delete(1);
	} else {
		(void)get(SLOTS);
		check_that(get(2) != NULL, "what stays is found");
	}
}

/* Both take a slot of the bucket behind. */
static void run_behind(unsigned thread)
{
	if (thread == 0)
		put(SLOTS + 1);
	else
		(void)get(SLOTS + 1);
}

/* A value that is replaced goes with its key, or stays. */
static unsigned *deleted;

static void run_value(unsigned thread)
{
	unsigned k = 1, *v;

	if (thread == 0) {
		value[1] = 2;
		(void)qt_dictionary_put(map, &key[0], &value[1]);
	} else if (thread == 1) {
		deleted = qt_dictionary_delete(map, &k);
	} else {
		v = qt_dictionary_get(map, &k);
		check_that(!v || *v == 1 + (unsigned)(v - value), "a value is whole");
	}
}

static void end_value(void)
{
	check_that(deleted == &value[0] || deleted == &value[1], "it was there");
	check_that(qt_dictionary_get(map, &key[0]) == (deleted == &value[0] ? &value[1] : NULL), "no value is lost");
}

/* The table grows meanwhile, from the beginning. */
static void run_crowded(unsigned thread)
{
	if (thread < 2)
		put(SLOTS + thread);
	else
		check_that(get(0) != NULL, "what stays is found");
}

/* One has looked whether there is a next table, and puts its key into the old one. */
static void run_crowded_late(unsigned thread)
{
	if (thread == 0) {
		put(SLOTS + 1);
	} else {
		put(SLOTS);
		put(SLOTS + 2);
	}
}

/* Both would have the table grow. */
static void run_both_crowded(unsigned thread)
{
	put(2 * SLOTS + thread);
	if (thread == 0)
		put(2 * SLOTS + 2);
}

/* Buckets are free again, where somebody still looks. */
static void run_astray(unsigned thread)
{
	if (thread == 0)
		put(2 * SLOTS + 1);
	else
		check_that(get(SLOTS) && get(2 * SLOTS), "what stays is found");
}

static void end(void);
static void end_crowded(void)
{
	end();
	for (unsigned i = 0; i < KEYS; i++)
		check_that(value[i] == 0 || get(i), "what was put is found");
}

/* Both put an equal key. */
static void run_same(unsigned thread)
{
	static unsigned *got[2];

	make(thread);
	key[thread] = 1;
	value[thread] = 1;
	got[thread] = qt_dictionary_put_if_absent(map, &key[thread], &value[thread]);
	check_that(*got[thread] == 1, "a value is whole");
	unsigned k = 1;
	check_that(qt_dictionary_get(map, &k) == got[thread], "the first one stays");
}

/* One moves the buckets while it puts another key, the other finds what it looks for in either table. */
static void run_grows(unsigned thread)
{
	if (thread == 0) {
		put(2);
	} else {
		check_that(get(0) != NULL && get(1) != NULL, "what stays is found");
		(void)get(2);
	}
}

static void run_grows_for_two(unsigned thread)
{
	if (thread < 2)
		put(2 + thread);
	else
		check_that(get(0) != NULL, "what stays is found");
}

static void end(void)
{
	size_t n = 0;

	for (unsigned i = 0; i < KEYS; i++)
		n += value[i] == i + 1 && qt_dictionary_get(map, &key[i]) != NULL;
	check_that(n > 0, "something is there");
	check_that(!map->growing, "nobody grows it");
}

static void begin_looks_away(void)
{
	begin_one();
	look_left_out = true;
}

#define ASTRAY "for who has gone astray to the bucket (DI5): it goes on to key or `more`, which were released as well"
#define MOVES "for a slot that is used again meanwhile (DI3), by who has not seen the next table: three at work"

static const struct check_spare spare[] = {
	{ "dictionary.c", "struct table *t = load_acq(&d->table);", "who makes its next has acquired it" },
	{ "dictionary.c", "store_rel(&b->more, *chain);", ASTRAY },
	{ "dictionary.c", "store_rel(&spare->head, hash_tag(hash));", ASTRAY },
	{ "dictionary.c", "store_rel(&b->head, 0);", ASTRAY },
	{ "buckets.h", "w->at = load_acq(&w->at->more);", MOVES },
	{ "buckets.h", "w->left = tags_nonzero(load_acq(", MOVES },
	{ "buckets.h", "return load_acq(&w->at->slot[w->slot].", MOVES },
	{ "buckets.h", "t = load_acq(&t->next);", "MOVED, which was acquired, was released after it" },
	{ "dictionary.c", "store_rel(&b->head, load_rlx(&b->head) | tag_in(", "nobody looks there before MOVED (DI4)" },
	{ "dictionary.c", "store_rel(&b->more, NULL);", "nobody looks there before MOVED (DI4)" },
	{ "dictionary.c", "store_rel(&last[half]->more, b);", "nobody looks there before MOVED (DI4)" },
	{ "dictionary.c", "if (!load_acq(&t->next))", "the exchange of growing acquires it" },
	{ "dictionary.c", "while (!cas_acq_rel(&d->retired,", "for who gives tables up, when there are many" },
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, first) UNIT_WITH(what, n, first, end)
#define UNIT_WITH(what, n, first, last) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = last, .switches = 3, .stale = 2, .most = 1000 }

int main(int argc, char **argv)
{
	static const struct check_unit appears = UNIT(appears, 2, begin_none), replaced = UNIT(replaced, 2, begin_one),
		by_another = UNIT(replaced_by_another, 3, begin_two), behind = UNIT(replaced_behind, 2, begin_full),
		in_second = UNIT(behind, 2, begin_behind), replaced_value = UNIT_WITH(value, 3, begin_one, end_value),
		crowded = UNIT_WITH(crowded, 3, begin_crowded, end_crowded),
		late = UNIT_WITH(crowded_late, 2, begin_crowded, end_crowded),
		both_crowded = UNIT_WITH(both_crowded, 2, begin_both_crowded, end_crowded),
		astray = UNIT_WITH(astray, 2, begin_long, end_crowded), both = UNIT(same, 2, begin_none), grows = UNIT(grows, 2, begin_grows),
		for_two = UNIT(grows_for_two, 3, begin_grows);
	static const struct check_unit looks_away = { .name = "replaced", .threads = 2, .begin = begin_looks_away,
		.run = run_replaced, .end = end, .switches = 3, .stale = 2, .most = 1000, .without = "another look at the head (DI3)" };
	static const struct check_unit *const units[] = { &appears, &replaced, &by_another, &behind, &in_second,
		&replaced_value, &both, &grows, &for_two, &crowded,
		&late, &both_crowded, &astray,
		&looks_away };
	static const char *const of[] = { "ds/dictionary.c", "ds/buckets.h", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	store_rlx(&qti_poll_rate, 0);
	return check_run(&program, argc, argv);
}
