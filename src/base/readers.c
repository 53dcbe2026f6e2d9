/* base/readers.c -- the records of base/readers.h, and waiting for them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/readers.h"

#include "base/forked.h"
#include "base/lock.h"
#include "base/mem.h"

#include <pthread.h>
#include <string.h>

__thread struct qti_reader *qti_reader_self __attribute__((tls_model("initial-exec")));

static struct qti_reader *records;
static uint64_t counted;                /* sections of threads without a record */

uint32_t qti_readers_stopped;
static __thread bool is_stopper __attribute__((tls_model("initial-exec")));

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t thread_end;        /* its destructor runs when a thread with a record ends */
static bool have_thread_end;

static void hand_on(void *record)
{
	const uint64_t depth = (UINT64_C(1) << QTI_READER_DEPTH_BITS) - 1;
	struct qti_reader *r = record;
	uint64_t word = load_rlx(&r->word);

	qti_reader_self = NULL;
	if (qti_unlikely(word & depth))         /* it was cancelled in there: nobody else will leave */
		store_rel(&r->word, (word | depth) + 1);                                        /* RD3 */
	store_rel(&r->taken, 0);
}

/* The child of fork(2) has one thread; the sections of the others will never be left there. */
static void forget_others(void)
{
	for (struct qti_reader *r = load_rlx(&records); r; r = r->next) {
		if (r == qti_reader_self)
			continue;
		store_rlx(&r->word, 0);
		store_rlx(&r->taken, 0);
	}
	store_rlx(&counted, 0);
}

static void readers_set_up(void)
{
	qti_fence_setup();                              /* of RD1's pair, for threads outside of the runtime too */
	have_thread_end = pthread_key_create(&thread_end, hand_on) == 0;
}

static struct qti_reader *take_old(void)
{
	for (struct qti_reader *r = load_acq(&records); r; r = r->next) {
		uint32_t none = 0;

		if (load_rlx(&r->taken) == 0 && cas_acq(&r->taken, &none, 1))
			return r;
	}
	return NULL;
}

static struct qti_reader *make_new(void)
{
	struct qti_reader *r = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*r));

	if (!r)
		return NULL;
	memset(r, 0, sizeof(*r));
	r->taken = 1;
	r->next = load_rlx(&records);
	while (!cas_acq_rel(&records, &r->next, r))
		;
	return r;
}

static void wait_while_stopped(void)
{
	for (unsigned spins = 1; load_acq(&qti_readers_stopped) != 0; spins++)
		qti_pause(spins);
}

void qti_reader_wait(struct qti_reader *r)
{
	const uint64_t depth = (UINT64_C(1) << QTI_READER_DEPTH_BITS) - 1;

	while (load_acq(&qti_readers_stopped) != 0 && !is_stopper && (load_rlx(&r->word) & depth) == 1) {
		qti_reader_leave(r);
		wait_while_stopped();
		store_rlx(&r->word, load_rlx(&r->word) + 1);
		fence_light();                                  /* RD1, RD5 */
	}
}

struct qti_reader *qti_reader_enter_first(void)
{
	struct qti_reader *r = NULL;

	pthread_once(&once, readers_set_up);
	if (have_thread_end && !(r = take_old()))
		r = make_new();
	if (r && pthread_setspecific(thread_end, r) != 0) {
		store_rel(&r->taken, 0);
		r = NULL;
	}
	qti_reader_self = r;
	if (!r)
		add_rlx(&counted, 1);
	fence_sc();                                             /* RD4; and RD1 for a section that is counted */
	return r;
}

void qti_reader_leave_counted(void)
{
	sub_acq_rel(&counted, 1);                               /* RD2 */
}

bool qti_reader_inside(void)
{
	const struct qti_reader *r = qti_reader_self;

	/* Sections that are counted, an outer one of a thread with a record too, may be anybody's: then the answer that
	 * is safe. */
	return (r && load_rlx(&r->word) << (64 - QTI_READER_DEPTH_BITS) != 0) || load_rlx(&counted) != 0;
}

/* ---- Waiting */

static bool is_open(uint64_t word)
{
	return word << (64 - QTI_READER_DEPTH_BITS) != 0;
}

static bool no_other_reader(void)
{
	for (const struct qti_reader *r = load_acq(&records); r; r = r->next)
		if (r != qti_reader_self && load_acq(&r->taken) != 0)
			return false;
	return load_acq(&counted) == 0;
}

static void wait_for(const struct qti_reader *r)
{
	const uint64_t seen = load_acq(&r->word);               /* RD2 */

	if (!is_open(seen))
		return;
	for (unsigned spins = 1;; spins++) {
		const uint64_t now = load_acq(&r->word);        /* RD2 */
		if (now >> QTI_READER_DEPTH_BITS != seen >> QTI_READER_DEPTH_BITS || !is_open(now))     /* RD3 */
			return;
		qti_pause(spins);
	}
}

void qti_readers_wait(void)
{
	fence_sc();                                             /* RD4 */
	if (no_other_reader())
		return;
	qti_fence_heavy();                                      /* RD1 */
	for (const struct qti_reader *r = load_acq(&records); r; r = r->next)
		if (r != qti_reader_self)
			wait_for(r);
	for (unsigned spins = 1; load_acq(&counted) != 0; spins++)      /* RD2 */
		qti_pause(spins);
}

/* ---- Forking */

static void stop_readers(void)
{
	is_stopper = true;
	store_rel(&qti_readers_stopped, 1);                     /* RD5 */
	qti_readers_wait();
}

static void let_readers_go(void)
{
	store_rel(&qti_readers_stopped, 0);
	is_stopper = false;
}

QTI_FORKED(QTI_FORKED_CALLS, stop_readers, let_readers_go, forget_others)
