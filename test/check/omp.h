/* test/check/omp.h -- a team of OpenMP whose members are threads of a unit; their tasks stand in a queue of the unit's.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Who waits looks once, and sleeps then.
 */
#ifndef CHECK_OMP_H
#define CHECK_OMP_H

#include "check/omp_sources.h"

enum { MEMBERS = CHECK_THREADS, RECORDS = 4, OBJECTS = 6, OBJECT_BYTES = 512 };

static struct qomp_root root;
static struct qomp_team team;
static struct qomp_member member[MEMBERS];
static struct qomp_member *roster[MEMBERS];
static struct qomp_task record[RECORDS];
static unsigned records_used, records_freed;            /* atomic */
static struct qomp_task *queue[RECORDS];                /* atomic; NULL: taken */
static char object[OBJECTS][OBJECT_BYTES] __attribute__((aligned(64)));
static unsigned objects_used;                           /* atomic */
static unsigned no_help;                                /* bits: threads that run no tasks where they wait */
static unsigned helps_asleep;                           /* and those that run them where they sleep, as workers do */
static bool (*help_too)(struct qomp_frame *f);          /* where else there are tasks; NULL: nowhere */

static struct qti_worker *slot_owner;                   /* one for each thread */

/* Of groups alone: threads count in slots of their own, as on workers.  NULL: in the one that they share. */
static struct qti_worker *slot_worker(void)
{
	return slot_owner ? &slot_owner[check_thread()] : NULL;
}

/* Of each thread's own: it has no worker. */
static struct qomp_frame *frame_of(unsigned thread)
{
	return &member[thread].frame;
}

/* As at a region's beginning. */
static inline void team_begin(unsigned n)
{
	team.member = roster;
	team.n = team.room = team.seats = n;
	team.root = &root;
	team.uses_scheduler = true;
	team.region = 1;
	for (unsigned i = 0; i < n; i++) {
		roster[i] = &member[i];
		member[i].team = &team;
		member[i].home = QOMP_OUTSIDE + i;
		member[i].region = 1;
		member[i].frame.team = &team;
		member[i].frame.place = QOMP_OUTSIDE + i;
		member[i].frame.num = (uint16_t)i;
		member[i].frame.flags = QOMP_IMPLICIT;
	}
}

/* A record that nobody has had: who still looks at one that is freed is found. */
static struct qomp_task *task_new(struct qomp_frame *parent, void (*fn)(void *), void *data)
{
	unsigned n = add_rlx(&records_used, 1);

	check_that(n < RECORDS, "there are records enough");
	struct qomp_task *t = &record[n];
	qomp_frame_begin(&t->frame, parent, 0);
	t->frame.fn = fn;
	t->frame.data = data;
	return t;
}

/* Its place in the queue is its record's: nothing but the task itself passes from who puts it there to who takes it. */
static void queue_put(struct qomp_task *t)
{
	(void)swap_acq_rel(&queue[t - record], t);
}

static void task_run_found(struct qomp_frame *f, struct qomp_task *t)
{
	frame_start(&t->frame, f->place, f->num);
	t->frame.fn(t->frame.data);
	task_complete(t);
}

static inline void task_push(struct qomp_task *t)
{
	qomp_task_count(t);
	queue_put(t);
}

/* The same in the team's list. */
static inline void task_list(struct qomp_task *t)
{
	qomp_task_count(t);
	qomp_list_push(t, task_run_found, NULL);
}

static inline bool list_help(struct qomp_frame *f)
{
	return qomp_list_run(f, (struct qomp_filter){ 0 });
}

static void record_freed(struct qomp_task *t)
{
	check_memset(t, 0xa5, sizeof(*t));
	add_rlx(&records_freed, 1);
}

static void *store_get(enum qomp_store kind)
{
	unsigned n = add_rlx(&objects_used, 1);

	(void)kind;
	check_that(n < OBJECTS, "there are objects enough");
	return object[n];
}

/* Groups stay groups. */
static void store_put(enum qomp_store kind, void *o)
{
	if (kind != QOMP_STORE_GROUPS)
		check_memset(o, 0xa5, sizeof(struct qomp_extra));
}

/* Runs a task, as one that was found, on top of f. */
static bool team_run_one(struct qomp_frame *f)
{
	for (unsigned i = 0; i < RECORDS; i++) {
		struct qomp_task *t = load_rlx(&queue[i]) ? swap_acq_rel(&queue[i], NULL) : NULL;
		if (!t)
			continue;
		task_run_found(f, t);
		return true;
	}
	return help_too && help_too(f);
}

static bool team_help(struct qomp_frame *f)
{
	return !(no_help >> check_thread() & 1) && team_run_one(f);
}

/* Who sleeps is a task, and its worker goes on with others of the team; or a thread. */
static void member_await(struct qti_waiter *r)
{
	while (helps_asleep >> check_thread() & 1 && load_acq(&r->state) != QTI_WAITER_WOKEN)
		if (!team_run_one(frame_of(check_thread())))
			check_pause();
	(qti_waiter_await)(r);
}

static inline void team_end(void)
{
	check_that(records_freed == records_used, "each record was freed once");
	check_that(!team.sleepers, "nobody sleeps");
}

#endif
