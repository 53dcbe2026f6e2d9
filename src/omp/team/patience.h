/* omp/team/patience.h -- how long who waits for others looks before it sleeps.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_PATIENCE_H
#define QOMP_PATIENCE_H

#include "base/atomic.h"

extern uint64_t qomp_spin_ns;           /* how long who waits for others of a team looks before it sleeps */
extern bool qomp_crowded;               /* more threads than CPUs */

/* So many more members, or fewer, are threads of their own. */
void qomp_patience_count(int threads);

/* Anew, after the number of workers has changed: the runtime's own, or this one. */
void qomp_patience_set(void);
void qomp_patience_set_for(unsigned workers);

/* In the child of fork(2): there are no such members. */
void qomp_patience_forget(void);

/* How long who waits for somebody else looks before it sleeps (base/poll.h): `ns` where others can run meanwhile. */
static inline uint32_t qomp_poll_ns(uint32_t ns)
{
	return load_rlx(&qomp_spin_ns) != 0 && !load_rlx(&qomp_crowded) ? ns : 0;
}

#endif
