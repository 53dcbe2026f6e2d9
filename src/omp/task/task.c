/* omp/task/task.c -- explicit tasks: making them, running them, and waiting for children.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/task.h"

#include "base/mem.h"
#include "base/park.h"
#include "base/tuning.h"
#include "omp/env/text.h"
#include "omp/task/cancel.h"
#include "omp/task/depend.h"
#include "omp/task/event.h"
#include "omp/task/group.h"
#include "omp/task/list.h"
#include "omp/task/wait.h"
#include "omp/team/lock.h"
#include "omp/team/lot.h"
#include "omp/team/region.h"
#include "omp/team/root.h"
#include "omp/team/start.h"
#include "sync/waiter.h"

#include <sched.h>
#include <string.h>

/* --- records --------------------------------------------------------------------------------------------- */

/* What its worker's thread counts for itself, a task in a blocking call cannot. */
static struct qti_pool_cache *cache_outside(void)
{
	struct qti_pool_cache *c = qomp_outside_records();

	if (!c)
		qomp_fatal("an OpenMP construct in a task that is in a blocking call");
	return c;
}

/* The calling thread's. */
static inline struct qti_pool_cache *cache_of(struct qti_worker *w)
{
	return qti_likely(w != NULL) ? &qomp_local[qti_worker_number(w)].tasks : cache_outside();
}

static void put_outside(struct qomp_task *t)
{
	struct qti_pool_cache *c = qomp_outside_records();

	if (c)
		qti_pool_put(&qomp_tasks, c, t);
	else
		qti_pool_put_shared(&qomp_tasks, t);
}

static void record_put(struct qti_worker *w, struct qomp_task *t)
{
	if (qti_unlikely(t->frame.flags & QOMP_HEAP_DATA))
		qti_mem_free(t->frame.data);
	if (qti_likely(w != NULL))
		qti_pool_put(&qomp_tasks, &qomp_local[qti_worker_number(w)].tasks, t);
	else
		put_outside(t);
}

static void large_data(struct qomp_task *t, size_t size, size_t align)
{
	t->frame.data = qti_mem_aligned(align > QOMP_ARG_ALIGN ? align : QOMP_ARG_ALIGN, size);
	if (!t->frame.data)
		qomp_fatal("out of memory for the %zu bytes of an OpenMP task's data", size);
	t->frame.flags |= QOMP_HEAP_DATA;
}

static inline struct qomp_task *record(struct qti_worker *w, struct qomp_frame *parent, void (*fn)(void *), void *data)
{
	struct qomp_task *t = qti_pool_get(&qomp_tasks, cache_of(w));
	struct qomp_frame *f = &t->frame;

	if (qti_unlikely(!t))
		qomp_fatal("out of memory for an OpenMP task");
	f->parent = parent;
	f->team = parent->team;
	f->icv = parent->icv;
	f->group = parent->group;
	f->extra = NULL;
	f->created = f->finished = 0;
	f->skip = 0;
	f->place = parent->place;
	f->num = parent->num;
	f->flags = parent->flags & QOMP_FINAL;
	store_rlx(&f->remote, 0);
	f->depends = NULL;
	store_rlx(&f->gift, NULL);
	f->fn = fn;
	f->data = data ? data : f->small;
	return t;
}

static inline struct qomp_task *record_sized(struct qomp_frame *parent, void (*fn)(void *), size_t size, size_t align)
{
	struct qomp_task *t = record(qti_self(), parent, fn, NULL);

	if (qti_unlikely(align > QOMP_ARG_ALIGN || size > QOMP_ARG_ROOM))
		large_data(t, size, align);
	else if (qti_unlikely(size > QOMP_SMALL))
		t->frame.data = t->arg;
	return t;
}

struct qomp_task *qomp_task_new(struct qomp_frame *parent, void (*fn)(void *), size_t size, size_t align)
{
	return record_sized(parent, fn, size, align);
}

struct qomp_task *qomp_task_new_in_place(struct qomp_frame *parent, void (*fn)(void *), void *data)
{
	return record(qti_self(), parent, fn, data);
}

