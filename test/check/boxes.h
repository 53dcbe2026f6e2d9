/* test/check/boxes.h -- core/idle.c and what it needs, with a policy of the units' own.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each worker has a box for each task, and takes from all boxes.  What the policy does not promise passes from nobody
 * to nobody.
 */
#ifndef CHECK_BOXES_H
#define CHECK_BOXES_H

#include "check/outside.h"

#define qti_visit_begin_anyhow() ((void)0)
#define sched_getcpu() 0

#include "core/worker.c"
#include "core/notify.c"
#define make_ready ready_make_ready
#include "core/ready.c"
#include "core/next.c"
#include "core/idle.c"
#include "core/duty.c"

#include <stdlib.h>

enum { WORKERS = 3, SHEPHERDS = 2, TASKS = 2 };

static struct qti_worker *worker;               /* WORKERS of them, of one shepherd */
static struct qti_shepherd *shepherd;           /* SHEPHERDS */
static struct qti_task task[TASKS];
static struct qti_task *box[WORKERS][TASKS];    /* atomic; NULL: empty */
static unsigned data[TASKS];
static unsigned started;                        /* atomic */

/* --- the policy ------------------------------------------------------------------------------------------- */

static void box_push(struct qti_worker *w, struct qti_task *t)
{
	store_rel(&box[w->id][t - task], t);
	qti_notify(w->shepherd);
}

static struct qti_task *box_take(unsigned of)
{
	struct qti_task *t = NULL;

	for (unsigned i = 0; !t && i < TASKS; i++)
		if (load_rlx(&box[of][i]))
			t = swap_acq(&box[of][i], NULL);
	return t;
}

static struct qti_task *box_pop(struct qti_worker *w)
{
	return box_take(w->id);
}

static struct qti_task *box_steal(struct qti_worker *w, bool final)
{
	struct qti_task *t = NULL;

	(void)final;
	for (unsigned i = 0; !t && i < qti_rt.nworkers; i++)
		if (i != w->id)
			t = box_take(i);
	return t;
}

static size_t box_length(const struct qti_shepherd *s)
{
	size_t n = 0;

	(void)s;
	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		for (unsigned k = 0; k < TASKS; k++)
			n += load_rlx(&box[i][k]) != NULL;
	return n;
}

static const struct qti_sched boxes = {
	.name = "boxes", .push = box_push, .pop = box_pop, .steal = box_steal, .length = box_length,
};

/* --- for units --------------------------------------------------------------------------------------------- */

static void make(unsigned i)
{
	data[i] = 1;
	task[i].arg = &data[i];
}

static void run_task(struct qti_task *t)
{
	check_that(t != NULL, "a worker goes on with a task");
	check_that(*(unsigned *)t->arg == 1, "a task is whole");
	add_rlx(&started, 1);
}

/* A task that keeps its worker until all have started. */
static void stay_busy(unsigned tasks)
{
	while (load_rlx(&started) < tasks)
		check_pause();
}

static void begin_with(unsigned workers)
{
	qti_rt.sched = &boxes;
	qti_rt.workers = worker;
	qti_rt.shepherds = shepherd;
	qti_rt.nworkers = workers;
	qti_rt.nshepherds = 1;
	shepherd->workers = worker;
	shepherd->nworkers = workers;
	shepherd->stand_in = shepherd;
	for (unsigned i = 0; i < workers; i++) {
		worker[i].shepherd = shepherd;
		worker[i].id = i;
	}
}

/* The last of them sleeps already: who goes on with it begins with wake_up. */
static void begin_one_asleep(unsigned workers)
{
	struct qti_worker *w = &worker[workers - 1];

	begin_with(workers);
	w->state = QTI_WORKER_ASLEEP;
	w->hands = QTI_HANDS_EMPTY;
	qti_rt.idle.count = qti_rt.idle.parked = shepherd->parked = 1;
	qti_rt.idle.asleep = 1;
}

/* As in idle(), from there on. */
static struct qti_task *wake_up(struct qti_worker *w)
{
	uint32_t state;

	while ((state = load_acq(&w->state)) != QTI_WORKER_AWAKE)
		qti_futex_wait(&w->state, state);
	struct qti_task *t = search_for_task(w);
	search_end(w->shepherd);
	sub_rlx(&qti_rt.idle.count, 1);
	pass_on(w);
	return t ? t : qti_idle(w);
}

static void work(unsigned thread)
{
	struct qti_worker *w = qti_worker_self = &worker[thread];

	while (!load_acq(&qti_rt.idle.stop)) {
		struct qti_task *t = load_rlx(&w->off) ? qti_idle_away(w) : qti_idle(w);
		if (t) {
			run_task(t);
			qti_idle_stop();
		}
	}
}

static void end(void)
{
	check_that(qti_rt.idle.count == 0 && qti_rt.idle.asleep == 0 && qti_rt.idle.parked == 0, "the counts are right");
	check_that(qti_rt.idle.searching == 0 && shepherd->searching == 0 && shepherd->parked == 0, "the counts are right");
}

/* Before check_run; false: there is no memory. */
static bool boxes_made(void)
{
	store_rlx(&qti_poll_rate, 0);
	worker = aligned_alloc(QTI_CACHE_LINE, WORKERS * sizeof(*worker));
	shepherd = aligned_alloc(QTI_CACHE_LINE, SHEPHERDS * sizeof(*shepherd));
	if (!worker || !shepherd)
		return false;
	memset(worker, 0, WORKERS * sizeof(*worker));
	memset(shepherd, 0, SHEPHERDS * sizeof(*shepherd));
	check_local(&qti_worker_self, sizeof(qti_worker_self));
	return true;
}

#endif
