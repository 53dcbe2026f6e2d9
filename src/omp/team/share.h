/* omp/team/share.h -- work-sharing constructs in flight: which one each member of a team has come to, and what is its.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  A share is what the members of a team have in common of one work-sharing construct.  Shares stand in
 * blocks, and the blocks in a chain.  Every member walks along the chain at its own pace; the foremost member
 * lengthens it.  The first member of a construct is the one that comes to it before all others.
 *
 * The members meet the same constructs in the same order, but not at the same time: without barriers a member may be
 * any number of constructs ahead of another.  Bounds, schedule and chunk size each member knows by itself: compiled
 * code passes them to all, and OpenMP wants them to be the same.  What could differ, like the run-time schedule, or
 * is made at run time, like counters, is what the first member says (X3).  In loops with order among their
 * iterations, words that only grow tell how far other members have come (X4).
 *
 * Promises.  All members that are in the same construct use the same share.  A share is used for another construct
 * only when all members have left its block.  A construct costs its members nothing before they share out its work,
 * and nothing after; a block costs them one atomic addition each.
 *
 * Proof.  The side before || and the side after it run at the same time.
 *
 * X1  the foremost member clears a block, then publishes it by a compare-and-swap (acq_rel) of `after`, or of the
 *     team's `first` || a member that comes next loads that word (acquire).  The same with the words of PT1 and
 *     `parts`, by any member that needs them.
 * X2  a member that has loaded `after` adds 1 to `left` (acq_rel) and never looks at the block again || the member
 *     that makes it the team's size clears the block for another use.
 * X3  the first member changes `stage` from 0 to BUSY, stores what holds, exchanges `stage` for SET (acq_rel) and
 *     wakes the members that wait || the other members load it (acquire) until it is SET.
 * X4  a member that waits spins a while; then it loads the bell (acquire), lowers `wanted` to what it waits for,
 *     calls qti_fence_heavy, looks at the word (acquire), and sleeps until the bell has rung, when it begins again ||
 *     the member that raises the word (release) calls fence_light, looks at `wanted`, and if the word is large enough
 *     exchanges `wanted` for 0 (acq_rel), rings the bell (acq_rel) and wakes all.
 *
 * Checked by test/unit/omp_share.c and test/stress/omp_share.c.
 */
#ifndef QOMP_SHARE_H
#define QOMP_SHARE_H

#include "base/lock.h"
#include "omp/team/parts.h"

struct qomp_copies;
struct qomp_doacross;
struct qomp_marks;

enum {
	QOMP_SHARES = QOMP_PARTS_LOOPS, /* in a block */
	QOMP_GATES = 3,
};

/* Where members sleep until a word that only grows is large enough (X4). */
struct qomp_gate {
	uint64_t wanted;                /* the smallest number that a member waits for; 0: none does */
	uint32_t bell;                  /* rings, counted */
};

/* What a team has in common of one construct. */
struct qomp_share {
	uint64_t next QTI_ALIGNED_LINE; /* iterations before this one are given out;
					 * all of them once the loop is cancelled */
	uint32_t stage;                 /* X3: of the rest of the line */
	uint32_t schedule;              /* enum qomp_schedule */
	uint64_t chunk;
	union {
		uintptr_t *reductions;          /* the first's array (omp/task/reduce.h) */
		struct qomp_copies *copies;     /* omp/task/copies.h */
	};
	struct qomp_doacross *doacross; /* NULL: none */
	void *memory;                   /* `room` bytes, which stay with the share */
	size_t room;

	uint64_t turn QTI_ALIGNED_LINE; /* of an ordered loop (omp/work/ordered.h); of one in parts: PT1,
					 * of its last chunk */
	struct qomp_gate gate[QOMP_GATES];      /* for members that wait for it */
};

_Static_assert(sizeof(struct qomp_share) == 2 * QTI_CACHE_LINE, "what is rarely used has a line of its own");

struct qomp_share_block {
	struct qomp_share share[QOMP_SHARES];
	struct qomp_share_block *after; /* X1; in the list of unused blocks: the next one there */
	uint32_t left;                  /* X2 */
	uint32_t members;               /* `parts` is for, */
	struct qomp_parts *parts;       /* X1: NULL: no loop has needed them */
};

/* Iterations: number i of `count` has the index first + i * step modulo 2^64.  end is exclusive. */
struct qomp_range {
	uint64_t first, end, step, count;
};

/* Beside enum qomp_schedule. */
enum {
	QOMP_RUNTIME = 0,               /* what the running task's control variables say;
					 * members take chunks in order */
	QOMP_SECTIONS = 16,             /* dynamic, but a member that takes one looks at its beginning alone */
	QOMP_DYNAMIC_ANY = 17,          /* a member's chunks may come in any order: nonmonotonic */
	QOMP_RUNTIME_ANY = 18,          /* the same, unless the control variables want order */
};

