/* omp/task/create.h -- creating tasks: at once, deferred, or one of those for the other.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_CREATE_H
#define QOMP_CREATE_H

#include "omp/task/task.h"

/* Runs fn(data) here and now as a task of the running one, without a record.  flags: QOMP_FINAL or 0. */
void qomp_task_run_light(void (*fn)(void *), void *data, uint16_t flags);

/* A task of the running one, with a copy of `size` bytes of data as copy(to, data) makes it (NULL: byte by byte);
 * undeferred if it has to be.  flags: QOMP_FINAL and QOMP_UNDEFERRED, or 0. */
void qomp_task_create(
	void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags);

/* t, of the running task, is complete and has nothing that few tasks have: it is deferred, or runs at once. */
void qomp_task_submit(struct qomp_task *t);

/* True if the running task has as many unfinished children as is good for it: run the next one at once. */
bool qomp_task_crowded(struct qomp_frame *f);

/* The same if the next one has dependences. */
bool qomp_task_crowded_waiting(struct qomp_frame *f);

/* It is crowded, and the next one cannot run at once: runs some of those that can. */
void qomp_task_relieve(struct qomp_frame *f);

#endif
