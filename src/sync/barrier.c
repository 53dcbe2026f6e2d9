/* sync/barrier.c -- barriers: rounds of arrivals, each let go as a whole.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   open   the rounds that are over, that is, the number of the one that is open.  It only grows.
 *   leaf   where arrivals are counted and waiters parked.  A small barrier has one.  A large one has one for each
 *          worker, so that tasks which arrive on different workers do not meet in one cache line; its share of a round
 *          is fixed, and who finds the own leaf full goes to the next (a tree of two levels after Mellor-Crummey and
 *          Scott, ACM TOCS 9(1), 1991, without fixed places for the participants).
 *
 *   Y1  An arrival counts itself in a leaf (compare-and-swap, acq_rel), the last of a leaf counts the leaf in `filled`
 *       (acq_rel): who comes last sees what all of the round wrote  ->  it stores open (release)  ->  a waiter that
 *       sees its round over (acquire) sees all that, too.
 *   Y2  The last stores open, then takes the waiters out under each leaf's lock  ||  a waiter looks at open under the
 *       lock and, if its round is open, parks there.  One of the two sees the other.
 *   Y3  A leaf's count goes by rounds: round * quota to (round + 1) * quota.  An arrival that counts from an old `open`
 *       finds the leaf full and looks at open again; while a leaf has room, its round cannot end.
 *   Y4  A participant is let go before the last one has seen to all waiters, and may start the next round, or destroy
 *       the barrier.  So records carry their round, and the memory of a barrier is reused for barriers only, with
 *       `open` and the lists going on: who is late finds a round that is over.  The tasks of a runtime have ended when
 *       that memory is freed; external threads hold a reference while they are inside, and are let go when the runtime
 *       ends.
 *
 * Who excludes whom.  cas: one of the two compare-and-swaps fails.  L: the leaf's lock.  last: there is one a round.
 *
 *                           arrive   open the round   park   arrive in the   destroy
 *                                                            next round
 *     arrive                cas      Y1, Y3           Y1     Y3              the caller
 *     open the round                 last             Y2     Y3              Y4
 *     park                                            L      Y4              Y4
 *
 * A task that has nothing else to run looks at open for a moment before it leaves its stack: on another worker the last
 * one may be about to arrive.
 * Checked by test/api/barrier.c, test/stress/barrier.c, test/model/barrier.pml and test/check/rounds.c.
 */
#include "sync/barrier.h"

#include "base/diag.h"
#include "base/mem.h"
#include "base/poll.h"
#include "base/race.h"
#include "base/tuning.h"
#include "core/gate.h"
#include "core/loop.h"
#include "core/specific.h"
#include "qthread/barrier.h"
#include "sync/waiter.h"

#include <string.h>

struct leaf {
	uint64_t arrived;               /* ever, Y3 */
	uint64_t quota;                 /* arrivals that make a round */
	struct qti_lock lock;
	struct qti_waiter *parked;      /* under the lock; of struct parked, oldest round first */
} QTI_ALIGNED_LINE;

struct qt_barrier_s {
	uint64_t open;                  /* waiters look at it; beside it stands what never changes in a round */
	size_t participants;
	unsigned nleaves;               /* in use */
	unsigned nleaves_made;
	bool gone;                      /* with the runtime; the only word that who is let go then looks at */
	uint64_t filled QTI_ALIGNED_LINE; /* leaves ever filled; with several leaves */
	uint32_t refs QTI_ALIGNED_LINE; /* the runtime's, and one for each external thread inside */
	struct qt_barrier_s *next_made;
	struct qt_barrier_s *next_retired;
	struct leaf leaf[];
} QTI_ALIGNED_LINE;

struct parked {
	struct qti_waiter waiter;
	struct qt_barrier_s *barrier;
	uint64_t round;
};

static struct {
	struct qti_lock lock;
	struct qt_barrier_s *made, *retired;
} all;

/* --- waiting --------------------------------------------------------------------------------------------- */

static inline bool is_over(const struct qt_barrier_s *b, uint64_t round)
{
	return load_acq(&b->open) > round;                                                      /* Y1 */
}

static bool poll_round(const struct qt_barrier_s *b, uint64_t round)
{
	struct qti_poll poll = { .ns = TUNE_BARRIER_NS };

	do
		if (is_over(b, round))
			return true;
	while (qti_poll_again(&poll));
	return false;
}

