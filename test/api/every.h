/* test/api/every.h -- the same promises, under every scheduler, on one, two and more workers than cores.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	plan(every_runs() * checks_per_run + others);
 *	every_runtime(run);
 *
 * run(what) is called in the main task of a fresh runtime; `what` names it for the log.
 */
#ifndef QTI_TEST_API_EVERY_H
#define QTI_TEST_API_EVERY_H

#include "tap.h"

#include <qthread.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first EVERY_THOROUGH run on every shape.  The others run where workers can do something to each other: what one
 * worker does alone, test/sched/contract asks of each. */
static const char *const every_scheduler[] = { "q", "l", "cq", "ws", "mts", "xq", "bq", "na-rp", "na-ws" };

/* Shepherds, workers in each.  First those in which workers can do something to each other. */
static const struct {
	const char *shepherds, *workers;
} every_shape[] = { { "1", "2" }, { "2", "2" }, { "1", "1" }, { "2", "1" } };

enum {
	EVERY_SCHEDULERS = sizeof(every_scheduler) / sizeof(every_scheduler[0]),
	EVERY_THOROUGH = 5,
	EVERY_SHAPES = sizeof(every_shape) / sizeof(every_shape[0]),
	EVERY_SHAPES_BRIEF = 2,
};

/* Whether a tool makes everything slow: valgrind, ThreadSanitizer. */
static inline bool every_is_slow(void)
{
#if defined(__SANITIZE_THREAD__)
	return true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
	return true;
#endif
#endif
	return getenv("QTI_TEST_TOOL") && *getenv("QTI_TEST_TOOL");
}

/* Tools take their time; and whoever asks for it by QTI_TEST_BRIEF has run all of it before. */
static inline bool every_is_brief(void)
{
#if defined(__SANITIZE_ADDRESS__)
	return true;
#else
	return every_is_slow() || getenv("QTI_TEST_BRIEF") != NULL;
#endif
}

static inline int every_nshapes(void)
{
	return every_is_brief() ? EVERY_SHAPES_BRIEF : EVERY_SHAPES;
}

/* One for the later schedulers.  In a brief run one for each, but two for the usual one; and none but that if all has
 * run before. */
static inline int every_nshapes_of(int scheduler)
{
	const bool usual = strcmp(every_scheduler[scheduler], "mts") == 0;

	if (getenv("QTI_TEST_BRIEF"))
		return usual ? EVERY_SHAPES_BRIEF : 0;
	if (every_is_brief())
		return usual ? EVERY_SHAPES_BRIEF : 1;
	return scheduler < EVERY_THOROUGH ? EVERY_SHAPES : 1;
}

/* Of every_runtime and every_setting. */
static inline int every_runs(void)
{
	int runs = 0;

	for (int s = 0; s < EVERY_SCHEDULERS; s++)
		runs += every_nshapes_of(s);
	return runs;
}

/* Of every_few_settings: where the scheduler matters little, all shapes are for the usual one. */
static inline int every_few_nshapes_of(int scheduler)
{
	const int nshapes = every_nshapes_of(scheduler);

	return nshapes > 1 && strcmp(every_scheduler[scheduler], "mts") != 0 ? 1 : nshapes;
}

static inline int every_few_runs(void)
{
	int runs = 0;

	for (int s = 0; s < EVERY_SCHEDULERS; s++)
		runs += every_few_nshapes_of(s);
	return runs;
}

/* A tenth of the work then. */
static inline int every_scaled(int n)
{
	return every_is_slow() ? (n + 9) / 10 : n;
}

static inline void every_settings(const char *scheduler, const char *shepherds, const char *workers)
{
	setenv("QT_SCHEDULER", scheduler, 1);
	setenv("QT_NUM_SHEPHERDS", shepherds, 1);
	setenv("QT_NUM_WORKERS_PER_SHEPHERD", workers, 1);
	unsetenv("QT_HWPAR");
}

static inline void every_start(const char *scheduler, const char *shepherds, const char *workers)
{
	every_settings(scheduler, shepherds, workers);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("%s on %s x %s: qthread_initialize failed", scheduler, shepherds, workers);
}

static inline void every_shape_of(int number, int nshapes, void (*run)(const char *what), bool up)
{
	const char *scheduler = every_scheduler[number];

	/* The one shape of a brief run is that of several shepherds. */
	for (int w = nshapes == 1; w < nshapes + (nshapes == 1); w++) {
		char what[64];

		snprintf(what, sizeof(what), "%s %s x %s", scheduler, every_shape[w].shepherds, every_shape[w].workers);
		if (up)
			every_start(scheduler, every_shape[w].shepherds, every_shape[w].workers);
		else
			every_settings(scheduler, every_shape[w].shepherds, every_shape[w].workers);
		run(what);
		if (up)
			qthread_finalize();
	}
}

static inline void every_runtime(void (*run)(const char *what))
{
	for (int s = 0; s < EVERY_SCHEDULERS; s++)
		every_shape_of(s, every_nshapes_of(s), run, true);
}

/* The same, but run starts and stops the runtime by itself; the settings are there. */
static inline void every_setting(void (*run)(const char *what))
{
	for (int s = 0; s < EVERY_SCHEDULERS; s++)
		every_shape_of(s, every_nshapes_of(s), run, false);
}

static inline void every_few_settings(void (*run)(const char *what))
{
	for (int s = 0; s < EVERY_SCHEDULERS; s++)
		every_shape_of(s, every_few_nshapes_of(s), run, false);
}

/* Run body(arg) on an OS thread that is no worker, and wait for it as a task does: other tasks go on meanwhile. */
struct every_external {
	void (*body)(void *arg);
	void *arg;
	aligned_t done;
};

static inline void *every_external_main(void *arg)
{
	struct every_external *e = (struct every_external *)arg;

	e->body(e->arg);
	qthread_fill(&e->done);
	return NULL;
}

static inline void every_outside(void (*body)(void *arg), void *arg)
{
	struct every_external e = { body, arg, 0 };
	pthread_t thread;

	qthread_empty(&e.done);
	if (pthread_create(&thread, NULL, every_external_main, &e) != 0)
		bail_out("pthread_create failed");
	qthread_readFF(NULL, &e.done);
	pthread_join(thread, NULL);
}

#endif
