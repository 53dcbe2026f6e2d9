/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* qt_dictionary beside liburcu's cds_lfht and Concurrency Kit's ck_ht, if these are there.
 *
 * Each map begins empty and as small as it can be, except that cds_lfht begins with as many buckets as there will be
 * keys: it grows in a thread of its own, which would need a CPU of its own.  It gets its nodes ready made, too.  The
 * keys are numbers of 64 bits, given by address, as the dictionary has them; lookups use copies.  ck_ht allows one
 * writer at a time, so those take a lock.  Each worker runs one task, on keys of its own where it writes; keys come in
 * random order. */
#include "common/native.h"
#include "common/must.h"

#include <qthread/dictionary.h>
#include <qthread/hash.h>

#include <stdlib.h>
#include <string.h>

#ifdef QTI_URCU
#define _LGPL_SOURCE /* its small functions inline */
#include <urcu.h>
#include <urcu/rculfhash.h>
#endif
#ifdef QTI_CK
#include <ck_ht.h>
#include <ck_spinlock.h>
#endif

static unsigned long n = 1000000, reps = 5;
static uint64_t *key, *copy;    /* 2n of each, in different orders; copy[i] is key[order[i]] */
static uint32_t *order;

/* ---- The maps */

struct map {
	const char *name;
	void (*enter)(void), (*leave)(void); /* each task, before and after */
	void (*make)(void), (*drop)(void);
	bool (*put)(size_t i);  /* key[i], with its own address as value */
	void *(*get)(uint64_t *k);
	bool (*del)(uint64_t *k);
};

static void nothing(void)
{
}

static qt_dictionary *dict;

static int equals(void *a, void *b)
{
	return *(uint64_t *)a == *(uint64_t *)b;
}

static int hash(void *k)
{
	return (int)*(uint64_t *)k;
}

static void dict_make(void)
{
	dict = qt_dictionary_create(equals, hash, NULL);
}

static void dict_drop(void)
{
	qt_dictionary_destroy(dict);
}

static bool dict_put(size_t i)
{
	return qt_dictionary_put_if_absent(dict, &key[i], &key[i]) == &key[i];
}

static void *dict_get(uint64_t *k)
{
	return qt_dictionary_get(dict, k);
}

static bool dict_del(uint64_t *k)
{
	return qt_dictionary_delete(dict, k) != NULL;
}

#ifdef QTI_URCU
struct node {
	struct cds_lfht_node in;
	uint64_t *key;
	void *value;
};

static struct cds_lfht *lfht;
static struct node *nodes;

static void lfht_make(void)
{
	lfht = cds_lfht_new(1UL << (63 - __builtin_clzl(n)), 1, 0, 0, NULL);
	nodes = calloc(2 * n, sizeof(*nodes));
	for (size_t i = 0; i < 2 * n; i++)
		nodes[i] = (struct node){ .key = &key[i], .value = &key[i] };
}

static void lfht_drop(void)
{
	struct cds_lfht_iter it;
	struct node *e;

	rcu_read_lock();
	cds_lfht_for_each_entry (lfht, &it, e, in)
		cds_lfht_del(lfht, &e->in);
	rcu_read_unlock();
	cds_lfht_destroy(lfht, NULL);
	free(nodes);
}

static int lfht_match(struct cds_lfht_node *in, const void *k)
{
	return *caa_container_of(in, struct node, in)->key == *(const uint64_t *)k;
}

static bool lfht_put(size_t i)
{
	rcu_read_lock();
	bool new = cds_lfht_add_unique(lfht, qt_hash64(key[i]), lfht_match, &key[i], &nodes[i].in) == &nodes[i].in;
	rcu_read_unlock();
	return new;
}

static void *lfht_get(uint64_t *k)
{
	struct cds_lfht_iter it;
	void *value = NULL;

	rcu_read_lock();
	cds_lfht_lookup(lfht, qt_hash64(*k), lfht_match, k, &it);
	struct cds_lfht_node *in = cds_lfht_iter_get_node(&it);
	if (in)
		value = caa_container_of(in, struct node, in)->value;
	rcu_read_unlock();
	return value;
}

static bool lfht_del(uint64_t *k)
{
	struct cds_lfht_iter it;

	rcu_read_lock();
	cds_lfht_lookup(lfht, qt_hash64(*k), lfht_match, k, &it);
	struct cds_lfht_node *in = cds_lfht_iter_get_node(&it);
	bool gone = in && cds_lfht_del(lfht, in) == 0;
	rcu_read_unlock();
	return gone;
}

static void lfht_enter(void)
{
	rcu_register_thread();
}

static void lfht_leave(void)
{
	rcu_unregister_thread();
}
#endif

