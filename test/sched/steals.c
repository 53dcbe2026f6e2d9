/* test/sched/steals.c -- from whom a thief takes: the order of victims, and steals counted by distance.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On machines that hwloc makes up.  All workers but the main task's are held until there is something to steal for the one
 * that is let go: nobody else is out of work, so owners publish nothing, and each steal is a final look's.
 */
#include "api/child.h"
#include "stress/stress.h"

#include <qthread.h>
#include <qthread/stats.h>

enum { WORKERS = 8, THIEF = 5, FEW = 3 };

/* --- holding workers ------------------------------------------------------------------------------------- */

static struct {
	uint32_t on, fork, forked, off; /* stages that a held worker goes through */
	unsigned prey;                  /* tasks that it forks */
} held[WORKERS];

static uintptr_t order[WORKERS * FEW];  /* the forkers of tasks, as these ran */
static uint32_t noted;

static aligned_t note(void *forker)
{
	order[add_acq_rel(&noted, 1)] = (uintptr_t)forker;
	return 0;
}

static aligned_t hold(void *unused)
{
	uintptr_t id = qti_self()->id;

	(void)unused;
	store_rel(&held[id].on, 1);
	stress_until(load_acq(&held[id].fork));
	for (unsigned i = 0; i < held[id].prey; i++)
		qthread_fork(note, (void *)id, NULL);
	store_rel(&held[id].forked, 1);
	stress_until(load_acq(&held[id].off));
	store_rel(&held[id].on, 0);
	return 0;
}

/* All but worker 0, which is the caller's. */
static void hold_others(void)
{
	memset(held, 0, sizeof(held));
	noted = 0;
	for (unsigned i = 1; i < qti_rt.nworkers; i++)
		qthread_fork_to(hold, NULL, NULL, (qthread_shepherd_id_t)qti_rt.workers[i].shepherd->id);
	for (unsigned i = 1; i < qti_rt.nworkers; i++)
		stress_until(load_acq(&held[i].on));
}

/* Once all are held: each has as many tasks as its `prey` says, the caller too. */
static void fork_prey(void)
{
	for (unsigned i = 1; i < qti_rt.nworkers; i++) {
		store_rel(&held[i].fork, 1);
		stress_until(load_acq(&held[i].forked));
	}
	for (unsigned i = 0; i < held[0].prey; i++)
		qthread_fork(note, (void *)0, NULL);
}

/* Worker id goes on until n tasks have run; nobody else does. */
static void let_steal(unsigned id, unsigned n)
{
	store_rel(&held[id].off, 1);
	stress_until(load_acq(&noted) == n);
}

static void let_all_go(void)
{
	for (unsigned i = 1; i < qti_rt.nworkers; i++)
		store_rel(&held[i].off, 1);
	for (unsigned i = 1; i < qti_rt.nworkers; i++)
		stress_until(!load_acq(&held[i].on));
}

static qt_stats_t figures_of(unsigned worker)
{
	qt_stats_t s = { 0 };

	qthread_stats(&s, QT_STATS_WORKER, worker);
	return s;
}

static const char *order_text(unsigned n)
{
	static char text[4 * WORKERS * FEW];
	int at = 0;

	for (unsigned i = 0; i < n; i++)
		at += snprintf(text + at, sizeof(text) - (size_t)at, "%s%u", i ? " " : "", (unsigned)order[i]);
	return text;
}

static void start(const char *scheduler, const char *machine, const char *boundary)
{
	stress_watch(scheduler);
	setenv("HWLOC_SYNTHETIC", machine, 1);
	setenv("QT_SCHEDULER", scheduler, 1);
	setenv("QT_SHEPHERD_BOUNDARY", boundary, 1);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("%s on %s: qthread_initialize failed", scheduler, machine);
}

/* --- distances ------------------------------------------------------------------------------------------- */

/* Two nodes of two chips of two cores each: workers 0 and 1 share a chip, 0 to 3 a node. */
#define TWO_NODES "pack:2 [numa] l3:2 core:2 pu:1"

