/* api/loopqueue.c -- loops whose workers take the next range when they are done with one, on public calls alone.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A loop's indices are start, start + incr, ...: its steps.  Steps are numbered from 0 and dealt out in ranges; the
 * kinds of loops differ in the size of the ranges alone:
 *
 *   CHUNK     all the same
 *   GUIDED    a worker's share of what is left (guided self-scheduling: Polychronopoulos & Kuck, IEEE ToC 1987)
 *   FACTORED  half of what is left in a batch of equal ranges, one per worker, and so on (factoring: Hummel,
 *             Schonberg & Flynn, CACM 1992)
 *   TIMED     such that a range takes TUNE_QUEUE_QUANTUM_NS; towards the end less, as under FACTORED
 *
 * LQ1  `next` says what has been taken: the number of ranges under CHUNK and FACTORED, where a range follows from its
 *      number, the number of steps under GUIDED and TIMED.  It only grows, by one read-modify-write per range, so no
 *      step is in two ranges.  Relaxed: nothing but the number goes from worker to worker.  A worker sees what was
 *      written before the loop by its fork, and who runs the loop sees what a worker wrote by its end (LQ2).
 * LQ2  `holds` counts who uses the handle: its creator, until qt_loop_queue_run has done its part, and each worker
 *      added.  Once it is 0 it stays 0.  Lowering is acquire-release, so the last one to let go has seen all that the
 *      others wrote; it submits to the sinc for which who runs the loop waits.
 * LQ3  A handle is in the list of live ones until that wait is over.  Who adds a worker looks it up there, and may
 *      touch it while the list is locked: it raises `holds`, if that is not 0.  Not if the loop is `over` either, lest
 *      those who go on adding workers keep it from its end.
 *
 * Checked by test/api/loopqueue.c and test/stress/loopqueue.c.
 */
#include "base/atomic.h"
#include "base/forked.h"
#include "base/least.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/race.h"
#include "base/tuning.h"
#include "qthread/qloop.h"
#include "qthread/qtimer.h"
#include "qthread/sinc.h"

struct qqloop_handle_s {
	qt_loop_queue_type type;
	qt_loop_f func;                 /* either this, for ranges, */
	qt_loop_step_f step;            /* or this, for single steps */
	void *arg;
	size_t start, stop, incr;
	size_t steps;
	size_t workers;                 /* that ranges are made for */
	size_t chunk;                   /* steps in a range under CHUNK; fixed once started */

	/* Under the list's lock. */
	struct qqloop_handle_s *newer, *older;
	bool started, running;

	size_t holds;                   /* LQ2 */
	qt_sinc_t through;              /* one submission: nobody holds the loop any more */

	QTI_ALIGNED_LINE size_t next;   /* LQ1; the workers' line */
	bool over;                      /* a worker has found nothing left: relaxed, a hint that more are of no use */
};

/* ---- Which steps are next */

struct queue_range {
	size_t first, last;             /* the step after the last one */
};

static size_t divide_up(size_t n, size_t by)
{
	return n / by + (n % by != 0);
}

static bool take_chunk(struct qqloop_handle_s *l, struct queue_range *r)
{
	const size_t k = add_rlx(&l->next, 1);          /* LQ1 */

	if (k >= divide_up(l->steps, l->chunk))
		return false;
	r->first = k * l->chunk;
	r->last = r->first + qti_least(l->chunk, l->steps - r->first);
	return true;
}

/* Half of what is left, in equal parts. */
static size_t factored_size(const struct qqloop_handle_s *l, size_t left)
{
	return divide_up(left, 2 * l->workers);
}

/* A range's number says in which batch it is; the batches before it, of which there are some log n, say where that
 * begins. */
static bool take_factored(struct qqloop_handle_s *l, struct queue_range *r)
{
	const size_t k = add_rlx(&l->next, 1);          /* LQ1 */
	size_t left = l->steps;

	for (size_t batch = k / l->workers; batch > 0 && left > 0; batch--)
		left -= qti_least(left, l->workers * factored_size(l, left));

	const size_t size = factored_size(l, left), before = k % l->workers * size;
	if (before >= left)
		return false;
	r->first = l->steps - left + before;
	r->last = r->first + qti_least(size, left - before);
	return true;
}