/* A loop as compiled code describes it to each member. */
struct qomp_loop {
	struct qomp_range range;
	uint64_t chunk;                 /* iterations; 0: none given */
	uint32_t schedule;
};

/* How a member gets its next piece of a loop. */
enum qomp_taking {
	QOMP_TAKE_NOTHING,              /* there is no loop, or nothing left of it */
	QOMP_TAKE_MARKED,               /* the loop comes next, which omp/work/marks.h wants to know of */
	QOMP_TAKE_PRESET,               /* the region's first loop, which the member has not looked at yet */
	QOMP_TAKE_BLOCK,                /* one for each member: what is before `limit` */
	QOMP_TAKE_ROUND,                /* every n-th chunk, with `limit` iterations from one to the next */
	QOMP_TAKE_ALONE,                /* sections, in a team of one */
	QOMP_TAKE_COMPARING,            /* compares and swaps the share's `next`: where adding could overflow */
	QOMP_TAKE_GUIDED,               /* the same; pieces are a part of what is left */
	QOMP_TAKE_NOTING,               /* as _ADDING, and keeps up `mine` */
	QOMP_TAKE_PARTS_NOTING,         /* as _PARTS, and keeps up `mine`, and asks whether the loop is cancelled */
	QOMP_TAKE_ADDING,               /* adds the size of a chunk to `next`; this and the next are quick */
	QOMP_TAKE_PARTS,                /* one of the member's part, then of others' (PT1) */
};

/* A member's own. */
struct qomp_share_place {
	enum qomp_taking taking QTI_ALIGNED_LINE;
	uint32_t n;                     /* members */
	struct qomp_share *share;       /* of the construct that it is in; NULL: none */
	uint64_t chunk;
	struct qomp_range range;
	union {                         /* of a loop with ordered(n) */
		struct qomp_doacross *doacross; /* the share's: no member writes to this line */
		struct qomp_marks *marks;       /* omp/work/marks.h; NULL: there is nothing to wait for */
		uint64_t *part;                 /* of a loop in parts: the member's word */
	};

	uint64_t at, limit;             /* of pieces that it has not to ask others for: the next iteration, see enum
	                                 * qomp_taking; of a loop in parts: the member's number, and the chunks */
	uint64_t mine, mine_end;        /* iterations of its latest piece; _ADDING,
					 * _PARTS and _ALONE do not keep them up */
	bool takes_turns;               /* with that piece, which is of an ordered loop */
	bool in_order;                  /* the loop is an ordered one; of those alone that do
					 * not say so with each piece */
	bool is_watched;                /* its pieces are to be recorded or told: the frame is QOMP_TRACED */
	struct qomp_share_block *block; /* NULL: before the first construct */
	uint32_t unmet;                 /* shares of the block that it has not come to */
	uint32_t singles;               /* S1 in omp/work/single.h: that it has met */
	uint32_t copies;                /* S2: of these, with copyprivate */
};

/* A team's. */
struct qomp_shares {
	struct qomp_share_block *first QTI_ALIGNED_LINE;        /* the hindmost that a member may be in;
								 * NULL: none yet */
	struct qomp_loop preset;        /* the members begin in this loop, */
	bool has_preset;                /* if there is one */

	uint32_t singles QTI_ALIGNED_LINE;      /* S1 */
	uint32_t copied;                /* S2 */
	void *copies;                   /* S2 */

	struct qti_lock lock QTI_ALIGNED_LINE;  /* of the next */
	struct qomp_share_block *unused;
};

/* The member, one of n, comes to its next construct that has a share. */
struct qomp_share *qomp_share_open(struct qomp_shares *all, struct qomp_share_place *p, unsigned n);

/* True: the caller is the first and calls qomp_share_set when it has set up what holds for all (X3).  false:
 * that is done. */
bool qomp_share_first(struct qomp_share *s);
void qomp_share_set(struct qomp_share *s);

/* The first's: size bytes, zeroed, which last as long as the construct.  Aborts when out of memory. */
void *qomp_share_memory(struct qomp_share *s, size_t size);

/* The word of member num for the loop that p is in (PT1); the team has room for so many members.
 * Aborts when out of memory. */
uint64_t *qomp_share_part(const struct qomp_share_place *p, unsigned num, unsigned room);

/* The member leaves the construct.  A barrier, if it ends with one, is up to the caller. */
static inline void qomp_share_close(struct qomp_share_place *p)
{
	p->share = NULL;
	p->taking = QOMP_TAKE_NOTHING;
}

/* The loop or the sections that the member is in, if any, give out no more work. */
void qomp_share_cancel(struct qomp_share_place *p);

/* By the master before a region's members begin, and before anything is preset; then by each member as it begins. */
void qomp_shares_reset(struct qomp_shares *all, const struct qomp_share_place *master);
void qomp_share_enter(const struct qomp_shares *all, struct qomp_share_place *p);

/* The memory of a team's constructs, which are all over.  It can have others,
 * also if there is room for more members then. */
void qomp_shares_fini(struct qomp_shares *all);

#endif
