/* core/guest.h -- a guest: a library with tasks of its own in the runtime; what it is told, may ask, and may do.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * There is one guest at a time; the library in src/omp is one, test/unit/guest.c another.  All that it needs of the
 * core is here; the core knows nothing about it but this.  Above the core it uses the records of sync/waiter.h and
 * public calls.
 *
 * A guest's task is a struct qti_task, and the struct qti_task_more that belongs to it, in a record of the guest.
 * Its function begins with the word NULL (core/here.h) and sets it to what the guest wants to have at hand while the
 * task runs; the word comes and goes with the task.  What stands on top of a task - one that it waits for - begins
 * with NULL again, and the word is back as it was when that has ended.  The record is the guest's again as soon as
 * the task's `finish` is called, which returns false.
 *
 * A word that a thread has outside of tasks stays where it is when that thread becomes worker 0, and when it ceases
 * to be: the guest is told.
 */
#ifndef QTI_CORE_GUEST_H
#define QTI_CORE_GUEST_H

#include "core/gate.h"
#include "core/idle.h"
#include "core/loop.h"
#include "core/ready.h"
#include "core/trace.h"
#include "machine/caller.h"

struct qti_waiter;

/* --- what it is told -------------------------------------------------------------------------------------- */

/* Each by one thread, at one time.
 *
 * started()     by the main task, when all workers run; false, when out of memory: the runtime does not start
 * stays()       by the main task, in exit(3): threads of the guest's are tasks that leave(end) would have to wait for
 * told()        by the main task, in exit(3): somebody is told how its threads end, so they are to, if the guest
 *               leaves.  May be NULL
 * leave(end)    by the main task, before the runtime ends: the guest's tasks are to go.  false: the runtime is to stay
 *               as it is.  Once more after the main task's destructors, as by qthread_finalize
 * stop()        no task runs any more, but all are there: no list is to lead to them from now on.  false: threads of
 *               the guest's own still use tasks' stacks
 * function(t)   by who has t in its hands: the program's function that this task of the guest runs, NULL: none
 * waiters(visit, arg)   by any thread: calls visit(waiter, arg) for everybody who waits for something of the guest's,
 *               and can go on only when somebody else wakes it; each under what keeps the record there.  May be NULL
 * holder(waiter)        in such a visit: the task that is known to have what that one waits for; NULL: unknown.  May be
 *               NULL
 * thread(task, &fn)     in such a visit: the number of the thread of a region that this task of the guest is, whose
 *               function goes to fn; -1: it is none.  May be NULL
 * lost(t)       on its worker, when the program has called pthread_exit in this task of the guest, or cancelled its
 *               thread, once and again: false if others wait for what t will never do.  Returns after a moment.  May be
 *               NULL: they do
 * gone()        it has ended, and nothing of it is used any more
 * before_fork(), after_fork(), in_child()      with fork(2), as in base/forked.h */
struct qti_guest {
	const char *tasks;              /* what a message about one of its tasks calls it */
	bool (*started)(void);
	bool (*stays)(void);
	bool (*told)(void);
	bool (*leave)(enum qti_end end);
	bool (*stop)(void);
	void (*waiters)(void (*visit)(const struct qti_waiter *w, void *arg), void *arg);
	const struct qti_task *(*holder)(const struct qti_waiter *w);
	int (*thread)(const struct qti_task *t, const void **fn);
	bool (*lost)(const struct qti_task *t);
	void (*gone)(void);
	const void *(*function)(const struct qti_task *t);
	void (*before_fork)(void);
	void (*after_fork)(void);
	void (*in_child)(void);
};

/* From a constructor.  Who comes last is the guest. */
QTI_SHARED void qti_guest_come(const struct qti_guest *g);

/* The one that has come, NULL: none.  For the runtime. */
const struct qti_guest *qti_guest_here(void);

/* As qthread_initialize, with settings that adjust(env) may change where the environment does not give them
 * (qti_env_given). In api/runtime.c. */
QTI_SHARED int qti_guest_start(void (*adjust)(struct qti_env *env));

/* --- about the runtime ------------------------------------------------------------------------------------ */

static inline bool qti_host_runs(void)
{
	return load_acq(&qti_running);
}

static inline unsigned qti_host_workers(void)
{
	return qti_rt.nworkers;
}

/* What it was started with. */
static inline const struct qti_env *qti_host_settings(void)
{
	return &qti_rt.env;
}

/* The program has asked for it, by qthread_initialize, and not the guest alone. */
static inline bool qti_host_is_wanted(void)
{
	return load_rlx(&qti_rt.wanted);
}

/* Finalize waits for every worker to have nothing to do. */
static inline bool qti_host_drains(void)
{
	return load_rlx(&qti_rt.idle.draining);
}

static inline bool qti_host_oversubscribed(void)
{
	return qti_rt.oversubscribed;
}

/* Whether who waits is to run descendants alone: QT_TASK_CONSTRAINT. */
static inline bool qti_host_constrains_tasks(void)
{
	return load_rlx(&qti_rt.task_constraint);
}

