/* sync/feb.c -- full/empty state of any aligned word.  A word without an entry is full.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   call      waits until  leaves  then wakes, in this order
 *   readFF    full         full    -
 *   readFE    full         empty   one writeEF
 *   readXX    -            as is   -
 *   writeEF   empty        full    every writeFF, every readFF, then one readFE
 *   writeFF   full         full    -
 *   writeF    -            full    as writeEF
 *   fill      -            full    as writeEF, data untouched
 *   empty     -            empty   one writeEF (so the word is full again at once)
 *   purge     -            empty   as empty; sets the data of the word that it leaves empty
 *
 * Waiters of a kind are served first come, first served; in which order they then run is the scheduler's business.
 * Locks: one slot at a time, never held across a push; tasks to wake are collected under it.  A waiter record lies on
 * the waiting stack, so only a word's first entry can lack memory.  A plain pthread waits with the same record, a
 * futex standing in for the task.
 */
#include "sync/feb.h"

#include "base/diag.h"
#include "base/race.h"
#include "core/gate.h"
#include "sync/febtable.h"

/* What a call orders, for a race checker: who has filled a word happens before who has read it full, who has emptied it
 * before who has filled it after waiting for that.  STORES: the call writes data, too. */
enum orders { NOTHING, FILLS = 1, EMPTIES = 2, AFTER_FILL = 4, AFTER_EMPTY = 8, STORES = 16 };

static QTHREAD_UNREAD(1) void orders_before(const aligned_t *word, unsigned orders)
{
	if (orders & FILLS)
		qti_race_release(word);
	if (orders & EMPTIES)
		qti_race_release_as(word, QTI_RACE_EMPTIED);
}

static QTHREAD_UNREAD(1) void orders_after(const aligned_t *word, unsigned orders, int rc)
{
	if (rc == QTHREAD_SUCCESS && (orders & AFTER_FILL))
		qti_race_acquire(word);
	if (rc == QTHREAD_SUCCESS && (orders & AFTER_EMPTY))
		qti_race_acquire_as(word, QTI_RACE_EMPTIED);
}

/* What a call does with the word, inside: what it reads goes to dest, what it writes is value. */
typedef int (*feb_op)(aligned_t *word, aligned_t *dest, aligned_t value);

/* The table is there for as long as the caller is in the runtime: a worker always is, any other thread visits for the
 * time of op, which is QTHREAD_NOT_ALLOWED where there is no runtime.  Apart from who calls it: the usual call has so
 * few values to keep that it saves no register. */
static __attribute__((noinline)) int feb_call_around(feb_op op, unsigned orders, aligned_t *word, aligned_t *dest,
                                                     aligned_t value)
{
	const bool visits = !qti_self();
	int rc = QTHREAD_NOT_ALLOWED;

	orders_before(word, orders);
	if (!visits || qti_visit_begin()) {
		rc = op(word, dest, value);
		if (visits)
			qti_visit_end();
	}
	orders_after(word, orders, rc);
	return rc;
}

/* Address 0 has a state like any other, which programs use that never allocate their locks; it has no data. */
static aligned_t null_word;

static inline const aligned_t *feb_word(const aligned_t *address)
{
	return address ? address : &null_word;
}

const void *qti_feb_address(const void *word)
{
	return word == &null_word ? NULL : word;
}

static __attribute__((noinline)) int feb_call_oddly(feb_op op, unsigned orders, const aligned_t *word, aligned_t *dest,
                                                    aligned_t value)
{
	if (word || dest || (orders & STORES))
		return QTHREAD_BADARGS;
	return feb_call_around(op, orders, &null_word, NULL, value);
}

/* op is a constant: a worker's call becomes part of the function that makes it. */
static inline __attribute__((always_inline)) int feb_call(feb_op op, unsigned orders, const aligned_t *word,
                                                          aligned_t *dest, aligned_t value)
{
	if (qti_unlikely(!qti_feb_valid(word)))
		return feb_call_oddly(op, orders, word, dest, value);
	if (qti_unlikely(!qti_self_untold()))
		return feb_call_around(op, orders, (aligned_t *)word, dest, value);
	return op((aligned_t *)word, dest, value);
}

