/* omp/task/task.c -- explicit tasks: running them, and what their end means for others.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  A record is the memory of an explicit task: its frame, its queue links and its data.  A task is deferred
 * when it goes to a queue, and runs at once when its creator calls it; then its frame is light (omp/team/frame.h) if
 * nothing needs to refer to it.  A creator is crowded when it has so many unfinished children that another one would
 * only cost memory.
 *
 * Promises.  Each task runs exactly once, or is discarded by a cancellation.  A deferred task is counted with its
 * parent, its member and its group before another thread can find it, and completed in the order successors, group,
 * parent, record, team: the team comes last, because the end of a region waits for nothing else.
 *
 * Proof: C1 and C2 for the parent, G1 for the group, E1 for the successors, T2, T3 and T9 for the team.
 */
#include "omp/task/task.h"

#include "base/park.h"
#include "base/tuning.h"
#include "omp/task/depend.h"
#include "omp/task/event.h"
#include "omp/task/group.h"
#include "omp/task/wait.h"
#include "omp/team/barrier.h"
#include "omp/team/root.h"
#include "omp/team/tree.h"
#include "omp/team/wait_loop.h"

/* --- the end of a task ----------------------------------------------------------------------------------- */

static void child_ended_elsewhere(struct qomp_frame *parent)
{
	uint64_t now = add_acq_rel(&parent->remote, 1) + 1;

	if (now == QOMP_REMOTE_LAST)                                                            /* C2 */
		qomp_record_give(qti_self(), qomp_task_of(parent));
	else if ((now & QOMP_REMOTE_WAIT) && (uint32_t)now == load_rlx(&parent->need))          /* C1 */
		qomp_frame_call(parent);
}

/* A child that ran elsewhere does not even look at what its parent writes all the time. */
static inline void child_ended(const struct qomp_frame *f)
{
	struct qomp_frame *parent = f->parent;

	if (qti_likely(!(f->flags & QOMP_AWAY) && !(parent->flags & QOMP_WAITING)))
		parent->finished++;
	else
		child_ended_elsewhere(parent);
}

/* The record goes when the last of its children has ended. */
void qomp_task_retire(struct qomp_task *t)
{
	struct qomp_frame *f = &t->frame;

	qomp_frame_drop(f);
	if (qti_likely(f->created == f->finished)) {
		qomp_record_give(qti_self(), t);
		return;
	}
	if (!(f->flags & QOMP_WAITING))         /* set already where this is not the thread of its children */
		f->flags |= QOMP_WAITING;
	uint64_t lead = QOMP_REMOTE_LAST - (f->created - f->finished);
	if (add_acq_rel(&f->remote, lead) + lead == QOMP_REMOTE_LAST)                           /* C2 */
		qomp_record_give(qti_self(), t);
}

static inline void tell_team(struct qomp_team *team, struct qomp_member *m)
{
	fence_light();                                                                          /* T3 */
	if (qti_unlikely(load_rlx(&team->watch)))
		qomp_team_look(team, m);
}

/* Of tasks in a row that may run all but the last are pushed, which is returned. */
static struct qomp_task *release_others(struct qomp_task *t)
{
	for (struct qti_task *next; t && (next = t->base.next) != NULL; t = qomp_task_of_base(next))
		qomp_task_push(t);
	return t;
}

/* `next` may run, for a sibling of it has ended on this thread.  If the parent's has nothing to do, it is better off
 * there: most of what it needs is in that cache. */
static void go_on(bool away, struct qomp_task *next)
{
	struct qomp_frame *parent = next->frame.parent;
	struct qomp_task *open = QOMP_HANDOFF_OPEN;

	if (away && load_rlx(&parent->handoff) == QOMP_HANDOFF_OPEN &&
	    cas_acq_rel(&parent->handoff, &open, next))                                         /* C3 */
		return;
	qomp_task_push(next);
}

/* On the thread on which it ran. */
static inline void task_complete(struct qomp_task *t)
{
	struct qomp_frame *f = &t->frame;
	struct qomp_team *team = f->team;
	struct qomp_member *m = qomp_member(f);
	struct qomp_task *next = NULL;
	bool away = f->flags & QOMP_AWAY;

	if (qti_unlikely(f->extra != NULL))
		next = release_others(qomp_depend_done(t));
	if (qti_unlikely(f->group != NULL))
		qomp_group_leave(f);
	child_ended(f);
	qomp_task_retire(t);
	if (qti_unlikely(next != NULL))
		go_on(away, next);
	store_rel(&m->finished, m->finished + 1);                                               /* T2 */
	tell_team(team, m);
}

