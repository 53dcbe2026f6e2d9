/* base/spin.h -- how long a thread that waits for others looks, and when it gives its CPU to others meanwhile.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A wait goes through three stages: the thread looks; it gives way (sched_yield) between looks; it sleeps.  Who gives
 * way loses a slice of its CPU, milliseconds, if another process wants it, and next to nothing otherwise.  So it is
 * worth doing only where the thread that is waited for does not run, which nobody can ask: each thread learns from its
 * last waits how long to look before it concludes that.
 *
 *   - What comes while it looks lets it look longer the next time: what it waits for runs elsewhere.
 *   - Giving way to somebody, before anything has come, lets it look for half as long.
 *   - Of those waits that end that way, one in a few has the longest time, lest one unlucky wait decides for ever.
 *
 * Who waits for anything, not for its equals at a barrier, may wait for long each time.  It learns from that, too: each
 * wait in a row that ended asleep halves what the next may take of its CPU in all, but for one in a few.
 */
#ifndef QTI_BASE_SPIN_H
#define QTI_BASE_SPIN_H

#include "base/shared.h"

#include <stdbool.h>
#include <stdint.h>

/* A thread's, kept from one wait to the next; all 0 at first. */
struct qti_spin {
	uint32_t shorter_ns;            /* than the longest time: so much less does it look */
	uint32_t vain;                  /* waits in a row in which it gave way to somebody */
	uint32_t slept;                 /* waits in a row that ended asleep; counted by qti_spin_slept alone */
	bool woke;                      /* who it waits for was asleep, and is on its way */
};

/* One wait; all 0 at first. */
struct qti_spell {
	uint64_t since;                 /* qti_now_ns() when it began to look, or came back */
	uint64_t spent;                 /* ns of its own before that */
	uint32_t gave_way;              /* times that somebody else ran meanwhile */
};

enum qti_spin_stage { QTI_SPIN_LOOK, QTI_SPIN_BACK, QTI_SPIN_OVER };

/* The thread has woken another one: what it waits for next may take as long as that takes. */
static inline void qti_spin_woke(struct qti_spin *s)
{
	s->woke = true;
}

/* After some looks, about a microsecond's, that found nothing.  LOOK: look on.  BACK: look at once, others ran
 * meanwhile.  OVER: it has taken `most` ns of this thread's time, without those that others had.  hopeless: what it
 * waits for cannot run before it gives way. */
QTI_SHARED enum qti_spin_stage qti_spin_on(struct qti_spin *s, struct qti_spell *p, uint64_t most, bool hopeless);

/* The `most` for a wait for anything, out of the longest there may be. */
QTI_SHARED uint64_t qti_spin_most(const struct qti_spin *s, uint64_t longest);

/* It has been OVER in such a wait. */
QTI_SHARED void qti_spin_slept(struct qti_spin *s);

/* What it waited for has come. */
QTI_SHARED void qti_spin_came(struct qti_spin *s, const struct qti_spell *p);

#endif
