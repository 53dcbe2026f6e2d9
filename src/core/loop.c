/* core/loop.c -- the worker loop; suspending, resuming and running tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/loop.h"

#include "base/diag.h"
#include "base/mem.h"
#include "base/race.h"
#include "core/deal.h"
#include "core/idle.h"
#include "core/poller.h"
#include "core/ready.h"
#include "core/specific.h"
#include "machine/cxx.h"
#include "machine/fiber.h"

/* --- switching ------------------------------------------------------------------------------------------- */

/* The log's part of a switch is in calls of their own: a switch without a log saves no registers for it. */
static __attribute__((noinline, cold)) void trace_departure(struct qti_worker *w, struct qti_task *t)
{
	qti_trace_put(&w->tracer, QTI_TRACE_SWITCH, qti_trace_id(w, t), 0, 0);
}

/* For a race checker what runs on one stack has an order: so tasks shall seldom run on the same (base/race.h).  Returns
 * the stack that has rested for longest, NULL: there are not enough of them yet. */
static __attribute__((noinline, cold)) struct qti_stack *stack_rest(struct qti_worker *w, struct qti_stack *idle)
{
	struct qti_stack **place = &w->rested[w->resting++ % TUNE_RACE_STACKS], *rested = *place;

	*place = idle;
	return rested;
}

/* A checker is told of the stack only now, on arrival: nothing of the program's has run on it since. */
static __attribute__((noinline, cold)) void observe_arrival(struct qti_worker *w, char *frame_end)
{
	if (qti_races()) {
		qti_fiber_tell(w->stack, frame_end);
		if (w->handoff.idle)
			w->handoff.idle = stack_rest(w, w->handoff.idle);
	}
	if (qti_traces(&w->tracer))
		qti_trace_put(&w->tracer, QTI_TRACE_SWITCH + QTI_TRACE_END,
		              w->current ? qti_trace_id(w, w->current) : 0, 0, 0);
}

static inline void idle_stack_keep(struct qti_worker *w, struct qti_stack *idle)
{
	w->handoff.idle = NULL;
	if (!w->spare)
		w->spare = idle;
	else
		qti_stack_put(&w->shepherd->stacks, &w->stacks, idle);
}

/* The first thing after a switch, on the side that was switched to: the left task's context is complete now.
 * frame_end: of the frame that the switch has returned to. */
static void switch_arrived(struct qti_arrival a, char *frame_end)
{
	struct qti_worker *w = qti_self();

	if (w->handoff.context)
		*w->handoff.context = a.from;
	w->handoff.context = NULL;
	if (qti_observed(&w->tracer))
		observe_arrival(w, frame_end);
	if (w->handoff.idle)
		idle_stack_keep(w, w->handoff.idle);
	qti_after call = w->handoff.call;
	if (call) {
		struct qti_task *left = w->handoff.left;
		w->handoff.call = NULL;
		if (!call(left, w->handoff.arg))
			qti_ready(left);
	}
}

static void worker_loop(void) __attribute__((noreturn));

static void loop_entry(struct qti_arrival a)
{
	qti_fiber_arrive(NULL);
	switch_arrived(a, QTI_FRAME_END);
	worker_loop();
}

void qti_arrived(struct qti_arrival a, char *frame_end)
{
	switch_arrived(a, frame_end);
}

/* Leaves what runs for a loop on the spare stack: one that was left there idle, or a new one.  What was left goes on
 * here, and has yet to call switch_arrived. */
static inline struct qti_arrival switch_to_loop(struct qti_worker *w)
{
	struct qti_fiber_save save;
	struct qti_stack *to = w->spare;

	QTI_ASSERT(to != NULL);
	w->spare = NULL;
	w->stack = to;
	w->current = NULL;
	qti_guest_word_set(NULL);       /* it may lie on the stack that is left, and a signal's handler ask for it */
	void *context = to->loop ? to->loop : qti_ctx_make(to->base, (size_t)(to->base - to->limit), loop_entry);
	qti_fiber_depart(&save, to);
	struct qti_arrival a = qti_ctx_jump(context, NULL);
	qti_fiber_arrive(&save);
	return a;
}

