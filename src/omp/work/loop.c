/* omp/work/loop.c -- see omp/work/loop.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/work/loop.h"

#include "base/least.h"
#include "base/mem.h"
#include "base/tuning.h"
#include "omp/task/reduce.h"
#include "omp/team/told.h"
#include "omp/work/doacross.h"

/* --- how the iterations are shared out ------------------------------------------------------------------- */

/* One block for each member; the first ones have one iteration more if it does not come out even. */
static void arrange_blocks(struct qomp_share_place *p, unsigned num)
{
	uint64_t each = p->range.count / p->n, over = p->range.count % p->n;

	p->at = num * each + qti_least(num, over);
	p->limit = p->at + each + (num < over);
	p->taking = QOMP_TAKE_BLOCK;
}

static void arrange_rounds(struct qomp_share_place *p, unsigned num)
{
	if (__builtin_mul_overflow(p->chunk, p->n, &p->limit))
		p->limit = UINT64_MAX;
	if (__builtin_mul_overflow(p->chunk, num, &p->at))
		p->at = p->range.count;
	p->taking = QOMP_TAKE_ROUND;
}

/* Whether `next` can become what it is when every member has added once in vain. */
static bool sums_fit(const struct qomp_share_place *p)
{
	uint64_t excess;

	return !__builtin_mul_overflow(p->chunk, (uint64_t)p->n + 1, &excess) && excess <= UINT64_MAX - p->range.count;
}

/* What is left to the library is guided, too. */
static bool is_guided(uint32_t schedule)
{
	return schedule == QOMP_GUIDED || schedule == QOMP_AUTO;
}

static bool is_by_blocks(uint32_t schedule, uint64_t chunk)
{
	return schedule == QOMP_STATIC && !chunk;
}

static struct qomp_parts_loop parts_of(const struct qomp_share_place *p)
{
	return (struct qomp_parts_loop){
		.own = p->part, .last = &p->share->turn, .chunks = (uint32_t)p->limit, .n = p->n,
		.num = (unsigned)p->at,
	};
}

/* False: there are too few chunks, or too many. */
static bool arrange_parts(struct qomp_share_place *p, const struct qomp_frame *f)
{
	uint64_t chunks = qomp_iterations(p->range.count, p->chunk);

	if (chunks < (uint64_t)p->n * TUNE_PART_CHUNKS || chunks > QOMP_PARTS_CHUNKS)
		return false;
	p->part = qomp_share_part(p, f->num, f->team->room);
	p->at = f->num;
	p->limit = chunks;
	p->taking = p->is_watched || qomp_settings.cancellation ? QOMP_TAKE_PARTS_NOTING : QOMP_TAKE_PARTS;
	struct qomp_parts_loop l = parts_of(p);
	qomp_parts_enter(&l);
	return true;
}

static void arrange_adding(struct qomp_share_place *p)
{
	p->chunk = qti_least(p->chunk, p->range.count);
	p->taking = sums_fit(p) ? QOMP_TAKE_ADDING : QOMP_TAKE_COMPARING;
	if (p->taking == QOMP_TAKE_ADDING && p->is_watched)
		p->taking = QOMP_TAKE_NOTING;   /* by the way on which somebody looks */
}

/* A team of one shares with nobody: it gets all in one piece; sections one by one, but without atomic operations. */
static void share_arrange(struct qomp_share_place *p, uint32_t schedule, uint64_t chunk, const struct qomp_frame *f)
{
	bool alone = p->n == 1;

	p->chunk = chunk ? chunk : 1;
	if (alone && schedule == QOMP_SECTIONS) {
		p->at = 0;
		p->taking = QOMP_TAKE_ALONE;
	} else if (is_guided(schedule) && !alone) {
		p->taking = QOMP_TAKE_GUIDED;
	} else if (alone || is_by_blocks(schedule, chunk)) {
		arrange_blocks(p, f->num);
	} else if (schedule == QOMP_STATIC) {
		arrange_rounds(p, f->num);
	} else if (schedule != QOMP_DYNAMIC_ANY || !arrange_parts(p, f)) {
		arrange_adding(p);
	}
}

/* --- agreeing -------------------------------------------------------------------------------------------- */

static void loop_set_up(struct qomp_share_place *p, const struct qomp_common *common)
{
	struct qomp_share *s = p->share;
	size_t memory = common->memory ? qti_mem_round((size_t)*common->memory, QTI_CACHE_LINE) : 0;
	size_t size = memory + (common->dims ? qomp_doacross_size(s, &p->range, p->n, common->dims) : 0);
	char *at = size ? qomp_share_memory(s, size) : NULL;

	if (common->dims)
		s->doacross = qomp_doacross_make(at + memory, s, &p->range, p->n, common->dims, common->counts);
}

