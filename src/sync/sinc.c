/* sync/sinc.c -- join counters: many submissions, one "all done".
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   count   outstanding submissions, and two flags
 *   ready   a full/empty word: empty while submissions are outstanding.  Only its address is ever used.
 *   values  for a sinc with values: a share of the result per worker, combined by the last submission
 *
 * SI1  A submission combines its value into a share, then lowers count (acquire-release).  The one that reaches zero
 *      sees all shares through that chain and is the only one left.
 * SI2  The last submission stores the result, then fills `ready`; a waiter reads the result after readFF.
 * SI3  Nothing of the sinc is touched after the fill: a waiter may have freed it.  The fill itself goes by the address.
 * SI4  So count is zero a moment before `ready` is full.  An expect that finds zero must not empty the word before that
 *      late fill, or the fill would end the new round.  It takes the zero by SINC_OPENING, waits for the word with
 *      readFE, which empties it, and only then publishes its number; other expects wait for that.
 *
 * Without memory for a full/empty entry the word cannot be emptied.  Such a round is polled (SINC_POLLED): count holds
 * one more than is outstanding, the last submission combines while that one is left and then takes count to zero,
 * which is its last touch, and waiters look at count.
 */
#include "base/atomic.h"
#include "base/diag.h"
#include "base/give_way.h"
#include "base/container.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/race.h"
#include "qthread/sinc.h"
#include "sync/feb.h"
#include "sync/sinc.h"

#include <sched.h>

#define SINC_OPENING (UINT64_C(1) << 63)
#define SINC_POLLED (UINT64_C(1) << 62)
#define SINC_MOST (SINC_POLLED - 1)

/* The user declares bytes, we see this. */
struct __attribute__((may_alias)) sinc {
	uint64_t count;
	aligned_t ready;
	struct sinc_values *values;     /* NULL for a counter */
};

_Static_assert(sizeof(struct sinc) == sizeof(qt_sinc_t), "the public size is fixed");
_Static_assert(_Alignof(struct sinc) == _Alignof(qt_sinc_t), "and so is the alignment");

/* Behind it lie nshares + 3 areas of `stride` bytes, each beginning a cache line: the initial value, the result, the
 * share of external threads, one share per worker. */
struct sinc_values {
	size_t size;                    /* bytes of a value */
	size_t stride;
	size_t nshares;
	qt_sinc_op_f op;
	struct qti_lock external;       /* held while combining into the external share */
	bool external_used;             /* under that lock; the last submission is alone with it */
};

enum { SINC_INITIAL, SINC_RESULT, SINC_EXTERNAL, SINC_SHARES };

static inline struct sinc *sinc_inside(qt_sinc_t *s)
{
	return (struct sinc *)(void *)s;
}

static inline void *values_area(struct sinc_values *v, size_t i)
{
	return (char *)v + qti_mem_round(sizeof(*v), QTI_CACHE_LINE) + i * v->stride;
}

static void values_reset(struct sinc_values *v)
{
	v->external_used = false;
	for (size_t i = SINC_RESULT; i < SINC_SHARES + v->nshares; i++)
		memcpy(values_area(v, i), values_area(v, SINC_INITIAL), v->size);
}

static struct sinc_values *values_new(size_t size, const void *initial, qt_sinc_op_f op)
{
	const size_t head = qti_mem_round(sizeof(struct sinc_values), QTI_CACHE_LINE);
	const size_t nshares = qthread_readstate(TOTAL_WORKERS);
	size_t stride, bytes;

	if (size > SIZE_MAX - QTI_CACHE_LINE)
		return NULL;
	stride = qti_mem_round(size, QTI_CACHE_LINE);
	if (__builtin_mul_overflow(stride, SINC_SHARES + nshares, &bytes) ||
	    __builtin_add_overflow(bytes, head, &bytes))
		return NULL;

	struct sinc_values *v = qti_mem_aligned(QTI_CACHE_LINE, bytes);
	if (!v)
		return NULL;
	*v = (struct sinc_values){ .size = size, .stride = stride, .nshares = nshares, .op = op };
	if (initial)
		memcpy(values_area(v, SINC_INITIAL), initial, size);
	else
		memset(values_area(v, SINC_INITIAL), 0, size);
	values_reset(v);
	return v;
}

