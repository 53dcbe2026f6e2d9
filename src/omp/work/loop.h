/* omp/work/loop.h -- sharing out the iterations of a loop, or sections, to the members of a team.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Iterations are numbered from 0 and given out by number; indices, signed or not, are numbers modulo 2^64.
 *
 * What is given out dynamically and in order is before the share's `next`, which each member raises by the size of a
 * chunk.  Nothing else is behind that word, so its accesses are relaxed.  A member adds once in vain, when nothing is
 * left; where the sum could overflow then, it compares and swaps instead.  Where the program leaves the order open,
 * each member has a part of the chunks, and takes from others' then (omp/team/parts.h).
 */
#ifndef QOMP_LOOP_H
#define QOMP_LOOP_H

#include "base/container.h"
#include "omp/team/barrier.h"
#include "omp/team/standing.h"
#include "omp/team/told.h"
#include "omp/work/range.h"

/* A chunk size as the clause has it: bad ones count as none. */
static inline uint64_t qomp_chunk_long(long chunk)
{
	return chunk > 0 ? (uint64_t)chunk : 0;
}

/* What the members of a construct have in common besides the loop: GCC's task reductions, conditional lastprivate,
 * inclusive scans, and loops with ordered(n). */
struct qomp_common {
	uintptr_t *reductions;          /* NULL: none */
	void **memory;                  /* NULL, or *memory is a number of bytes and becomes where they are */
	unsigned dims;                  /* 0, or how many loops are ordered */
	const void *counts;             /* of their iterations: numbers of 64 bits */
};

/* An implicit task's: its frame is in the member itself. */
static inline struct qomp_share_place *qomp_share_place_with(struct qomp_frame *f)
{
	return &qti_container_of(f, struct qomp_member, frame)->share;
}

static inline struct qomp_share_place *qomp_share_place_of(struct qomp_frame *f)
{
	return qti_likely(f->flags & QOMP_IMPLICIT) ? qomp_share_place_with(f) : &qomp_member(f)->share;
}

/* The calling task's. */
static inline struct qomp_share_place *qomp_share_place(void)
{
	return qomp_share_place_of(qomp_frame_now());
}

/* The tool is told that f's task leaves what it has come to; a barrier follows. */
void qomp_loop_tell_end(struct qomp_frame *f, bool barrier);

/* The running implicit task, f's, comes to a loop.  common: NULL if there is nothing to say. */
struct qomp_share_place *qomp_loop_open(struct qomp_frame *f, const struct qomp_loop *loop,
                                        const struct qomp_common *common);

static inline bool qomp_is_at_run_time(uint32_t schedule)
{
	return schedule == QOMP_RUNTIME || schedule == QOMP_RUNTIME_ANY;
}

/* The schedule for what is to be decided at run time. */
static inline void qomp_loop_resolve(const struct qomp_frame *f, uint32_t *schedule, uint64_t *chunk)
{
	bool any = *schedule == QOMP_RUNTIME_ANY && !f->icv->monotonic;

	if (qomp_is_at_run_time(*schedule)) {
		*schedule = f->icv->schedule == QOMP_DYNAMIC && any ? QOMP_DYNAMIC_ANY : f->icv->schedule;
		*chunk = qomp_chunk_long(f->icv->chunk);
	}
}

/* The same for a construct that shares out nothing; it is in no loop then. */
void qomp_share_agree(struct qomp_frame *f, const struct qomp_common *common);

/* A region's members begin in the loop: what `prepare` of qomp_region_begin may call. */
void qomp_loop_preset(struct qomp_team *team, void *loop);

/* The iterations that come next for the member, in numbers: n > 0 from i on.  false: there are none. */
bool qomp_loop_take(struct qomp_share_place *p, uint64_t *i, uint64_t *n);

/* qomp_loop_next where it is not simple. */
bool qomp_loop_next_piece(struct qomp_share_place *p, uint64_t *from, uint64_t *to);

static inline bool qomp_loop_add(struct qomp_share_place *p, uint64_t *from, uint64_t *to)
{
	uint64_t i = add_rlx(&p->share->next, p->chunk);

	if (qti_unlikely(i >= p->range.count)) {
		p->taking = QOMP_TAKE_NOTHING;
		return false;
	}
	qomp_range_part(&p->range, i, p->chunk, from, to);
	return true;
}

/* From the member's own part.  false: ask qomp_loop_next_piece. */
static inline bool qomp_loop_part(struct qomp_share_place *p, uint64_t *from, uint64_t *to)
{
	uint32_t chunk;

	if (qti_unlikely(!qomp_part_take(p->part, &chunk)))
		return false;
	qomp_range_part(&p->range, (chunk - 1) * p->chunk, p->chunk, from, to);
	return true;
}

/* The member's next piece: indices from *from to *to, exclusively.  false: nothing is left for it, and they are as they
 * were. */
static inline bool qomp_loop_next(struct qomp_share_place *p, uint64_t *from, uint64_t *to)
{
	if (p->taking == QOMP_TAKE_PARTS && qomp_loop_part(p, from, to))
		return true;
	return p->taking == QOMP_TAKE_ADDING ? qomp_loop_add(p, from, to) : qomp_loop_next_piece(p, from, to);
}

/* The calling task's place in a loop whose next piece takes no more than qomp_loop_part or qomp_loop_add: what else
 * there is stays out of that path, which then saves no registers and touches no stack.  NULL: ask qomp_loop_next. */
static inline struct qomp_share_place *qomp_share_place_quick(void)
{
	struct qomp_frame *f = qti_guest_word();

	if (qti_unlikely(!f || !(f->flags & QOMP_IMPLICIT)))
		return NULL;
	struct qomp_share_place *p = qomp_share_place_with(f);
	return qti_likely(p->taking >= QOMP_TAKE_ADDING) ? p : NULL;
}

/* The member leaves the loop, and waits for nobody. */
static inline void qomp_loop_leave(struct qomp_frame *f)
{
	if (qomp_is_told(f))
		qomp_loop_tell_end(f, false);
	qomp_share_close(qomp_share_place_of(f));
}

/* The member leaves the loop: all wait for each other; true if the region was cancelled, and they do not. */
static inline void qomp_loop_end(struct qomp_frame *f)
{
	bool told = qomp_is_told(f);

	if (told)
		qomp_loop_tell_end(f, true);
	qomp_share_close(qomp_share_place_of(f));
	if (told)
		qomp_barrier(f);
	else
		qomp_barrier_untold(f);
}

static inline bool qomp_loop_end_cancel(struct qomp_frame *f)
{
	if (qomp_is_told(f))
		qomp_loop_tell_end(f, true);
	qomp_share_close(qomp_share_place_of(f));
	return qomp_barrier_cancel(f);
}

/* Sections are a loop over their numbers, from 1 on. */
static inline struct qomp_loop qomp_sections(unsigned count)
{
	return (struct qomp_loop){
		.range = { .first = 1, .end = (uint64_t)count + 1, .step = 1, .count = count },
		.schedule = QOMP_SECTIONS,
		.chunk = 1,
	};
}

#endif
