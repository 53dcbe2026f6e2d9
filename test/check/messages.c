/* test/check/messages.c -- mpi/wait.h: what a task waits for is whole when another worker asks, and comes to it once
 * (MP1).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With an MPI of the unit's own, in which a message has come as soon as somebody asks for it.
 */
#include "check/outside.h"
#include "check/switches.h"

#include "base/mem.h"
#include "core/guest.h"
#include "core/next.h"
#include "core/ready.h"

enum { SPACE = 8192, TASKS = 2, THREADS = 3, ROOM = 64 };

static char space[SPACE] __attribute__((aligned(64)));
static size_t space_used;               /* under the table's lock */

static void *space_get(size_t bytes)
{
	void *p = space + space_used;

	space_used += (bytes + 63) / 64 * 64;
	return space_used <= SPACE ? p : NULL;
}

static bool by_halves, lock_left_out;   /* MP1 */

/* The list of fresh ones, in two steps. */
static void *swap_by_halves(void *at, void *put)
{
	void *was = __atomic_load_n((void **)at, __ATOMIC_ACQUIRE);

	__atomic_store_n((void **)at, put, __ATOMIC_RELEASE);
	return was;
}

static void task_suspend(qti_after publish, void *arg);
static void task_ready(struct qti_task *t);

#define qti_next_local(w) ((void)(w), (struct qti_task *)NULL)
#define qti_suspend_for(next, publish, arg) ((void)(next), task_suspend(publish, arg))
#define qti_ready task_ready

#include "sync/waiter.c"
#include "core/poller.c"

#define wake_task wake_of_mpi
#define poller poller_of_mpi
#define qti_mem_alloc space_get
#define qti_mem_free(p) ((void)(p))
#define qti_guest_absent(begin) ((void)(begin))
#define qti_lock_take(lock) (lock_left_out ? (void)0 : qti_lock_take(lock))
#define qti_lock_drop(lock) (lock_left_out ? (void)0 : qti_lock_drop(lock))
#undef swap_acq
#define swap_acq(p, v) (by_halves ? swap_by_halves((p), (v)) : __atomic_exchange_n((p), (v), __ATOMIC_ACQUIRE))

#include "mpi/ask.c"
#include "mpi/table.c"
#include "mpi/wait.c"

#include <stdlib.h>

static struct qti_worker *worker;               /* THREADS */
static struct qti_task task[THREADS];           /* those that run there */
static struct qmpi_wait handed[TASKS];          /* nobody waits for them */
static unsigned over;                           /* atomic: waits that are */
static unsigned came;

/* --- MPI -------------------------------------------------------------------------------------------------- */

int PMPI_Initialized(int *there)
{
	*there = 1;
	return MPI_SUCCESS;
}

int PMPI_Finalized(int *is_over)
{
	*is_over = 0;
	return MPI_SUCCESS;
}

int PMPI_Query_thread(int *level)
{
	*level = MPI_THREAD_MULTIPLE;
	return MPI_SUCCESS;
}

int PMPI_Error_class(int error, int *class)
{
	*class = error;
	return MPI_SUCCESS;
}

int PMPI_Iprobe(int from, int tag, MPI_Comm comm, int *there, MPI_Status *status)
{
	(void)from, (void)tag, (void)comm, (void)status;
	*there = 1;
	return MPI_SUCCESS;
}

int PMPI_Request_get_status(MPI_Request r, int *is_over, MPI_Status *status)
{
	(void)r, (void)status;
	*is_over = 1;
	return MPI_SUCCESS;
}

int PMPI_Testsome(int n, MPI_Request r[], int *count, int which[], MPI_Status statuses[])
{
	*count = MPI_UNDEFINED;
	for (int i = 0; i < n; i++) {
		if (r[i] == MPI_REQUEST_NULL)
			continue;
		*count = *count == MPI_UNDEFINED ? 0 : *count;
		which[*count] = i;
		statuses[*count].MPI_TAG = r[i];
		statuses[*count].MPI_ERROR = MPI_SUCCESS;
		r[i] = MPI_REQUEST_NULL;
		++*count;
	}
	return MPI_SUCCESS;
}

/* --- tasks ------------------------------------------------------------------------------------------------ */

static void task_suspend(qti_after publish, void *arg)
{
	context_leave(&task[check_thread()], publish, arg);
}

static void task_ready(struct qti_task *t)
{
	context_enter((unsigned)(t - task));
}

static void begin(void)
{
	static const struct qti_sched none = { .name = "none" };

	qti_rt.sched = &none;
	qti_rt.workers = worker;
	qti_rt.nworkers = THREADS;
	for (unsigned i = 0; i < THREADS; i++) {
		worker[i].current = &task[i];
		worker[i].spare = (struct qti_stack *)(void *)&worker[i];       /* there is one */
	}
}

/* There is room for one more, and then the table grows. */
static void begin_nearly_full(void)
{
	begin();
	store_rlx(&table.promised, ROOM - 1);
	(void)qmpi_table_grow();
}

