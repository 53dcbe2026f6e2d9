/* sync/febtable.c -- slots, chains and their memory (sync/febtable.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sync/febtable.h"

#include "base/mem.h"

enum { ENTRY_BATCH = 64, SLAB_FIRST = 64 << 10, SLAB_MAX = 4 << 20 };

struct feb_entry *qti_feb_table;
static struct qti_pool entries;

#define TABLE_BYTES (sizeof(struct feb_entry) << FEB_SLOTS_LOG2)

int qti_feb_init(void)
{
	qti_pool_init(&entries, &(struct qti_pool_config){
		.size = sizeof(struct feb_entry),
		.batch = ENTRY_BATCH,
		.first_slab = SLAB_FIRST,
		.max_slab = SLAB_MAX,
	});
	qti_feb_table = qti_mem_map(TABLE_BYTES);
	return qti_feb_table ? QTHREAD_SUCCESS : QTHREAD_MALLOC_ERROR;
}

void qti_feb_fini(void)
{
	qti_mem_unmap(qti_feb_table, TABLE_BYTES);
	qti_feb_table = NULL;
	qti_pool_fini(&entries);
}

void qti_feb_forget(void)
{
	qti_pool_forget(&entries);
	qti_feb_table = NULL;
}

_Static_assert(FEB_LOCKED == 1, "what qti_word_lock sets");

/* NULL at the end of a chain. */
static struct feb_entry *entry_at(uint64_t below)
{
	return below & 1 ? (struct feb_entry *)(uintptr_t)(below - 1) : NULL;
}

static void next_epoch(struct feb_entry *slot)
{
	uint64_t *end = &slot->below;
	struct feb_entry *e;

	while ((e = entry_at(*end)) != NULL)
		end = &e->below;
	store_rel(end, *end + 2);                                               /* B3 */
}

/* The next version, of a slot that is locked. */
static uint64_t next_version(struct feb_entry *slot, uint64_t w)
{
	uint64_t version = feb_next_version(w);

	if (version == 0)
		next_epoch(slot);
	return version;
}

__attribute__((cold)) void feb_free_slowly(struct feb_entry *slot, uint64_t w)
{
	uint64_t version = next_version(slot, w);

	store_rel(&slot->word, feb_free_word(version, slot->below));            /* B1 */
}

struct feb_hold feb_take(const aligned_t *word)
{
	uint64_t address = feb_key(word);
	struct feb_hold h = { .address = word, .slot = feb_slot(word) };

	h.word = qti_word_lock(&h.slot->word);
	if (!(h.word & FEB_IN_USE))
		h.word &= ~FEB_ADDRESS;
	if ((h.word & FEB_ADDRESS) == address)
		h.entry = h.slot;
	else
		for (h.entry = entry_at(h.slot->below); h.entry; h.entry = entry_at(h.entry->below))
			if ((h.entry->word & FEB_ADDRESS) == address)
				break;
	return h;
}

int feb_add_entry(struct feb_hold *h)
{
	uint64_t state = feb_key(h->address) | FEB_EMPTY;
	struct qti_worker *w = qti_self();

	if ((h->word & FEB_ADDRESS) == 0) {
		h->entry = h->slot;
		h->word |= state;
	} else {
		struct feb_entry *e = w ? qti_pool_get(&entries, &w->words) : qti_pool_get_shared(&entries);
		if (!e)
			return QTHREAD_MALLOC_ERROR;
		e->word = state;
		e->below = h->slot->below;
		store_rel(&h->slot->below, (uint64_t)(uintptr_t)e + 1);         /* B3 */
		h->word |= FEB_CHAINED;
		h->entry = e;
	}
	h->entry->readers = NULL;
	h->entry->queue = NULL;
	return QTHREAD_SUCCESS;
}

static void slot_unchain(struct feb_hold *h)
{
	uint64_t *link = &h->slot->below;
	struct qti_worker *w = qti_self();

	while (entry_at(*link) != h->entry)
		link = &entry_at(*link)->below;
	store_rel(link, h->entry->below);                                       /* B3 */
	if (!entry_at(h->slot->below))
		h->word &= ~FEB_CHAINED;
	if (w)
		qti_pool_put(&entries, &w->words, h->entry);
	else
		qti_pool_put_shared(&entries, h->entry);
}

void feb_drop_entry(struct feb_hold *h)
{
	if (h->entry == h->slot)
		h->word &= FEB_CHAINED | FEB_VERSION;
	else
		slot_unchain(h);
	h->word = next_version(h->slot, h->word) | (h->word & ~FEB_VERSION);
	h->entry = NULL;
}

/* --- looking at all of it -------------------------------------------------------------------------------- */

static void visit_entry(const struct feb_entry *e, uint64_t word, qti_waiter_visit visit, void *arg)
{
	if (!(word & FEB_WAITED))
		return;
	qti_waiters_each(e->readers, visit, arg);
	qti_waiters_each(e->queue, visit, arg);
}

static void visit_slot(struct feb_entry *slot, qti_waiter_visit visit, void *arg)
{
	uint64_t word = qti_word_lock(&slot->word);

	visit_entry(slot, word, visit, arg);
	for (const struct feb_entry *e = entry_at(slot->below); e; e = entry_at(e->below))
		visit_entry(e, e->word, visit, arg);
	store_rel(&slot->word, word);                                           /* B1 */
}

void qti_feb_each_waiter(qti_waiter_visit visit, void *arg)
{
	for (size_t i = 0; qti_feb_table && i < (size_t)1 << FEB_SLOTS_LOG2; i++)
		if (load_rlx(&qti_feb_table[i].word) & (FEB_WAITED | FEB_CHAINED))
			visit_slot(&qti_feb_table[i], visit, arg);
}

static void empty_entry(struct feb_entry *e, uint64_t word, struct qti_waiter **woken)
{
	if (!(word & FEB_WAITED))
		return;
	qti_waiters_give_up(&e->readers, woken);
	qti_waiters_give_up(&e->queue, woken);
}

void feb_take_all_waiters(struct qti_waiter **woken)
{
	for (size_t i = 0; i < (size_t)1 << FEB_SLOTS_LOG2; i++) {
		struct feb_entry *slot = &qti_feb_table[i];
		uint64_t word = load_acq(&slot->word);
		empty_entry(slot, word, woken);
		for (struct feb_entry *e = entry_at(slot->below); e; e = entry_at(e->below))
			empty_entry(e, e->word, woken);
	}
}
