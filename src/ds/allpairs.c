/* ds/allpairs.c -- every element of one array with every element of another.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A task takes a range of rows, elements of the first array, that its shepherd owns, and a stretch of columns, elements
 * of the second.  Within, it takes blocks of rows and columns that lie in a first-level cache together, so that each
 * element is fetched once per block of the other array and not once per pair.
 *
 * Columns are cut into stretches only where there are too few rows to go around.
 */
#include "base/tuning.h"
#include "ds/visit.h"
#include "qthread/allpairs.h"

struct pairs {
	struct qti_visit visit;         /* of the rows; the first member: the visitor finds the rest behind it */
	const qarray *columns;
	dist_f plain;                   /* one of these two is set */
	dist_out_f storing;
	void *restrict *output;
	size_t outsize;
};

/* Neighbours in one segment of an array. */
struct block {
	size_t from, to;
	const char *element;            /* number `from` */
	size_t unit;
};

/* The block that begins at `from`: to the end of the segment at most, nor beyond `to`. */
static struct block block_at(const qarray *a, size_t from, size_t to)
{
	const size_t left = a->segment_size - from % a->segment_size;
	const size_t fit = a->unit_size < TUNE_PAIRS_BYTES ? TUNE_PAIRS_BYTES / a->unit_size : 1;
	const size_t n = left < fit ? left : fit;

	return (struct block){ from, to - from > n ? from + n : to, qarray_elem_nomigrate(a, from), a->unit_size };
}

static void block_plain(dist_f f, struct block rows, struct block columns)
{
	for (; rows.from < rows.to; rows.from++, rows.element += rows.unit) {
		const char *column = columns.element;
		for (size_t j = columns.from; j < columns.to; j++, column += columns.unit)
			f(rows.element, column);
	}
}

static void block_storing(const struct pairs *p, struct block rows, struct block columns)
{
	for (; rows.from < rows.to; rows.from++, rows.element += rows.unit) {
		const char *column = columns.element;
		char *out = (char *)p->output[rows.from] + columns.from * p->outsize;
		for (size_t j = columns.from; j < columns.to; j++, column += columns.unit, out += p->outsize)
			p->storing(rows.element, column, out);
	}
}

static void pairs_visit(const struct qti_visit *v, size_t piece, size_t from, size_t to)
{
	const struct pairs *p = (const struct pairs *)(const void *)v;
	/* The stretches are of n / repeats columns, the first n % repeats of them of one more. */
	const size_t stretch = piece % v->repeats;
	const size_t share = p->columns->count / v->repeats, longer = p->columns->count % v->repeats;
	const size_t first = stretch * share + (stretch < longer ? stretch : longer);
	const size_t last = first + share + (stretch < longer);
	struct block rows, columns;

	for (size_t i = from; i < to; i = rows.to) {
		rows = block_at(v->a, i, to);
		for (size_t j = first; j < last; j = columns.to) {
			columns = block_at(p->columns, j, last);
			if (p->plain)
				block_plain(p->plain, rows, columns);
			else
				block_storing(p, rows, columns);
		}
	}
}

static void pairs_run(struct pairs *p)
{
	const size_t wanted = qti_visit_wanted();
	struct qti_visit *v = &p->visit;

	v->start = 0;
	v->stop = v->a->count;
	v->f = pairs_visit;
	qti_visit_cut(v);
	if (v->stop < wanted) {
		const size_t repeats = (wanted + v->stop - 1) / v->stop;
		v->repeats = repeats < p->columns->count ? repeats : p->columns->count;
	}
	qti_visit_run(v);
}

void qt_allpairs(qarray const *array1, qarray const *array2, dist_f distfunc)
{
	struct pairs p = { .visit.a = array1, .columns = array2, .plain = distfunc };

	if (array1 && array2 && distfunc)
		pairs_run(&p);
}

void qt_allpairs_output(qarray const *array1, qarray const *array2, dist_out_f distfunc,
	void *restrict *restrict output, size_t outsize)
{
	struct pairs p = {
		.visit.a = array1, .columns = array2, .storing = distfunc, .output = output, .outsize = outsize
	};

	if (array1 && array2 && distfunc && output)
		pairs_run(&p);
}
