/* omp/team/start.c -- see omp/team/start.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The main thread becomes worker 0, as in a native program.  Regions of the program's other threads need no workers:
 * those cannot know when a worker comes free, and run with threads of their own (omp/team/teams.c).
 */
#include "omp/team/start.h"

#include "core/guest.h"
#include "omp/env/env.h"
#include "omp/env/icv.h"
#include "omp/env/other.h"
#include "omp/env/text.h"
#include "omp/team/address_wait.h"
#include "omp/team/bind.h"
#include "omp/team/crew.h"
#include "omp/team/locals.h"
#include "omp/team/lost.h"
#include "omp/team/patience.h"
#include "omp/team/record.h"
#include "omp/team/standing.h"
#include "omp/team/teams.h"
#include "omp/team/waits.h"
#include "omp/tool/attach.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

/* --- settings -------------------------------------------------------------------------------------------- */

static unsigned wanted;         /* workers */

/* OpenMP's defaults for what the QT_* variables leave open. */
static void settings_adjust(struct qti_env *env)
{
	qomp_unbind();
	env->cpu_limit = qomp_settings.cpu_limit;
	if (!qti_env_given(QTI_SET_STACK_SIZE)) {
		env->stack_size = qomp_settings.stack_size ? qomp_settings.stack_size : QOMP_STACK_BYTES;
		env->stack_setting = "OMP_STACKSIZE";
	}
	if (!qti_env_given(QTI_SET_HWPAR) && !qti_env_given(QTI_SET_NUM_SHEPHERDS) &&
	    !qti_env_given(QTI_SET_NUM_WORKERS_PER_SHEPHERD))
		env->hwpar = wanted;
}

/* --- for a region ---------------------------------------------------------------------------------------- */

static bool is_main_thread(void)
{
	return syscall(SYS_gettid) == getpid();
}

static unsigned largest_of(unsigned a, unsigned b, unsigned c)
{
	unsigned n = a > b ? a : b;

	return n > c ? n : c;
}

static bool start_for(unsigned n)
{
	wanted = largest_of(n, qomp_settings.most_threads, qomp_icv_initial->nthreads);
	if (wanted > QTI_WORKERS_MAX)
		wanted = QTI_WORKERS_MAX;
	qomp_other_warn();
	return qti_guest_start(settings_adjust) == QTHREAD_SUCCESS;
}

void qomp_start(unsigned n)
{
	static bool failed;

	if (!is_main_thread())
		return;
	pthread_mutex_lock(&starting);
	if (!qti_host_runs() && !failed && !start_for(n)) {
		qomp_warn("cannot start the workers of OpenMP's threads; regions do without");
		failed = true;
	}
	if (qti_host_runs())
		qomp_locals_settle();
	pthread_mutex_unlock(&starting);
}

/* What counts for the main task alone: qthread_finalize returns at once for others. */
void qomp_stop(void)
{
	if (qti_host_runs() && !qti_host_is_wanted())
		qthread_finalize();
}

/* --- what the core tells its guest ----------------------------------------------------------------------- */

/* The main thread goes on with what it has set, as worker 0, if it has stood in a frame before. */
static bool guest_started(void)
{
	if (!qti_guest_word())
		return true;
	if (!qomp_locals_try())
		return false;
	qomp_root_move_in();
	return true;
}

/* Around a region exit(3) leaves all as it is anyway (guest_leave). */
static bool guest_stays(void)
{
	const struct qomp_frame *f = qti_guest_word();

	return f && !f->parent && qomp_teams_idle(f->team->root);
}

static bool guest_told(void)
{
	return qomp_tool_here();
}

/* Idle members are tasks that would never end.  Those of a qthread's regions end with it;
 * if it waits for ever so do they. */
static bool guest_leave(enum qti_end end)
{
	const struct qomp_frame *f = qti_guest_word();

	if (f && end == QTI_END_THREAD && f != qomp_frame_of_main()) {
		qomp_lost_thread(qomp_frame_of_main());
		f = qti_guest_word();
	}
	if (f && f->parent) {
		if (end == QTI_END_RUNTIME)
			qomp_warn("qthread_finalize in a parallel region does nothing");
		return false;           /* or the process ends: as it is */
	}
	if (end == QTI_END_PROCESS && load_acq(&qomp_outside_teams) != 0)
		return false;
	if (f)
		qomp_teams_dismiss(f->team->root);
	qomp_root_move_out();
	return true;
}

static void guest_gone(void)
{
	qomp_teams_free();
	qomp_roots_free();
	qomp_unbind();
	qomp_patience_set();
}

/* What is set up once is not left half way. */
static void before_fork(void)
{
	qomp_records_setup();
	qomp_locals_hold();
}

static void after_fork(void)
{
	qomp_locals_release();
}

/* The child of fork(2) begins with the forking thread's regions around it, and no team. */
static void forget_in_child(void)
{
	starting = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	qomp_roots_forget();
	qomp_crews_forget();
	qomp_address_forget();
	qomp_teams_forget();
	qomp_patience_forget();
	qomp_bind_in_child();
}

static bool guest_stop(void)
{
	qomp_address_forget_tasks();
	return !qomp_crews_left();
}

/* Both kinds have their frame as argument; a member's has no function of its own. */
static const void *guest_function(const struct qti_task *t)
{
	const struct qomp_frame *f = t->arg;

	return f->flags & QOMP_IMPLICIT ? NULL : qomp_frame_function(f);
}

/* A task on top of a member may be waited for in other ways than at a barrier. */
static bool guest_lost(const struct qti_task *t)
{
	const struct qomp_frame *f = t->arg;

	return f->flags & QOMP_IMPLICIT && qti_guest_word() == f && qomp_lost_may_stay(f);
}

static const struct qti_guest guest = {
	.tasks = "an OpenMP thread or task",
	.waiters = qomp_waits_each, .holder = qomp_waits_holder, .thread = qomp_waits_thread,
	.started = guest_started, .stays = guest_stays, .told = guest_told, .leave = guest_leave, .stop = guest_stop,
	.lost = guest_lost,
	.gone = guest_gone, .function = guest_function,
	.before_fork = before_fork, .after_fork = after_fork, .in_child = forget_in_child,
};

__attribute__((constructor)) static void prepare(void)
{
	qti_guest_come(&guest);
}
