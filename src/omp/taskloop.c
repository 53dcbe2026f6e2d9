/* omp/taskloop.c -- cutting a loop into tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/taskloop.h"

#include "omp/group.h"
#include "omp/reduce.h"

#include <string.h>

/* How the iterations are dealt out: the first `longer` pieces have one more than the others; the last may have fewer. */
struct cut {
	uint64_t pieces;
	uint64_t length;
	uint64_t longer;
};

static struct cut even(uint64_t iterations, uint64_t pieces)
{
	return (struct cut){ pieces, iterations / pieces, iterations % pieces };
}

static struct cut cut(const struct qomp_taskloop *loop, unsigned threads)
{
	uint64_t n = loop->iterations;
	uint64_t asked = loop->pieces ? loop->pieces : loop->grains ? 1 : threads;

	if (!loop->grains)
		return even(n, asked < n ? asked : n);
	if (loop->strict)
		return (struct cut){ (n - 1) / asked + 1, asked, 0 };
	return even(n, n / asked ? n / asked : 1);
}

static void set_bounds(void *data, uint64_t begin, uint64_t end)
{
	uint64_t *bounds = data;

	bounds[0] = begin;
	bounds[1] = end;
}

static struct qomp_task *piece(struct qomp_frame *f, const struct qomp_taskloop *loop, uint64_t begin, uint64_t end)
{
	struct qomp_task *t = qomp_task_new(f, loop->fn, loop->size, loop->align);

	if (loop->copy) {
		loop->copy(t->frame.data, loop->data);
		t->frame.flags |= QOMP_COPIED;
	} else {
		memcpy(t->frame.data, loop->data, loop->size);
	}
	set_bounds(t->frame.data, begin, end);
	if (loop->final)
		t->frame.flags |= QOMP_FINAL;
	return t;
}

/* A piece that runs before the next is made needs no copy of what is only read. */
static inline void run_piece(struct qomp_frame *f, const struct qomp_taskloop *loop, uint64_t begin, uint64_t end)
{
	if (qti_unlikely(loop->copy != NULL)) {
		qomp_task_run(piece(f, loop, begin, end));
		return;
	}
	set_bounds(loop->data, begin, end);
	qomp_task_run_light(loop->fn, loop->data, loop->final ? QOMP_FINAL : 0);
}

/* The end of a piece lies on the grid, but for the last one's: that might overflow. */
static void deal_out(struct qomp_frame *f, const struct qomp_taskloop *loop)
{
	struct cut c = cut(loop, f->team->n);
	bool at_once = !loop->deferred || f->flags & QOMP_FINAL || f->team->n == 1;
	uint64_t begin = loop->start;

	for (uint64_t i = 0; i < c.pieces; i++) {
		uint64_t after = begin + (c.length + (i < c.longer)) * loop->step;
		uint64_t end = i + 1 < c.pieces ? after : loop->end;
		if (at_once || qomp_task_crowded(f)) {
			run_piece(f, loop, begin, end);
		} else {
			struct qomp_task *t = piece(f, loop, begin, end);
			qomp_task_count(t);
			qomp_task_push(t);
		}
		begin = after;
	}
}

void qomp_taskloop(struct qomp_frame *f, const struct qomp_taskloop *loop)
{
	if (loop->iterations == 0) {
		if (loop->reductions)
			loop->reductions[QOMP_REDUCE_BLOCK] = 0;        /* compiled code has nothing to add up */
		return;
	}
	if (loop->group)
		qomp_group_start(f);
	if (loop->reductions)
		qomp_reduce_register(f, loop->reductions, f->team->n);
	deal_out(f, loop);
	if (loop->group)
		qomp_group_end(f);
}
