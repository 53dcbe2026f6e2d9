/* sched/rows.c -- see sched/rows.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/rows.h"

#include "base/diag.h"
#include "base/mem.h"
#include "base/tuning.h"
#include "core/notify.h"
#include "sched/ring.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

/* What a rescuer has seen of the open tasks of a row, or of a shepherd's rows, in this order (XQ3); both go around. */
struct view {
	uint32_t taken, sent;
};

struct row {
	/* The owner's, as the consumer and as a producer. */
	uint32_t inside;                /* XQ1 */
	uint32_t looks;
	uint32_t fed;                   /* tasks from the master in a row */
	bool yielders;                  /* whose turn is next, when it has fed enough: those that yielded */
	unsigned aux;                   /* the auxiliary to begin with */
	struct qti_tasklist spilled, yielded;
	struct view *shepherd, *view;   /* of each shepherd's rows, and of each row, as a rescuer */
	bool outrun;                    /* others have been faster since that view */

	/* The consumer's. */
	struct qti_tasklist spilled_open QTI_ALIGNED_LINE;
	uint64_t taken;                 /* open tasks taken from this row (XQ3) */

	/* Rescuers'. */
	struct qti_lock gate QTI_ALIGNED_LINE;
	uint32_t shut;                  /* XQ2 */

	/* The owner's, as a producer: open tasks that it has pushed, to the rows of each shepherd, and to each
	 * worker's, behind that (XQ3). */
	uint32_t opened[] QTI_ALIGNED_LINE;
};

/* Written by init. */
static struct {
	bool all_open;                  /* each task, not only those that are open under every policy */
	char *rings;                    /* [consumer][producer] */
	size_t ring_bytes, row_bytes, bytes;
	uint32_t mask;
} rows;

static struct row *row_of(const struct qti_worker *w)
{
	return w->policy;
}

static uint32_t *sent_by(struct row *r)
{
	return r->opened + qti_rt.nshepherds;
}

static struct qti_ring *ring_of(const struct qti_worker *consumer, unsigned producer)
{
	return (struct qti_ring *)(void *)(rows.rings + consumer->id * rows.row_bytes + producer * rows.ring_bytes);
}

/* --- init ------------------------------------------------------------------------------------------------ */

static size_t row_bytes(unsigned workers, unsigned slots)
{
	return qti_mem_round(workers * qti_ring_bytes(slots), qti_mem_page());
}

static bool rings_fit(unsigned workers, unsigned slots)
{
	return workers * row_bytes(workers, slots) <= TUNE_RINGS_BYTES;
}

static void complain_of_workers(void)
{
	unsigned most = qti_rt.nworkers;

	while (!rings_fit(most, 2))
		most--;
	qti_warn("the rings of the scheduler %s would take more than %u MiB for %u workers; allowed: at most %u",
		qti_rt.sched->name, TUNE_RINGS_BYTES >> 20, qti_rt.nworkers, most);
}

/* As many slots as are asked for, if that memory may be taken; else what takes less.  0: no rings do. */
static unsigned choose_slots(void)
{
	unsigned slots = (unsigned)qti_mem_power(qti_rt.env.ring), most = 0;
	char wrong[64], allowed[32], instead[16];

	if (rings_fit(qti_rt.nworkers, slots))
		return slots;
	for (unsigned n = 2; n < slots && rings_fit(qti_rt.nworkers, n); n *= 2)
		most = n;
	slots = most < TUNE_RING ? most : TUNE_RING;
	snprintf(wrong, sizeof(wrong), "more than %u MiB for %u workers", TUNE_RINGS_BYTES >> 20, qti_rt.nworkers);
	snprintf(allowed, sizeof(allowed), "2 to %u", most);
	snprintf(instead, sizeof(instead), "%u", slots);
	if (slots == 0)
		complain_of_workers();
	else if (qti_env_given(QTI_SET_RING))
		qti_env_complain(QTI_SET_RING, wrong, allowed, instead);
	return slots;
}