/* w goes on with t, a started task. */
static void *worker_become(struct qti_worker *w, struct qti_task *t)
{
	struct qti_task_more *more = qti_task_more(t);

	w->current = t;
	w->forks_then = w->stats.forks;
	w->stack = more->stack;
	qti_guest_word_set(more->word);
	return more->context;
}

static void task_leave(struct qti_worker *w, qti_after after, void *arg)
{
	struct qti_task *t = w->current;
	struct qti_task_more *more = qti_task_more(t);

	QTI_ASSERT(t != NULL);
	more->word = qti_guest_word();
	more->stack = w->stack;
	w->handoff.call = after;
	w->handoff.left = t;
	w->handoff.context = &more->context;
	w->handoff.arg = arg;
	qti_count(w, switches);
	if (qti_traces(&w->tracer))
		trace_departure(w, t);
}

void qti_suspend(qti_after after, void *arg)
{
	struct qti_worker *w = qti_self();
	struct qti_cxx cxx = qti_cxx_depart(w->cxx);

	task_leave(w, after, arg);
	w->first = NULL;
	switch_arrived(switch_to_loop(w), QTI_FRAME_END);
	qti_cxx_arrive(&cxx);
}

struct qti_arrival qti_suspend_to(qti_after after, void *arg)
{
	struct qti_worker *w = qti_self();

	task_leave(w, after, arg);
	w->first = NULL;
	return switch_to_loop(w);
}

void qti_suspend_for(struct qti_task *next, qti_after after, void *arg)
{
	struct qti_worker *w = qti_self();
	struct qti_cxx cxx = qti_cxx_depart(w->cxx);

	task_leave(w, after, arg);
	if (next && qti_task_is(next, QTI_TASK_STARTED)) {
		struct qti_fiber_save save;
		void *context = worker_become(w, next);
		qti_fiber_depart(&save, w->stack);
		struct qti_arrival a = qti_ctx_jump(context, NULL);
		qti_fiber_arrive(&save);
		switch_arrived(a, QTI_FRAME_END);
	} else {
		w->first = next;
		switch_arrived(switch_to_loop(w), QTI_FRAME_END);
	}
	qti_cxx_arrive(&cxx);
}

/* From the loop, which stays behind idle on its stack: whoever needs a loop next continues it. */
static void loop_resume(struct qti_worker *w, struct qti_task *t)
{
	struct qti_fiber_save save;
	struct qti_stack *here = w->stack;

	qti_trace(&w->tracer, QTI_TRACE_SWITCH, 0, 0, 0);
	w->handoff.idle = here;
	w->handoff.context = &here->loop;
	qti_count(w, switches);
	void *context = worker_become(w, t);
	qti_fiber_depart(&save, w->stack);
	struct qti_arrival a = qti_ctx_jump(context, NULL);
	qti_fiber_arrive(&save);
	switch_arrived(a, QTI_FRAME_END);
}

/* Goes on as a loop on another stack. */
static __attribute__((noinline, cold)) void loop_hop(void)
{
	struct qti_worker *w = qti_self();

	w->current = NULL;
	if (qti_suspend_prepare(w) != QTHREAD_SUCCESS)
		return;
	w->first = NULL;
	w->handoff.idle = w->stack;
	w->handoff.context = &w->stack->loop;
	switch_arrived(switch_to_loop(w), QTI_FRAME_END);
}

struct qti_stack *qti_stack_get_traced(struct qti_worker *w)
{
	qti_trace_put(&w->tracer, QTI_TRACE_STACK, 0, 0, 0);
	struct qti_stack *s = qti_stack_get(&w->shepherd->stacks, &w->stacks);
	qti_trace_put(&w->tracer, QTI_TRACE_STACK + QTI_TRACE_END, 0, 0, 0);
	return s;
}

/* --- a task's life --------------------------------------------------------------------------------------- */

enum {
	OWNS_MEMORY =
		QTI_TASK_LOCAL_HEAP | QTI_TASK_ARG_POOL | QTI_TASK_ARG_HEAP | QTI_TASK_PRECONDS | QTI_TASK_SPECIFIC,
};