static inline void copy_out(aligned_t *dest, const aligned_t *src, aligned_t value)
{
	if (dest && dest != src)
		*dest = value;
}

static uint32_t threads_waiting;        /* that are no workers; saves finalize a walk through the table */

/* --- under the lock -------------------------------------------------------------------------------------- */

static void note_waiters(struct feb_hold *h)
{
	uint64_t *state = feb_state(h);

	if (h->entry->readers || h->entry->queue)
		*state |= FEB_WAITED;
	else
		*state &= ~FEB_WAITED;
}

/* The word was empty and its data are in place: it becomes full, and whom that lets on is put aside. */
static void become_full(struct feb_hold *h, struct qti_waiter **woken)
{
	aligned_t *word = (aligned_t *)h->address;
	struct qti_waiter *w;
	struct qti_waiter *readers = NULL;

	while ((w = qti_waiters_take(&h->entry->readers)) != NULL) {
		if (w->kind == QTI_WAIT_WRITE_FF)
			feb_put(word, w->value);
		qti_waiters_add(w->kind == QTI_WAIT_WRITE_FF ? woken : &readers, w);
	}
	while ((w = qti_waiters_take(&readers)) != NULL) {
		w->value = load_rlx(word);
		qti_waiters_add(woken, w);
	}
	if ((w = qti_waiters_take(&h->entry->queue)) != NULL) {
		w->value = load_rlx(word);              /* readFE: the word stays empty */
		qti_waiters_add(woken, w);
		note_waiters(h);
	} else {
		feb_drop_entry(h);
	}
}

/* The word was full and becomes empty, or full again with what a waiting writeEF has. */
static int become_empty(struct feb_hold *h, struct qti_waiter **woken)
{
	if (!h->entry)
		return feb_add_entry(h);
	struct qti_waiter *w = qti_waiters_take(&h->entry->queue);
	QTI_ASSERT(w && !(*feb_state(h) & FEB_EMPTY));
	feb_put((aligned_t *)h->address, w->value);
	qti_waiters_add(woken, w);
	if (!h->entry->queue)
		feb_drop_entry(h);
	return QTHREAD_SUCCESS;
}

static void feb_finish(struct feb_hold *h, struct qti_waiter **woken)
{
	feb_let_go(h);
	qti_wake_all(woken);
}

/* Queues w at the held entry. */
static void queue_up(struct feb_hold *h, struct qti_waiter **list, struct qti_waiter *w)
{
	w->word = h->address;
	qti_waiters_add(list, w);
	note_waiters(h);
}

/* The same, and sleeps; the hold is gone.  QTHREAD_NOT_ALLOWED if there is no runtime any more. */
static int sleep_on(struct feb_hold *h, struct qti_waiter **list, struct qti_waiter *w)
{
	queue_up(h, list, w);
	if (!w->task)
		add_rlx(&threads_waiting, 1);
	qti_waiter_sleep(w, &h->slot->word, h->word);
	if (qti_likely(w->task != NULL))
		return QTHREAD_SUCCESS;
	sub_rlx(&threads_waiting, 1);
	return w->kind == QTI_WAIT_IN_VAIN ? QTHREAD_NOT_ALLOWED : QTHREAD_SUCCESS;
}

/* --- state only ------------------------------------------------------------------------------------------ */

/* Another thread may be changing the word under the lock: what it leaves counts. */
static QTHREAD_UNREAD(1) bool is_full(const aligned_t *word)
{
	struct feb_entry *slot = feb_slot(word);
	uint64_t w = load_acq(&slot->word);

	if (qti_likely(feb_says_full(w, word)))
		return true;
	if (feb_says_empty(w, word))
		return false;
	struct feb_hold h = feb_take(word);
	bool full = !feb_held_empty(&h);
	feb_let_go(&h);
	return full;
}

static inline int status_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)dest, (void)value;
	return is_full(word);
}

int qthread_feb_status(const aligned_t *addr)
{
	int full = feb_call(status_op, NOTHING, addr, NULL, 0);

	if (full == 1)
		qti_race_acquire(feb_word(addr));
	return full == QTHREAD_NOT_ALLOWED ? 1 : full;
}

