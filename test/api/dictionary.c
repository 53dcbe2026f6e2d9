/* test/api/dictionary.c -- a dictionary keeps what it is told, also when many change it at once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The contract of each call holds without a runtime, too; what is shared is tried under every scheduler.
 */
#include "api/every.h"

#include <qthread/dictionary.h>

#include <string.h>
#include <unistd.h>

enum { CONTRACT_CHECKS = 76, CHECKS_PER_RUN = 8, MANY = 3000 };

/* ---- Keys: numbers given by address, and numbers in place of addresses */

static long number[MANY], copy[MANY];

static int equals(void *a, void *b)
{
	return *(long *)a == *(long *)b;
}

static int identity(void *key)
{
	return (int)*(long *)key;
}

static int coarse(void *key)
{
	return (int)(*(long *)key << 20);
}

static int constant(void *key)
{
	(void)key;
	return -7;
}

static int address_equals(void *a, void *b)
{
	return a == b;
}

static int address_hash(void *key)
{
	return (int)(intptr_t)key;
}

static unsigned cleanups;
static void *cleaned_key, *cleaned_value;

static void cleanup(void *key, void *value)
{
	__atomic_fetch_add(&cleanups, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&cleaned_key, key, __ATOMIC_RELAXED);
	__atomic_store_n(&cleaned_value, value, __ATOMIC_RELAXED);
}

static void *value_of(uintptr_t n)
{
	return (void *)n;
}

static qt_dictionary *create(qt_dict_hash_f hash, qt_dict_cleanup_f clean)
{
	qt_dictionary *d = qt_dictionary_create(equals, hash, clean);

	if (!d)
		bail_out("qt_dictionary_create failed");
	return d;
}

static qt_dictionary *filled(qt_dict_hash_f hash, int n)
{
	qt_dictionary *d = create(hash, NULL);

	for (int i = 0; i < n; i++)
		qt_dictionary_put(d, &number[i], value_of((uintptr_t)i + 1));
	return d;
}

/* ---- One call each */

static void qt_dictionary_create_(void)
{
	ok(!qt_dictionary_create(NULL, identity, cleanup), "qt_dictionary_create without equals: NULL");
	ok(!qt_dictionary_create(equals, NULL, cleanup), "qt_dictionary_create without hash: NULL");
	qt_dictionary *d = qt_dictionary_create(equals, identity, NULL);
	ok(d != NULL, "qt_dictionary_create without cleanup: a dictionary");
	ok(!qt_dictionary_get(d, &number[0]), "qt_dictionary_create makes an empty one");
	qt_dictionary_destroy(d);
}

static void qt_dictionary_destroy_(void)
{
	qt_dictionary *d = create(identity, cleanup);

	qt_dictionary_destroy(NULL);
	cleanups = 0;
	qt_dictionary_put(d, &number[5], value_of(50));
	qt_dictionary_destroy(d);
	ok(cleaned_key == &number[5] && cleaned_value == value_of(50), "qt_dictionary_destroy cleans key and value");
	is_int(cleanups, 1, "qt_dictionary_destroy cleans once");
	d = create(identity, cleanup);
	cleanups = 0;
	for (int i = 0; i < MANY; i++)
		qt_dictionary_put(d, &number[i], NULL);
	for (int i = 0; i < MANY; i += 3)
		qt_dictionary_delete(d, &number[i]);
	is_int(cleanups, MANY / 3, "qt_dictionary_delete of a third cleans as many");
	qt_dictionary_destroy(d);
	is_int(cleanups, MANY, "qt_dictionary_destroy cleans what is left");
}

static void qt_dictionary_put_(void)
{
	qt_dictionary *d = create(identity, cleanup);
	list_entry *e;

	cleanups = 0;
	ok(qt_dictionary_put(d, &number[1], value_of(1)) == value_of(1), "qt_dictionary_put returns the new value");
	ok(qt_dictionary_put(d, &copy[1], value_of(2)) == value_of(2), "qt_dictionary_put again: the newer one");
	ok(qt_dictionary_get(d, &number[1]) == value_of(2), "qt_dictionary_put replaces");
	qt_dictionary_iterator *it = qt_dictionary_iterator_create(d);
	e = qt_dictionary_iterator_next(it);
	ok(e && e->key == &number[1], "qt_dictionary_put keeps the key that was there");
	ok(!qt_dictionary_iterator_next(it), "qt_dictionary_put stores an equal key once");
	qt_dictionary_iterator_destroy(it);
	ok(!qt_dictionary_put(d, &number[2], NULL), "qt_dictionary_put of a NULL value returns it");
	ok(!qt_dictionary_put(NULL, &number[2], value_of(1)), "qt_dictionary_put into NULL: NULL");
	ok(!qt_dictionary_put(d, NULL, value_of(1)), "qt_dictionary_put of no key: NULL");
	is_int(cleanups, 0, "qt_dictionary_put cleans nothing");
	qt_dictionary_destroy(d);
}

