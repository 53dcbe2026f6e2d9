/* api/runtime.c -- starting and stopping: the stages in one order, and in its reverse.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/locales.h"
#include "api/overrun.h"
#include "api/stats.h"
#include "api/stuck.h"
#include "api/team.h"
#include "base/diag.h"
#include "base/forked.h"
#include "base/mem.h"
#include "base/race.h"
#include "base/tuning.h"
#include "core/binding.h"
#include "core/deal.h"
#include "core/duty.h"
#include "core/guest.h"
#include "core/idle.h"
#include "core/loop.h"
#include "core/poller.h"
#include "core/proxy.h"
#include "core/specific.h"
#include "core/tracelog.h"
#include "io/absent.h"
#include "io/proxies.h"
#include "io/sleepers.h"
#include "io/thread.h"
#include "machine/cxx.h"
#include "machine/fiber.h"
#include "machine/handler.h"
#include "machine/thread.h"
#include "sync/barrier.h"
#include "sync/feb.h"
#include "sync/febtable.h"
#include "sync/line.h"
#include "sync/queue.h"
#include "sync/syncvar.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

/* --- settings and shape ---------------------------------------------------------------------------------- */

static const struct qti_sched *choose_scheduler(const char *name)
{
	const struct qti_sched *s = name ? qti_sched_find(name) : NULL, *like = name ? qti_sched_like(name) : NULL;
	char known[128] = "";

	if (s)
		return s;
	s = like ? like : qti_sched_find(QTI_DEFAULT_SCHEDULER);
	if (!name)
		return s;
	for (unsigned i = 0; i < qti_nscheds; i++) {
		strncat(known, i ? " " : "", sizeof(known) - strlen(known) - 1);
		strncat(known, qti_scheds[i]->name, sizeof(known) - strlen(known) - 1);
	}
	qti_env_complain(QTI_SET_SCHEDULER, like ? "a scheduler of Qthreads" : "no such scheduler", known, s->name);
	return s;
}

static void (*adjust)(struct qti_env *env);     /* of who starts it now; NULL: nothing to add to the environment */

static int shape_up(void)
{
	qti_env_read(&qti_rt.env);
	if (adjust)
		adjust(&qti_rt.env);
	if (!qti_env_given(QTI_SET_STACK_SIZE) && qti_rt.env.stack_size < qti_poller_stack_size())
		qti_rt.env.stack_size = qti_poller_stack_size();
	qti_rt.sched = choose_scheduler(qti_rt.env.scheduler);
	if (qti_shape_make(&qti_rt.shape, &qti_rt.env, qti_rt.sched->boundary) != 0)
		return QTHREAD_MALLOC_ERROR;
	qti_rt.nworkers = qti_rt.shape.nworkers;
	qti_rt.nshepherds = qti_rt.shape.nshepherds;
	qti_fence_setup_for(qti_rt.nworkers);
	qti_rt.oversubscribed = qti_rt.shape.oversubscribed;
	qti_rt.spin_ns = qti_rt.oversubscribed ? 0 : UINT64_C(1000) * qti_rt.env.spin_us;
	store_rlx(&qti_patience, TUNE_THREAD_PATIENCE * qti_rt.spin_ns);
	store_rlx(&qti_rt.inline_join, qti_rt.env.inline_join && !qti_races());
	store_rlx(&qti_rt.task_constraint, qti_rt.env.task_constraint);
	return QTHREAD_SUCCESS;
}

static void shape_down(void)
{
	qti_shape_free(&qti_rt.shape);
}

/* --- memory ---------------------------------------------------------------------------------------------- */

enum { TASK_BATCH = 64, TASK_COMMIT = 32 << 10, TASK_SLAB_FIRST = 64 << 10, TASK_SLAB_MAX = 4 << 20, ARG_BATCH = 16 };

static size_t capped_slab(size_t slab)
{
	return slab < qti_rt.env.max_pool_alloc ? slab : qti_rt.env.max_pool_alloc;
}

