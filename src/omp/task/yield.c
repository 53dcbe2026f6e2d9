/* omp/task/yield.c -- see omp/task/yield.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/yield.h"
#include "omp/team/list.h"
#include "omp/team/standing.h"

#include "base/park.h"
#include "base/tuning.h"

/* Nobody is ready whom the running task could give way to. */
static bool nobody_waits(const struct qti_worker *w)
{
	return !qti_worker_has_assigned(w) && !qti_worker_has_queued(w) && qti_worker_is_on_duty(w);
}

__thread struct qomp_backoff qomp_backoff __attribute__((tls_model("initial-exec")));

static void found_nobody(const struct qomp_frame *f)
{
	uint64_t now = qti_now_ns();
	bool fast = now - qomp_backoff.looked < TUNE_TASKYIELD_NS;

	unsigned of = 2 * qomp_backoff.of < TUNE_TASKYIELDS_MAX ? 2 * qomp_backoff.of + 1 : TUNE_TASKYIELDS_MAX;

	qomp_backoff.of = fast ? of : 0;
	qomp_backoff.left = qomp_backoff.of;
	qomp_backoff.looked = now;
	qomp_backoff.who = qomp_backoff.of ? qomp_task_identity(f) : 0;
}

static void give_way(const struct qomp_frame *f)
{
	struct qti_worker *w = qti_self();

	if (w && !qti_host_oversubscribed() && !qti_host_drains() && nobody_waits(w))
		found_nobody(f);
	else
		qthread_yield();
}

/* On top of f, which cannot go on before it ends: so what may wait for something that f has, a lock, must not begin
 * here.  The task scheduling constraint (OpenMP 5.2, 12.9) is about just that: as f is in no barrier, only its
 * descendants may.  Its children, that is: who is whose grandchild nobody knows any more when the child has ended.
 *
 * A child for which there is no room on f's stack begins on one of its own, when f gives way. */
static void run_child(struct qomp_frame *f)
{
	struct qti_worker *w = qti_self();

	qomp_list_run(f, (struct qomp_filter){ .parent = f });
	if (w && qti_worker_has_assigned(w))
		qthread_yield();
}

void qomp_taskyield_slowly(void)
{
	struct qomp_frame *f = qomp_frame_now();

	qomp_backoff.who = 0;
	if (!load_rlx(&f->team->tasks))
		found_nobody(f);
	else if (f->team->uses_scheduler)
		give_way(f);
	else if (f->flags & QOMP_IMPLICIT)
		run_child(f);
}
