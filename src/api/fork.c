/* api/fork.c -- the fork family: check, describe, place.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing is half done: whatever can lack memory or be refused comes before the return word is emptied, and that
 * before the task can be found by anybody.
 */
#include "api/team.h"
#include "base/mem.h"
#include "base/race.h"
#include "core/gate.h"
#include "core/loop.h"
#include "core/ready.h"
#include "qthread/sinc.h"
#include "sync/feb.h"
#include "sync/precond.h"
#include "sync/syncvar.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What all forms of fork come down to. */
struct request {
	qthread_f f;
	const void *arg;
	size_t arg_size;
	void *ret;
	unsigned features;
	qthread_shepherd_id_t target;
	aligned_t *const *words;
	size_t nwords;
};

enum {
	RET_FEATURES = QTHREAD_SPAWN_RET_SYNCVAR_T | QTHREAD_SPAWN_RET_SINC | QTHREAD_SPAWN_RET_SINC_VOID,
	KNOWN_FEATURES = RET_FEATURES | QTHREAD_SPAWN_PARENT | QTHREAD_SPAWN_SIMPLE | QTHREAD_SPAWN_NEW_TEAM |
	                 QTHREAD_SPAWN_NEW_SUBTEAM | QTHREAD_SPAWN_PC_SYNCVAR_T | QTHREAD_SPAWN_LOCAL_PRIORITY |
	                 QTHREAD_SPAWN_NETWORK,
};

/* --- finish: what becomes of the result ------------------------------------------------------------------ */

static bool submit_value(struct qti_task *t, aligned_t value)
{
	qt_sinc_submit(t->ret, &value);
	return true;
}

static bool submit_nothing(struct qti_task *t, aligned_t value)
{
	(void)value;
	qt_sinc_submit(t->ret, NULL);
	return true;
}

static int expect_result(struct qti_task *t, void *ret, unsigned features)
{
	store_rlx(&t->ret, ret);
	t->finish = NULL;
	if (!ret)
		return QTHREAD_SUCCESS;
	switch (features & RET_FEATURES) {
	case 0:
		t->finish = qti_feb_deliver;
		return qti_feb_expect(ret);
	case QTHREAD_SPAWN_RET_SYNCVAR_T:
		t->finish = qti_syncvar_deliver;
		return qti_syncvar_expect(ret);
	case QTHREAD_SPAWN_RET_SINC:
		t->finish = submit_value;
		return QTHREAD_SUCCESS;
	case QTHREAD_SPAWN_RET_SINC_VOID:
		t->finish = submit_nothing;
		return QTHREAD_SUCCESS;
	default:
		return QTHREAD_BADARGS;
	}
}

/* --- describe -------------------------------------------------------------------------------------------- */

static inline struct qti_task *new_task(struct qti_worker *w, qthread_f f, const void *arg)
{
	struct qti_task *t = w ? qti_pool_get(&qti_rt.tasks, &w->tasks) : qti_pool_get_shared(&qti_rt.tasks);

	if (qti_unlikely(!t))
		return NULL;
	qti_task_set(t, f, (void *)arg, 0);
	return t;
}

/* Small copies go into the record, those up to QT_ARGCOPY_SIZE into a pooled block. */
static int copy_arg(struct qti_worker *w, struct qti_task *t, const void *arg, size_t size)
{
	bool apart = qti_races();       /* from what others have used */

	if (!apart && size <= qti_team_arg_room(t)) {
		t->arg = qti_task_record(t) + qti_rt.local_bytes;
	} else if (!apart && size <= qti_rt.env.argcopy_size) {
		t->arg = w ? qti_pool_get(&qti_rt.args, &w->args) : qti_pool_get_shared(&qti_rt.args);
		t->flags |= t->arg ? QTI_TASK_ARG_POOL : 0;
	} else {
		t->arg = qti_mem_alloc(size);
		t->flags |= t->arg ? QTI_TASK_ARG_HEAP : 0;
	}
	if (!t->arg)
		return QTHREAD_MALLOC_ERROR;
	memcpy(t->arg, arg, size);
	return QTHREAD_SUCCESS;
}

static int task_describe(struct qti_worker *w, struct qti_task *t, const struct request *r)
{
	int rc = qti_team_choose(t, r->features);

	if (r->features & QTHREAD_SPAWN_SIMPLE)
		t->flags |= QTI_TASK_SIMPLE;
	if (r->target != NO_SHEPHERD) {
		t->flags |= QTI_TASK_PINNED;
		t->home = (uint16_t)(r->target % qti_rt.nshepherds);
	}
	if (rc == QTHREAD_SUCCESS && r->arg_size)
		rc = copy_arg(w, t, r->arg, r->arg_size);
	if (rc == QTHREAD_SUCCESS && r->nwords)
		rc = qti_precond_note(t, r->words, r->nwords);
	if (rc == QTHREAD_SUCCESS)
		rc = expect_result(t, r->ret, r->features);
	if (rc == QTHREAD_SUCCESS)
		qti_team_enter(t);
	else
		qti_team_unchoose(t);
	return rc;
}

