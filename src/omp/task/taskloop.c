/* omp/task/taskloop.c -- cutting a loop into tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/taskloop.h"

#include "base/park.h"
#include "base/tuning.h"
#include "omp/task/create.h"
#include "omp/task/group.h"
#include "omp/task/reduce.h"

#include <string.h>

/* How the iterations are dealt out: the first `longer` pieces have one more than the others;
 * the last may have fewer. */
struct cut {
	uint64_t pieces;
	uint64_t length;
	uint64_t longer;
};

static struct cut even_cut(uint64_t iterations, uint64_t pieces)
{
	return (struct cut){ pieces, iterations / pieces, iterations % pieces };
}

static struct cut loop_cut(const struct qomp_taskloop *loop, unsigned threads)
{
	uint64_t n = loop->iterations;
	uint64_t asked = loop->pieces ? loop->pieces : loop->grains ? 1 : threads;

	if (!loop->grains)
		return even_cut(n, asked < n ? asked : n);
	if (loop->strict)
		return (struct cut){ (n - 1) / asked + 1, asked, 0 };
	return even_cut(n, n / asked ? n / asked : 1);
}

/* --- pieces ---------------------------------------------------------------------------------------------- */

/* What tells the pieces of a loop apart, in a line that is only read while they run. */
struct deal {
	struct cut cut QTI_ALIGNED_LINE;
	uint64_t start, end, step;
	void (*fn)(void *);
	uint16_t flags;                 /* of the pieces: QOMP_FINAL or 0 */
};

_Static_assert(sizeof(struct deal) == QTI_CACHE_LINE, "who takes a stretch reads one line");

/* Those before the last end where the next begins: on the grid, which the loop's end need not be. */
static inline uint64_t begin_of(const struct deal *d, uint64_t i)
{
	uint64_t longer = i < d->cut.longer ? i : d->cut.longer;

	return d->start + (i * d->cut.length + longer) * d->step;
}

static inline void set_bounds(void *data, const struct deal *d, uint64_t i)
{
	uint64_t *bounds = data;

	bounds[0] = begin_of(d, i);
	bounds[1] = i + 1 < d->cut.pieces ? begin_of(d, i + 1) : d->end;
}

static struct qomp_task *copied_piece(
	struct qomp_frame *f, const struct qomp_taskloop *loop, const struct deal *d, uint64_t i)
{
	struct qomp_task *t = qomp_task_new(f, loop->fn, loop->size, loop->align);

	if (loop->copy) {
		loop->copy(t->frame.data, loop->data);
		t->frame.flags |= QOMP_COPIED;
	} else {
		memcpy(t->frame.data, loop->data, loop->size);
	}
	set_bounds(t->frame.data, d, i);
	return t;
}

static struct qomp_task *made_piece(
	struct qomp_frame *f, const struct qomp_taskloop *loop, const struct deal *d, uint64_t i)
{
	bool last = i + 1 == d->cut.pieces;

	return loop->piece(f, loop, begin_of(d, i), last ? d->end : begin_of(d, i + 1), last);
}

static struct qomp_task *loop_piece(
	struct qomp_frame *f, const struct qomp_taskloop *loop, const struct deal *d, uint64_t i)
{
	struct qomp_task *t = loop->piece ? made_piece(f, loop, d, i) : copied_piece(f, loop, d, i);

	t->frame.flags |= d->flags;
	qomp_task_set_priority(t, loop->priority);
	return t;
}

static void push_piece(struct qomp_frame *f, const struct qomp_taskloop *loop, const struct deal *d, uint64_t i)
{
	struct qomp_task *t = loop_piece(f, loop, d, i);

	qomp_task_count(t);
	qomp_task_push(t);
}

/* Every piece is a task to the tool. */
static __attribute__((noinline)) void deal_told(
	struct qomp_frame *f, const struct qomp_taskloop *loop, const struct deal *d, bool deferred)
{
	for (uint64_t i = 0; i < d->cut.pieces; i++) {
		struct qomp_task *t = loop_piece(f, loop, d, i);
		bool at_once = !deferred || qomp_task_crowded(f);
		qomp_task_tell(t, !at_once, NULL);
		if (at_once) {
			qomp_task_run(t);
		} else {
			qomp_task_count(t);
			qomp_task_push(t);
		}
	}
}

/* One that runs at once needs no copy of what is only read, but for the bounds. */
static inline void run_on(void *data, const struct deal *d, uint64_t i)
{
	set_bounds(data, d, i);
	qomp_task_run_light(d->fn, data, d->flags);
}

static void run_pieces(
	struct qomp_frame *f, const struct qomp_taskloop *loop, const struct deal *d, uint64_t i, uint64_t n)
{
	for (uint64_t end = i + n; i < end; i++) {
		if (qti_likely(loop->copy == NULL && loop->piece == NULL))
			run_on(loop->data, d, i);
		else
			qomp_task_run(loop_piece(f, loop, d, i));
	}
}

/* --- stretches ------------------------------------------------------------------------------------------- */

/* Where there are many pieces for each thread, several go into one task, which runs each as an undeferred one of its
 * own.  These stretches become shorter towards the end, as the chunks of guided loops do (Polychronopoulos and Kuck,
 * IEEE Transactions on Computers 36, 1987), so that threads end together. */
enum { STRETCH_DATA = 256 };     /* bytes of a piece's data */

