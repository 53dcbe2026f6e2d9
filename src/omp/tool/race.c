/* omp/tool/race.c -- see omp/tool/race.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tool/race.h"

#include "base/mem.h"
#include "omp/tool/thread.h"

#include <string.h>

enum { OF_BEGIN, OF_TASKS, OF_END, OF_BARRIERS, OF_REGION = OF_BARRIERS + 2 };
enum { OF_CREATION, OF_CHILDREN, OF_TASK };

enum { GROUP = QTI_RACE_GUEST, THREAD };        /* kinds of tokens by address */

static char *token_at(char *tokens, unsigned i)
{
	return tokens ? tokens + (size_t)i * QTI_RACE_TOKEN : NULL;
}

static void release(char *token)
{
	if (token)
		qti_race_release_token(token);
}

static void acquire(char *token)
{
	if (token)
		qti_race_acquire_token(token);
}

/* --- regions --------------------------------------------------------------------------------------------- */

void qomp_race_parallel(struct qomp_told_region *r)
{
	if (!qti_races() || !r)
		return;
	r->race = qti_race_tokens(OF_REGION);
	release(token_at(r->race, OF_BEGIN));
}

void qomp_race_member_begin(struct qomp_told *t)
{
	if (!qti_races() || !t)
		return;
	if (!t->region->race)
		t->region->race = qti_race_tokens(OF_REGION);           /* an initial task's */
	t->race.team = t->region->race;
	t->race.own = qti_race_tokens(OF_TASK);
	acquire(token_at(t->race.team, OF_BEGIN));
}

void qomp_race_member_end(struct qomp_told *t)
{
	if (!qti_races() || !t)
		return;
	release(t->race.thread);
	release(token_at(t->race.team, OF_END));
}

/* --- waiting --------------------------------------------------------------------------------------------- */

static bool is_barrier(ompt_sync_region_t kind)
{
	switch (kind) {
	case ompt_sync_region_barrier:
	case ompt_sync_region_barrier_implicit:
	case ompt_sync_region_barrier_explicit:
	case ompt_sync_region_barrier_implementation:
	case ompt_sync_region_barrier_implicit_workshare:
	case ompt_sync_region_barrier_teams:
		return true;
	default:
		return false;
	}
}

void qomp_race_sync_begin(struct qomp_told *t, ompt_sync_region_t kind)
{
	if (!qti_races() || !t)
		return;
	release(t->race.thread);        /* others may use it now */
	if (is_barrier(kind))
		release(token_at(t->race.team, OF_BARRIERS + t->race.barriers % 2));
}

void qomp_race_sync_end(struct qomp_told *t, ompt_sync_region_t kind)
{
	if (!qti_races() || !t)
		return;
	if (is_barrier(kind)) {
		acquire(token_at(t->race.team, OF_BARRIERS + t->race.barriers++ % 2));
		acquire(token_at(t->race.team, OF_TASKS));
	} else if (kind == ompt_sync_region_barrier_implicit_parallel) {
		acquire(token_at(t->race.team, OF_END));
		acquire(token_at(t->race.team, OF_TASKS));
	} else if (kind == ompt_sync_region_taskwait) {
		acquire(token_at(t->race.own, OF_CHILDREN));
	}
}

/* --- dependences ----------------------------------------------------------------------------------------- */

/* Of an address among the children of one task, for siblings alone are ordered: what its readers have released, its
 * writers, and those that come in a set. */
enum depend_token { READERS = THREAD + 1, WRITERS, SETS };

/* parent: the token by which its children end. */
static void depend_token(const void *address, const char *parent, enum depend_token who, void (*does)(char *))
{
	const uintptr_t among = (uintptr_t)parent * (uintptr_t)UINT64_C(0x9e3779b97f4a7c15);

	does(qti_race_token_of((const void *)((uintptr_t)address ^ among), who));
}

static const void *all_memory;

/* A task that depends on all memory comes after all of its siblings and before all. */
static bool is_all(const ompt_dependence_t *d)
{
	return d->dependence_type == ompt_dependence_type_inout_all_memory ||
	       d->dependence_type == ompt_dependence_type_out_all_memory;
}