/* A native task needs no frame to fulfil an event, but what it gives back goes to its worker's caches. */
static void settle_native(void)
{
	if (qti_self() && !qti_guest_word())
		qomp_locals_settle();
}

/* The parent may go on, and even its thread exit, before this is done with the team. */
static void task_complete_elsewhere(struct qomp_task *t)
{
	struct qomp_frame *f = &t->frame;
	struct qomp_team *team = f->team;
	struct qomp_root *root = team->root;

	settle_native();
	add_rlx(&root->visitors, 1);                                                            /* T7 */
	struct qomp_task *next = f->extra ? release_others(qomp_depend_done(t)) : NULL;
	if (f->group)
		qomp_group_leave(f);
	child_ended_elsewhere(f->parent);
	qomp_task_retire(t);
	if (next)
		qomp_task_push(next);
	add_acq_rel(&team->elsewhere, 1);                                                       /* T2 */
	fence_light();                                                                          /* T3 */
	if (load_rlx(&team->watch))
		qomp_team_look(team, NULL);
	else
		qomp_team_rouse(team);
	if (load_rlx(&team->is_tree))
		qomp_tree_rouse_root(team);
	sub_acq_rel(&root->visitors, 1);                                                         /* T7 */
}

/* --- the tool -------------------------------------------------------------------------------------------- */

void qomp_task_tell(struct qomp_task *t, bool deferred, void **depend)
{
	struct qomp_frame *f = &t->frame;
	int flags = (f->flags & QOMP_FINAL ? ompt_task_final : 0) | (deferred ? 0 : ompt_task_undeferred);

	t->told = qomp_tell_create(qomp_told_of(f->parent), flags, depend != NULL);
	if (t->told)
		t->told->memory = qomp_record_memory(t, &t->told->bytes);
	qomp_race_group(t->told, f->group);
	if (depend)
		qomp_depend_tell(t->told, depend);
}

/* f's function is about to be called, by the caller; or is not: it has been cancelled. */
static __attribute__((noinline)) void task_tell_begin(struct qomp_frame *f)
{
	struct qomp_told *t = qomp_told_of(f);

	qomp_tell_task_begin(t, f->num, __builtin_dwarf_cfa());
	if (f->group && f->group->reductions)
		qomp_race_shares(t, qomp_member(f));    /* compiled code may find its thread's copies without a call */
	if (t && qomp_settings.cancellation && qomp_task_discarded(f)) {
		t->discarded = true;
		qomp_tell_cancel(
			t, ompt_cancel_discarded_task | (f->group ? ompt_cancel_taskgroup : ompt_cancel_parallel));
	}
}

/* What its successors' creator is told of it may come later: then it goes with what they know of it. */
static void task_told_drop(struct qomp_task *t)
{
	if (!t->frame.extra || !qomp_depend_keeps_told(t->frame.extra))
		qomp_told_free(t->told);
	t->told = NULL;
}

static __attribute__((noinline)) void task_tell_end(struct qomp_task *t)
{
	struct qomp_told *told = qomp_told_of(&t->frame);

	if (!told)
		return;
	qomp_tell_task_end(told, told->discarded ? ompt_task_cancel : ompt_task_complete);
	task_told_drop(t);
}

/* --- events ---------------------------------------------------------------------------------------------- */

/* Before it has returned a task does not end, whoever looks; afterwards it is who fulfils that ends it. */
static struct qomp_task *event_fulfil_told(void *event)
{
	struct qomp_told *early = qomp_event_told_before(event);

	qomp_tell_fulfilled(early, false);
	struct qomp_task *t = qomp_event_fulfil(event);
	if (t) {
		qomp_tell_fulfilled(qomp_told_of(&t->frame), true);
		task_told_drop(t);
	}
	return t;
}

void qomp_task_fulfil(void *event)
{
	struct qomp_task *t = qomp_tool_here() ? event_fulfil_told(event) : qomp_event_fulfil(event);

	if (t)
		task_complete_elsewhere(t);
}

/* --- running --------------------------------------------------------------------------------------------- */

static inline void frame_start(struct qomp_frame *f, uint32_t place, uint16_t num)
{
	if (f->place != place)
		f->flags |= QOMP_AWAY;
	store_rlx(&f->place, place);
	f->num = num;
}

/* Its children may end while its event is fulfilled by another thread, which cannot count those of this one. */
static bool event_too(struct qomp_task *t)
{
	t->frame.flags |= QOMP_WAITING;
	return qomp_event_returned(t);
}

/* Who fulfils the event late may end the task at once. */
static bool event_returned_told(struct qomp_task *t)
{
	bool complete;

	if (qomp_event_fulfilled(t)) {
		task_tell_end(t);
		return event_too(t);
	}
	qomp_tell_task_end(qomp_told_of(&t->frame), ompt_task_detach);
	complete = event_too(t);
	if (complete)
		task_told_drop(t);
	return complete;
}