static int request_check(const struct request *r)
{
	unsigned ret = r->features & RET_FEATURES;

	if (!r->f || (r->arg_size && !r->arg) || (r->nwords && !r->words))
		return QTHREAD_BADARGS;
	if ((r->features & ~KNOWN_FEATURES) || (ret & (ret - 1)))
		return QTHREAD_BADARGS;
	return QTHREAD_SUCCESS;
}

static void count_fork(struct qti_worker *w)
{
	if (w)
		qti_count(w, forks);
	else
		add_rlx(&qti_rt.external_forks, 1);
}

static int fork_inside(struct qti_worker *w, const struct request *r, uint32_t *id)
{
	int rc = request_check(r);

	if (rc != QTHREAD_SUCCESS)
		return rc;
	struct qti_task *t = new_task(w, r->f, r->arg);
	if (!t)
		return QTHREAD_MALLOC_ERROR;
	rc = task_describe(w, t, r);
	if (rc != QTHREAD_SUCCESS) {
		qti_task_discard(t);
		return rc;
	}
	count_fork(w);
	qti_probe_fork(t);
	if (id)
		*id = qti_trace_id(w, t);
	qti_race_release_as(t, QTI_RACE_TASK);
	if (r->nwords)
		qti_precond_start(t);
	else
		qti_ready(t);
	return QTHREAD_SUCCESS;
}

static __attribute__((noinline)) int fork_traced(struct qti_worker *w, const struct request *r)
{
	uint32_t id = 0;

	qti_trace_put(&w->tracer, QTI_TRACE_CREATE, 0, 0, (uintptr_t)r->f);
	int rc = fork_inside(w, r, &id);
	qti_trace_put(&w->tracer, QTI_TRACE_CREATE + QTI_TRACE_END, id, 0, 0);
	return rc;
}

static inline int fork_maybe_traced(struct qti_worker *w, const struct request *r)
{
	return w && qti_traces(&w->tracer) ? fork_traced(w, r) : fork_inside(w, r, NULL);
}

/* Of those who are inside: a task that is in a blocking call is one. */
static bool may_fork(const struct qti_worker *w)
{
	return w || load_rlx(&qti_gate) == QTI_GATE_OPEN || qti_proxied();
}

static int fork_task(const struct request *r)
{
	struct qti_worker *w = qti_self();

	if (!qti_call_in())
		return QTHREAD_NOT_ALLOWED;
	int rc = may_fork(w) ? fork_maybe_traced(w, r) : QTHREAD_NOT_ALLOWED;
	qti_call_out();
	return rc;
}

/* --- the usual case, kept short -------------------------------------------------------------------------- */

/* Its tasks join no team, and nobody records that they are created, or asks what comes before them. */
static inline bool forks_plainly(const struct qti_worker *w)
{
	return w && !qti_task_is(w->current, QTI_TASK_TEAM) && !qti_observed(&w->tracer);
}

static inline int fork_from_worker(struct qti_worker *w, qthread_f f, const void *arg, void *ret, unsigned features)
{
	struct qti_task *t = new_task(w, f, arg);

	if (qti_unlikely(!t))
		return QTHREAD_MALLOC_ERROR;
	int rc = expect_result(t, ret, features);
	if (qti_unlikely(rc != QTHREAD_SUCCESS)) {
		qti_task_discard(t);
		return rc;
	}
	qti_count(w, forks);
	qti_probe_fork(t);
	qti_rt.sched->push(w, t);
	return QTHREAD_SUCCESS;
}

int qthread_fork(qthread_f f, const void *arg, aligned_t *ret)
{
	struct qti_worker *w = qti_self();

	if (qti_likely(forks_plainly(w) && f))
		return fork_from_worker(w, f, arg, ret, 0);
	return fork_task(&(struct request){ .f = f, .arg = arg, .ret = ret, .target = NO_SHEPHERD });
}

int qthread_fork_syncvar(qthread_f f, const void *arg, syncvar_t *ret)
{
	struct qti_worker *w = qti_self();
	unsigned features = QTHREAD_SPAWN_RET_SYNCVAR_T;

	if (qti_likely(forks_plainly(w) && f))
		return fork_from_worker(w, f, arg, ret, features);
	return fork_task(&(struct request){
		.f = f, .arg = arg, .ret = ret, .target = NO_SHEPHERD, .features = features });
}

/* --- the other forms ------------------------------------------------------------------------------------- */

int qthread_fork_net(qthread_f f, const void *arg, aligned_t *ret)
{
	return qthread_fork(f, arg, ret);
}

int qthread_fork_to(qthread_f f, const void *arg, aligned_t *ret, qthread_shepherd_id_t shepherd)
{
	return fork_task(&(struct request){ .f = f, .arg = arg, .ret = ret, .target = shepherd });
}

int qthread_fork_syncvar_to(qthread_f f, const void *arg, syncvar_t *ret, qthread_shepherd_id_t shepherd)
{
	return fork_task(&(struct request){
		.f = f, .arg = arg, .ret = ret, .target = shepherd, .features = QTHREAD_SPAWN_RET_SYNCVAR_T });
}

