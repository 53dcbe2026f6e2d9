/* core/worker.h -- workers, shepherds and the runtime that they form.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  A worker is an OS thread that runs tasks; a shepherd is a group of workers.  A ready task waits in one of
 * four places: the policy's queues, its shepherd's inbox (pinned tasks), a worker's inbox (bound tasks), or the
 * runtime's inbox (tasks that a thread made ready which is no worker).  An idle worker first searches, then announces
 * that it is going to sleep (it is parked), then sleeps.  A disabled worker is off duty: it gives its tasks away and
 * sleeps.  While all workers of a shepherd are off duty another shepherd, its stand-in, runs what is pinned there.
 *
 * Promises.  No worker sleeps while a task that it may run is in one of the places.  No task stays with a shepherd
 * whose workers are all off duty.
 *
 * Proof of the first.  The thread that makes a task ready (the waker) and the worker that goes to sleep (the sleeper)
 * meet in a store buffering pattern:
 *
 *   P1  waker:    put the task in its place;      fence_light;       look for idle workers, wake one
 *   P2  sleeper:  announce (state PARKED);        qti_fence_heavy;   look in every place again; sleep
 *
 * so either the sleeper sees the task or the waker sees the sleeper.  A waker that sees a *searching* worker wakes
 * nobody: the searching worker has not announced itself yet and will look again after it has.  If the searching
 * worker leaves with another task instead, it wakes the next worker:
 *
 *   P3  waker:    put the task in its place;      fence_sc;          look at `searching`
 *       searcher: lower `searching`;              fence_sc;          look for more tasks, wake a worker
 *
 * Only the fall of `searching` is ordered.  A waker that misses its rise wakes one worker more than need be.
 * Checked by test/stress/park.c, test/model/park.pml and test/check/parks.c.
 *
 * Proof of the second.  A waker that puts a task into a shepherd, and does not know that its last worker goes off
 * duty (the leaver), meets that worker in the same pattern:
 *
 *   P4  waker:    put the task in its place;          fence_light;       look at stand_in; forward
 *   P5  leaver:   (stand_in stored) state LEAVING;    qti_fence_heavy;   hand on what is in every place; sleep
 *
 * so either the leaver sees the task, or the waker sees the stand-in and then the leaver, and wakes the leaver to
 * hand on once more.  Checked by test/stress/duty.c, test/model/duty.pml and test/check/parks.c.
 */
#ifndef QTI_CORE_WORKER_H
#define QTI_CORE_WORKER_H

#include "base/env.h"
#include "base/shared.h"
#include "base/tuning.h"
#include "core/here.h"
#include "core/sched.h"
#include "core/stats.h"
#include "core/taskq.h"
#include "core/trace.h"
#include "machine/context.h"
#include "machine/guard.h"
#include "machine/shape.h"
#include "machine/stacks.h"
#include "machine/thread.h"
#include "machine/topo.h"

#include <pthread.h>

enum qti_worker_state {
	QTI_WORKER_AWAKE,
	QTI_WORKER_LEAVING,             /* off duty: announced; handing on what it has */
	QTI_WORKER_AWAY,                /* off duty: as asleep */
	QTI_WORKER_PARKED,              /* announced; still looking */
	QTI_WORKER_ASLEEP,              /* in futex_wait, or on the way there and sure of it */
};

/* Whether a worker may have a task in its hands: it runs one, or has taken it out of a place, or is about to put it
 * into one.  A thread outside that asks whether anything is left to run must miss no task on its way:
 *
 *   H1  take a task:  REACHING;  fence_rel;  take it out of a queue -> look at the queues;  fence_sc;  look at the
 *   hands
 *   H2  lay it down:  into a queue;  EMPTY (release) -> look at the hands (acquire);  look at the queues
 *
 * So if the thread finds the hands as often changed after its look at the queues as before, it has missed nothing. */