void qti_task_release(struct qti_task *t, struct qti_worker *w)
{
	if (qti_task_is(t, QTI_TASK_LOCAL_HEAP)) {
		t->flags &= ~(uint32_t)QTI_TASK_LOCAL_HEAP;
		fence_compiler();       /* the handler of a signal may ask for the size */
		qti_mem_free(qti_task_more(t)->local);
	}
	if (qti_task_is(t, QTI_TASK_PRECONDS))
		qti_mem_free(qti_task_more(t)->preconds);
	if (qti_task_is(t, QTI_TASK_SPECIFIC))
		qti_mem_free(qti_task_more(t)->specific);
	if (qti_task_is(t, QTI_TASK_ARG_HEAP))
		qti_mem_free(t->arg);
	if (qti_task_is(t, QTI_TASK_ARG_POOL)) {
		if (w)
			qti_pool_put(&qti_rt.args, &w->args, t->arg);
		else
			qti_pool_put_shared(&qti_rt.args, t->arg);
	}
	t->flags &= ~(uint32_t)OWNS_MEMORY;
}

static inline void task_discard(struct qti_worker *w, struct qti_task *t)
{
	if (qti_unlikely(t->flags & OWNS_MEMORY))
		qti_task_release(t, w);
	t->flags = 0;
	if (qti_likely(w != NULL))
		qti_pool_put(&qti_rt.tasks, &w->tasks, t);
	else
		qti_pool_put_shared(&qti_rt.tasks, t);
}

void qti_task_discard(struct qti_task *t)
{
	task_discard(qti_self(), t);
}

/* The running task has not asked to leave its proxy, which is none of a loop's.  Or this is the child of fork(2), which
 * has neither: what is beneath the task - a loop, or who waits for its result - is the parent's. */
static void leave_proxy(void)
{
	if (!qti_proxied())
		qti_panic("a task that has called fork(2) returns in the child, which has no tasks; "
		          "end it by _exit(2), exit(3) or exec(3)");
	qti_carrier()->give_back();
}

/* The running task's function has returned, and more is to be done than usual.  Returns its worker. */
static __attribute__((noinline)) struct qti_worker *task_settle(struct qti_task *t)
{
	if (!qti_self())
		leave_proxy();
	if (qti_task_is(t, QTI_TASK_DEALT))
		qti_deal_regret(t);
	if (qti_task_is(t, QTI_TASK_SPECIFIC))
		qti_specific_end();     /* its destructors may wait: it is still the running task */
	if (!qti_self())
		leave_proxy();
	return qti_self();
}

static void count_burst(struct qti_worker *w, unsigned creator)
{
	uint64_t *const span[] = {
		[QTI_SPAN_CHIP] = &w->stats.bursts_same_chip,
		[QTI_SPAN_NODE] = &w->stats.bursts_other_chip,
		[QTI_SPAN_MACHINE] = &w->stats.bursts_other_node,
	};

	qti_count(w, bursts);
	if (creator != w->id && creator < qti_rt.nworkers)
		qti_count_add(span[qti_place_span(w->place, qti_rt.workers[creator].place)], 1);
}

/* The first of a bubble is about to start: the others are ready, on the same worker. */
static __attribute__((noinline)) void bubble_open(struct qti_worker *w, struct qti_task *t)
{
	struct qti_task *rest = qti_task_more(t)->rest;

	count_burst(w, t->creator);
	rest->creator = t->creator;
	t->flags &= ~(uint32_t)QTI_TASK_BUBBLE;
	qti_push_bubble(w, rest);
}

static inline __attribute__((always_inline)) struct qti_worker *run_to_end(
	struct qti_worker *w, struct qti_task *t, bool observed)
{
	uint32_t id = observed ? qti_trace_id(w, t) : 0;

	if (qti_unlikely(qti_task_is(t, QTI_TASK_BUBBLE)))
		bubble_open(w, t);
	t->flags |= QTI_TASK_STARTED;
	w->current = t;
	qti_guest_word_set(NULL);
	qti_cxx_border();
	if (observed) {
		qti_trace(&w->tracer, QTI_TRACE_TASK, id, 0, (uintptr_t)qti_task_function(t));
		qti_race_acquire_as(t, QTI_RACE_TASK);
	}
	qti_probe_start(t, w->id);
	aligned_t value = t->fn(t->arg);
	qti_probe_end(t);
	w = qti_self();
	if (qti_unlikely(!w || (t->flags & (QTI_TASK_SPECIFIC | QTI_TASK_DEALT))))
		w = task_settle(t);
	if (observed) {
		qti_race_release(&qti_rt);      /* for qthread_finalize */
		qti_trace(&w->tracer, QTI_TRACE_TASK + QTI_TRACE_END, id, 0, 0);
	}
	qti_count(w, tasks_run);        /* before anybody can learn that it has run */
	if (t->finish && !t->finish(t, value))
		return qti_self();
	w = qti_self();
	task_discard(w, t);
	return w;
}

