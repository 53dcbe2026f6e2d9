/* test/check/febs.c -- sync/feb.c: what full/empty words promise to threads (B1, B2, B4 of sync/febtable.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/outside.h"

#include "sync/waiter.c"
#include "sync/febtable.c"
#include "sync/feb.c"

enum { FIRST = 1, SECOND = 2, NEVER = 13 };

static aligned_t word;
static unsigned data;
static aligned_t got[CHECK_THREADS];

static void begin_full(void)
{
	word = FIRST;
}

static void begin_empty(void)
{
	word = NEVER;
	(void)qthread_empty(&word);
}

static void reads(unsigned thread)
{
	check_that(qthread_readFF(&got[thread], &word) == QTHREAD_SUCCESS, "a read succeeds");
}

/* What was written before a word was filled is seen by who reads that. */
static void run_hand_over(unsigned thread)
{
	if (thread == 0) {
		data = 1;
		(void)qthread_writeEF_const(&word, SECOND);
	} else {
		reads(thread);
		check_that(got[thread] == SECOND && data == 1, "all that came before the fill");
	}
}

/* What a purge leaves in an empty word is never read. */
static void run_purge(unsigned thread)
{
	if (thread == 0) {
		(void)qthread_purge_to_const(&word, NEVER);
		(void)qthread_writeEF_const(&word, SECOND);
	} else {
		reads(thread);
		check_that(got[thread] != NEVER, "what was never in the full word");
	}
}

/* Nor what is stored by other means, before the word is filled. */
static void run_store(unsigned thread)
{
	if (thread == 0) {
		(void)qthread_empty(&word);
		store_rlx(&word, NEVER);
		store_rlx(&word, SECOND);
		(void)qthread_fill(&word);
	} else {
		reads(thread);
		check_that(got[thread] != NEVER, "what was never in the full word");
	}
}

/* As a lock. */
static void run_exclude(unsigned thread)
{
	aligned_t value;

	(void)qthread_readFE(&value, &word);
	data++;
	check_that(value == FIRST, "a full word's value");
	(void)qthread_writeEF_const(&word, FIRST);
	(void)thread;
}

static void end_exclude(void)
{
	check_that(data == 2, "one after the other");
}

/* Two that hand values over through one word; each is taken once. */
static void run_pass(unsigned thread)
{
	if (thread == 0) {
		(void)qthread_writeEF_const(&word, FIRST);
		(void)qthread_writeEF_const(&word, SECOND);
	} else {
		(void)qthread_readFE(&got[0], &word);
		(void)qthread_readFE(&got[1], &word);
		check_that(got[0] == FIRST && got[1] == SECOND, "in order, each once");
	}
}

/* It becomes full under a lock for who waits, and writeF replaces what is there. */
static void run_write(unsigned thread)
{
	if (thread == 0) {
		data = 1;
		(void)qthread_writeF_const(&word, SECOND);
	} else {
		reads(thread);
		check_that(got[thread] == FIRST || (got[thread] == SECOND && data == 1), "what came before the write");
	}
}

/* Who finds a word empty sees what came before that. */
static void run_look(unsigned thread)
{
	if (thread == 0) {
		data = 1;
		(void)qthread_empty(&word);
	} else if (!qthread_feb_status(&word)) {
		check_that(data == 1, "what came before the word was emptied");
	}
}

/* The same, if it is full; filled again it stays as it is. */
static void run_fill(unsigned thread)
{
	if (thread == 0) {
		data = 1;
		(void)qthread_fill(&word);
	} else {
		bool full = qthread_feb_status(&word);
		(void)qthread_fill(&word);
		check_that(!full || data == 1, "what came before the word was filled");
	}
}

/* Who fills a word that another has emptied writes to what that has read. */
static void run_hand_back(unsigned thread)
{
	if (thread == 0) {
		check_that(data == 0, "nobody has written yet");
		(void)qthread_readFE(&got[0], &word);
	} else {
		(void)qthread_writeEF_const(&word, SECOND);
		data = 1;
	}
}

/* The same, where it was emptied without being read, and is filled without being written to. */
static void run_empty_back(unsigned thread)
{
	if (thread == 0) {
		check_that(data == 0, "nobody has written yet");
		(void)qthread_empty(&word);
	} else if (!qthread_feb_status(&word)) {
		(void)qthread_fill(&word);
		data = 1;
	}
}

/* Who empties a word that another has filled. */
static void run_empty_after(unsigned thread)
{
	if (thread == 0) {
		data = 1;
		(void)qthread_writeEF_const(&word, SECOND);
	} else {
		(void)qthread_readFE(&got[1], &word);
		check_that(data == 1, "all that came before the fill");
		(void)qthread_empty(&word);
	}
}

static void nothing(void)
{
}

#define UNLOCKED "it takes the slot's lock; what it releases is in the store that drops that"

static const struct check_spare spare[] = {
	{ "feb.c", "if (qti_likely(cas_acq_rel(&slot->word, &w, feb_taken(w, word))))", "B1 is one rule for all changes; who empties by "
	  "this call acquires nothing that it was to read" },
	{ "feb.c", "if (qti_unlikely(!feb_says_empty(w, dest) || !cas_acq_rel(&slot->word, &w, w | FEB_LOCKED)))", UNLOCKED },
	{ "feb.c", "if (cas_acq_rel(&slot->word, &w, w | FEB_LOCKED))", UNLOCKED },
	{ "feb.c", "if (qti_unlikely(!feb_is_free(w) || !cas_acq_rel(&slot->word, &w, w | FEB_LOCKED)))", UNLOCKED },
	{ "waiter.h", "if (!(w & 1) && cas_acq_rel(word, &w, w | 1))", UNLOCKED },
	{ "feb.c", "if (qti_unlikely(load_acq(&slot->word) != w))", "the look before it has acquired the same" },
	{ "feb.c", "uint64_t epoch = load_acq(&slot->below);", "B3: for a version that wraps, after 128 changes" },
	{ "feb.c", "uint64_t w = load_acq(&slot->word);", "in fill, for who relies on the word having been full" },
	{ "waiter.c", "if (swap_acq_rel(&w->state, QTI_WAITER_WOKEN) == QTI_WAITER_SLEEPING)", "for tasks: what the switch has saved (W1)" },
	{ NULL, NULL, NULL }
};

#define UNIT(what, first, last) \
	{ .name = #what, .threads = 2, .begin = first, .run = run_##what, .end = last, .switches = 3, .stale = 2, .most = 3000 }

int main(int argc, char **argv)
{
	static const struct check_unit hand_over = UNIT(hand_over, begin_empty, nothing), purge = UNIT(purge, begin_full, nothing),
		store = UNIT(store, begin_full, nothing), exclude = UNIT(exclude, begin_full, end_exclude),
		pass = UNIT(pass, begin_empty, nothing), write = UNIT(write, begin_full, nothing);
	static const struct check_unit look = UNIT(look, begin_full, nothing), fill = UNIT(fill, begin_empty, nothing),
		hand_back = UNIT(hand_back, begin_full, nothing), empty_back = UNIT(empty_back, begin_full, nothing),
		empty_after = UNIT(empty_after, begin_empty, nothing);
	static const struct check_unit *const units[] = { &hand_over, &purge, &store, &exclude, &pass, &write, &look, &fill,
		&hand_back, &empty_back, &empty_after };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, NULL };

	if (qti_feb_init() != QTHREAD_SUCCESS)
		return 2;
	return check_run(&program, argc, argv);
}