/* The call has left a word empty: what its caller stores there comes after that. */
static inline int feb_emptied(int rc)
{
	fence_rel();                                                                            /* B4 */
	return rc;
}

static int empty_slowly(const aligned_t *word, const aligned_t *value)
{
	struct qti_waiter *woken = NULL;
	struct feb_hold h = feb_take(word);
	int rc = QTHREAD_SUCCESS;

	/* Data come last and only if the word is empty then: a writeEF that waited has filled it again at once, and
	 * readers of a full word must not see what was never in it (B2). */
	if (!feb_held_empty(&h))
		rc = become_empty(&h, &woken);
	if (rc == QTHREAD_SUCCESS && value && feb_held_empty(&h))
		feb_put((aligned_t *)word, *value);
	feb_finish(&h, &woken);
	return rc;
}

static inline int feb_expect(aligned_t *word)
{
	struct feb_entry *slot = feb_slot(word);
	uint64_t w = load_rlx(&slot->word);
	if (qti_likely(feb_is_free(w))) {
		/* The entry's lists are NULL: they were when it was dropped, and in a fresh table. */
		if (qti_likely(cas_acq_rel(&slot->word, &w, feb_taken(w, word))))                   /* B1 */
			return QTHREAD_SUCCESS;
	}
	return empty_slowly(word, NULL);
}

/* In a fork, whose caller is inside. */
int qti_feb_expect(aligned_t *word)
{
	return qti_likely(qti_feb_valid(word)) ? feb_expect(word) : QTHREAD_BADARGS;
}

static inline int empty_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)dest, (void)value;
	return feb_emptied(feb_expect(word));
}

int qthread_empty(const aligned_t *dest)
{
	return feb_call(empty_op, EMPTIES, dest, NULL, 0);
}

static inline QTHREAD_UNREAD(1) int feb_fill(const aligned_t *dest)
{
	struct feb_entry *slot = feb_slot(dest);
	uint64_t w = load_acq(&slot->word);
	if (feb_says_empty(w, dest)) {
		struct feb_plan plan = feb_plan(slot, w);
		if (cas_acq_rel(&slot->word, &w, w | FEB_LOCKED)) {                                             /* B1 */
			feb_free(slot, w, plan);
			return QTHREAD_SUCCESS;
		}
	} else if (feb_says_full(w, dest)) {
		return QTHREAD_SUCCESS;
	}
	struct qti_waiter *woken = NULL;
	struct feb_hold h = feb_take(dest);
	if (feb_held_empty(&h))
		become_full(&h, &woken);
	feb_finish(&h, &woken);
	return QTHREAD_SUCCESS;
}

static inline int fill_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)dest, (void)value;
	return feb_fill(word);
}

/* Where there is no runtime, every word is full. */
int qthread_fill(const aligned_t *dest)
{
	int rc = feb_call(fill_op, FILLS, dest, NULL, 0);

	return rc == QTHREAD_NOT_ALLOWED ? QTHREAD_SUCCESS : rc;
}

static inline int purge_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)dest;
	return feb_emptied(empty_slowly(word, &value));
}

int qthread_purge_to_const(aligned_t *dest, aligned_t value)
{
	return feb_call(purge_op, EMPTIES | STORES, dest, NULL, value);
}

int qthread_purge(aligned_t *dest)
{
	return qthread_purge_to_const(dest, 0);
}

int qthread_purge_to(aligned_t *restrict dest, const aligned_t *restrict src)
{
	return src ? qthread_purge_to_const(dest, *src) : QTHREAD_BADARGS;
}

/* --- reading --------------------------------------------------------------------------------------------- */