static bool rings_make(unsigned slots)
{
	rows.mask = slots - 1;
	rows.ring_bytes = qti_ring_bytes(slots);
	rows.row_bytes = row_bytes(qti_rt.nworkers, slots);
	rows.bytes = qti_rt.nworkers * rows.row_bytes;
	rows.rings = qti_mem_map(rows.bytes);
	return rows.rings != NULL;
}

/* Long rings may be more than the process can have (ulimit -v): then those of the default length. */
static bool rings_make_or_shorter(unsigned slots)
{
	char wrong[64], instead[16];

	if (rings_make(slots))
		return true;
	if (slots <= TUNE_RING)
		return false;
	snprintf(wrong, sizeof(wrong), "no memory for %zu MiB", (rows.bytes + (1 << 20) - 1) >> 20);
	snprintf(instead, sizeof(instead), "%u", TUNE_RING);
	qti_env_complain(QTI_SET_RING, wrong, "as many as fit", instead);
	return rings_make(TUNE_RING);
}

/* What only a rescuer writes is on lines of its own, behind what others read. */
static bool row_make(struct qti_worker *w)
{
	size_t counters = (size_t)qti_rt.nshepherds + qti_rt.nworkers;
	size_t counts = qti_mem_round(counters * sizeof(uint32_t), QTI_CACHE_LINE);
	size_t size = sizeof(struct row) + counts + counters * sizeof(struct view);
	struct row *r = qti_mem_aligned(QTI_CACHE_LINE, size);

	w->policy = r;
	if (!r)
		return false;
	memset(r, 0, size);
	r->shepherd = (struct view *)(r->opened + counts / sizeof(uint32_t));
	r->view = r->shepherd + qti_rt.nshepherds;
	return true;
}

int qti_rows_init(bool all_open)
{
	unsigned slots = choose_slots();

	if (slots == 0)
		return QTHREAD_NOT_ALLOWED;
	rows.all_open = all_open;
	bool made = rings_make_or_shorter(slots);
	for (unsigned i = 0; made && i < qti_rt.nworkers; i++)
		made = row_make(&qti_rt.workers[i]);
	if (!made)
		qti_rows_fini();
	return made ? QTHREAD_SUCCESS : QTHREAD_MALLOC_ERROR;
}

void qti_rows_fini(void)
{
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		qti_mem_free(qti_rt.workers[i].policy);
		qti_rt.workers[i].policy = NULL;
	}
	qti_mem_unmap(rows.rings, rows.bytes);
	rows.rings = NULL;
}

/* --- the consumer's role --------------------------------------------------------------------------------- */

static __attribute__((noinline)) bool row_wait_at_gate(struct row *r)
{
	store_rel(&r->inside, 0);                                               /* XQ2 */
	qti_lock_take(&r->gate);
	return true;
}

/* The owner.  True: it has the gate. */
static inline bool row_enter(struct row *r)
{
	store_rlx(&r->inside, 1);
	fence_light();                                                          /* XQ1 */
	return qti_unlikely(load_acq(&r->shut)) && row_wait_at_gate(r);
}

static inline void row_leave(struct row *r, bool gate)
{
	if (qti_unlikely(gate))
		qti_lock_drop(&r->gate);
	else
		store_rel(&r->inside, 0);                                       /* XQ1 */
}

/* Another worker takes the gate, unless somebody has it or nothing seems to be left of what it has seen: many may have
 * seen the same task, and each of them would shut the row.  Then it has to look again:
 * what was taken need not be that one. */
static bool row_enter_shut(struct row *r, struct row *own, const struct view *view, unsigned *waiting)
{
	int32_t left = (int32_t)(view->sent - (uint32_t)load_rlx(&r->taken));

	if (left <= 0 || !qti_lock_try(&r->gate)) {
		own->outrun = true;
		return false;
	}
	*waiting = (unsigned)left;
	store_rlx(&r->shut, 1);
	qti_fence_heavy();                                                      /* XQ2 */
	for (unsigned looks = 0; load_acq(&r->inside); looks++)                 /* XQ1 */
		qti_pause(looks);
	return true;
}