static __attribute__((noinline)) struct qti_worker *run_observed(struct qti_worker *w, struct qti_task *t)
{
	return run_to_end(w, t, true);
}

/* Calls an unstarted task's function on the stack that w stands on, and ends the task.  Returns the worker that the
 * caller is on then, which may be another. */
static inline struct qti_worker *run_here(struct qti_worker *w, struct qti_task *t)
{
	return qti_observed(&w->tracer) ? run_observed(w, t) : run_to_end(w, t, false);
}

static __attribute__((noinline)) void run_and_hop(struct qti_worker *w, struct qti_task *t)
{
	run_observed(w, t);
	if (qti_races())
		loop_hop();
}

/* Back to where the pthread entered. */
static void worker_stop(struct qti_worker *w) __attribute__((noreturn));
static void worker_stop(struct qti_worker *w)
{
	w->handoff.idle = w->stack;
	w->handoff.context = NULL;
	w->stack->loop = NULL;
	w->stack = &w->os_stack;
	qti_fiber_depart(NULL, w->stack);
	qti_ctx_jump(w->os_context, NULL);
	__builtin_unreachable();
}

/* The frame holds nothing of a particular worker across a task: whoever finishes it goes on here as its loop. */
static void worker_loop(void)
{
	for (;;) {
		struct qti_worker *w = qti_self();
		struct qti_task *t = w->first;

		w->current = NULL;
		w->first = NULL;
		qti_guard_look();
		if (!t && qti_unlikely(load_rlx(&w->off)))
			t = qti_idle_away(w);
		if (!t && !(t = qti_look(w, false)) && !(t = qti_idle(w))) {
			if (load_acq(&qti_rt.idle.stop))
				worker_stop(w);
			continue;
		}
		if (qti_task_is(t, QTI_TASK_STARTED)) {
			loop_resume(w, t);
		} else if (!qti_deal(w, t)) {
			w->forks_then = w->stats.forks;
			if (qti_observed(&w->tracer))
				run_and_hop(w, t);
			else
				run_to_end(w, t, false);
		}
	}
}

void qti_worker_run(struct qti_worker *w)
{
	w->first = qti_idle(w);
	w->handoff.context = &w->os_context;
	switch_arrived(switch_to_loop(w), QTI_FRAME_END);
}

/* --- joining --------------------------------------------------------------------------------------------- */

/* The child may have moved to a worker on which its parent, being pinned, must not run. */
static void return_home(struct qti_worker *w)
{
	while (qti_unlikely(!qti_may_run(w, w->current))) {
		while (!qti_suspend_possible(w))
			;
		qti_suspend(qti_after_ready, NULL);
		w = qti_self();
	}
}

void qti_run_on_top(struct qti_worker *w, struct qti_task *t)
{
	struct qti_task *parent = w->current;
	void *word = qti_guest_word();
	struct qti_cxx cxx = qti_cxx_depart(w->cxx);

	w = run_here(w, t);
	w->current = parent;
	qti_guest_word_set(word);
	qti_cxx_arrive(&cxx);
	return_home(w);
}

bool qti_join_inline(const void *ret)
{
	struct qti_worker *w = qti_self();

	if (!load_rlx(&qti_rt.inline_join) || qti_stack_left(w->stack) < w->stack->promised)
		return false;
	/* A recursion may join for long without a look at the queues.  Who has been waited for is to have his turn: the
	 * parent suspends. */
	if (qti_unlikely(qti_poller_take_turn(w)))
		return false;
	struct qti_task *t = qti_rt.sched->claim(w, ret);
	if (!t)
		return false;
	if (qti_unlikely(qti_task_is(t, QTI_TASK_STARTED))) {
		qti_rt.sched->push(w, t);
		return false;
	}
	if (qti_deal(w, t))
		return false;
	qti_count(w, inline_joins);
	qti_run_on_top(w, t);
	return true;
}
