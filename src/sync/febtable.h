/* sync/febtable.h -- where the state of FEB words is kept.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A word without an entry is full.  The table has a fixed number of slots; a slot is an entry itself and heads a
 * chain of further ones, for other words that fall on it.  The slot's `word` is one 64-bit value:
 *
 *     63..57 version | 56 waited | 55..3 address of the word, or epoch | 2 empty | 1 chained | 0 locked
 *
 *   empty     the entry's word is empty; clear: it is full and has an entry because writeEF waits for it
 *   waited    somebody waits: the entry may change under the lock only
 *   chained   other entries hang below, so the slot alone does not tell that a word has none
 *   version   grows by one whenever an entry of the slot or of its chain goes away
 *   epoch     grows when the version wraps; both are one number of 60 bits, which never does
 *
 * The slot's own entry is in use if empty or waited is set; then the address is there.  If it is free and nothing is
 * chained, the epoch is there.  At all times the epoch stands at the end of the chain (`below`), which without
 * entries in it is in the slot.
 *
 *   B1  Whatever changes full/empty does so by one acq_rel compare-and-swap of a slot that is not locked, or under
 *       the slot's lock, which it drops by a release store; data are written before -> whoever reads data loads
 *       the slot (acquire) first.  What the filler wrote before filling is visible to the reader.
 *   B2  A reader takes no lock: it loads the slot (acquire), the data (acquire), and the slot again, which must not
 *       have changed.  Who stores data has the slot locked by then, and stores them by a release store: a reader that
 *       loads these data has to see the slot locked, or as it became later.
 *         If an empty word has been filled in between, the version has grown, and the slot, if its own entry is free,
 *       has never been like this before.  So what a purge has left in an empty word is never returned.
 *         While a full word's data are replaced (writeF, writeFF) the slot stays as it is but for the lock, and either
 *       value is right; with the new one the reader has acquired what its writer did before.
 *   B3  Where the slot's own entry is in use, by another word or for one that writeEF waits for, the slot tells the
 *       version only.  The reader also loads the epoch: before the first look at the slot, and after the second one.
 *       Who moves it on does so by a release store under the lock: a reader that knows the new epoch (acquire) sees no
 *       slot of the old one.  So if the epoch has not changed, the version has not wrapped between the two looks.
 *   B4  Who has emptied a word may store into it by other means and fill it then, as with a lock that protects its
 *       own word.  These stores are no release stores: a release fence follows the emptying instead, at the end of the
 *       call -> the reader's load of the data (acquire).
 *
 * Who excludes whom.  cas: one of the two compare-and-swaps fails and its caller looks again.  L: the slot's lock.
 *
 *                                   read        empty or fill     change under     store by other means
 *                                   (no lock)   by one swap       the lock         while empty
 *     read (no lock)                nothing     B1, B2            B1, B2, B3       B4
 *     empty or fill by one swap                 cas               cas, then L      the word's user (B4)
 *     change under the lock                                       L                the word's user (B4)
 *
 * Uncontended, empty and fill are one compare-and-swap each; a full word is read by loads alone.
 * Checked by test/unit/febtable.c, test/api/feb.c, test/stress/feb.c, test/check/febs.c and, B2 to B4,
 * test/model/febread.pml.
 */
#ifndef QTI_SYNC_FEBTABLE_H
#define QTI_SYNC_FEBTABLE_H

#include "sync/waiter.h"

#define FEB_LOCKED UINT64_C(1)
#define FEB_CHAINED UINT64_C(2)
#define FEB_EMPTY UINT64_C(4)
#define FEB_ADDRESS (((UINT64_C(1) << 56) - 1) & ~UINT64_C(7))
#define FEB_WAITED (UINT64_C(1) << 56)
#define FEB_VERSION_ONE (UINT64_C(1) << 57)
#define FEB_VERSION (~(FEB_VERSION_ONE - 1))
#define FEB_IN_USE (FEB_EMPTY | FEB_WAITED)

enum { FEB_SLOTS_LOG2 = 18 };

