/* io/absent.c -- see io/absent.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "io/absent.h"

#include "core/loop.h"
#include "core/ready.h"

static struct {
	struct qti_lock lock;
	uint64_t now, ever;
	struct qti_task *waiting;       /* the main task, in finalize */
} absent;

void qti_absent_reset(void)
{
	absent = (__typeof__(absent)){ .now = 0 };
}

void qti_absent_add(void)
{
	qti_lock_take(&absent.lock);
	absent.now++;
	absent.ever++;
	qti_lock_drop(&absent.lock);
}

void qti_absent_remove(void)
{
	struct qti_task *t = NULL;

	qti_lock_take(&absent.lock);
	if (--absent.now == 0) {
		t = absent.waiting;
		absent.waiting = NULL;
	}
	qti_lock_drop(&absent.lock);
	if (t)
		qti_ready(t);
}

bool qti_absent_none(uint64_t *ever)
{
	qti_lock_take(&absent.lock);
	bool none = absent.now == 0;
	*ever = absent.ever;
	qti_lock_drop(&absent.lock);
	return none;
}

static bool wait_for_none(struct qti_task *main_task, void *unused)
{
	(void)unused;
	qti_lock_take(&absent.lock);
	bool none = absent.now == 0;
	if (!none)
		absent.waiting = main_task;
	qti_lock_drop(&absent.lock);
	return !none;
}

int qti_absent_wait(void)
{
	int rc = qti_suspend_prepare(qti_self());

	if (rc == QTHREAD_SUCCESS)
		qti_suspend(wait_for_none, NULL);
	return rc;
}