/* A task's second part, with a record that has room for the task-local data and, at least, a two-word argument. */
static size_t more_bytes(void)
{
	return qti_mem_round(QTI_TASK_RECORD + qti_rt.local_bytes + 2 * sizeof(void *), QTI_CACHE_LINE);
}

static void on_carve(struct qti_pool *pool, void *task, void *more)
{
	(void)pool;
	qti_task_set_more(task, more);
}

static unsigned dropped;        /* tasks that waited when the runtime ended */

static int memory_up(void)
{
	size_t local = qti_rt.env.tasklocal_size;

	dropped = 0;
	qti_rt.local_bytes = (unsigned)qti_mem_round(local, sizeof(void *));
	qti_rt.arg_room = (unsigned)(more_bytes() - QTI_TASK_RECORD) - qti_rt.local_bytes;
	qti_pool_init(&qti_rt.tasks, &(struct qti_pool_config){
		.size = sizeof(struct qti_task), .apart = more_bytes(), .batch = TASK_BATCH, .commit = TASK_COMMIT,
		.first_slab = capped_slab(TASK_SLAB_FIRST), .max_slab = capped_slab(TASK_SLAB_MAX),
		.on_carve = on_carve });
	qti_pool_init(&qti_rt.args, &(struct qti_pool_config){
		.size = qti_mem_round(qti_rt.env.argcopy_size + 1, QTI_CACHE_LINE), .batch = ARG_BATCH,
		.first_slab = capped_slab(TASK_SLAB_FIRST), .max_slab = capped_slab(TASK_SLAB_MAX) });
	qti_teams_init();
	return qti_feb_init();
}

/* Tasks that wait for ever are not resumed, but what they own on the heap is freed. */
static void release_if_live(void *record, void *unused)
{
	struct qti_task *t = record;

	(void)unused;
	dropped += qti_task_is(t, QTI_TASK_LIVE) && t != qti_rt.main_task;
	t->flags &= ~(uint32_t)QTI_TASK_ARG_POOL;       /* the pool goes as a whole */
	if (qti_task_is(t, QTI_TASK_LIVE))
		qti_task_release(t, NULL);
}

static void memory_down(void)
{
	qti_pool_each(&qti_rt.tasks, release_if_live, NULL);
	qti_pool_fini(&qti_rt.tasks);
	qti_pool_fini(&qti_rt.args);
	qti_teams_fini();
	qti_barriers_fini();
	qti_feb_fini();
}

/* --- shepherds and workers ------------------------------------------------------------------------------- */

static void *zeroed_lines(size_t n, size_t size)
{
	void *p = qti_mem_aligned(QTI_CACHE_LINE, n * size);

	return p ? memset(p, 0, n * size) : NULL;
}

static void set_up_worker(struct qti_worker *w, struct qti_shepherd *s, unsigned id, unsigned local)
{
	w->shepherd = s;
	w->id = id;
	w->local = local;
	w->pu = qti_shape_pu(&qti_rt.shape, s->id, local);
	w->place = qti_shape_place(&qti_rt.shape, s->id, local);
	w->hands = id == 0 ? QTI_HANDS_FULL : QTI_HANDS_EMPTY;
	qti_tracer_close(&w->tracer);
}

static int workers_up(void)
{
	unsigned id = 0;

	qti_rt.shepherds = zeroed_lines(qti_rt.nshepherds, sizeof(struct qti_shepherd));
	qti_rt.workers = zeroed_lines(qti_rt.nworkers, sizeof(struct qti_worker));
	if (!qti_rt.shepherds || !qti_rt.workers)
		return QTHREAD_MALLOC_ERROR;
	for (unsigned i = 0; i < qti_rt.nshepherds; i++) {
		struct qti_shepherd *s = &qti_rt.shepherds[i];
		s->id = i;
		s->workers = &qti_rt.workers[id];
		s->nworkers = qti_rt.shape.workers[i];
		s->nearest = qti_shape_nearest(&qti_rt.shape, i);
		qti_stacks_init(&s->stacks, qti_rt.env.stack_size, qti_rt.env.guard_pages);
		s->stacks.setting = qti_rt.env.stack_setting;
		for (unsigned local = 0; local < s->nworkers; local++, id++)
			set_up_worker(&qti_rt.workers[id], s, id, local);
	}
	qti_duty_init();
	qti_deal_init();
	return QTHREAD_SUCCESS;
}

