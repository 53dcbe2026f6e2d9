/* ds/dictionary.c -- a hash map whose readers take no lock and never wait.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A bucket is one cache line: three entries, a tag of eight hash bits for each, a lock bit and a version.  So to find
 * a key, or to miss it, costs one line and the key itself; to change an entry one compare-and-swap more, on that same
 * line (after CLHT: David, Guerraoui and Trigonakis, Asynchronized Concurrency, ASPLOS 2015, whose readers trust that
 * no value comes back to a slot; here the version tells).  The upper bits of the hash choose the bucket: when a table
 * doubles, bucket b becomes 2b and 2b + 1, and buckets in order of number are entries in order of hash, in every table.
 *
 *   head     0-23 tags (0: the slot is free), 24 LOCK, 25 MOVED, above: version, raised by every change but that of
 *            a value.  The first bucket's head stands for its whole chain; those of the others hold tags only.
 *   more     the next bucket of the chain; buckets that are full have one
 *
 * DI1  A writer searches without the lock, then takes it by a compare-and-swap of the head that the search began with:
 *      if that succeeds nothing of the chain has changed since.  The caller's functions are never called under it.
 * DI2  Slots of tag 0 are written, then the tag is stored (release) -> who reads the tag (acquire) sees key and value.
 * DI3  A key is removed: its tag is cleared, the head's version raised (release); only then, under the lock (acquire),
 *      the slot is used again, by release stores -> who reads the new key or value (acquire) finds the head changed
 *      when it looks once more.  So a reader's key and value belong together if the head is as it was.
 * DI4  A table that grows has a `next`, and every call that stores moves a few buckets there.  A bucket is moved under
 *      its lock: its entries are copied, and the head says MOVED (release) for ever.  Who reads that (acquire) goes on
 *      in the next table; before it nobody looks at the two buckets there.  A bucket that cannot be moved for want of
 *      memory stays in use where it is, and is tried again.
 * DI5  Buckets behind the first ones are never given back while the dictionary exists, but used again for other chains,
 *      after DI4's MOVED.  A reader that has gone astray finds the head changed, whether it found the key or not.
 * DI6  Tables that have been moved, and keys that have a cleanup, are given up after all calls that might see them
 *      have ended: each runs in a section of base/readers.h.
 * DI7  An iterator is a place in the order of (hash, address of the key), which no change of the table touches: its
 *      next entry is the least one behind it.
 *
 * get is lock-free, and wait-free while nobody changes the bucket; a writer waits for another one's few stores.
 * Checked by test/api/dictionary.c, test/unit/ds_out_of_memory.c, test/check/maps.c and, also under TSan,
 * test/stress/dictionary.c.
 */
#include "base/diag.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/readers.h"
#include "base/tuning.h"
#include "ds/buckets.h"

#include <string.h>
#include <sys/mman.h>

enum {
	FIRST_BUCKETS = 4,
	FIRST_SLAB = 4, /* buckets; slabs double up to the most */
	MOST_SLAB = 1024,
	MOVE_LOCAL = 16 * SLOTS,        /* entries of one chain whose hashes the stack has room for */
};

/* ---- Buckets behind the first ones (DI5) */

static bool spares_grow(struct qt_dictionary *d)
{
	const unsigned n = d->slab_buckets;
	struct slab *s = qti_mem_alloc(sizeof(*s));
	struct bucket *b = s ? qti_mem_aligned(sizeof(*b), n * sizeof(*b)) : NULL;

	if (!b) {
		qti_mem_free(s);
		return false;
	}
	memset(b, 0, n * sizeof(*b));
	for (unsigned i = 0; i < n; i++) {
		b[i].slot[0].value = d->spares;
		d->spares = &b[i];
	}
	*s = (struct slab){ .next = d->slabs, .memory = b };
	d->slabs = s;
	if (n < MOST_SLAB)
		d->slab_buckets = 2 * n;
	return true;
}

static void spares_put(struct qt_dictionary *d, struct bucket *chain)
{
	struct bucket *next;

	if (!chain)
		return;
	qti_lock_take(&d->lock);
	for (struct bucket *b = chain; b; b = next) {
		next = load_rlx(&b->more);
		store_rel(&b->head, 0);
		store_rel(&b->more, NULL);
		store_rel(&b->slot[0].value, d->spares);
		d->spares = b;
	}
	qti_lock_drop(&d->lock);
}