static void loop_agree(struct qomp_frame *f, struct qomp_share_place *p, const struct qomp_loop *loop,
                  const struct qomp_common *common)
{
	struct qomp_share *s = p->share;
	bool first = qomp_share_first(s);

	if (first) {
		s->schedule = loop->schedule;
		s->chunk = loop->chunk;
		qomp_loop_resolve(f, &s->schedule, &s->chunk);
		if (common)
			loop_set_up(p, common);
	}
	if (common && common->reductions)
		qomp_reduce_workshare(f, common->reductions, first, &s->reductions);
	if (common && common->memory)
		*common->memory = s->memory;
	if (first)
		qomp_share_set(s);
}

static ompt_work_t loop_told_kind(const struct qomp_frame *f, const struct qomp_loop *loop)
{
	uint32_t schedule = loop->schedule;
	uint64_t chunk;

	qomp_loop_resolve(f, &schedule, &chunk);
	switch (schedule) {
	case QOMP_SECTIONS:
		return ompt_work_sections;
	case QOMP_STATIC:
		return ompt_work_loop_static;
	case QOMP_DYNAMIC:
	case QOMP_DYNAMIC_ANY:
		return ompt_work_loop_dynamic;
	case QOMP_GUIDED:
		return ompt_work_loop_guided;
	default:
		return ompt_work_loop_other;
	}
}

/* What shares out nothing. */
static const struct qomp_loop no_loop = { .schedule = QOMP_STATIC };

static __attribute__((noinline)) void loop_tell_begin(struct qomp_frame *f, const struct qomp_loop *loop)
{
	if (loop != &no_loop)
		qomp_tell_work_begin(qomp_told_of(f), loop_told_kind(f, loop), loop->range.count);
}

struct qomp_share_place *qomp_loop_open(struct qomp_frame *f, const struct qomp_loop *loop,
                                        const struct qomp_common *common)
{
	struct qomp_share_place *p = qomp_share_place_of(f);
	struct qomp_share *s = qomp_share_open(&f->team->shares, p, f->team->n);

	if (qomp_is_told(f))
		loop_tell_begin(f, loop);
	p->n = f->team->n;
	p->range = loop->range;
	p->mine = p->mine_end = 0;
	p->takes_turns = p->in_order = false;
	p->is_watched = f->flags & QOMP_TRACED;
	if (!qomp_is_at_run_time(loop->schedule) && !common) {
		share_arrange(p, loop->schedule, loop->chunk, f);
	} else {
		loop_agree(f, p, loop, common);
		share_arrange(p, s->schedule, s->chunk, f);
		if (common)
			p->doacross = s->doacross;
		if (common && p->doacross && p->taking == QOMP_TAKE_ADDING)
			p->taking = QOMP_TAKE_NOTING;
	}
	return p;
}

void qomp_loop_tell_end(struct qomp_frame *f, bool barrier)
{
	struct qomp_told *t = qomp_told_of(f);

	qomp_tell_work_end(t);
	if (barrier)
		qomp_tell_barrier_kind(t, ompt_sync_region_barrier_implicit_workshare);
}

void qomp_share_agree(struct qomp_frame *f, const struct qomp_common *common)
{
	qomp_share_close(qomp_loop_open(f, &no_loop, common));
}

void qomp_loop_preset(struct qomp_team *team, void *loop)
{
	team->shares.preset = *(const struct qomp_loop *)loop;
	team->shares.has_preset = true;
}

/* --- taking ---------------------------------------------------------------------------------------------- */

static bool take_block(struct qomp_share_place *p, uint64_t *i, uint64_t *n)
{
	p->taking = QOMP_TAKE_NOTHING;
	*i = p->at;
	*n = p->limit - p->at;
	return *n > 0;
}

static bool take_round(struct qomp_share_place *p, uint64_t *i, uint64_t *n)
{
	uint64_t left = p->at < p->range.count ? p->range.count - p->at : 0;

	if (left == 0) {
		p->taking = QOMP_TAKE_NOTHING;
		return false;
	}
	*i = p->at;
	*n = qti_least(p->chunk, left);
	p->at = left > p->limit ? p->at + p->limit : p->range.count;
	return true;
}

