/* test/sched/contract.c -- every policy keeps the promises of core/sched.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On one worker, on two, on two and three shepherds, and with more workers than most machines that run this have CPUs;
 * with QT_PRIVATE_TASKS, QT_RING and QT_QUEUE as they are by default and as small as they can be.  Policies whose
 * workers have queues for each other keep the promises on a made-up machine, too: one of four NUMA nodes, or alone on
 * what QTI_TEST_MACHINE describes to hwloc.  QTI_ROUNDS counts the repetitions of what may depend on chance.
 */
#include "config.h"
#include "stress/stress.h"

#include <qthread.h>
#include <qthread/stats.h>

#include <pthread.h>

enum { TASKS = 4000, FORKERS = 8, EXTERNALS = 3, BURST = 20, ROUNDS = 30 };

static const struct stress_shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 }, { 3, 1 } };
static const char *const on_machines[] = { "xq", "na-rp", "na-ws", "bq" };
static const char *const privates[] = { NULL, "0" }; /* NULL: the default */

enum {
	NSHAPES = sizeof(shapes) / sizeof(shapes[0]),
	NPRIVATES = sizeof(privates) / sizeof(privates[0]),
	NMACHINES = sizeof(on_machines) / sizeof(on_machines[0]),
	SHEPHERDS = 256,                /* at most */
};

/* Magny Cours of the paper on MTS: two packages of two chips, each a NUMA node with four cores. */
#define FOUR_NODES "pack:2 l3:2 [numa] core:4 pu:1"

static unsigned rounds, tasks;
static char what[96]; /* is being tested */

/* --- counting tasks -------------------------------------------------------------------------------------- */

static unsigned left;      /* tasks that have not run */
static aligned_t finished; /* filled by the last */
static uint32_t runs[TASKS];

static void expect(unsigned n)
{
	left = n;
	memset(runs, 0, sizeof(runs));
	qthread_empty(&finished);
}

static void run_one(void)
{
	if (sub_acq_rel(&left, 1) == 1)
		qthread_fill(&finished);
}

/* As a task waits. */
static void wait_for_all(void)
{
	qthread_readFF(NULL, &finished);
}

/* Without ever giving way to other tasks. */
static void keep_busy_until_all(void)
{
	stress_until(qthread_feb_status(&finished));
}

static bool ran_once_each(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (runs[i] != 1) {
			diag("task %u ran %u times", i, runs[i]);
			return false;
		}
	return true;
}

static aligned_t mark(void *arg)
{
	add_rlx(&runs[(uintptr_t)arg], 1);
	run_one();
	return 0;
}

static void all_others_asleep(void)
{
	uint32_t asleep;

	do {
		sched_yield();
		qti_lock_take(&qti_rt.idle.lock);
		asleep = qti_rt.idle.asleep;
		qti_lock_drop(&qti_rt.idle.lock);
	} while (asleep < qti_rt.nworkers - 1);
}

/* --- S1 and S2 ------------------------------------------------------------------------------------------- */

static aligned_t fork_some(void *arg)
{
	for (uintptr_t i = (uintptr_t)arg; i < tasks; i += FORKERS)
		qthread_fork(mark, (void *)i, NULL);
	return 0;
}

static void each_task_runs_once(void)
{
	expect(tasks);
	for (uintptr_t i = 0; i < tasks; i++)
		qthread_fork(mark, (void *)i, NULL);
	wait_for_all();
	ok(ran_once_each(tasks), "%s: S1 each of %u tasks of one forker runs once", what, tasks);

	expect(tasks);
	for (uintptr_t i = 0; i < FORKERS; i++)
		qthread_fork(fork_some, (void *)i, NULL);
	wait_for_all();
	ok(ran_once_each(tasks), "%s: S1 each of %u tasks of %d forkers runs once", what, tasks, FORKERS);
}

static aligned_t mark_and_yield(void *arg)
{
	qthread_yield();
	return mark(arg);
}

static void yielding_loses_none(void)
{
	expect(tasks / 4);
	for (uintptr_t i = 0; i < tasks / 4; i++)
		qthread_fork(mark_and_yield, (void *)i, NULL);
	wait_for_all();
	ok(ran_once_each(tasks / 4), "%s: S1 each of %u tasks that yield goes on once", what, tasks / 4);
}

