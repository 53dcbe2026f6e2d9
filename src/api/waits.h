/* api/waits.h -- who waits for what: a list of it, and what it says about deadlocks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_API_WAITS_H
#define QTI_API_WAITS_H

#include <stdbool.h>
#include <stddef.h>

struct qti_wait;

/* As it was found.  Tasks of the main task's program and of guests. */
struct qti_waits {
	struct qti_wait *wait;          /* NULL: no memory */
	size_t n, room;
	size_t tasks, threads;          /* that wait: more than n, perhaps */
	bool still;                     /* all workers sleep */
};

/* How many threads that are no workers sleep in there, woken by nobody yet. */
size_t qti_waits_threads(void);

/* From any thread.  What is missing for want of memory is counted. */
void qti_waits_take(struct qti_waits *all);
void qti_waits_free(struct qti_waits *all);

/* Lines on stderr: who waits, for what, who is known to end that, and which of them wait for each other. */
void qti_waits_print(const struct qti_waits *all);

#endif
