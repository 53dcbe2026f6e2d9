/* api/self.c -- what a task can ask and do about itself, and about where it is.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/mem.h"
#include "base/race.h"
#include "base/tuning.h"
#include "core/deal.h"
#include "core/duty.h"
#include "core/gate.h"
#include "core/idle.h"
#include "core/loop.h"
#include "core/next.h"
#include "core/ready.h"
#include "core/stackless.h"

#include <sched.h>
#include <string.h>

/* --- giving way, moving ---------------------------------------------------------------------------------- */

enum { YIELD_NEAR = 1 };

void qthread_yield_(int near)
{
	struct qti_worker *w = qti_self();

	/* A thread that is no task has its CPU to give: somebody without one may have what it polls for. */
	if (qti_unlikely(!w)) {
		sched_yield();
		return;
	}
	if (qti_task_is(w->current, QTI_TASK_SIMPLE))
		return;
	if (qti_unlikely(qti_suspend_prepare(w) != QTHREAD_SUCCESS)) {
		qti_stackless_yield(w);
		return;
	}
	if (qti_unlikely(load_rlx(&w->off))) {
		qti_suspend(qti_after_ready, NULL);
		return;
	}
	if (qti_unlikely(load_rlx(&qti_rt.idle.draining))) {
		qti_suspend(qti_after_yield_aside, NULL);
		return;
	}
	/* What tasks poll for may be the business of a worker without a CPU.  Not later: the policy may hold a lock
	 * then. */
	if (qti_unlikely(qti_rt.oversubscribed) && ++w->yields % TUNE_YIELDS_A_CPU == 0)
		sched_yield();
	qti_after after = qti_after_ready;
	struct qti_task *next = near == YIELD_NEAR ? qti_next_local(w) : qti_next_to_yield(w, &after);
	if (next)
		qti_suspend_for(next, after, NULL);
	else if (qti_rt.oversubscribed)
		sched_yield();
}

void qthread_flushsc(void)
{
}

int qthread_migrate_to(qthread_shepherd_id_t shepherd)
{
	struct qti_worker *w = qti_self();
	struct qti_task *t = w ? w->current : NULL;

	if (!t || (t->flags & (QTI_TASK_BOUND | QTI_TASK_SIMPLE)))
		return QTHREAD_NOT_ALLOWED;
	if (shepherd == NO_SHEPHERD) {
		t->flags &= ~(uint32_t)QTI_TASK_PINNED;
		return QTHREAD_SUCCESS;
	}
	if (shepherd >= qti_rt.nshepherds)
		return QTHREAD_BADARGS;
	bool moves = qti_shepherd_for(shepherd) != w->shepherd;
	int rc = moves ? qti_suspend_prepare(w) : QTHREAD_SUCCESS;
	if (rc != QTHREAD_SUCCESS)
		return rc;
	if (moves && qti_task_is(t, QTI_TASK_DEALT))
		qti_deal_regret(t);
	else if (!moves && !qti_task_is(t, QTI_TASK_PINNED))
		qti_deal_confirm(w, t);
	t->home = shepherd;
	t->flags |= QTI_TASK_PINNED;
	if (moves)
		qti_suspend(qti_after_ready, NULL);
	return QTHREAD_SUCCESS;
}

void qthread_reset_target_shep(void)
{
	struct qti_worker *w = qti_self();

	if (w) {
		store_rlx(&w->shepherd->next_target, 0);
		w->target = 0;
	}
}

/* --- identity -------------------------------------------------------------------------------------------- */

unsigned int qthread_id(void)
{
	struct qti_task *t = qti_current();

	return t ? qti_task_id(t) : QTHREAD_NON_TASK_ID;
}

qthread_shepherd_id_t qthread_shep(void)
{
	struct qti_worker *w = qti_self();

	return w ? (qthread_shepherd_id_t)w->shepherd->id : NO_SHEPHERD;
}

static struct qti_worker *self_and_shepherd(qthread_shepherd_id_t *s)
{
	struct qti_worker *w = qti_self();

	if (s)
		*s = w ? (qthread_shepherd_id_t)w->shepherd->id : NO_SHEPHERD;
	return w;
}

qthread_worker_id_t qthread_worker(qthread_shepherd_id_t *s)
{
	struct qti_worker *w = self_and_shepherd(s);

	return w ? (qthread_worker_id_t)(w->shepherd->id * qti_rt.shape.stride + w->local) : NO_WORKER;
}

