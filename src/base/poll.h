/* base/poll.h -- looking at a word again and again for a bounded time: what another thread is about to write there
 * costs less to wait for than to sleep until.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	struct qti_poll poll = { .ns = TUNE_WAIT_NS };
 *	do
 *		if (load_acq(&w->state) == QTI_WAITER_WOKEN)
 *			return true;
 *	while (qti_poll_again(&poll));
 *
 * The time is in nanoseconds, for so are the cache misses and switches that it is weighed against.  But to read a clock
 * takes as long as a look.  So looks are counted, and how many fill the time is measured when a runtime starts: a pause
 * takes 1 ns on one machine and 60 on another.
 * Checked by test/unit/poll.c.
 */
#ifndef QTI_BASE_POLL_H
#define QTI_BASE_POLL_H

#include "base/atomic.h"
#include "base/shared.h"

#include <stdbool.h>

/* Looks that fill 1,024 ns.  Relaxed: threads that are no workers may be looking when it is measured. */
extern uint32_t qti_poll_rate QTI_SHARED_VARIABLE(qti_poll_rate);

void qti_poll_calibrate(void);

struct qti_poll {
	uint32_t ns;
	uint32_t looks;                 /* left, and the last one; 0: not counted yet */
};

static inline uint32_t qti_poll_looks(uint32_t ns)
{
	uint32_t looks = (uint32_t)((uint64_t)ns * load_rlx(&qti_poll_rate) >> 10);

	return looks ? looks : 1;
}

/* After a look in vain: is there time for another one?  Then it pauses first.  Who finds at once what it looks for
 * computes nothing. */
static inline bool qti_poll_again(struct qti_poll *p)
{
	if (p->looks == 0)
		p->looks = qti_poll_looks(p->ns);
	if (--p->looks == 0)
		return false;
	cpu_relax();
	return true;
}

#endif