#ifdef QTI_CK
static ck_ht_t ht;
static ck_spinlock_t ht_lock = CK_SPINLOCK_INITIALIZER;

static void *ht_malloc(size_t size)
{
	return malloc(size);
}

static void ht_free(void *p, size_t size, bool defer)
{
	(void)size;
	if (!defer)
		free(p);        /* the readers of a table that grows are not known: it leaks, to its advantage */
}

static struct ck_malloc ht_memory = { .malloc = ht_malloc, .free = ht_free };

static void ht_hash(ck_ht_hash_t *h, const void *k, size_t length, uint64_t seed)
{
	(void)length;
	h->value = qt_hash64(*(const uint64_t *)k ^ seed);
}

static void ht_make(void)
{
	if (!ck_ht_init(&ht, CK_HT_MODE_BYTESTRING | CK_HT_WORKLOAD_DELETE, ht_hash, &ht_memory, 8, 1))
		abort();
}

static void ht_drop(void)
{
	ck_ht_destroy(&ht);
}

static bool ht_put(size_t i)
{
	ck_ht_entry_t e;
	ck_ht_hash_t h;

	ck_ht_hash(&h, &ht, &key[i], sizeof(key[i]));
	ck_ht_entry_set(&e, h, &key[i], sizeof(key[i]), &key[i]);
	ck_spinlock_lock(&ht_lock);
	bool done = ck_ht_put_spmc(&ht, h, &e);
	ck_spinlock_unlock(&ht_lock);
	return done;
}

static void *ht_get(uint64_t *k)
{
	ck_ht_entry_t e;
	ck_ht_hash_t h;

	ck_ht_hash(&h, &ht, k, sizeof(*k));
	ck_ht_entry_key_set(&e, k, sizeof(*k));
	return ck_ht_get_spmc(&ht, h, &e) ? ck_ht_entry_value(&e) : NULL;
}

static bool ht_del(uint64_t *k)
{
	ck_ht_entry_t e;
	ck_ht_hash_t h;

	ck_ht_hash(&h, &ht, k, sizeof(*k));
	ck_ht_entry_key_set(&e, k, sizeof(*k));
	ck_spinlock_lock(&ht_lock);
	bool done = ck_ht_remove_spmc(&ht, h, &e);
	ck_spinlock_unlock(&ht_lock);
	return done;
}
#endif

static const struct map maps[] = {
	{ "qt_dictionary", nothing, nothing, dict_make, dict_drop, dict_put, dict_get, dict_del },
#ifdef QTI_URCU
	{ "cds_lfht", lfht_enter, lfht_leave, lfht_make, lfht_drop, lfht_put, lfht_get, lfht_del },
#endif
#ifdef QTI_CK
	{ "ck_ht", nothing, nothing, ht_make, ht_drop, ht_put, ht_get, ht_del },
#endif
};
enum { NMAPS = sizeof(maps) / sizeof(maps[0]) };

/* ---- What is done to them.  Each returns how many calls went as they must. */

enum phase { INSERT, LOOKUP, MISS, MIXED, DELETE, NPHASES };
static const char *const phase_names[NPHASES] = { "insert", "lookup", "miss", "mixed", "delete" };

static size_t inserts(const struct map *m, size_t from, size_t to)
{
	size_t good = 0;

	for (size_t i = from; i < to; i++)
		good += m->put(i);
	return good;
}

static size_t lookups(const struct map *m, size_t from, size_t to)
{
	size_t good = 0;

	for (size_t i = from; i < to; i++)
		good += m->get(&copy[i]) == &key[order[i]];
	return good;
}

static size_t misses(const struct map *m, size_t from, size_t to)
{
	size_t good = 0;

	for (size_t i = from; i < to; i++)
		good += !m->get(&copy[n + i]);
	return good;
}

/* Of 20 calls 18 look up, one inserts and one deletes a key of the other half. */
static size_t mixes(const struct map *m, size_t from, size_t to)
{
	size_t good = 0;

	for (size_t i = from; i < to; i++) {
		switch (i % 20) {
		case 7:
			good += m->put(n + i);
			break;
		case 17:
			good += m->del(&key[n + i - 10]);
			break;
		default:
			good += m->get(&copy[i]) == &key[order[i]];
		}
	}
	return good;
}

static size_t deletes(const struct map *m, size_t from, size_t to)
{
	size_t good = 0;

	for (size_t i = from; i < to; i++)
		good += m->del(&copy[i]);
	return good;
}

static size_t (*const phases[NPHASES])(const struct map *, size_t, size_t) = {
	inserts, lookups, misses, mixes, deletes
};

/* ---- Workers */