qthread_worker_id_t qthread_worker_unique(qthread_shepherd_id_t *s)
{
	struct qti_worker *w = self_and_shepherd(s);

	return w ? (qthread_worker_id_t)(w->id + 1) : NO_WORKER;
}

qthread_worker_id_t qthread_worker_local(qthread_shepherd_id_t *s)
{
	struct qti_worker *w = self_and_shepherd(s);

	return w ? (qthread_worker_id_t)w->local : NO_WORKER;
}

aligned_t *qthread_retloc(void)
{
	struct qti_task *t = qti_current();

	return t ? t->ret : NULL;
}

/* --- task-local data ------------------------------------------------------------------------------------- */

static size_t local_size(const struct qti_task *t)
{
	if (qti_task_is(t, QTI_TASK_LOCAL_HEAP))
		return qti_task_more(t)->local->size;
	return qti_task_is(t, QTI_TASK_NO_RECORD) ? 0 : qti_rt.local_bytes;
}

void *qthread_get_tasklocal(unsigned int size)
{
	struct qti_task *t = qti_current();

	if (!t)
		return NULL;
	bool apart = qti_races() && !qti_task_is(t, QTI_TASK_LOCAL_HEAP);       /* from what other tasks have used */
	if (!apart && size <= local_size(t))
		return qti_task_local(t);
	if (size < local_size(t))
		size = (unsigned)local_size(t);
	struct qti_task_local *larger = qti_mem_alloc(sizeof(*larger) + size);
	if (!larger)
		return NULL;
	qti_race_ignore(true);
	memcpy(larger->data, qti_task_local(t), local_size(t));
	qti_race_ignore(false);
	larger->size = size;
	struct qti_task_local *old = qti_task_is(t, QTI_TASK_LOCAL_HEAP) ? qti_task_more(t)->local : NULL;
	store_rel(&qti_task_more(t)->local, larger);
	t->flags |= QTI_TASK_LOCAL_HEAP;
	qti_mem_free(old);              /* last: the handler of a signal may ask for the size */
	return larger->data;
}

unsigned int qthread_size_tasklocal(void)
{
	struct qti_task *t = qti_current();

	return t ? (unsigned)local_size(t) : 0;
}

/* --- the stack ------------------------------------------------------------------------------------------- */

/* NULL for the main task and simple ones, whose stacks are not theirs. */
static struct qti_stack *own_stack(void)
{
	struct qti_worker *w = qti_self();
	struct qti_task *t = qti_current();

	if (!t || (t->flags & (QTI_TASK_BOUND | QTI_TASK_SIMPLE)))
		return NULL;
	return w ? w->stack : qti_task_more(t)->stack;
}

void *qthread_tos(void)
{
	struct qti_stack *s = own_stack();

	return s ? s->limit : NULL;
}

void *qthread_bos(void)
{
	struct qti_stack *s = own_stack();

	return s ? s->base : NULL;
}

size_t qthread_stackleft(void)
{
	struct qti_stack *s = own_stack();

	return s ? qti_stack_left(s) : 0;
}

/* --- shepherds ------------------------------------------------------------------------------------------- */

int qthread_shep_ok(void)
{
	struct qti_worker *w = qti_self();

	return w ? load_rlx(&w->shepherd->stand_in) == w->shepherd : QTHREAD_PTHREAD_ERROR;
}

void qthread_shep_next(qthread_shepherd_id_t *shep)
{
	const uint32_t n = load_rlx(&qti_census.shepherds);

	if (shep && n > 0)
		*shep = *shep + 1u < n ? (qthread_shepherd_id_t)(*shep + 1) : 0;
}

void qthread_shep_prev(qthread_shepherd_id_t *shep)
{
	const uint32_t n = load_rlx(&qti_census.shepherds);

	if (shep && n > 0)
		*shep = (qthread_shepherd_id_t)((*shep == 0 || *shep > n ? n : *shep) - 1);
}

void qthread_shep_next_local(qthread_shepherd_id_t *shep)
{
	qthread_shep_next(shep);
}

void qthread_shep_prev_local(qthread_shepherd_id_t *shep)
{
	qthread_shep_prev(shep);
}

static bool shepherd_exists(qthread_shepherd_id_t s)
{
	return s < qti_rt.nshepherds;
}

int qthread_distance(qthread_shepherd_id_t src, qthread_shepherd_id_t dest)
{
	if (!qti_call_in())
		return QTHREAD_BADARGS;
	const bool known = shepherd_exists(src) && shepherd_exists(dest);
	int d = known ? (int)qti_shape_distance(&qti_rt.shape, src, dest) : QTHREAD_BADARGS;
	qti_call_out();
	return d;
}

