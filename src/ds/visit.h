/* ds/visit.h -- visiting a range of a qarray: each piece of it by a task of its owner.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A range is cut into pieces: each segment into `parts` of neighbouring elements, where the range has too few segments
 * to keep all workers busy, and each part is visited `repeats` times, for a visitor that has more to do with an element
 * than one task should.  Pieces are numbered in this order: by segment, by part, by repetition.
 */
#ifndef QTI_DS_VISIT_H
#define QTI_DS_VISIT_H

#include "qthread/qarray.h"

#include <stdbool.h>

struct qti_visit;

/* Called once for each piece that has elements, from ... to - 1, which are of one segment. */
typedef void (*qti_visit_f)(const struct qti_visit *v, size_t piece, size_t from, size_t to);

struct qti_visit {
	/* The caller's to set. */
	const qarray *a;
	size_t start, stop;             /* stop <= a->count, start < stop */
	qti_visit_f f;

	/* The cut, by qti_visit_cut. */
	size_t first;                   /* segment */
	size_t nsegments;
	size_t parts, repeats;
};

/* How many pieces keep the workers busy to the end, though some may take longer than others. */
size_t qti_visit_wanted(void);

void qti_visit_cut(struct qti_visit *v);

static inline size_t qti_visit_pieces(const struct qti_visit *v)
{
	return v->nsegments * v->parts * v->repeats;
}

/* The elements of a piece; false if it has none. */
bool qti_visit_piece(const struct qti_visit *v, size_t piece, size_t *from, size_t *to);

/* Visit all pieces and wait for that.  What cannot be forked, the caller visits. */
void qti_visit_run(const struct qti_visit *v);

#endif
