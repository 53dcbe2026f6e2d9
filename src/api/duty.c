/* api/duty.c -- shepherds and workers that take no work for a while.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/worker.h"

static bool running(void)
{
	return load_acq(&qti_running);
}

/* The main task's is needed. */
static int shepherd_that_may_change(qthread_shepherd_id_t shep, struct qti_shepherd **s)
{
	if (!running() || shep == 0)
		return QTHREAD_NOT_ALLOWED;
	if (shep >= qti_rt.nshepherds)
		return QTHREAD_BADARGS;
	*s = &qti_rt.shepherds[shep];
	return QTHREAD_SUCCESS;
}

int qthread_disable_shepherd(qthread_shepherd_id_t shep)
{
	struct qti_shepherd *s;
	int rc = shepherd_that_may_change(shep, &s);

	if (rc == QTHREAD_SUCCESS)
		qti_duty_set_shepherd(s, true);
	return rc;
}

void qthread_enable_shepherd(qthread_shepherd_id_t shep)
{
	struct qti_shepherd *s;

	if (shepherd_that_may_change(shep, &s) == QTHREAD_SUCCESS)
		qti_duty_set_shepherd(s, false);
}

/* Workers are dealt out to the shepherds in turn here. */
static int worker_that_may_change(qthread_worker_id_t worker, struct qti_worker **w)
{
	if (!running() || worker == 0)
		return QTHREAD_NOT_ALLOWED;
	struct qti_shepherd *s = &qti_rt.shepherds[worker % qti_rt.nshepherds];
	unsigned local = worker / qti_rt.nshepherds;
	if (local >= s->nworkers)
		return QTHREAD_BADARGS;
	*w = &s->workers[local];
	return QTHREAD_SUCCESS;
}

int qthread_disable_worker(qthread_worker_id_t worker)
{
	struct qti_worker *w;
	int rc = worker_that_may_change(worker, &w);

	if (rc == QTHREAD_SUCCESS)
		qti_duty_set_worker(w, true);
	return rc;
}

void qthread_enable_worker(qthread_worker_id_t worker)
{
	struct qti_worker *w;

	if (worker_that_may_change(worker, &w) == QTHREAD_SUCCESS)
		qti_duty_set_worker(w, false);
}
