/* omp/team/vigil.h -- a thread that waits for others of its team: what it does meanwhile, and for how long.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_VIGIL_H
#define QOMP_VIGIL_H

#include "omp/team/team.h"

struct qomp_vigil {
	struct qomp_frame *f;           /* the running one, which waits */
	unsigned looks;                 /* since something was found */
	bool seeks, starves;
	bool shares;                    /* its CPU, with another member */
	struct qti_spell spell;
};

static inline struct qomp_vigil qomp_vigil_begin(struct qomp_frame *f)
{
	return (struct qomp_vigil){ .f = f };
}

/* Looks for a task that the frame, which waits for its team, may run on top, or that is to be let run instead, and sees to
 * it.  False if there was none. */
bool qomp_vigil_help(struct qomp_vigil *v);

/* One more look that found nothing: true if it is time to sleep. */
bool qomp_vigil_over(struct qomp_vigil *v);

/* What it waited for has come after more than a few looks. */
void qomp_vigil_came(struct qomp_vigil *v);

/* Before it sleeps. */
static inline void qomp_vigil_break(struct qomp_vigil *v)
{
	if (qti_unlikely(v->starves))
		qti_guest_starve(false);
	if (qti_unlikely(v->seeks))
		qti_guest_seek(false);
	*v = qomp_vigil_begin(v->f);
}

/* What it waited for has come. */
static inline void qomp_vigil_end(struct qomp_vigil *v)
{
	if (qti_unlikely(v->spell.since != 0))
		qomp_vigil_came(v);
	qomp_vigil_break(v);
}

#endif