static const char *span_from_0(unsigned worker)
{
	return worker < 2 ? "same chip" : worker < 4 ? "other chip" : "other node";
}

static const char *span_counted(const qt_stats_t *before, const qt_stats_t *after)
{
	uint64_t chip = after->steals_same_chip - before->steals_same_chip,
		other = after->steals_other_chip - before->steals_other_chip,
		node = after->steals_other_node - before->steals_other_node;

	if (chip + other + node != after->steals - before->steals || chip + other + node != FEW)
		return "not all";
	return chip == FEW ? "same chip" : other == FEW ? "other chip" : node == FEW ? "other node" : "several";
}

/* Each other worker in turn takes what worker 0 has forked. */
static void by_distance(const char *scheduler, const char *boundary)
{
	start(scheduler, TWO_NODES, boundary);
	for (unsigned thief = 1; thief < WORKERS; thief++) {
		hold_others();
		held[0].prey = FEW;
		qt_stats_t before = figures_of(thief);
		fork_prey();
		let_steal(thief, FEW);
		qt_stats_t after = figures_of(thief);
		is_str(span_counted(&before, &after), span_from_0(thief), "%s, a shepherd a %s: worker %u steals from worker 0",
			scheduler, boundary, thief);
		let_all_go();
	}
	qthread_finalize();
}

/* --- the order of victims -------------------------------------------------------------------------------- */

/* Every other worker has one task, and the thief takes all of them. */
static void raid_all(void)
{
	hold_others();
	for (unsigned i = 0; i < WORKERS; i++)
		held[i].prey = i != THIEF;
	fork_prey();
	let_steal(THIEF, WORKERS - 1);
	let_all_go();
}

static void nearest_first(void)
{
	start("ws", TWO_NODES, "core");
	raid_all();
	/* Of equally near ones shepherd 5 begins with number 5 modulo their number. */
	is_str(order_text(WORKERS - 1), "4 7 6 1 2 3 0", "ws: the nearest victim comes first");
	qt_stats_t s = figures_of(THIEF);
	ok(s.steals_same_chip == 1 && s.steals_other_chip == 2 && s.steals_other_node == 4, "ws: and each is counted by its distance");
	is_int(s.failed_steals, 0, "ws: no steal failed, as no queue lost its tasks in between");
	qthread_finalize();
}

/* --- what QT_INFO says ------------------------------------------------------------------------------------ */

static void start_anywhere(void *machine)
{
	setenv("QT_INFO", "1", 1);
	if (machine)
		setenv("HWLOC_SYNTHETIC", machine, 1);
	if (qthread_initialize() == QTHREAD_SUCCESS)
		qthread_finalize();
}

/* A thread that may run on one CPU asks for nothing else. */
static void start_on_one_cpu(void *unused)
{
	cpu_set_t one, all;
	int cpu = 0;

	(void)unused;
	sched_getaffinity(0, sizeof(all), &all);
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	start_anywhere(NULL);
}

static void nodes_are_told(void)
{
	static struct child c;

	unsetenv("HWLOC_SYNTHETIC");
	unsetenv("QT_SHEPHERD_BOUNDARY");
	child_run(&c, start_anywhere, TWO_NODES);
	ok(strstr(c.said, ", 2 NUMA nodes,") != NULL, "QT_INFO=1 says how many NUMA nodes there are");
	child_run(&c, start_on_one_cpu, NULL);
	ok(strstr(c.said, ", no NUMA information, taken as 1 node,") != NULL, "or that nothing is known about them");
}

int main(void)
{
	if (!QTI_HWLOC)
		plan_skip_all("made-up machines need hwloc");
	unsetenv("QT_NUM_SHEPHERDS");
	unsetenv("QT_NUM_WORKERS_PER_SHEPHERD");
	unsetenv("QT_HWPAR");
	plan(2 * (WORKERS - 1) + 3 + 2);
	nodes_are_told();
	by_distance("ws", "core");
	by_distance("cq", "machine");
	nearest_first();
	return done();
}