/* Whether tasks may run in place of waiting in a queue: QT_INLINE_JOIN. */
static inline bool qti_host_runs_in_place(void)
{
	return load_rlx(&qti_rt.inline_join);
}

/* Is anybody out of work?  A task that has looked in vain for a while (qti_guest_out_of_work). */
static inline bool qti_host_anybody_out_of_work(void)
{
	return load_rlx(&qti_rt.idle.out_of_work) != 0;
}

/* Such a task, or a worker that sleeps. */
static inline bool qti_host_has_idle(void)
{
	return load_rlx(&qti_rt.idle.out_of_work) + load_rlx(&qti_rt.idle.parked) != 0;
}

enum qti_standing {
	QTI_STANDS_OUTSIDE,             /* an OS thread, in no task */
	QTI_STANDS_IN_MAIN,             /* the main task */
	QTI_STANDS_IN_TASK,             /* another task, on its worker */
	QTI_STANDS_IN_CALL,             /* a task in a blocking call, on no worker (core/proxy.h) */
};

QTI_SHARED enum qti_standing qti_guest_standing(void);

/* --- about the calling worker ----------------------------------------------------------------------------- */

/* 0 to qti_host_workers() - 1. */
static inline unsigned qti_worker_number(const struct qti_worker *w)
{
	return w->id;
}

/* Bytes of the stack that it stands on: those left, and all. */
static inline size_t qti_worker_stack_left(const struct qti_worker *w)
{
	return qti_stack_left(w->stack);
}

static inline size_t qti_worker_stack_size(const struct qti_worker *w)
{
	return (size_t)(w->stack->base - w->stack->limit);
}

/* What comes on top finds about as much stack as it would have on another one. */
static inline bool qti_worker_stack_is_shallow(const struct qti_worker *w)
{
	return qti_stack_shallow(w->stack);
}

/* Tasks that no other worker, or none of another shepherd, may run. */
static inline bool qti_worker_has_assigned(const struct qti_worker *w)
{
	return qti_taskq_count(&w->inbox) != 0 || qti_taskq_count(&w->shepherd->inbox) != 0;
}

/* Tasks in the places that it shares with others; a policy need not let others take them. */
static inline bool qti_worker_has_queued(const struct qti_worker *w)
{
	return qti_taskq_count(&qti_rt.inbox) != 0 || qti_rt.sched->length(w->shepherd) != 0;
}

/* Tasks in queues, wherever these are, that any worker may take. */
static inline bool qti_host_has_queued(void)
{
	return qti_stealable_anywhere();
}

static inline bool qti_worker_is_on_duty(const struct qti_worker *w)
{
	return !load_rlx(&w->off);
}

/* Has my worker something ready?  n tasks in its own queue, n > 0,
 * where those who are out of work find some of them. */
static inline bool qti_worker_holds(const struct qti_worker *w, size_t n)
{
	return qti_rt.sched->holds && qti_rt.sched->holds(w, n);
}

/* Of some policies one asks instead whether the queue that w's next push would go to is full, or has n tasks for
 * another worker already; if so, the task is to run. */
static inline bool qti_host_asks_for_room(void)
{
	return qti_rt.sched->full != NULL;
}

static inline bool qti_worker_lacks_room(struct qti_worker *w, size_t n)
{
	return qti_rt.sched->full(w, n);
}

/* Lets those who are out of work see what is in its own queue, which it will not come to for long. */
static inline void qti_worker_publish(struct qti_worker *w)
{
	if (qti_rt.sched->publish)
		qti_rt.sched->publish(w);
}

/* --- what is recorded (core/trace.h) ---------------------------------------------------------------------- */

/* Where something of the running task's begins or ends: `event` and so on as there.
 * Nothing on a thread that is no worker. */
static inline void qti_guest_trace(unsigned event, uint32_t more, uint64_t what)
{
	struct qti_worker *w = qti_self();

	if (w)
		qti_trace(&w->tracer, event, 0, more, what);
}

/* What `event` has begun, a wait, ends: from where the program has called is told, too. */
static inline void qti_guest_trace_waited(unsigned event)
{
	struct qti_worker *w = qti_self();

	if (w && qti_traces(&w->tracer))
		qti_trace_put(&w->tracer, event + QTI_TRACE_END, 0, 0, (uintptr_t)qti_caller(w->stack));
}

/* A task that is called in place begins or ends, that number's. */
static inline void qti_guest_trace_task(unsigned event, uint32_t id, uint64_t what)
{
	struct qti_worker *w = qti_self();

	if (w)
		qti_trace(&w->tracer, event, id, QTI_TRACE_IN_PLACE, what);
}

static inline bool qti_guest_traces(void)
{
	struct qti_worker *w = qti_self();

	return w && qti_traces(&w->tracer);
}

/* --- the guest's tasks ------------------------------------------------------------------------------------ */

/* Fills in a record's task.  `ret` is what qti_guest_claim finds it by; flags: 0, QTI_TASK_BOUND (to worker `home`) or
 * QTI_TASK_OPEN. */
