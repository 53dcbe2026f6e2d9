/* sched/victims.c -- see sched/victims.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/victims.h"

#include "core/notify.h"

struct qti_task *qti_victims_try_in(struct qti_worker *w, struct qti_shepherd *s,
	struct qti_task *(*take)(struct qti_worker *w, struct qti_worker *victim))
{
	struct qti_task *t = NULL;

	for (unsigned i = 0; !t && i < s->nworkers; i++) {
		struct qti_worker *victim = &s->workers[(w->local + 1 + i) % s->nworkers];
		if (victim != w)
			t = take(w, victim);
	}
	return t;
}

struct qti_task *qti_victims_try_shepherds(struct qti_worker *w,
	struct qti_task *(*take_in)(struct qti_worker *w, struct qti_shepherd *s))
{
	struct qti_task *t = take_in(w, w->shepherd);

	for (unsigned i = 0; !t && i + 1 < qti_rt.nshepherds; i++)
		t = take_in(w, &qti_rt.shepherds[w->shepherd->nearest[i]]);
	return t;
}

struct qti_task *qti_victims_try(struct qti_worker *w,
	struct qti_task *(*take)(struct qti_worker *w, struct qti_worker *victim))
{
	struct qti_task *t = qti_victims_try_in(w, w->shepherd, take);

	for (unsigned i = 0; !t && i + 1 < qti_rt.nshepherds; i++)
		t = qti_victims_try_in(w, &qti_rt.shepherds[w->shepherd->nearest[i]], take);
	return t;
}

void qti_victims_leave(struct qti_worker *w)
{
	struct qti_task *t;
	bool moved = false;

	for (; (t = qti_rt.sched->pop(w)) != NULL; moved = true)
		qti_taskq_push_back(&qti_rt.inbox, t);
	if (moved)
		qti_notify(w->shepherd);
}
