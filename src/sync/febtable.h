/* sync/febtable.h -- where the state of FEB words is kept.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A word without an entry is full.  The table has a fixed number of slots; a slot is an entry itself and heads a
 * chain of further ones, for other words that fall on it.  The slot's `word` is one 64-bit value:
 *
 *     63..57 version | 56 waited | 55..3 address of the word | 2 empty | 1 chained | 0 locked
 *
 *   address   0: the slot's own entry is free
 *   empty     the entry's word is empty; clear: it is full and has an entry because writeEF waits for it
 *   waited    somebody waits: the entry may change under the lock only
 *   chained   other entries hang below, so the slot alone does not tell that a word has none
 *   version   grows whenever an entry goes away, so that a reader notices a whole empty-and-full cycle
 *
 *   B1  Whatever changes full/empty does so by one acq_rel compare-and-swap of a slot that is not locked, or under
 *       the slot's lock, which it drops by a release store; data are written before -> whoever reads data loads
 *       the slot (acquire) first.  What the filler wrote before filling is visible to the reader.
 *   B2  A reader takes no lock: it loads the slot, the data, and the slot again, which must not have changed.  (The
 *       version wraps: a reader that sleeps in between through an exact multiple of 128 cycles may see data that a
 *       purge left in the empty word.)
 *
 * Uncontended, empty and fill are one compare-and-swap each; a full word is read by loads alone.
 * Checked by test/api/feb.c and test/stress/feb.c.
 */
#ifndef QTI_SYNC_FEBTABLE_H
#define QTI_SYNC_FEBTABLE_H

#include "sync/feb.h"
#include "sync/waiter.h"

#define FEB_LOCKED UINT64_C(1)
#define FEB_CHAINED UINT64_C(2)
#define FEB_EMPTY UINT64_C(4)
#define FEB_ADDRESS (((UINT64_C(1) << 56) - 1) & ~UINT64_C(7))
#define FEB_WAITED (UINT64_C(1) << 56)
#define FEB_VERSION_ONE (UINT64_C(1) << 57)
#define FEB_VERSION (~(FEB_VERSION_ONE - 1))

enum { FEB_SLOTS_LOG2 = 18 };

struct feb_entry {
	uint64_t word;
	struct qti_waiter *readers;     /* readFF, writeFF and preconditions, while empty */
	struct qti_waiter *queue;       /* last of a ring: readFE while empty, writeEF while full */
	struct feb_entry *chain;
};

extern struct feb_entry *qti_feb_table;         /* NULL: not initialized */

/* A word's address as it stands in an entry, without what a tagged pointer carries in its top byte. */
static inline uint64_t feb_key(const aligned_t *word)
{
	return (uint64_t)(uintptr_t)word & FEB_ADDRESS;
}

/* Neighbouring words get neighbouring slots, so that a small program's words share few cache lines and pages;
 * what lies 32 KiB apart, like the same variable on two stacks, is scattered. */
static inline struct feb_entry *feb_slot(const aligned_t *word)
{
	uint64_t a = feb_key(word);
	uint64_t h = (a >> 3) + (a >> 15) * UINT64_C(0x9e3779b1);

	return &qti_feb_table[h & ((1u << FEB_SLOTS_LOG2) - 1)];
}

static inline bool feb_is_free(uint64_t w)
{
	return (w & ~FEB_VERSION) == 0;
}

/* No entry for `word`, or one that says full; the slot is neither locked nor chained. */
static inline bool feb_says_full(uint64_t w, const aligned_t *word)
{
	if (w & (FEB_LOCKED | FEB_CHAINED))
		return false;
	return (w & FEB_ADDRESS) != feb_key(word) || !(w & FEB_EMPTY);
}

/* The entry's word is empty and nobody waits for it. */
static inline bool feb_says_empty(uint64_t w, const aligned_t *word)
{
	return (w & ~FEB_VERSION) == (feb_key(word) | FEB_EMPTY);
}

static inline uint64_t feb_next_version(uint64_t w)
{
	return (w & FEB_VERSION) + FEB_VERSION_ONE;
}

/* A locked slot, and the entry of one word in it. */
struct feb_hold {
	const aligned_t *address;
	struct feb_entry *slot;
	uint64_t word;                  /* the slot's, as it will be when it is let go */
	struct feb_entry *entry;        /* NULL: the word is full and nobody waits */
};

struct feb_hold feb_take(const aligned_t *word) QTHREAD_UNREAD(1);
int feb_add_entry(struct feb_hold *h);          /* an empty one; QTHREAD_MALLOC_ERROR when there is no room */
void feb_drop_entry(struct feb_hold *h);

/* Out of all entries, which are used no more: qti_waiters_give_up. */
void feb_take_all_waiters(struct qti_waiter **woken);

static inline void feb_let_go(struct feb_hold *h)
{
	store_rel(&h->slot->word, h->word);                                     /* B1 */
}

/* Where the entry's state bits are while it is held. */
static inline uint64_t *feb_state(struct feb_hold *h)
{
	return h->entry == h->slot ? &h->word : &h->entry->word;
}

static inline bool feb_held_empty(struct feb_hold *h)
{
	return h->entry && (*feb_state(h) & FEB_EMPTY);
}

#endif