static void workers_down(void)
{
	for (unsigned i = 0; qti_rt.shepherds && i < qti_rt.nshepherds; i++)
		qti_stacks_fini(&qti_rt.shepherds[i].stacks);
	qti_duty_over();
	qti_mem_free(qti_rt.workers);
	qti_mem_free(qti_rt.shepherds);
	qti_rt.workers = NULL;
	qti_rt.shepherds = NULL;
}

/* --- the scheduler --------------------------------------------------------------------------------------- */

/* What the user has set for thieves, under a policy that has its own way. */
static void complain_of_thieves_settings(void)
{
	static const enum qti_setting thieves[] = { QTI_SET_STEAL, QTI_SET_STEAL_CHUNK, QTI_SET_VICTIM };
	char wrong[48], instead[48];

	snprintf(wrong, sizeof(wrong), "means nothing under %s", qti_rt.sched->name);
	snprintf(instead, sizeof(instead), "%s without it", qti_rt.sched->name);
	for (unsigned i = 0; i < sizeof(thieves) / sizeof(thieves[0]); i++)
		if (qti_env_good(thieves[i]))
			qti_env_complain(thieves[i], wrong, "under cq, ws and mts", instead);
}

static int sched_up(void)
{
	if (!qti_rt.sched->thieves_are_told)
		complain_of_thieves_settings();
	return qti_rt.sched->init();
}

static void sched_down(void)
{
	if (qti_rt.workers)
		qti_rt.sched->fini();
}

/* --- sleeping and blocking calls ------------------------------------------------------------------------- */

static bool left_behind;        /* threads that stand on tasks' stacks, which must stay */

static int io_up(void)
{
	left_behind = false;
	qti_thread_setup();
	qti_absent_reset();
	qti_proxies_up();
	qti_sleepers_up();
	return QTHREAD_SUCCESS;
}

static void io_down(void)
{
	qti_sleepers_down();
	left_behind |= !qti_proxies_down();
}

/* --- the main task's thread leaves ----------------------------------------------------------------------- */

/* By pthread_exit, or by being cancelled: the process lives on for its other threads and ends with the last of them, so
 * the runtime ends, as at exit.  What other tasks get is the unwinder's business (machine/cxx.c). */
static pthread_key_t leaving;
static bool leaving_is_noticed;

static void runtime_finalize(enum qti_end end);

static bool process_ends;       /* exit(3) has called us; relaxed */

static bool after_never(struct qti_task *t, void *unused)
{
	(void)t, (void)unused;
	return true;
}

/* Of a process that ends, nobody needs the rest of the task.  Its thread goes on with others, for exit(3) waits until
 * none is ready. */
static void task_stops(void) __attribute__((noreturn));
static void task_stops(void)
{
	struct qti_worker *w = qti_self();

	if (w && qti_suspend_prepare(w) == QTHREAD_SUCCESS)
		qti_suspend(after_never, NULL);
	for (;;)
		pause();
}

/* The running task has called pthread_exit, or its thread is cancelled.  Returns if that ends the process. */
static void task_ends_thread(void)
{
	const struct qti_guest *guest = qti_guest_here();
	const struct qti_task *t = qti_current();
	bool may_stay = guest && guest->lost && t && qti_task_is(t, QTI_TASK_GUEST);

	while (!load_rlx(&process_ends) && may_stay)
		may_stay = guest->lost(t);
	if (load_rlx(&process_ends))
		task_stops();
}

static void leave_thread(void *unused)
{
	struct qti_worker *w = qti_self();

	(void)unused;
	if (w && w->current == qti_rt.main_task)
		runtime_finalize(QTI_END_THREAD);
}