/* n empty buckets, linked through `more`; false without memory. */
static bool spares_take(struct qt_dictionary *d, size_t n, struct bucket **chain)
{
	size_t got = 0;

	*chain = NULL;
	if (n == 0)
		return true;
	qti_lock_take(&d->lock);
	for (; got < n && (d->spares || spares_grow(d)); got++) {
		struct bucket *b = d->spares;

		d->spares = load_rlx(&b->slot[0].value);
		store_rel(&b->more, *chain);
		*chain = b;
	}
	qti_lock_drop(&d->lock);
	if (got == n)
		return true;
	spares_put(d, *chain);
	*chain = NULL;
	return false;
}

/* ---- Changing a chain */

/* DI1.  Acquire: what the last holder did is complete. */
static inline bool chain_lock(const struct found *f)
{
	uint64_t expected = f->head & ~LOCK;

	return cas_acq(&f->bucket->head, &expected, expected | LOCK);
}

/* The head that the first bucket gets, and with it the lock goes. */
static inline void chain_unlock(const struct found *f, uint64_t head)
{
	store_rel(&f->bucket->head, head & ~LOCK);
}

/* Under the lock: a slot's tag, and with it the entry, appears (DI2) or goes (DI3). */
static inline void chain_set_tag(const struct found *f, struct bucket *at, unsigned slot, uint64_t tag)
{
	const uint64_t mask = tag_in(0xff, slot);

	if (at == f->bucket) {
		chain_unlock(f, ((f->head & ~mask) | tag_in(tag, slot)) + CHANGE);
	} else {
		store_rel(&at->head, (load_rlx(&at->head) & ~mask) | tag_in(tag, slot));
		chain_unlock(f, f->head + CHANGE);
	}
}

static inline void slot_write(struct slot *s, void *key, void *value)
{
	store_rel(&s->key, key);                                /* DI3 */
	store_rel(&s->value, value);
}

/* ---- Tables */

static struct table *table_new(size_t n)
{
	const size_t bytes = sizeof(struct table) + n * sizeof(struct bucket);
	const size_t mapped = bytes >= TUNE_DICT_HUGE_BYTES ? qti_mem_round(bytes, qti_mem_page()) : 0;
	struct table *t = mapped ? qti_mem_map(mapped) : qti_mem_aligned(QTI_CACHE_LINE, bytes);

	if (!t)
		return NULL;
	if (mapped)
		(void)madvise(t, mapped, MADV_HUGEPAGE);        /* a hint: keys fall anywhere */
	else
		memset(t, 0, bytes);
	t->bucket = (struct bucket *)(t + 1);
	t->n = n;
	t->shift = 64 - (unsigned)__builtin_ctzl(n);
	t->mapped = mapped;
	return t;
}

static void table_free(struct table *t)
{
	if (t->mapped)
		qti_mem_unmap(t, t->mapped);
	else
		qti_mem_free(t);
}

/* DI6.  Nobody finds t any more. */
static void table_retire(struct qt_dictionary *d, struct table *t)
{
	const size_t bytes = t->n * sizeof(*t->bucket);
	struct table *next;

	t->next_retired = load_rlx(&d->retired);
	while (!cas_acq_rel(&d->retired, &t->next_retired, t))
		;
	/* Called by somebody's equals or hash, it must not wait: the next one does, or the end. */
	if (add_rlx(&d->retired_bytes, bytes) + bytes < TUNE_DICT_RETIRE_BYTES || qti_reader_inside())
		return;
	store_rlx(&d->retired_bytes, 0);
	t = swap_acq_rel(&d->retired, NULL);
	qti_readers_wait();
	for (; t; t = next) {
		next = t->next_retired;
		table_free(t);
	}
}

/* A bucket has been put behind another of t, the table in use for some hash. */
static void table_crowd(struct qt_dictionary *d, struct table *t)
{
	uint32_t nobody = 0;

	if ((add_rlx(&t->crowded, 1) + 1) * TUNE_DICT_CROWDED <= t->n)
		return;
	/* One table grows at a time: a longer chain does no harm meanwhile. */
	if (load_acq(&d->table) != t || load_acq(&t->next) || !cas_acq(&d->growing, &nobody, 1))
		return;
	if (!load_acq(&t->next))
		store_rel(&t->next, table_new(2 * t->n));       /* NULL without memory: the next bucket tries again */
	store_rel(&d->growing, 0);
}