static void qt_dictionary_put_if_absent_(void)
{
	qt_dictionary *d = create(identity, NULL);

	ok(qt_dictionary_put_if_absent(d, &number[1], value_of(1)) == value_of(1),
		"qt_dictionary_put_if_absent of a new key returns the value");
	ok(qt_dictionary_put_if_absent(d, &copy[1], value_of(2)) == value_of(1),
		"qt_dictionary_put_if_absent of another returns what was there");
	ok(qt_dictionary_get(d, &number[1]) == value_of(1), "qt_dictionary_put_if_absent leaves that");
	qt_dictionary_delete(d, &number[1]);
	ok(qt_dictionary_put_if_absent(d, &number[1], value_of(3)) == value_of(3),
		"qt_dictionary_put_if_absent after a delete stores");
	ok(!qt_dictionary_put_if_absent(NULL, &number[2], value_of(1)), "qt_dictionary_put_if_absent into NULL: NULL");
	ok(!qt_dictionary_put_if_absent(d, NULL, value_of(1)), "qt_dictionary_put_if_absent of no key: NULL");
	qt_dictionary_destroy(d);
}

static void qt_dictionary_get_(void)
{
	qt_dictionary *d = filled(identity, MANY / 2);
	int wrong = 0, false_hits = 0;

	for (int i = 0; i < MANY / 2; i++)
		wrong += qt_dictionary_get(d, &copy[i]) != value_of((uintptr_t)i + 1);
	for (int i = MANY / 2; i < MANY; i++)
		false_hits += qt_dictionary_get(d, &copy[i]) != NULL;
	is_int(wrong, 0, "qt_dictionary_get finds each of %d keys by an equal one", MANY / 2);
	is_int(false_hits, 0, "qt_dictionary_get finds no other");
	ok(!qt_dictionary_get(NULL, &number[0]), "qt_dictionary_get from NULL: NULL");
	ok(!qt_dictionary_get(d, NULL), "qt_dictionary_get of no key: NULL");
	qt_dictionary_destroy(d);
}

static void qt_dictionary_delete_(void)
{
	qt_dictionary *d = create(identity, cleanup);

	cleanups = 0;
	cleaned_value = d;
	ok(!qt_dictionary_delete(d, &number[1]), "qt_dictionary_delete of a missing key: NULL");
	is_int(cleanups, 0, "qt_dictionary_delete of a missing key cleans nothing");
	qt_dictionary_put(d, &number[1], value_of(9));
	ok(qt_dictionary_delete(d, &copy[1]) == value_of(9), "qt_dictionary_delete returns the old value");
	ok(cleaned_key == &number[1] && !cleaned_value && cleanups == 1,
		"qt_dictionary_delete cleans the stored key, once, with no value");
	ok(!qt_dictionary_get(d, &number[1]), "qt_dictionary_delete: the key is gone");
	ok(!qt_dictionary_delete(d, &number[1]), "qt_dictionary_delete again: NULL");
	ok(!qt_dictionary_delete(NULL, &number[1]), "qt_dictionary_delete from NULL: NULL");
	ok(!qt_dictionary_delete(d, NULL), "qt_dictionary_delete of no key: NULL");
	qt_dictionary_destroy(d);
}

/* Every kind of hash: each key once, with its value. */
static void visit_all(qt_dict_hash_f hash, int n, const char *what)
{
	static unsigned char seen[MANY];
	qt_dictionary *d = filled(hash, n);
	qt_dictionary_iterator *it = qt_dictionary_iterator_create(d);
	int once = 0, steps = 0, backwards = 0;
	uint64_t last = 0;
	list_entry *e;

	memset(seen, 0, sizeof(seen));
	for (; (e = qt_dictionary_iterator_next(it)) != NULL; steps++) {
		long i = *(long *)e->key;
		seen[i] += e->value == value_of((uintptr_t)i + 1) && qt_dictionary_iterator_get(it) == e && !e->next;
		backwards += e->hashed_key < last;
		last = e->hashed_key;
	}
	for (int i = 0; i < n; i++)
		once += seen[i] == 1;
	ok(once == n && steps == n, "qt_dictionary_iterator_next visits each of %d entries once: %s", n, what);
	is_int(backwards, 0, "qt_dictionary_iterator_next goes by the hash: %s", what);
	qt_dictionary_iterator_destroy(it);
	qt_dictionary_destroy(d);
}

