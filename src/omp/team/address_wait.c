/* omp/team/address_wait.c -- see omp/team/address_wait.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/address_wait.h"

#include "base/tuning.h"
#include "core/guest.h"
#include "omp/team/patience.h"
#include "sync/waiter.h"

enum { BUCKET_BITS = 8 };

static struct bucket {
	uint64_t lock;                  /* qti_word_lock */
	struct qti_waiter *last;        /* a ring */
	uint32_t waiting;               /* in there, or about to be */
} QTI_ALIGNED_LINE table[1 << BUCKET_BITS];

/* Multiplication spreads words that lie in a row (Knuth, The Art of Computer Programming 3, 6.4). */
static struct bucket *bucket_of(const uint32_t *word)
{
	return &table[((uintptr_t)word >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BUCKET_BITS)];
}

/* For a moment, where others can run meanwhile. */
static bool changes_soon(const uint32_t *word, uint32_t expected)
{
	struct qti_poll poll = { .ns = qomp_poll_ns(TUNE_ADDRESS_NS) };

	do
		if (load_acq(word) != expected)
			return true;
	while (qti_poll_again(&poll));
	return false;
}

/* Under the lock. */
static bool may_sleep(const uint32_t *word, uint32_t expected, bool (*reason)(const void *arg), const void *arg)
{
	return load_sc(word) == expected && !(reason && reason(arg));                           /* Z1 */
}

static void address_wait(const uint32_t *word, uint32_t expected, enum qti_wait_kind kind,
                         bool (*reason)(const void *arg), const void *arg)
{
	struct bucket *b = bucket_of(word);
	struct qti_waiter r;

	if (changes_soon(word, expected))
		return;
	if (!qti_waiter_begin(&r, kind, word))
		return;
	qti_word_lock(&b->lock);
	add_sc(&b->waiting, 1);                                                                 /* Z1 */
	if (may_sleep(word, expected, reason, arg)) {
		qti_waiters_add(&b->last, &r);
		qti_waiter_sleep(&r, &b->lock, 0);
	} else {
		sub_rlx(&b->waiting, 1);
		store_rel(&b->lock, 0);
	}
}

void qomp_address_wait_unless(const uint32_t *word, uint32_t expected, bool (*reason)(const void *arg), const void *arg)
{
	address_wait(word, expected, QTI_WAIT_CHANGE, reason, arg);
}

void qomp_address_wait(const uint32_t *word, uint32_t expected)
{
	address_wait(word, expected, QTI_WAIT_CHANGE, NULL, NULL);
}

void qomp_address_wait_lock(const uint32_t *word, uint32_t expected, bool nestable)
{
	address_wait(word, expected, nestable ? QTI_WAIT_NEST_LOCK : QTI_WAIT_LOCK, NULL, NULL);
}

/* Under the lock: moves up to n who wait for the word from the ring to *woken, and the others once round. */
static unsigned bucket_take(struct bucket *b, const uint32_t *word, unsigned n, struct qti_waiter **woken)
{
	struct qti_waiter *rest = NULL, *w;
	unsigned taken = 0;

	while ((w = qti_waiters_take(&b->last)) != NULL) {
		bool wanted = taken < n && w->word == word;
		taken += wanted;
		qti_waiters_add(wanted ? woken : &rest, w);
	}
	b->last = rest;
	return taken;
}

void qomp_address_wake(const uint32_t *word, unsigned n)
{
	struct bucket *b = bucket_of(word);
	struct qti_waiter *woken = NULL;

	fence_sc();                                                                             /* Z1 */
	if (load_rlx(&b->waiting) == 0)
		return;
	qti_call_in_anyhow();                                                                   /* GA3 of core/gate.h */
	qti_word_lock(&b->lock);
	sub_rlx(&b->waiting, bucket_take(b, word, n, &woken));
	store_rel(&b->lock, 0);
	qti_wake_all(&woken);
	qti_call_out();
}

void qomp_address_each_waiter(qti_waiter_visit visit, void *arg)
{
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct bucket *b = &table[i];
		qti_word_lock(&b->lock);
		qti_waiters_each(b->last, visit, arg);
		store_rel(&b->lock, 0);
	}
}

void qomp_address_forget_tasks(void)
{
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct bucket *b = &table[i];
		qti_word_lock(&b->lock);
		store_rlx(&b->waiting, (uint32_t)qti_waiters_forget_tasks(&b->last));
		store_rel(&b->lock, 0);
	}
}

/* In the child of fork(2): who waits there are tasks and threads of the parent. */
void qomp_address_forget(void)
{
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		table[i] = (struct bucket){ 0 };
}
