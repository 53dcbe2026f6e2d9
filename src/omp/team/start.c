/* omp/team/start.c -- see omp/team/start.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The main thread becomes worker 0, as in a native program.  Regions of the program's other threads need no workers: those
 * cannot know when a worker comes free, and run with threads of their own (omp/team/team.c).
 */
#include "omp/team/start.h"

#include "base/mem.h"
#include "base/tuning.h"
#include "omp/env/env.h"
#include "omp/env/text.h"
#include "omp/team/bind.h"
#include "omp/team/address_wait.h"
#include "omp/team/region.h"
#include "omp/team/root.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct qomp_local *qomp_local;
struct qti_pool qomp_tasks;
uint64_t qomp_spin_ns;
bool qomp_crowded;
uint32_t qomp_extras;

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t settling = PTHREAD_MUTEX_INITIALIZER;
static unsigned nlocals;

/* --- settings -------------------------------------------------------------------------------------------- */

enum { TASK_BATCH = 64, TASK_SLAB_FIRST = 64 << 10, TASK_SLAB_MAX = 4 << 20 };

/* As good as for ever. */
#define SPIN_NS_ACTIVE UINT64_C(3600000000000)

static unsigned wanted;         /* workers */

/* OpenMP's defaults for what the QT_* variables leave open. */
static void settings_adjust(struct qti_env *env)
{
	qomp_unbind();
	env->cpu_limit = qomp_settings.cpu_limit;
	if (!qti_env_given(QTI_SET_AFFINITY))
		env->affinity = QTI_BIND_NO;
	if (!qti_env_given(QTI_SET_STACK_SIZE)) {
		env->stack_size = qomp_settings.stack_size ? qomp_settings.stack_size : QOMP_STACK_BYTES;
		env->stack_setting = "OMP_STACKSIZE";
	}
	if (!qti_env_given(QTI_SET_HWPAR) && !qti_env_given(QTI_SET_NUM_SHEPHERDS) &&
	    !qti_env_given(QTI_SET_NUM_WORKERS_PER_SHEPHERD))
		env->hwpar = wanted;
}

static uint64_t spin_patience(void)
{
	uint64_t count = qomp_settings.spin_count;

	if (qomp_settings.patience == QOMP_PATIENCE_PASSIVE)
		return 0;
	if (qomp_settings.patience == QOMP_PATIENCE_ACTIVE)
		return SPIN_NS_ACTIVE;
	if (count == UINT64_MAX)
		return TUNE_SPIN_NS;
	return count < SPIN_NS_ACTIVE / TUNE_COUNT_NS ? count * TUNE_COUNT_NS : SPIN_NS_ACTIVE;
}

/* With more threads than CPUs, who looks keeps from its CPU who is looked for: it gives way a few times. */
static void set_patience(unsigned workers)
{
	unsigned threads = load_rlx(&qomp_extras) + workers;
	bool crowded = threads > qomp_settings.procs;
	uint64_t most = spin_patience();

	store_rlx(&qomp_crowded, crowded);
	store_rlx(&qomp_spin_ns, crowded && most > TUNE_SPIN_CROWDED_NS ? TUNE_SPIN_CROWDED_NS : most);
}

void qomp_set_patience(void)
{
	set_patience(qti_host_runs() ? qti_host_workers() : 1);
}

/* --- up and down ----------------------------------------------------------------------------------------- */

static void make_pool(void)
{
	qti_pool_init(&qomp_tasks, &(struct qti_pool_config){
		.size = sizeof(struct qomp_task), .align = QTI_CACHE_LINE, .batch = TASK_BATCH,
		.fetch = offsetof(struct qomp_task, base) + QTI_CACHE_LINE,
		.first_slab = TASK_SLAB_FIRST, .max_slab = TASK_SLAB_MAX });
}

void qomp_tasks_setup(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_pool);
}

/* The runtime runs, started here or by the program.  What workers keep for themselves stays when it ends, for the next.
 *
 * No other thread looks at the smaller array when a larger one takes its place.  Only a run's first call can do that, for
 * the number of workers does not change while they run; and no worker looks at its own before a call of that run: one
 * comes before the first frame on a worker (guest_started, or omp/team/root.c), before the first dispatch and the first
 * task to one, and where a task without a frame ends another (omp/task/task.c). */