static bool take_comparing(struct qomp_share_place *p, uint64_t *i, uint64_t *n)
{
	uint64_t seen = load_rlx(&p->share->next), some;

	do {
		if (seen >= p->range.count) {
			p->taking = QOMP_TAKE_NOTHING;
			return false;
		}
		uint64_t left = p->range.count - seen;
		some = p->chunk;
		if (p->taking == QOMP_TAKE_GUIDED && some < qomp_iterations(left, p->n))
			some = qomp_iterations(left, p->n);
		some = qti_least(some, left);
	} while (!cas_acq(&p->share->next, &seen, seen + some));
	*i = seen;
	*n = some;
	return true;
}

/* In a team of one: past the next chunk; where that began. */
static uint64_t chunk_advance(struct qomp_share_place *p)
{
	uint64_t i = p->at;

	p->at = i + qti_least(p->chunk, p->range.count - i);
	return i;
}

static bool take_adding(struct qomp_share_place *p, uint64_t *i, uint64_t *n)
{
	*i = p->taking == QOMP_TAKE_ALONE ? chunk_advance(p) : add_rlx(&p->share->next, p->chunk);
	if (*i >= p->range.count) {
		p->taking = QOMP_TAKE_NOTHING;
		return false;
	}
	*n = qti_least(p->chunk, p->range.count - *i);
	return true;
}

static bool take_part(struct qomp_share_place *p, uint64_t *i, uint64_t *n)
{
	struct qomp_parts_loop l = parts_of(p);
	uint32_t chunk;

	if (!qomp_parts_take(&l, &chunk)) {
		p->taking = QOMP_TAKE_NOTHING;
		return false;
	}
	if (chunk == l.chunks)
		p->taking = QOMP_TAKE_NOTHING;
	*i = (chunk - 1) * p->chunk;
	*n = qti_least(p->chunk, p->range.count - *i);
	return true;
}

static void preset_open(struct qomp_share_place *p)
{
	struct qomp_frame *f = qomp_frame();

	p->taking = QOMP_TAKE_NOTHING;
	qomp_loop_open(f, &f->team->shares.preset, NULL);
}

/* Pieces that a member need not ask others for end early, too. */
static bool loop_cancelled(const struct qomp_share_place *p)
{
	return qomp_settings.cancellation && load_rlx(&p->share->next) > 0;
}

static inline bool chunk_take(struct qomp_share_place *p, uint64_t *i, uint64_t *n)
{
	switch (p->taking) {
	case QOMP_TAKE_BLOCK:
		return !loop_cancelled(p) && take_block(p, i, n);
	case QOMP_TAKE_ROUND:
		return !loop_cancelled(p) && take_round(p, i, n);
	case QOMP_TAKE_PARTS_NOTING:
		return !loop_cancelled(p) && take_part(p, i, n);
	case QOMP_TAKE_PARTS:
		return take_part(p, i, n);
	case QOMP_TAKE_ALONE:
	case QOMP_TAKE_ADDING:
	case QOMP_TAKE_NOTING:
		return take_adding(p, i, n);
	case QOMP_TAKE_COMPARING:
	case QOMP_TAKE_GUIDED:
		return take_comparing(p, i, n);
	case QOMP_TAKE_NOTHING:
	case QOMP_TAKE_MARKED:
	case QOMP_TAKE_PRESET:  /* opened before */
		break;
	}
	return false;
}

static void chunk_tell(uint64_t i, uint64_t n)
{
	struct qomp_told *t = qomp_told_of(qomp_frame());

	if (t && t->work == ompt_work_sections)
		qomp_tell_chunk(t, ompt_dispatch_section, i, n);
	else
		qomp_tell_chunk(t, ompt_dispatch_ws_loop_chunk, i, n);
}

static __attribute__((noinline)) void chunk_show(bool some, uint64_t i, uint64_t n)
{
	if (some && qomp_tool_here())
		chunk_tell(i, n);
	qti_guest_trace(some ? QTI_TRACE_CHUNK : QTI_TRACE_CHUNK + QTI_TRACE_END, some ? (uint32_t)n : 0, some ? i : 0);
}

bool qomp_loop_take(struct qomp_share_place *p, uint64_t *i, uint64_t *n)
{
	if (p->taking == QOMP_TAKE_PRESET)
		preset_open(p);
	bool some = chunk_take(p, i, n);

	if (qti_unlikely(p->is_watched))
		chunk_show(some, *i, *n);
	return some;
}

bool qomp_loop_next_piece(struct qomp_share_place *p, uint64_t *from, uint64_t *to)
{
	uint64_t i, n;

	if (!qomp_loop_take(p, &i, &n))
		return false;
	p->mine = i;
	p->mine_end = i + n;
	qomp_range_part(&p->range, i, n, from, to);
	return true;
}
