/* test/api/waiting.h -- to know, not to guess, that somebody waits.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A promise about waiters can be checked only once they wait, and no public call tells.  So this looks inside;
 * programs that use it link libqti.  All of it is for the main task.
 */
#ifndef QTI_TEST_API_WAITING_H
#define QTI_TEST_API_WAITING_H

#include "every.h"
#include "sync/febtable.h"

#include <sched.h>
#include <sys/mman.h>

static inline unsigned waiting_in(const struct qti_waiter *last, enum qti_wait_kind kind)
{
	const struct qti_waiter *w = last;
	unsigned n = 0;

	if (!w)
		return 0;
	do {
		n += w->kind == kind;
		w = w->next;
	} while (w != last);
	return n;
}

/* How many wait for the word in that way. */
static inline unsigned waiting_at(const aligned_t *word, enum qti_wait_kind kind)
{
	struct feb_hold h = feb_take(word);
	unsigned n = h.entry ? waiting_in(h.entry->readers, kind) + waiting_in(h.entry->queue, kind) : 0;

	feb_let_go(&h);
	return n;
}

/* Other tasks of this worker, and threads that share its CPU. */
static inline void let_others_run(void)
{
	qthread_yield();
	sched_yield();
}

static inline void until_waiting(const aligned_t *word, enum qti_wait_kind kind, unsigned n)
{
	while (waiting_at(word, kind) != n)
		let_others_run();
}

static inline unsigned workers_asleep(void)
{
	qti_lock_take(&qti_rt.idle.lock);
	unsigned n = qti_rt.idle.asleep;
	qti_lock_drop(&qti_rt.idle.lock);
	return n;
}

/* Until every task but the main one waits or has ended: all other workers sleep, and nothing is ready.  No OS thread
 * may be about to change that. */
static inline void until_quiet(void)
{
	while (workers_asleep() != qti_rt.nworkers - 1u || qthread_readstate(NODE_BUSYNESS) != 1)
		let_others_run();
}

/* Words that the table keeps in one chain, in this runtime and in any other; spread over a region of which hardly a
 * page is touched. */
enum { CHAIN = 24, CHAIN_REGION = 64 << 20 };

static aligned_t *chain[CHAIN];

static inline void chain_find(void)
{
	if (chain[0])
		return;
	char *region = mmap(NULL, CHAIN_REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int n = 0;

	if (region == MAP_FAILED)
		bail_out("no address space");
	for (size_t at = 0; n < CHAIN && at < CHAIN_REGION; at += sizeof(aligned_t)) {
		aligned_t *word = (aligned_t *)(void *)(region + at);
		if (feb_slot(word) == feb_slot((aligned_t *)(void *)region))
			chain[n++] = word;
	}
	if (n < CHAIN)
		bail_out("only %d words in one slot of the table", n);
}

static inline void chain_forget(void)
{
	munmap(chain[0], CHAIN_REGION);
}

/* Flags that others raise, and what they wrote before is visible. */
static inline void flag_raise(uint32_t *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static inline bool flag_is_up(const uint32_t *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0;
}

static inline void until_flag(const uint32_t *flag)
{
	while (!flag_is_up(flag))
		let_others_run();
}

#endif
