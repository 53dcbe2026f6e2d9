/* test/sched/steals.c -- from whom a thief takes: the order of victims, and steals counted by distance.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On machines that hwloc makes up.  All workers but the main task's are held until there is something to steal for the
 * one that is let go: nobody else is out of work, so owners publish nothing, and each steal is a final look's.
 */
#include "api/child.h"
#include "process.h"
#include "stress/stress.h"

#include <qthread.h>
#include <qthread/stats.h>

enum { WORKERS = 8, THIEF = 5, FEW = 3, SOME = 9, RANDOM_ROUNDS = 8 };

/* --- holding workers ------------------------------------------------------------------------------------- */

static struct {
	uint32_t on, fork, forked, off; /* stages that a held worker goes through */
	unsigned prey;                  /* tasks that it forks */
} held[WORKERS];

static uintptr_t order[WORKERS * SOME]; /* the arguments of tasks, as these ran */
static uint32_t places, noted;          /* taken in it, and filled */

static aligned_t note(void *arg)
{
	order[add_rlx(&places, 1)] = (uintptr_t)arg;
	add_acq_rel(&noted, 1);
	return 0;
}

/* As many run at once as there are workers in a shepherd of four. */
static aligned_t meet(void *arg)
{
	note(arg);
	stress_until(load_acq(&noted) == 4);
	return 0;
}

static qthread_f prey_fn = note;

static aligned_t hold(void *unused)
{
	uintptr_t id = qti_self()->id;

	(void)unused;
	store_rel(&held[id].on, 1);
	stress_until(load_acq(&held[id].fork));
	for (unsigned i = 0; i < held[id].prey; i++)
		qthread_fork(prey_fn, (void *)id, NULL);
	store_rel(&held[id].forked, 1);
	stress_until(load_acq(&held[id].off));
	store_rel(&held[id].on, 0);
	return 0;
}

/* All but worker 0, which is the caller's. */
static void hold_others(void)
{
	memset(held, 0, sizeof(held));
	places = noted = 0;
	for (unsigned i = 1; i < qti_rt.nworkers; i++)
		qthread_fork_to(hold, NULL, NULL, (qthread_shepherd_id_t)qti_rt.workers[i].shepherd->id);
	for (unsigned i = 1; i < qti_rt.nworkers; i++)
		stress_until(load_acq(&held[i].on));
}

/* Once all are held: each has as many tasks as its `prey` says, the caller too.  A task is named after its forker;
 * numbered: worker 0's are named 0, 1, 2. */
