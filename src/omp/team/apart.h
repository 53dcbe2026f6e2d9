/* omp/team/apart.h -- members of a team that share a CPU although another has fewer of them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads that are not bound run where the kernel puts them, and where other programs run, too, it puts two members of
 * one team on one CPU and leaves them there: each CPU has as many threads as the next.  But only one of the two runs at
 * a time, and each barrier costs two switches.  So members say where they run, and one that finds itself beside another
 * moves.  It is bound to nothing afterwards.
 *
 * With more members than CPUs some share one anyhow.  Then a member moves from a CPU that has more of them than its
 * part to one that has at least two fewer, so that moves end: beside threads of other runtimes the kernel evens out all
 * threads, not those that wait for each other.  test/unit/omp_apart checks who moves, and where to.
 */
#ifndef QOMP_APART_H
#define QOMP_APART_H

#include "omp/team/team.h"

#include <sched.h>

static inline void qomp_apart_note(struct qomp_apart *a)
{
	uint32_t cpu = (uint32_t)sched_getcpu() + 1;

	if (load_rlx(&a->cpu) != cpu)
		store_rlx(&a->cpu, cpu);
}

/* Whether another member of m's team was last seen on m's CPU. */
bool qomp_apart_shares(const struct qomp_member *m);

/* m, the calling thread, has given way to somebody; shares: and shared its CPU with another member. */
void qomp_apart_gave_way(struct qomp_member *m, bool shares);

/* m, the calling thread, waits, and its team has more members than these CPUs: it moves if more than its part of them
 * are on its CPU, for each barrier waits for the CPU that has most. */
void qomp_apart_even_out(struct qomp_member *m, unsigned cpus);

#endif
