/* test/api/asks.c -- calls that ask answer in the handler of a signal, and take no memory for that.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of signals for each thread and scheduler (default 100); QTI_SEED repeats their moments.
 */
#include "every.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 100, SHEPHERDS = 2, WORKERS = 2, TASKS = 20, MOMENT = 3000 };

static unsigned seed;
static int answered, wrong, over;       /* atomic */
static bool outside_is_down;            /* what a thread that is no worker expects */

static unsigned next_random(unsigned below)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 8) % below;
}

static int load(const int *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

/* --- asking ---------------------------------------------------------------------------------------------- */

/* The caller. */
static bool asks_who(void)
{
	qthread_shepherd_id_t s = 0;
	const unsigned id = qthread_id();
	char *const here = (char *)&s, *const top = qthread_tos(), *const bottom = qthread_bos();

	(void)qthread_retloc();
	(void)qthread_size_tasklocal();
	(void)qt_team_id();
	(void)qt_team_parent_id();
	return qthread_id() == id && qthread_worker(&s) == qthread_worker(NULL) && s == qthread_shep() &&
		(qthread_worker_unique(NULL) == NO_WORKER) == (s == NO_SHEPHERD) &&
		(qthread_worker_local(NULL) == NO_WORKER) == (s == NO_SHEPHERD) &&
		(!top || here < top || here > bottom || qthread_stackleft() <= (size_t)(bottom - top));
}

/* Counts. */
static bool asks_counts(size_t workers, size_t shepherds)
{
	return qthread_num_workers() == workers && qthread_num_shepherds() == shepherds &&
		qthread_readstate(ACTIVE_WORKERS) == workers && qthread_readstate(TOTAL_WORKERS) == workers &&
		qthread_readstate(ACTIVE_SHEPHERDS) == shepherds && qthread_readstate(TOTAL_SHEPHERDS) == shepherds &&
		(qthread_readstate(STACK_SIZE) > 0) == (workers > 0) && qthread_readstate(RUNTIME_DATA_SIZE) > 0;
}

static bool asks_place(size_t shepherds)
{
	qthread_shepherd_id_t next = 0, previous = 0;
	const size_t here = qthread_readstate(CURRENT_SHEPHERD);

	qthread_shep_next(&next);
	qthread_shep_next_local(&next);
	qthread_shep_prev(&previous);
	qthread_shep_prev_local(&previous);
	(void)qthread_shep_ok();
	(void)qthread_sorted_sheps();
	(void)qthread_readstate(BUSYNESS);
	(void)qthread_readstate(CURRENT_TEAM);
	(void)qthread_readstate(PARENT_TEAM);
	return (shepherds == 0 || (next < shepherds && previous < shepherds)) && (here == 0 || here == qthread_shep()) &&
		qthread_readstate(CURRENT_UNIQUE_WORKER) + 1 <= WORKERS * SHEPHERDS + (size_t)NO_WORKER;
}

static bool asks_all(bool up)
{
	const size_t shepherds = up ? SHEPHERDS : 0;

	return asks_who() && asks_counts(shepherds * WORKERS, shepherds) && asks_place(shepherds);
}

/* Memory that is asked for meanwhile. */
static __thread bool asks;

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern void *__libc_malloc(size_t size);
extern void *__libc_memalign(size_t align, size_t size);

static void count(void)
{
	if (asks)
		__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
}

void *malloc(size_t size)
{
	count();
	return __libc_malloc(size);
}

int posix_memalign(void **p, size_t align, size_t size)
{
	count();
	*p = __libc_memalign(align, size);
	return *p ? 0 : ENOMEM;
}
#endif

static void handler(int unused)
{
	const int before = errno;

	(void)unused;
	asks = true;
	errno = 0;
	if (!asks_all(!outside_is_down) || errno != 0)
		__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
	asks = false;
	errno = before;
	__atomic_add_fetch(&answered, 1, __ATOMIC_RELEASE);
}

/* At a random moment; returns when the handler has. */
static void interrupt(pthread_t thread)
{
	const int before = load(&answered);

	for (volatile unsigned i = next_random(MOMENT); i > 0; i--)
		continue;
	if (pthread_kill(thread, SIGUSR1) != 0)
		bail_out("pthread_kill failed");
	while (load(&answered) == before)
		sched_yield();
}

/* --- workers --------------------------------------------------------------------------------------------- */

static int come;                                        /* atomic */
static pthread_t threads[SHEPHERDS * WORKERS];
static int rounds;

/* One on each worker at the same time. */
static aligned_t comes(void *unused)
{
	(void)unused;
	threads[__atomic_fetch_add(&come, 1, __ATOMIC_ACQ_REL)] = pthread_self();
	while (load(&come) < SHEPHERDS * WORKERS)
		sched_yield();
	return 0;
}

static void find_workers(void)
{
	aligned_t ret[SHEPHERDS * WORKERS];

	come = 0;
	for (int i = 1; i < SHEPHERDS * WORKERS; i++)
		qthread_fork_to(comes, NULL, &ret[i], (qthread_shepherd_id_t)(i / WORKERS));
	comes(NULL);
	for (int i = 1; i < SHEPHERDS * WORKERS; i++)
		qthread_readFF(NULL, &ret[i]);
}

static void *interrupts_workers(void *unused)
{
	for (int i = 0; i < rounds; i++)
		interrupt(threads[next_random(SHEPHERDS * WORKERS)]);
	__atomic_store_n(&over, 1, __ATOMIC_RELEASE);
	return unused;
}

static aligned_t word;

static aligned_t waits(void *arg)
{
	qthread_yield();
	free(malloc(1 + (size_t)arg * 100));
	(void)qthread_get_tasklocal((unsigned)(uintptr_t)arg * 16);
	qthread_readFE(NULL, &word);
	qthread_fill(&word);
	return 0;
}

static void work(void)
{
	aligned_t ret[TASKS];

	qthread_fill(&word);
	for (uintptr_t i = 0; i < TASKS; i++)
		qthread_fork(waits, (void *)i, &ret[i]);
	for (int i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ret[i]);
}

static void workers_answer(const char *scheduler)
{
	pthread_t thread;

	over = 0;
	find_workers();
	if (pthread_create(&thread, NULL, interrupts_workers, NULL) != 0)
		bail_out("pthread_create failed");
	while (!load(&over))
		work();
	pthread_join(thread, NULL);
	is_int(wrong, 0, "%s: workers answer, whatever they do", scheduler);
}

/* --- others ---------------------------------------------------------------------------------------------- */

static int begun;                                       /* atomic */

static void *allocates(void *unused)
{
	__atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
	while (!load(&over))
		free(malloc(1000));
	return unused;
}

static void stranger_is_asked(void)
{
	pthread_t thread;

	begun = over = 0;
	if (pthread_create(&thread, NULL, allocates, NULL) != 0)
		bail_out("pthread_create failed");
	while (!load(&begun))
		sched_yield();
	for (int i = 0; i < 10; i++)
		interrupt(thread);
	__atomic_store_n(&over, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
}

static void strangers_answer(const char *when)
{
	wrong = 0;
	for (int i = 0; i < rounds / 10 + 1; i++)
		stranger_is_asked();
	is_int(wrong, 0, "%s: threads answer that the library has not seen", when);
}

static void seed_set(void)
{
	const char *given = getenv("QTI_SEED");

	seed = given ? (unsigned)strtoul(given, NULL, 0) : (unsigned)time(NULL) ^ (unsigned)getpid() << 16;
	diag("QTI_SEED=%u", seed);
}

int main(void)
{
	rounds = getenv("QTI_ROUNDS") ? atoi(getenv("QTI_ROUNDS")) : every_is_slow() ? ROUNDS / 10 : ROUNDS;
	plan(2 * EVERY_SCHEDULERS + 2);
	seed_set();
	sigaction(SIGUSR1, &(struct sigaction){ .sa_handler = handler, .sa_flags = SA_RESTART }, NULL);
	outside_is_down = true;
	strangers_answer("before the runtime starts");
	for (int s = 0; s < EVERY_SCHEDULERS; s++) {
		every_start(every_scheduler[s], "2", "2");
		outside_is_down = false;
		wrong = 0;
		workers_answer(every_scheduler[s]);
		strangers_answer(every_scheduler[s]);
		outside_is_down = true;
		qthread_finalize();
	}
	strangers_answer("after it has ended");
	return done();
}