static void depend_acquire(const ompt_dependence_t *d, const char *parent)
{
	depend_token(&all_memory, parent, WRITERS, acquire);
	if (is_all(d)) {
		depend_token(&all_memory, parent, READERS, acquire);
		return;
	}
	depend_token(d->variable.ptr, parent, WRITERS, acquire);
	if (d->dependence_type != ompt_dependence_type_inoutset)
		depend_token(d->variable.ptr, parent, SETS, acquire);
	if (d->dependence_type != ompt_dependence_type_in)
		depend_token(d->variable.ptr, parent, READERS, acquire);
}

static void depend_release(const ompt_dependence_t *d, const char *parent)
{
	if (is_all(d)) {
		depend_token(&all_memory, parent, WRITERS, release);
		return;
	}
	depend_token(&all_memory, parent, READERS, release);
	if (d->dependence_type == ompt_dependence_type_in)
		depend_token(d->variable.ptr, parent, READERS, release);
	else
		depend_token(d->variable.ptr, parent,
			d->dependence_type == ompt_dependence_type_inoutset ? SETS : WRITERS, release);
}

/* Without memory for the list the checker may report what is none, and nobody has promised that it does not. */
void qomp_race_depends(struct qomp_told *t, const ompt_dependence_t *list, int n)
{
	if (!qti_races() || !t || n <= 0 || !(t->race.depends = qti_mem_alloc((size_t)n * sizeof(*list))))
		return;
	qti_race_ignore(true);
	memcpy(t->race.depends, list, (size_t)n * sizeof(*list));
	qti_race_ignore(false);
	t->race.ndepends = n;
}

static void depends_each(const struct qomp_told *t, void (*does)(const ompt_dependence_t *, const char *parent))
{
	for (int i = 0; i < t->race.ndepends; i++)
		does(&t->race.depends[i], t->race.siblings);
}

void qomp_race_waited(const struct qomp_told *t, const ompt_dependence_t *list, int n)
{
	for (int i = 0; qti_races() && t && i < n; i++)
		depend_acquire(&list[i], token_at(t->race.own, OF_CHILDREN));
}

void qomp_race_drop(struct qomp_told *t)
{
	qti_mem_free(t->race.depends);
}

/* --- explicit tasks -------------------------------------------------------------------------------------- */

void qomp_race_created(struct qomp_told *creator, struct qomp_told *t)
{
	if (!qti_races() || !t)
		return;
	t->race.own = qti_race_tokens(OF_TASK);
	t->race.siblings = token_at(creator->race.own, OF_CHILDREN);
	t->race.team = creator->race.team;
	release(token_at(t->race.own, OF_CREATION));
}

void qomp_race_task_begin(struct qomp_told *t)
{
	if (!qti_races() || !t)
		return;
	acquire(token_at(t->race.own, OF_CREATION));
	depends_each(t, depend_acquire);
}

/* Its event may have been fulfilled by another thread, or it is what this one does now. */
void qomp_race_task_end(struct qomp_told *t)
{
	if (!qti_races() || !t)
		return;
	acquire(token_at(t->race.own, OF_CREATION));
	depends_each(t, depend_release);
	release(token_at(t->race.own, OF_CREATION));
	release(t->race.siblings);
	release(t->race.group);
	release(t->race.thread);
	release(token_at(t->race.team, OF_TASKS));
}

/* --- groups ---------------------------------------------------------------------------------------------- */

void qomp_race_group(struct qomp_told *t, const void *g)
{
	if (qti_races() && t && g)
		t->race.group = qti_race_token_of(g, GROUP);
}

void qomp_race_group_end(const void *g)
{
	if (qti_races())
		acquire(qti_race_token_of(g, GROUP));
}

void qomp_race_shares(struct qomp_told *t, const void *thread)
{
	if (!qti_races() || !t)
		return;
	t->race.thread = qti_race_token_of(thread, THREAD);
	acquire(t->race.thread);
}
