/* ds/visit.c -- see ds/visit.h; on public calls alone.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each shepherd that owns something in the range gets one task, pinned to it, which forks a helper for each further
 * worker of the shepherd.  They take pieces one by one, by a cursor per shepherd: the number of the lowest piece that
 * may not have been taken yet.  A compare-and-swap moves it behind the shepherd's next piece, so each piece is taken
 * once, whatever the number of helpers; without any, the first task takes them all.
 *
 * The owners are those at the beginning.  Otherwise a segment given away during the visit might be passed by its new
 * owner's cursor already, or be visited twice.
 *
 * No order hangs on a cursor: the number is all that goes from task to task.  What the caller wrote comes with the
 * fork, what the tasks wrote goes with the sinc.  Checked by test/api/qarray.c and test/stress/qarray.c.
 */
#include "base/mem.h"
#include "base/tuning.h"
#include "ds/qarray.h"
#include "ds/visit.h"
#include "qthread/sinc.h"

enum { VISIT_LOCAL_SHARES = 8 };        /* on the caller's stack; more come from the heap */

/* What the tasks of one shepherd share.  A line each: the shepherds do not disturb each other. */
struct QTI_ALIGNED_LINE share {
	size_t cursor;
	struct crew *crew;
	qthread_shepherd_id_t shep;
	bool has_any;
};

struct crew {
	const struct qti_visit *visit;
	size_t npieces;
	size_t nsheps;
	qthread_shepherd_id_t *owner;   /* of a DIST array's segments from the first one of the range */
	qthread_shepherd_id_t only;     /* of an ALL_SAME array */
	struct share *share;            /* [nsheps] */
	qt_sinc_t done;
};

/* ---- Pieces */

size_t qti_visit_wanted(void)
{
	const size_t workers = qthread_num_workers();

	return workers > 1 ? TUNE_VISIT_PIECES * workers : 1;
}

void qti_visit_cut(struct qti_visit *v)
{
	const size_t size = v->a->segment_size, wanted = qti_visit_wanted(), n = v->stop - v->start;
	const size_t most = n < size ? n : size;        /* no part without an element, if there is but one segment */

	v->first = v->start / size;
	v->nsegments = (v->stop - 1) / size - v->first + 1;
	v->parts = (wanted + v->nsegments - 1) / v->nsegments;
	if (v->parts > most)
		v->parts = most;
	v->repeats = 1;
}

bool qti_visit_piece(const struct qti_visit *v, size_t piece, size_t *from, size_t *to)
{
	const size_t part = piece / v->repeats;
	const size_t begin = (v->first + part / v->parts) * v->a->segment_size;
	const size_t low = begin > v->start ? begin : v->start;
	const size_t high = v->stop - begin > v->a->segment_size ? begin + v->a->segment_size : v->stop;

	*from = low + (high - low) * (part % v->parts) / v->parts;
	*to = low + (high - low) * (part % v->parts + 1) / v->parts;
	return *from < *to;
}

static void piece_run(const struct qti_visit *v, size_t piece)
{
	size_t from, to;

	if (qti_visit_piece(v, piece, &from, &to))
		v->f(v, piece, from, to);
}

/* ---- Segments, counted from the first one of the range */

static qthread_shepherd_id_t segment_owner(const struct crew *c, size_t segment)
{
	switch (c->visit->a->dist_type) {
	case DIST:
		return c->owner[segment];
	case ALL_SAME:
		return c->only;
	default:
		return qti_qarray_owner(c->visit->a, c->visit->first + segment, c->nsheps);
	}
}

/* The first one behind `segment` that may have another owner. */
static size_t segment_run_end(const struct crew *c, size_t segment)
{
	const qarray *a = c->visit->a;

	if (a->dist_type == ALL_SAME)
		return c->visit->nsegments;
	if (a->dist_type != FIXED_FIELDS)
		return segment + 1;

	const size_t share = a->dist_specific.stripes.segs_per_shep, longer = a->dist_specific.stripes.extras;
	const size_t field = qti_qarray_field(a, c->visit->first + segment);
	return (field + 1) * share + (field < longer ? field + 1 : longer) - c->visit->first;
}

/* The shepherd's first one from `segment` on; nsegments or more: none. */
static size_t segment_next(const struct crew *c, size_t segment, size_t shep)
{
	if (c->visit->a->dist_type == FIXED_HASH)
		return segment + (shep + c->nsheps - (c->visit->first + segment) % c->nsheps) % c->nsheps;
	while (segment < c->visit->nsegments && segment_owner(c, segment) != shep)
		segment = segment_run_end(c, segment);
	return segment;
}

/* ---- A shepherd's share */

