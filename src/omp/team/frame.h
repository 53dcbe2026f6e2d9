/* omp/team/frame.h -- a task region: what OpenMP knows about a task that runs, and how its children are counted.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  Every task, implicit or explicit, that runs under OpenMP has a frame; the running task's frame is its
 * thread's qti_guest_word(), which comes and goes with the task (core/guest.h).  A child is an explicit task that the
 * frame's task created.  A frame is bound to the OS thread on which its task runs.  The ender of a child is the
 * thread that completes it; the ender is at home if it is that thread, and elsewhere if not.
 *
 * Promises.  A frame that waits for its children goes on when the last of them has ended, and not before.  The record
 * of a task goes exactly once, after the task and all its children have ended.
 *
 * How children are counted: by halves.  `created` and `finished` belong to the frame's OS thread: children that end
 * at home, while the frame does not wait, cost plain increments.  Enders elsewhere add to `remote`.
 *
 * Proof.  The side before || and the side after it run at the same time.
 *
 * C1  the frame stores `need` and sets WAIT in `remote` (acq_rel) || an ender adds 1 to it (acq_rel).  The one of the
 *     two that brings the count to `need` with the bit set ends the wait: it clears WAIT (acq_rel) and wakes the
 *     waiter if the bit was set.  A thread that has something for the frame to do may end the wait in the same way;
 *     if it comes late it wakes a frame that looks again.  ADDRESS does the same for a frame that waits for something
 *     else than its children.
 * C2  the frame of a task that has ended before its children adds LAST, which is ORPHAN and 2^32, less the number of
 *     the children that are missing (acq_rel) || an ender adds 1 (acq_rel).  The one of the two that brings the word
 *     to exactly LAST frees the record; for the others it may be gone.
 * C3  a frame that has nothing to run stores HANDOFF_OPEN in `handoff`, and later exchanges it for NULL (acq_rel) ||
 *     an ender elsewhere, which would push another child next, exchanges HANDOFF_OPEN for that child
 *     (compare-and-swap, acq_rel).  The frame runs what it gets: no child is left behind.  Pointers of waiters and
 *     words differ from HANDOFF_OPEN.
 *
 * C1 and C2 are checked by test/stress/omp_tasks.c and test/stress/omp_group.c, C3 by test/omp/depend.c
 * and test/check/depends.c.
 *
 * Light frames.  Most undeferred tasks have no children that outlive them, no group and no region.  So their frames are
 * light: only the first line is valid, on the stack of the creator, where nothing refers to it but the thread's word
 * and light frames that stand on top.  Code that asks for the running frame (omp/team/standing.h) gets one that stays:
 * a light frame moves into a record first, and so do those beneath it, so that frames which stay never point to light
 * ones.
 */
#ifndef QOMP_FRAME_H
#define QOMP_FRAME_H

#include "core/guest.h"

struct qomp_frame;
struct qomp_icv;
struct qomp_team;
struct qomp_group;
struct qomp_extra;
struct qomp_task;
struct qti_waiter;

enum {
	QOMP_IMPLICIT = 1 << 0,         /* of a region's member, or initial */
	QOMP_FINAL = 1 << 1,            /* so are its children, and they are undeferred */
	QOMP_UNDEFERRED = 1 << 2,       /* its parent stands beneath it */
	QOMP_WAITING = 1 << 3,          /* owner's: children are to be counted in `remote` */
	QOMP_TRACED = 1 << 4,           /* its children are to be recorded (core/trace.h) or told (omp/team/told.h),
					 * and inherit this */
	QOMP_DETACHED = 1 << 5,         /* ends when its event is fulfilled, too */
	QOMP_AWAY = 1 << 6,             /* runs on another thread than its parent's */
	QOMP_LIGHT = 1 << 7,            /* on the stack */
	QOMP_COPIED = 1 << 8,           /* its data was made by a copy function: fn must be called, which destroys it */
	QOMP_PUT_OFF = 1 << 9,          /* it may not begin where it was about to */
	QOMP_PRIORITY = 1 << 10,        /* it has one */
	QOMP_HEAP_DATA = 1 << 11,       /* data is a block of its own */
	QOMP_STORED_DATA = 1 << 12,     /* data is of QOMP_STORE_DATA */
	QOMP_CALLED = 1 << 13,          /* qomp_task_create's: compiled code's call has led to it by jumps only */
	QOMP_RESTING = 1 << 14,         /* a member's between regions: its team may be another region's */
};

