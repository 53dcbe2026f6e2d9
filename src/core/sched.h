/* core/sched.h -- what a scheduling policy promises the worker loop.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  A policy keeps ready tasks in queues of its own.  Worker w takes a task from the queues of its own shepherd
 * (pop), from those of other shepherds (steal), or takes one particular task out of its own queue (claim).  A final
 * steal is the last search before w sleeps.  An open task (QTI_TASK_OPEN) is one that any worker may steal until it
 * starts.
 *
 * A policy decides two things: where a ready task waits, and which task a worker runs next.  A policy never runs,
 * suspends, creates or frees a task.  Pinned tasks, and tasks that other OS threads make ready, do not pass through
 * it: they go to the inboxes of core/worker.h.  A task that stands for others, too (QTI_TASK_BUBBLE), is one task here:
 * the worker that runs it pushes the others.
 *
 * Promises.
 *
 * S1  Every task pushed is popped (or stolen, or claimed) exactly once.
 * S2  push happens before the pop that returns the task: the worker sees the whole descriptor.
 * S3  The worker that push, pop, steal and claim get as an argument makes the call itself.
 * S4  pop and steal(final) return NULL only if the policy saw each place that w may take from empty during the call.
 *     The idle loop puts w to sleep on that answer.
 * S5  Some worker steals each open task under every policy, by a final search at the latest: a task may wait for an
 *     open one in a way that the runtime cannot see, by polling, on the very worker that would have run the open one.
 * S6  push and pop do not wait for other tasks and do not fail: a policy links tasks through their own fields.
 *
 * Why this is enough.  The final search of a worker w finds each task that was pushed before w announced that it is
 * going to sleep (S2, S4); whatever pushes a task later sees the announcement and wakes w (P1 and P2 of
 * core/worker.h).  So no task that a worker may take waits while that worker sleeps, whatever the policy.
 *
 * Which tasks w may take is the policy's to say.  Where that is not all of them (single_taker, stealable), a task may
 * wait for the workers it was meant for while they run others, however long, and the rest of the machine sleeps.  A
 * policy that sends tasks to a worker without any, which may have got a long one since, must not add to that: there any
 * worker takes any task, by a final search at the latest.
 *
 * Checked for every policy by test/sched/contract.c.
 */
#ifndef QTI_CORE_SCHED_H
#define QTI_CORE_SCHED_H

#include "core/task.h"
#include "machine/topo.h"

struct qti_worker;
struct qti_shepherd;

/* Runs after a switch, on the side that was switched to: what the left task asked for.  True: others can find the task
 * now, and make it ready.  False: nobody will, and it is made ready at once. */
typedef bool (*qti_after)(struct qti_task *left, void *arg);

struct qti_sched {
	const char *name;               /* QT_SCHEDULER=name */
	enum qti_level boundary;        /* what a shepherd is, unless QT_SHEPHERD_BOUNDARY says otherwise */
	bool single_taker;              /* each ready task is for one worker, and no sibling's to pop */
	bool thieves_are_told;          /* QT_STEAL, QT_STEAL_CHUNK and QT_VICTIM count */

	int (*init)(void);              /* after the shape is known, before any worker runs; 0 or a QTHREAD_* error */
	void (*fini)(void);             /* after the last worker has ended */

	void (*push)(struct qti_worker *w, struct qti_task *t);
	void (*push_yielded)(struct qti_worker *w, struct qti_task *t);         /* lets all others run first */

	/* Lets the n tasks run first that w pushed last, as far as nobody has taken them, and otherwise is as push.
	 * NULL: the policy's order is strict. */
	void (*push_behind)(struct qti_worker *w, struct qti_task *t, unsigned n);

	/* pop for a task that is about to yield, and what is to be called for it once it has left; that does what
	 * push_yielded does.  A policy may hold a lock from the one to the other.  NULL: pop and push_yielded. */
	struct qti_task *(*pop_to_yield)(struct qti_worker *w, qti_after *after);
	struct qti_task *(*pop)(struct qti_worker *w);                          /* from w's own shepherd */

	/* From elsewhere.  A search may be cheap and miss something; a final one may not. */
	struct qti_task *(*steal)(struct qti_worker *w, bool final);

	/* Takes the task whose return word is `ret` out of w's own queue, if it stands there within reach.
	 * NULL: the policy's order is strict. */
	struct qti_task *(*claim)(struct qti_worker *w, const void *ret);

	/* w takes no more work for a while: what only w would pop goes where the others of its shepherd pop.
	 * NULL: there is no such thing. */
	void (*leave)(struct qti_worker *w);

	size_t (*length)(const struct qti_shepherd *s);                         /* ready tasks, roughly */
	size_t (*stealable)(const struct qti_shepherd *s);      /* of these, those that others may steal.  NULL: all */

	/* Whether there are any that others may steal, wherever, for less than it takes to count them.  NULL:
	 * they are counted. */
	bool (*any)(void);

	/* w's own queue holds n tasks, n > 0, roughly, and workers that are out of work, if any, find some of them.
	 * NULL: it has none. */
	bool (*holds)(const struct qti_worker *w, size_t n);

	/* Asked in place of holds, before a guest creates a task that may as well run at once: the queue that w's next
	 * push would go to has no room, or, where that queue is another's to empty, n tasks of w's, n > 0.  If so, the
	 * task does run, and is counted so.  NULL: see holds. */
	bool (*full)(struct qti_worker *w, size_t n);

	/* Some worker may be out of work, and w will not come to push or pop for long.  NULL: others take all that w
	 * would. */
	void (*publish)(struct qti_worker *w);
};

extern const struct qti_sched *const qti_scheds[];
extern const unsigned qti_nscheds;

/* NULL: no such policy. */
const struct qti_sched *qti_sched_find(const char *name);

/* The one nearest to what Qthreads calls so; NULL: Qthreads has none of that name. */
const struct qti_sched *qti_sched_like(const char *name);

#endif
