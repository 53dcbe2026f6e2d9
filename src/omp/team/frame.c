/* omp/team/frame.c -- see omp/team/frame.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/frame.h"

#include "omp/team/address_wait.h"
#include "sync/waiter.h"

static void wait_wake(struct qti_waiter *r)
{
	struct qti_waiter *last = NULL;

	qti_waiters_add(&last, r);
	qti_wake_all(&last);
}

void qomp_frame_call(struct qomp_frame *f)
{
	uint64_t bits = QOMP_REMOTE_WAIT | QOMP_REMOTE_ADDRESS;
	uint64_t was = and_acq_rel(&f->remote, ~bits);                                          /* C1 */

	if (was & QOMP_REMOTE_WAIT)
		wait_wake(load_rlx(&f->waiter));
	else if (was & QOMP_REMOTE_ADDRESS)
		qomp_address_wake(load_rlx(&f->address), UINT_MAX);
}

void qomp_frame_collect(struct qomp_frame *f)
{
	uint32_t n = (uint32_t)load_rlx(&f->remote);

	if (n) {
		sub_acq_rel(&f->remote, n);
		f->finished += n;
	}
}
