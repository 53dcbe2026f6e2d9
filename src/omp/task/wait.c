/* omp/task/wait.c -- see omp/task/wait.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/wait.h"

#include "base/tuning.h"
#include "omp/team/address_wait.h"
#include "omp/team/patience.h"
#include "omp/team/told.h"
#include "omp/team/wait_loop.h"
#include "sync/waiter.h"

/* --- running --------------------------------------------------------------------------------------------- */

/* A child that is not waited for may need what the one that waits holds: a lock, say.  It gets a stack of its own. */
static bool run_claimed(struct qomp_frame *f, struct qomp_filter filter)
{
	struct qti_worker *w = qti_self();

	if (!w || !qomp_stack_has_room(w))
		return false;
	struct qti_task *t = qti_guest_claim(w, f);
	if (!t)
		return false;
	if (qti_unlikely(filter.group && !qomp_list_fits(t->arg, (struct qomp_filter){ .group = filter.group }))) {
		qti_guest_put_back(w, t);
		return false;
	}
	qti_run_on_top(w, t);
	return true;
}

bool qomp_wait_run(struct qomp_frame *f, struct qomp_filter filter)
{
	return qti_likely(f->team->uses_scheduler) ? run_claimed(f, filter) : qomp_list_run(f, filter);
}

/* --- sleeping -------------------------------------------------------------------------------------------- */

static void set_bit(struct qomp_frame *f, uint64_t bit)
{
	or_acq_rel(&f->remote, bit);
}

/* False if somebody else has cleared it. */
static bool clear_bit(struct qomp_frame *f, uint64_t bit)
{
	return and_acq_rel(&f->remote, ~bit) & bit;
}

static bool was_called(const void *arg)
{
	const struct qomp_frame *f = arg;

	return !(load_sc(&f->remote) & QOMP_REMOTE_ADDRESS);                                        /* Z1 */
}

static void sleep_until_called(struct qomp_frame *f, struct qomp_filter filter, const uint32_t *word, uint32_t value)
{
	store_rlx(&f->address, word);
	set_bit(f, QOMP_REMOTE_ADDRESS);                                                            /* C1 */
	if (!qomp_list_has(f, filter))
		qomp_address_wait_unless(word, value, was_called, f);
	clear_bit(f, QOMP_REMOTE_ADDRESS);
}

void qomp_wait_sleep(struct qomp_frame *f, struct qomp_filter filter, const uint32_t *word, uint32_t value)
{
	if (f->team->uses_scheduler)
		qomp_address_wait(word, value);
	else
		sleep_until_called(f, filter, word, value);
}

/* Which children it waits for only they know: so they run elsewhere, unless nobody else would run them. */
void qomp_task_wait_while(struct qomp_frame *f, const uint32_t *word, uint32_t value)
{
	struct qomp_filter child = { .parent = f };

	while (load_acq(word) == value)
		if (f->team->uses_scheduler || !qomp_wait_run(f, child))
			qomp_wait_sleep(f, child, word, value);
}

/* --- for children ---------------------------------------------------------------------------------------- */

static bool children_ended(const struct qomp_frame *f)
{
	return f->created - f->finished == (uint32_t)load_acq(&f->remote);
}

static bool children_end_soon(const struct qomp_frame *f)
{
	struct qti_poll poll = { .ns = qomp_poll_ns(TUNE_CHILDREN_NS) };

	do
		if (children_ended(f))
			return true;
	while (qti_poll_again(&poll));
	return false;
}

/* C1.  Who has cleared WAIT wakes the waiter, whether it sleeps already or would not have to. */
static void sleep_for_children(struct qomp_frame *f)
{
	struct qomp_filter child = { .parent = f };
	struct qti_waiter r;

	if (!qti_waiter_begin(&r, QTI_WAIT_CHILDREN, f))
		return;
	f->flags |= QOMP_WAITING;
	store_rlx(&f->waiter, &r);
	store_rlx(&f->need, f->created - f->finished);
	set_bit(f, QOMP_REMOTE_WAIT);
	bool go_on = children_ended(f) || (!f->team->uses_scheduler && qomp_list_has(f, child));
	if (!go_on || !clear_bit(f, QOMP_REMOTE_WAIT))
		qti_waiter_await(&r);
	f->flags &= (uint16_t)~QOMP_WAITING;
}

static void wait_for_children(struct qomp_frame *f)
{
	struct qomp_filter child = { .parent = f };

	while (f->created != f->finished) {
		if (qomp_wait_run(f, child))
			continue;
		if (!children_end_soon(f))
			sleep_for_children(f);
		qomp_frame_collect(f);
	}
}

void qomp_taskwait_told(struct qomp_frame *f)
{
	struct qomp_told *t = qomp_is_told(f) ? qomp_told_of(f) : NULL;

	qomp_tell_sync_begin(t, ompt_sync_region_taskwait);
	qomp_taskwait(f);
	qomp_tell_sync_end(t, ompt_sync_region_taskwait);
}

void qomp_taskwait(struct qomp_frame *f)
{
	if (f->created == f->finished)
		return;
	qti_guest_trace(QTI_TRACE_TASKWAIT, 0, 0);
	wait_for_children(f);
	qti_guest_trace_waited(QTI_TRACE_TASKWAIT);
}