static void make_leaving(void)
{
	leaving_is_noticed = pthread_key_create(&leaving, leave_thread) == 0;
}

static void notice_leaving(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_leaving);
	if (leaving_is_noticed)
		(void)pthread_setspecific(leaving, &leaving);
}

/* --- the main task: the caller becomes worker 0 ---------------------------------------------------------- */

static int main_up(void)
{
	struct qti_worker *w = &qti_rt.workers[0];
	struct qti_task *t = qti_pool_get(&qti_rt.tasks, &w->tasks);

	if (!t || qti_suspend_prepare(w) != QTHREAD_SUCCESS || qti_altstack_begin(&w->altstack) != 0)
		return QTHREAD_MALLOC_ERROR;
	*t = (struct qti_task){ .flags = QTI_TASK_LIVE | QTI_TASK_STARTED | QTI_TASK_BOUND, .more = t->more };
	qti_rt.main_task = t;
	qti_specific_main();
	qti_stack_of_thread(&w->os_stack);
	if (w->os_stack.promised < w->shepherd->stacks.promised)
		w->os_stack.promised = w->shepherd->stacks.promised;
	qti_fiber_adopt(&w->os_stack);
	w->stack = &w->os_stack;
	w->current = t;
	w->thread = pthread_self();
	w->cxx = qti_cxx_of_thread();
	qti_guard_install(qti_overrun_explain);
	qti_cxx_ends_thread = task_ends_thread;
	notice_leaving();
	return QTHREAD_SUCCESS;
}

static void main_down(void)
{
	qti_guard_uninstall();
	if (qti_rt.workers)
		qti_altstack_end(&qti_rt.workers[0].altstack);
}

/* --- the other workers' threads -------------------------------------------------------------------------- */

static unsigned nthreads;       /* workers 1 to nthreads have one */

static void *worker_thread(void *arg)
{
	struct qti_worker *w = arg;

	(void)qti_altstack_begin(&w->altstack);         /* without one an overrun ends in a plain SIGSEGV */
	qti_self_set(w);
	store_rlx(&w->tid, (pid_t)syscall(SYS_gettid));
	w->cxx = qti_cxx_of_thread();
	qti_stack_of_thread(&w->os_stack);
	qti_fiber_adopt(&w->os_stack);
	w->stack = &w->os_stack;
	qti_worker_run(w);
	qti_altstack_end(&w->altstack);
	qti_guest_word_set(NULL);       /* its last task's: destructors of the thread may still ask */
	qti_self_set(NULL);
	return NULL;
}

/* Everything that the thread needs is made here, where failing is still possible. */
static int start_thread(struct qti_worker *w)
{
	if (qti_suspend_prepare(w) != QTHREAD_SUCCESS)
		return QTHREAD_MALLOC_ERROR;
	int error = qti_thread_create(&w->thread, 0, worker_thread, w);
	if (!error) {
		qti_binding_bind_thread(w);
		return QTHREAD_SUCCESS;
	}
	qti_warn("cannot start worker %u of %u (%s), so none starts; QT_HWPAR asks for fewer", w->id + 1,
		qti_rt.nworkers, strerror(error));
	return QTHREAD_THIRD_PARTY_ERROR;
}

static int threads_up(void)
{
	int rc = QTHREAD_SUCCESS;

	nthreads = 0;
	qti_binding_begin();
	while (rc == QTHREAD_SUCCESS && nthreads + 1 < qti_rt.nworkers) {
		rc = start_thread(&qti_rt.workers[nthreads + 1]);
		if (rc == QTHREAD_SUCCESS)
			nthreads++;
	}
	if (rc != QTHREAD_SUCCESS)
		return rc;
	qti_binding_bind_self(&qti_rt.workers[0]);
	qti_self_set(&qti_rt.workers[0]);
	return QTHREAD_SUCCESS;
}

static bool at_exit;            /* QTI_END_PROCESS: threads that wait had better not go on */