static void row_leave_shut(struct row *r)
{
	store_rel(&r->shut, 0);                                                 /* XQ2 */
	qti_lock_drop(&r->gate);
}

/* Whether others than the row's owner may take it; nobody changes that while it is queued. */
static inline bool is_open(const struct qti_task *t)
{
	return rows.all_open || (t->flags & (QTI_TASK_OPEN | QTI_TASK_STARTED)) == QTI_TASK_OPEN;
}

/* t has left r. */
static inline struct qti_task *row_took(struct row *r, struct qti_task *t)
{
	if (is_open(t))
		store_rel(&r->taken, r->taken + 1);                             /* XQ3 */
	return t;
}

/* Of those that w takes in order to run them. */
static inline void count_origin(struct qti_worker *w, const struct qti_task *t)
{
	if (qti_task_is(t, QTI_TASK_STARTED))
		return;
	if (t->creator == w->id)
		qti_count(w, tasks_self);
	else if (qti_rt.workers[t->creator].shepherd == w->shepherd)
		qti_count(w, tasks_local);
	else
		qti_count(w, tasks_remote);
}

/* --- push ------------------------------------------------------------------------------------------------ */

/* P1 and P4, after t was put into target's row: its worker is to look, and hands it on if it has just gone off
 * duty; for an open task anybody else will do, too, since that worker may be busy for long. */
static inline void row_notify(struct qti_worker *w, struct qti_worker *target, bool open)
{
	fence_light();                                                          /* P1, P4 */
	if (target != w && qti_unlikely(load_rlx(&target->state) != QTI_WORKER_AWAKE))
		qti_notify_worker(target);
	if (open && qti_unlikely(load_rlx(&qti_rt.idle.count) != 0))
		qti_notify_slow(target->shepherd);
}

/* XQ3 */
static inline void row_open_one(struct row *r, const struct qti_worker *target, uint32_t by)
{
	uint32_t *opened = &r->opened[target->shepherd->id], *sent = &sent_by(r)[target->id];

	store_rlx(opened, *opened + by);
	store_rlx(sent, *sent + by);
}

/* Before w pushes t into target's row: whether it is open. */
static inline bool row_opens(struct qti_worker *w, const struct qti_worker *target, const struct qti_task *t)
{
	bool open = is_open(t);

	if (open)
		row_open_one(row_of(w), target, 1);
	return open;
}

/* It goes into w's row in place of target's. */
static __attribute__((noinline)) void row_spill(struct qti_worker *w, const struct qti_worker *target,
	struct qti_task *t, bool open)
{
	struct row *r = row_of(w);
	bool gate = row_enter(r);

	if (open) {
		row_open_one(r, w, 1);
		row_open_one(r, target, 0 - (uint32_t)1);
	}
	qti_tasklist_push_front(open ? &r->spilled_open : &r->spilled, t);
	row_leave(r, gate);
	row_notify(w, w, open);
}

static inline void row_put(struct qti_worker *w, struct qti_worker *target, struct qti_task *t)
{
	bool open = row_opens(w, target, t);

	if (qti_likely(qti_ring_push(ring_of(target, w->id), rows.mask, t, open)))
		row_notify(w, target, open);
	else
		row_spill(w, target, t, open);
}

/* What was spilled for want of room goes before what is newer: with room for one more of w's tasks elsewhere, the
 * oldest goes there, and t, which is smaller mostly, is spilled in its place. */
static __attribute__((noinline)) struct qti_task *row_exchange(struct qti_worker *w, struct qti_task *t)
{
	struct row *r = row_of(w);
	bool open = is_open(t), gate = row_enter(r);
	struct qti_tasklist *l = open ? &r->spilled_open : &r->spilled;
	struct qti_task *oldest = l->back;

	if (oldest && !qti_task_is(oldest, QTI_TASK_STARTED)) {
		row_opens(w, w, t);
		row_took(r, qti_tasklist_pop_back(l));
		qti_tasklist_push_front(l, t);
		t = oldest;
	}
	row_leave(r, gate);
	return t;
}

