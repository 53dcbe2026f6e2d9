/* base/poll.c -- see base/poll.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/poll.h"

#include "base/park.h"

enum { ROUNDS = 8, PAUSES = 32, USUAL_NS = 25 };

/* Until a runtime has started: on the machine where the times were chosen. */
uint32_t qti_poll_rate = 1024 / USUAL_NS;
QTI_SHARE_VARIABLE(qti_poll_rate);

static uint64_t pauses_ns(void)
{
	uint64_t begin = qti_now_ns();

	for (unsigned i = 0; i < PAUSES; i++)
		cpu_relax();
	return qti_now_ns() - begin;
}

/* The shortest of a few: in the others something else ran. */
void qti_poll_calibrate(void)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t ns = pauses_ns();
		least = ns < least ? ns : least;
	}
	store_rlx(&qti_poll_rate, (uint32_t)(1024 * PAUSES / (least ? least : 1)));
}
