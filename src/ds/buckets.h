/* ds/buckets.h -- what a dictionary consists of, and finding a key in it; the protocol, DI1 to DI7, is in
 * ds/dictionary.c.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_DS_BUCKETS_H
#define QTI_DS_BUCKETS_H

#include "base/lock.h"
#include "base/race.h"
#include "qthread/dictionary.h"

#include <stdbool.h>

enum { SLOTS = 3 };

#define TAGS UINT64_C(0xffffff)
#define LOCK (UINT64_C(1) << 24)
#define MOVED (UINT64_C(1) << 25)
#define CHANGE (UINT64_C(1) << 26)

struct slot {
	void *key, *value;
};

struct bucket {
	uint64_t head;
	struct bucket *more;
	struct slot slot[SLOTS];
};

_Static_assert(sizeof(struct bucket) == QTI_CACHE_LINE, "a bucket is a line");

struct table {
	struct bucket *bucket;
	unsigned shift;                 /* a hash's bucket is hash >> shift */
	size_t n;                       /* buckets, a power of two */
	size_t mapped;                  /* bytes, if it has pages of its own; else 0 */
	struct table *next;             /* DI4 */
	struct table *next_retired;

	/* Changed by writers, seldom. */
	size_t crowded QTI_ALIGNED_LINE; /* buckets that were put behind others */
	size_t cursor;                  /* the next bucket to move, around and around */
	size_t moved;
};

struct slab {
	struct slab *next;
	struct bucket *memory;
};

/* An address in the order of iteration: DI7. */
struct place {
	uint64_t hash;
	uintptr_t key;
};

enum iterator_state { BEFORE_FIRST, ON_ENTRY, AT_END };

struct qt_dictionary_iterator {
	struct qt_dictionary *dict;
	enum iterator_state state;
	bool owned;                     /* by the dictionary: its end */
	list_entry entry;               /* of the last step */
};

struct qt_dictionary {
	struct table *table;            /* where calls begin: the oldest with buckets in use */
	qt_dict_key_equals_f equals;
	qt_dict_hash_f hash;
	qt_dict_cleanup_f cleanup;
	qt_dictionary_iterator end;

	uint32_t growing QTI_ALIGNED_LINE; /* somebody makes the next table */
	struct table *retired;          /* moved tables whose readers were not waited for */
	size_t retired_bytes;
	struct qti_lock lock;           /* guards the rest */
	struct bucket *spares;          /* linked through the value of their first slot: DI5 */
	struct slab *slabs;
	unsigned slab_buckets;          /* in the next one */
};

/* ---- Hashes and tags */

/* Two multiplications, each with the high half folded down: every bit of the caller's number reaches the upper bits,
 * which choose the bucket, and the tag's. */
static inline uint64_t dict_hash(const struct qt_dictionary *d, void *key)
{
	qti_race_acquire_as(key, QTI_RACE_ELEMENT);
	uint64_t h = (uint32_t)d->hash(key);
	qti_race_release_as(key, QTI_RACE_EMPTIED);

	h = (h + 1) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return h;
}

static inline uint64_t hash_tag(uint64_t hash)
{
	const uint64_t tag = hash >> 20 & 0xff;

	return tag ? tag : 1;
}

/* The highest bit of each tag that is not 0; exact: a stale key in a free slot must not be looked at. */
static inline unsigned tags_nonzero(uint64_t head)
{
	const unsigned x = (unsigned)(head & TAGS);

	return (((x & 0x7f7f7f) + 0x7f7f7f) | x) & 0x808080;
}

static inline unsigned tags_equal(uint64_t head, uint64_t tag)
{
	return tags_nonzero(head ^ tag * 0x010101) ^ 0x808080;
}

static inline unsigned tag_slot(unsigned bits)
{
	return (unsigned)__builtin_ctz(bits) / 8;
}

static inline uint64_t tag_in(uint64_t tag, unsigned slot)
{
	return tag << 8 * slot;
}

/* ---- Entries of a chain, one after the other */

struct walk {
	struct bucket *at;
	unsigned slot;
	unsigned left;                  /* of this bucket, as tags_nonzero says it */
};

static inline struct walk walk_begin(struct bucket *b, uint64_t head)
{
	return (struct walk){ .at = b, .left = tags_nonzero(head) };
}

static inline bool walk_on(struct walk *w)
{
	while (!w->left) {
		w->at = load_acq(&w->at->more);
		if (!w->at)
			return false;
		w->left = tags_nonzero(load_acq(&w->at->head));         /* DI2 */
	}
	w->slot = tag_slot(w->left);
	w->left &= w->left - 1;
	return true;
}

static inline void *walk_key(const struct walk *w)
{
	return load_acq(&w->at->slot[w->slot].key);             /* DI2, DI3 */
}

static inline void *walk_value(const struct walk *w)
{
	return load_acq(&w->at->slot[w->slot].value);           /* DI2, DI3 */
}

/* ---- Finding */

struct found {
	struct bucket *bucket;          /* the first of the chain */
	uint64_t head;                  /* as the search began */
	struct bucket *at;              /* the last that was looked at; where the key is if it is there */
	unsigned slot;
	void *value;
};

/* The bucket in use for this hash, and its table if asked for. */
static inline struct bucket *dict_bucket(struct qt_dictionary *d, uint64_t hash, uint64_t *head, struct table **table)
{
	struct table *t = load_acq(&d->table);

	for (;;) {
		struct bucket *b = &t->bucket[hash >> t->shift];

		*head = load_acq(&b->head);
		if (qti_likely(!(*head & MOVED))) {
			if (table)
				*table = t;
			return b;
		}
		t = load_acq(&t->next);                         /* DI4 */
	}
}

/* Whether the chain is as it was when the search began; an acquire load has read what the answer is about. */
static inline bool found_still(const struct found *f)
{
	return ((load_rlx(&f->bucket->head) ^ f->head) & ~LOCK) == 0;   /* DI3, DI5 */
}

/* The stored key is another's, who may give it up when nobody looks at it any more. */
static inline bool dict_equal(const struct qt_dictionary *d, void *there, void *key)
{
	qti_race_acquire_as(there, QTI_RACE_ELEMENT);
	bool equal = d->equals(there, key);
	qti_race_release_as(there, QTI_RACE_EMPTIED);
	return equal;
}

/* What it says holds only if found_still says so, or if the lock is taken. */
static inline bool dict_find(struct qt_dictionary *d, uint64_t hash, void *key, struct found *f)
{
	const uint64_t tag = hash_tag(hash);

	f->bucket = f->at = dict_bucket(d, hash, &f->head, NULL);
	for (uint64_t head = f->head;;) {
		for (unsigned equal = tags_equal(head, tag); equal; equal &= equal - 1) {
			struct slot *s = &f->at->slot[f->slot = tag_slot(equal)];
			void *there = load_acq(&s->key);        /* DI2, DI3 */

			if (there == key || dict_equal(d, there, key)) {
				f->value = load_acq(&s->value); /* DI2, DI3 */
				return true;
			}
		}
		struct bucket *more = load_acq(&f->at->more);
		if (qti_likely(!more))
			return false;
		f->at = more;
		head = load_acq(&more->head);                   /* DI2 */
	}
}

#endif
