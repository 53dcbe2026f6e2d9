/* omp/task/taskloop.h -- loops whose iterations become tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_TASKLOOP_H
#define QOMP_TASKLOOP_H

#include "omp/task/task.h"

/* A piece is a task, which a stretch of many may run at once.  It has a copy of the data, alone or with its stretch,
 * whose first two words tell where it begins and (exclusively) ends. */
struct qomp_taskloop {
	void (*fn)(void *);
	void *data;
	void (*copy)(void *to, void *from);     /* NULL: bytes */
	size_t size, align;
	bool deferred;                  /* clause if */
	bool final;
	bool group;                     /* waits for its tasks; false: clause nogroup */
	bool grains;                    /* `pieces` is the number of iterations of one */
	bool strict;
	uintptr_t *reductions;          /* of the group; NULL: none */
	int priority;                   /* clause; 0: none */
	uint64_t pieces;                /* 0: not said */
	uint64_t iterations;
	uint64_t start, end, step;      /* step: two's complement of what is taken off, counting down */

	/* Makes the record of the piece that begins there; NULL: from fn, data and copy. */
	struct qomp_task *(*piece)(
		struct qomp_frame *f, const struct qomp_taskloop *loop, uint64_t from, uint64_t to, bool last);
	void *pattern;                  /* for that */
};

void qomp_taskloop(struct qomp_frame *f, const struct qomp_taskloop *loop);

#endif
