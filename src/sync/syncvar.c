/* sync/syncvar.c -- words that carry their own full/empty state.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     63..4 data | 3..1 state | 0 locked          state: 0 full, 1 full and writeEF waits,
 *                                                        2 empty, 3 empty and readers wait
 *
 * Calls mean what they mean for FEB words (sync/feb.c).
 *
 *   V1  A syncvar changes by one acq_rel compare-and-swap while it is not locked, or by the release store that
 *       unlocks it; its data are in the same word, so a reader needs one load (acquire).
 *   V2  Waiters stand in a fixed table of lists, many syncvars on one list.  They come and go only while their
 *       syncvar is locked; the list's own lock is taken inside that and nothing else inside it.
 *
 * A waiter record lies on the waiting stack and the table is static: no call here needs memory but for the stack on
 * which a waiting task's worker goes on.
 * Checked by test/api/syncvar.c and test/stress/mixed.c.
 */
#include "sync/syncvar.h"

#include "base/race.h"
#include "core/gate.h"

#include <string.h>

#define LOCKED UINT64_C(1)
#define STATE UINT64_C(0xe)
#define FULL UINT64_C(0x0)
#define FULL_WAITED UINT64_C(0x2)
#define EMPTY UINT64_C(0x4)
#define EMPTY_WAITED UINT64_C(0x6)
#define IS_EMPTY UINT64_C(0x4)                  /* set in both empty states */

enum { LISTS_LOG2 = 14, DATA_SHIFT = 4 };

struct list {
	struct qti_lock lock;
	struct qti_waiter *readers;             /* last of a ring: readFF */
	struct qti_waiter *queue;               /* last of a ring: readFE and writeEF */
};

static struct list lists[1 << LISTS_LOG2];
static bool used;                               /* somebody has waited; saves finalize a walk through the table */

static struct list *list_of(const syncvar_t *v)
{
	uint64_t a = (uint64_t)(uintptr_t)v >> 3;

	return &lists[(a * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - LISTS_LOG2)];
}

static bool syncvar_valid(const syncvar_t *v)
{
	return v && (uintptr_t)v % sizeof(uint64_t) == 0;
}

static uint64_t data_of(uint64_t w)
{
	return w >> DATA_SHIFT;
}

static uint64_t with_data(uint64_t value, uint64_t state)
{
	return value << DATA_SHIFT | state;
}

static bool too_large(uint64_t value)
{
	return value >> (64 - DATA_SHIFT) != 0;
}

/* --- under the lock -------------------------------------------------------------------------------------- */

/* Returns the word as it was, unlocked.  Until syncvar_finish or sleep_on the caller may have hold of tasks that wait
 * (GA3). */
static uint64_t syncvar_lock(syncvar_t *v)
{
	qti_call_in_anyhow();
	return qti_word_lock(&v->u.w);                                                          /* V1 */
}

_Static_assert(LOCKED == 1, "what qti_word_lock sets");

/* Moves v's waiters of one kind, at most max and the oldest first, from a ring to *taken.  True if v has more. */
static bool take_from(struct qti_waiter **last, const syncvar_t *v, enum qti_wait_kind kind, size_t max,
                      struct qti_waiter **taken)
{
	struct qti_waiter *const end = *last, *before = end, *w = end ? end->next : NULL, *next;

	for (bool done = !end; !done; w = next) {
		next = w->next;
		done = w == end;
		if (w->word != v || w->kind != kind) {
			before = w;
			continue;
		}
		if (max == 0)
			return true;
		before->next = next;
		if (done)
			*last = before == w ? NULL : before;
		qti_waiters_add(taken, w);
		max--;
	}
	return false;
}

static struct qti_waiter **ring_of(struct list *l, enum qti_wait_kind kind)
{
	return kind == QTI_WAIT_READ_FF ? &l->readers : &l->queue;
}

static bool take_waiters(const syncvar_t *v, enum qti_wait_kind kind, size_t max, struct qti_waiter **taken)
{
	struct list *l = list_of(v);

	qti_lock_take(&l->lock);                                                                /* V2 */
	bool more = take_from(ring_of(l, kind), v, kind, max, taken);
	qti_lock_drop(&l->lock);
	return more;
}

static void put_waiter(const syncvar_t *v, struct qti_waiter *w)
{
	struct list *l = list_of(v);

	w->word = v;
	if (qti_unlikely(!load_rlx(&used)))
		store_rlx(&used, true);
	qti_lock_take(&l->lock);                                                                /* V2 */
	qti_waiters_add(ring_of(l, w->kind), w);
	qti_lock_drop(&l->lock);
}

