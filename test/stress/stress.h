/* test/stress/stress.h -- what the stress tests share: seeds, sizes, a watchdog.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     QTI_SEED      what the random numbers begin with (default: another one each time)
 *     QTI_ROUNDS    how much is done (each test says of what; default: a few seconds' worth)
 *
 * Both are printed, so that a failure can be tried again.  A hang is found by a watchdog that prints what the runtime
 * looks like and aborts; nothing is ever repeated until it works.  Each says stress_round when it has done one piece:
 * begun, run and looked at; what soak.h says more is for test/soak/run.
 */
#ifndef QTI_TEST_STRESS_H
#define QTI_TEST_STRESS_H

#include "core/worker.h"
#include "machine/fiber.h"
#include "soak.h"
#include "tap.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- sizes ----------------------------------------------------------------------------------------------- */

static inline bool stress_under_valgrind(void)
{
	const char *tool = getenv("QTI_TEST_TOOL");

	return tool && *tool;
}

/* Another machine's instructions are read one by one (test/emulate). */
static inline bool stress_emulated(void)
{
	const char *machine = getenv("QTI_EMULATED");

	return machine && *machine;
}

/* Everything is slow under valgrind, and most things are under a sanitizer. */
static inline unsigned stress_scaled(unsigned n)
{
	unsigned by = stress_under_valgrind() ? 50 : QTI_TSAN || stress_emulated() ? 10 : QTI_ASAN ? 4 : 1;

	return (n + by - 1) / by;
}

static inline uint64_t stress_setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static inline unsigned stress_rounds(unsigned otherwise)
{
	return (unsigned)stress_setting("QTI_ROUNDS", stress_scaled(otherwise));
}

/* --- random numbers: one state for each thread or task (xorshift64*, S. Vigna, 2016) --------------------- */

static inline uint64_t stress_seed(void)
{
	static uint64_t seed;
	struct timespec now;

	if (!seed) {
		clock_gettime(CLOCK_REALTIME, &now);
		seed = stress_setting("QTI_SEED", (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32);
		seed += !seed;
	}
	return seed;
}

static inline uint64_t stress_state(uint64_t stream)
{
	uint64_t state = (stress_seed() + stream + 1) * UINT64_C(0x9e3779b97f4a7c15);

	return state ? state : 1;
}

/* From 0 to below - 1. */
static inline unsigned stress_random(uint64_t *state, unsigned below)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (unsigned)((*state * UINT64_C(0x2545f4914f6cdd1d) >> 33) % below);
}

static inline void stress_say(unsigned rounds)
{
	diag("QTI_SEED=%llu QTI_ROUNDS=%u", (unsigned long long)stress_seed(), rounds);
}

/* --- waiting without the runtime's knowing --------------------------------------------------------------- */

/* Spins, but leaves the CPU to others now and then: there may be more threads than CPUs, or one at a time. */
#define stress_until(cond) \
	do { \
		for (unsigned stress_spins = 1; !(cond); stress_spins++) { \
			if (stress_spins % 64 == 0) \
				sched_yield(); \
			else \
				cpu_relax(); \
		} \
	} while (0)

static inline void stress_pause(unsigned loops)
{
	for (unsigned i = 0; i < loops; i++)
		cpu_relax();
}

/* --- the watchdog ---------------------------------------------------------------------------------------- */

static const char *stress_phase = "";

static inline void stress_show_worker(const struct qti_worker *w)
{
	diag("worker %u of shepherd %u: state %u, current %p, inbox %u", w->id, w->shepherd->id, load_rlx(&w->state),
		(void *)w->current, qti_taskq_count(&w->inbox));
}

static unsigned stress_half_time;       /* seconds */
static bool stress_late;                /* half of the phase's time is over */

/* From the signal handler: the process is about to end, so locks that stdio may hold are no worry. */
static inline void stress_bark(int sig)
{
	(void)sig;
	if (!stress_late) {
		stress_late = true;
		alarm(stress_half_time);
		return;
	}
	diag("HANG in %s, seed %llu", stress_phase, (unsigned long long)stress_seed());
	if (load_acq(&qti_running)) {
		diag("idle: count %u searching %u parked %u away %u asleep %u draining %d; inbox %u",
			load_rlx(&qti_rt.idle.count), load_rlx(&qti_rt.idle.searching), load_rlx(&qti_rt.idle.parked),
			load_rlx(&qti_rt.idle.away), load_rlx(&qti_rt.idle.asleep), qti_rt.idle.draining, qti_taskq_count(&qti_rt.inbox));
		for (unsigned i = 0; i < qti_rt.nshepherds; i++) {
			struct qti_shepherd *s = &qti_rt.shepherds[i];
			diag("shepherd %u: queued %zu, inbox %u, searching %u, parked %u", i, qti_rt.sched->length(s),
				qti_taskq_count(&s->inbox), load_rlx(&s->searching), load_rlx(&s->parked));
		}
		for (unsigned i = 0; i < qti_rt.nworkers; i++)
			stress_show_worker(&qti_rt.workers[i]);
	}
	abort();
}