/* False if the round is over already. */
static bool barrier_park(struct parked *p)
{
	struct qt_barrier_s *b = p->barrier;
	struct qti_worker *w = qti_self();
	struct leaf *l = &b->leaf[w ? w->id % load_rlx(&b->nleaves) : 0];

	qti_lock_take(&l->lock);
	bool wait = !is_over(b, p->round);                                                      /* Y2 */
	if (wait)
		qti_waiters_add(&l->parked, &p->waiter);
	qti_lock_drop(&l->lock);
	return wait;
}

static bool after_waiting(struct qti_task *left, void *parked)
{
	(void)left;
	return barrier_park(parked);
}

static bool look_for_end(void *parked)
{
	const struct parked *p = parked;

	return poll_round(p->barrier, p->round);
}

static void wait_as_task(struct qti_worker *w, struct parked *p)
{
	while (!qti_suspend_possible(w))
		if (is_over(p->barrier, p->round))
			return;
	p->waiter.task = w->current;
	p->waiter.state = QTI_WAITER_SLEEPING;
	const struct qti_wait_how how = { qti_rt.spin_ns != 0, look_for_end, after_waiting, p };
	qti_wait_as_task(w, &p->waiter, how);
}

static void wait_as_thread(struct parked *p)
{
	if (qti_rt.spin_ns != 0 && poll_round(p->barrier, p->round))
		return;
	p->waiter.task = NULL;
	p->waiter.state = QTI_WAITER_WAITING;
	if (barrier_park(p))
		qti_waiter_await(&p->waiter);
}

static void barrier_await(struct qt_barrier_s *b, uint64_t round)
{
	struct qti_worker *w = qti_self();
	struct parked p;

	if (is_over(b, round))
		return;
	p.waiter.kind = QTI_WAIT_BARRIER;
	p.waiter.word = b;
	p.barrier = b;
	p.round = round;
	if (w)
		wait_as_task(w, &p);
	else
		wait_as_thread(&p);
}

/* --- arriving -------------------------------------------------------------------------------------------- */

enum arrival { ARRIVED, LAST, FULL };

/* The first guess need not be right: a compare-and-swap that fails brings the line and the truth, where a load would
 * bring the line in a state that has to be upgraded. */
static enum arrival arrive_at(struct qt_barrier_s *b, struct leaf *l, uint64_t round)
{
	const uint64_t quota = l->quota;        /* once counted, another barrier's (Y4) */
	const uint64_t first = round * quota;
	uint64_t seen = first;

	while (!cas_acq_rel(&l->arrived, &seen, seen + 1))                                      /* Y1 */
		if (seen - first >= quota)
			return FULL;                                                            /* Y3 */
	if (seen + 1 - first < quota)
		return ARRIVED;
	const uint64_t nleaves = b->nleaves;    /* once this leaf is counted, too, the barrier may be gone */
	if (nleaves == 1)
		return LAST;
	return add_acq_rel(&b->filled, 1) + 1 == (round + 1) * nleaves ? LAST : ARRIVED;        /* Y1 */
}

static enum arrival leaf_arrive(struct qt_barrier_s *b, unsigned home, uint64_t round)
{
	enum arrival a = FULL;

	for (unsigned i = 0; a == FULL && i < b->nleaves; i++)
		a = arrive_at(b, &b->leaf[(home + i) % b->nleaves], round);
	return a;
}

static void leaf_let_go(struct leaf *l, uint64_t round, struct qti_waiter **woken)
{
	qti_lock_take(&l->lock);                                                                /* Y2 */
	while (l->parked && ((struct parked *)l->parked->next)->round <= round)                 /* Y4 */
		qti_waiters_add(woken, qti_waiters_take(&l->parked));
	qti_lock_drop(&l->lock);
}

static void end_round(struct qt_barrier_s *b, uint64_t round)
{
	const unsigned nleaves = b->nleaves;
	struct qti_waiter *woken = NULL;

	store_rel(&b->open, round + 1);                                                         /* Y1, Y2 */
	for (unsigned i = 0; i < nleaves; i++)
		leaf_let_go(&b->leaf[i], round, &woken);
	qti_wake_all(&woken);
}

/* For a race checker: nobody is two rounds ahead. */
static inline const void *round_token(const struct qt_barrier_s *b, uint64_t round)
{
	return (const char *)b + round % 2;
}

