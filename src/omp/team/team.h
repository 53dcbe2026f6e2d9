/* omp/team/team.h -- the threads that run a region together.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  The master is the thread that met the region; it is member 0 of the team.  The other members are tasks,
 * each bound to a worker, or threads of their own.  Between regions a member is idle: it looks at its dispatch (what
 * the master gives it to run) for a while, then it sleeps.  The ender of a task is the thread that completes it.  A
 * team is quiet when it has no explicit task that is unfinished.  The gate is where members come together at a
 * barrier; its opener is the thread that finds all members there and the team quiet, and lets them go.  A roster is
 * the array of members.  A team belongs to the thread that meets regions and is kept for that thread's next region.
 *
 * Promises.  A member misses no dispatch.  A barrier, and the end of a region, come after all tasks of the team and
 * after everything that all members wrote before.  No member sleeps at a barrier that can be opened.  No thread looks
 * at a team that is no more.  No explicit task of a region runs under a member's number before that member has begun
 * the region.
 *
 * Proof.  The side before || and the side after it run at the same time.
 *
 * T1  dispatch: the master stores what is to be run, then exchanges `go` (acq_rel) for the next number, with the
 *     ASLEEP bit clear, and makes the member ready if the bit was set || the member, once its registers are saved,
 *     sets the bit by compare-and-swap (acq_rel) from the number that it knows.
 * T2  quiet: the asker reads every member's `finished` (acquire), then every member's `created`: equal sums of
 *     numbers that only grow mean that at the time between there was no unfinished task || an ender stores `finished`
 *     (release) after everything else that belongs to the task.
 * T3  a member that would be the last to look for quiet and has nothing to run stores `watch`, calls qti_fence_heavy,
 *     asks once more and sleeps || an ender stores `finished`, calls fence_light and looks at `watch`.  If `watch` is
 *     set the ender calls fence_sc and asks: is the team quiet now, and does any member sleep?  Of two enders at a
 *     time one sees both `finished`.  An ender that misses `asleep`, which rises before `watch` is stored, is seen by
 *     the member that goes to sleep.  An ender takes the mark off where it is an earlier barrier's: it knows the gate's
 *     number as the member that stored the mark (release) knew it, for it has loaded it from there (acquire).
 * T4  a member that goes to sleep raises `asleep` (seq_cst), then under the lock looks at what it waits for and
 *     queues up || the thread that changes this does so by a seq_cst operation, looks at `asleep` (seq_cst), and
 *     takes the lock and the sleepers if `asleep` is not 0.  The member waits for the gate (seq_cst), which the
 *     opener exchanges, or for `ended` (seq_cst), to which members add.  The thread that cancels a region takes the
 *     lock without looking: acq_rel is enough for its mark.
 * T5  barrier: each member adds 1 to `gate` (acq_rel; the member that makes it n is awake and looks on).  The opener
 *     reads n there, then finds the team quiet, and then exchanges the value that it read for the next number and no
 *     members (seq_cst, for T4): no member has arrived anew, so none has created tasks.  Waiting members look at the
 *     number (acquire).  After a cancelled region, whose members may have left the barrier without its opening, the
 *     master gives the gate another number and no members.
 * T6  an ender still looks at the team after it has stored `finished`, when the master may have gone on to the next
 *     region: the master stores the roster (release), then how many of its members take part, n (release) || enders,
 *     and members that wait for a dispatch, load n (acquire), then the roster (acquire), which has as many.  The team
 *     frees no roster before it goes itself.  An ender opens a barrier only by T5, and reads `gate` before n: members
 *     that it finds there have arrived after their region's n was stored; a gate of an earlier region has none, and
 *     its exchange fails once a member has arrived.  All else that an ender concludes from either region's n is only
 *     a wake-up.
 * T7  an ender that is not of the team adds 1 to the root's `visitors` before it counts the task (release, at the
 *     latest then), and takes it off (release) when it has looked at the team for the last time || the thread that
 *     ends a team, or frees the root's own one, after all tasks were counted, waits until there is no visitor
 *     (acquire).
 * T8  a member that has come to the region's end, and sleeps until there is a dispatch, sets the ASLEEP bit of `go`,
 *     and then looks under the lock whether the team's list has tasks || a thread that has added a task to the list,
 *     under the lock, looks for a member with that bit, and takes the bit off by compare-and-swap: that member is
 *     awake then.  Who has the lock second sees what the other did before.
 * T9  compiled code begins what is a member's own, a part of a reduction, say, when the implicit task begins.  The
 *     master numbers the region and dispatches the number; the member takes it over when it begins.  A thread that
 *     has a task of the region sees the team's number; it compares a member's number on that member's own thread.
 *
 * Who excludes whom.  master: the master does both.  cas: one of the two compare-and-swaps fails.  L: the team's lock.
 * own: each thread writes its own words.
 *
 *                             dispatch   go idle   arrive at   open the   sleep at   run or end   add a task
 *                                                  the gate    gate       the gate   a task       to the list
 *     dispatch                master     T1        T6          T6         -          T6, T9       -
 *     go idle                            own       -           -          -          -            T8
 *     arrive at the gate                           T5          T5         T4         T5           -
 *     open the gate                                            T5, cas    T4         T2, T5       -
 *     sleep at the gate                                                   L          T3           L
 *     run or end a task                                                              own, T7      L
 *     cancel the region       -          -         T5          T5         T4         -            -
 *     end the team            master     T1        -           -          -          T7           -
 *
 * Checked by test/stress/omp_region.c, test/stress/omp_tasks.c, test/unit/omp_event.c and, for T8,
 * test/unit/omp_yield.c;
 * T2 to T5 and T7 by test/check/gates.c, T1, T6, T8 and T9 by test/check/regions.c.
 */