int qthread_fork_copyargs(qthread_f f, const void *arg, size_t arg_size, aligned_t *ret)
{
	return fork_task(&(struct request){
		.f = f, .arg = arg, .arg_size = arg_size, .ret = ret, .target = NO_SHEPHERD });
}

int qthread_fork_copyargs_to(qthread_f f, const void *arg, size_t arg_size, syncvar_t *ret,
                             qthread_shepherd_id_t preferred_shep)
{
	return fork_task(&(struct request){
		.f = f, .arg = arg, .arg_size = arg_size, .ret = ret, .target = preferred_shep });
}

int qthread_fork_syncvar_copyargs(qthread_f f, const void *arg, size_t arg_size, syncvar_t *ret)
{
	return fork_task(&(struct request){ .f = f, .arg = arg, .arg_size = arg_size, .ret = ret,
	                                    .target = NO_SHEPHERD, .features = QTHREAD_SPAWN_RET_SYNCVAR_T });
}

int qthread_fork_syncvar_copyargs_simple(qthread_f f, const void *arg, size_t arg_size, syncvar_t *ret)
{
	return fork_task(&(struct request){
		.f = f, .arg = arg, .arg_size = arg_size, .ret = ret, .target = NO_SHEPHERD,
		.features = QTHREAD_SPAWN_RET_SYNCVAR_T | QTHREAD_SPAWN_SIMPLE });
}

/* With npreconds < 0 the one argument is an array of that many addresses. */
static int fork_precond(struct request *r, int npreconds, va_list args)
{
	aligned_t **listed = NULL;

	r->nwords = npreconds < 0 ? 0 - (size_t)npreconds : (size_t)npreconds;
	if (npreconds < 0) {
		r->words = va_arg(args, aligned_t **);
	} else if (npreconds > 0) {
		r->words = listed = qti_mem_alloc(r->nwords * sizeof(*listed));
		if (!listed)
			return QTHREAD_MALLOC_ERROR;
		for (size_t i = 0; i < r->nwords; i++)
			listed[i] = va_arg(args, aligned_t *);
	}
	int rc = fork_task(r);
	qti_mem_free(listed);
	return rc;
}

int qthread_fork_precond(qthread_f f, const void *arg, aligned_t *ret, int npreconds, ...)
{
	va_list args;

	va_start(args, npreconds);
	int rc = fork_precond(
		&(struct request){ .f = f, .arg = arg, .ret = ret, .target = NO_SHEPHERD }, npreconds, args);
	va_end(args);
	return rc;
}

int qthread_fork_precond_to(qthread_f f, const void *arg, aligned_t *ret, qthread_shepherd_id_t shepherd, int npreconds,
                            ...)
{
	va_list args;

	va_start(args, npreconds);
	int rc = fork_precond(&(struct request){ .f = f, .arg = arg, .ret = ret, .target = shepherd }, npreconds, args);
	va_end(args);
	return rc;
}

int qthread_fork_precond_simple(qthread_f f, const void *arg, aligned_t *ret, int npreconds, ...)
{
	va_list args;

	va_start(args, npreconds);
	int rc = fork_precond(&(struct request){ .f = f, .arg = arg, .ret = ret, .target = NO_SHEPHERD,
	                                         .features = QTHREAD_SPAWN_SIMPLE }, npreconds, args);
	va_end(args);
	return rc;
}

int qthread_fork_copyargs_precond(qthread_f f, const void *arg, size_t arg_size, syncvar_t *ret, int npreconds, ...)
{
	va_list args;

	va_start(args, npreconds);
	int rc = fork_precond(&(struct request){ .f = f, .arg = arg, .arg_size = arg_size, .ret = ret,
	                                         .target = NO_SHEPHERD, .features = QTHREAD_SPAWN_RET_SYNCVAR_T },
	                      npreconds, args);
	va_end(args);
	return rc;
}

int qthread_spawn(qthread_f f, const void *arg, size_t arg_size, void *ret, size_t npreconds, void *preconds,
                  qthread_shepherd_id_t target_shep, unsigned int feature_flag)
{
	struct request r = { .f = f, .arg = arg, .arg_size = arg_size, .ret = ret, .target = target_shep,
	                     .features = feature_flag, .nwords = npreconds };

	/* The block's first element is the count; the addresses follow. */
	if (npreconds) {
		if (!preconds || ((size_t *)preconds)[0] != npreconds)
			return load_acq(&qti_running) ? QTHREAD_BADARGS : QTHREAD_NOT_ALLOWED;
		r.words = (aligned_t *const *)preconds + 1;
	}
	int rc = fork_task(&r);
	if (rc == QTHREAD_SUCCESS && npreconds)
		free(preconds);
	return rc;
}

enum { CALL_SYNCVAR = 4, CALL_SINC = 8 };

void qthread_call_method(qthread_f f, void *arg, void *ret, uint16_t flags)
{
	if (!f)
		return;
	aligned_t value = f(arg);
	if (!ret)
		return;
	if (flags & CALL_SYNCVAR)
		qthread_syncvar_writeEF_const(ret, INT64TOINT60(value));
	else if (flags & CALL_SINC)
		qt_sinc_submit(ret, &value);
	else
		qthread_writeEF_const(ret, value);
}