static void begin_by_halves(void)
{
	begin();
	by_halves = true;
}

static void begin_without_lock(void)
{
	begin();
	lock_left_out = true;
}

/* The record is the task's own again when that goes on, and has the answer. */
static void wait_for(unsigned i, bool alone)
{
	struct qmpi_wait w = { .request = 1 + (int)i, .error = -1, .requests = 1 };

	qti_worker_self = &worker[i];
	w.over = alone ? qmpi_wait_is_over_alone : NULL;
	qmpi_wait(&w);
	check_that(alone || (w.request == MPI_REQUEST_NULL && w.error == MPI_SUCCESS && w.status.MPI_TAG == 1 + (int)i),
	           "each gets its own answer");
	check_memset(&w, 0xa5, sizeof(w));
	add_rlx(&over, 1);
}

static void ask_until(unsigned thread, unsigned waits_over)
{
	qti_worker_self = &worker[thread];
	while (load_rlx(&over) < waits_over) {
		qti_poller_ask();
		check_pause();
	}
}

/* One waits, one asks. */
static void run_one(unsigned thread)
{
	if (thread == 0)
		wait_for(0, false);
	else
		ask_until(thread, 1);
}

/* MPI_Testsome is not asked about what the second waits for. */
static void run_two(unsigned thread)
{
	if (thread < TASKS)
		wait_for(thread, thread == 1);
	else
		ask_until(thread, TASKS);
}

#define run_grows run_two

/* One takes it, another one may ask about it. */
static void run_askers(unsigned thread)
{
	run_one(thread);
}

/* A request whose end somebody else is told of: who has begun it has forgotten it. */
static void handed_come(struct qmpi_wait *w)
{
	check_that(w->request == MPI_REQUEST_NULL && w->error == MPI_SUCCESS, "it is complete");
	check_memset(w, 0xa5, sizeof(*w));
	came++;
	add_rlx(&over, 1);
}

static void hand(unsigned i)
{
	qti_worker_self = &worker[i];
	handed[i] = (struct qmpi_wait){ .come = handed_come, .request = 1 + (int)i, .error = -1, .requests = 1 };
	check_that(qmpi_wait_begin(&handed[i]), "there is memory");
}

static void run_handed(unsigned thread)
{
	if (thread < TASKS)
		hand(thread);
	else
		ask_until(thread, TASKS);
}

/* MPI ends beside it. */
static void run_ends(unsigned thread)
{
	qti_worker_self = &worker[thread];
	if (thread == 0)
		hand(0);
	else if (thread == 1)
		qti_poller_ask();
	else
		(void)qmpi_waits_end();
}

static void end(void)
{
	check_that(load_rlx(&over) == TASKS || load_rlx(&over) == 1, "all are over");
	check_that(load_rlx(&qti_rt.idle.awaited) == 0, "nothing is awaited");
	check_that(!waits.fresh && table.n == 0, "nobody is left behind");
	for (unsigned i = 0; i < THREADS; i++)
		check_that(context[i] == 0 && ready[i] == 0, "each goes on, once");
}

/* It has come, or nobody waits for it any more: at the latest when somebody asks again. */
static void end_ends(void)
{
	qti_worker_self = &worker[0];
	qti_poller_ask();
	check_that(came <= 1 && load_rlx(&qti_rt.idle.awaited) == 0, "what has come, or comes too late, is not awaited");
	check_that(!waits.fresh && table.n == 0, "nobody is left behind");
}

static const struct check_spare spare[] = {
	{ "mpi/wait.c", "while (!cas_acq_rel(&waits.fresh, &w->next, w))", "what was there is linked, not looked at" },
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, first, last) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = last, .switches = 3, .stale = 2, .most = 1500 }
#define WITHOUT(what, n, first, step) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = end, .switches = 3, .stale = 2, .most = 1500, \
	  .without = step }

int main(int argc, char **argv)
{
	static const struct check_unit one = UNIT(one, 2, begin, end), two = UNIT(two, 3, begin, end),
		grows = UNIT(grows, 3, begin_nearly_full, end), askers = UNIT(askers, 3, begin, end),
		is_handed = UNIT(handed, 3, begin, end), ends = UNIT(ends, 3, begin, end_ends),
		halves = WITHOUT(handed, 3, begin_by_halves, "one step that takes the list as a whole (MP1)"),
		no_lock = WITHOUT(two, 3, begin_without_lock, "the lock of the table (MP1)");
	static const struct check_unit *const units[] = { &one, &two, &grows, &askers, &is_handed, &ends, &halves, &no_lock };
	static const char *const of[] = { "mpi/wait.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	store_rlx(&qti_poll_rate, 0);
	worker = aligned_alloc(QTI_CACHE_LINE, THREADS * sizeof(*worker));
	if (!worker)
		return 2;
	memset(worker, 0, THREADS * sizeof(*worker));
	qti_poller_come(&poller_of_mpi);
	check_local(&qti_worker_self, sizeof(qti_worker_self));
	check_local(&asks, sizeof(asks));
	return check_run(&program, argc, argv);
}
