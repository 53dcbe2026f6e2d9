/* ds/qarray_iter.c -- loops over distributed arrays, on public calls alone.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/atomic.h"
#include "base/mem.h"
#include "ds/visit.h"

struct loop {
	struct qti_visit visit;         /* the first member: visitors find the rest behind it */
	union {
		qthread_f each;
		qa_loop_f range;
		qa_cloop_f constant;
		qa_loopr_f accum;
	} func;
	void *arg;
	char *partial;                  /* of an accumulating loop, by piece */
	size_t stride;                  /* cache lines, so that tasks do not write side by side */
};

static const struct loop *loop_of(const struct qti_visit *v)
{
	return (const struct loop *)(const void *)v;
}

/* Everybody but qarray_iter_constloop came with an array that may be written. */
static qarray *loop_array(const struct qti_visit *v)
{
	return (qarray *)(uintptr_t)v->a;
}

static void visit_each(const struct qti_visit *v, size_t piece, size_t from, size_t to)
{
	char *element = qarray_elem_nomigrate(v->a, from);

	(void)piece;
	for (size_t i = from; i < to; i++, element += v->a->unit_size)
		loop_of(v)->func.each(element);
}

static void visit_range(const struct qti_visit *v, size_t piece, size_t from, size_t to)
{
	(void)piece;
	loop_of(v)->func.range(from, to, loop_array(v), loop_of(v)->arg);
}

static void visit_constant(const struct qti_visit *v, size_t piece, size_t from, size_t to)
{
	(void)piece;
	loop_of(v)->func.constant(from, to, v->a, loop_of(v)->arg);
}

static void *loop_partial(const struct loop *l, size_t piece)
{
	return l->partial + piece * l->stride;
}

static void visit_accum(const struct qti_visit *v, size_t piece, size_t from, size_t to)
{
	const struct loop *l = loop_of(v);

	l->func.accum(from, to, loop_array(v), l->arg, loop_partial(l, piece));
}

/* The range that is there; false if it is empty. */
static bool loop_clip(struct loop *l, const qarray *a, size_t start, size_t stop)
{
	l->visit.a = a;
	l->visit.start = start;
	l->visit.stop = stop < a->count ? stop : a->count;
	return start < l->visit.stop;
}

static void loop_run(struct loop *l, size_t start, size_t stop, const qarray *a)
{
	if (!loop_clip(l, a, start, stop))
		return;
	qti_visit_cut(&l->visit);
	qti_visit_run(&l->visit);
}

void qarray_iter(qarray *a, size_t const startat, size_t const stopat, qthread_f func)
{
	struct loop l = { .visit.f = visit_each, .func.each = func };

	if (a && func)
		loop_run(&l, startat, stopat, a);
}

void qarray_iter_loop(qarray *a, size_t const startat, size_t const stopat, qa_loop_f func, void *arg)
{
	struct loop l = { .visit.f = visit_range, .func.range = func, .arg = arg };

	if (a && func)
		loop_run(&l, startat, stopat, a);
}

void qarray_iter_constloop(qarray const *a, size_t const startat, size_t const stopat, qa_cloop_f func, void *arg)
{
	struct loop l = { .visit.f = visit_constant, .func.constant = func, .arg = arg };

	if (a && func)
		loop_run(&l, startat, stopat, a);
}

/* ---- Not waiting */

struct loop_call {
	qarray *a;
	size_t startat, stopat;
	qa_loop_f func;
	void *arg;
};

static aligned_t loop_call(void *arg)
{
	const struct loop_call *c = arg;

	qarray_iter_loop(c->a, c->startat, c->stopat, c->func, c->arg);
	return 0;
}

void qarray_iter_loop_nb(qarray *a, size_t const startat, size_t const stopat, qa_loop_f func, void *arg,
	aligned_t *ret)
{
	struct loop_call c = { a, startat, stopat, func, arg };
	const bool empty = !a || !func || startat >= stopat || startat >= a->count;

	if (!empty && qthread_fork_copyargs(loop_call, &c, sizeof(c), ret) == QTHREAD_SUCCESS)
		return;
	loop_call(&c);
	if (ret)
		qthread_writeF_const(ret, 0);
}

/* ---- With a result */

/* Memory for the partial results, one per piece; false when there is none. */
static bool accum_prepare(struct loop *l, size_t size)
{
	size_t bytes;

	if (size > SIZE_MAX - QTI_CACHE_LINE)
		return false;
	l->stride = qti_mem_round(size, QTI_CACHE_LINE);
	if (__builtin_mul_overflow(l->stride, qti_visit_pieces(&l->visit), &bytes))
		return false;
	l->partial = qti_mem_aligned(QTI_CACHE_LINE, bytes ? bytes : QTI_CACHE_LINE);
	return l->partial != NULL;
}

static void accum_fold(const struct loop *l, void *ret, size_t size, qt_accum_f acc)
{
	size_t from, to;
	bool first = true;

	for (size_t piece = 0; piece < qti_visit_pieces(&l->visit); piece++) {
		if (!qti_visit_piece(&l->visit, piece, &from, &to))
			continue;
		if (!first)
			acc(ret, loop_partial(l, piece));
		else if (size > 0)
			memcpy(ret, loop_partial(l, piece), size);
		first = false;
	}
}

void qarray_iter_loopaccum(qarray *a, size_t const startat, size_t const stopat, qa_loopr_f func, void *arg, void *ret,
	size_t const retsize, qt_accum_f acc)
{
	struct loop l = { .visit.f = visit_accum, .func.accum = func, .arg = arg };

	if (!a || !func || (!ret && retsize > 0))
		return;
	if (!loop_clip(&l, a, startat, stopat)) {
		func(startat, startat, a, arg, ret);
		return;
	}
	qti_visit_cut(&l.visit);
	if (!acc || !accum_prepare(&l, retsize)) {
		func(startat, l.visit.stop, a, arg, ret);
		return;
	}
	qti_visit_run(&l.visit);
	accum_fold(&l, ret, retsize, acc);
	qti_mem_free(l.partial);
}