struct feb_entry {
	uint64_t word;
	struct qti_waiter *readers;     /* readFF, writeFF and preconditions, while empty */
	struct qti_waiter *queue;       /* last of a ring: readFE while empty, writeEF while full */
	uint64_t below;                 /* the next entry of the chain, plus 1; at the end twice the epoch */
};

extern struct feb_entry *qti_feb_table;         /* NULL: not initialized */

int qti_feb_init(void);
void qti_feb_fini(void);
void qti_feb_forget(void);      /* as if there had been no init; gives nothing back */

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

/* No entry at all. */
static inline bool feb_is_free(uint64_t w)
{
	return (w & (FEB_LOCKED | FEB_CHAINED | FEB_IN_USE)) == 0;
}

/* No entry for `word`, or one that says full; the slot is neither locked nor chained. */
static inline bool feb_says_full(uint64_t w, const aligned_t *word)
{
	if (w & (FEB_LOCKED | FEB_CHAINED))
		return false;
	return !(w & FEB_EMPTY) || (w & FEB_ADDRESS) != feb_key(word);
}

/* The entry's word is empty and nobody waits for it. */
static inline bool feb_says_empty(uint64_t w, const aligned_t *word)
{
	return (w & ~FEB_VERSION) == (feb_key(word) | FEB_EMPTY);
}

/* A free slot's word when its own entry is taken for `word`, which becomes empty. */
static inline uint64_t feb_taken(uint64_t w, const aligned_t *word)
{
	return (w & FEB_VERSION) | feb_key(word) | FEB_EMPTY;
}

static inline uint64_t feb_next_version(uint64_t w)
{
	return (w & FEB_VERSION) + FEB_VERSION_ONE;
}

/* A slot's word when there is no entry any more, of a version that may have stood there with entries. */
static inline uint64_t feb_free_word(uint64_t version, uint64_t below)
{
	return (version & FEB_VERSION) | below << 2;
}

/* What a slot is to be whose only entry goes away, as far as can be told before it is locked: nothing has to wait for
 * a load behind the locked instruction, then. */
struct feb_plan {
	uint64_t below, word;
};

static inline struct feb_plan feb_plan(const struct feb_entry *slot, uint64_t w)
{
	uint64_t below = load_rlx(&slot->below);

	return (struct feb_plan){ below, feb_free_word(feb_next_version(w), below) };
}

void feb_free_slowly(struct feb_entry *slot, uint64_t w);

/* Unlocks a slot whose only entry goes away: w, as it was when the plan was made and when it was locked. */
static inline void feb_free(struct feb_entry *slot, uint64_t w, struct feb_plan plan)
{
	if (qti_likely(feb_next_version(w) != 0 && load_rlx(&slot->below) == plan.below))
		store_rel(&slot->word, plan.word);                                      /* B1 */
	else
		feb_free_slowly(slot, w);
}

/* Stores a word's data; its slot is locked. */
static inline void feb_put(aligned_t *word, aligned_t value)
{
	store_rel(word, value);                                                         /* B2 */
}

/* A locked slot, and the entry of one word in it. */
struct feb_hold {
	const aligned_t *address;
	struct feb_entry *slot;
	uint64_t word;                  /* the slot's, as it will be when it is let go; without the epoch */
	struct feb_entry *entry;        /* NULL: the word is full and nobody waits */
};

struct feb_hold feb_take(const aligned_t *word) QTHREAD_UNREAD(1);
int feb_add_entry(struct feb_hold *h);          /* an empty one; QTHREAD_MALLOC_ERROR when there is no room */
void feb_drop_entry(struct feb_hold *h);

/* Calls visit(waiter, arg) for everybody who waits for a FEB word, or for it to be full before starting.  The
 * word's slot is locked meanwhile: no FEB call may be made from there. */
void qti_feb_each_waiter(qti_waiter_visit visit, void *arg);

/* Out of all entries, which are used no more: qti_waiters_give_up. */
void feb_take_all_waiters(struct qti_waiter **woken);

static inline void feb_let_go(struct feb_hold *h)
{
	uint64_t w = feb_is_free(h->word) ? feb_free_word(h->word, h->slot->below) : h->word;

	store_rel(&h->slot->word, w);                                                   /* B1 */
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
