/* test/stress/dictionary.c -- tasks and OS threads on one dictionary, and what every one of them must see.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     owners     put, get and delete of keys that nobody else writes    each sees exactly what it did last
 *     readers    get of the owners' keys, and of some that stay         a value is the key's own, and never ages
 *     rivals     put_if_absent, get, delete of few keys                 each value stored is deleted once, or is there
 *     growers    put of ever more keys                                  none is lost while the table grows
 *     walkers    iterators                                              each key that stays is visited exactly once
 *
 * A key's memory is spoilt by cleanup: whoever still looks at it then finds out.  Hashes are the number itself, or
 * clash in groups.  QTI_ROUNDS counts the steps of each actor.
 */
#include "stress/stress.h"

#include <qthread/dictionary.h>

#include <pthread.h>

enum {
	ROUNDS = 1000,
	ACTORS = 3, /* of each kind */
	OWNED = 40, /* keys of each owner */
	DISPUTED = 6,
	STAYING = 300,
	CHECKS = 8,
};

/* Numbers of keys: staying from 0, then disputed, then owned, then the growers'. */
enum { FIRST_DISPUTED = STAYING, FIRST_OWNED = FIRST_DISPUTED + DISPUTED, FIRST_GROWN = FIRST_OWNED + ACTORS * OWNED };

struct key {
	uint64_t number;
	uint64_t good;          /* until it has been cleaned */
};

static unsigned rounds;
static qt_dictionary *dict;
static unsigned spoilt, wrong, aged, lost, misvisited;
static bool clashing;

static struct key *new_key(struct key *k, uint64_t number)
{
	k->number = number;
	k->good = 1;
	return k;
}

/* ---- The caller's functions */

/* These are called in the middle of things: to dawdle there lets others come between. */
static void dawdle(void)
{
	static __thread uint64_t random;

	if (!random)
		random = stress_state((uintptr_t)&random);
	switch (stress_random(&random, 64)) {
	case 0:
		sched_yield();
		break;
	case 1:
	case 2:
	case 3:
		stress_pause(stress_random(&random, 100));
	}
}

static uint64_t number_of(void *key)
{
	const struct key *k = key;

	dawdle();
	if (!k->good)
		add_rlx(&spoilt, 1);
	return k->number;
}

static int equals(void *a, void *b)
{
	return number_of(a) == number_of(b);
}

static int hash(void *key)
{
	return (int)(clashing ? number_of(key) / 16 : number_of(key));
}

static void cleanup(void *key, void *value)
{
	struct key *k = key;

	(void)value;
	k->good = 0;
	k->number = ~UINT64_C(0);
}

/* ---- Owners and readers.  A value is the key's number and a count. */

static void *value(uint64_t number, uint64_t count)
{
	return (void *)(uintptr_t)(number << 32 | count);
}

static aligned_t own(void *arg)
{
	const uintptr_t me = (uintptr_t)arg;
	uint64_t random = stress_state(me);
	void *expected[OWNED] = { NULL };
	struct key *memory = calloc(rounds, sizeof(*memory));

	for (unsigned i = 0; i < rounds; i++) {
		const unsigned which = stress_random(&random, OWNED);
		const uint64_t number = FIRST_OWNED + me * OWNED + which;
		struct key *k = new_key(&memory[i], number);
		void *v = value(number, i + 1), *was = expected[which];

		switch (stress_random(&random, 4)) {
		case 0:
			if (qt_dictionary_delete(dict, k) != was)
				add_rlx(&wrong, 1);
			expected[which] = NULL;
			break;
		case 1:
			if (qt_dictionary_put_if_absent(dict, k, v) != (was ? was : v))
				add_rlx(&wrong, 1);
			expected[which] = was ? was : v;
			break;
		default:
			if (qt_dictionary_put(dict, k, v) != v)
				add_rlx(&wrong, 1);
			expected[which] = v;
		}
		if (qt_dictionary_get(dict, &(struct key){ number, 1 }) != expected[which])
			add_rlx(&wrong, 1);
		if (i % 128 == 0)
			qthread_yield();
	}
	for (unsigned which = 0; which < OWNED; which++)
		qt_dictionary_delete(dict, &(struct key){ FIRST_OWNED + me * OWNED + which, 1 });
	free(memory);           /* its keys are all deleted, and nobody looks at them any more */
	return 0;
}