struct letter {
	uint64_t text[8];
	aligned_t answer;
};

static aligned_t read_letter(void *arg)
{
	struct letter *l = arg;
	aligned_t sum = 0;

	for (unsigned i = 0; i < 8; i++)
		sum += l->text[i];
	l->text[0] = ~sum;
	return sum;
}

static void writes_before_fork_are_seen(void)
{
	static struct letter letters[TASKS];
	unsigned unseen = 0, unanswered = 0;

	for (unsigned i = 0; i < tasks; i++) {
		for (unsigned j = 0; j < 8; j++)
			letters[i].text[j] = (uint64_t)i << j;
		qthread_fork(read_letter, &letters[i], &letters[i].answer);
	}
	for (unsigned i = 0; i < tasks; i++) {
		aligned_t sum;
		qthread_readFF(&sum, &letters[i].answer);
		unseen += sum != (aligned_t)i * 255;
		unanswered += letters[i].text[0] != ~sum;
	}
	is_int(unseen, 0, "%s: S2 a task sees what its forker wrote", what);
	is_int(unanswered, 0, "%s: S2 and who waits for it what it wrote", what);
}

/* --- S4: nobody sleeps on work --------------------------------------------------------------------------- */

/* The forker occupies its worker until the task has run.  The others are asleep, or about to be, or searching. */
static void one_task(void)
{
	uint64_t random = stress_state(0);

	for (unsigned r = 0; r < rounds; r++) {
		if (r % 2)
			all_others_asleep();
		else
			stress_pause(stress_random(&random, 5000));
		expect(1);
		stress_fork_on(r, mark, NULL);
		keep_busy_until_all();
	}
	ok(true, "%s: S4 a task starts while its forker keeps its worker busy", what);
}

static void a_burst(void)
{
	for (unsigned r = 0; r < rounds; r++) {
		all_others_asleep();
		expect(BURST);
		for (uintptr_t i = 0; i < BURST; i++)
			stress_fork_on((unsigned)i, mark, (void *)i);
		/* Those in the forker's own shepherd need another worker there. */
		keep_busy_until_all();
	}
	ok(ran_once_each(BURST), "%s: S4 so does every task of a burst", what);
}

static uintptr_t arrived; /* since the program began */

static aligned_t meet(void *all)
{
	add_acq_rel(&arrived, 1);
	stress_until(load_acq(&arrived) >= (uintptr_t)all);
	run_one();
	return 0;
}

static void all_hands(void)
{
	unsigned others = qti_rt.nworkers - 1;
	uintptr_t all = arrived;

	for (unsigned r = 0; r < rounds; r++) {
		if (r % 2)
			all_others_asleep();
		expect(others);
		all += others;
		for (unsigned i = 0; i < others; i++)
			stress_fork_on(i, meet, (void *)all);
		keep_busy_until_all();
	}
	is_int(arrived, all, "%s: S4 as many tasks as there are other workers run at once", what);
}

static uint32_t held, released[SHEPHERDS]; /* by shepherd */

static aligned_t hold(void *until)
{
	add_rlx(&held, 1);
	stress_until(load_acq((uint32_t *)until));
	sub_acq_rel(&held, 1);
	return 0;
}

/* Every worker but the caller's runs a task that ends when its shepherd is released. */
static void hold_all_others(void)
{
	stress_until(load_acq(&held) == 0);
	memset(released, 0, sizeof(released));
	for (unsigned i = 1; i < qti_rt.nworkers; i++) {
		unsigned shepherd = qti_rt.workers[i].shepherd->id;
		qthread_fork_to(hold, &released[shepherd], NULL, (qthread_shepherd_id_t)shepherd);
	}
	stress_until(load_acq(&held) == qti_rt.nworkers - 1);
}

static void release_all(void)
{
	for (unsigned i = 0; i < qti_rt.nshepherds; i++)
		store_rel(&released[i], 1);
}

