/* omp/team/wait_loop.h -- a thread that waits for others of its team: what it does meanwhile, and for how long.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_WAIT_LOOP_H
#define QOMP_WAIT_LOOP_H

#include "omp/team/team.h"

struct qomp_wait_loop {
	struct qomp_frame *f;           /* the running one, which waits */
	unsigned looks;                 /* since something was found */
	bool seeks;
	bool out_of_work;               /* has said so: it has looked for a while, in vain */
	uint64_t got_work;              /* qti_now_ns() when that ended; 0: it looks, or has run out again */
	bool shares;                    /* its CPU, with another member */
	struct qti_spell spell;
};

static inline struct qomp_wait_loop qomp_wait_loop_begin(struct qomp_frame *f)
{
	return (struct qomp_wait_loop){ .f = f };
}

/* Enough of the stack is left to run a task on top of the running one. */
bool qomp_stack_has_room(const struct qti_worker *w);

/* Looks for a task that the frame, which waits for its team, may run on top, or that is to be let run instead, and sees
 * to it.  False if there was none. */
bool qomp_wait_loop_help(struct qomp_wait_loop *v);

/* One more look that found nothing: true if it is time to sleep. */
bool qomp_wait_loop_over(struct qomp_wait_loop *v);

/* What it waited for has come after more than a few looks. */
void qomp_wait_loop_came(struct qomp_wait_loop *v);

/* It looks no more. */
static inline void qomp_wait_loop_leave(struct qomp_wait_loop *v)
{
	if (qti_unlikely(v->out_of_work))
		qti_guest_out_of_work(false);
	if (qti_unlikely(v->seeks))
		qti_guest_seek(false);
}

/* Before it sleeps; after that it begins anew. */
static inline void qomp_wait_loop_break(struct qomp_wait_loop *v)
{
	qomp_wait_loop_leave(v);
	*v = qomp_wait_loop_begin(v->f);
}

/* What it waited for has come. */
static inline void qomp_wait_loop_end(struct qomp_wait_loop *v)
{
	if (qti_unlikely(v->spell.since != 0))
		qomp_wait_loop_came(v);
	qomp_wait_loop_leave(v);
}

#endif
