/* test/unit/visitor_cpus.c -- threads that are no workers do not stand in the way of the workers, nor these in theirs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "../api/waiting.h"
#include "process.h"

enum { ROUNDS = 20, CHECKS_PER_RUN = 5, ONCE_CHECKS = 1 };

static cpu_set_t of_process;

static cpu_set_t only(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return one;
}

static cpu_set_t own_cpus(void)
{
	cpu_set_t now;

	sched_getaffinity(0, sizeof(now), &now);
	return now;
}

static void bind_to(int cpu)
{
	cpu_set_t one = only(cpu);

	sched_setaffinity(0, sizeof(one), &one);
}

static aligned_t where(void *unused)
{
	(void)unused;
	return (aligned_t)sched_getcpu();
}

static aligned_t cpu_of_task(void)
{
	aligned_t cpu = 0;

	qthread_fork(where, NULL, &cpu);
	qthread_readFF(NULL, &cpu);
	return cpu;
}

/* All workers, that of the main task, too, which waits for this thread. */
static void until_all_sleep(void)
{
	while (workers_asleep() != qti_rt.nworkers)
		sched_yield();
}

static aligned_t over;

/* How many of a thread's tasks ran on another CPU, all workers asleep before. */
static unsigned apart_from(int cpu)
{
	unsigned apart = 0;

	bind_to(cpu);
	for (int i = 0; i < ROUNDS; i++) {
		until_all_sleep();
		apart += cpu_of_task() != (aligned_t)cpu;
	}
	return apart;
}

static void *visitor(void *arg)
{
	const char *what = arg;
	cpu_set_t born = own_cpus();

	cpu_of_task();
	cpu_set_t now = own_cpus();
	ok(CPU_COUNT(&born) == 1 && CPU_EQUAL(&now, &of_process), "%s: a thread of a task's gets the process's CPUs", what);
	is_int(apart_from(qti_rt.workers[0].pu), ROUNDS, "%s: it wakes no worker on its own CPU", what);
	is_int(apart_from(qti_rt.workers[1].pu), ROUNDS, "%s: wherever that is", what);
	now = own_cpus();
	ok(CPU_COUNT(&now) == 1 && CPU_ISSET(qti_rt.workers[1].pu, &now), "%s: and stays where the program binds it from then on",
	   what);
	qthread_fill(&over);
	return NULL;
}

/* Two workers on two CPUs, in as many shepherds as the scheduler has there. */
static void start(const char *scheduler)
{
	setenv("QT_SCHEDULER", scheduler, 1);
	setenv("QT_HWPAR", "2", 1);
	if (qthread_initialize() != QTHREAD_SUCCESS || qti_rt.workers[0].pu == qti_rt.workers[1].pu)
		bail_out("%s: no two workers on two CPUs", scheduler);
	qthread_empty(&over);
}

static void finish(pthread_t thread)
{
	qthread_readFF(NULL, &over);
	pthread_join(thread, NULL);
}

static void run(const char *scheduler)
{
	pthread_t thread;

	start(scheduler);
	pthread_create(&thread, NULL, visitor, (void *)(uintptr_t)scheduler);
	finish(thread);
	cpu_set_t mine = own_cpus();
	ok(CPU_COUNT(&mine) == 1 && CPU_ISSET(qti_rt.workers[0].pu, &mine), "%s: the worker stays where it is", scheduler);
	qthread_finalize();
}

static void *bound_otherwise(void *unused)
{
	(void)unused;
	cpu_set_t two = only(qti_rt.workers[0].pu), now;

	CPU_SET(qti_rt.workers[1].pu, &two);
	sched_setaffinity(0, sizeof(two), &two);
	cpu_of_task();
	now = own_cpus();
	ok(CPU_EQUAL(&now, &two), "a thread that is bound to more than a worker's CPU keeps its own");
	qthread_fill(&over);
	return NULL;
}

static void others_keep_theirs(void)
{
	pthread_t thread;

	start("mts");
	pthread_create(&thread, NULL, bound_otherwise, NULL);
	finish(thread);
	qthread_finalize();
}

int main(void)
{
	of_process = own_cpus();
	if (CPU_COUNT(&of_process) < 2)
		plan_skip_all("one CPU");
	if (!process_can_bind())
		plan_skip_all("threads may not be bound here");
	unsetenv("HWLOC_SYNTHETIC");    /* which would describe CPUs that are not there */
	unsetenv("HWLOC_XMLFILE");
	setenv("QT_AFFINITY", "yes", 1);
	setenv("QT_SPIN_US", "0", 1);
	plan(EVERY_SCHEDULERS * CHECKS_PER_RUN + ONCE_CHECKS);
	for (int i = 0; i < EVERY_SCHEDULERS; i++)
		run(every_scheduler[i]);
	others_keep_theirs();
	return done();
}