static void barrier_enter(struct qt_barrier_s *b, unsigned home)
{
	enum arrival a;

	do {
		const uint64_t round = load_acq(&b->open);
		qti_race_release(round_token(b, round));
		a = leaf_arrive(b, home, round);
		if (a == LAST)
			end_round(b, round);
		else
			barrier_await(b, round);
		if (a != FULL)
			qti_race_acquire(round_token(b, round));
	} while (a == FULL && !load_acq(&b->gone));     /* more than the round has room for: we belong to the next */
}

/* --- life ------------------------------------------------------------------------------------------------ */

static void barrier_drop(struct qt_barrier_s *b)
{
	if (sub_acq_rel(&b->refs, 1) == 1)
		qti_mem_free(b);
}

/* Nobody is inside but who is on the way out. */
static void set_participants(struct qt_barrier_s *b, size_t n)
{
	const uint64_t round = load_acq(&b->open);
	const size_t useful = n / TUNE_BARRIER_ARRIVALS;
	const unsigned nleaves = useful < 2 ? 1 : useful < b->nleaves_made ? (unsigned)useful : b->nleaves_made;

	b->participants = n;
	store_rlx(&b->nleaves, nleaves);
	b->filled = round * nleaves;
	for (unsigned i = 0; i < nleaves; i++) {
		b->leaf[i].quota = n / nleaves + (i < n % nleaves);
		b->leaf[i].arrived = round * b->leaf[i].quota;
	}
}

static struct qt_barrier_s *barrier_new(void)
{
	const unsigned nleaves = qti_rt.nworkers < TUNE_BARRIER_LEAVES ? qti_rt.nworkers : TUNE_BARRIER_LEAVES;
	const size_t size = sizeof(struct qt_barrier_s) + nleaves * sizeof(struct leaf);
	struct qt_barrier_s *b = qti_mem_aligned(QTI_CACHE_LINE, size);

	if (!b)
		return NULL;
	memset(b, 0, size);
	b->nleaves_made = nleaves;
	b->refs = 1;
	b->next_made = all.made;
	all.made = b;
	return b;
}

qt_barrier_t *qt_barrier_create(size_t max_threads, qt_barrier_btype type)
{
	struct qt_barrier_s *b;

	(void)type;
	if (max_threads == 0 || !qti_call_in())
		return NULL;
	qti_lock_take(&all.lock);
	b = all.retired;
	if (b)
		all.retired = b->next_retired;
	else
		b = barrier_new();
	qti_lock_drop(&all.lock);
	if (b)
		set_participants(b, max_threads);
	qti_call_out();
	return b;
}

static bool has_arrivals(const struct qt_barrier_s *b, uint64_t round)
{
	for (unsigned i = 0; i < b->nleaves; i++)
		if (load_acq(&b->leaf[i].arrived) != round * b->leaf[i].quota)
			return true;
	return false;
}

/* Returns when the round that some have entered, if any, is over. */
static void await_the_entered(struct qt_barrier_s *b)
{
	for (uint64_t round = load_acq(&b->open); has_arrivals(b, round) && !load_acq(&b->gone);
		round = load_acq(&b->open)) {
		barrier_await(b, round);
		qti_race_acquire(round_token(b, round));
	}
}

void qt_barrier_enter(qt_barrier_t *b)
{
	struct qti_worker *w = qti_self();

	if (!b)
		return;
	if (qti_likely(w != NULL)) {
		barrier_enter(b, w->id);
		return;
	}
	if (!qti_visit_begin())
		return;
	add_rlx(&b->refs, 1);   /* it may still be on its way out when the runtime has ended (Y4) */
	barrier_enter(b, 0);
	barrier_drop(b);
	qti_visit_end();
}

void qt_barrier_enter_id(qt_barrier_t *b, size_t id)
{
	(void)id;
	qt_barrier_enter(b);
}

/* True if it is still to be changed.  The caller is inside then, with a reference. */
static bool begin_alone(struct qt_barrier_s *b)
{
	if (!b || !qti_call_in())
		return false;
	add_rlx(&b->refs, 1);
	await_the_entered(b);
	return true;
}

static void end_alone(struct qt_barrier_s *b)
{
	barrier_drop(b);
	qti_call_out();
}