static inline void count(struct qomp_task *t)
{
	struct qomp_frame *f = t->frame.parent;
	struct qomp_member *m = qomp_member(f);

	f->created++;
	store_rlx(&m->created, m->created + 1);
	if (qti_unlikely(f->group != NULL))
		qomp_group_enter(f->group);
	if (qti_unlikely(!load_rlx(&f->team->tasks)))
		store_rlx(&f->team->tasks, 1);
}

void qomp_task_count(struct qomp_task *t)
{
	count(t);
}

/* --- the end of a task ----------------------------------------------------------------------------------- */

static void child_ended_elsewhere(struct qomp_frame *parent)
{
	uint64_t now = add_acq_rel(&parent->remote, 1) + 1;

	if (now == QOMP_REMOTE_LAST)                                                            /* C2 */
		record_put(qti_self(), qomp_task_of(parent));
	else if ((now & QOMP_REMOTE_WAIT) && (uint32_t)now == load_rlx(&parent->need))          /* C1 */
		qomp_task_call(parent);
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
static void retire(struct qomp_task *t)
{
	struct qomp_frame *f = &t->frame;

	if (qti_unlikely(f->depends != NULL))
		qomp_depend_forget(f);
	if (qti_likely(f->created == f->finished)) {
		record_put(qti_self(), t);
		return;
	}
	if (!(f->flags & QOMP_WAITING))         /* set already where this is not the thread of its children */
		f->flags |= QOMP_WAITING;
	uint64_t lead = QOMP_REMOTE_LAST - (f->created - f->finished);
	if (add_acq_rel(&f->remote, lead) + lead == QOMP_REMOTE_LAST)                           /* C2 */
		record_put(qti_self(), t);
}

static inline void tell_team(struct qomp_team *team)
{
	fence_light();                                                                          /* T3 */
	if (qti_unlikely(load_rlx(&team->watch)))
		qomp_team_look(team);
}

/* `next` may run, for a sibling of it has ended on this thread.  If the parent's has nothing to do, it is better off there:
 * most of what it needs is in that cache. */
static void go_on(bool away, struct qomp_task *next)
{
	struct qomp_frame *parent = next->frame.parent;
	struct qomp_task *wanted = QOMP_WANTED;

	if (away && load_rlx(&parent->gift) == QOMP_WANTED && cas_acq_rel(&parent->gift, &wanted, next))        /* C3 */
		return;
	qomp_task_push(next);
}

/* On the thread on which it ran. */
static inline void complete(struct qomp_task *t)
{
	struct qomp_frame *f = &t->frame;
	struct qomp_team *team = f->team;
	struct qomp_member *m = qomp_member(f);
	struct qomp_task *next = NULL;
	bool away = f->flags & QOMP_AWAY;

	if (qti_unlikely(f->extra != NULL))
		next = qomp_depend_done(t);
	if (qti_unlikely(f->group != NULL))
		qomp_group_leave(f);
	child_ended(f);
	retire(t);
	if (qti_unlikely(next != NULL))
		go_on(away, next);
	store_rel(&m->finished, m->finished + 1);                                               /* T2 */
	tell_team(team);
}

/* A native task needs no frame to fulfil an event, but what it gives back goes to its worker's caches. */
static void settle_native(void)
{
	if (qti_self() && !qti_guest_word())
		qomp_settle();
}

/* The parent may go on, and even its thread exit, before this is done with the team. */
void qomp_task_complete_elsewhere(struct qomp_task *t)
{
	struct qomp_frame *f = &t->frame;
	struct qomp_team *team = f->team;
	struct qomp_root *root = team->root;

	settle_native();
	add_rlx(&root->visitors, 1);                                                            /* T7 */
	struct qomp_task *next = f->extra ? qomp_depend_done(t) : NULL;
	if (f->group)
		qomp_group_leave(f);
	child_ended_elsewhere(f->parent);
	retire(t);
	if (next)
		qomp_task_push(next);
	add_acq_rel(&team->elsewhere, 1);                                                       /* T2 */
	fence_light();                                                                          /* T3 */
	if (load_rlx(&team->watch))
		qomp_team_look(team);
	else
		qomp_team_rouse(team);
	sub_acq_rel(&root->visitors, 1);                                                         /* T7 */
}

/* --- running --------------------------------------------------------------------------------------------- */

static inline void start(struct qomp_frame *f, uint32_t place, uint16_t num)
{
	if (f->place != place)
		f->flags |= QOMP_AWAY;
	f->place = place;
	f->num = num;
}

static inline void call(struct qomp_frame *f, void (*fn)(void *), void *data)
{
	if (qti_likely(!qomp_settings.cancellation) || !qomp_task_discarded(f))
		fn(data);
}

/* Its children may end while its event is fulfilled by another thread, which cannot count those of this one. */
static bool event_too(struct qomp_task *t)
{
	t->frame.flags |= QOMP_WAITING;
	return qomp_event_returned(t);
}

static inline void returned(struct qomp_task *t)
{
	if (qti_unlikely(t->frame.flags & QOMP_DETACHED) && !event_too(t))
		return;
	complete(t);
}

/* Where it was created a task has its creator's number, elsewhere that of the first member there.  False if it may not begin
 * here. */
static inline bool start_here(struct qomp_frame *f, uint32_t place)
{
	uint16_t num;

	if (f->place == place)
		return true;
	num = f->team->number[place];
	if (qti_unlikely(!qomp_member_begun(f->team->member[num])))                             /* T9 */
		return false;
	start(f, place, num);
	return true;
}

/* What is over so soon was not worth the way; and what lasts so long fed its thief well. */
enum { CRUMBS_MEAL = TUNE_CRUMBS_MANY / 2 };

static uint32_t less(uint32_t n, uint32_t by)
{
	return n < by ? 0 : n - by;
}

static void note_size(struct qomp_member *m, uint64_t ns)
{
	uint32_t n = m->crumbs;

	if (ns < TUNE_CRUMB_NS)
		n += n < TUNE_CRUMBS_MANY;
	else
		n = less(n, ns < TUNE_MEAL_NS ? 1 : CRUMBS_MEAL);
	m->crumbs = n;
	if ((n == TUNE_CRUMBS_MANY || n == 0) && load_rlx(&m->team->crumbles) != (n != 0))
		store_rlx(&m->team->crumbles, n != 0);
}

/* Looks at the clock now and then only, as long as all is well. */
static __attribute__((noinline)) void call_away(struct qomp_frame *f)
{
	struct qomp_member *m = qomp_member(f);

	if (++m->taken % TUNE_CRUMBS_LOOK != 0 && !load_rlx(&m->team->crumbles)) {
		call(f, f->fn, f->data);
		return;
	}
	uint64_t begin = qti_now_ns();
	call(f, f->fn, f->data);
	note_size(m, qti_now_ns() - begin);
}

/* As a qthread. */
static aligned_t entry(void *arg)
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
	if (qti_unlikely(f->flags & QOMP_AWAY))
		call_away(f);
	else
		call(f, f->fn, f->data);
	return 0;
}