const qthread_shepherd_id_t *qthread_sorted_sheps_remote(qthread_shepherd_id_t src)
{
	if (!qti_call_in())
		return NULL;
	const qthread_shepherd_id_t *sorted = shepherd_exists(src) ? qti_rt.shepherds[src].nearest : NULL;
	qti_call_out();
	return sorted;
}

const qthread_shepherd_id_t *qthread_sorted_sheps(void)
{
	struct qti_worker *w = qti_self();

	return w ? w->shepherd->nearest : NULL;
}

qthread_shepherd_id_t qthread_num_shepherds(void)
{
	return (qthread_shepherd_id_t)qthread_readstate(ACTIVE_SHEPHERDS);
}

qthread_worker_id_t qthread_num_workers(void)
{
	return (qthread_worker_id_t)qthread_readstate(ACTIVE_WORKERS);
}

qthread_worker_id_t qthread_num_workers_local(qthread_shepherd_id_t shepherd_id)
{
	if (!qti_call_in())
		return 0;
	unsigned n = shepherd_exists(shepherd_id) ? qti_rt.shepherds[shepherd_id].nworkers : qti_rt.shape.stride;
	qti_call_out();
	return (qthread_worker_id_t)n;
}

/* --- qthread_readstate ----------------------------------------------------------------------------------- */

static size_t workers_occupied(void)
{
	uint64_t changes;

	return qti_idle_occupied(&changes);
}

static size_t shepherd_queued(const struct qti_shepherd *s)
{
	return qti_rt.sched->length(s) + qti_taskq_count(&s->inbox);
}

static size_t busyness_here(void)
{
	struct qti_worker *w = qti_self();

	return w ? shepherd_queued(w->shepherd) + 1 : (size_t)-1;
}

static size_t queued_anywhere(void)
{
	size_t n = qti_taskq_count(&qti_rt.inbox);

	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		n += qti_taskq_count(&qti_rt.workers[i].inbox);
	for (unsigned i = 0; i < qti_rt.nshepherds; i++)
		n += shepherd_queued(&qti_rt.shepherds[i]);
	return n;
}

/* Programs wait until this is 1 to know that all other tasks wait.  So a task must not be missed on its way from a
 * queue to a worker (H1, H2).  Where there is more, and never stands still, it is true for a moment. */
static size_t node_busyness(void)
{
	uint64_t before, after;
	unsigned looks = 0;
	size_t n;

	do {
		n = qti_idle_occupied(&before) + queued_anywhere();
		fence_sc();                                                                     /* H1 */
		qti_idle_occupied(&after);
	} while (after != before && (n <= 1 || ++looks < TUNE_BUSYNESS_LOOKS));
	return n;
}

static unsigned team_here(void)
{
	return qti_self() ? qt_team_id() : QTHREAD_DEFAULT_TEAM_ID;
}

/* Of the caller, or counted in one place: who asks need not be in the runtime. */
static size_t plain_state(enum introspective_state type)
{
	switch (type) {
	case STACK_SIZE:
		return load_rlx(&qti_census.stack_size);
	case BUSYNESS:
		return busyness_here();
	case ACTIVE_SHEPHERDS:
		return load_rlx(&qti_census.shepherds_on_duty);
	case TOTAL_SHEPHERDS:
		return load_rlx(&qti_census.shepherds);
	case ACTIVE_WORKERS:
		return load_rlx(&qti_census.workers_on_duty);
	case TOTAL_WORKERS:
		return load_rlx(&qti_census.workers);
	case CURRENT_SHEPHERD:
		return qthread_shep();
	case CURRENT_WORKER:
		return qthread_worker_local(NULL);
	case CURRENT_UNIQUE_WORKER:
		return qti_self() ? qti_self()->id : NO_WORKER;
	case CURRENT_TEAM:
		return team_here();
	case PARENT_TEAM:
		return qt_team_parent_id();
	default:
		return (size_t)-1;
	}
}

size_t qthread_readstate(const enum introspective_state type)
{
	size_t n;

	if (type == RUNTIME_DATA_SIZE)
		return sizeof(struct qti_stack);
	if (type != NODE_BUSYNESS && type != WORKER_OCCUPATION)
		return load_rlx(&qti_census.workers) ? plain_state(type) : 0;
	if (!qti_call_in())
		return 0;
	n = type == NODE_BUSYNESS ? node_busyness() : workers_occupied();
	qti_call_out();
	return n;
}