enum qti_hands {
	QTI_HANDS_FULL,                 /* the loop's way from one task to the next included */
	QTI_HANDS_EMPTY,
	QTI_HANDS_REACHING,             /* full or empty in a moment */
	QTI_HANDS_CHANGE = 4,           /* added with each change between full and empty */
};

struct qti_cxx;

struct qti_worker {
	/* Written at start-up.  Thieves and pushers read it, so nothing that its owner writes is on this line. */
	struct qti_shepherd *shepherd;
	void *policy;
	unsigned id;                    /* 0 to rt.nworkers - 1 */
	unsigned local;                 /* index in its shepherd */
	int pu;                         /* processor that it is bound to, -1: none */
	struct qti_place place;         /* of that, or of the one that it would be bound to */

	/* The owner's. */
	struct qti_task *current QTI_ALIGNED_LINE;      /* NULL in the loop */
	struct qti_stack *stack;        /* what it stands on */
	struct qti_stack *spare;        /* for the next loop; filled by qti_suspend_prepare */
	struct qti_cxx *cxx;            /* its OS thread's; NULL without C++ */
	struct qti_task *first;         /* what the next fresh loop runs first; NULL: look for it */
	struct {
		qti_after call;
		struct qti_task *left;
		void **context; /* where the left flow's goes; NULL: it will not go on */
		void *arg;
		struct qti_stack *idle; /* the stack of a loop that was left: free for the next that needs one */
	} handoff;
	int tick;                       /* 1: inboxes before the policy's queues; below, so many looks later */
	unsigned turn;                  /* the inbox to begin with */
	unsigned queue_turn;            /* q, l: the lowest bit says which of two queues to begin with */
	unsigned target;                /* xq: the next new task goes to the worker that many after this one */
	unsigned yields;                /* counted if there are more workers than CPUs */
	struct {
		uint32_t turns;         /* looks for tasks until the clock is read again */
		uint32_t every;
		uint64_t then;          /* ticks */
	} ask;                          /* when it asks for what is awaited (core/poller.c) */
	struct qti_tracer tracer;
	struct qti_pool_cache tasks, args, words, stacks;

	qt_stats_t stats QTI_ALIGNED_LINE;
	uint64_t woken;                 /* waiting tasks that it made ready */
	uint64_t hands;                 /* enum qti_hands; written at each look without work,
					 * hence not beside `state` */
	uint64_t forks_then;            /* stats.forks when it turned to its current task, or to one beneath that,
					 * or when that yielded and nothing was ready here */
	unsigned way;                   /* of the task that leaves: how many of those it forked are still to go first */

	/* Others'. */
	struct qti_taskq inbox;         /* tasks bound to this worker */
	uint32_t state QTI_ALIGNED_LINE; /* enum qti_worker_state, and the futex; changes under rt.idle.lock */
	uint32_t off;                   /* is to leave: disabled, or its shepherd is; changes under rt.idle.lock */
	bool disabled;                  /* by itself; under rt.idle.lock */

	/* Cold. */
	struct {
		struct qti_task *task;
		uint64_t progress;
		unsigned yields;
	} vain;                         /* the owner's: yields of a task that had no stack to leave
					 * (core/stackless.c) */
	struct qti_stack *rested[TUNE_RACE_STACKS];      /* the owner's, as the next; while there is a race checker */
	unsigned resting;
	struct qti_altstack altstack;
	struct qti_stack os_stack;      /* the pthread's own */
	void *os_context;               /* where the pthread waits for its loop to end */
	pthread_t thread;
	pid_t tid;                      /* that thread's number, 0 before it runs; atomic */
	struct qti_thread_rest rest;    /* of that thread; under idle.lock */
};