static __attribute__((noinline)) bool returned_rare(struct qomp_task *t)
{
	bool tells = qomp_is_told(&t->frame);

	if (t->frame.flags & QOMP_DETACHED)
		return tells ? event_returned_told(t) : event_too(t);
	if (tells)
		task_tell_end(t);
	return true;
}

static inline void task_returned(struct qomp_task *t)
{
	if (qti_unlikely(t->frame.flags & (QOMP_DETACHED | QOMP_TRACED)) && !returned_rare(t))
		return;
	task_complete(t);
}

/* Where it was created a task has its creator's number, elsewhere that of the first member there.  False if it may not
 * begin here. */
static inline bool start_here(struct qomp_frame *f, uint32_t place)
{
	uint16_t num;

	if (f->place == place)
		return true;
	num = f->team->number[place];
	if (qti_unlikely(!qomp_member_begun(f->team->member[num])))                             /* T9 */
		return false;
	frame_start(f, place, num);
	return true;
}

/* A stolen task that is over so soon was not worth the way; one that is coarse weighs as much as so many of them. */
enum { COARSE_WEIGHT = TUNE_FINE_MANY / 2 };

static uint32_t saturating_minus(uint32_t n, uint32_t by)
{
	return n < by ? 0 : n - by;
}

static void note_size(struct qomp_member *m, uint64_t ns)
{
	uint32_t n = m->fine;

	if (ns < TUNE_FINE_NS)
		n += n < TUNE_FINE_MANY;
	else
		n = saturating_minus(n, ns < TUNE_COARSE_NS ? 1 : COARSE_WEIGHT);
	m->fine = n;
	if ((n == TUNE_FINE_MANY || n == 0) && load_rlx(&m->team->fine_grained) != (n != 0))
		store_rlx(&m->team->fine_grained, n != 0);
}

/* Looks at the clock now and then only, as long as all is well. */
static __attribute__((noinline)) void call_away(struct qomp_frame *f)
{
	struct qomp_member *m = qomp_member(f);

	if (qomp_is_told(f))
		task_tell_begin(f);
	if (!(f->flags & QOMP_AWAY)) {
		qomp_task_call_fn(f, f->fn, f->data);
		return;
	}
	if (++m->taken % TUNE_FINE_TIMED != 0 && !load_rlx(&m->team->fine_grained)) {
		qomp_task_call_fn(f, f->fn, f->data);
		return;
	}
	uint64_t begin = qti_now_ns();
	qomp_task_call_fn(f, f->fn, f->data);
	note_size(m, qti_now_ns() - begin);
}

/* As a qthread. */
aligned_t qomp_task_entry(void *arg)
{
	struct qomp_frame *f = arg;
	struct qomp_task *t = qomp_task_of(f);
	unsigned here = qti_worker_number(qti_self());

	qomp_frame_set(f);
	if (qti_unlikely(!start_here(f, here))) {
		f->flags |= QOMP_PUT_OFF;
		return 0;
	}
	qti_guest_task_bind(&t->base, here);
	if (qti_unlikely(f->flags & (QOMP_AWAY | QOMP_TRACED)))
		call_away(f);
	else
		qomp_task_call_fn(f, f->fn, f->data);
	return 0;
}

/* It goes back to the queues when the member begins, for which that one needs nobody but its dispatch. */
static __attribute__((noinline)) void put_off(struct qomp_task *t)
{
	struct qomp_team *team = t->frame.team;
	struct qti_worker *w = qti_self();
	struct qomp_member *m = team->member[team->number[qti_worker_number(w)]];

	qti_guest_task_take_back(w);    /* it will be counted again */
	t->frame.flags &= (uint16_t)~QOMP_PUT_OFF;
	qomp_task_prepare(t, QTI_TASK_OPEN);
	t->base.next = m->held;
	m->held = &t->base;
}

bool qomp_task_finish(struct qti_task *base, aligned_t unused)
{
	struct qomp_task *t = qomp_task_of_base(base);

	(void)unused;
	if (qti_unlikely(t->frame.flags & QOMP_PUT_OFF))
		put_off(t);
	else
		task_returned(t);
	return false;
}

static __attribute__((noinline)) void call_traced(struct qomp_frame *f)
{
	struct qti_worker *w = qti_self();
	uint32_t id = w ? qti_trace_next_id(&w->tracer) : 0;

	qti_guest_trace_task(QTI_TRACE_TASK, id, (uintptr_t)qomp_frame_function(f));
	if (qomp_tool_here())
		task_tell_begin(f);
	qomp_task_call_fn(f, f->fn, f->data);
	qti_guest_trace_task(QTI_TRACE_TASK + QTI_TRACE_END, id, 0);
}

