/* omp/team/member.c -- see omp/team/member.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/member.h"

#include "base/container.h"
#include "base/park.h"
#include "machine/thread.h"
#include "omp/env/text.h"
#include "omp/team/address_wait.h"
#include "omp/team/patience.h"
#include "omp/team/root.h"
#include "sync/waiter.h"

#include <string.h>

/* --- names ----------------------------------------------------------------------------------------------- */

enum { STAND_INS = 2 };                 /* for clang's regions, and for those with task reductions */

static void (*stand_in[STAND_INS])(void *);

void qomp_region_stand_in(void (*fn)(void *))
{
	stand_in[stand_in[0] != NULL] = fn;
}

const void *qomp_region_function(void (*fn)(void *), const void *data)
{
	for (unsigned i = 0; i < STAND_INS; i++)
		if (fn && fn == stand_in[i])
			return *(const void *const *)data;
	return (const void *)fn;
}

/* --- sleeping -------------------------------------------------------------------------------------------- */

enum { ASLEEP = 1 };

/* True if it slept, and does so no longer; the caller wakes it. */
static bool member_rouse(struct qomp_member *m)
{
	uint32_t go = load_rlx(&m->go);

	return go & ASLEEP && cas_acq_rel(&m->go, &go, go & ~(uint32_t)ASLEEP);
}

static bool has_work(struct qomp_member *m)
{
	struct qomp_team *team = m->team;

	qti_word_lock(&team->lock);                                                             /* T8 */
	bool some = load_rlx(&team->list.count) != 0;
	store_rel(&team->lock, 0);
	return some && qomp_member_begun(m);
}

/* False if there is a dispatch, or a task. */
static bool may_sleep(struct qomp_member *m)
{
	uint32_t known = m->seen;

	if (!cas_acq_rel(&m->go, &known, known | ASLEEP))                                       /* T1 */
		return false;
	return !has_work(m) || !member_rouse(m);
}

static bool after_waiting(struct qti_task *left, void *member)
{
	(void)left;
	return may_sleep(member);
}

static void sleep_as_thread(struct qomp_member *m)
{
	if (may_sleep(m))
		while (load_acq(&m->go) == (m->seen | ASLEEP))
			qti_futex_wait(&m->go, m->seen | ASLEEP);
}

void qomp_member_sleep(struct qomp_member *m)
{
	if (qti_self())
		qti_guest_sleep(after_waiting, m);
	else
		sleep_as_thread(m);
}

/* --- as a task ------------------------------------------------------------------------------------------- */

void qomp_member_gone(struct qomp_member *m)
{
	uint32_t *left = &m->team->left;

	add_acq_rel(left, 1);
	qomp_address_wake(left, 1);
}

static bool task_left(struct qti_task *t, aligned_t unused)
{
	(void)unused;
	qomp_member_gone(qti_container_of(t, struct qomp_member, base));
	return false;
}

/* Asleep from the beginning: the first dispatch makes it ready. */
static void launch_task(struct qomp_member *m, qthread_f begin)
{
	qti_guest_task_set(&m->base, &m->more, begin, &m->frame, NULL, task_left, 0);
	qti_guest_task_bind(&m->base, m->home);
	m->go = ASLEEP;
}

/* --- as a thread ----------------------------------------------------------------------------------------- */

/* Once: what it meets in one region is likely to meet in the next, too. */
static void say_short(const struct qomp_member *m, int error)
{
	static uint32_t said;

	if (!swap_acq_rel(&said, 1))
		qomp_warn("cannot start another thread (%s): a region that wanted more runs with %u, and so may others",
		          strerror(error), (unsigned)m->frame.num);
}

static bool launch_thread(struct qomp_member *m, void *(*begin)(void *))
{
	m->home = qomp_outside_place();
	store_rlx(&m->frame.place, m->home);
	int error = qti_thread_create(&m->thread, qomp_settings.stack_size, begin, m);
	m->threaded = error == 0;
	if (error)
		say_short(m, error);
	qomp_patience_count(m->threaded);
	return m->threaded;
}

void qomp_member_join(struct qomp_member *m)
{
	if (!m->threaded)
		return;
	pthread_join(m->thread, NULL);
	m->threaded = false;
	qomp_patience_count(-1);
}

/* --- either ---------------------------------------------------------------------------------------------- */

bool qomp_member_launch(struct qomp_member *m, const struct qomp_life *life)
{
	m->seen = m->go = 0;
	store_rlx(&m->frame.place, m->home);    /* it may run the team's tasks before its first dispatch */
	if (m->home < QOMP_OUTSIDE)
		launch_task(m, life->as_task);
	m->alive = m->home < QOMP_OUTSIDE || launch_thread(m, life->as_thread);
	return m->alive;
}

static void member_wake(struct qomp_member *m)
{
	if (m->home < QOMP_OUTSIDE)
		qti_ready(&m->base);
	else
		qti_futex_wake(&m->go, 1);
}

bool qomp_member_call(struct qomp_member *m)
{
	if (!member_rouse(m))
		return false;
	member_wake(m);
	return true;
}

bool qomp_member_dispatch(struct qomp_member *m, void (*fn)(void *), void *data, uint64_t region)
{
	m->fn = fn;
	m->data = data;
	m->called = region;
	if (!(swap_acq_rel(&m->go, (load_rlx(&m->go) | ASLEEP) + 1) & ASLEEP))                  /* T1 */
		return false;
	member_wake(m);
	return true;
}
