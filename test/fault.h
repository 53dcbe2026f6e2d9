/* test/fault.h -- memory runs out when a test says so.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	qti_mem_fault = fault;  before there are other threads
 *	fault_after(3);         three more allocations, then none
 *	fault_at(3);            of the allocations from here on the third fails, and no other
 *	fault_end();            all that are asked for
 *
 * From any thread.  For those that ask at that moment it holds or not.
 */
#ifndef QTI_TEST_FAULT_H
#define QTI_TEST_FAULT_H

#include "base/atomic.h"
#include "base/mem.h"

static struct {
	uint64_t from, until;           /* those fail, counted from 1; none while from is 0 */
	uint64_t asked;                 /* since then */
	uint64_t denied;                /* in all */
} faults;

static inline bool fault(void)
{
	const uint64_t from = load_acq(&faults.from);

	if (from == 0)
		return false;
	const uint64_t number = add_rlx(&faults.asked, 1) + 1;
	const bool fails = number >= from && number < load_rlx(&faults.until);
	if (fails)
		add_rlx(&faults.denied, 1);
	return fails;
}

static inline void fault_range(uint64_t from, uint64_t until)
{
	store_rlx(&faults.asked, 0);
	store_rlx(&faults.until, until);
	store_rel(&faults.from, from);
}

static inline void fault_after(uint64_t granted)
{
	fault_range(granted + 1, UINT64_MAX);
}

static inline void fault_at(uint64_t nth)
{
	fault_range(nth, nth + 1);
}

static inline void fault_end(void)
{
	store_rel(&faults.from, 0);
}

static inline uint64_t fault_asked(void)
{
	return load_rlx(&faults.asked);
}

static inline uint64_t fault_denied(void)
{
	return load_rlx(&faults.denied);
}

#endif