/* ---- Moving a bucket to the next table (DI4) */

struct move {
	struct found from;
	size_t n[2];                    /* entries that go to the lower and the upper half */
	size_t room;                    /* of hash */
	uint64_t *hash;                 /* of each entry, in order */
	uint64_t local[MOVE_LOCAL];
};

/* The hashes of a chain, if it does not change meanwhile.  False without memory. */
static bool move_look(struct qt_dictionary *d, struct move *m, unsigned bit)
{
	struct walk w = walk_begin(m->from.bucket, m->from.head);
	size_t n = 0;

	m->n[0] = m->n[1] = 0;
	while (walk_on(&w)) {
		if (n == m->room) {
			uint64_t *larger = qti_mem_alloc(2 * n * sizeof(*larger));
			if (!larger)
				return false;
			memcpy(larger, m->hash, n * sizeof(*larger));
			if (m->hash != m->local)
				qti_mem_free(m->hash);
			m->hash = larger;
			m->room = 2 * n;
		}
		m->hash[n] = dict_hash(d, walk_key(&w));
		m->n[m->hash[n++] >> bit & 1]++;
	}
	return true;
}

static size_t move_spares(const struct move *m)
{
	const size_t lower = (m->n[0] + SLOTS - 1) / SLOTS, upper = (m->n[1] + SLOTS - 1) / SLOTS;

	return (lower > 1 ? lower - 1 : 0) + (upper > 1 ? upper - 1 : 0);
}

/* Under the lock; nobody looks at `to` yet, and there are enough spares. */
static void move_copy(const struct move *m, struct bucket *to, unsigned bit, struct bucket *spares)
{
	struct walk w = walk_begin(m->from.bucket, m->from.head);
	struct bucket *last[2] = { &to[0], &to[1] };
	unsigned used[2] = { 0, 0 };

	for (size_t i = 0; walk_on(&w); i++) {
		const unsigned half = m->hash[i] >> bit & 1;

		if (used[half] == SLOTS) {
			struct bucket *b = spares;

			spares = load_rlx(&b->more);
			store_rel(&b->more, NULL);
			store_rel(&last[half]->more, b);
			last[half] = b;
			used[half] = 0;
		}
		struct bucket *b = last[half];
		slot_write(&b->slot[used[half]], walk_key(&w), walk_value(&w));
		store_rel(&b->head, load_rlx(&b->head) | tag_in(hash_tag(m->hash[i]), used[half]++));
	}
	QTI_ASSERT(!spares);
}

static bool move_try(struct qt_dictionary *d, struct move *m, struct bucket *to, unsigned bit, bool *done)
{
	struct bucket *spares;

	if (!move_look(d, m, bit) || !spares_take(d, move_spares(m), &spares))
		return false;
	*done = chain_lock(&m->from);                           /* DI1 */
	if (*done) {
		move_copy(m, to, bit, spares);
		spares = load_rlx(&m->from.bucket->more);       /* now they are free: DI5 */
		chain_unlock(&m->from, (m->from.head | MOVED) + CHANGE);
	}
	spares_put(d, spares);
	return true;
}

/* Whether this call has moved the bucket: not if another has, nor without memory. */
static bool table_move(struct qt_dictionary *d, struct table *t, struct table *next, size_t b)
{
	struct move m = { .from.bucket = &t->bucket[b], .room = MOVE_LOCAL };
	bool done = false, able = true;

	m.hash = m.local;
	for (unsigned spins = 1; able && !done; spins++) {
		m.from.head = load_acq(&m.from.bucket->head);
		if (m.from.head & MOVED)
			break;
		able = move_try(d, &m, &next->bucket[2 * b], next->shift, &done);
		if (!done)
			qti_pause(spins);
	}
	if (m.hash != m.local)
		qti_mem_free(m.hash);
	return done;
}

static void prefetch_keys(const struct table *t, size_t from, size_t n)
{
	for (size_t i = from; i < from + n; i++)
		for (unsigned s = 0; s < SLOTS; s++)
			__builtin_prefetch(load_rlx(&t->bucket[i].slot[s].key));
}