static bool library_settle(void)
{
	unsigned n = qti_host_workers();
	struct qomp_local *larger = NULL;

	qomp_tasks_setup();
	pthread_mutex_lock(&settling);
	bool enough = nlocals >= n;
	if (!enough && (larger = qti_mem_aligned(QTI_CACHE_LINE, n * sizeof(*larger))) != NULL) {
		memset(larger, 0, n * sizeof(*larger));
		if (nlocals)
			memcpy(larger, qomp_local, nlocals * sizeof(*larger));
		qti_mem_free(qomp_local);
		store_rel(&qomp_local, larger);         /* another thread may ask at once whether all is up */
		nlocals = n;
	}
	pthread_mutex_unlock(&settling);
	set_patience(n);
	return enough || larger;
}

void qomp_settle(void)
{
	if (!library_settle())
		qomp_fatal("out of memory for %u OpenMP threads", qti_host_workers());
}

/* The main thread goes on with what it has set, as worker 0, if it has stood in a frame before. */
static bool guest_started(void)
{
	if (!qti_guest_word())
		return true;
	if (!library_settle())
		return false;
	qomp_root_move_in();
	return true;
}

/* Idle members are tasks that would never end.  Those of a qthread's regions end with it; if it waits for ever so do they. */
static bool guest_leave(enum qti_end end)
{
	bool stands = qti_guest_word() != NULL;

	if (stands && qomp_frame_now()->parent) {
		if (end == QTI_END_THREAD)
			qomp_left_region();
		if (end == QTI_END_RUNTIME)
			qomp_warn("qthread_finalize in a parallel region does nothing");
		return false;           /* or the process ends: as it is */
	}
	if (end == QTI_END_PROCESS && load_acq(&qomp_outside_teams) != 0)
		return false;
	if (stands)
		qomp_teams_dismiss(qomp_frame_now()->team->root);
	qomp_root_move_out();
	return true;
}

static void guest_gone(void)
{
	qomp_teams_free();
	qomp_roots_free();
	qomp_unbind();
	qomp_set_patience();
}

/* What is set up once is not left half way. */
static void before_fork(void)
{
	qomp_tasks_setup();
	qomp_stores_setup();
	pthread_mutex_lock(&settling);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&settling);
}

/* The child of fork(2) begins with the forking thread's regions around it, and no team. */
static void forget_in_child(void)
{
	starting = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	store_rlx(&qomp_extras, 0);
	qomp_roots_forget();
	qomp_crews_forget();
	qomp_address_forget();
	qomp_teams_forget();
	qomp_set_patience();
}

static bool guest_stop(void)
{
	qomp_address_forget_tasks();
	return !qomp_crews_left();
}

static const struct qti_guest guest = {
	.tasks = "an OpenMP thread or task",
	.started = guest_started, .leave = guest_leave, .stop = guest_stop, .gone = guest_gone,
	.before_fork = before_fork, .after_fork = after_fork, .in_child = forget_in_child,
};

__attribute__((constructor)) static void prepare(void)
{
	qomp_settings_read();
	qti_guest_come(&guest);
}

/* --- for a region ---------------------------------------------------------------------------------------- */

static bool is_main_thread(void)
{
	return syscall(SYS_gettid) == getpid();
}

static unsigned largest(unsigned a, unsigned b, unsigned c)
{
	unsigned n = a > b ? a : b;

	return n > c ? n : c;
}

static bool start_for(unsigned n)
{
	wanted = largest(n, qomp_settings.most_threads, qomp_icv_initial->nthreads);
	if (wanted > QTI_WORKERS_MAX)
		wanted = QTI_WORKERS_MAX;
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
		qomp_settle();
	pthread_mutex_unlock(&starting);
}

/* What counts for the main task alone: qthread_finalize returns at once for others. */
void qomp_stop(void)
{
	if (qti_host_runs() && !qti_host_is_wanted())
		qthread_finalize();
}