static aligned_t watch(void *arg)
{
	uint64_t random = stress_state((uintptr_t)arg + 100);
	uint64_t last[ACTORS * OWNED] = { 0 };

	for (unsigned i = 0; i < rounds; i++) {
		const unsigned which = stress_random(&random, ACTORS * OWNED);
		const uint64_t got = (uint64_t)(uintptr_t)qt_dictionary_get(dict, &(struct key){ FIRST_OWNED + which, 1 });

		if (got && got >> 32 != FIRST_OWNED + which)
			add_rlx(&wrong, 1);
		if (got && (uint32_t)got < last[which])
			add_rlx(&aged, 1);
		last[which] = got ? (uint32_t)got : last[which];
		const uintptr_t stays = stress_random(&random, STAYING);
		if (qt_dictionary_get(dict, &(struct key){ stays, 1 }) != (void *)(stays + 1))
			add_rlx(&lost, 1);
		if (i % 128 == 0)
			qthread_yield();
	}
	return 0;
}

/* ---- Rivals.  Each value is the address of a mark of its own. */

struct mark {
	uint64_t number;        /* of the key */
	uint32_t stored, deleted;
};

static struct mark *marks;      /* of ACTORS rivals and the threads, rounds each */
static struct key *rival_keys;

static aligned_t dispute(void *arg)
{
	const uintptr_t me = (uintptr_t)arg;
	uint64_t random = stress_state(me + 200);

	for (unsigned i = 0; i < rounds; i++) {
		const size_t mine = me * rounds + i;
		const uint64_t number = FIRST_DISPUTED + stress_random(&random, DISPUTED);
		struct key *k = new_key(&rival_keys[mine], number);
		struct mark *m;

		marks[mine].number = number;
		if (stress_random(&random, 2)) {
			m = qt_dictionary_put_if_absent(dict, k, &marks[mine]);
			if (m == &marks[mine])
				add_rlx(&m->stored, 1);
		} else {
			m = qt_dictionary_delete(dict, k);
			if (m)
				add_rlx(&m->deleted, 1);
		}
		if (m && m->number != number)
			add_rlx(&wrong, 1);
		m = qt_dictionary_get(dict, &(struct key){ number, 1 });
		if (m && m->number != number)
			add_rlx(&wrong, 1);
		if (i % 64 == 0)
			qthread_yield();
	}
	return 0;
}

static unsigned unbalanced(size_t nmarks)
{
	unsigned n = 0;

	for (unsigned i = 0; i < DISPUTED; i++) {
		struct mark *m = qt_dictionary_delete(dict, &(struct key){ FIRST_DISPUTED + i, 1 });
		if (m)
			m->deleted++;
	}
	for (size_t i = 0; i < nmarks; i++)
		n += marks[i].stored > 1 || marks[i].stored != marks[i].deleted;
	return n;
}

/* ---- Growers and walkers */

static struct key *grown;       /* ACTORS times rounds */

static aligned_t grow(void *arg)
{
	const uintptr_t me = (uintptr_t)arg;
	uint64_t random = stress_state(me + 300);
	struct key *mine = &grown[me * rounds];

	for (unsigned i = 0; i < rounds; i++) {
		new_key(&mine[i], FIRST_GROWN + me * rounds + i);
		if (qt_dictionary_put(dict, &mine[i], &mine[i]) != &mine[i])
			add_rlx(&lost, 1);
		struct key *earlier = &mine[stress_random(&random, i + 1)];
		if (qt_dictionary_get(dict, earlier) != earlier)
			add_rlx(&lost, 1);
		if (i % 256 == 0)
			qthread_yield();
	}
	return 0;
}