/* Tasks that have been claimed must not stand between a thief and those behind them. */
static void behind_claimed_ones(void)
{
	aligned_t ret[8];

	for (unsigned r = 0; r < rounds; r++) {
		unsigned claimed = r % 7 + 1;
		hold_all_others();
		expect(8);
		for (uintptr_t i = 0; i < 8; i++)
			qthread_fork(mark, (void *)i, &ret[i]);
		for (unsigned i = 0; i < claimed; i++)
			qthread_readFF(NULL, &ret[i]);
		release_all();
		keep_busy_until_all();
		for (unsigned i = claimed; i < 8; i++)
			qthread_readFF(NULL, &ret[i]);
	}
	ok(ran_once_each(8), "%s: S4 tasks behind others that were joined start as well", what);
}

static aligned_t gate;
static uint32_t waiting;

static aligned_t wait_and_mark(void *arg)
{
	add_rlx(&waiting, 1);
	qthread_readFF(NULL, &gate);
	return mark(arg);
}

/* Tasks that wait and are woken by one who keeps its worker busy, then. */
static void woken_ones(void)
{
	for (unsigned r = 0; r < rounds; r++) {
		qthread_empty(&gate);
		waiting = 0;
		expect(4);
		for (uintptr_t i = 0; i < 4; i++)
			qthread_fork(wait_and_mark, (void *)i, NULL);
		stress_until(load_acq(&waiting) == 4);
		all_others_asleep();
		qthread_fill(&gate);
		keep_busy_until_all();
	}
	ok(ran_once_each(4), "%s: S4 and tasks that it wakes", what);
}

static void nobody_sleeps_on_work(void)
{
	if (qti_rt.nworkers == 1)
		return;
	one_task();
	a_burst();
	all_hands();
	if (stress_others_may_take())
		woken_ones();
	if (stress_others_may_take() && qti_rt.sched->claim)
		behind_claimed_ones();
}

static unsigned sleep_checks(const struct qti_sched *s, struct stress_shape shape)
{
	bool others_may_take = !s->single_taker && (!s->stealable || shape.shepherds == 1);

	if (shape.shepherds * shape.workers == 1)
		return 0;
	return 3 + others_may_take + (others_may_take && s->claim) + 1;
}

/* --- S5: who never gives way keeps no open task to itself ------------------------------------------------ */

static struct qti_task open_task[BURST];

static aligned_t count_open(void *arg)
{
	add_rlx(&runs[(uintptr_t)arg], 1);
	return 0;
}

/* Its record may be used again from here on. */
static bool open_ended(struct qti_task *t, aligned_t value)
{
	(void)t;
	(void)value;
	run_one();
	return false;
}

static void push_open(uintptr_t i)
{
	stress_push_open(&open_task[i], count_open, (void *)i, open_ended);
}

/* Behind others that nobody else may take under some policies. */
static void open_ones(void)
{
	if (qti_rt.nworkers == 1)
		return;
	for (unsigned r = 0; r < rounds; r++) {
		if (r % 2)
			all_others_asleep();
		expect(BURST);
		for (uintptr_t i = 0; i < BURST; i++) {
			qthread_fork(stress_nothing, NULL, NULL);
			push_open(i);
		}
		keep_busy_until_all();
	}
	ok(ran_once_each(BURST), "%s: S5 every open task starts while its forker keeps its worker busy", what);
}

/* --- other ways in --------------------------------------------------------------------------------------- */

static void *fork_from_outside(void *arg)
{
	for (uintptr_t i = (uintptr_t)arg; i < tasks / 4; i += EXTERNALS)
		while (qthread_fork(mark, (void *)i, NULL) != QTHREAD_SUCCESS)
			bail_out("fork from outside failed");
	return NULL;
}

static void external_threads(void)
{
	pthread_t thread[EXTERNALS];

	expect(tasks / 4);
	for (uintptr_t i = 0; i < EXTERNALS; i++)
		if (pthread_create(&thread[i], NULL, fork_from_outside, (void *)i) != 0)
			bail_out("pthread_create failed");
	if (qti_rt.nworkers > 1)
		keep_busy_until_all();
	else
		wait_for_all();
	for (int i = 0; i < EXTERNALS; i++)
		pthread_join(thread[i], NULL);
	ok(ran_once_each(tasks / 4), "%s: tasks that other threads fork run, once", what);
}

static uint32_t misplaced;

static aligned_t mark_at_home(void *arg)
{
	add_rlx(&misplaced, qthread_shep() != (uintptr_t)arg % qti_rt.nshepherds);
	qthread_yield();
	add_rlx(&misplaced, qthread_shep() != (uintptr_t)arg % qti_rt.nshepherds);
	return mark(arg);
}

