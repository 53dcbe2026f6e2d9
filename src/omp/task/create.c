/* omp/task/create.c -- creating tasks: at once, deferred, or one of those for the other.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/create.h"

#include "base/poll.h"
#include "base/race.h"
#include "base/tuning.h"
#include "omp/task/wait.h"
#include "omp/team/lock.h"
#include "omp/team/wait_loop.h"

#include <string.h>

/* --- in place -------------------------------------------------------------------------------------------- */

/* A light frame has moved into a record. */
static __attribute__((noinline)) void end_settled(struct qomp_frame *f)
{
	qomp_frame_set(f->parent);
	qomp_group_pass(f);
	qomp_task_retire(qomp_task_of(f));
}

/* The same with a frame that is light for as long as nothing needs it to stay.  The creator has a frame. */
static inline void run_light(void (*fn)(void *), void *data, uint16_t flags)
{
	struct qomp_frame t, *f = qomp_frame_if_any();

	qti_guest_ran_in_place(qti_self());
	qomp_frame_begin(&t, f, flags | QOMP_UNDEFERRED | QOMP_LIGHT);
	qomp_frame_set(&t);
	qomp_task_call_fn(&t, fn, data);
	struct qomp_frame *now = qomp_frame_if_any();
	if (qti_likely(now == &t))
		qomp_frame_set(f);
	else
		end_settled(now);
}

/* A function of its own wherever it is called, so that others need not save registers for it. */
__attribute__((noinline)) void qomp_task_run_light(void (*fn)(void *), void *data, uint16_t flags)
{
	run_light(fn, data, flags);
}

/* --- how many children ----------------------------------------------------------------------------------- */

/* Children of one task that may wait to be run.  More would only take memory, and caches have gone cold by the time
 * they run.  Once there are as many, others run at once until there are few for each thread; those are counted only now
 * and then, for who runs them writes what has to be read.  Meanwhile nothing is pushed, so what the worker keeps
 * private is published for members that say that they are out of work; where tasks are fine-grained nobody says so, and
 * it would cost more than it brings. */

static uint32_t few_children(const struct qomp_frame *f)
{
	return TUNE_CHILDREN_FEW * f->team->n;
}

static void publish_for_others(void)
{
	struct qti_worker *w = qti_self();

	if (qti_unlikely(qti_host_anybody_out_of_work()) && w)
		qti_worker_publish(w);
}

static __attribute__((noinline)) bool frame_crowded_slow(struct qomp_frame *f)
{
	publish_for_others();
	if (qti_races())
		return false;
	if (f->skip > 1) {
		f->skip--;
		return true;
	}
	qomp_frame_collect(f);
	uint32_t n = f->created - f->finished,
		run = n / few_children(f);        /* the others do not run out of them meanwhile */
	f->skip = run < TUNE_CHILDREN_SKIP ? run : TUNE_CHILDREN_SKIP;
	return f->skip != 0;
}

static inline bool frame_crowded(struct qomp_frame *f, uint32_t most)
{
	return qti_unlikely(f->created - f->finished >= most || f->skip != 0) && frame_crowded_slow(f);
}

/* However many there are, they run at once only while the stack lasts. */
static inline bool runs_for_crowd(struct qomp_frame *f)
{
	return frame_crowded(f, TUNE_CHILDREN) && qti_likely(qomp_stack_lasts());
}

bool qomp_task_crowded(struct qomp_frame *f)
{
	return runs_for_crowd(f);
}

/* --- those that wait for each other ---------------------------------------------------------------------- */

/* Each has several cache lines more.  But which of them can be run at all shows only when enough are known: so if none
 * can, more are made. */

bool qomp_task_crowded_waiting(struct qomp_frame *f)
{
	return frame_crowded(f, TUNE_DEPENDENT * f->team->n) && qomp_stack_lasts();
}

static uint32_t children_unfinished(const struct qomp_frame *f)
{
	return f->created - f->finished - (uint32_t)load_rlx(&f->remote);
}

static bool may_receive(const struct qomp_frame *f)
{
	struct qti_worker *w = qti_self();

	return f->team->uses_scheduler && w && qomp_stack_has_room(w);
}

/* Waits a moment for a child that another thread could run next, or until there are few. */
static struct qomp_task *receive_handoff(struct qomp_frame *f)
{
	struct qti_poll poll = { .ns = TUNE_HANDOFF_NS };

	store_rel(&f->handoff, QOMP_HANDOFF_OPEN);                                              /* C3 */
	while (load_rlx(&f->handoff) == QOMP_HANDOFF_OPEN && children_unfinished(f) >= few_children(f) &&
		qti_poll_again(&poll))
		continue;
	struct qomp_task *t = swap_acq_rel(&f->handoff, NULL);                                  /* C3 */
	return t != QOMP_HANDOFF_OPEN ? t : NULL;
}

