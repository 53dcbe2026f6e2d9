/* omp/abi/api_threads.c -- the routines that say where the calling task is, and when.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/api.h"
#include "omp/env/env.h"
#include "omp/env/places.h"
#include "omp/team/standing.h"

#include <time.h>

int omp_get_num_threads(void)
{
	return (int)load_rlx(&qomp_frame_asked()->team->n);
}
QOMP_FORTRAN_SAME(omp_get_num_threads);

int omp_get_thread_num(void)
{
	return qomp_frame_asked()->num;
}
QOMP_FORTRAN_SAME(omp_get_thread_num);

int omp_in_parallel(void)
{
	return load_rlx(&qomp_frame_asked()->team->active_level) > 0;
}
QOMP_FORTRAN_SAME(omp_in_parallel);

int omp_get_level(void)
{
	return (int)load_rlx(&qomp_frame_asked()->team->level);
}
QOMP_FORTRAN_SAME(omp_get_level);

int omp_get_active_level(void)
{
	return (int)load_rlx(&qomp_frame_asked()->team->active_level);
}
QOMP_FORTRAN_SAME(omp_get_active_level);

/* The frame of the calling task, or of the one in the given level that has led to it; NULL if there is no such
 * level.  A member that rests has no other level than its own and the outermost. */
static const struct qomp_frame *at_level(int level)
{
	const struct qomp_frame *f = qomp_frame_asked();
	const unsigned deepest = load_rlx(&f->team->level);

	if (level < 0 || (unsigned)level > deepest)
		return NULL;
	if ((unsigned)level < deepest && f->flags & QOMP_RESTING)
		return &qomp_root_of_nobody.member.frame;
	while ((unsigned)level < deepest && f->team->level > (unsigned)level)
		f = f->team->parent;
	return f;
}

int omp_get_ancestor_thread_num(int level)
{
	const struct qomp_frame *f = at_level(level);

	return f ? f->num : -1;
}
QOMP_FORTRAN_INTEGER(int, omp_get_ancestor_thread_num)

int omp_get_team_size(int level)
{
	const struct qomp_frame *f = at_level(level);

	return f ? (int)load_rlx(&f->team->n) : -1;
}
QOMP_FORTRAN_INTEGER(int, omp_get_team_size)

int omp_get_num_teams(void)
{
	return (int)qomp_frame_asked()->team->root->teams;
}
QOMP_FORTRAN_SAME(omp_get_num_teams);

int omp_get_team_num(void)
{
	return (int)qomp_frame_asked()->team->root->number;
}
QOMP_FORTRAN_SAME(omp_get_team_num);

int omp_in_final(void)
{
	return (qomp_frame_asked()->flags & QOMP_FINAL) != 0;
}
QOMP_FORTRAN_SAME(omp_in_final);

int omp_in_explicit_task(void)
{
	return (qomp_frame_asked()->flags & QOMP_IMPLICIT) == 0;
}
QOMP_FORTRAN_SAME(omp_in_explicit_task);

/* The process's CPUs, or its quota.  Threads that we bind do not see them all themselves; otherwise their mask may have
 * changed since. */
int omp_get_num_procs(void)
{
	struct qti_affinity now;

	if (qomp_settings_known() && qomp_places.n != 0)
		return (int)qomp_settings.procs;
	return (int)qomp_settings_procs(qti_affinity_save(&now));
}
QOMP_FORTRAN_SAME(omp_get_num_procs);

static double seconds(const struct timespec *t)
{
	return (double)t->tv_sec + (double)t->tv_nsec / 1e9;
}

double omp_get_wtime(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return seconds(&t);
}
QOMP_FORTRAN_SAME(omp_get_wtime);

double omp_get_wtick(void)
{
	struct timespec t;

	clock_getres(CLOCK_MONOTONIC, &t);
	return seconds(&t);
}
QOMP_FORTRAN_SAME(omp_get_wtick);