static struct {
	const struct map *map;
	enum phase phase;
	unsigned long workers;
	aligned_t next, good;
} job;

static aligned_t part(void *unused)
{
	const size_t me = qthread_incr(&job.next, 1), share = n / job.workers / 20 * 20;
	const size_t from = me * share, to = me + 1 == job.workers ? n : from + share;

	(void)unused;
	job.map->enter();
	qthread_incr(&job.good, phases[job.phase](job.map, from, to));
	job.map->leave();
	return 0;
}

static double run(const struct map *m, enum phase phase, unsigned long workers)
{
	aligned_t done[64];

	job.map = m;
	job.phase = phase;
	job.workers = workers;
	job.next = job.good = 0;
	uint64_t start = bench_now_ns();
	for (unsigned long w = 0; w < workers; w++)
		must(qthread_fork_to(part, NULL, &done[w], (qthread_shepherd_id_t)w));
	for (unsigned long w = 0; w < workers; w++)
		must(qthread_readFF(NULL, &done[w]));
	uint64_t took = bench_now_ns() - start;
	if (job.good != n) {
		fprintf(stderr, "dictionary: WRONG RESULT: %s %s: %lu of %lu calls\n", m->name, phase_names[phase],
			(unsigned long)job.good, n);
		exit(1);
	}
	return (double)took / (double)n;
}

static void start(unsigned long workers)
{
	char number[24];

	snprintf(number, sizeof(number), "%lu", workers);
	setenv("QT_NUM_SHEPHERDS", number, 1);
	setenv("QT_NUM_WORKERS_PER_SHEPHERD", "1", 1);
	if (qthread_initialize() != QTHREAD_SUCCESS) {
		fprintf(stderr, "dictionary: qthread_initialize failed\n");
		exit(1);
	}
}

/* The maps take turns, so that whatever else the machine does hits all of them. */
static void compare(unsigned long workers)
{
	static double ns[NMAPS][NPHASES][100];

	start(workers);
	for (unsigned long r = 0; r < reps; r++)
		for (unsigned m = 0; m < NMAPS; m++) {
			maps[m].enter();
			maps[m].make();
			for (unsigned p = 0; p < NPHASES; p++) {
				maps[m].leave();
				ns[m][p][r] = run(&maps[m], (enum phase)p, workers);
				maps[m].enter();
			}
			maps[m].drop();
			maps[m].leave();
		}
	for (unsigned m = 0; m < NMAPS; m++) {
		printf("%-14s %7lu", maps[m].name, workers);
		for (unsigned p = 0; p < NPHASES; p++)
			printf(" %8.1f", bench_summarize(ns[m][p], reps).median);
		printf("\n");
	}
	qthread_finalize();
}

static void set_up(void)
{
	uint64_t random = 1;

	key = malloc(2 * n * sizeof(*key));
	copy = malloc(2 * n * sizeof(*copy));
	order = malloc(2 * n * sizeof(*order));
	if (!key || !copy || !order)
		exit(1);
	for (size_t i = 0; i < 2 * n; i++)
		key[i] = (uint32_t)(i * 2654435761u); /* each number once */
	for (size_t half = 0; half < 2; half++)
		for (size_t i = 0; i < n; i++)
			order[half * n + i] = (uint32_t)(half * n + i);
	for (size_t half = 0; half < 2; half++)
		for (size_t i = n - 1; i > 0; i--) {
			size_t j = half * n + (random = qt_hash64(random)) % (i + 1);
			uint32_t was = order[half * n + i];
			order[half * n + i] = order[j];
			order[j] = was;
		}
	for (size_t i = 0; i < 2 * n; i++)
		copy[i] = key[order[i]];
}

int main(int argc, char **argv)
{
	unsigned long workers = 0;
	const struct bench_option options[] = {
		{ "n", "keys", BENCH_NUMBER, &n, 100, 100000000, NULL },
		{ "reps", "repetitions", BENCH_NUMBER, &reps, 1, 100, NULL },
		{ "workers", "workers; one and two unless given", BENCH_NUMBER, &workers, 1, 64, NULL },
		{ .name = NULL },
	};

	bench_parse(argc, argv, "dictionary", "concurrent maps, ns a call", options);
	n = n / 20 * 20;
	set_up();
	printf("dictionary: %lu keys, ns of wall time a call, median of %lu\n", n, reps);
	bench_print_machine(stdout, "  ");
	printf("%-14s %7s", "map", "workers");
	for (unsigned p = 0; p < NPHASES; p++)
		printf(" %8s", phase_names[p]);
	printf("\n");
	for (unsigned long w = workers ? workers : 1; w <= (workers ? workers : 2); w++)
		compare(w);
	free(key);
	free(copy);
	free(order);
	return 0;
}