/* It goes back to the queues when the member begins, for which that one needs nobody but its mail. */
static __attribute__((noinline)) void put_off(struct qomp_task *t)
{
	struct qomp_team *team = t->frame.team;
	struct qti_worker *w = qti_self();
	struct qomp_member *m = team->member[team->number[qti_worker_number(w)]];

	qti_guest_task_take_back(w);    /* it will be counted again */
	t->frame.flags &= (uint16_t)~QOMP_PUT_OFF;
	t->base.next = m->held;
	m->held = &t->base;
}

void qomp_task_release_held(struct qomp_member *m)
{
	struct qti_task *t;

	while ((t = m->held) != NULL) {
		m->held = t->next;
		qomp_task_push(qomp_task_of_base(t));
	}
}

static bool finish(struct qti_task *base, aligned_t unused)
{
	struct qomp_task *t = qomp_task_of_base(base);

	(void)unused;
	if (qti_unlikely(t->frame.flags & QOMP_PUT_OFF))
		put_off(t);
	else
		returned(t);
	return false;
}

/* On top of the running frame, which is f. */
static inline void call_in(struct qomp_frame *f, struct qomp_task *t)
{
	start(&t->frame, f->place, f->num);
	qomp_frame_set(&t->frame);
	call(&t->frame, t->frame.fn, t->frame.data);
	qomp_frame_set(f);
}