/* Nobody outside, who may wake what waits there at any time, gets hold of a task any more (GA3 of core/gate.h).
 * Threads that wait go on where there will be nobody to wake them. */
static void forget_tasks(void)
{
	if (!at_exit) {
		qti_feb_give_up();
		qti_barriers_give_up();
	}
	qti_syncvar_fini();
	qti_lines_forget_tasks();
	qti_queues_forget_tasks();
	if (qti_guest_here() && !qti_guest_here()->stop())
		left_behind = true;
	qti_gate_narrow(QTI_GATE_CLOSED);
}

static void thread_end(const struct qti_worker *w)
{
	if (!at_exit)
		pthread_join(w->thread, NULL);
	else if (!qti_thread_join(w->thread, load_rlx(&w->tid)))
		left_behind = true;     /* it waits for the process to end */
}

static void threads_down(void)
{
	if (!qti_rt.workers)
		return;
	if (qti_self())
		qti_binding_undo();     /* while there are other workers to ask */
	qti_idle_stop();
	for (unsigned i = 1; i <= nthreads && !left_behind; i++)
		thread_end(&qti_rt.workers[i]);
	if (!left_behind)
		forget_tasks();
	qti_self_set(NULL);
}

static int guest_up(void)
{
	const struct qti_guest *guest = qti_guest_here();

	return !guest || guest->started() ? QTHREAD_SUCCESS : QTHREAD_MALLOC_ERROR;
}

/* --- the order ------------------------------------------------------------------------------------------- */

/* A stage's down also clears up after an up that failed half way. */
static const struct {
	int (*up)(void);
	void (*down)(void);
} stages[] = {
	{ shape_up, shape_down }, { memory_up, memory_down }, { workers_up, workers_down },
	{ sched_up, sched_down }, { io_up, io_down },         { main_up, main_down },
	{ qti_stuck_up, qti_stuck_down }, { threads_up, threads_down },
	{ guest_up, NULL },
};
enum { NSTAGES = sizeof(stages) / sizeof(stages[0]) };

static void go_down(unsigned from)
{
	for (unsigned i = from; i-- > 0 && !left_behind;)
		if (stages[i].down)
			stages[i].down();
}

/* --- the end --------------------------------------------------------------------------------------------- */

/* Ready tasks run before the workers end: the main task waits until everybody is asleep.  False if there is no memory
 * for one more stack: what is queued cannot run. */
static bool run_what_is_ready(void)
{
	if (qti_suspend_prepare(&qti_rt.workers[0]) != QTHREAD_SUCCESS)
		return false;
	qti_suspend(qti_after_drain, NULL);
	return true;
}

void qti_guest_absent(bool begin)
{
	if (begin)
		qti_absent_add();
	else
		qti_absent_remove();
}

/* Tasks that sleep or are in a blocking call will be ready again, too, if one waits. */
static void runtime_drain(bool wait)
{
	uint64_t before, after;

	do {
		while (!qti_absent_none(&before) && wait)
			if (qti_absent_wait() != QTHREAD_SUCCESS)
				return;
		qti_let_yielders_on();
		if (!run_what_is_ready())
			return;
		qti_absent_none(&after);
	} while (after != before && wait);
}

/* All is left as it is, but what can be said without waiting is said.  So where the main task is in the handler of a
 * signal, and calls exit(3) there or qthread_finalize, for what has been interrupted may be in the midst of anything.
 * And at exit(3) where a guest alone has started the runtime: nobody has forked a task that is to run yet, and a thread
 * of its regions may be in the handler of a signal that calls exit(3), too, which glibc keeps waiting from 2.41 on. */
static void leave_as_it_is(enum qti_end end)
{
	if (end != QTI_END_PROCESS || !qti_rt.env.stats || ftrylockfile(stderr) != 0)
		return;
	qti_stats_print();
	funlockfile(stderr);
}

/* exit(3) with a guest's threads in tasks: what is ready runs, and all is left as it is.  The thread that such a task
 * stands on may be in the handler of a signal that calls exit(3), so nobody waits for it to leave. */