/* On top of the running frame, which is f. */
static inline void call_in(struct qomp_frame *f, struct qomp_task *t)
{
	frame_start(&t->frame, f->place, f->num);
	qomp_frame_set(&t->frame);
	if (qti_unlikely(t->frame.flags & QOMP_TRACED))
		call_traced(&t->frame);
	else
		qomp_task_call_fn(&t->frame, t->frame.fn, t->frame.data);
	qomp_frame_set(f);
}

static void task_run_in(struct qomp_frame *f, struct qomp_task *t)
{
	call_in(f, t);
	task_returned(t);
}

/* Nobody waits for it but those above, so nobody has to count it.  Its children count for themselves. */
static inline void task_enter(struct qomp_frame *parent, struct qomp_task *t)
{
	qti_guest_ran_in_place(qti_self());
	t->frame.flags |= QOMP_UNDEFERRED;
	frame_start(&t->frame, parent->place, parent->num);
	qomp_frame_set(&t->frame);
	if (qomp_is_told(&t->frame))
		task_tell_begin(&t->frame);
}

static __attribute__((noinline)) void leave_rare(struct qomp_frame *parent, struct qomp_task *t)
{
	if (t->frame.flags & QOMP_DETACHED)
		qomp_event_wait(parent, t);
	if (qomp_is_told(&t->frame))
		task_tell_end(t);
}

static inline void task_leave(struct qomp_frame *parent, struct qomp_task *t)
{
	qomp_frame_set(parent);
	if (qti_unlikely(t->frame.flags & (QOMP_DETACHED | QOMP_TRACED)))
		leave_rare(parent, t);
	struct qomp_task *next = qti_unlikely(t->frame.extra != NULL) ? release_others(qomp_depend_done(t)) : NULL;
	if (qti_unlikely(t->frame.group != NULL))
		qomp_group_pass(&t->frame);
	qomp_task_retire(t);
	if (next)
		qomp_task_push(next);
	if (qti_unlikely(qomp_frame_is_initial(parent)))
		qomp_task_catch_up(parent);
}

void qomp_task_run(struct qomp_task *t)
{
	struct qomp_frame *parent = t->frame.parent;

	task_enter(parent, t);
	qomp_task_call_fn(&t->frame, t->frame.fn, t->frame.data);
	task_leave(parent, t);
}

void qomp_task_begin(struct qomp_task *t)
{
	if (qomp_is_told(&t->frame))
		qomp_task_tell(t, false, NULL);
	task_enter(t->frame.parent, t);
}

void qomp_task_end(struct qomp_task *t)
{
	task_leave(t->frame.parent, t);
}

void qomp_task_end_or_detach(struct qomp_task *t)
{
	struct qomp_frame *parent = t->frame.parent;

	if (!(t->frame.flags & QOMP_DETACHED) || qomp_event_fulfilled(t)) {
		task_leave(parent, t);
		return;
	}
	qomp_frame_set(parent);
	t->frame.flags &= (uint16_t)~QOMP_UNDEFERRED;
	qomp_task_count(t);
	task_returned(t);
}

void qomp_task_run_early(struct qomp_task *t)
{
	qti_guest_ran_in_place(qti_self());
	t->frame.flags |= QOMP_UNDEFERRED;
	task_run_in(t->frame.parent, t);
}

/* t starts on a stack of its own, as task of member num, when the running one, on w, has made way. */
static void task_run_apart(struct qti_worker *w, struct qomp_task *t, uint16_t num)
{
	frame_start(&t->frame, qti_worker_number(w), num);
	qomp_task_prepare(t, 0);
	qti_guest_task_bind(&t->base, qti_worker_number(w));
	qti_ready(&t->base);
}

/* Nobody else would go on with what those tasks leave.  What f itself creates runs on top, too, however little is left
 * (qomp_frame_runs_alone). */
static bool catches_up(const struct qomp_frame *f)
{
	return qomp_frame_is_initial(f) && f->team->alone;
}

void qomp_task_run_listed(struct qomp_frame *f, struct qomp_task *t)
{
	struct qti_worker *w = qti_self();

	if (qti_unlikely(w && !qomp_stack_has_room(w)) && !catches_up(f))
		task_run_apart(w, t, f->num);
	else
		task_run_in(f, t);
}

void qomp_task_catch_up(struct qomp_frame *f)
{
	while (qomp_list_run(f, (struct qomp_filter){ 0 }))
		continue;
}

void qomp_task_push(struct qomp_task *t)
{
	qomp_task_queue(t);
}