/* The word may have become full meanwhile; a full one is read under the lock, an empty one waited for. */
static int read_slowly(aligned_t *dest, const aligned_t *src, enum qti_wait_kind kind, bool wait)
{
	struct qti_waiter *woken = NULL;
	struct qti_waiter self;
	int rc = QTHREAD_SUCCESS;

	/* Where the slot alone did not tell, as with words in a chain, nobody has tried to join yet. */
	if (wait && !feb_says_empty(load_rlx(&feb_slot(src)->word), src))
		while (!is_full(src) && qti_wait_by_joining(src))
			continue;
	int may_wait = wait ? qti_waiter_init(&self, kind, 0) : QTHREAD_OPFAIL;

	struct feb_hold h = feb_take(src);
	if (feb_held_empty(&h)) {
		if (may_wait != QTHREAD_SUCCESS) {
			feb_let_go(&h);
			return may_wait;
		}
		rc = sleep_on(&h, kind == QTI_WAIT_READ_FE ? &h.entry->queue : &h.entry->readers, &self);
		if (rc == QTHREAD_SUCCESS)
			copy_out(dest, src, self.value);
		return rc;
	}
	aligned_t value = load_rlx(src);
	if (kind == QTI_WAIT_READ_FE)
		rc = become_empty(&h, &woken);
	feb_finish(&h, &woken);
	if (rc == QTHREAD_SUCCESS)
		copy_out(dest, src, value);
	return rc;
}

/* What the word had while its slot was as in w.  False: that cannot be told. */
static inline bool read_full(aligned_t *dest, const aligned_t *src, const struct feb_entry *slot, uint64_t w)
{
	aligned_t value = load_acq(src);                                        /* B2, B4 */

	if (qti_unlikely(load_acq(&slot->word) != w))                           /* B2 */
		return false;
	copy_out(dest, src, value);
	return true;
}

/* Where the slot is in use, or another thread is changing it. */
static __attribute__((noinline)) int read_ff_slowly(aligned_t *dest, const aligned_t *src, bool wait)
{
	const struct feb_entry *slot = feb_slot(src);
	uint64_t epoch = load_acq(&slot->below);                                /* B3 */
	uint64_t w = load_acq(&slot->word);                                     /* B1, B2 */
	aligned_t value;

	bool full = feb_says_full(w, src) && read_full(&value, src, slot, w);
	if (full && !(epoch & 1) && load_rlx(&slot->below) == epoch) {
		copy_out(dest, src, value);
		return QTHREAD_SUCCESS;
	}
	return read_slowly(dest, src, QTI_WAIT_READ_FF, wait);
}

/* An empty word: whoever fills it may be a task that can run here and now. */
static __attribute__((noinline)) int await_ff(aligned_t *dest, const aligned_t *src, const struct feb_entry *slot)
{
	while (qti_wait_by_joining(src)) {
		uint64_t w = load_acq(&slot->word);                             /* B1, B2 */
		if (qti_likely(feb_is_free(w)) && read_full(dest, src, slot, w))
			return QTHREAD_SUCCESS;
		if (!feb_says_empty(w, src))
			return read_ff_slowly(dest, src, true);
	}
	return read_slowly(dest, src, QTI_WAIT_READ_FF, true);
}

static inline int read_ff(aligned_t *dest, const aligned_t *src, bool wait)
{
	const struct feb_entry *slot = feb_slot(src);
	uint64_t w = load_acq(&slot->word);                                     /* B1, B2 */
	if (qti_likely(feb_is_free(w)) && read_full(dest, src, slot, w))
		return QTHREAD_SUCCESS;
	return wait && feb_says_empty(w, src) ? await_ff(dest, src, slot) : read_ff_slowly(dest, src, wait);
}

static __attribute__((noinline)) int read_fe_slowly(aligned_t *dest, const aligned_t *src, bool wait)
{
	if (wait && feb_says_empty(load_rlx(&feb_slot(src)->word), src) && qti_wait_by_joining(src))
		return qthread_readFE(dest, src);
	return read_slowly(dest, src, QTI_WAIT_READ_FE, wait);
}

static inline int read_fe(aligned_t *dest, const aligned_t *src, bool wait)
{
	struct feb_entry *slot = feb_slot(src);
	uint64_t w = load_rlx(&slot->word);
	if (qti_unlikely(!feb_is_free(w) || !cas_acq_rel(&slot->word, &w, w | FEB_LOCKED)))             /* B1 */
		return feb_emptied(read_fe_slowly(dest, src, wait));
	aligned_t value = load_rlx(src);
	store_rel(&slot->word, feb_taken(w, src));                                                      /* B1 */
	copy_out(dest, src, value);
	return feb_emptied(QTHREAD_SUCCESS);
}

static inline int readFF_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)value;
	return read_ff(dest, word, true);
}

