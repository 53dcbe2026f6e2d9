/* omp/team/told.h -- what the tool knows of a frame's task (omp/tool/thread.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * While there is a tool all frames are QOMP_TRACED, and none is light: it stays where the tool was told it is.
 */
#ifndef QOMP_TOLD_H
#define QOMP_TOLD_H

#include "omp/env/places.h"
#include "omp/team/record.h"
#include "omp/team/team.h"
#include "omp/tool/tell.h"

/* The tool is told of f's task. */
static inline bool qomp_is_told(const struct qomp_frame *f)
{
	return qti_unlikely(f->flags & QOMP_TRACED) && qomp_tool_ready();
}

/* Where qomp_tool_here(). */
static inline struct qomp_told *qomp_told_of(struct qomp_frame *f)
{
	if (!(f->flags & QOMP_TRACED))
		return NULL;            /* from before there was a tool */
	return f->flags & QOMP_IMPLICIT ? qti_container_of(f, struct qomp_member, frame)->told : qomp_task_of(f)->told;
}

static inline void qomp_told_place(struct qomp_told *t, const struct qomp_spot *spot)
{
	if (!t || qomp_places.n == 0)
		return;
	t->place = (int)spot->place;
	t->first_place = (int)spot->first;
	t->places = (int)(spot->n ? spot->n : qomp_places.n);
}

#endif