static void exit_beside_guest(void)
{
	qti_specific_end();
	if (!load_acq(&qti_running))
		return;         /* a destructor has ended it */
	store_rlx(&qti_rt.idle.exiting, true);
	qti_gate_narrow(QTI_GATE_ENDING);
	runtime_drain(false);
	store_rlx(&qti_rt.idle.exiting, false);
	qti_gate_narrow(QTI_GATE_OPEN);         /* for what other handlers of atexit(3) do */
	qti_tracelog_finish();
	leave_as_it_is(QTI_END_PROCESS);
}

static void runtime_finalize(enum qti_end end)
{
	const struct qti_guest *guest = qti_guest_here();
	struct qti_worker *w = qti_self();
	bool wait = end == QTI_END_RUNTIME;

	if (!load_acq(&qti_running) || !w || w->current != qti_rt.main_task)
		return;
	if (qti_in_handler()) {
		leave_as_it_is(end);
		return;
	}
	qti_locales_leave();
	bool told = guest && guest->told && guest->told();
	if (end == QTI_END_PROCESS && !qti_rt.wanted && !qti_mem_watched() && !told) {
		qti_tracelog_finish();
		leave_as_it_is(end);
		return;
	}
	if (end == QTI_END_PROCESS && guest && guest->stays() && !qti_mem_watched() && !told) {
		exit_beside_guest();
		return;
	}
	if (guest && !guest->leave(end))
		return;
	qti_specific_end();
	if (!load_acq(&qti_running))
		return;         /* a destructor has done it */
	if (guest)
		guest->leave(QTI_END_RUNTIME);          /* a destructor may have called it */
	pthread_mutex_lock(&starting);
	at_exit = end == QTI_END_PROCESS;
	store_rlx(&qti_rt.idle.exiting, at_exit);
	qti_gate_narrow(QTI_GATE_ENDING);       /* what has been forked until now is there to be run */
	do
		runtime_drain(end != QTI_END_PROCESS);
	while (wait && qti_teams_await());
	qti_race_acquire(&qti_rt);      /* what all tasks have done */
	qti_tracelog_finish();
	if (qti_rt.env.stats)
		qti_stats_print();
	store_rel(&qti_running, false);
	qti_gate_narrow(QTI_GATE_CLOSED);
	qti_duty_over();        /* nobody enables or disables a worker any more */
	go_down(NSTAGES);
	if (wait && dropped > 0 && qti_rt.env.info)
		qti_warn("qthread_finalize: %u task(s) still waited and will never go on", dropped);
	if (guest && !left_behind)
		guest->gone();
	if (!at_exit)
		fflush(stdout);         /* exit(3) does that itself, and waits for no thread that has it locked */
	pthread_mutex_unlock(&starting);
}

void qthread_finalize(void)
{
	runtime_finalize(QTI_END_RUNTIME);
}

static void finalize_at_exit(void)
{
	store_rlx(&process_ends, true);
	runtime_finalize(QTI_END_PROCESS);
}

/* --- the beginning --------------------------------------------------------------------------------------- */

static void print_info(void)
{
	char nodes[64] = "no NUMA information, taken as 1 node";

	if (qti_rt.shape.numa_known)
		snprintf(nodes, sizeof(nodes), "%u NUMA node%s", qti_rt.shape.nnodes,
			qti_rt.shape.nnodes == 1 ? "" : "s");
	fprintf(stderr, "libqthread %s: scheduler %s, %u shepherd%s, %u worker%s%s%s, %s, stack %zu bytes, guard %s\n",
	        QTHREAD_LIBRARY_VERSION, qti_rt.sched->name, qti_rt.nshepherds, qti_rt.nshepherds == 1 ? "" : "s",
	        qti_rt.nworkers, qti_rt.nworkers == 1 ? "" : "s",
	        qti_rt.shape.bound ? ", bound" : "", qti_rt.oversubscribed ? ", oversubscribed" : "", nodes,
	        qti_rt.shepherds[0].stacks.promised, qti_guard_name(qti_rt.shepherds[0].stacks.guard));
}

