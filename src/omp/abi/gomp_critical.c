/* omp/abi/gomp_critical.c -- critical sections, and atomic operations that the processor does not have.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_critical.h"

#include "omp/team/told_lock.h"

/* One in the program each, on lines of their own. */
static struct {
	uint32_t lock QTI_ALIGNED_LINE;
} unnamed, atomic;

static __attribute__((noinline)) void enter_told(uint32_t *lock, ompt_mutex_t kind)
{
	qomp_tool_called();
	qomp_section_enter_told(lock, kind);
	qomp_locks_held += kind == ompt_mutex_critical;
}

static __attribute__((noinline)) void leave_told(uint32_t *lock, ompt_mutex_t kind)
{
	qomp_tool_called();
	qomp_locks_held -= kind == ompt_mutex_critical;
	qomp_section_leave_told(lock, kind);
}

static inline void critical_enter(uint32_t *lock)
{
	if (qomp_tool_maybe()) {
		enter_told(lock, ompt_mutex_critical);
		return;
	}
	qomp_section_enter(lock);
	qomp_locks_held++;
}

static inline void critical_leave(uint32_t *lock)
{
	if (qomp_tool_maybe()) {
		leave_told(lock, ompt_mutex_critical);
		return;
	}
	qomp_locks_held--;
	qomp_section_leave(lock);
}

void GOMP_critical_start(void)
{
	critical_enter(&unnamed.lock);
}

void GOMP_critical_end(void)
{
	critical_leave(&unnamed.lock);
}

void GOMP_critical_name_start(void **name)
{
	critical_enter((uint32_t *)name);
}

void GOMP_critical_name_end(void **name)
{
	critical_leave((uint32_t *)name);
}

void GOMP_atomic_start(void)
{
	if (qomp_tool_maybe())
		enter_told(&atomic.lock, ompt_mutex_atomic);
	else
		qomp_section_enter(&atomic.lock);
}

void GOMP_atomic_end(void)
{
	if (qomp_tool_maybe())
		leave_told(&atomic.lock, ompt_mutex_atomic);
	else
		qomp_section_leave(&atomic.lock);
}