void qomp_task_relieve(struct qomp_frame *f)
{
	struct qomp_filter child = { .parent = f };

	if (f->created % TUNE_HELP_EVERY != 0)
		return;
	while (children_unfinished(f) >= few_children(f)) {
		if (qomp_wait_run(f, child))
			continue;
		struct qomp_task *t = may_receive(f) ? receive_handoff(f) : NULL;
		if (!t)
			break;
		qomp_task_run_early(t);
	}
	qomp_frame_collect(f);
	f->skip = 0;
}

/* Words one by one: a call of memcpy costs more than most tasks' data do. */
static inline void copy_words(char *to, const char *from, size_t size)
{
	for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), to += sizeof(uint64_t), from += sizeof(uint64_t))
		memcpy(to, from, sizeof(uint64_t));
	while (size-- > 0)
		*to++ = *from++;
}

/* A copy that the stack has no room for needs a record, with which it goes. */
static __attribute__((noinline)) void run_copied_large(
	void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags)
{
	struct qomp_task *t = qomp_record_take_sized(qomp_frame(), fn, size, align);

	copy(t->frame.data, data);
	t->frame.flags |= QOMP_COPIED | flags;
	qomp_task_run(t);
}

enum { STACK_ALIGN = QTI_CACHE_LINE };

/* The copy is made by the creator, whose frame may have moved then. */
static __attribute__((noinline)) void run_copied(
	void (*fn)(void *), void *data, void (*copy)(void *, void *), uint16_t flags)
{
	char to[TUNE_COPY_BYTES] __attribute__((aligned(STACK_ALIGN)));

	copy(to, data);
	run_light(fn, to, QOMP_COPIED | flags);
}

/* Bytes of a copy that the stack has room for, and hardly notices: how much a thread of the program has,
 * nobody knows. */

static size_t room_for_copy(void)
{
	struct qti_worker *w = qti_self();

	return w ? qti_worker_stack_left(w) / TUNE_COPY_SHARE : TUNE_COPY_OUTSIDE;
}

/* As run_copied. */
static __attribute__((noinline)) void run_copied_sized(
	void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags)
{
	char room[size + align];
	char *to = room + (-(uintptr_t)room & (align - 1));

	copy(to, data);
	run_light(fn, to, QOMP_COPIED | flags);
}

/* As run_copied. */
static __attribute__((noinline)) void run_copied_unusual(
	void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags)
{
	if (size + align <= room_for_copy())
		run_copied_sized(fn, data, copy, size, align, flags);
	else
		run_copied_large(fn, data, copy, size, align, flags);
}

/* Each way is a function of its own, so that none saves registers for another. */
static inline void run_at_once(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align,
                               uint16_t flags)
{
	if (qti_likely(copy == NULL))
		qomp_task_run_light(fn, data, flags);
	else if (qti_likely(size <= TUNE_COPY_BYTES && align <= STACK_ALIGN))
		run_copied(fn, data, copy, flags);
	else
		run_copied_unusual(fn, data, copy, size, align, flags);
}

static inline __attribute__((always_inline)) struct qomp_task *record_fill(struct qomp_frame *f, void (*fn)(void *),
	void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags)
{
	struct qomp_task *t = qomp_record_take_sized(f, fn, size, align);

	t->frame.flags |= flags;
	if (qti_unlikely(copy != NULL)) {
		copy(t->frame.data, data);
		t->frame.flags |= QOMP_COPIED;
	} else {
		copy_words(t->frame.data, data, size);
	}
	return t;
}

static __attribute__((noinline)) void task_defer(void (*fn)(void *), void *data, void (*copy)(void *, void *),
	size_t size, size_t align, uint16_t flags)
{
	struct qomp_frame *f = qomp_frame();

	if (runs_for_crowd(f)) {
		run_at_once(fn, data, copy, size, align, flags);
		return;
	}
	struct qomp_task *t = record_fill(f, fn, data, copy, size, align, flags);
	qomp_task_count(t);
	qomp_task_queue(t);
}

/* While that many tasks wait in the worker's own queue that are not the creator's, thieves have better ones: their
 * creators are forebears, mostly, and what they create is larger.  So this one runs at once, which costs no more than a
 * call, and so may what it creates.  As soon as thieves have taken them its children are deferred again.  (Load-based
 * inlining: Mohr, Kranz, Halstead, Lazy task creation, IEEE Transactions on Parallel and Distributed Systems 2(3),
 * 1991.)  A creator of many children need not ask: it has filled the queue itself.
 *
 * They prefer lazy creation, for its creator does not go on before such a task ends.  It costs one task's time where
 * those that wait are smaller than they should be.  It needs stack, so where much is in use a task gets a stack of its
 * own.  And it must not need what its creator has: not while that one has a lock.  Programs that rely on more can turn
 * it off.
 *
 * Where most tasks are next to nothing, and nobody knows which are not (in a search, say), thieves come again and
 * again: there have to be many tasks, whoever created them, if these are to find one that lasts. */