/* The calling worker's share; NULL for external threads, and for workers of a runtime started after the sinc. */
static void *values_share(struct sinc_values *v)
{
	const size_t worker = qthread_worker_unique(NULL);      /* from 1 */

	return worker >= 1 && worker <= v->nshares ? values_area(v, SINC_SHARES + worker - 1) : NULL;
}

/* A share belongs to one after the other. */
static void values_op(const struct sinc_values *v, void *share, const void *value)
{
	qti_race_acquire(share);
	v->op(share, value);
	qti_race_release(share);
}

static void values_add(struct sinc_values *v, const void *value)
{
	void *share = values_share(v);

	if (qti_likely(share)) {
		values_op(v, share, value);
		return;
	}
	qti_lock_take(&v->external);
	v->external_used = true;
	values_op(v, values_area(v, SINC_EXTERNAL), value);
	qti_lock_drop(&v->external);
}

/* Take all shares into the result.  They start afresh, so that a later round adds to what is there. */
static void values_combine(struct sinc_values *v)
{
	for (size_t i = v->external_used ? SINC_EXTERNAL : SINC_SHARES; i < SINC_SHARES + v->nshares; i++) {
		qti_race_acquire(values_area(v, i));
		v->op(values_area(v, SINC_RESULT), values_area(v, i));
		memcpy(values_area(v, i), values_area(v, SINC_INITIAL), v->size);
		qti_race_release(values_area(v, i));
	}
	v->external_used = false;
}

static uint64_t sinc_clamp(size_t n)
{
	return n < SINC_MOST ? n : SINC_MOST - 1;
}

/* What count is to be for n outstanding submissions; rc is what emptying the word returned. */
static uint64_t sinc_round(uint64_t n, int rc)
{
	return rc == QTHREAD_SUCCESS ? n : SINC_POLLED | (n + 1);
}

/* Begin with n outstanding; nobody else knows the sinc. */
static void sinc_begin(struct sinc *s, size_t expect)
{
	const uint64_t n = sinc_clamp(expect);

	if (n == 0) {
		qthread_fill(&s->ready);
		store_rel(&s->count, 0);
	} else {
		store_rel(&s->count, sinc_round(n, qthread_empty(&s->ready)));
	}
}

void qt_sinc_init(qt_sinc_t *restrict sinc, size_t sizeof_value, void const *restrict initial_value, qt_sinc_op_f op,
	size_t expect)
{
	struct sinc *s = sinc_inside(sinc);

	if (!sinc)
		return;
	s->values = NULL;
	if (sizeof_value && op)
		s->values = values_new(sizeof_value, initial_value, op);
	if (sizeof_value && !s->values)
		qti_warn("qt_sinc_init: %s; the sinc only counts", op ? "out of memory" : "values, but no operation");
	sinc_begin(s, expect);
}

qt_sinc_t *qt_sinc_create(size_t sizeof_value, void const *initial_value, qt_sinc_op_f op, size_t expect)
{
	qt_sinc_t *sinc;
	struct sinc *s;

	if (sizeof_value && !op)
		return NULL;
	sinc = qti_mem_alloc(sizeof(*sinc));
	if (!sinc)
		return NULL;
	s = sinc_inside(sinc);
	s->values = NULL;
	if (sizeof_value) {
		s->values = values_new(sizeof_value, initial_value, op);
		if (!s->values) {
			qti_mem_free(sinc);
			return NULL;
		}
	}
	sinc_begin(s, expect);
	return sinc;
}

void qt_sinc_reset(qt_sinc_t *sinc, size_t expect)
{
	if (!sinc)
		return;
	struct sinc *s = sinc_inside(sinc);
	if (s->values)
		values_reset(s->values);
	sinc_begin(s, expect);
}

void qt_sinc_fini(qt_sinc_t *sinc)
{
	if (!sinc)
		return;
	struct sinc *s = sinc_inside(sinc);
	qthread_fill(&s->ready);        /* an abandoned round leaves no entry behind under this address */
	qti_mem_free(s->values);
	s->values = NULL;
}

void qt_sinc_destroy(qt_sinc_t *sinc)
{
	qt_sinc_fini(sinc);
	qti_mem_free(sinc);
}