static void qt_dictionary_iterator_next_(void)
{
	visit_all(identity, MANY, "identity");
	visit_all(coarse, MANY, "multiples of a power of two");
	visit_all(constant, 100, "one hash for all");
	ok(!qt_dictionary_iterator_next(NULL), "qt_dictionary_iterator_next of NULL: NULL");
	ok(!qt_dictionary_iterator_next(ERROR), "qt_dictionary_iterator_next of ERROR: NULL");
}

/* Entries that go, and a table that grows, beneath an iterator. */
static void qt_dictionary_iterator_next_while_changing(void)
{
	static unsigned char seen[MANY];
	qt_dictionary *d = filled(identity, MANY / 2);
	qt_dictionary_iterator *it = qt_dictionary_iterator_create(d);
	int missed = 0, twice = 0, gone = 0, added = MANY / 2;
	list_entry *e;

	memset(seen, 0, sizeof(seen));
	while ((e = qt_dictionary_iterator_next(it)) != NULL) {
		long i = *(long *)e->key;
		twice += seen[i]++ != 0;
		gone += i < MANY / 2 && i % 2 && !qt_dictionary_get(d, &number[i]);
		if (i % 2)
			qt_dictionary_delete(d, &number[i]);
		else if (i + 3 < MANY / 2)
			qt_dictionary_delete(d, &number[i + 3]);
		for (int more = 0; more < 4 && added < MANY; more++, added++)
			qt_dictionary_put(d, &number[added], value_of((uintptr_t)added + 1));
	}
	for (int i = 0; i < MANY / 2; i += 2)
		missed += !seen[i];
	is_int(missed, 0, "qt_dictionary_iterator_next misses none that stays while the table grows");
	is_int(twice, 0, "qt_dictionary_iterator_next shows none twice");
	is_int(gone, 0, "qt_dictionary_iterator_next shows none that is gone");
	qt_dictionary_iterator_destroy(it);
	qt_dictionary_destroy(d);
}

static void qt_dictionary_iterator_create_(void)
{
	qt_dictionary *d = create(identity, NULL);

	ok(qt_dictionary_iterator_create(NULL) == ERROR, "qt_dictionary_iterator_create of NULL: ERROR");
	qt_dictionary_iterator *it = qt_dictionary_iterator_create(d);
	ok(it && it != ERROR, "qt_dictionary_iterator_create of an empty dictionary: an iterator");
	ok(!qt_dictionary_iterator_get(it), "qt_dictionary_iterator_create: before the first entry");
	ok(!qt_dictionary_iterator_equals(it, qt_dictionary_end(d)), "qt_dictionary_iterator_create: not at the end");
	ok(!qt_dictionary_iterator_next(it), "qt_dictionary_iterator_next of an empty dictionary: NULL");
	ok(qt_dictionary_iterator_equals(it, qt_dictionary_end(d)), "qt_dictionary_iterator_next: at the end then");
	qt_dictionary_put(d, &number[0], value_of(1));
	ok(!qt_dictionary_iterator_next(it), "qt_dictionary_iterator_next at the end stays there");
	qt_dictionary_iterator_destroy(it);
	qt_dictionary_destroy(d);
}

static void qt_dictionary_iterator_get_(void)
{
	qt_dictionary *d = filled(identity, 1);
	qt_dictionary_iterator *it = qt_dictionary_iterator_create(d);
	list_entry *e = qt_dictionary_iterator_next(it);

	ok(e && qt_dictionary_iterator_get(it) == e, "qt_dictionary_iterator_get: what the last step gave");
	e->value = value_of(77);
	ok(qt_dictionary_get(d, &number[0]) == value_of(1), "qt_dictionary_iterator_get gives a copy");
	qt_dictionary_iterator_next(it);
	ok(!qt_dictionary_iterator_get(it), "qt_dictionary_iterator_get at the end: NULL");
	ok(!qt_dictionary_iterator_get(NULL), "qt_dictionary_iterator_get of NULL: NULL");
	ok(!qt_dictionary_iterator_get(ERROR), "qt_dictionary_iterator_get of ERROR: NULL");
	qt_dictionary_iterator_destroy(it);
	qt_dictionary_destroy(d);
}