/* In the frame of whoever meets the loop, who waits. */
struct share {
	struct deal deal;
	size_t size;
	int priority;
	char data[STRETCH_DATA] QTI_ALIGNED_LINE;       /* the creator's own are written to as it runs pieces */
};

struct stretch {
	const struct share *share;
	uint64_t first, n;
};

static void push_stretch(struct qomp_frame *f, const struct share *share, uint64_t first, uint64_t n);

/* Pieces may be larger than most, and next to each other: when some have taken long and a thread has nothing to do, it
 * is left half of the rest. */

static bool others_want(void)
{
	return qti_host_has_idle();
}

static __attribute__((noinline)) uint64_t hand_over(
	const struct share *share, uint64_t next, uint64_t end, uint64_t *begun)
{
	uint64_t now = qti_now_ns(), half = (end - next) / 2;

	if (now - *begun < TUNE_STRETCH_LONG_NS)
		return end;
	*begun = now;
	push_stretch(qomp_frame(), share, end - half, half);
	return end - half;
}

static void run_stretch(void *arg)
{
	const struct stretch *s = arg;
	const struct share *share = s->share;
	const struct deal d = share->deal;
	uint64_t begun = qti_now_ns();
	char data[STRETCH_DATA] __attribute__((aligned(QOMP_ARG_ALIGN)));

	memcpy(data, share->data, share->size);
	for (uint64_t i = s->first, end = i + s->n; i < end; i++) {
		run_on(data, &d, i);
		if (end - i > 2 && qti_unlikely(others_want()))
			end = hand_over(share, i + 1, end, &begun);
	}
}

static void push_stretch(struct qomp_frame *f, const struct share *share, uint64_t first, uint64_t n)
{
	struct qomp_task *t = qomp_task_new(f, run_stretch, sizeof(struct stretch), _Alignof(struct stretch));

	*(struct stretch *)t->frame.data = (struct stretch){ share, first, n };
	qomp_task_set_priority(t, share->priority);
	qomp_task_count(t);
	qomp_task_push(t);
}

static uint64_t stretch_of(uint64_t left, unsigned threads)
{
	uint64_t n = left / (TUNE_STRETCHES_EACH * (uint64_t)threads);

	return n < 1 ? 1 : n < TUNE_STRETCH ? n : TUNE_STRETCH;
}

static bool may_stretch(const struct qomp_taskloop *loop)
{
	return loop->group && !loop->copy && !loop->piece && loop->size <= STRETCH_DATA &&
		loop->align <= QOMP_ARG_ALIGN;
}

/* --- the loop -------------------------------------------------------------------------------------------- */

static void share_out(struct qomp_frame *f, const struct qomp_taskloop *loop, const struct share *share)
{
	const struct deal *d = &share->deal;
	bool stretches = may_stretch(loop);

	for (uint64_t i = 0, n; i < d->cut.pieces; i += n) {
		n = stretches ? stretch_of(d->cut.pieces - i, f->team->n) : 1;
		if (qomp_task_crowded(f))
			run_pieces(f, loop, d, i, n);
		else if (n > 1)
			push_stretch(f, share, i, n);
		else
			push_piece(f, loop, d, i);
	}
}

static void deal_out(struct qomp_frame *f, const struct qomp_taskloop *loop, struct share *share)
{
	bool at_once = !loop->deferred || f->flags & QOMP_FINAL || qomp_frame_runs_alone(f);

	share->deal = (struct deal){
		.cut = loop_cut(loop, f->team->n), .start = loop->start, .end = loop->end, .step = loop->step,
		.fn = loop->fn, .flags = loop->final ? QOMP_FINAL : 0,
	};
	if (qomp_is_told(f)) {
		deal_told(f, loop, &share->deal, !at_once);
		return;
	}
	if (at_once) {
		run_pieces(f, loop, &share->deal, 0, share->deal.cut.pieces);
		return;
	}
	share->size = loop->size;
	share->priority = loop->priority;
	if (may_stretch(loop))
		memcpy(share->data, loop->data, loop->size);
	share_out(f, loop, share);
}

static void taskloop_run(struct qomp_frame *f, const struct qomp_taskloop *loop)
{
	struct share share;

	if (loop->group)
		qomp_group_start(f);
	if (loop->reductions)
		qomp_reduce_register(f, loop->reductions, f->team->n);
	deal_out(f, loop, &share);
	if (loop->group)
		qomp_group_end(f);
	if (qomp_frame_is_initial(f))
		qomp_task_catch_up(f);
}

static __attribute__((noinline)) void taskloop_told(struct qomp_frame *f, const struct qomp_taskloop *loop)
{
	struct qomp_told *t = qomp_is_told(f) ? qomp_told_of(f) : NULL;

	qomp_tell_taskloop(t, ompt_scope_begin, loop->iterations);
	taskloop_run(f, loop);
	qomp_tell_taskloop(t, ompt_scope_end, loop->iterations);
}

void qomp_taskloop(struct qomp_frame *f, const struct qomp_taskloop *loop)
{
	if (loop->iterations == 0) {
		if (loop->reductions)
			loop->reductions[QOMP_REDUCE_BLOCK] = 0;        /* compiled code has nothing to add up */
	} else if (qti_unlikely(f->flags & QOMP_TRACED)) {
		taskloop_told(f, loop);
	} else {
		taskloop_run(f, loop);
	}
}