int qthread_readFF(aligned_t *dest, const aligned_t *src)
{
	return feb_call(readFF_op, AFTER_FILL, src, dest, 0);
}

static int await_op(aligned_t *word, aligned_t *dest, aligned_t kind)
{
	(void)dest;
	while (!is_full(word) && qti_wait_by_joining(word))
		continue;
	return is_full(word) ? QTHREAD_SUCCESS : read_slowly(NULL, word, (enum qti_wait_kind)kind, true);
}

int qti_feb_await(const aligned_t *word, enum qti_wait_kind kind)
{
	return feb_call(await_op, AFTER_FILL, word, NULL, kind);
}

static inline int readFF_nb_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)value;
	return read_ff(dest, word, false);
}

int qthread_readFF_nb(aligned_t *dest, const aligned_t *src)
{
	return feb_call(readFF_nb_op, AFTER_FILL, src, dest, 0);
}

static inline int readFE_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)value;
	return read_fe(dest, word, true);
}

int qthread_readFE(aligned_t *dest, const aligned_t *src)
{
	return feb_call(readFE_op, EMPTIES | AFTER_FILL, src, dest, 0);
}

static inline int readFE_nb_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)value;
	return read_fe(dest, word, false);
}

int qthread_readFE_nb(aligned_t *dest, const aligned_t *src)
{
	return feb_call(readFE_nb_op, EMPTIES | AFTER_FILL, src, dest, 0);
}

int qthread_readXX(aligned_t *dest, const aligned_t *src)
{
	if (!qti_feb_valid(src))
		return src || dest ? QTHREAD_BADARGS : QTHREAD_SUCCESS;
	copy_out(dest, src, load_rlx(src));
	return QTHREAD_SUCCESS;
}

/* --- writing --------------------------------------------------------------------------------------------- */

/* An entry of a full word, for writeEF to wait at. */
static int add_full_entry(struct feb_hold *h)
{
	int rc = feb_add_entry(h);

	if (rc == QTHREAD_SUCCESS)
		*feb_state(h) &= ~FEB_EMPTY;
	return rc;
}

static void fill_held(struct feb_hold *h, aligned_t value)
{
	struct qti_waiter *woken = NULL;

	feb_put((aligned_t *)h->address, value);
	become_full(h, &woken);
	feb_finish(h, &woken);
}

static __attribute__((noinline)) int write_ef_slowly(aligned_t *dest, aligned_t value, bool wait)
{
	struct qti_waiter self;
	int rc = wait ? qti_waiter_init(&self, QTI_WAIT_WRITE_EF, value) : QTHREAD_OPFAIL;

	struct feb_hold h = feb_take(dest);
	if (feb_held_empty(&h)) {
		fill_held(&h, value);
		return QTHREAD_SUCCESS;
	}
	if (rc == QTHREAD_SUCCESS && !h.entry)
		rc = add_full_entry(&h);
	if (rc == QTHREAD_SUCCESS)
		return sleep_on(&h, &h.entry->queue, &self);
	feb_let_go(&h);
	return rc;
}

/* An empty word that nobody waits for: the usual case of writeEF. */
static inline bool write_empty(aligned_t *dest, aligned_t value)
{
	struct feb_entry *slot = feb_slot(dest);
	uint64_t w = load_rlx(&slot->word);
	struct feb_plan plan = feb_plan(slot, w);

	if (qti_unlikely(!feb_says_empty(w, dest) || !cas_acq_rel(&slot->word, &w, w | FEB_LOCKED)))    /* B1 */
		return false;
	feb_put(dest, value);
	feb_free(slot, w, plan);
	return true;
}

static inline int write_ef(aligned_t *dest, aligned_t value, bool wait)
{
	return qti_likely(write_empty(dest, value)) ? QTHREAD_SUCCESS : write_ef_slowly(dest, value, wait);
}

static inline int writeEF_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)dest;
	return write_ef(word, value, true);
}

int qthread_writeEF_const(aligned_t *dest, aligned_t src)
{
	return feb_call(writeEF_op, STORES | FILLS | AFTER_EMPTY, dest, NULL, src);
}