static void pinned_ones(void)
{
	misplaced = 0;
	expect(tasks / 4);
	for (uintptr_t i = 0; i < tasks / 4; i++)
		qthread_fork_to(mark_at_home, (void *)i, NULL, (qthread_shepherd_id_t)(i % qti_rt.nshepherds));
	wait_for_all();
	ok(ran_once_each(tasks / 4), "%s: pinned tasks run, once", what);
	is_int(misplaced, 0, "%s: and where they are pinned", what);
}

static bool policy_is(const char *name)
{
	return strcmp(qti_rt.sched->name, name) == 0;
}

static bool policy_has_rings(void)
{
	return policy_is("xq") || policy_is("na-rp") || policy_is("na-ws");
}

/* --- figures --------------------------------------------------------------------------------------------- */

/* After everything above.  What was forked for show may not have run yet. */
static void figures_agree(void)
{
	qt_stats_t s = { 0 };

	do {
		qthread_yield();
		if (qthread_stats(&s, QT_STATS_TOTAL, 0) != QTHREAD_SUCCESS)
			bail_out("qthread_stats failed");
	} while (s.forks > s.tasks_run);
	is_int(s.tasks_run, s.forks, "%s: as many tasks ran as were forked", what);
	is_int(s.steals, s.steals_local + s.steals_remote, "%s: a steal is local or remote", what);
	ok(s.tasks_stolen >= s.steals, "%s: a steal brings at least one task", what);
	ok(s.inline_joins <= s.tasks_run && s.wakeups <= s.parks, "%s: no more joins than tasks, nor calls than sleeps",
		what);
	if (qti_rt.nworkers == 1 || !stress_steals())
		is_int(s.steals, 0, "%s: nobody steals", what);
	else if (policy_is("ws") || policy_is("bq"))
		is_int(s.tasks_stolen, s.steals, "%s: one task at a time", what);
	else if (qti_rt.nshepherds == 1 && qti_rt.env.private_tasks == 0 && !policy_has_rings())
		is_int(s.steals, 0, "%s: all take from one queue", what);
	else
		ok(s.steals > 0, "%s: %llu steals", what, (unsigned long long)s.steals);
}

/* --- order, on one worker -------------------------------------------------------------------------------- */

static uintptr_t order[TASKS];

static unsigned noted;

static aligned_t note(void *arg)
{
	order[add_rlx(&noted, 1)] = (uintptr_t)arg;
	run_one();
	return 0;
}

static void expect_notes(unsigned n)
{
	noted = 0;
	expect(n);
}

/* Of n tasks the first so many run in the order of forking, the others in reverse, after them or before. */
static unsigned fifo_part(unsigned n)
{
	unsigned part = policy_is("q") ? n : policy_is("bq") ? qti_rt.env.queue : 0;

	if (policy_has_rings())
		for (part = 2; part < qti_rt.env.ring; part *= 2)
			continue;
	return part < n ? part : n;
}

/* Which of n tasks is the i-th to run. */
static uintptr_t whose_turn(unsigned i, unsigned n)
{
	unsigned part = fifo_part(n);

	if (policy_is("bq"))
		return i < n - part ? n - 1 - i : i - (n - part);
	return i < part ? i : n - 1 - (i - part);
}

/* As far as the order is right. */
static unsigned in_order(const uintptr_t *got, unsigned n)
{
	unsigned i;

	for (i = 0; i < n && got[i] == whose_turn(i, n); i++)
		continue;
	return i;
}

static void order_on_one_worker(void)
{
	expect_notes(tasks);
	for (uintptr_t i = 0; i < tasks; i++)
		qthread_fork(note, (void *)i, NULL);
	wait_for_all();
	is_int(in_order(order, tasks), tasks, "%s: on one worker the first %u run in order, the others in reverse%s", what,
		fifo_part(tasks), policy_is("bq") ? ", before them" : "");
}

static aligned_t note_twice(void *arg)
{
	note(arg);
	qthread_yield();
	return note((void *)((uintptr_t)arg + 4));
}