#ifndef QOMP_TEAM_H
#define QOMP_TEAM_H

#include "base/spin.h"
#include "omp/env/icv.h"
#include "omp/team/frame.h"
#include "omp/team/share.h"

enum { QOMP_NOBODY = UINT16_MAX };

#define QOMP_WATCH_END UINT32_MAX
#define QOMP_WATCH_TREE (UINT32_MAX - 1)

/* Kinds of regions that can be cancelled. */
enum {
	QOMP_CANCEL_PARALLEL = 1,       /* what compiled programs pass; this one a bit of a team's `cancelled` */
	QOMP_CANCEL_LOOP = 2,
	QOMP_CANCEL_SECTIONS = 4,
	QOMP_CANCEL_TASKGROUP = 8,
};

struct qomp_told;
struct qomp_told_region;

/* Where a member runs, and the part of the list of places that is for its regions.  All 0: the first of all places. */
struct qomp_spot {
	uint32_t place;
	uint32_t first, n;              /* n == 0: the whole list */
};

/* For omp/team/apart.h: a member's, written by its thread alone, when it waits for longer than a few looks: of two
 * that share a CPU one always does. */
struct qomp_apart {
	uint32_t cpu;                   /* where it was last, plus one; relaxed: a hint; 0: it has not said */
	uint32_t met;                   /* waits in a row that another member of that CPU made longer */
	uint64_t next;                  /* qti_now_ns() before which it does not move again */
};

/* For omp/team/tree.h: a member's place in the tree, by writer. */
struct qomp_tree {
	/* The member's: its parent reads them. */
	uint32_t gathered QTI_ALIGNED_LINE;     /* TB1: wave; between barriers the last one's last */
	uint32_t created, finished;             /* TB3: sums */

	/* Its parent's. */
	uint32_t asked QTI_ALIGNED_LINE;        /* TB2: a wave times two; and 1: it was the last of a barrier */

	/* Whoever puts it to sleep, and rouses it. */
	struct qti_waiter *sleeper QTI_ALIGNED_LINE;    /* TB4; NULL: awake */
};

/* Memory that lasts until the region's end, or less long: in front of it. */
struct qomp_kept {
	struct qomp_kept *next;
	void *memory;                   /* of which it is a part: for qti_mem_free */
};

struct qomp_member {
	/* The dispatch; the master writes it. */
	uint32_t go;                    /* T1: number of the region times two; bit 0: asleep */
	uint32_t seen;                  /* member's: the last number it knows */
	uint32_t home;                  /* worker, or place of its own thread */
	void (*fn)(void *);             /* NULL: leave */
	void *data;
	uint64_t called;                /* T9: the region's number */
	struct qomp_team *team;
	bool alive;                     /* master's: its task or thread lives */
	bool threaded;                  /* master's: there is a thread to be joined */
	struct qomp_team *idle;         /* member's own: the team of its next inner region; NULL: none or in use */

	/* T2.  Explicit tasks of the team that run on this member's thread count here; written by that thread alone. */
	uint32_t created QTI_ALIGNED_LINE;
	uint32_t finished;
	uint32_t taken;                 /* of these, about how many were created on another thread */
	uint32_t fine;                  /* among those: omp/task/task.c */
	uint64_t region;                /* T9: that it has begun last */
	struct qti_task *held;          /* tasks that were to bear its number before it began */
	struct qti_spin spin;           /* how long it looks while it waits */
	struct qomp_share_place share;  /* where it is in the sequence of work-sharing constructs */

	struct qti_task base QTI_ALIGNED_LINE;  /* of members other than 0 */
	struct qti_task_more more;              /* of base */
	struct qomp_frame frame;        /* of its implicit task */