static inline void qti_guest_task_set(struct qti_task *t, struct qti_task_more *more, qthread_f fn, void *arg,
	void *ret, qti_task_finish finish, uint32_t flags)
{
	qti_task_set(t, fn, arg, QTI_TASK_GUEST | QTI_TASK_NO_RECORD | flags);
	store_rlx(&t->ret, ret);
	t->finish = finish;
	qti_task_set_more(t, more);
}

/* From here on no other worker runs it. */
static inline void qti_guest_task_bind(struct qti_task *t, unsigned worker)
{
	t->flags = (t->flags | QTI_TASK_BOUND) & ~(uint32_t)QTI_TASK_DEALT;     /* whose shepherd is in `home`, too */
	t->home = (uint16_t)worker;
}

/* The guest's, not started, and free to be run by anybody. */
static inline bool qti_guest_task_is_free(const struct qti_task *t)
{
	return (t->flags & (QTI_TASK_GUEST | QTI_TASK_STARTED | QTI_TASK_BOUND)) == QTI_TASK_GUEST;
}

/* Its function returned without having begun: it does not count as a task that has run, nor as forked. */
static inline void qti_guest_task_take_back(struct qti_worker *w)
{
	qti_count_add(&w->stats.tasks_run, -1);
	qti_count_add(&w->stats.forks, -1);
}

/* One of its tasks ran where it was created, and never was in a queue.  w: the calling worker,
 * NULL on another thread. */
static inline void qti_guest_ran_in_place(struct qti_worker *w)
{
	if (qti_likely(w != NULL))
		qti_count(w, tasks_in_place);
}

/* One is in a queue of the guest's own. */
static inline void qti_guest_queued_apart(struct qti_worker *w)
{
	if (qti_likely(w != NULL))
		qti_count(w, tasks_queued);
}

/* The running task, any task's, of the calling worker. */
static inline struct qti_task *qti_guest_running(const struct qti_worker *w)
{
	return w->current;
}

/* Makes an open task of the guest ready.  w: the calling worker, NULL on another thread. */
static inline void qti_guest_push(struct qti_worker *w, struct qti_task *t)
{
	qti_probe_fork(t);
	if (qti_likely(w != NULL)) {
		qti_count(w, forks);
		qti_rt.sched->push(w, t);
	} else {
		add_rlx(&qti_rt.external_forks, 1);
		qti_ready(t);
	}
}

/* The same of n tasks of which t leads the others (qti_task_lead), on a worker. */
static inline void qti_guest_push_bubble(struct qti_worker *w, struct qti_task *t, unsigned n)
{
	qti_count_add(&w->stats.forks, n);
	t->creator = (uint16_t)w->id;
	qti_push_bubble(w, t);
}

/* May I take this task back?  One with that `ret`, out of w's own queue; NULL: there is none within reach, or the
 * policy's order is strict. */
static inline struct qti_task *qti_guest_claim(struct qti_worker *w, const void *ret)
{
	return qti_rt.sched->claim ? qti_rt.sched->claim(w, ret) : NULL;
}

/* What was claimed or found, and is not wanted. */
static inline void qti_guest_put_back(struct qti_worker *w, struct qti_task *t)
{
	qti_rt.sched->push(w, t);
}

/* --- who waits ------------------------------------------------------------------------------------------- */

/* If all workers are asleep: calls look(arg), which takes no time and no lock but a pool's, while none of them can go
 * on.  Whether it did. */
static inline bool qti_guest_hold_asleep(void (*look)(void *arg), void *arg)
{
	return qti_idle_hold_asleep(look, arg);
}

/* The main task, as a task that may have what another one waits for. */
static inline const struct qti_task *qti_guest_main_task(void)
{
	return qti_rt.main_task;
}

/* --- a task that waits ------------------------------------------------------------------------------------ */

/* Any ready task that w may run, not only the guest's; it is in the caller's hands then.  final: first what others
 * keep to themselves. */
QTI_SHARED struct qti_task *qti_guest_look(struct qti_worker *w, bool final);

/* The running task lets t go on or begin, on a stack of its own, and is ready itself.  From any place of
 * qti_guest_look. */
QTI_SHARED void qti_guest_give_way(struct qti_task *t);

/* The running task's worker leaves its stack, then calls after(task, arg); if that is true, qti_ready makes it go on,
 * and it goes on at once if not.  Out of memory for another stack it gives its CPU away for a moment,
 * and nothing was called. */
QTI_SHARED void qti_guest_sleep(qti_after after, void *arg);

/* The running task begins, or ceases, to look for others to run: it is to be shown what workers keep to themselves. */
QTI_SHARED void qti_guest_seek(bool begin);

/* It has done so for a while, in vain. */
QTI_SHARED void qti_guest_out_of_work(bool begin);

/* Threads of the guest's own begin, or cease, to use its stack: finalize waits, as for a task that sleeps or is in a
 * blocking call.  In api/runtime.c. */
QTI_SHARED void qti_guest_absent(bool begin);

#endif
