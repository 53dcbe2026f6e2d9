/* test/stress/line.c -- very many tasks stand in line for a few spin locks, on fewer CPUs than there are workers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Now and then a holder gives way while it has the lock: whoever waits must not be run instead of it, again and again,
 * to find that it still has to wait.  QTI_ROUNDS is the number of tasks.
 */
#include "stress/stress.h"

#include <qthread.h>

#include <pthread.h>

enum {
	TASKS = 10000,
	THREADS = 2,
	LOCKS = 3, /* plain, recursive, and registered for an address */
	TURNS = 3, /* that each of them takes at each lock */
	CHECKS = 2,
};

static const struct stress_shape shapes[] = { { 1, 2 }, { 2, 2 }, { 1, 8 } };

enum { NSHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static unsigned tasks;
static qthread_spinlock_t plain = QTHREAD_MUTEX_INITIALIZER, recursive = QTHREAD_RECURSIVE_MUTEX_INITIALIZER;
static aligned_t address;

static struct {
	uint64_t count;         /* not atomic: the lock is all that protects it */
	uint32_t inside, crowded;
} by[LOCKS];

static void take(unsigned which)
{
	if (which == 2)
		qthread_lock(&address);
	else
		qthread_spinlock_lock(which ? &recursive : &plain);
}

static void drop(unsigned which)
{
	if (which == 2)
		qthread_unlock(&address);
	else
		qthread_spinlock_unlock(which ? &recursive : &plain);
}

static void pass(uint64_t *random)
{
	for (unsigned i = 0; i < LOCKS * TURNS; i++) {
		unsigned which = stress_random(random, LOCKS);
		take(which);
		if (add_rlx(&by[which].inside, 1) != 0)
			add_rlx(&by[which].crowded, 1);
		by[which].count++;
		if (stress_random(random, 16) == 0)
			qthread_yield();
		sub_rlx(&by[which].inside, 1);
		drop(which);
	}
}

static aligned_t pass_as_task(void *stream)
{
	uint64_t random = stress_state((uintptr_t)stream);

	pass(&random);
	return 0;
}

static void *pass_as_thread(void *stream)
{
	uint64_t random = stress_state((uintptr_t)stream);

	for (unsigned i = 0; i < tasks / 10 + 1; i++)
		pass(&random);
	return NULL;
}

static void threads_start(pthread_t *thread)
{
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, pass_as_thread, (void *)(i + tasks)) != 0)
			bail_out("pthread_create failed");
}

static void threads_join(pthread_t *thread)
{
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void check(const char *what, unsigned passes)
{
	uint64_t counted = 0, crowded = 0;

	for (unsigned i = 0; i < LOCKS; i++) {
		counted += by[i].count;
		crowded += by[i].crowded;
	}
	memset(by, 0, sizeof(by));
	is_int(crowded, 0, "%s: each lock has one holder", what);
	is_int(counted, (uint64_t)passes * LOCKS * TURNS, "%s: and everybody's turn came", what);
}

static void run(const char *scheduler, struct stress_shape shape, const char *where)
{
	aligned_t *ret = calloc(tasks, sizeof(*ret));
	pthread_t thread[THREADS];
	char what[96];

	if (!ret)
		bail_out("no memory");
	snprintf(what, sizeof(what), "%s %u x %u %s", scheduler, shape.shepherds, shape.workers, where);
	stress_watch(what);
	stress_start(scheduler, shape);
	threads_start(thread);
	for (uintptr_t i = 0; i < tasks; i++)
		qthread_fork(pass_as_task, (void *)i, &ret[i]);
	for (unsigned i = 0; i < tasks; i++)
		qthread_readFF(NULL, &ret[i]);
	threads_join(thread);
	check(what, tasks + THREADS * (tasks / 10 + 1));
	qthread_finalize();
	free(ret);
	stress_round();
}

/* That everybody's turn comes, depends on the scheduler, and nothing that a tool sees does: those run the usual one. */
static bool runs_under(const char *scheduler)
{
	return !(stress_under_valgrind() || QTI_TSAN || QTI_ASAN) || strcmp(scheduler, "mts") == 0;
}

static unsigned nscheds(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < qti_nscheds; i++)
		n += runs_under(qti_scheds[i]->name);
	return n;
}

static void run_all(const char *where)
{
	for (unsigned i = 0; i < qti_nscheds; i++)
		for (unsigned s = 0; s < NSHAPES && runs_under(qti_scheds[i]->name); s++)
			run(qti_scheds[i]->name, shapes[s], where);
}

static void without_a_runtime(void)
{
	pthread_t thread[THREADS];

	stress_watch("no runtime");
	threads_start(thread);
	threads_join(thread);
	check("threads, without a runtime", THREADS * (tasks / 10 + 1));
}

static void stay_on_one_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		bail_out("sched_setaffinity failed");
}

int main(void)
{
	tasks = stress_rounds(TASKS);
	plan(CHECKS * (1 + 2 * nscheds() * NSHAPES));
	stress_say(tasks);
	qthread_lock_init(&address, false);
	without_a_runtime();
	run_all("on all CPUs");
	stay_on_one_cpu();
	run_all("on one CPU");
	qthread_lock_destroy(&address);
	return done();
}