#define QOMP_REMOTE_WAIT (UINT64_C(1) << 62)
#define QOMP_REMOTE_ADDRESS (UINT64_C(1) << 61)
#define QOMP_REMOTE_ORPHAN (UINT64_C(1) << 63)

#define QOMP_REMOTE_LAST (QOMP_REMOTE_ORPHAN + (UINT64_C(1) << 32))

#define QOMP_HANDOFF_OPEN ((struct qomp_task *)1)

enum { QOMP_SMALL = 16 };       /* bytes */

enum { QOMP_OUTSIDE = 1u << 16 };       /* `place` of threads that are no workers: from here on */

/* What goes with a frame: at the front of a structure of whoever made it, and knows how. */
struct qomp_belonging {
	void (*drop)(struct qomp_frame *f);
};

struct qomp_frame {
	/* The task's: written at its creation and start, read by its children. */
	struct qomp_frame *parent;      /* that created it, or met the region; NULL: initial */
	struct qomp_team *team;         /* innermost region; never NULL */
	const struct qomp_icv *icv;
	struct qomp_group *group;       /* innermost taskgroup; NULL: none */
	struct qomp_extra *extra;       /* what few tasks have: dependences, an event (omp/task/depend.h); NULL */
	uint32_t created;               /* children */
	uint32_t finished;              /* of these, counted here */
	uint32_t skip;                  /* children to run at once without counting again */
	uint32_t place;                 /* worker that it is bound to, or QOMP_OUTSIDE and more: another thread; its
	                                 * parent's, until it starts (relaxed: omp/team/waits.c asks of any) */
	uint16_t num;                   /* thread number in the team; its parent's, until it starts */
	uint16_t flags;

	/* Everybody's. */
	uint64_t remote QTI_ALIGNED_LINE;       /* C1: children that ended elsewhere, and three bits */
	union {
		struct qti_waiter *waiter;      /* valid while WAIT is set */
		const uint32_t *address;        /* the word that the frame waits for, while ADDRESS is set */
		struct qomp_task *handoff;      /* C3: while neither is set */
	};
	void *data;                     /* of an explicit task */
	void (*fn)(void *);             /* likewise */
	struct qomp_belonging *depends; /* owner's: what its children depend on (omp/task/depend.c); NULL */
	uint32_t need;                  /* valid while WAIT is set */
	char small[QOMP_SMALL] __attribute__((aligned(16)));    /* data of that size */
};

_Static_assert(offsetof(struct qomp_frame, remote) == QTI_CACHE_LINE, "what is everybody's has a line of its own");
_Static_assert(sizeof(struct qomp_frame) == 2 * QTI_CACHE_LINE, "a task's data share it, if they are small");

/* f is of a task that parent creates: what a light frame has.  flags: beside QOMP_FINAL and QOMP_TRACED,
 * which are inherited. */
static inline void qomp_frame_begin(struct qomp_frame *f, struct qomp_frame *parent, uint16_t flags)
{
	f->parent = parent;
	f->team = parent->team;
	f->icv = parent->icv;
	f->group = parent->group;
	f->created = f->finished = 0;
	f->skip = 0;
	store_rlx(&f->place, parent->place);
	f->num = parent->num;
	f->flags = (parent->flags & (QOMP_FINAL | QOMP_TRACED)) | flags;
}

/* f, which may sleep for want of something to do (omp/task/wait.c), looks again.  From any thread, while f cannot
 * end. */
void qomp_frame_call(struct qomp_frame *f);

/* The children of f, the running frame, that ended elsewhere count as `finished` from now on. */
void qomp_frame_collect(struct qomp_frame *f);

/* Its task has ended: what its children had in common goes. */
static inline void qomp_frame_drop(struct qomp_frame *f)
{
	if (qti_unlikely(f->depends != NULL))
		f->depends->drop(f);
}

#endif