static size_t enough_tasks(const struct qomp_frame *f, unsigned more)
{
	return qti_unlikely(load_rlx(&f->team->fine_grained)) ? TUNE_STOCK : f->created - f->finished + more;
}

static bool may_run_at_once(const struct qti_worker *w)
{
	return qomp_locks_held == 0 && (w ? qti_worker_stack_is_shallow(w) : qomp_outside_is_shallow()) &&
	       qti_host_runs_in_place();
}

/* The same of a team's list, unless the order in it, or who may begin what, is the program's wish. */
static inline __attribute__((always_inline)) bool list_suffices(const struct qomp_frame *f)
{
	return qomp_list_holds(f->team, enough_tasks(f, TUNE_ENOUGH)) && may_run_at_once(qti_self()) &&
		!qomp_list_always();
}

static inline __attribute__((always_inline)) bool others_suffice(const struct qomp_frame *f)
{
	struct qti_worker *w = qti_self();

	if (qti_unlikely(!f->team->uses_scheduler))
		return list_suffices(f);
	if (qti_unlikely(!w))
		return false;
	if (qti_worker_holds(w, enough_tasks(f, TUNE_ENOUGH)))
		return may_run_at_once(w);
	return qti_host_asks_for_room() && may_run_at_once(w) &&
		qti_worker_lacks_room(w, enough_tasks(f, TUNE_ENOUGH_DEALT));
}

/* A function of its own, so that creators of many children go to task_defer straight. */
static __attribute__((noinline)) void task_defer_or_run(void (*fn)(void *), void *data, void (*copy)(void *, void *),
	size_t size, size_t align, uint16_t flags)
{
	if (others_suffice(qomp_frame_if_any()))
		run_at_once(fn, data, copy, size, align, flags);
	else
		task_defer(fn, data, copy, size, align, flags);
}

/* Tasks of a team of one run at once, for nobody else would run them.  But if each creates the next, they would need
 * stack without end: so from some depth on they are deferred, and run when those above have returned.
 *
 * Most creators have a light frame, and where that lies says how deep they stand.  The team remembers the part of the
 * stack in which a task may run at once; for a frame that lies elsewhere one has to look. */

static bool lasts_for_next(const struct qomp_frame *f, uint16_t flags)
{
	if (flags & QOMP_UNDEFERRED || f->flags & (QOMP_FINAL | QOMP_IMPLICIT))
		return true;
	f->team->shallow.size = qomp_stack_part(&f->team->shallow.last);
	return f->team->shallow.size != 0;
}

static __attribute__((noinline)) void create_alone_rare(void (*fn)(void *), void *data, void (*copy)(void *, void *),
	size_t size, size_t align, uint16_t flags)
{
	struct qomp_frame *f = qomp_frame_if_any();

	if (!lasts_for_next(f, flags)) {
		task_defer(fn, data, copy, size, align, flags);
		return;
	}
	run_at_once(fn, data, copy, size, align, flags);
	if (qomp_frame_is_initial(f))
		qomp_task_catch_up(f);
}

/* So that most go on by a jump. */
static inline __attribute__((always_inline)) void create_alone(const struct qomp_frame *f, void (*fn)(void *),
	void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags)
{
	const struct qomp_team *team = f->team;

	if (qti_likely((uintptr_t)f - team->shallow.last < team->shallow.size) ||
		(f->flags & QOMP_IMPLICIT && team->parent))
		run_at_once(fn, data, copy, size, align, flags);
	else
		create_alone_rare(fn, data, copy, size, align, flags);
}

/* --- recorded -------------------------------------------------------------------------------------------- */

/* Has a number, which is given before others find it. */
static uint32_t queue_traced(struct qomp_task *t)
{
	struct qti_worker *w = qti_self();

	if (!t->frame.team->uses_scheduler || !w) {
		qomp_task_queue(t);
		return 0;
	}
	qomp_task_prepare(t, QTI_TASK_OPEN);
	uint32_t id = qti_trace_id(w, &t->base);
	qti_guest_push(w, &t->base);
	return id;
}

static bool is_run_at_once(const struct qomp_frame *f, uint16_t flags)
{
	return flags & QOMP_UNDEFERRED || f->flags & QOMP_FINAL || qomp_frame_runs_alone(f) ||
	       (f->created - f->finished < TUNE_ENOUGH_ASKS && others_suffice(f));
}