static void qt_dictionary_end_(void)
{
	qt_dictionary *d = filled(identity, 3);
	qt_dictionary_iterator *end = qt_dictionary_end(d);

	ok(!qt_dictionary_end(NULL), "qt_dictionary_end of NULL: NULL");
	ok(end && !qt_dictionary_iterator_get(end) && !qt_dictionary_iterator_next(end),
		"qt_dictionary_end has no entry and no next");
	qt_dictionary_iterator_destroy(end);
	ok(qt_dictionary_iterator_equals(end, qt_dictionary_end(d)), "qt_dictionary_end survives being destroyed");
	qt_dictionary_destroy(d);
}

static void qt_dictionary_iterator_equals_(void)
{
	qt_dictionary *d = filled(identity, 3), *other = filled(identity, 3);
	qt_dictionary_iterator *a = qt_dictionary_iterator_create(d), *b = qt_dictionary_iterator_create(d);
	qt_dictionary_iterator *c = qt_dictionary_iterator_create(other);

	is_int(qt_dictionary_iterator_equals(a, b), 1, "qt_dictionary_iterator_equals: both before the first");
	qt_dictionary_iterator_next(a);
	is_int(qt_dictionary_iterator_equals(a, b), 0, "qt_dictionary_iterator_equals: one has stepped");
	qt_dictionary_iterator_next(b);
	is_int(qt_dictionary_iterator_equals(a, b), 1, "qt_dictionary_iterator_equals: both have");
	qt_dictionary_iterator_next(b);
	is_int(qt_dictionary_iterator_equals(a, b), 0, "qt_dictionary_iterator_equals: on different entries");
	qt_dictionary_iterator_next(c);
	is_int(qt_dictionary_iterator_equals(a, c), 0, "qt_dictionary_iterator_equals: of different dictionaries");
	is_int(qt_dictionary_iterator_equals(qt_dictionary_end(d), qt_dictionary_end(other)), 0,
		"qt_dictionary_iterator_equals: ends of different dictionaries");
	is_int(qt_dictionary_iterator_equals(NULL, NULL), 1, "qt_dictionary_iterator_equals: two NULLs");
	is_int(qt_dictionary_iterator_equals(a, NULL), 0, "qt_dictionary_iterator_equals: one NULL");
	is_int(qt_dictionary_iterator_equals(ERROR, a), 0, "qt_dictionary_iterator_equals: one ERROR");
	qt_dictionary_iterator_destroy(a);
	qt_dictionary_iterator_destroy(b);
	qt_dictionary_iterator_destroy(c);
	qt_dictionary_destroy(d);
	qt_dictionary_destroy(other);
}

static void qt_dictionary_iterator_copy_(void)
{
	qt_dictionary *d = filled(identity, 3);
	qt_dictionary_iterator *a = qt_dictionary_iterator_create(d);

	qt_dictionary_iterator_next(a);
	qt_dictionary_iterator *b = qt_dictionary_iterator_copy(a);
	ok(b && b != a && qt_dictionary_iterator_equals(a, b), "qt_dictionary_iterator_copy stands at the same place");
	qt_dictionary_iterator_next(a);
	ok(!qt_dictionary_iterator_equals(a, b), "qt_dictionary_iterator_copy goes its own way");
	qt_dictionary_iterator_destroy(b);
	b = qt_dictionary_iterator_copy(qt_dictionary_end(d));
	ok(qt_dictionary_iterator_equals(b, qt_dictionary_end(d)), "qt_dictionary_iterator_copy of the end");
	qt_dictionary_iterator_destroy(b);
	ok(!qt_dictionary_iterator_copy(NULL), "qt_dictionary_iterator_copy of NULL: NULL");
	ok(!qt_dictionary_iterator_copy(ERROR), "qt_dictionary_iterator_copy of ERROR: NULL");
	qt_dictionary_iterator_destroy(a);
	qt_dictionary_iterator_destroy(NULL);
	qt_dictionary_iterator_destroy(ERROR);
	qt_dictionary_destroy(d);
}