void qomp_task_run_in(struct qomp_frame *f, struct qomp_task *t)
{
	call_in(f, t);
	returned(t);
}

/* Nobody waits for it but those above, so nobody has to count it.  Its children count for themselves. */
void qomp_task_run(struct qomp_task *t)
{
	struct qomp_frame *parent = t->frame.parent;

	t->frame.flags |= QOMP_UNDEFERRED;
	call_in(parent, t);
	if (qti_unlikely(t->frame.flags & QOMP_DETACHED))
		qomp_event_wait(parent, t);
	struct qomp_task *next = qti_unlikely(t->frame.extra != NULL) ? qomp_depend_done(t) : NULL;
	if (qti_unlikely(t->frame.group != NULL))
		qomp_group_pass(&t->frame);
	retire(t);
	if (next)
		qomp_task_push(next);
}

/* A light frame has moved into a record. */
static __attribute__((noinline)) void end_settled(struct qomp_frame *f)
{
	qomp_frame_set(f->parent);
	qomp_group_pass(f);
	retire(qomp_task_of(f));
}

/* The same with a frame that is light for as long as nothing needs it to stay. */
static inline void run_light(void (*fn)(void *), void *data, uint16_t flags)
{
	struct qomp_frame t, *f = qomp_frame_now();

	t.parent = f;
	t.team = f->team;
	t.icv = f->icv;
	t.group = f->group;
	t.created = t.finished = 0;
	t.skip = 0;
	t.place = f->place;
	t.num = f->num;
	t.flags = (f->flags & QOMP_FINAL) | flags | QOMP_UNDEFERRED | QOMP_LIGHT;
	qomp_frame_set(&t);
	call(&t, fn, data);
	struct qomp_frame *now = qomp_frame_now();
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

/* Nobody but those on top of f knows where it is. */
struct qomp_frame *qomp_frame_settle(struct qomp_frame *f)
{
	struct qomp_frame *top, **to_it = &top;

	for (; f->flags & QOMP_LIGHT; f = f->parent) {
		struct qomp_frame *stays = &record(qti_self(), f->parent, NULL, NULL)->frame;
		stays->flags = f->flags & (uint16_t)~QOMP_LIGHT;
		stays->num = f->num;
		*to_it = stays;
		to_it = &stays->parent;
	}
	*to_it = f;
	qomp_frame_set(top);
	return top;
}

void qomp_task_run_early(struct qomp_task *t)
{
	t->frame.flags |= QOMP_UNDEFERRED;
	qomp_task_run_in(t->frame.parent, t);
}

bool qomp_task_has_room(const struct qti_worker *w)
{
	return qti_worker_stack_left(w) > qti_worker_stack_size(w) / TUNE_STACK_SHARE;
}

/* --- creating -------------------------------------------------------------------------------------------- */

static inline void prepare(struct qomp_task *t, uint32_t flags)
{
	qti_guest_task_set(&t->base, &t->more, entry, &t->frame, t->frame.parent, finish, flags);
}

void qomp_task_run_apart(struct qti_worker *w, struct qomp_task *t, uint16_t num)
{
	start(&t->frame, qti_worker_number(w), num);
	prepare(t, 0);
	qti_guest_task_bind(&t->base, qti_worker_number(w));
	qti_ready(&t->base);
}

static inline void push(struct qomp_task *t)
{
	struct qti_worker *w = qti_self();

	if (qti_unlikely(!t->frame.team->spread_out)) {
		qomp_list_push(t);
		return;
	}
	prepare(t, QTI_TASK_OPEN);
	qti_guest_push(w, &t->base);
}

void qomp_task_push(struct qomp_task *t)
{
	push(t);
}

/* Children of one task that may wait to be run.  More would only take memory, and caches have gone cold by the time they
 * run.  Once there are as many, others run at once until there are few for each thread; those are counted only now and then,
 * for who runs them writes what has to be read.  Meanwhile
 * nothing is pushed, so who starves is fed; where tasks are tiny nobody does, and it would cost more than it brings. */

static uint32_t few(const struct qomp_frame *f)
{
	return TUNE_CHILDREN_FEW * f->team->n;
}

/* What ended elsewhere is counted here from now on. */
void qomp_task_collect(struct qomp_frame *f)
{
	uint32_t n = (uint32_t)load_rlx(&f->remote);

	if (n) {
		sub_acq_rel(&f->remote, n);
		f->finished += n;
	}
}

static void feed(void)
{
	struct qti_worker *w = qti_self();

	if (qti_unlikely(qti_host_has_starving()) && w)
		qti_worker_feed(w);
}

static __attribute__((noinline)) bool crowded_slow(struct qomp_frame *f)
{
	feed();
	if (f->skip > 1) {
		f->skip--;
		return true;
	}
	qomp_task_collect(f);
	uint32_t n = f->created - f->finished, run = n / few(f);        /* the others do not run out of them meanwhile */
	f->skip = run < TUNE_CHILDREN_SKIP ? run : TUNE_CHILDREN_SKIP;
	return f->skip != 0;
}

static inline bool crowded(struct qomp_frame *f, uint32_t most)
{
	return qti_unlikely(f->created - f->finished >= most || f->skip != 0) && crowded_slow(f);
}

bool qomp_task_crowded(struct qomp_frame *f)
{
	return crowded(f, TUNE_CHILDREN);
}

/* --- those that wait for each other ---------------------------------------------------------------------- */

/* Each has several cache lines more.  But which of them can be run at all shows only when enough are known: so if none
 * can, more are made. */

bool qomp_task_crowded_waiting(struct qomp_frame *f)
{
	return crowded(f, TUNE_DEPENDENT * f->team->n);
}

static uint32_t unfinished(const struct qomp_frame *f)
{
	return f->created - f->finished - (uint32_t)load_rlx(&f->remote);
}

static bool may_receive(const struct qomp_frame *f)
{
	struct qti_worker *w = qti_self();

	return f->team->spread_out && w && qomp_task_has_room(w);
}

/* Waits a moment for a child that another thread could run next, or until there are few. */
static struct qomp_task *receive(struct qomp_frame *f)
{
	store_rel(&f->gift, QOMP_WANTED);                                                       /* C3 */
	for (unsigned i = 0; i < TUNE_HANDOFF_LOOKS && load_rlx(&f->gift) == QOMP_WANTED && unfinished(f) >= few(f); i++)
		cpu_relax();
	struct qomp_task *t = swap_acq_rel(&f->gift, NULL);                                     /* C3 */
	return t != QOMP_WANTED ? t : NULL;
}

void qomp_task_relieve(struct qomp_frame *f)
{
	struct qomp_wish child = { f, NULL };

	if (f->created % TUNE_HELP_EVERY != 0)
		return;
	while (unfinished(f) >= few(f)) {
		if (qomp_wait_run(f, child))
			continue;
		struct qomp_task *t = may_receive(f) ? receive(f) : NULL;
		if (!t)
			break;
		qomp_task_run_early(t);
	}
	qomp_task_collect(f);
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
static __attribute__((noinline)) void run_copied_large(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size,
                                                       size_t align, uint16_t flags)
{
	struct qomp_task *t = record_sized(qomp_frame(), fn, size, align);

	copy(t->frame.data, data);
	t->frame.flags |= QOMP_COPIED | flags;
	qomp_task_run(t);
}

enum { STACK_ALIGN = QTI_CACHE_LINE };

/* The copy is made by the creator, whose frame may have moved then. */
static __attribute__((noinline)) void run_copied(void (*fn)(void *), void *data, void (*copy)(void *, void *), uint16_t flags)
{
	char to[TUNE_COPY_BYTES] __attribute__((aligned(STACK_ALIGN)));

	copy(to, data);
	run_light(fn, to, QOMP_COPIED | flags);
}

/* Bytes of a copy that the stack has room for, and hardly notices: how much a thread of the program has, nobody knows. */

static size_t room_for_copy(void)
{
	struct qti_worker *w = qti_self();

	return w ? qti_worker_stack_left(w) / TUNE_COPY_SHARE : TUNE_COPY_OUTSIDE;
}

/* As run_copied. */
static __attribute__((noinline)) void run_copied_sized(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size,
                                                       size_t align, uint16_t flags)
{
	char room[size + align];
	char *to = room + (-(uintptr_t)room & (align - 1));

	copy(to, data);
	run_light(fn, to, QOMP_COPIED | flags);
}

/* Each way is a function of its own, so that none saves registers for another. */
static inline void run_at_once(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align,
                               uint16_t flags)
{
	if (qti_likely(copy == NULL))
		qomp_task_run_light(fn, data, flags);
	else if (qti_likely(size <= TUNE_COPY_BYTES && align <= STACK_ALIGN))
		run_copied(fn, data, copy, flags);
	else if (size + align <= room_for_copy())
		run_copied_sized(fn, data, copy, size, align, flags);
	else
		run_copied_large(fn, data, copy, size, align, flags);
}

static __attribute__((noinline)) void defer(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size,
                                            size_t align, uint16_t flags)
{
	struct qomp_frame *f = qomp_frame();

	if (crowded(f, TUNE_CHILDREN)) {
		run_at_once(fn, data, copy, size, align, flags);
		return;
	}
	struct qomp_task *t = record_sized(f, fn, size, align);
	t->frame.flags |= flags;
	if (qti_unlikely(copy != NULL)) {
		copy(t->frame.data, data);
		t->frame.flags |= QOMP_COPIED;
	} else {
		copy_words(t->frame.data, data, size);
	}
	count(t);
	push(t);
}

/* While that many tasks wait in the worker's own queue that are not the creator's, thieves have better ones: their creators
 * are forebears, mostly, and what they create is larger.  So this one runs at once, which costs no more than a call, and so may
 * what it creates.  As soon as thieves have taken them its children are deferred again.  (Load-based inlining: Mohr, Kranz,
 * Halstead, Lazy task creation, IEEE Transactions on Parallel and Distributed Systems 2(3), 1991.)  A creator of many
 * children need not ask: it has filled the queue itself.
 *
 * They prefer lazy creation, for its creator does not go on before such a task ends.  It costs one task's time where
 * those that wait are smaller than they should be.  It needs stack, so where much is in use a task gets a stack of its own.  And
 * it must not need what its creator has: not while that one has a lock.  Programs that rely on more can turn it off.
 *
 * Where most tasks are next to nothing, and nobody knows which are not (in a search, say), thieves come again and again: there
 * have to be many tasks, whoever created them, if these are to find one that lasts. */

static size_t enough(const struct qomp_frame *f)
{
	return qti_unlikely(load_rlx(&f->team->crumbles)) ? TUNE_STOCK : f->created - f->finished + TUNE_ENOUGH;
}

static bool others_suffice(const struct qomp_frame *f)
{
	struct qti_worker *w = qti_self();

	return w && qti_worker_holds(w, enough(f)) && f->team->spread_out && qomp_locks_held == 0 &&
	       qti_worker_stack_is_shallow(w) && qti_host_runs_in_place();
}

/* A function of its own, so that creators of many children go to defer straight. */
static __attribute__((noinline)) void defer_or_run(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size,
                                                   size_t align, uint16_t flags)
{
	if (others_suffice(qomp_frame_now()))
		run_at_once(fn, data, copy, size, align, flags);
	else
		defer(fn, data, copy, size, align, flags);
}

void qomp_task_create(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align, uint16_t flags)
{
	const struct qomp_frame *f = qomp_frame_now();

	if (flags & QOMP_UNDEFERRED || f->flags & QOMP_FINAL || f->team->alone)
		run_at_once(fn, data, copy, size, align, flags);
	else if (f->created - f->finished < TUNE_ENOUGH_ASKS)
		defer_or_run(fn, data, copy, size, align, flags);
	else
		defer(fn, data, copy, size, align, flags);
}
