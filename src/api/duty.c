/* api/duty.c -- shepherds and workers that take no work for a while.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/duty.h"
#include "core/gate.h"

/* The main task's is needed. */
static int set_shepherd(qthread_shepherd_id_t shep, bool disabled)
{
	if (shep == 0)
		return QTHREAD_NOT_ALLOWED;
	if (shep >= qti_rt.nshepherds)
		return QTHREAD_BADARGS;
	qti_duty_set_shepherd(&qti_rt.shepherds[shep], disabled);
	return QTHREAD_SUCCESS;
}

/* Workers are dealt out to the shepherds in turn here. */
static int set_worker(qthread_worker_id_t worker, bool disabled)
{
	struct qti_shepherd *s = &qti_rt.shepherds[worker % qti_rt.nshepherds];
	unsigned local = worker / qti_rt.nshepherds;

	if (worker == 0)
		return QTHREAD_NOT_ALLOWED;
	if (local >= s->nworkers)
		return QTHREAD_BADARGS;
	qti_duty_set_worker(&s->workers[local], disabled);
	return QTHREAD_SUCCESS;
}

/* There has to be a runtime. */
static int set_while_running(int (*set)(uint16_t which, bool disabled), uint16_t which, bool disabled)
{
	if (!qti_call_in())
		return QTHREAD_NOT_ALLOWED;
	int rc = set(which, disabled);
	qti_call_out();
	return rc;
}

int qthread_disable_shepherd(qthread_shepherd_id_t shep)
{
	return set_while_running(set_shepherd, shep, true);
}

void qthread_enable_shepherd(qthread_shepherd_id_t shep)
{
	(void)set_while_running(set_shepherd, shep, false);
}

int qthread_disable_worker(qthread_worker_id_t worker)
{
	return set_while_running(set_worker, worker, true);
}

void qthread_enable_worker(qthread_worker_id_t worker)
{
	(void)set_while_running(set_worker, worker, false);
}
