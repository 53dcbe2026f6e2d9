/* omp/task/request.h -- creating a task that has dependences, an event or a priority.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_REQUEST_H
#define QOMP_REQUEST_H

#include "omp/task/create.h"

/* What its creator says.  Most tasks have none of the last three, and qomp_task_create gets the others in registers. */
struct qomp_request {
	void (*fn)(void *);
	void *data;
	void (*copy)(void *to, void *from);     /* NULL: byte by byte */
	size_t size, align;
	uint16_t flags;                 /* QOMP_FINAL and QOMP_UNDEFERRED, or 0 */
	void **depend;                  /* clauses (omp/task/depend.c); NULL: none */
	void *detach;                   /* where the handle goes; NULL: there is no event */
	int priority;                   /* 0: none */
};

void qomp_task_request(const struct qomp_request *r);

/* The same of t, whose record is complete but for its dependences. */
void qomp_task_submit_known(struct qomp_task *t, void **depend);

#endif