static void yield_goes_behind_all(void)
{
	expect_notes(8);
	for (uintptr_t i = 0; i < 4; i++)
		qthread_fork(note_twice, (void *)i, NULL);
	wait_for_all();
	for (unsigned i = 0; i < 4; i++)
		order[4 + i] -= 4;
	is_int(in_order(order, 4) + in_order(order + 4, 4), 8,
		"%s: a task that yields goes behind all others", what);
}

/* --- steals: the victim is busy, the thief has been held until all is queued ----------------------------- */

enum { PREY = 9 };

static void fork_for_thief(void)
{
	hold_all_others();
	expect_notes(PREY);
	for (uintptr_t i = 0; i < PREY; i++)
		qthread_fork(note, (void *)i, NULL);
	release_all();
	keep_busy_until_all();
}

static const char *prey_order(void)
{
	static char text[4 * PREY];
	int at = 0;

	for (unsigned i = 0; i < PREY; i++)
		at += snprintf(text + at, sizeof(text) - (size_t)at, "%s%u", i ? " " : "", (unsigned)order[i]);
	return text;
}

static qt_stats_t figures(void)
{
	qt_stats_t s = { 0 };

	qthread_stats(&s, QT_STATS_TOTAL, 0);
	return s;
}

/* small: as QT_PRIVATE_TASKS, NULL for the default; QT_RING and QT_QUEUE are as small as they can be then, too. */
static void start(const char *scheduler, struct stress_shape shape, const char *small)
{
	if (small) {
		setenv("QT_PRIVATE_TASKS", small, 1);
		setenv("QT_RING", "2", 1);
		setenv("QT_QUEUE", "4", 1);
	} else {
		unsetenv("QT_PRIVATE_TASKS");
		unsetenv("QT_RING");
		unsetenv("QT_QUEUE");
	}
	snprintf(what, sizeof(what), "%s %u x %u%s%s", scheduler, shape.shepherds, shape.workers, small ? ", private " : "",
		small ? small : "");
	stress_watch(what);
	stress_start(scheduler, shape);
}

/* bq: small, of the queue first, then of what was spilled. */
static void takes_the_oldest(const char *scheduler, const char *small)
{
	start(scheduler, (struct stress_shape){ 2, 1 }, small);
	fork_for_thief();
	is_str(prey_order(), "0 1 2 3 4 5 6 7 8", "%s: a thief takes the oldest task, one at a time", what);
	is_int(figures().steals_remote, PREY, "%s: each by a steal of its own", what);
	qthread_finalize();
}

/* What was stolen together runs oldest first. */
static void mts_takes_chunks(void)
{
	setenv("QT_STEAL_CHUNK", "4", 1);
	start("mts", (struct stress_shape){ 2, 1 }, "0");
	fork_for_thief();
	is_str(prey_order(), "0 1 2 3 4 5 6 7 8", "%s: a thief takes chunks of the oldest tasks", what);
	is_int(figures().steals_remote, 3, "%s: as few as there are chunks", what);
	is_int(figures().tasks_stolen, PREY, "%s: and nothing twice", what);
	qthread_finalize();

	start("mts", (struct stress_shape){ 2, 1 }, NULL);
	fork_for_thief();
	qt_stats_t s = figures();
	ok(order[0] < 4, "%s: with private tasks, the oldest first too", what);
	ok(s.tasks_stolen == PREY && s.steals >= 3, "%s: and no more than a chunk at once", what);
	qthread_finalize();
	unsetenv("QT_STEAL_CHUNK");
}

/* Both workers of shepherd 1 run out of work together, and there is a task for each, which waits for the other. */
static void mts_sends_one_thief(void)
{
	unsigned right = 0;

	for (unsigned r = 0; r < rounds; r++) {
		uintptr_t all = arrived + 2;
		start("mts", (struct stress_shape){ 2, 2 }, "0");
		hold_all_others();
		expect(2);
		for (unsigned i = 0; i < 2; i++)
			qthread_fork(meet, (void *)all, NULL);
		store_rel(&released[1], 1);
		keep_busy_until_all();
		qt_stats_t s = figures();
		right += s.steals_remote == 1 && s.tasks_stolen == 2;
		release_all();
		qthread_finalize();
	}
	is_int(right, rounds, "mts: one thief brings a task for each worker of its shepherd");
}

/* --- all of it ------------------------------------------------------------------------------------------- */