static void qt_dictionary_printbuckets_(void)
{
	qt_dictionary *d = qt_dictionary_create(address_equals, address_hash, NULL);
	FILE *file = tmpfile();
	char text[4096] = "";

	for (uintptr_t i = 1; i <= 20; i++)
		qt_dictionary_put(d, value_of(0xabc00 + i), value_of(0xdef00 + i));
	fflush(stdout);
	const int saved = dup(STDOUT_FILENO);
	dup2(fileno(file), STDOUT_FILENO);
	qt_dictionary_printbuckets(d);
	qt_dictionary_printbuckets(NULL);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	rewind(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	int shown = 0;
	for (uintptr_t i = 1; i <= 20; i++) {
		char key[32], value[32];
		snprintf(key, sizeof(key), "[%p ", value_of(0xabc00 + i));
		snprintf(value, sizeof(value), "]=%p", value_of(0xdef00 + i));
		shown += strstr(text, key) && strstr(text, value);
	}
	is_int(shown, 20, "qt_dictionary_printbuckets shows every entry");
	qt_dictionary_destroy(d);
}

static void contract(void)
{
	qt_dictionary_create_();
	qt_dictionary_destroy_();
	qt_dictionary_put_();
	qt_dictionary_put_if_absent_();
	qt_dictionary_get_();
	qt_dictionary_delete_();
	qt_dictionary_iterator_create_();
	qt_dictionary_iterator_next_();
	qt_dictionary_iterator_next_while_changing();
	qt_dictionary_iterator_get_();
	qt_dictionary_end_();
	qt_dictionary_iterator_equals_();
	qt_dictionary_iterator_copy_();
	qt_dictionary_printbuckets_();
}

/* ---- Many at once */

enum { TASKS = 8 };

static struct {
	qt_dictionary *dict;
	int keys;
	aligned_t won, wrong, turn;
} shared;

/* Each key belongs to the task that stores it first. */
static aligned_t claim(void *me)
{
	for (int i = 0; i < shared.keys; i++) {
		void *owner = qt_dictionary_put_if_absent(shared.dict, &number[i], me);

		if (owner == me)
			qthread_incr(&shared.won, 1);
		if (!owner || qt_dictionary_get(shared.dict, &copy[i]) != owner)
			qthread_incr(&shared.wrong, 1);
		if (i % 64 == 0)
			qthread_yield();
	}
	return 0;
}

static aligned_t take(void *me)
{
	for (int i = 0; i < shared.keys; i++)
		if (qt_dictionary_delete(shared.dict, (uintptr_t)me % 2 ? &number[i] : &copy[i]))
			qthread_incr(&shared.won, 1);
	return 0;
}

static void all_tasks(qthread_f f)
{
	aligned_t done[TASKS];

	shared.won = shared.wrong = 0;
	for (uintptr_t t = 0; t < TASKS; t++)
		qthread_fork(f, value_of(t + 1), &done[t]);
	for (int t = 0; t < TASKS; t++)
		qthread_readFF(NULL, &done[t]);
}

static int count(qt_dictionary *d)
{
	qt_dictionary_iterator *it = qt_dictionary_iterator_create(d);
	int n = 0;

	while (qt_dictionary_iterator_next(it))
		n++;
	qt_dictionary_iterator_destroy(it);
	return n;
}

static void from_outside(void *arg)
{
	int *wrong = arg;

	for (int i = 0; i < shared.keys; i++)
		*wrong += qt_dictionary_put(shared.dict, &number[i], &copy[i]) != &copy[i] ||
			  qt_dictionary_get(shared.dict, &copy[i]) != &copy[i];
}

static void run(const char *what)
{
	int wrong = 0;

	shared.keys = every_scaled(MANY / 3);
	shared.dict = create(identity, NULL);
	all_tasks(claim);
	is_int(shared.won, shared.keys, "%s: put_if_absent by many: each key is stored once", what);
	is_int(shared.wrong, 0, "%s: get agrees with put_if_absent", what);
	is_int(count(shared.dict), shared.keys, "%s: an iterator finds them all", what);
	all_tasks(take);
	is_int(shared.won, shared.keys, "%s: delete by many: each key goes once", what);
	is_int(count(shared.dict), 0, "%s: and nothing is left", what);
	every_outside(from_outside, &wrong);
	is_int(wrong, 0, "%s: an external thread puts and gets", what);
	qt_dictionary_destroy(shared.dict);

	shared.dict = create(identity, cleanup);
	cleanups = 0;
	all_tasks(claim);
	all_tasks(take);
	is_int(cleanups, shared.keys, "%s: cleanup is called once for each key", what);
	qt_dictionary_destroy(shared.dict);
	is_int(cleanups, shared.keys, "%s: and not again at the end", what);
}

int main(void)
{
	for (int i = 0; i < MANY; i++)
		number[i] = copy[i] = i;
	plan(2 * CONTRACT_CHECKS + every_runs() * CHECKS_PER_RUN);
	contract();
	every_runtime(run);
	contract();
	return done();
}
