/* omp/abi/api_icv.c -- the routines about control variables.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Values out of range do what they do with GCC: nothing, or as near as possible.
 */
#include "omp/abi/api.h"
#include "omp/abi/allocator.h"
#include "omp/env/display.h"
#include "omp/env/env.h"
#include "omp/env/text.h"
#include "omp/team/standing.h"

static const struct qomp_icv *current_icv(void)
{
	return qomp_frame_now()->icv;
}

void qomp_icv_set(const struct qomp_icv *values)
{
	struct qomp_frame *f = qomp_frame();
	const struct qomp_icv *shared = qomp_icv_of(values);

	if (!shared)
		qomp_fatal("out of memory for a control variable");
	f->icv = shared;
}

void omp_set_num_threads(int threads)
{
	struct qomp_icv v = *current_icv();

	v.nthreads = threads > 0 ? (uint32_t)threads : 1;
	qomp_icv_set(&v);
}
QOMP_FORTRAN_INTEGER(void, omp_set_num_threads)

int omp_get_max_threads(void)
{
	struct qomp_icv room;

	return (int)qomp_icv_asked(&room)->nthreads;
}
QOMP_FORTRAN_SAME(omp_get_max_threads);

int omp_get_thread_limit(void)
{
	struct qomp_icv room;
	uint32_t limit = qomp_icv_asked(&room)->thread_limit;

	return limit > INT_MAX ? INT_MAX : (int)limit;
}
QOMP_FORTRAN_SAME(omp_get_thread_limit);

void omp_set_dynamic(int dynamic)
{
	struct qomp_icv v = *current_icv();

	v.dynamic = dynamic != 0;
	qomp_icv_set(&v);
}
QOMP_FORTRAN_INTEGER(void, omp_set_dynamic)

int omp_get_dynamic(void)
{
	struct qomp_icv room;

	return qomp_icv_asked(&room)->dynamic;
}
QOMP_FORTRAN_SAME(omp_get_dynamic);

void omp_set_nested(int nested)
{
	struct qomp_icv v = *current_icv();

	if (nested)
		v.max_active_levels = QOMP_LEVELS_MAX;
	else if (v.max_active_levels > 1)
		v.max_active_levels = 1;
	qomp_icv_set(&v);
}
QOMP_FORTRAN_INTEGER(void, omp_set_nested)

int omp_get_nested(void)
{
	struct qomp_icv room;
	uint8_t levels = qomp_icv_asked(&room)->max_active_levels;

	return levels > 1 && levels > load_rlx(&qomp_frame_asked()->team->active_level);
}
QOMP_FORTRAN_SAME(omp_get_nested);

void omp_set_max_active_levels(int levels)
{
	struct qomp_icv v = *current_icv();

	if (levels < 0)
		return;
	v.max_active_levels = levels < QOMP_LEVELS_MAX ? (uint8_t)levels : QOMP_LEVELS_MAX;
	qomp_icv_set(&v);
}
QOMP_FORTRAN_INTEGER(void, omp_set_max_active_levels)

int omp_get_max_active_levels(void)
{
	struct qomp_icv room;

	return qomp_icv_asked(&room)->max_active_levels;
}
QOMP_FORTRAN_SAME(omp_get_max_active_levels);

int omp_get_supported_active_levels(void)
{
	return QOMP_LEVELS_MAX;
}
QOMP_FORTRAN_SAME(omp_get_supported_active_levels);

#define MONOTONIC UINT32_C(0x80000000)

void omp_set_schedule(uint32_t kind, int chunk)
{
	struct qomp_icv v = *current_icv();
	uint32_t schedule = kind & ~MONOTONIC;

	if (schedule < QOMP_STATIC || schedule > QOMP_AUTO)
		return;
	if (schedule == QOMP_STATIC)
		v.chunk = chunk < 1 ? 0 : chunk;
	else if (schedule != QOMP_AUTO)
		v.chunk = chunk < 1 ? 1 : chunk;
	v.schedule = (uint8_t)schedule;
	v.monotonic = (kind & MONOTONIC) != 0;
	qomp_icv_set(&v);
}

void omp_set_schedule_(const uint32_t *kind, const int32_t *chunk)
{
	omp_set_schedule(*kind, *chunk);
}

void omp_set_schedule_8_(const uint32_t *kind, const int64_t *chunk)
{
	omp_set_schedule(*kind, qomp_to_int(*chunk));
}

void omp_get_schedule(uint32_t *kind, int *chunk)
{
	struct qomp_icv room;
	const struct qomp_icv *v = qomp_icv_asked(&room);

	*kind = v->schedule | (v->monotonic ? MONOTONIC : 0);
	*chunk = qomp_to_int(v->chunk);
}
QOMP_FORTRAN_SAME(omp_get_schedule);

void omp_get_schedule_8_(uint32_t *kind, int64_t *chunk)
{
	int c;

	omp_get_schedule(kind, &c);
	*chunk = c;
}

int omp_get_proc_bind(void)
{
	struct qomp_icv room;

	return qomp_icv_asked(&room)->bind;
}
QOMP_FORTRAN_SAME(omp_get_proc_bind);

int omp_get_cancellation(void)
{
	return qomp_settings_known() && qomp_settings.cancellation;
}
QOMP_FORTRAN_SAME(omp_get_cancellation);

int omp_get_max_task_priority(void)
{
	return qomp_settings_known() ? (int)qomp_settings.max_task_priority : 0;
}
QOMP_FORTRAN_SAME(omp_get_max_task_priority);

/* --- of the whole program -------------------------------------------------------------------------------- */

void omp_set_num_teams(int teams)
{
	qomp_settings_read();
	if (teams >= 0)
		store_rlx(&qomp_settings.num_teams, (uint32_t)teams);
}
QOMP_FORTRAN_INTEGER(void, omp_set_num_teams)

int omp_get_max_teams(void)
{
	return qomp_settings_known() ? (int)load_rlx(&qomp_settings.num_teams) : 0;
}
QOMP_FORTRAN_SAME(omp_get_max_teams);

void omp_set_teams_thread_limit(int limit)
{
	qomp_settings_read();
	if (limit >= 0)
		store_rlx(&qomp_settings.teams_thread_limit, (uint32_t)limit);
}
QOMP_FORTRAN_INTEGER(void, omp_set_teams_thread_limit)

int omp_get_teams_thread_limit(void)
{
	return qomp_settings_known() ? (int)load_rlx(&qomp_settings.teams_thread_limit) : 0;
}
QOMP_FORTRAN_SAME(omp_get_teams_thread_limit);

/* --- memory ---------------------------------------------------------------------------------------------- */

void omp_set_default_allocator(uintptr_t allocator)
{
	struct qomp_icv v = *current_icv();

	v.allocator = allocator ? allocator : QOMP_ALLOCATOR_DEFAULT;
	qomp_icv_set(&v);
}

void omp_set_default_allocator_(const uintptr_t *allocator)
{
	omp_set_default_allocator(*allocator);
}

uintptr_t omp_get_default_allocator(void)
{
	struct qomp_icv room;

	return qomp_icv_asked(&room)->allocator;
}
QOMP_FORTRAN_SAME(omp_get_default_allocator);

/* --- all of them ----------------------------------------------------------------------------------------- */

void omp_display_env(int verbose)
{
	qomp_settings_read();
	qomp_settings_show(verbose != 0);
}

void omp_display_env_(const int32_t *verbose)
{
	omp_display_env(*verbose != 0);
}

void omp_display_env_8_(const int64_t *verbose)
{
	omp_display_env(*verbose != 0);
}