/* A new task, to another row than w's. */
static inline void row_send(struct qti_worker *w, struct qti_worker *target, struct qti_task *t)
{
	const struct row *r = row_of(w);

	if (qti_unlikely(load_rlx(&r->spilled.count) + load_rlx(&r->spilled_open.count) != 0) &&
	    qti_rows_has_room(w, target))
		t = row_exchange(w, t);
	row_put(w, target, t);
}

/* Whose turn it is to get a task from w. */
static inline struct qti_worker *whose_turn(const struct qti_worker *w)
{
	unsigned i = w->id + w->target;

	return &qti_rt.workers[i < qti_rt.nworkers ? i : i - qti_rt.nworkers];
}

static inline void next_turn(struct qti_worker *w)
{
	w->target = w->target + 1 < qti_rt.nworkers ? w->target + 1 : 0;
}

/* Among those on duty; worker 0 always is. */
static inline struct qti_worker *target_of(struct qti_worker *w)
{
	struct qti_worker *target;

	while (qti_unlikely(load_rlx(&(target = whose_turn(w))->off)))
		next_turn(w);
	return target;
}

void qti_rows_push(struct qti_worker *w, struct qti_task *t)
{
	struct qti_worker *target = w;

	if (!qti_task_is(t, QTI_TASK_STARTED)) {
		t->creator = (uint16_t)w->id;
		qti_count(w, static_pushes);
		target = target_of(w);
		next_turn(w);
	}
	if (target == w)
		row_put(w, w, t);
	else
		row_send(w, target, t);
}

void qti_rows_push_yielded(struct qti_worker *w, struct qti_task *t)
{
	struct row *r = row_of(w);
	bool open = row_opens(w, w, t), gate = row_enter(r);

	qti_tasklist_push_back(&r->yielded, t);
	row_leave(r, gate);
	row_notify(w, w, open);
}

/* What was asked about is to run at once, so the turn passes. */
bool qti_rows_full(struct qti_worker *w, size_t n)
{
	if (!qti_ring_holds(ring_of(target_of(w), w->id), rows.mask, n))
		return false;
	next_turn(w);
	qti_count(w, at_once);
	qti_count(w, tasks_self);
	return true;
}

bool qti_rows_has_room(const struct qti_worker *w, const struct qti_worker *to)
{
	return !qti_ring_full(ring_of(to, w->id), rows.mask);
}

void qti_rows_give(struct qti_worker *w, struct qti_worker *to, struct qti_task *t)
{
	row_put(w, to, t);
}

void qti_rows_give_new(struct qti_worker *w, struct qti_worker *to, struct qti_task *t)
{
	t->creator = (uint16_t)w->id;
	next_turn(w);
	row_send(w, to, t);
}

/* --- pop ------------------------------------------------------------------------------------------------- */

static struct qti_task *row_from_auxiliaries(struct qti_worker *w, struct row *r)
{
	struct qti_task *t = NULL;

	for (unsigned i = 0; !t && i < qti_rt.nworkers; i++) {
		t = qti_ring_pop(ring_of(w, r->aux), rows.mask);
		r->aux = r->aux + 1 < qti_rt.nworkers ? r->aux + 1 : 0;
	}
	return t;
}

static struct qti_task *row_from_lists(struct row *r)
{
	struct qti_task *t = qti_tasklist_pop_front(&r->spilled_open);

	return t ? t : qti_tasklist_pop_front(&r->spilled);
}

/* For another worker. */
static struct qti_task *row_oldest_from_lists(struct row *r)
{
	struct qti_task *t = qti_tasklist_pop_back(&r->spilled_open);

	return t ? t : qti_tasklist_pop_back(&r->spilled);
}