int qthread_writeEF(aligned_t *restrict dest, const aligned_t *restrict src)
{
	return src ? qthread_writeEF_const(dest, *src) : QTHREAD_BADARGS;
}

static inline int writeEF_nb_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)dest;
	return write_ef(word, value, false);
}

int qthread_writeEF_const_nb(aligned_t *dest, aligned_t src)
{
	return feb_call(writeEF_nb_op, STORES | FILLS | AFTER_EMPTY, dest, NULL, src);
}

int qthread_writeEF_nb(aligned_t *dest, const aligned_t *src)
{
	return src ? qthread_writeEF_const_nb(dest, *src) : QTHREAD_BADARGS;
}

static int writeF_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)dest;
	struct qti_waiter *woken = NULL;
	struct feb_hold h = feb_take(word);
	feb_put(word, value);
	if (feb_held_empty(&h))
		become_full(&h, &woken);
	feb_finish(&h, &woken);
	return QTHREAD_SUCCESS;
}

int qthread_writeF_const(aligned_t *dest, aligned_t src)
{
	return feb_call(writeF_op, STORES | FILLS, dest, NULL, src);
}

int qthread_writeF(aligned_t *dest, const aligned_t *src)
{
	return src ? qthread_writeF_const(dest, *src) : QTHREAD_BADARGS;
}

static int writeFF_op(aligned_t *word, aligned_t *dest, aligned_t value)
{
	(void)dest;
	struct qti_waiter self;

	while (!is_full(word) && qti_wait_by_joining(word))
		continue;
	int may_wait = qti_waiter_init(&self, QTI_WAIT_WRITE_FF, value);
	struct feb_hold h = feb_take(word);
	if (!feb_held_empty(&h)) {
		feb_put(word, value);
		feb_let_go(&h);
		return QTHREAD_SUCCESS;
	}
	if (may_wait == QTHREAD_SUCCESS)
		return sleep_on(&h, &h.entry->readers, &self);
	feb_let_go(&h);
	return may_wait;
}

int qthread_writeFF_const(aligned_t *dest, aligned_t src)
{
	return feb_call(writeFF_op, STORES | FILLS | AFTER_FILL, dest, NULL, src);
}

int qthread_writeFF(aligned_t *restrict dest, const aligned_t *restrict src)
{
	return src ? qthread_writeFF_const(dest, *src) : QTHREAD_BADARGS;
}

/* --- for tasks that end, and for those that may not start yet -------------------------------------------- */

/* The word may have been filled by somebody else.  Then, as ever with writeEF, the result waits until it is emptied;
 * where there is no memory to note that, it replaces what is there rather than being lost. */
static __attribute__((noinline)) bool deliver_slowly(struct qti_task *t, aligned_t *word, aligned_t value)
{
	struct feb_hold h = feb_take(word);

	if (feb_held_empty(&h)) {
		fill_held(&h, value);
		return true;
	}
	bool waits = h.entry || add_full_entry(&h) == QTHREAD_SUCCESS;
	if (waits)
		queue_up(&h, &h.entry->queue, qti_waiter_of_done(t, value));
	else
		feb_put(word, value);
	feb_let_go(&h);
	return !waits;
}

static __attribute__((noinline)) bool deliver_told(struct qti_task *t, aligned_t *word, aligned_t value)
{
	qti_race_release(word);
	return deliver_slowly(t, word, value);
}

bool qti_feb_deliver(struct qti_task *t, aligned_t value)
{
	aligned_t *word = t->ret;

	if (qti_races())
		return deliver_told(t, word, value);
	return qti_likely(write_empty(word, value)) || deliver_slowly(t, word, value);
}

bool qti_feb_queue_if_empty(const aligned_t *word, struct qti_waiter *w)
{
	struct feb_hold h = feb_take(word);
	bool empty = feb_held_empty(&h);

	if (empty)
		queue_up(&h, &h.entry->readers, w);
	feb_let_go(&h);
	return empty;
}

/* --- the end --------------------------------------------------------------------------------------------- */

void qti_feb_give_up(void)
{
	struct qti_waiter *woken = NULL;

	if (load_rlx(&threads_waiting) != 0)
		feb_take_all_waiters(&woken);
	qti_wake_all(&woken);
}