/* `most` steps, but not more than one in `parts` of those left. */
static bool take_share(struct qqloop_handle_s *l, size_t parts, size_t most, struct queue_range *r)
{
	size_t seen = load_rlx(&l->next);

	do {
		if (seen >= l->steps)
			return false;
		r->first = seen;
		r->last = seen + qti_least(most, divide_up(l->steps - seen, parts));
	} while (!cas_acq(&l->next, &seen, r->last));   /* LQ1, more than which it needs */
	return true;
}

static bool queue_take(struct qqloop_handle_s *l, size_t most, struct queue_range *r)
{
	switch (l->type) {
	case CHUNK:
		return take_chunk(l, r);
	case GUIDED:
		return take_share(l, l->workers, SIZE_MAX, r);
	case FACTORED:
		return take_factored(l, r);
	default:
		return take_share(l, 2 * l->workers, most, r);
	}
}

/* ---- A worker */

static void range_run(const struct qqloop_handle_s *l, struct queue_range r)
{
	if (l->func)
		/* The product may not fit for the step after the last. */
		l->func(l->start + r.first * l->incr,
			r.last == l->steps ? l->stop : l->start + r.last * l->incr, l->arg);
	else
		for (size_t i = r.first; i < r.last; i++)
			l->step(l->arg);
}

/* How many steps fill the quantum, if `steps` of them took so many seconds. */
static size_t quantum_steps(size_t steps, double seconds)
{
	const double n = (double)steps, longest = n * TUNE_QUEUE_GROWTH;
	const double quantum = TUNE_QUEUE_QUANTUM_NS / 1e9;
	const double fit = seconds * longest > quantum * n ? n * quantum / seconds : longest;

	return fit < 1 ? 1 : fit < (double)(SIZE_MAX / 2) ? (size_t)fit : SIZE_MAX / 2;
}

static void queue_work_timed(struct qqloop_handle_s *l)
{
	struct queue_range r;
	size_t most = 1;

	while (queue_take(l, most, &r)) {
		const double begin = qtimer_wtime();
		range_run(l, r);
		most = quantum_steps(r.last - r.first, qtimer_wtime() - begin);
	}
}

static void queue_work(struct qqloop_handle_s *l)
{
	struct queue_range r;

	if (l->type == TIMED)
		queue_work_timed(l);
	else
		while (queue_take(l, 0, &r))
			range_run(l, r);
	store_rlx(&l->over, true);
}

/* ---- Handles */

static struct qti_lock queue_lock;
static struct qqloop_handle_s *queue_newest;    /* live ones, in the order of their creation */

static void queues_take(void)
{
	qti_lock_take(&queue_lock);
}

static void queues_drop(void)
{
	qti_lock_drop(&queue_lock);
}

QTI_FORKED(QTI_FORKED_LOCKS, queues_take, queues_drop, NULL)

static void queue_enter(struct qqloop_handle_s *l)
{
	qti_lock_take(&queue_lock);
	l->older = queue_newest;
	if (queue_newest)
		queue_newest->newer = l;
	queue_newest = l;
	qti_lock_drop(&queue_lock);
}

static void queue_leave(struct qqloop_handle_s *l)
{
	qti_lock_take(&queue_lock);
	if (l->newer)
		l->newer->older = l->older;
	else
		queue_newest = l->older;
	if (l->older)
		l->older->newer = l->newer;
	qti_lock_drop(&queue_lock);
}

/* Under the lock.  Only addresses are compared: l may have been freed. */
static bool queue_is_live(const struct qqloop_handle_s *l)
{
	const struct qqloop_handle_s *live = queue_newest;

	while (live && live != l)
		live = live->older;
	return live;
}

/* False if the handle is not live, or is being run already. */
static bool queue_begin(struct qqloop_handle_s *l)
{
	bool ours;

	qti_lock_take(&queue_lock);
	ours = queue_is_live(l) && !l->running;
	if (ours)
		l->started = l->running = true;
	qti_lock_drop(&queue_lock);
	return ours;
}

/* False if the handle is not live, nobody holds it any more, or there is nothing left to do. */
static bool queue_hold(struct qqloop_handle_s *l)
{
	size_t seen = 0;

	qti_lock_take(&queue_lock);
	if (queue_is_live(l) && !load_rlx(&l->over)) {          /* LQ3 */
		l->started = true;
		seen = load_rlx(&l->holds);
		while (seen > 0 && !cas_acq(&l->holds, &seen, seen + 1))
			;
	}
	qti_lock_drop(&queue_lock);
	return seen > 0;
}