/* Moves a few buckets.  Returns the table if it has been moved as a whole, by this call. */
static struct table *table_help(struct qt_dictionary *d, struct table *t, struct table *next)
{
	const size_t chunk = t->n < TUNE_DICT_MOVE ? t->n : TUNE_DICT_MOVE;
	const size_t from = add_rlx(&t->cursor, chunk) & (t->n - 1);
	size_t moved = 0;

	prefetch_keys(t, from, chunk);
	for (size_t b = from; b < from + chunk; b++)
		moved += table_move(d, t, next, b);
	if (!moved || add_acq_rel(&t->moved, moved) + moved != t->n)
		return NULL;
	store_rel(&d->table, next);
	return t;
}

static inline struct table *dict_help(struct qt_dictionary *d)
{
	struct table *t = load_acq(&d->table);
	struct table *next = load_acq(&t->next);

	return qti_likely(!next) ? NULL : table_help(d, t, next);
}

/* ---- Storing */

/* Under the lock: the entry goes into a free slot, or into the spare bucket, which is then at the end of the chain.
 * The spare is returned if it was not used. */
static struct bucket *chain_add(const struct found *f, uint64_t hash, void *key, void *value, struct bucket *spare)
{
	struct bucket *last = f->bucket;

	for (struct bucket *b = f->bucket; b; last = b, b = load_rlx(&b->more)) {
		const unsigned unused = tags_nonzero(load_rlx(&b->head)) ^ 0x808080;

		if (unused) {
			const unsigned slot = tag_slot(unused);
			slot_write(&b->slot[slot], key, value);
			chain_set_tag(f, b, slot, hash_tag(hash));
			return spare;
		}
	}
	QTI_ASSERT(spare != NULL);
	slot_write(&spare->slot[0], key, value);
	store_rel(&spare->head, hash_tag(hash));
	store_rel(&last->more, spare);                          /* DI2 */
	chain_unlock(f, f->head + CHANGE);
	return NULL;
}

/* Whether every slot of the chain is taken, as far as one can tell without the lock. */
static inline bool chain_full(const struct found *f)
{
	if (tags_nonzero(f->head) != 0x808080)
		return false;
	for (struct bucket *b = load_acq(&f->bucket->more); b; b = load_acq(&b->more))
		if (tags_nonzero(load_rlx(&b->head)) != 0x808080)
			return false;
	return true;
}

static void *dict_insert(struct qt_dictionary *d, uint64_t hash, const struct found *f, void *key, void *value,
	struct bucket *spare)
{
	struct bucket *left = chain_add(f, hash, key, value, spare);

	spares_put(d, left);
	if (spare && !left) {
		struct table *t;
		uint64_t head;

		dict_bucket(d, hash, &head, &t);        /* where the bucket is by now: it may have been moved */
		table_crowd(d, t);
	}
	return value;
}

/* In a section. */
static void *dict_store(struct qt_dictionary *d, uint64_t hash, void *key, void *value, bool replace)
{
	struct bucket *spare = NULL;
	struct found f;

	for (unsigned spins = 1;; qti_pause(spins++)) {
		const bool there = dict_find(d, hash, key, &f);

		if (there && !replace) {
			if (!found_still(&f))
				continue;
			spares_put(d, spare);
			return f.value;
		}
		if (!there && qti_unlikely(chain_full(&f)) && !spare && !spares_take(d, 1, &spare))
			return NULL;
		if (!chain_lock(&f))                            /* DI1 */
			continue;
		if (!there)
			return dict_insert(d, hash, &f, key, value, spare);
		store_rel(&f.at->slot[f.slot].value, value);
		chain_unlock(&f, f.head);
		spares_put(d, spare);
		return value;
	}
}

static void *dict_put(struct qt_dictionary *d, void *key, void *value, bool replace)
{
	if (!d || !key)
		return NULL;
	qti_race_release_as(key, QTI_RACE_ELEMENT);
	qti_race_release_as(value, QTI_RACE_ELEMENT);
	const uint64_t hash = dict_hash(d, key);
	struct qti_reader *r = qti_reader_enter();
	struct table *moved = dict_help(d);
	void *stored = dict_store(d, hash, key, value, replace);

	qti_reader_leave(r);
	if (qti_unlikely(moved != NULL))
		table_retire(d, moved);
	qti_race_acquire_as(stored, QTI_RACE_ELEMENT);
	return stored;
}