/* OS threads' records stay: syncvars work while the runtime is down. */
void qti_syncvar_fini(void)
{
	for (unsigned i = 0; load_rlx(&used) && i < 1u << LISTS_LOG2; i++) {
		qti_lock_take(&lists[i].lock);
		qti_waiters_forget_tasks(&lists[i].readers);
		qti_waiters_forget_tasks(&lists[i].queue);
		qti_lock_drop(&lists[i].lock);
	}
}

void qti_syncvar_forget(void)
{
	if (load_rlx(&used))
		memset(lists, 0, sizeof(lists));
	store_rlx(&used, false);
}

void qti_syncvar_each_waiter(qti_waiter_visit visit, void *arg)
{
	for (unsigned i = 0; load_rlx(&used) && i < 1u << LISTS_LOG2; i++) {
		qti_lock_take(&lists[i].lock);                                                  /* V2 */
		qti_waiters_each(lists[i].readers, visit, arg);
		qti_waiters_each(lists[i].queue, visit, arg);
		qti_lock_drop(&lists[i].lock);
	}
}

/* v was empty and gets `value`: what the word is then. */
static uint64_t become_full(const syncvar_t *v, uint64_t w, uint64_t value, struct qti_waiter **woken)
{
	struct qti_waiter *readers = NULL, *next = NULL, *r;

	if ((w & STATE) != EMPTY_WAITED)
		return with_data(value, FULL);
	take_waiters(v, QTI_WAIT_READ_FF, SIZE_MAX, &readers);
	while ((r = qti_waiters_take(&readers)) != NULL) {
		r->value = value;
		qti_waiters_add(woken, r);
	}
	bool more = take_waiters(v, QTI_WAIT_READ_FE, 1, &next);
	if (!next)
		return with_data(value, FULL);
	next->value = value;
	qti_waiters_add(woken, next);
	return with_data(value, more ? EMPTY_WAITED : EMPTY);
}

/* v was full and becomes empty, or full again with what a waiting writeEF has. */
static uint64_t become_empty(const syncvar_t *v, uint64_t w, struct qti_waiter **woken)
{
	struct qti_waiter *writer = NULL;

	if ((w & STATE) != FULL_WAITED)
		return with_data(data_of(w), EMPTY);
	bool more = take_waiters(v, QTI_WAIT_WRITE_EF, 1, &writer);
	if (!writer)
		return with_data(data_of(w), EMPTY);    /* it went with an earlier run of the runtime */
	uint64_t value = writer->value;
	qti_waiters_add(woken, writer);
	return with_data(value, more ? FULL_WAITED : FULL);
}

static void syncvar_finish(syncvar_t *v, uint64_t w, struct qti_waiter **woken)
{
	store_rel(&v->u.w, w);                                                                  /* V1 */
	qti_wake_all(woken);
	qti_call_out();
}

static void sleep_on(syncvar_t *v, uint64_t waited_word, struct qti_waiter *self)
{
	put_waiter(v, self);
	qti_waiter_sleep(self, &v->u.w, waited_word);
	qti_call_out();
}

/* --- state only ------------------------------------------------------------------------------------------ */

/* A locked syncvar's state is what it was before: the holder's change has not happened yet. */
int qthread_syncvar_status(syncvar_t *const v)
{
	if (!syncvar_valid(v))
		return QTHREAD_BADARGS;
	bool full = !(load_acq(&v->u.w) & IS_EMPTY);
	if (full)
		qti_race_acquire(v);
	return full;
}

int qti_syncvar_expect(syncvar_t *v)
{
	struct qti_waiter *woken = NULL;

	if (!syncvar_valid(v))
		return QTHREAD_BADARGS;
	qti_race_release_as(v, QTI_RACE_EMPTIED);
	uint64_t w = load_rlx(&v->u.w);
	if (qti_likely((w & (LOCKED | STATE)) == FULL) && cas_acq_rel(&v->u.w, &w, w | EMPTY))  /* V1 */
		return QTHREAD_SUCCESS;
	w = syncvar_lock(v);
	syncvar_finish(v, w & IS_EMPTY ? w : become_empty(v, w, &woken), &woken);
	return QTHREAD_SUCCESS;
}

int qthread_syncvar_empty(syncvar_t *restrict dest)
{
	return qti_syncvar_expect(dest);
}