static void queue_let_go(struct qqloop_handle_s *l)
{
	qti_race_release(l);
	if (sub_acq_rel(&l->holds, 1) == 1)     /* LQ2 */
		qt_sinc_submit(&l->through, NULL);
}

/* Wait for the workers added, and free the handle. */
static void queue_end(struct qqloop_handle_s *l)
{
	qt_sinc_init(&l->through, 0, NULL, NULL, 1);
	queue_let_go(l);
	qt_sinc_wait(&l->through, NULL);
	qti_race_acquire(l);
	qt_sinc_fini(&l->through);
	queue_leave(l);                         /* LQ3 */
	qti_mem_free(l);
}

static aligned_t queue_added(void *arg)
{
	queue_work(arg);
	queue_let_go(arg);
	return 0;
}

/* Add a worker, which takes over the caller's hold; false if there is no memory for it, or no runtime. */
static bool queue_fork(struct qqloop_handle_s *l, qthread_shepherd_id_t shep)
{
	return qthread_fork_to(queue_added, l, NULL, shep) == QTHREAD_SUCCESS;
}

/* A step of 0 is one of 1. */
static struct qqloop_handle_s *queue_new(qt_loop_queue_type type, size_t start, size_t stop, size_t incr)
{
	struct qqloop_handle_s *l;
	const size_t workers = qthread_num_workers();

	if ((unsigned)type > TIMED)
		return NULL;
	l = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*l));
	if (!l)
		return NULL;
	*l = (struct qqloop_handle_s){ .type = type, .start = start, .stop = stop, .incr = incr ? incr : 1,
		.workers = workers ? workers : 1, .holds = 1 };
	l->steps = start < stop ? divide_up(stop - start, l->incr) : 0;
	l->chunk = l->steps / l->workers / TUNE_QUEUE_CHUNKS;
	l->chunk += l->chunk == 0;
	return l;
}

/* ---- The names */

qqloop_handle_t *qt_loop_queue_create(qt_loop_queue_type const type, size_t const start, size_t const stop,
	size_t const incr, qt_loop_f const func, void *const argptr)
{
	struct qqloop_handle_s *l = func ? queue_new(type, start, stop, incr) : NULL;

	if (!l)
		return NULL;
	l->func = func;
	l->arg = argptr;
	queue_enter(l);
	return l;
}

qqloop_step_handle_t *qt_loop_step_queue_create(qt_loop_queue_type const type, size_t start, size_t stop, size_t incr,
	qt_loop_step_f func, void *argptr)
{
	struct qqloop_handle_s *l = func ? queue_new(type, start, stop, incr) : NULL;

	if (!l)
		return NULL;
	l->step = func;
	l->arg = argptr;
	queue_enter(l);
	return (qqloop_step_handle_t *)l;       /* the type is never completed */
}

void qt_loop_queue_setchunk(qqloop_handle_t *l, size_t chunk)
{
	qti_lock_take(&queue_lock);
	if (chunk > 0 && queue_is_live(l) && !l->started && l->type == CHUNK)
		l->chunk = divide_up(chunk, l->incr);
	qti_lock_drop(&queue_lock);
}

/* One per worker. */
static void run_piece(size_t start, size_t stop, void *arg)
{
	(void)start;
	(void)stop;
	queue_work(arg);
}

void qt_loop_queue_run(qqloop_handle_t *loop)
{
	if (!queue_begin(loop))
		return;
	qt_loop_balance(0, loop->steps, run_piece, loop);
	queue_end(loop);
}

void qt_loop_queue_run_there(qqloop_handle_t *loop, qthread_shepherd_id_t shep)
{
	if (!queue_begin(loop))
		return;
	add_rlx(&loop->holds, 1);
	if (loop->steps == 0 || !queue_fork(loop, shep))
		queue_added(loop);
	queue_end(loop);
}

void qt_loop_queue_addworker(qqloop_handle_t *loop, qthread_shepherd_id_t const shep)
{
	if (queue_hold(loop) && !queue_fork(loop, shep))
		queue_let_go(loop);
}