void *qt_dictionary_put(qt_dictionary *dict, void *key, void *value)
{
	return dict_put(dict, key, value, true);
}

void *qt_dictionary_put_if_absent(qt_dictionary *dict, void *key, void *value)
{
	return dict_put(dict, key, value, false);
}

/* ---- Looking up, deleting */

void *qt_dictionary_get(qt_dictionary *dict, void *key)
{
	struct found f;
	bool there;

	if (!dict || !key)
		return NULL;
	const uint64_t hash = dict_hash(dict, key);
	struct qti_reader *r = qti_reader_enter();
	do
		there = dict_find(dict, hash, key, &f);
	while ((there || f.at != f.bucket) && qti_unlikely(!found_still(&f)));
	qti_reader_leave(r);
	if (there)
		qti_race_acquire_as(f.value, QTI_RACE_ELEMENT);
	return there ? f.value : NULL;
}

/* In a section.  Whether the key was there; what the slot held then. */
static bool dict_remove(struct qt_dictionary *d, uint64_t hash, void *key, struct slot *old)
{
	struct found f;

	for (unsigned spins = 1;; qti_pause(spins++)) {
		const bool there = dict_find(d, hash, key, &f);

		if (!there && (f.at == f.bucket || found_still(&f)))
			return false;
		if (!there || !chain_lock(&f))                  /* DI1 */
			continue;
		old->key = load_rlx(&f.at->slot[f.slot].key);
		old->value = load_rlx(&f.at->slot[f.slot].value);
		chain_set_tag(&f, f.at, f.slot, 0);             /* DI3 */
		return true;
	}
}

void *qt_dictionary_delete(qt_dictionary *dict, void *key)
{
	struct slot old;

	if (!dict || !key)
		return NULL;
	const uint64_t hash = dict_hash(dict, key);
	struct qti_reader *r = qti_reader_enter();
	const bool there = dict_remove(dict, hash, key, &old);
	qti_reader_leave(r);
	if (!there)
		return NULL;
	qti_race_acquire_as(old.key, QTI_RACE_ELEMENT);
	qti_race_acquire_as(old.value, QTI_RACE_ELEMENT);
	if (dict->cleanup) {
		qti_readers_wait();                             /* DI6 */
		qti_race_acquire_as(old.key, QTI_RACE_EMPTIED);
		dict->cleanup(old.key, NULL);
	}
	return old.value;
}

/* ---- Beginning and end */

qt_dictionary *qt_dictionary_create(qt_dict_key_equals_f eq, qt_dict_hash_f hash, qt_dict_cleanup_f cleanup)
{
	if (!eq || !hash)
		return NULL;
	struct qt_dictionary *d = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*d));
	struct table *t = d ? table_new(FIRST_BUCKETS) : NULL;
	if (!t) {
		qti_mem_free(d);
		return NULL;
	}
	*d = (struct qt_dictionary){
		.table = t, .equals = eq, .hash = hash, .cleanup = cleanup, .slab_buckets = FIRST_SLAB,
		.end = { .dict = d, .state = AT_END, .owned = true },
	};
	return d;
}

static void table_clean(struct table *t, qt_dict_cleanup_f cleanup)
{
	for (size_t i = 0; i < t->n; i++) {
		struct walk w = walk_begin(&t->bucket[i], t->bucket[i].head);

		while (!(t->bucket[i].head & MOVED) && walk_on(&w))
			cleanup(walk_key(&w), walk_value(&w));
	}
}

void qt_dictionary_destroy(qt_dictionary *d)
{
	void *next;

	if (!d)
		return;
	for (struct table *t = d->table; t && d->cleanup; t = t->next)
		table_clean(t, d->cleanup);
	for (struct table *t = d->table; t; t = next) {
		next = t->next;
		table_free(t);
	}
	for (struct table *t = d->retired; t; t = next) {
		next = t->next_retired;
		table_free(t);
	}
	for (struct slab *s = d->slabs; s; s = next) {
		next = s->next;
		qti_mem_free(s->memory);
		qti_mem_free(s);
	}
	qti_mem_free(d);
}