int qthread_syncvar_fill(syncvar_t *restrict dest)
{
	struct qti_waiter *woken = NULL;

	if (!syncvar_valid(dest))
		return QTHREAD_BADARGS;
	qti_race_release(dest);
	uint64_t w = syncvar_lock(dest);
	syncvar_finish(dest, w & IS_EMPTY ? become_full(dest, w, data_of(w), &woken) : w, &woken);
	return QTHREAD_SUCCESS;
}

/* --- reading --------------------------------------------------------------------------------------------- */

static int read_slowly(uint64_t *dest, syncvar_t *src, enum qti_wait_kind kind, bool wait)
{
	struct qti_waiter *woken = NULL;
	struct qti_waiter self;
	int may_wait = wait ? qti_waiter_init(&self, kind, 0) : QTHREAD_OPFAIL;

	uint64_t w = syncvar_lock(src);
	uint64_t value = data_of(w);
	if (!(w & IS_EMPTY)) {
		syncvar_finish(src, kind == QTI_WAIT_READ_FE ? become_empty(src, w, &woken) : w, &woken);
	} else if (may_wait != QTHREAD_SUCCESS) {
		syncvar_finish(src, w, &woken);
		return may_wait;
	} else {
		sleep_on(src, with_data(value, EMPTY_WAITED), &self);
		value = self.value;
	}
	if (dest)
		*dest = value;
	return QTHREAD_SUCCESS;
}

static inline int read_ff(uint64_t *dest, syncvar_t *src, bool wait)
{
	if (!syncvar_valid(src))
		return QTHREAD_BADARGS;
	do {
		uint64_t w = load_acq(&src->u.w);                                               /* V1 */
		if (qti_likely(!(w & (LOCKED | IS_EMPTY)))) {
			if (dest)
				*dest = data_of(w);
			return QTHREAD_SUCCESS;
		}
	} while (wait && qti_wait_by_joining(src));
	return read_slowly(dest, src, QTI_WAIT_READ_FF, wait);
}

static inline int read_fe(uint64_t *dest, syncvar_t *src, bool wait)
{
	if (!syncvar_valid(src))
		return QTHREAD_BADARGS;
	do {
		uint64_t w = load_rlx(&src->u.w);
		if (qti_likely((w & (LOCKED | STATE)) == FULL) && cas_acq_rel(&src->u.w, &w, w | EMPTY)) {      /* V1 */
			if (dest)
				*dest = data_of(w);
			return QTHREAD_SUCCESS;
		}
	} while (wait && qti_wait_by_joining(src));
	return read_slowly(dest, src, QTI_WAIT_READ_FE, wait);
}

/* What a race checker learns, as with words (sync/feb.c); apart, so that without one no register is saved for it. */
static __attribute__((noinline)) int read_told(uint64_t *dest, syncvar_t *src, bool empties, bool wait)
{
	if (empties)
		qti_race_release_as(src, QTI_RACE_EMPTIED);
	int rc = empties ? read_fe(dest, src, wait) : read_ff(dest, src, wait);
	if (rc == QTHREAD_SUCCESS)
		qti_race_acquire(src);
	return rc;
}

int qthread_syncvar_readFF(uint64_t *restrict dest, syncvar_t *restrict src)
{
	return qti_races() ? read_told(dest, src, false, true) : read_ff(dest, src, true);
}

int qthread_syncvar_readFF_nb(uint64_t *restrict dest, syncvar_t *restrict src)
{
	return qti_races() ? read_told(dest, src, false, false) : read_ff(dest, src, false);
}

int qthread_syncvar_readFE(uint64_t *restrict dest, syncvar_t *restrict src)
{
	return qti_races() ? read_told(dest, src, true, true) : read_fe(dest, src, true);
}

int qthread_syncvar_readFE_nb(uint64_t *restrict dest, syncvar_t *restrict src)
{
	return qti_races() ? read_told(dest, src, true, false) : read_fe(dest, src, false);
}

/* --- writing --------------------------------------------------------------------------------------------- */

static int write_ef_slowly(syncvar_t *dest, uint64_t value, bool wait)
{
	struct qti_waiter *woken = NULL;
	struct qti_waiter self;
	int may_wait = wait ? qti_waiter_init(&self, QTI_WAIT_WRITE_EF, value) : QTHREAD_OPFAIL;

	uint64_t w = syncvar_lock(dest);
	if (w & IS_EMPTY) {
		syncvar_finish(dest, become_full(dest, w, value, &woken), &woken);
		return QTHREAD_SUCCESS;
	}
	if (may_wait != QTHREAD_SUCCESS) {
		syncvar_finish(dest, w, &woken);
		return may_wait;
	}
	sleep_on(dest, with_data(data_of(w), FULL_WAITED), &self);
	return QTHREAD_SUCCESS;
}