	/* Cold: all members of a team read where the others run, and keep that in their caches (bench/sim/barriers). */
	struct qomp_apart apart QTI_ALIGNED_LINE;       /* its CPU */
	pthread_t thread;               /* of its own, if home is QOMP_OUTSIDE or more */
	struct qomp_told *told;         /* omp/team/told.h: its implicit task; NULL: it is not told */
	struct qomp_spot spot;          /* omp/team/bind.h */
	struct {
		uint32_t thread, place; /* as in the frame; as in the spot, and 1 more */
		unsigned n, level;
	} shown;                        /* what OMP_DISPLAY_AFFINITY has said last; all 0: nothing */
	struct qomp_tree tree;          /* last: where all else lies does not depend on it */
};

struct qomp_team {
	/* Constant in a region. */
	struct qomp_member **member;    /* T6; in the largest roster */
	unsigned n;                     /* T6: members in this region */
	unsigned room;                  /* members that there are */
	unsigned seats;                 /* in the largest roster */
	struct qomp_roster *rosters;    /* each followed by a smaller one; kept for threads that still look at them */
	unsigned level;                 /* regions around, this one included */
	unsigned active_level;          /* of these, with more than one thread */
	bool shares_workers;            /* an inner team: several members may be on one worker */
	bool uses_scheduler;            /* each worker hosts a member, and may run any explicit task:
					 * they are in its queues */
	bool alone;                     /* one member, and no priorities: tasks run where they are created */
	bool is_bubble;                 /* omp/team/bubble.h: its members are tasks of the region's alone */
	bool has_crew;                  /* a qthread's, with threads of its own: omp/team/crew.h */
	bool rare;                      /* it has, or there is a tool that is told of its regions */
	bool is_tree;                   /* its members meet along a tree, not at the gate (relaxed) */
	bool fine_grained;              /* what others find there is next to nothing, mostly,
					 * in this region (relaxed) */
	uint16_t *number;               /* by worker: the first member there, or QOMP_NOBODY */
	struct qomp_frame *parent;      /* met the region; NULL: a thread's initial team */
	struct qomp_root *root;         /* of the thread whose regions these are */
	const struct qomp_icv *outer, *inner;   /* of parent, and what followed from these for the implicit tasks */
	unsigned bind;                  /* proc_bind clause */
	struct qomp_spot bound_from;    /* the members' spots follow from this one,
					 * the policy and the number of threads */
	unsigned bound_by, bound_n;     /* bound_n == 0: they have none */
	struct qomp_kept *kept;         /* blocks of a work-sharing construct (omp/task/reduce.c); NULL: none */
	struct qomp_told_region *told;  /* this region, as the tool knows it; NULL: it does not */
	struct {
		uintptr_t last;
		size_t size;
	} shallow;                      /* where a light frame lies whose tasks run at once, of a team of one */
	uint32_t tasks;                 /* explicit tasks were created in this region;
					 * idle members look at it all the time */

	uint64_t gate QTI_ALIGNED_LINE; /* T5: members at the barrier; above, how many barriers were passed */
	uint32_t ended;                 /* members at the region's end; thread 0 does not count itself */
	uint32_t cancelled;             /* omp/task/cancel.c */
	uint32_t watch;                 /* T3: for which barrier, or QOMP_WATCH_END; TB5: QOMP_WATCH_TREE; 0: none */
	uint32_t asleep;                /* T4 */
	uint64_t region;                /* T9: how many there were */

	uint32_t elsewhere QTI_ALIGNED_LINE;    /* tasks finished by threads that host no member */
	uint32_t left;                  /* members that were sent away and have gone */
	uint64_t lock;                  /* qti_word_lock: of the next two */
	struct qti_waiter *sleepers;    /* members at a barrier or at the region's end */
	struct qti_tasklist list;       /* explicit tasks, of a team that does not use the scheduler */

	struct qomp_shares shares;      /* the work-sharing constructs in flight */
	struct qomp_team *next, *prev;  /* of all that are in use or idle */
};

static inline struct qomp_member *qomp_member(const struct qomp_frame *f)
{
	return f->team->member[f->num];
}

/* The same where f may be of a member between regions (T6). */
static inline struct qomp_member *qomp_member_late(const struct qomp_frame *f)
{
	struct qomp_member **member = load_acq(&f->team->member);

	return member[f->num];
}

/* T9: the implicit task of this region has begun.  On the member's thread, where a task of the region is; other threads
 * may see it late. */
static inline bool qomp_member_begun(const struct qomp_member *m)
{
	return load_rlx(&m->region) == load_rlx(&m->team->region);
}

#endif
