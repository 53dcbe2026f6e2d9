/* omp/team/told_lock.h -- locks and critical sections, of which the tool is told.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_TOLD_LOCK_H
#define QOMP_TOLD_LOCK_H

#include "omp/team/lock.h"
#include "omp/team/section.h"
#include "omp/team/standing.h"
#include "omp/tool/tell.h"

void qomp_lock_take_told(uint32_t *l, ompt_mutex_t kind);
void qomp_lock_drop_told(uint32_t *l, ompt_mutex_t kind);
bool qomp_lock_try_told(uint32_t *l);
unsigned qomp_nest_take_told(uint64_t *l);
unsigned qomp_nest_try_told(uint64_t *l);
void qomp_nest_drop_told(uint64_t *l);
void qomp_section_enter_telling(uint32_t *word, ompt_mutex_t kind);
void qomp_section_leave_telling(uint32_t *word, ompt_mutex_t kind);
void qomp_lock_init_told(const void *l, ompt_mutex_t kind, unsigned hint);
void qomp_lock_destroy_told(const void *l, ompt_mutex_t kind);

static inline void qomp_lock_enter(uint32_t *l, ompt_mutex_t kind)
{
	if (qomp_tool_here())
		qomp_lock_take_told(l, kind);
	else
		qomp_lock_take(l);
}

static inline void qomp_lock_leave(uint32_t *l, ompt_mutex_t kind)
{
	if (qomp_tool_here())
		qomp_lock_drop_told(l, kind);
	else
		qomp_lock_drop(l);
}

static inline void qomp_section_enter_told(uint32_t *word, ompt_mutex_t kind)
{
	if (qomp_tool_here())
		qomp_section_enter_telling(word, kind);
	else
		qomp_section_enter(word);
}

static inline void qomp_section_leave_told(uint32_t *word, ompt_mutex_t kind)
{
	if (qomp_tool_here())
		qomp_section_leave_telling(word, kind);
	else
		qomp_section_leave(word);
}

static inline bool qomp_lock_enter_try(uint32_t *l)
{
	return qomp_tool_here() ? qomp_lock_try_told(l) : qomp_lock_try(l);
}

static inline unsigned qomp_nest_enter(uint64_t *l)
{
	return qomp_tool_here() ? qomp_nest_take_told(l) : qomp_nest_take(qomp_frame(), l);
}

static inline unsigned qomp_nest_enter_try(uint64_t *l)
{
	return qomp_tool_here() ? qomp_nest_try_told(l) : qomp_nest_try(qomp_frame(), l);
}

static inline void qomp_nest_leave(uint64_t *l)
{
	if (qomp_tool_here())
		qomp_nest_drop_told(l);
	else
		qomp_nest_drop(l);
}

/* A lock begins, and is not used any more. */

static inline void qomp_lock_made(const void *l, ompt_mutex_t kind, unsigned hint)
{
	if (qomp_tool_here())
		qomp_lock_init_told(l, kind, hint);
}

static inline void qomp_lock_gone(const void *l, ompt_mutex_t kind)
{
	if (qomp_tool_here())
		qomp_lock_destroy_told(l, kind);
}

#endif