/* Another expect is opening a round, or the last submission of a polled one is at work on the result. */
static bool sinc_in_between(uint64_t count)
{
	return (count & SINC_OPENING) || count == (SINC_POLLED | 1);
}

/* Add n to a round under way; false when there is none to add to. */
static bool sinc_extend(struct sinc *s, uint64_t n, uint64_t *seen)
{
	while (*seen != 0 && !sinc_in_between(*seen)) {
		const uint64_t left = SINC_MOST - (*seen & SINC_MOST);
		if (cas_acq_rel(&s->count, seen, *seen + (n < left ? n : left)))
			return true;
	}
	return false;
}

/* Empties the word after the last round's fill.  Short of memory it may not even have waited for that, and waits for a
 * thread's next few instructions.  No other task may run on top of it meanwhile: it would wait for the round that is
 * being opened. */
static int sinc_take_ready(struct sinc *s)
{
	int rc;

	while ((rc = qthread_readFE(NULL, &s->ready)) == QTHREAD_MALLOC_ERROR && qthread_feb_status(&s->ready) == 0)
		sched_yield();
	return rc;
}

void qt_sinc_expect(qt_sinc_t *sinc, size_t count)
{
	if (!sinc || count == 0)
		return;
	struct sinc *s = sinc_inside(sinc);
	const uint64_t n = sinc_clamp(count);
	uint64_t seen = load_acq(&s->count);

	while (!sinc_extend(s, n, &seen)) {
		if (seen == 0 && cas_acq_rel(&s->count, &seen, SINC_OPENING)) {
			/* SI4.  A difference, not a store: a submission too many may be taking itself back. */
			add_acq_rel(&s->count, sinc_round(n, sinc_take_ready(s)) - SINC_OPENING);
			return;
		}
		if (sinc_in_between(seen))
			qti_give_way();
		seen = load_acq(&s->count);
	}
}

static void sinc_too_many(struct sinc *s)
{
	add_acq_rel(&s->count, 1);
	qti_warn("qt_sinc_submit: more submissions than expected");
}

void qt_sinc_submit(qt_sinc_t *restrict sinc, void const *restrict value)
{
	if (!sinc)
		return;
	struct sinc *s = sinc_inside(sinc);
	struct sinc_values *v = s->values;

	if (v && value)
		values_add(v, value);
	else if (v && qti_races())
		qti_race_release(values_share(v));      /* qt_sinc_tmpdata */
	qti_race_release(s);
	const uint64_t before = sub_acq_rel(&s->count, 1);      /* SI1 */
	if (before == 1) {
		if (v)
			values_combine(v);
		qthread_fill(&s->ready);        /* SI2, SI3 */
	} else if (before == (SINC_POLLED | 2)) {
		if (v)
			values_combine(v);
		sub_acq_rel(&s->count, SINC_POLLED | 1);
	} else if (before == 0 || (before & SINC_OPENING) || before == (SINC_POLLED | 1)) {
		sinc_too_many(s);
	}
}

size_t qti_sinc_missing(const void *ready)
{
	const struct sinc *s = qti_container_of((const aligned_t *)ready, struct sinc, ready);

	return load_acq(&s->count) & SINC_MOST;
}

static void sinc_await(struct sinc *s)
{
	while (!(load_acq(&s->count) & SINC_POLLED)) {
		if (qti_feb_await(&s->ready, QTI_WAIT_SINC) != QTHREAD_MALLOC_ERROR)
			return;
		qti_give_way(); /* no stack to wait on just now */
	}
	while (load_acq(&s->count) != 0)
		qti_give_way();
}

void qt_sinc_wait(qt_sinc_t *restrict sinc, void *restrict target)
{
	if (!sinc)
		return;
	struct sinc *s = sinc_inside(sinc);

	sinc_await(s);
	qti_race_acquire(s);
	if (target && s->values)
		memcpy(target, values_area(s->values, SINC_RESULT), s->values->size);
}

void *qt_sinc_tmpdata(qt_sinc_t *sinc)
{
	struct sinc_values *v = sinc ? sinc_inside(sinc)->values : NULL;

	void *share = v ? values_share(v) : NULL;

	qti_race_acquire(share);
	return share;
}
