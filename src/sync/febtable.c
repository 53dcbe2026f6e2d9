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
	qti_feb_table = NULL;
}

_Static_assert(FEB_LOCKED == 1, "what qti_word_lock sets");

struct feb_hold feb_take(const aligned_t *word)
{
	uint64_t address = feb_key(word);
	struct feb_hold h = { .address = word, .slot = feb_slot(word) };

	h.word = qti_word_lock(&h.slot->word);
	if ((h.word & FEB_ADDRESS) == address) {
		h.entry = h.slot;
	} else if (h.word & FEB_CHAINED) {
		h.entry = h.slot->chain;
		while (h.entry && (h.entry->word & FEB_ADDRESS) != address)
			h.entry = h.entry->chain;
	}
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
		e->chain = h->word & FEB_CHAINED ? h->slot->chain : NULL;
		h->slot->chain = e;
		h->word |= FEB_CHAINED;
		h->entry = e;
	}
	h->entry->readers = NULL;
	h->entry->queue = NULL;
	return QTHREAD_SUCCESS;
}

static void unchain(struct feb_hold *h)
{
	struct feb_entry **link = &h->slot->chain;
	struct qti_worker *w = qti_self();

	while (*link != h->entry)
		link = &(*link)->chain;
	*link = h->entry->chain;
	if (!h->slot->chain)
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
		unchain(h);
	h->word += FEB_VERSION_ONE;
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
	if (word & FEB_CHAINED)
		for (const struct feb_entry *e = slot->chain; e; e = e->chain)
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
		if (word & FEB_CHAINED)
			for (struct feb_entry *e = slot->chain; e; e = e->chain)
				empty_entry(e, e->word, woken);
	}
}
