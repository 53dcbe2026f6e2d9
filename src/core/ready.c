/* core/ready.c -- see core/ready.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/ready.h"

#include "core/gate.h"

static void make_ready(struct qti_worker *w, struct qti_task *t)
{
	if (qti_unlikely(t->flags & (QTI_TASK_BOUND | QTI_TASK_PINNED))) {
		if (qti_task_is(t, QTI_TASK_BOUND)) {
			struct qti_worker *home = &qti_rt.workers[t->home];
			qti_taskq_push_back(&home->inbox, t);
			qti_notify_worker(home);
		} else {
			struct qti_shepherd *home = qti_shepherd_for(t->home);
			qti_taskq_push_back(&home->inbox, t);
			qti_notify_shepherd(home);
		}
	} else if (qti_likely(w != NULL)) {
		qti_rt.sched->push(w, t);
	} else {
		qti_taskq_push_back(&qti_rt.inbox, t);
		qti_notify(&qti_rt.shepherds[0]);
	}
}

/* Once t can run, the main task may go on and finalize, while the thread that woke it still looks at shepherds and
 * workers.  Workers are joined first, and visitors are waited for, before anything is freed. */
void qti_ready(struct qti_task *t)
{
	struct qti_worker *w = qti_self();

	if (qti_likely(w != NULL)) {
		make_ready(w, t);
		return;
	}
	qti_visit_begin_anyhow();
	make_ready(NULL, t);
	qti_visit_end();
}

bool qti_after_ready(struct qti_task *t, void *unused)
{
	(void)t;
	(void)unused;
	return false;
}

/* --- forwarding ------------------------------------------------------------------------------------------ */

void qti_forward_inbox(struct qti_shepherd *s)
{
	struct qti_task *t;

	while (qti_has_stand_in(s) && (t = qti_taskq_pop_front(&s->inbox)) != NULL)
		qti_ready(t);
}

/* The inbox is anybody's to empty, the policy's queues only a worker's: one that has left comes back for that. */
void qti_forward(struct qti_shepherd *s)
{
	qti_forward_inbox(s);
	if (qti_rt.sched->length(s) == 0)
		return;
	for (unsigned i = 0; i < s->nworkers; i++) {
		uint32_t state = load_rlx(&s->workers[i].state);
		if (state == QTI_WORKER_LEAVING || state == QTI_WORKER_AWAY) {
			qti_notify_worker(&s->workers[i]);
			return;
		}
	}
}