static void fork_prey(bool numbered)
{
	for (unsigned i = 1; i < qti_rt.nworkers; i++) {
		store_rel(&held[i].fork, 1);
		stress_until(load_acq(&held[i].forked));
	}
	for (unsigned i = 0; i < held[0].prey; i++)
		qthread_fork(prey_fn, (void *)(uintptr_t)(numbered ? i : 0), NULL);
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
	static char text[4 * WORKERS * SOME];
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
		fork_prey(false);
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
static void steal_all(void)
{
	hold_others();
	for (unsigned i = 0; i < WORKERS; i++)
		held[i].prey = i != THIEF;
	fork_prey(false);
	let_steal(THIEF, WORKERS - 1);
	let_all_go();
}

static void nearest_first(void)
{
	start("ws", TWO_NODES, "core");
	steal_all();
	/* Of equally near ones shepherd 5 begins with number 5 modulo their number. */
	is_str(order_text(WORKERS - 1), "4 7 6 1 2 3 0", "ws: the nearest victim comes first");
	qt_stats_t s = figures_of(THIEF);
	ok(s.steals_same_chip == 1 && s.steals_other_chip == 2 && s.steals_other_node == 4, "ws: and each is counted by its distance");
	is_int(s.failed_steals, 0, "ws: no steal failed, as no queue lost its tasks in between");
	qthread_finalize();
}

/* Each of several rounds must find all of them, in whatever order. */
static void at_random(void)
{
	unsigned all = 0, elsewhere = 0;

	setenv("QT_VICTIM", "random", 1);
	start("ws", TWO_NODES, "core");
	for (unsigned r = 0; r < RANDOM_ROUNDS; r++) {
		uint32_t seen = 0;
		steal_all();
		for (unsigned i = 0; i < WORKERS - 1; i++)
			seen |= 1u << order[i];
		all += seen == (0xff & ~(1u << THIEF));
		elsewhere += strcmp(order_text(WORKERS - 1), "4 7 6 1 2 3 0") != 0;
	}
	is_int(all, RANDOM_ROUNDS, "QT_VICTIM=random: every victim's turn comes");
	ok(elsewhere > 0, "  and it need not be the nearest one's first");
	qthread_finalize();
	unsetenv("QT_VICTIM");
}

/* --- how much -------------------------------------------------------------------------------------------- */

/* Worker 0 has nine tasks, and another one takes them.  In a deque half of the private part, rounded up, becomes public
 * at a time, and what was stolen together runs newest first. */
static void amounts(const char *amount, const char *chunk, const char *runs, unsigned steals)
{
	setenv("QT_STEAL", amount, 1);
	setenv("QT_STEAL_CHUNK", chunk, 1);
	start("ws", TWO_NODES, "core");
	hold_others();
	held[0].prey = SOME;
	fork_prey(true);
	let_steal(THIEF, SOME);
	is_str(order_text(SOME), runs, "ws, QT_STEAL=%s: how nine tasks run that one worker steals", amount);
	is_int(figures_of(THIEF).steals, steals, "  in %u steals", steals);
	is_int(figures_of(THIEF).tasks_stolen, SOME, "  and no task twice");
	let_all_go();
	qthread_finalize();
	unsetenv("QT_STEAL");
	unsetenv("QT_STEAL_CHUNK");
}

/* --- mts ------------------------------------------------------------------------------------------------- */

/* Two chips of four cores: workers 0 to 3 are shepherd 0. */
#define TWO_CHIPS "pack:2 [numa] l3:1 core:4 pu:1"

enum { ABROAD = 4 };    /* the first worker of shepherd 1 */

static qt_stats_t figures_of_shepherd(unsigned shepherd)
{
	qt_stats_t s = { 0 };

	qthread_stats(&s, QT_STATS_SHEPHERD, shepherd);
	return s;
}

/* As if somebody were out of work whom nobody can wake: owners publish what they fork. */
static void pretend_idle(bool begin)
{
	add_rlx(&qti_rt.idle.count, begin ? 1 : -1u);
}

/* Worker 4 wants four, as many as its shepherd has workers.  Each of the victim shepherd's has one public task, and a
 * private one, for which it takes a final look each. */
static void chunk_is_topped_up(void)
{
	start("mts", TWO_CHIPS, "chip");
	hold_others();
	for (unsigned i = 0; i < 4; i++)
		held[i].prey = 2;
	pretend_idle(true);
	fork_prey(false);
	pretend_idle(false);
	let_steal(ABROAD, 8);
	is_str(order_text(8), "1 2 3 0 1 2 3 0", "mts: a chunk is topped up over the workers of the victim shepherd");
	is_int(figures_of(ABROAD).steals, 5, "  by one steal; what is private comes one by one");
	let_all_go();
	qthread_finalize();
}

/* The four workers of shepherd 1 are let go together, and four tasks wait for each other. */
static void stolen_is_for_all(void)
{
	start("mts", TWO_CHIPS, "chip");
	hold_others();
	for (unsigned i = 0; i < 4; i++)
		held[i].prey = 1;
	prey_fn = meet;
	pretend_idle(true);
	fork_prey(false);
	for (unsigned i = 4; i < WORKERS; i++)
		store_rel(&held[i].off, 1);
	stress_until(load_acq(&noted) == 4);
	pretend_idle(false);
	prey_fn = note;
	qt_stats_t s = figures_of_shepherd(1);
	ok(s.steals == 1 && s.tasks_stolen == 4 && s.steals_local == 0,
		"mts: what one worker brings its siblings find without stealing (%u steals, %u of them local)",
		(unsigned)s.steals, (unsigned)s.steals_local);
	let_all_go();
	qthread_finalize();
}

/* Shepherds of two workers and of one. */
static void chunk_is_the_thiefs(void)
{
	setenv("QT_NUM_SHEPHERDS", "2", 1);
	setenv("QT_HWPAR", "3", 1);
	start("mts", TWO_CHIPS, "chip");
	hold_others();
	held[0].prey = 4;
	fork_prey(false);
	let_steal(2, 4);
	is_int(figures_of(2).steals, 4, "mts: a shepherd of one worker steals one task at a time");
	let_all_go();

	hold_others();
	held[2].prey = 4;
	fork_prey(false);
	let_steal(1, 4);
	is_int(figures_of(1).steals, 3, "  and one of two workers two, as far as they are public");
	let_all_go();
	qthread_finalize();
	unsetenv("QT_NUM_SHEPHERDS");
	unsetenv("QT_HWPAR");
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
	ok(strstr(c.said, ", no NUMA information, taken as 1 node,") || !process_can_bind(), "or that nothing is known about them");
}

int main(void)
{
	if (!QTI_HWLOC)
		plan_skip_all("made-up machines need hwloc");
	unsetenv("QT_NUM_SHEPHERDS");
	unsetenv("QT_NUM_WORKERS_PER_SHEPHERD");
	unsetenv("QT_HWPAR");
	plan(2 * (WORKERS - 1) + 5 + 4 * 3 + 5 + 2);
	nodes_are_told();
	by_distance("ws", "core");
	by_distance("cq", "machine");
	nearest_first();
	at_random();
	amounts("one", "4", "0 1 2 3 4 5 6 7 8", SOME);
	amounts("chunk", "2", "0 1 2 3 4 5 6 7 8", 6);
	amounts("chunk", "0", "0 1 2 3 4 5 6 7 8", 6);
	amounts("half", "4", "0 1 2 3 4 5 6 7 8", 5);
	chunk_is_topped_up();
	stolen_is_for_all();
	chunk_is_the_thiefs();
	return done();
}