enum { CHECKS = 2 + 1 + 2 + 1 + 2 + 5, CHECKS_ON_ONE = 2, STEAL_CHECKS = 2 * 2 + 5 + 1 };

static void keeps_promises(void)
{
	each_task_runs_once();
	yielding_loses_none();
	writes_before_fork_are_seen();
	nobody_sleeps_on_work();
	external_threads();
	pinned_ones();
	figures_agree();
	open_ones();
	if (qti_rt.nworkers == 1) {
		order_on_one_worker();
		yield_goes_behind_all();
	}
	qthread_finalize();
}

static void contract(const char *scheduler, struct stress_shape shape, const char *small)
{
	start(scheduler, shape, small);
	keeps_promises();
}

/* Shepherds are what the policy wants. */
static void start_on_machine(const char *scheduler)
{
	unsetenv("QT_NUM_SHEPHERDS");
	unsetenv("QT_NUM_WORKERS_PER_SHEPHERD");
	unsetenv("QT_HWPAR");
	setenv("QT_SCHEDULER", scheduler, 1);
	setenv("HWLOC_SYNTHETIC", getenv("QTI_TEST_MACHINE") ? getenv("QTI_TEST_MACHINE") : FOUR_NODES, 1);
	if (qthread_initialize() != QTHREAD_SUCCESS || qti_rt.nshepherds > SHEPHERDS)
		bail_out("%s on a made-up machine: qthread_initialize failed", scheduler);
	unsetenv("HWLOC_SYNTHETIC");
	snprintf(what, sizeof(what), "%s, machine of %u x %u", scheduler, qti_rt.nshepherds, qti_rt.shepherds[0].nworkers);
	stress_watch(what);
}

static bool machines_can_be_made_up(void)
{
	return QTI_HWLOC && !stress_under_valgrind();
}

static unsigned checks_on_machine(const char *scheduler)
{
	start_on_machine(scheduler);
	unsigned n = CHECKS + sleep_checks(qti_rt.sched, (struct stress_shape){ qti_rt.nshepherds, qti_rt.shepherds[0].nworkers });
	n += qti_rt.nworkers == 1 ? CHECKS_ON_ONE : 0;
	qthread_finalize();
	return n;
}

/* So many workers take turns on the CPUs: fewer rounds. */
static void contract_on_machines(void)
{
	rounds = (rounds + 9) / 10;
	tasks = (tasks + 9) / 10;
	for (unsigned i = 0; i < NMACHINES; i++) {
		start_on_machine(on_machines[i]);
		keeps_promises();
	}
}

/* Three shepherds differ from two in what is far, not in what is small. */
static unsigned shapes_with(unsigned private)
{
	return private == 0 ? NSHAPES : NSHAPES - 1;
}

static unsigned checks(const struct qti_sched *s, unsigned private)
{
	unsigned n = CHECKS_ON_ONE;

	for (unsigned i = 0; i < shapes_with(private); i++)
		n += CHECKS + sleep_checks(s, shapes[i]);
	return n;
}

static unsigned checks_everywhere(void)
{
	unsigned n = STEAL_CHECKS;

	for (unsigned i = 0; i < qti_nscheds; i++)
		for (unsigned p = 0; p < NPRIVATES; p++)
			n += checks(qti_scheds[i], p);
	return n;
}

static void contract_everywhere(void)
{
	for (unsigned i = 0; i < qti_nscheds; i++)
		for (unsigned p = 0; p < NPRIVATES; p++)
			for (unsigned s = 0; s < shapes_with(p); s++)
				contract(qti_scheds[i]->name, shapes[s], privates[p]);
	takes_the_oldest("ws", NULL);
	takes_the_oldest("bq", "0");
	mts_takes_chunks();
	mts_sends_one_thief();
}

int main(void)
{
	const bool everywhere = getenv("QTI_TEST_MACHINE") == NULL;
	unsigned planned = everywhere ? checks_everywhere() : 0;

	rounds = stress_rounds(ROUNDS);
	tasks = stress_scaled(TASKS);
	for (unsigned i = 0; machines_can_be_made_up() && i < NMACHINES; i++)
		planned += checks_on_machine(on_machines[i]);
	plan(planned);
	stress_say(rounds);
	if (everywhere)
		contract_everywhere();
	if (machines_can_be_made_up())
		contract_on_machines();
	return done();
}
