/* test/unit/ds_out_of_memory.c -- without memory, dictionaries and pools keep what they have; they go on when there is
 * some.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "stress/stress.h"
#include "fault.h"

#include <qthread/dictionary.h>
#include <qthread/qpool.h>

#include <pthread.h>

enum { N = 5000, CLASHES = 200 };

static int number[N];

static int equals(void *a, void *b)
{
	return *(int *)a == *(int *)b;
}

static int identity(void *key)
{
	return *(int *)key;
}

static int constant(void *key)
{
	(void)key;
	return 1;
}

static void create(void)
{
	unsigned refused = 0;
	qt_dictionary *d;

	while (fault_after(refused), !(d = qt_dictionary_create(equals, identity, NULL)))
		refused++;
	fault_end();
	qt_dictionary_destroy(d);
	is_int(refused, 2, "qt_dictionary_create needs two pieces of memory and returns NULL without");
}

/* All but those that were refused are there. */
static bool holds(qt_dictionary *d, const bool *stored, int n)
{
	for (int i = 0; i < n; i++)
		if ((qt_dictionary_get(d, &number[i]) == &number[i]) != stored[i])
			return false;
	return true;
}

static int visited(qt_dictionary *d)
{
	fault_end();
	qt_dictionary_iterator *it = qt_dictionary_iterator_create(d);
	int n = 0;

	while (qt_dictionary_iterator_next(it))
		n++;
	qt_dictionary_iterator_destroy(it);
	return n;
}

/* Memory comes and goes: each fault hits another allocation, so in the end everything has failed once. */
static void put(qt_dict_hash_f hash, int n, const char *what)
{
	static bool stored[N];
	int refused = 0, kept = 0;

	fault_end();
	qt_dictionary *d = qt_dictionary_create(equals, hash, NULL);
	for (int i = 0; i < n; i++) {
		fault_after((unsigned)i / 8 % 4);
		stored[i] = qt_dictionary_put(d, &number[i], &number[i]) == &number[i];
		refused += !stored[i];
		kept += stored[i];
	}
	ok(refused > 0 && kept > 0, "qt_dictionary_put without memory returns NULL: %d of %d times, %s", refused, n, what);
	ok(holds(d, stored, n), "qt_dictionary_get finds what was stored, %s", what);
	is_int(visited(d), kept, "an iterator as well, %s", what);
	fault_end();
	for (int i = 0; i < n; i++)
		stored[i] = qt_dictionary_put_if_absent(d, &number[i], &number[i]) == &number[i];
	ok(holds(d, stored, n) && visited(d) == n, "qt_dictionary_put_if_absent stores the others later, %s", what);
	int deleted = 0;
	fault_after(0);
	for (int i = 0; i < n; i++)
		deleted += qt_dictionary_delete(d, &number[i]) == &number[i];
	is_int(deleted, n, "qt_dictionary_delete needs none, %s", what);
	qt_dictionary_destroy(d);
}

static void iterators(void)
{
	fault_end();
	qt_dictionary *d = qt_dictionary_create(equals, identity, NULL);
	qt_dictionary_iterator *it = qt_dictionary_iterator_create(d);
	fault_after(0);
	ok(qt_dictionary_iterator_create(d) == ERROR, "qt_dictionary_iterator_create without memory: ERROR");
	ok(!qt_dictionary_iterator_copy(it), "qt_dictionary_iterator_copy without memory: NULL");
	fault_end();
	qt_dictionary_iterator_destroy(it);
	qt_dictionary_destroy(d);
}

static void *look_up(void *d)
{
	return qt_dictionary_get(d, &number[7]);
}

static void new_thread(void)
{
	pthread_t thread;
	void *found = NULL;

	fault_end();
	qt_dictionary *d = qt_dictionary_create(equals, identity, NULL);
	qt_dictionary_put(d, &number[7], &number[7]);
	fault_after(0);
	if (pthread_create(&thread, NULL, look_up, d) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, &found);
	ok(found == &number[7], "qt_dictionary_get in a thread that begins without memory");
	fault_end();
	qt_dictionary_destroy(d);
}

/* A call from a caller's function: from inside of a section. */
static qt_dictionary *inner;
static int next_inner;

static int nesting_hash(void *key)
{
	if (next_inner < N && qt_dictionary_put(inner, &number[next_inner], key))
		next_inner++;
	return qt_dictionary_get(inner, &number[0]) ? identity(key) : 0;
}

static void nested(void)
{
	fault_end();
	inner = qt_dictionary_create(equals, identity, NULL);
	next_inner = 0;
	qt_dictionary *outer = qt_dictionary_create(equals, nesting_hash, NULL);
	int wrong = 0;
	for (int i = 0; i < 500; i++)
		wrong += qt_dictionary_put(outer, &number[i], &number[i]) != &number[i];
	for (int i = 0; i < 500; i++)
		wrong += qt_dictionary_get(outer, &number[i]) != &number[i];
	ok(wrong == 0 && visited(inner) == next_inner, "a hash function may use another dictionary");
	qt_dictionary_destroy(outer);
	qt_dictionary_destroy(inner);
}

/* Whether a build with AddressSanitizer reports the use of what it should, and nothing else. */
static void pool_is_watched(void)
{
#if QTI_ASAN
	qpool *p = qpool_create(40);
	char *item = qpool_alloc(p);

	ok(!__asan_region_is_poisoned(item, 40), "qpool_alloc: the item may be used");
	ok(__asan_address_is_poisoned(item + 40), "qpool_alloc: what lies behind it may not");
	qpool_free(p, item);
	ok(__asan_address_is_poisoned(item) && __asan_address_is_poisoned(item + 39),
		"qpool_free: the item may not be used any more");
	qpool_destroy(p);
	ok(!__asan_region_is_poisoned(item, 48), "qpool_destroy: the address may come back as anything");
#else
	skip(4, "not built with AddressSanitizer");
#endif
}

static void pool(void)
{
	fault_after(0);
	ok(!qpool_create(32), "qpool_create without memory: NULL");
	fault_end();
	qpool *p = qpool_create(32);
	fault_after(0);
	ok(!qpool_alloc(p), "qpool_alloc without memory: NULL");
	fault_after(1);
	ok(!qpool_alloc(p), "qpool_alloc with too little: NULL");
	fault_end();
	ok(qpool_alloc(p), "qpool_alloc when there is some: an item");
	qpool_destroy(p);

	stress_start("mts", (struct stress_shape){ 1, 1 });
	p = qpool_create(32);
	fault_after(0);
	ok(!qpool_alloc(p), "qpool_alloc on a worker without memory: NULL");
	fault_after(4);
	int good = 0;
	for (int i = 0; i < 100; i++)
		good += qpool_alloc(p) != NULL;
	is_int(good, 100, "qpool_alloc on a worker goes on with little");
	fault_end();
	qpool_destroy(p);
	qthread_finalize();
}

int main(void)
{
	for (int i = 0; i < N; i++)
		number[i] = i;
	plan(1 + 2 * 5 + 2 + 1 + 1 + 6 + 4);
	qti_mem_fault = fault;
	create();
	put(identity, N, "growing");
	put(constant, CLASHES, "all of one hash");
	new_thread();
	iterators();
	nested();
	pool();
	fault_end();
	pool_is_watched();
	return done();
}
