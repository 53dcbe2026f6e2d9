/* omp/team/told_lock.c -- see omp/team/told_lock.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/told_lock.h"

#include "base/race.h"
#include "omp/team/told.h"

static struct qomp_told *running_told(void)
{
	return qomp_told_of(qomp_frame());
}

void qomp_lock_init_told(const void *l, ompt_mutex_t kind, unsigned hint)
{
	qomp_tell_lock_init(running_told(), kind, hint, l);
}

void qomp_lock_destroy_told(const void *l, ompt_mutex_t kind)
{
	qomp_tell_lock_destroy(running_told(), kind, l);
}

void qomp_lock_take_told(uint32_t *l, ompt_mutex_t kind)
{
	struct qomp_told *t = running_told();

	qomp_tell_acquire(t, kind, 0, l);
	qomp_lock_take(l);
	qti_race_acquire(l);
	qomp_tell_acquired(t, kind, l);
}

bool qomp_lock_try_told(uint32_t *l)
{
	struct qomp_told *t = running_told();

	qomp_tell_acquire(t, ompt_mutex_test_lock, 0, l);
	bool taken = qomp_lock_try(l);
	if (taken) {
		qti_race_acquire(l);
		qomp_tell_acquired(t, ompt_mutex_test_lock, l);
	} else {
		qomp_tell_not_acquired(t);
	}
	return taken;
}

void qomp_lock_drop_told(uint32_t *l, ompt_mutex_t kind)
{
	struct qomp_told *t = running_told();

	qti_race_release(l);
	qomp_lock_drop(l);
	qomp_tell_released(t, kind, l);
}

void qomp_section_enter_telling(uint32_t *word, ompt_mutex_t kind)
{
	struct qomp_told *t = running_told();

	qomp_tell_acquire(t, kind, 0, word);
	qomp_section_enter(word);
	qti_race_acquire(word);
	qomp_tell_acquired(t, kind, word);
}

void qomp_section_leave_telling(uint32_t *word, ompt_mutex_t kind)
{
	struct qomp_told *t = running_told();

	qti_race_release(word);
	qomp_section_leave(word);
	qomp_tell_released(t, kind, word);
}

static void nest_tell(struct qomp_told *t, ompt_mutex_t kind, unsigned times, const uint64_t *l)
{
	if (times != 0)
		qti_race_acquire(l);
	if (times == 0)
		qomp_tell_not_acquired(t);
	else if (times == 1)
		qomp_tell_acquired(t, kind, l);
	else
		qomp_tell_nested(t, ompt_scope_begin, l);
}

unsigned qomp_nest_take_told(uint64_t *l)
{
	struct qomp_told *t = running_told();

	qomp_tell_acquire(t, ompt_mutex_nest_lock, 0, l);
	unsigned times = qomp_nest_take(qomp_frame(), l);
	nest_tell(t, ompt_mutex_nest_lock, times, l);
	return times;
}

unsigned qomp_nest_try_told(uint64_t *l)
{
	struct qomp_told *t = running_told();

	qomp_tell_acquire(t, ompt_mutex_test_nest_lock, 0, l);
	unsigned times = qomp_nest_try(qomp_frame(), l);
	nest_tell(t, ompt_mutex_test_nest_lock, times, l);
	return times;
}

void qomp_nest_drop_told(uint64_t *l)
{
	struct qomp_told *t = running_told();

	qti_race_release(l);
	if (qomp_nest_drop(l))
		qomp_tell_released(t, ompt_mutex_nest_lock, l);
	else
		qomp_tell_nested(t, ompt_scope_end, l);
}
