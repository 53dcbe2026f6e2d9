/* omp/task/yield.h -- the running task lets others run.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A task that polls gives way again and again.  Where it has found nobody it looks only now and then: the less often
 * the faster it asks, so that a fast one pays next to nothing, and a slow one looks every time, but for once when it
 * has become slow.  Who has created a task since, and who is another task, looks at once.
 */
#ifndef QOMP_YIELD_H
#define QOMP_YIELD_H

#include "omp/team/frame.h"

/* The calling thread's. */
struct qomp_backoff {
	uintptr_t who;                  /* see qomp_task_identity(); 0: look */
	unsigned left, of;              /* times that it need not look */
	uint64_t looked;                /* qti_now_ns() when it did */
};

extern __thread struct qomp_backoff qomp_backoff __attribute__((tls_model("initial-exec")));

/* Another number for another task, and after it has created one; but for chance, which costs TUNE_TASKYIELDS_MAX
 * polls. */
static inline uintptr_t qomp_task_identity(const struct qomp_frame *f)
{
	return (uintptr_t)f + f->created;
}

void qomp_taskyield_slowly(void);

/* Others may run: of a team that keeps its own list, only one that this task could not be needed for. */
static inline void qomp_taskyield(void)
{
	const struct qomp_frame *f = qti_guest_word();

	if (qti_unlikely(!f || qomp_backoff.who != qomp_task_identity(f) || --qomp_backoff.left == 0))
		qomp_taskyield_slowly();
}

#endif