static __thread bool bound_at_fork;

/* The parent's other threads tell whether the mask is of this library's making. */
static void look_before_fork(void)
{
	bound_at_fork = false;
	if (!load_acq(&qti_running) || !qti_rt.shape.bound || !qti_call_in())
		return;
	bound_at_fork = qti_binding_here();
	qti_call_out();
}

/* A child of fork(2) has the calling thread and no other: for it the runtime is down, and may be started afresh.  What
 * the parent's holds is not given back: the thread may stand on one of its stacks. */
static void forget_in_child(void)
{
	bool was_up = load_acq(&qti_running);

	starting = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;  /* another thread may hold it: in qthread_finalize */
	store_rel(&qti_running, false);
	store_rel(&qti_gate, QTI_GATE_CLOSED);
	qti_duty_over();
	qti_self_set(NULL);
	qti_proxy_forget();
	qti_stuck_forget();
	qti_syncvar_forget();
	qti_lines_forget();
	qti_feb_forget();
	qti_barriers_forget();
	qti_teams_forget();
	qti_pool_forget(&qti_rt.tasks);
	qti_pool_forget(&qti_rt.args);
	if (was_up && bound_at_fork)
		qti_affinity_restore(&qti_rt.cpus);
}

QTI_FORKED(QTI_FORKED_RUNTIME, look_before_fork, NULL, forget_in_child)

/* The C library has its list locked meanwhile, and exit(3) in a handler that came between
 * would wait for it for ever. */
static bool call_at_exit(void)
{
	sigset_t all, callers;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &callers);
	bool known = atexit(finalize_at_exit) == 0;
	pthread_sigmask(SIG_SETMASK, &callers, NULL);
	return known;
}

static void begin_trace(void)
{
	const char *file = qti_rt.env.trace;
	char wrong[128];

	if (!file || qti_tracelog_start(file) == QTHREAD_SUCCESS)
		return;
	snprintf(wrong, sizeof(wrong), "cannot make that file (%s)", strerror(errno));
	qti_env_complain(QTI_SET_TRACE, wrong, "a name where one may be made", "none");
}

static int runtime_start(void)
{
	static bool registered;

	memset(&qti_rt, 0, sizeof(qti_rt));
	qti_rt.next_id = 1;
	qti_poll_calibrate();
	qti_handler_prepare();
	for (unsigned i = 0; i < NSTAGES; i++) {
		int rc = stages[i].up();
		if (rc != QTHREAD_SUCCESS) {
			go_down(i + 1);
			return rc;
		}
	}
	if (!registered)
		registered = call_at_exit();
	if (qti_rt.env.info)
		print_info();
	begin_trace();
	store_rel(&qti_running, true);
	store_rel(&qti_gate, QTI_GATE_OPEN);
	return QTHREAD_SUCCESS;
}

static int start_once(void (*with)(struct qti_env *env))
{
	int rc = QTHREAD_SUCCESS;

	pthread_mutex_lock(&starting);
	if (!load_acq(&qti_running)) {
		adjust = with;
		rc = runtime_start();
	}
	pthread_mutex_unlock(&starting);
	return rc;
}

int qthread_initialize(void)
{
	int rc = load_acq(&qti_running) ? QTHREAD_SUCCESS : start_once(NULL);

	if (rc == QTHREAD_SUCCESS)
		store_rlx(&qti_rt.wanted, true);
	return rc;
}

int qti_guest_start(void (*with)(struct qti_env *env))
{
	return start_once(with);
}

int qthread_init(qthread_shepherd_id_t nshepherds)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", (unsigned)nshepherds);
	if (setenv("QT_NUM_SHEPHERDS", number, 1) != 0 || setenv("QT_NUM_WORKERS_PER_SHEPHERD", "1", 1) != 0)
		return QTHREAD_MALLOC_ERROR;
	return qthread_initialize();
}