/* As qomp_task_create, with the same outcome. */
static __attribute__((noinline)) void create_traced(
	void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags)
{
	struct qti_worker *w = qti_self();

	if (is_run_at_once(qomp_frame_if_any(), flags) || qomp_task_crowded(qomp_frame())) {
		uint32_t id = w ? qti_trace_next_id(&w->tracer) : 0;
		qti_guest_trace_task(QTI_TRACE_TASK, id, (uintptr_t)fn);
		run_at_once(fn, data, copy, size, align, flags);
		qti_guest_trace_task(QTI_TRACE_TASK + QTI_TRACE_END, id, 0);
	} else {
		qti_guest_trace(QTI_TRACE_CREATE, 0, (uintptr_t)fn);
		struct qomp_task *t = record_fill(qomp_frame(), fn, data, copy, size, align, flags);
		qomp_task_count(t);
		uint32_t id = queue_traced(t);
		qti_guest_trace_task(QTI_TRACE_CREATE + QTI_TRACE_END, id, 0);
	}
}

/* The same for the tool, for which every task has a record; it runs on the creator's data if it runs at once. */
static __attribute__((noinline)) void create_told(
	void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags)
{
	struct qomp_frame *f = qomp_frame();
	bool at_once = is_run_at_once(f, flags) || qomp_task_crowded(f);
	struct qomp_task *t;

	if (at_once && !copy && (flags & QOMP_UNDEFERRED || !qti_races())) {
		t = qomp_record_take(qti_self(), f, fn, data);
		t->frame.flags |= flags;
	} else {
		t = record_fill(f, fn, data, copy, size, align, flags);
	}
	qomp_task_tell(t, !at_once, NULL);
	if (at_once) {
		qomp_task_run(t);
	} else {
		qomp_task_count(t);
		qomp_task_queue(t);
	}
}

static __attribute__((noinline)) void create_watched(
	void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags)
{
	if (qomp_tool_here()) {
		if (flags & QOMP_CALLED)
			qomp_tool_called();
		create_told(fn, data, copy, size, align, flags);
	} else {
		create_traced(fn, data, copy, size, align, flags);
	}
	if (qomp_frame_is_initial(qomp_frame_if_any()))
		qomp_task_catch_up(qomp_frame_if_any());
}

/* The creator has no frame yet. */
static __attribute__((noinline)) void create_first(
	void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags)
{
	qomp_frame_first();
	qomp_task_create(fn, data, copy, size, align, flags);
}

void qomp_task_create(
	void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags)
{
	const struct qomp_frame *f = qomp_frame_if_any();

	if (qti_unlikely(f == NULL)) {
		create_first(fn, data, copy, size, align, flags);
		return;
	}
	/* Together: most have none of these. */
	unsigned marks = (f->flags & (QOMP_TRACED | QOMP_FINAL)) | (flags & QOMP_UNDEFERRED);
	if (marks != 0 && qti_unlikely(marks & QOMP_TRACED))
		create_watched(fn, data, copy, size, align, flags);
	else if (f->team->alone)
		create_alone(f, fn, data, copy, size, align, flags);
	else if (marks != 0)
		run_at_once(fn, data, copy, size, align, flags);
	else if (f->created - f->finished < TUNE_ENOUGH_ASKS)
		task_defer_or_run(fn, data, copy, size, align, flags);
	else
		task_defer(fn, data, copy, size, align, flags);
}

/* For the tool and the event log. */
static __attribute__((noinline)) void submit_watched(struct qomp_frame *f, struct qomp_task *t, bool at_once)
{
	const uintptr_t fn = (uintptr_t)qomp_frame_function(&t->frame);
	struct qti_worker *w = qti_self();
	uint32_t id;

	if (qomp_is_told(f))
		qomp_task_tell(t, !at_once, NULL);
	if (at_once) {
		id = w ? qti_trace_next_id(&w->tracer) : 0;
		qti_guest_trace_task(QTI_TRACE_TASK, id, fn);
		qomp_task_run(t);
		qti_guest_trace_task(QTI_TRACE_TASK + QTI_TRACE_END, id, 0);
	} else {
		qti_guest_trace(QTI_TRACE_CREATE, 0, fn);
		qomp_task_count(t);
		id = queue_traced(t);
		qti_guest_trace_task(QTI_TRACE_CREATE + QTI_TRACE_END, id, 0);
	}
}

/* As qomp_task_create, but what it would copy is in the record already. */
void qomp_task_submit(struct qomp_task *t)
{
	struct qomp_frame *f = t->frame.parent;
	bool at_once = is_run_at_once(f, 0) || qomp_task_crowded(f);

	if (qti_unlikely(f->flags & QOMP_TRACED)) {
		submit_watched(f, t, at_once);
	} else if (at_once) {
		qomp_task_run(t);
	} else {
		qomp_task_count(t);
		qomp_task_queue(t);
	}
}