/* More than the master holds has come from there: what was to come after that has waited long enough. */
static __attribute__((noinline)) struct qti_task *row_from_behind(struct row *r)
{
	struct qti_task *t = r->yielders ? qti_tasklist_pop_front(&r->yielded) : row_from_lists(r);

	if (!t)
		t = r->yielders ? row_from_lists(r) : qti_tasklist_pop_front(&r->yielded);
	r->yielders = !r->yielders;
	r->fed = 0;
	return t;
}

/* Two tasks that wake each other keep the master from running dry, so the others come first now and then. */
static inline struct qti_task *row_take(struct qti_worker *w, struct row *r)
{
	struct qti_task *t = NULL;

	if (qti_unlikely(++r->looks % TUNE_ROW_TURNS == 0))
		t = row_from_auxiliaries(w, r);
	if (!t && qti_unlikely(r->fed > rows.mask && r->fed >= TUNE_ROW_TURNS))
		t = row_from_behind(r);
	if (t)
		return t;
	t = qti_ring_pop(ring_of(w, w->id), rows.mask);
	r->fed = t ? r->fed + 1 : 0;
	if (!t)
		t = row_from_lists(r);
	if (!t)
		t = row_from_auxiliaries(w, r);
	return t;
}

struct qti_task *qti_rows_take(struct qti_worker *w)
{
	struct row *r = row_of(w);
	bool gate = row_enter(r);
	struct qti_task *t = qti_ring_pop(ring_of(w, w->id), rows.mask);

	if (!t)
		t = row_oldest_from_lists(r);
	if (!t)
		t = row_from_auxiliaries(w, r);
	if (t)
		row_took(r, t);
	row_leave(r, gate);
	return t;
}

struct qti_task *qti_rows_pop(struct qti_worker *w)
{
	struct row *r = row_of(w);
	bool gate = row_enter(r);
	struct qti_task *t = row_take(w, r);

	if (!t)
		t = qti_tasklist_pop_front(&r->yielded);
	if (t)
		count_origin(w, row_took(r, t));
	row_leave(r, gate);
	return t;
}

struct qti_task *qti_rows_claim(struct qti_worker *w, const void *ret)
{
	struct row *r = row_of(w);
	bool gate = row_enter(r);
	struct qti_task *t = qti_tasklist_claim(&r->spilled_open, ret, TUNE_CLAIM_REACH);

	if (!t)
		t = qti_tasklist_claim(&r->spilled, ret, TUNE_CLAIM_REACH);
	if (!t)
		t = qti_ring_claim(ring_of(w, w->id), rows.mask, ret, TUNE_CLAIM_REACH);
	if (t)
		count_origin(w, row_took(r, t));
	row_leave(r, gate);
	return t;
}

/* --- rescue ---------------------------------------------------------------------------------------------- */

static uint32_t row_opened(const struct row *r)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < qti_rt.nshepherds; i++)
		n += load_rlx(&r->opened[i]);
	return n;
}

/* XQ3 */
bool qti_rows_any(void)
{
	uint32_t taken = 0, opened = 0;

	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		taken += (uint32_t)load_acq(&row_of(&qti_rt.workers[i])->taken);
	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		opened += row_opened(row_of(&qti_rt.workers[i]));
	return opened != taken;
}

/* Roughly, but not 0 if a task has been there all the time. */
static size_t row_length(const struct qti_worker *w)
{
	const struct row *r = row_of(w);
	size_t n = load_rlx(&r->spilled.count) + load_rlx(&r->spilled_open.count) + load_rlx(&r->yielded.count);

	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		n += qti_ring_length(ring_of(w, i));
	return n;
}

/* Of all rows of a shepherd, and then of each: the two numbers differ if an open task has been there all the time
 * (XQ3).  Of 192 workers the first is 384 lines, and to look at all rows would be 2,500. */