void qt_barrier_resize(qt_barrier_t *b, size_t size)
{
	if (size == 0 || !begin_alone(b))
		return;
	if (!load_acq(&b->gone))
		set_participants(b, size);
	end_alone(b);
}

void qt_barrier_destroy(qt_barrier_t *b)
{
	if (!begin_alone(b))
		return;
	qti_lock_take(&all.lock);
	if (!b->gone) {
		b->next_retired = all.retired;
		all.retired = b;
	}
	qti_lock_drop(&all.lock);
	end_alone(b);
}

/* External threads that are parked go on: nobody else will come. */
static void let_all_go(struct qt_barrier_s *b, struct qti_waiter **woken)
{
	store_rel(&b->gone, true);
	for (unsigned i = 0; i < b->nleaves_made; i++) {
		qti_lock_take(&b->leaf[i].lock);
		qti_waiters_give_up(&b->leaf[i].parked, woken);
		qti_lock_drop(&b->leaf[i].lock);
	}
}

void qti_barriers_give_up(void)
{
	struct qti_waiter *woken = NULL;

	for (struct qt_barrier_s *b = all.made; b; b = b->next_made)
		let_all_go(b, &woken);
	qti_wake_all(&woken);
}

void qti_barriers_fini(void)
{
	struct qt_barrier_s *next;

	for (struct qt_barrier_s *b = all.made; b; b = next) {
		next = b->next_made;
		barrier_drop(b);
	}
	all.made = all.retired = NULL;
}

void qti_barriers_forget(void)
{
	memset(&all, 0, sizeof(all));
}

/* --- a task's own ---------------------------------------------------------------------------------------- */

qt_barrier_t *qt_get_barrier(void)
{
	return qti_specific_get_own();
}

void qt_set_barrier(qt_barrier_t *b)
{
	(void)qti_specific_set_own(b);  /* without memory it stays NULL */
}

/* --- looking inside -------------------------------------------------------------------------------------- */

static size_t parked_in(struct leaf *l)
{
	size_t n = 0;

	qti_lock_take(&l->lock);
	if (l->parked) {
		n = 1;
		for (const struct qti_waiter *w = l->parked->next; w != l->parked; w = w->next)
			n++;
	}
	qti_lock_drop(&l->lock);
	return n;
}

/* In that round. */
static uint64_t entered_in(const struct qt_barrier_s *b, uint64_t round)
{
	uint64_t entered = 0;

	for (unsigned i = 0; i < b->nleaves; i++) {
		const uint64_t more = load_acq(&b->leaf[i].arrived) - round * b->leaf[i].quota;
		entered += more < b->leaf[i].quota ? more : b->leaf[i].quota;
	}
	return entered;
}

/* The list only grows at its head, and no barrier of it goes while the runtime is up. */
void qti_barriers_each_waiter(qti_waiter_visit visit, void *arg)
{
	qti_lock_take(&all.lock);
	struct qt_barrier_s *first = all.made;
	qti_lock_drop(&all.lock);
	for (struct qt_barrier_s *b = first; b; b = b->next_made)
		for (unsigned i = 0; i < b->nleaves_made; i++) {
			qti_lock_take(&b->leaf[i].lock);
			qti_waiters_each(b->leaf[i].parked, visit, arg);
			qti_lock_drop(&b->leaf[i].lock);
		}
}

size_t qti_barrier_entered(const void *barrier, size_t *participants)
{
	const struct qt_barrier_s *b = barrier;

	*participants = b->participants;
	return entered_in(b, load_acq(&b->open));
}

void qt_barrier_dump(qt_barrier_t *b, qt_barrier_dtype dt)
{
	uint64_t round, entered;
	size_t asleep = 0;

	if (!b)
		return;
	round = load_acq(&b->open);
	entered = entered_in(b, round);
	for (unsigned i = 0; i < b->nleaves; i++)
		asleep += parked_in(&b->leaf[i]);
	if (dt == UPLOCK || dt == BOTHLOCKS)
		qti_warn("qt_barrier_dump: %p, round %llu: %llu of %zu have entered", (void *)b,
			(unsigned long long)round, (unsigned long long)entered, b->participants);
	if (dt == DOWNLOCK || dt == BOTHLOCKS)
		qti_warn("qt_barrier_dump: %p, round %llu: %zu sleep", (void *)b, (unsigned long long)round, asleep);
}