/* The phase that begins now has to end within a minute, or ten under valgrind: twice half of that, so that for however
 * long all of the process is stopped, as a suspended machine stops it, half is left to go on in. */
static inline void stress_watch(const char *phase)
{
	struct sigaction action = { .sa_handler = stress_bark, .sa_flags = SA_ONSTACK | SA_RESTART };

	alarm(0);
	stress_phase = phase;
	if (stress_soak)
		return;
	stress_late = false;
	stress_half_time = stress_under_valgrind() || stress_emulated() ? 300 : 30;
	sigaction(SIGALRM, &action, NULL);
	alarm(stress_half_time);
}

/* --- runtimes -------------------------------------------------------------------------------------------- */

struct stress_shape {
	unsigned shepherds, workers; /* in each */
};

static inline void stress_set(const char *name, unsigned value)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", value);
	setenv(name, text, 1);
}

/* That scheduler, on no fewer workers. */
static inline void stress_start_as(const char *scheduler, struct stress_shape shape)
{
	const unsigned least = shape.shepherds * shape.workers;
	const char *other = getenv("QTI_SHAPE");

	if (other) {
		if (sscanf(other, "%ux%u", &shape.shepherds, &shape.workers) != 2 || shape.shepherds * shape.workers == 0)
			bail_out("QTI_SHAPE=%s", other);
		if (shape.shepherds * shape.workers < least)
			shape.workers = (least + shape.shepherds - 1) / shape.shepherds;
	}
	setenv("QT_SCHEDULER", scheduler, 1);
	stress_set("QT_NUM_SHEPHERDS", shape.shepherds);
	stress_set("QT_NUM_WORKERS_PER_SHEPHERD", shape.workers);
	unsetenv("QT_HWPAR");
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("%s on %u x %u: qthread_initialize failed", scheduler, shape.shepherds, shape.workers);
}

/* These, or what QTI_SCHEDULER and QTI_SHAPE ask for. */
static inline void stress_start(const char *scheduler, struct stress_shape shape)
{
	const char *other = getenv("QTI_SCHEDULER");

	stress_start_as(other ? other : scheduler, shape);
}

/* --- where a task has to go so that somebody other than the main task's worker may run it ---------------- */

/* Any task: all policies steal open ones. */
static inline bool stress_steals(void)
{
	return qti_rt.sched->stealable == NULL;
}

/* A task made ready by worker 0 may run elsewhere, wherever its policy puts it. */
static inline bool stress_others_may_take(void)
{
	return qti_rt.nworkers > 1 && !qti_rt.sched->single_taker && (stress_steals() || qti_rt.nshepherds == 1);
}

/* The shepherd of the i-th worker after worker 0, around and around. */
static inline unsigned stress_other(unsigned i)
{
	return qti_rt.workers[1 + i % (qti_rt.nworkers - 1)].shepherd->id;
}

static inline aligned_t stress_nothing(void *unused)
{
	(void)unused;
	return 0;
}

/* t is the caller's again when `finish` is called, which returns false. */
static inline void stress_push_open(struct qti_task *t, qthread_f f, void *arg, qti_task_finish finish)
{
	*t = (struct qti_task){
		.fn = f, .arg = arg, .finish = finish, .flags = QTI_TASK_LIVE | QTI_TASK_NO_RECORD | QTI_TASK_OPEN,
	};
	qti_rt.sched->push(qti_self(), t);
}

/* It is the turn of the i-th worker after worker 0, and there is room. */
static inline void stress_aim_at(unsigned i)
{
	struct qti_worker *w = qti_self();

	do {
		w->target = 1 + i % (qti_rt.nworkers - 1);
		stress_pause(20);
	} while (qti_rt.sched->full(w, SIZE_MAX));
}

/* From the main task, so that that worker, or one of its shepherd, may run it.  Policies that do not steal place tasks
 * in turns: those before the one meant are for show. */
static inline void stress_fork_on(unsigned i, qthread_f f, void *arg)
{
	if (qti_rt.sched->single_taker) {
		stress_aim_at(i);
	} else if (!stress_steals() && qti_rt.nshepherds > 1) {
		qthread_reset_target_shep();
		for (unsigned n = 0; n < stress_other(i); n++)
			qthread_fork(stress_nothing, NULL, NULL);
	}
	qthread_fork(f, arg, NULL);
}

#endif