static aligned_t walk(void *unused)
{
	for (unsigned i = 0; i < 1 + rounds / 400; i++) {
		unsigned char seen[STAYING] = { 0 };
		qt_dictionary_iterator *it = qt_dictionary_iterator_create(dict);
		list_entry *e;

		/* The staying keys are known by their values: others' keys may be cleaned any time. */
		while ((e = qt_dictionary_iterator_next(it)) != NULL)
			if ((uintptr_t)e->value >> 32 == 0 && (uintptr_t)e->value <= STAYING)
				seen[(uintptr_t)e->value - 1]++;
		qt_dictionary_iterator_destroy(it);
		for (unsigned s = 0; s < STAYING; s++)
			if (seen[s] != 1)
				add_rlx(&misvisited, 1);
		qthread_yield();
	}
	(void)unused;
	return 0;
}

/* ---- All of it */

static void *outside(void *arg)
{
	watch(arg);
	dispute((void *)(uintptr_t)ACTORS);
	walk(NULL);
	return NULL;
}

static void actors(void)
{
	static qthread_f const kinds[] = { own, watch, dispute, grow, walk };
	enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };
	aligned_t done[KINDS * ACTORS];
	pthread_t thread;

	for (uintptr_t i = 0; i < KINDS * ACTORS; i++)
		qthread_fork(kinds[i % KINDS], (void *)(i / KINDS), &done[i]);
	if (pthread_create(&thread, NULL, outside, (void *)50) != 0)
		bail_out("pthread_create failed");
	for (unsigned i = 0; i < KINDS * ACTORS; i++)
		qthread_readFF(NULL, &done[i]);
	pthread_join(thread, NULL);
}

static unsigned not_there(void)
{
	unsigned n = 0;

	for (size_t i = 0; i < (size_t)ACTORS * rounds; i++)
		n += qt_dictionary_get(dict, &grown[i]) != &grown[i];
	return n;
}

static void run(const char *scheduler, struct stress_shape shape, bool clash)
{
	static struct key staying[STAYING];
	const size_t nmarks = (size_t)(ACTORS + 1) * rounds;
	char what[96];

	snprintf(what, sizeof(what), "%s %u x %u, %s", scheduler, shape.shepherds, shape.workers,
		clash ? "clashing hashes" : "good hashes");
	stress_watch(what);
	clashing = clash;
	spoilt = wrong = aged = lost = misvisited = 0;
	marks = calloc(nmarks, sizeof(*marks));
	rival_keys = calloc(nmarks, sizeof(*rival_keys));
	grown = calloc((size_t)ACTORS * rounds, sizeof(*grown));
	stress_start(scheduler, shape);
	dict = qt_dictionary_create(equals, hash, cleanup);
	if (!marks || !rival_keys || !grown || !dict)
		bail_out("no memory");
	for (uintptr_t i = 0; i < STAYING; i++)
		qt_dictionary_put(dict, new_key(&staying[i], i), (void *)(i + 1));
	actors();
	is_int(wrong, 0, "%s: every answer about a key is right", what);
	is_int(aged, 0, "%s: no value comes back", what);
	is_int(lost, 0, "%s: keys are there at once", what);
	is_int(not_there(), 0, "%s: and stay", what);
	is_int(misvisited, 0, "%s: an iterator visits what stays exactly once", what);
	is_int(unbalanced(nmarks), 0, "%s: what is stored is deleted once", what);
	unsigned left = 0;
	qt_dictionary_iterator *it = qt_dictionary_iterator_create(dict);
	while (qt_dictionary_iterator_next(it))
		left++;
	qt_dictionary_iterator_destroy(it);
	is_int(left, STAYING + ACTORS * rounds, "%s: what is left is what was left", what);
	is_int(spoilt, 0, "%s: nobody looks at a key that has been cleaned", what);
	qt_dictionary_destroy(dict);
	qthread_finalize();
	free(marks);
	free(rival_keys);
	free(grown);
	stress_round();
}

int main(void)
{
	static const struct stress_shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 2 } };

	rounds = stress_rounds(ROUNDS);
	plan(2 * 3 * 2 * CHECKS);
	stress_say(rounds);
	for (unsigned s = 0; s < 3; s++)
		for (unsigned clash = 0; clash < 2; clash++) {
			run("mts", shapes[s], clash);
			run("q", shapes[s], clash);
		}
	return done();
}
