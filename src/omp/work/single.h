/* omp/work/single.h -- what one member of a team does for all.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * SG1  a member's single number k: compare-and-swap of the team's `singles` from k to k + 1.  Who succeeds is the one.
 *      The count is never below k: this member saw to that at its last single.
 * SG2  copyprivate number k: who has the values stores `copies`, exchanges `copied` for 2k (acq_rel), and wakes whoever
 *      sleeps if that was odd || the others load `copied` (acquire), make it odd by compare-and-swap and sleep until it
 *      is about k. All pass a barrier before number k + 1.
 *
 * Checked by test/unit/omp_share.c and test/stress/omp_share.c.
 */
#ifndef QOMP_SINGLE_H
#define QOMP_SINGLE_H

#include "omp/team/frame.h"

/* True for the first member of the team that comes to it. */
bool qomp_single(struct qomp_frame *f);

/* The same, and the tool is told. */
bool qomp_single_told(struct qomp_frame *f);

/* The same where values are to be copied: NULL for that member;
 * the others wait for it and get the address that it says. */
void *qomp_single_copy(struct qomp_frame *f);
void qomp_single_copied(struct qomp_frame *f, void *data);

/* After a single, by all: who has the values says their address, the others NULL; returns it. */
void *qomp_single_share(struct qomp_frame *f, void *data);

#endif
