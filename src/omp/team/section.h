/* omp/team/section.h -- what one thread at a time is in: critical sections, and atomic operations without instructions.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A word of 32 bits, of which all zeros mean that nobody is in the section:
 *
 *     bit 0            somebody may wait, as in QOMP_LOCK_CONTENDED
 *     bits 1 to 31     the number of the OS thread that is in the section
 *
 * Threads wait as for a plain lock (LK1 of omp/team/lock.h).  The number is for the child of fork(2), in which only the
 * thread that forks goes on:
 *
 *   SC1  Numbers are given in order, and the child notes the next one and that of its thread.  If a word has an earlier
 *        number, and not that thread's, nobody is in the section: the thread has stayed in the parent.
 *
 * A lock of the program's (omp_lock_t) has no number.  Its state is the program's, as that of a mutex is, so one that
 * another thread held stays held in the child.  Checked by test/omp/child.c and test/stress/omp_locks.c.
 */
#ifndef QOMP_SECTION_H
#define QOMP_SECTION_H

#include "omp/team/lock.h"

enum { QOMP_SECTION_WAITED = 1, QOMP_SECTION_ONE = 2 };

/* The calling OS thread's, in units of QOMP_SECTION_ONE; 0: it has none yet. */
extern __thread uint32_t qomp_section_number __attribute__((tls_model("initial-exec")));

uint32_t qomp_section_enroll(void);
void qomp_section_enter_slowly(uint32_t *word, uint32_t mine);

static inline void qomp_section_enter(uint32_t *word)
{
	uint32_t mine = qomp_section_number, seen = 0;

	if (qti_unlikely(mine == 0))
		mine = qomp_section_enroll();
	if (qti_unlikely(!cas_acq(word, &seen, mine)))
		qomp_section_enter_slowly(word, mine);
}

static inline void qomp_section_leave(uint32_t *word)
{
	if (qti_unlikely(swap_acq_rel(word, 0) & QOMP_SECTION_WAITED))                          /* LK1 */
		qomp_address_wake(word, 1);
}

#endif