struct qti_shepherd {
	struct qti_worker *workers;     /* a slice of rt.workers */
	unsigned nworkers;
	unsigned id;
	void *policy;
	const unsigned short *nearest;  /* the other shepherds, nearest first */
	struct qti_shepherd *stand_in;  /* runs what is pinned here: itself, or the nearest that has a worker on duty */
	bool disabled;                  /* under rt.idle.lock, as are changes of stand_in and on_duty */
	uint32_t on_duty;               /* workers that are */
	uint64_t dealt;                 /* tasks that have come, or pinned themselves, here (core/deal.c) */
	struct qti_stacks stacks;
	struct qti_taskq inbox;         /* tasks pinned here */
	uint32_t next_target QTI_ALIGNED_LINE;  /* round robin placement of what is forked here */
	uint32_t searching;             /* its workers that look for work */
	uint32_t parked;
};

struct qti_runtime {
	/* Written at start-up. */
	const struct qti_sched *sched;
	struct qti_worker *workers;
	struct qti_shepherd *shepherds;
	unsigned nworkers, nshepherds;
	bool inline_join;               /* relaxed, as the next: guests' threads that are no workers ask at any time */
	bool task_constraint;
	bool oversubscribed;
	uint32_t self_pinning;          /* functions whose tasks are dealt out (core/deal.h); seldom changes; relaxed */
	bool (*all_sleep)(uint64_t rouses);     /* asked when none has been roused for a while: ask again?
						 * NULL: nobody is */
	bool wanted;                    /* by the program itself: it has called qthread_initialize.  Late. */
	unsigned local_bytes;           /* task-local data in a task's record */
	unsigned arg_room;              /* bytes of a copied argument that fit in there too */
	uint64_t spin_ns;
	struct qti_env env;
	struct qti_shape shape;
	struct qti_task *main_task;
	struct qti_affinity cpus;       /* the main thread's before it was bound */
	struct qti_pool tasks QTI_ALIGNED_LINE;
	struct qti_pool args;

	struct qti_taskq inbox;         /* made ready by threads that are no workers */
	uint32_t next_id QTI_ALIGNED_LINE;
	uint64_t external_forks;

	/* Workers and tasks without work.  Whoever pushes reads the first line, and all that it needs beside it; that
	 * line changes only when a worker goes idle or comes back.  Who waits for the lock, and what lies under it, is
	 * on another, and so is what workers without work look at all the time. */
	struct {
		uint32_t count;         /* searching, seeking or parked */
		uint32_t searching;
		uint32_t seeking;       /* of `count`: tasks that look for others to run on top of
					 * themselves (core/guest.h) */
		uint32_t out_of_work;   /* of these: for a while already, and in vain */
		uint32_t parked;
		uint32_t away;          /* leaving or away */
		uint32_t awaited;       /* of a library that has to be asked for it (core/poller.h) */

		struct qti_lock lock QTI_ALIGNED_LINE;
		uint32_t asleep;        /* asleep or away; under the lock */
		unsigned fruitless;     /* times they were let on since anything else happened;
					 * under the lock, as the next */
		uint64_t progress;      /* as it was when yielding tasks were let on last */
		uint64_t rouses;        /* of parked and sleeping workers; under the lock */
		struct qti_taskq aside; /* tasks that yielded while it waits */

		bool draining QTI_ALIGNED_LINE; /* finalize waits for everybody to be asleep */
		bool exiting;           /* so does exit(3): but not for a thread that waits for exit(3) itself */
		bool stop;              /* loops end */
	} idle QTI_ALIGNED_LINE;
};

extern struct qti_runtime qti_rt QTI_SHARED_VARIABLE(qti_rt);
/* Outlives qti_rt's content: calls look at it at any time. */
extern bool qti_running QTI_SHARED_VARIABLE(qti_running);
extern uint64_t qti_patience;           /* ns that waiting threads may look, or 0: written at each start; relaxed */

/* What ends.  Whom a team, a sleeping task or a call waits for may be no more where it is not the runtime alone. */
enum qti_end {
	QTI_END_RUNTIME,                /* qthread_finalize */
	QTI_END_THREAD,                 /* pthread_exit in the main task: other threads of the program go on */
	QTI_END_PROCESS,                /* exit: others go on for a moment */
};