/* The shepherd's first piece from `piece` on; npieces or more: none. */
static size_t share_next(const struct share *s, size_t piece)
{
	const size_t each = s->crew->visit->parts * s->crew->visit->repeats;
	const size_t segment = segment_next(s->crew, piece / each, s->shep);

	return segment == piece / each ? piece : segment * each;
}

static bool share_take(struct share *s, size_t *piece)
{
	size_t seen = load_rlx(&s->cursor);

	do {
		*piece = share_next(s, seen);
		if (*piece >= s->crew->npieces)
			return false;
	} while (!cas_acq(&s->cursor, &seen, *piece + 1));
	return true;
}

static aligned_t share_help(void *arg)
{
	struct share *s = arg;
	size_t piece;

	while (share_take(s, &piece))
		piece_run(s->crew->visit, piece);
	return 0;
}

static void share_fork(struct share *s, qthread_f f)
{
	if (qthread_spawn(f, s, 0, &s->crew->done, 0, NULL, s->shep, QTHREAD_SPAWN_RET_SINC_VOID) == QTHREAD_SUCCESS)
		return;
	share_help(s);
	qt_sinc_submit(&s->crew->done, NULL);
}

/* The first task.  Its own submission is outstanding, so more can be announced. */
static aligned_t share_begin(void *arg)
{
	struct share *s = arg;
	const size_t workers = qthread_num_workers_local(s->shep);
	const size_t most = workers < s->crew->npieces ? workers : s->crew->npieces;

	if (most > 1) {
		qt_sinc_expect(&s->crew->done, most - 1);
		for (size_t i = 1; i < most; i++)
			share_fork(s, share_help);
	}
	return share_help(s);
}

/* ---- All of it */

/* Find who has something in the range, and where it begins.  Returns how many these are. */
static size_t crew_assign(struct crew *c)
{
	const size_t each = c->visit->parts * c->visit->repeats;
	size_t found = 0;

	for (size_t i = 0; i < c->nsheps; i++)
		c->share[i] = (struct share){ .crew = c, .shep = (qthread_shepherd_id_t)i };
	for (size_t s = 0; s < c->visit->nsegments && found < c->nsheps; s = segment_run_end(c, s)) {
		struct share *share = &c->share[segment_owner(c, s)];
		if (share->has_any)
			continue;
		share->has_any = true;
		share->cursor = s * each;
		found++;
	}
	return found;
}

static void crew_work(struct crew *c)
{
	const size_t shares = crew_assign(c);

	qt_sinc_init(&c->done, 0, NULL, NULL, shares);
	for (size_t i = 0; i < c->nsheps; i++) {
		if (!c->share[i].has_any)
			continue;
		if (c->nsheps == 1 && qthread_shep() != NO_SHEPHERD) {
			share_begin(&c->share[i]);      /* the caller is where it has to be */
			qt_sinc_submit(&c->done, NULL);
		} else {
			share_fork(&c->share[i], share_begin);
		}
	}
	qt_sinc_wait(&c->done, NULL);
	qt_sinc_fini(&c->done);
}

/* Note whose the segments are now.  False when memory is short. */
static bool crew_freeze(struct crew *c)
{
	const struct qti_visit *v = c->visit;

	if (v->a->dist_type == ALL_SAME)
		c->only = qti_qarray_owner(v->a, 0, c->nsheps);
	if (v->a->dist_type != DIST)
		return true;
	c->owner = qti_mem_alloc(v->nsegments * sizeof(*c->owner));
	for (size_t s = 0; c->owner && s < v->nsegments; s++)
		c->owner[s] = qti_qarray_owner(v->a, v->first + s, c->nsheps);
	return c->owner != NULL;
}

static bool crew_run(const struct qti_visit *v, size_t nsheps)
{
	struct share local[VISIT_LOCAL_SHARES];
	struct share *heap = NULL;
	struct crew c = { .visit = v, .npieces = qti_visit_pieces(v), .nsheps = nsheps, .share = local };
	bool ready;

	if (nsheps > VISIT_LOCAL_SHARES)
		c.share = heap = qti_mem_aligned(QTI_CACHE_LINE, nsheps * sizeof(*heap));
	ready = c.share && crew_freeze(&c);
	if (ready)
		crew_work(&c);
	qti_mem_free(c.owner);
	qti_mem_free(heap);
	return ready;
}

void qti_visit_run(const struct qti_visit *v)
{
	const size_t nsheps = qti_qarray_nsheps();

	if (nsheps > 0 && crew_run(v, nsheps))
		return;
	for (size_t piece = 0; piece < qti_visit_pieces(v); piece++)
		piece_run(v, piece);
}