static inline int write_ef(syncvar_t *dest, uint64_t value, bool wait)
{
	if (!syncvar_valid(dest))
		return QTHREAD_BADARGS;
	if (qti_unlikely(too_large(value)))
		return QTHREAD_OVERFLOW;
	uint64_t w = load_rlx(&dest->u.w);
	if (qti_likely((w & (LOCKED | STATE)) == EMPTY) && cas_acq_rel(&dest->u.w, &w, with_data(value, FULL))) /* V1 */
		return QTHREAD_SUCCESS;
	return write_ef_slowly(dest, value, wait);
}

static __attribute__((noinline)) int write_told(syncvar_t *dest, uint64_t value, bool wait)
{
	qti_race_release(dest);
	int rc = write_ef(dest, value, wait);
	if (rc == QTHREAD_SUCCESS)
		qti_race_acquire_as(dest, QTI_RACE_EMPTIED);
	return rc;
}

static inline int syncvar_write(syncvar_t *dest, uint64_t value, bool wait)
{
	return qti_races() ? write_told(dest, value, wait) : write_ef(dest, value, wait);
}

int qthread_syncvar_writeEF_const(syncvar_t *restrict dest, uint64_t src)
{
	return syncvar_write(dest, src, true);
}

int qthread_syncvar_writeEF(syncvar_t *restrict dest, const uint64_t *restrict src)
{
	return src ? syncvar_write(dest, *src, true) : QTHREAD_BADARGS;
}

int qthread_syncvar_writeEF_const_nb(syncvar_t *restrict dest, uint64_t src)
{
	return syncvar_write(dest, src, false);
}

int qthread_syncvar_writeEF_nb(syncvar_t *restrict dest, const uint64_t *restrict src)
{
	return src ? syncvar_write(dest, *src, false) : QTHREAD_BADARGS;
}

int qthread_syncvar_writeF_const(syncvar_t *restrict dest, uint64_t src)
{
	struct qti_waiter *woken = NULL;

	if (!syncvar_valid(dest))
		return QTHREAD_BADARGS;
	if (too_large(src))
		return QTHREAD_OVERFLOW;
	qti_race_release(dest);
	uint64_t w = syncvar_lock(dest);
	syncvar_finish(dest, w & IS_EMPTY ? become_full(dest, w, src, &woken) : with_data(src, w & STATE), &woken);
	return QTHREAD_SUCCESS;
}

int qthread_syncvar_writeF(syncvar_t *restrict dest, const uint64_t *restrict src)
{
	return src ? qthread_syncvar_writeF_const(dest, *src) : QTHREAD_BADARGS;
}

/* Full or empty it stays as it was, unless readers wait: then it becomes full and they get the sum. */
uint64_t qthread_syncvar_incrF(syncvar_t *restrict operand, uint64_t inc)
{
	struct qti_waiter *woken = NULL;

	if (!syncvar_valid(operand))
		return UINT64_MAX;
	qti_race_release(operand);
	uint64_t w = syncvar_lock(operand);
	uint64_t sum = INT64TOINT60(data_of(w) + inc);
	bool waited = (w & STATE) == EMPTY_WAITED;
	syncvar_finish(operand, waited ? become_full(operand, w, sum, &woken) : with_data(sum, w & STATE), &woken);
	return sum;
}

/* A syncvar that somebody else has filled: the result waits until it is emptied. */
bool qti_syncvar_deliver(struct qti_task *t, aligned_t value)
{
	struct qti_waiter *woken = NULL;
	syncvar_t *v = t->ret;

	qti_race_release(v);
	value = INT64TOINT60(value);
	if (qti_likely(write_ef(v, value, false) == QTHREAD_SUCCESS))
		return true;
	uint64_t w = syncvar_lock(v);
	if (w & IS_EMPTY) {
		syncvar_finish(v, become_full(v, w, value, &woken), &woken);
		return true;
	}
	put_waiter(v, qti_waiter_of_done(t, value));
	syncvar_finish(v, with_data(data_of(w), FULL_WAITED), &woken);
	return false;
}