/* The running task, on a worker or on a proxy; NULL outside of tasks. */
static inline struct qti_task *qti_current(void)
{
	struct qti_worker *w = qti_self();

	return qti_likely(w != NULL) ? w->current : qti_proxied();
}

/* The calling worker's task acts in the name of one that has returned: what that one's result sets off does not find
 * itself in somebody else's task. */
struct qti_role {
	struct qti_task *task;
	void *word;
};

static inline struct qti_role qti_role_take(struct qti_task *other)
{
	struct qti_worker *w = qti_self();
	struct qti_role own = { w->current, qti_guest_word() };

	w->current = other;
	qti_guest_word_set(NULL);
	return own;
}

/* It stands on the same worker. */
static inline void qti_role_return(const struct qti_role *own)
{
	qti_self()->current = own->task;
	qti_guest_word_set(own->word);
}

/* t's number, given to it now if nobody has asked before. */
uint32_t qti_task_id(struct qti_task *t);

/* A number that no other task has, for the log.  By the worker. */
QTI_SHARED uint32_t qti_trace_next_id(struct qti_tracer *t);

/* The same, for the log of the worker that has t in its hands. */
static inline uint32_t qti_trace_id(struct qti_worker *w, struct qti_task *t)
{
	if (t->id == QTHREAD_NON_TASK_ID || t->id == QTHREAD_NULL_TASK_ID)
		t->id = qti_trace_next_id(&w->tracer);
	return t->id;
}

/* Of a guest's tasks, as core/guest.h has it. */
extern const void *(*qti_guest_function)(const struct qti_task *t);

/* What t runs, as the program calls it.  By who has t in its hands, before it ends. */
static inline const void *qti_task_function(const struct qti_task *t)
{
	if (qti_task_is(t, QTI_TASK_GUEST))
		return qti_guest_function(t);
	return (const void *)(qti_task_is(t, QTI_TASK_CALLS) ? **(qthread_f **)t->arg : t->fn);
}

/* Identity of the running task, or of the OS thread where there is none; never NULL. */
void *qti_self_identity(void);

/* The shepherd whose workers run what is pinned to the one numbered `home`.  Relaxed: shepherds stay for the runtime's
 * life, and a thread that sees one that has just left meets it at P4. */
static inline struct qti_shepherd *qti_shepherd_for(unsigned home)
{
	return load_rlx(&qti_rt.shepherds[home].stand_in);
}

/* All workers of s are off duty. */
static inline bool qti_has_stand_in(const struct qti_shepherd *s)
{
	return load_rlx(&s->stand_in) != s;
}

/* w has taken n tasks from a queue of that worker's, or from one that it shares with its siblings. */
static inline void qti_count_steal(struct qti_worker *w, const struct qti_worker *victim, unsigned n)
{
	uint64_t *const span[] = {
		[QTI_SPAN_CHIP] = &w->stats.steals_same_chip,
		[QTI_SPAN_NODE] = &w->stats.steals_other_chip,
		[QTI_SPAN_MACHINE] = &w->stats.steals_other_node,
	};

	qti_count(w, steals);
	qti_count_add(w->shepherd == victim->shepherd ? &w->stats.steals_local : &w->stats.steals_remote, 1);
	qti_count_add(span[qti_place_span(w->place, victim->place)], 1);
	qti_count_add(&w->stats.tasks_stolen, n);
	qti_trace(&w->tracer, QTI_TRACE_STOLEN, victim->id, n, 0);
	qti_probe_steal(w->id, victim->id, n);
}

static inline bool qti_may_run(const struct qti_worker *w, const struct qti_task *t)
{
	if (qti_task_is(t, QTI_TASK_BOUND))
		return w->id == t->home;
	return !qti_task_is(t, QTI_TASK_PINNED) || w->shepherd == qti_shepherd_for(t->home);
}

#endif
