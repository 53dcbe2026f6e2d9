/* omp/abi/kmpc_taskloop.c -- task loops, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The task that compiled code has filled in is a pattern, which never runs: pieces are copies of it, made while the
 * creator's variables are there.
 */
#include "omp/abi/kmpc_record.h"
#include "omp/abi/kmpc_schedule.h"

#include "omp/task/taskloop.h"

#include <string.h>

typedef void piece_copy(struct kmpc_task *piece, struct kmpc_task *pattern, int32_t last);

struct pattern {
	struct qomp_task *record;
	size_t lower, upper;            /* where in a task the bounds are */
	uint64_t step;
	piece_copy *copy;
};

static void *at(struct kmpc_task *task, size_t offset)
{
	return (char *)task + offset;
}

static struct qomp_task *make_piece(
	struct qomp_frame *f, const struct qomp_taskloop *loop, uint64_t from, uint64_t to, bool last)
{
	const struct pattern *p = loop->pattern;
	const struct kmpc_head *h = kmpc_head(p->record);
	struct qomp_task *t = kmpc_record_new(f, h->flags, h->bytes);
	struct kmpc_task *piece = kmpc_head(t)->task;
	uint32_t apart = piece->apart;

	memcpy(piece, h->task, h->bytes);
	piece->apart = apart;
	if (piece->shareds)
		piece->shareds = at(piece, (size_t)((char *)piece->shareds - (char *)h->task));
	*(uint64_t *)at(piece, p->lower) = from;
	*(uint64_t *)at(piece, p->upper) = to - p->step;
	if (p->copy)
		p->copy(piece, h->task, last);
	return t;
}

enum { KIND_GRAINSIZE = 1 };

static void taskloop(struct kmpc_task *task, int32_t if_clause, uint64_t *lower, uint64_t *upper, int64_t step,
	int32_t nogroup, int32_t kind, uint64_t n, int32_t strict,
	void (*copy)(struct kmpc_task *piece, struct kmpc_task *pattern, int32_t last))
{
	struct pattern p = {
		.record = kmpc_record(task), .step = (uint64_t)step, .copy = copy,
		.lower = (size_t)((char *)lower - (char *)task), .upper = (size_t)((char *)upper - (char *)task),
	};
	struct qomp_taskloop loop = {
		.deferred = if_clause != 0, .group = !nogroup, .grains = kind == KIND_GRAINSIZE, .strict = strict,
		.pieces = kind ? n : 0, .iterations = kmpc_iterations(true, 64, *lower, *upper, step),
		.start = *lower, .step = (uint64_t)step, .piece = make_piece, .pattern = &p,
	};

	loop.end = loop.start + loop.iterations * loop.step;
	if (kmpc_head(p.record)->flags & KMPC_TASK_PRIORITY)
		loop.priority = task->priority;
	qomp_taskloop(p.record->frame.parent, &loop);
	kmpc_record_drop(p.record);
}

void __kmpc_taskloop_5(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task, int32_t if_clause,
	uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t kind, uint64_t n, int32_t strict,
	void (*copy)(struct kmpc_task *piece, struct kmpc_task *pattern, int32_t last))
{
	(void)loc, (void)thread;
	qomp_tool_called();
	taskloop(task, if_clause, lower, upper, step, nogroup, kind, n, strict, copy);
}

void __kmpc_taskloop(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task, int32_t if_clause, uint64_t *lower,
                     uint64_t *upper, int64_t step, int32_t nogroup, int32_t kind, uint64_t n,
                     void (*copy)(struct kmpc_task *piece, struct kmpc_task *pattern, int32_t last))
{
	(void)loc, (void)thread;
	qomp_tool_called();
	taskloop(task, if_clause, lower, upper, step, nogroup, kind, n, 0, copy);
}
