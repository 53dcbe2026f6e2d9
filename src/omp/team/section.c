/* omp/team/section.c -- see omp/team/section.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/section.h"

#include "base/forked.h"
#include "base/poll.h"
#include "base/tuning.h"
#include "core/guest.h"

__thread uint32_t qomp_section_number __attribute__((tls_model("initial-exec")));

static uint32_t last_number;

/* SC1.  Written while there is one thread. */
static struct {
	bool is_child;
	uint32_t first;                 /* the first number of the child's own threads */
	uint32_t forker;                /* its first thread's; 0: that had none */
} child;

uint32_t qomp_section_enroll(void)
{
	do
		qomp_section_number = add_rlx(&last_number, QOMP_SECTION_ONE) + QOMP_SECTION_ONE;
	while (qomp_section_number == 0);       /* all have been given once */
	return qomp_section_number;
}

/* SC1.  Nobody is in the section. */
static bool is_free(uint32_t seen)
{
	const uint32_t number = seen & ~(uint32_t)QOMP_SECTION_WAITED;

	if (number == 0)
		return true;
	return child.is_child && number != child.forker && (int32_t)(number - child.first) < 0;
}

static bool enter_soon(uint32_t *word, uint32_t mine)
{
	struct qti_poll poll = { .ns = TUNE_OMP_LOCK_NS };

	do {
		uint32_t seen = load_rlx(word);

		if (is_free(seen) && cas_acq(word, &seen, mine))
			return true;
	} while (qti_poll_again(&poll));
	return false;
}

/* LK1: sleeps only on a word that says so. */
static void enter_late(uint32_t *word, uint32_t mine)
{
	uint32_t seen = load_rlx(word);

	for (;;) {
		if (is_free(seen)) {
			if (cas_acq(word, &seen, mine | QOMP_SECTION_WAITED))
				return;
		} else if (seen & QOMP_SECTION_WAITED || cas_acq(word, &seen, seen | QOMP_SECTION_WAITED)) {
			qomp_address_wait_lock(word, seen | QOMP_SECTION_WAITED, false);
			seen = load_rlx(word);
		}
	}
}

void qomp_section_enter_slowly(uint32_t *word, uint32_t mine)
{
	qti_guest_trace(QTI_TRACE_LOCK, 0, (uintptr_t)word);
	if (!enter_soon(word, mine))
		enter_late(word, mine);
	qti_guest_trace_waited(QTI_TRACE_LOCK);
}

static void note_numbers(void)
{
	child.is_child = true;
	child.first = last_number + QOMP_SECTION_ONE;
	child.forker = qomp_section_number;
}

QTI_FORKED(QTI_FORKED_LOCKS, NULL, NULL, note_numbers)