static bool view_shepherds(struct view *view)
{
	bool any = false;

	memset(view, 0, qti_rt.nshepherds * sizeof(*view));
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		const struct qti_worker *to = &qti_rt.workers[i];
		view[to->shepherd->id].taken += (uint32_t)load_acq(&row_of(to)->taken);
	}
	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		for (unsigned s = 0; s < qti_rt.nshepherds; s++)
			view[s].sent += load_rlx(&row_of(&qti_rt.workers[i])->opened[s]);
	for (unsigned s = 0; s < qti_rt.nshepherds; s++)
		any = any || view[s].sent != view[s].taken;
	return any;
}

static void view_rows(struct view *view, const struct qti_shepherd *s)
{
	unsigned first = s->workers[0].id, end = first + s->nworkers;

	for (unsigned to = first; to < end; to++)
		view[to] = (struct view){ .taken = (uint32_t)load_acq(&row_of(&qti_rt.workers[to])->taken) };
	for (unsigned from = 0; from < qti_rt.nworkers; from++)
		for (unsigned to = first; to < end; to++)
			view[to].sent += load_rlx(&sent_by(row_of(&qti_rt.workers[from]))[to]);
}

/* Of a row that is shut, an open task: the oldest of one of its rings. */
static struct qti_task *row_take_open(struct qti_worker *victim, struct row *r)
{
	struct qti_task *t = NULL;

	for (unsigned i = 0; !t && i < qti_rt.nworkers; i++)
		t = qti_ring_pop_open(ring_of(victim, i), rows.mask);
	if (!t)
		t = qti_tasklist_pop_back(&r->spilled_open);
	if (!t && rows.all_open)
		t = qti_tasklist_pop_front(&r->yielded);
	return t ? row_took(r, t) : NULL;
}

/* Half of what waits there, as to shut a row costs microseconds; one to run, the others for w's own row. */
static struct qti_task *rescue_from(struct qti_worker *w, struct qti_worker *victim)
{
	struct row *r = row_of(victim), *own = row_of(w);
	const struct view *view = &own->view[victim->id];
	struct qti_task *t[TUNE_RESCUE];
	unsigned n = 0, waiting;

	if (view->sent == view->taken || !row_enter_shut(r, own, view, &waiting))
		return NULL;
	unsigned most = (waiting + 1) / 2;
	while (n < most && n < TUNE_RESCUE && (t[n] = row_take_open(victim, r)) != NULL)
		n++;
	row_leave_shut(r);
	for (unsigned i = 1; i < n; i++)
		row_put(w, w, t[i]);
	if (n == 0)
		return NULL;
	count_origin(w, t[0]);
	qti_count_steal(w, victim, n);
	return t[0];
}

static struct qti_task *rescue_in(struct qti_worker *w, struct qti_shepherd *s)
{
	struct row *r = row_of(w);

	if (r->shepherd[s->id].sent == r->shepherd[s->id].taken)
		return NULL;
	view_rows(r->view, s);
	return qti_victims_try_in(w, s, rescue_from);
}

/* Each look that was in vain for others' sake is one in which these have got tasks. */
struct qti_task *qti_rows_steal(struct qti_worker *w, bool final)
{
	struct row *r = row_of(w);
	struct qti_task *t = NULL;

	for (unsigned looks = 0; final && !t && view_shepherds(r->shepherd); looks++) {
		r->outrun = false;
		t = qti_victims_try_shepherds(w, rescue_in);
		if (t || !r->outrun)
			break;
		qti_pause(looks);
		t = qti_rows_pop(w);    /* a look takes long: what it has got meanwhile waits for nobody else */
	}
	return t;
}

/* --- figures --------------------------------------------------------------------------------------------- */

bool qti_rows_waits(const struct qti_worker *w)
{
	return row_length(w) != 0;
}

size_t qti_rows_length(const struct qti_shepherd *s)
{
	size_t n = 0;

	if (rows.all_open && !qti_rows_any())
		return 0;
	for (unsigned i = 0; i < s->nworkers; i++)
		n += row_length(&s->workers[i]);
	return n;
}

size_t qti_rows_stealable(const struct qti_shepherd *s)
{
	return qti_rows_any() ? qti_rows_length(s) : 0;
}
