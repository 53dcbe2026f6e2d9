/* omp/team/bind.c -- see omp/team/bind.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/bind.h"

#include "omp/env/places.h"
#include "omp/team/root.h"

static __thread uint32_t bound;         /* the place of this thread, plus one; 0: none */

/* Out of line: the thread of a task that waits is not looked up twice. */
__attribute__((noinline)) static void bind_thread(uint32_t place)
{
	if (bound == place + 1 || !qti_host_runs())
		return;
	bound = place + 1;
	qomp_place_bind(place);         /* if these CPUs have been taken away, it runs where it can */
}

void qomp_unbind(void)
{
	bound = 0;
	if (qomp_places.whole.valid)
		qti_affinity_restore(&qomp_places.whole);
}

/* ---- Who goes where --------------------------------------------------------------------------------------------- */

/* Things in a row are divided into groups as equal as can be, the larger ones first: the group of the i-th thing; the
 * first thing of a group. */
static unsigned group_of(unsigned i, unsigned things, unsigned groups)
{
	unsigned size = things / groups, larger = things % groups, in_larger = larger * (size + 1);

	return i < in_larger ? i / (size + 1) : larger + (i - in_larger) / size;
}

static unsigned group_begin(unsigned group, unsigned things, unsigned groups)
{
	unsigned larger = things % groups;

	return group * (things / groups) + (group < larger ? group : larger);
}

/* How many places further than the parent's thread i of n goes, if there are n_places. */
static unsigned places_on(unsigned i, unsigned n, unsigned n_places)
{
	return n <= n_places ? i : group_of(i, n, n_places);
}

static struct qomp_spot close_to(const struct qomp_spot *from, unsigned i, unsigned n)
{
	struct qomp_spot spot = *from;

	spot.place = from->first + (from->place - from->first + places_on(i, n, from->n)) % from->n;
	return spot;
}

/* Each thread has a part of the places to itself; thread 0's is where the parent is, which it does not leave.  If
 * there are not enough of them, each place is a part. */
static struct qomp_spot spread_over(const struct qomp_spot *from, unsigned i, unsigned n)
{
	unsigned parts = n < from->n ? n : from->n;
	unsigned at = from->place - from->first;
	unsigned part = (group_of(at, from->n, parts) + places_on(i, n, parts)) % parts;
	unsigned begin = group_begin(part, from->n, parts), end = group_begin(part + 1, from->n, parts);

	return (struct qomp_spot){
		.place = i == 0 ? from->place : from->first + begin,
		.first = from->first + begin,
		.n = end - begin,
	};
}

struct qomp_spot qomp_bind_spot(unsigned policy, const struct qomp_spot *from, unsigned i, unsigned n)
{
	switch (policy) {
	case QOMP_BIND_PRIMARY:
		return *from;
	case QOMP_BIND_SPREAD:
		return spread_over(from, i, n);
	default:
		return close_to(from, i, n);
	}
}

struct qomp_spot qomp_bind_where(const struct qomp_frame *f)
{
	struct qomp_spot spot = qomp_member(f)->spot;

	if (spot.n == 0)
		spot.n = qomp_places.n;
	return spot;
}

static bool same_spot(const struct qomp_spot *a, const struct qomp_spot *b)
{
	return a->place == b->place && a->first == b->first && a->n == b->n;
}

/* Most regions find their members where they left them. */
void qomp_bind_team_slow(struct qomp_team *team, unsigned clause)
{
	struct qomp_spot from = qomp_bind_where(team->parent);
	unsigned policy = clause ? clause : team->parent->icv->bind;

	if (qomp_places.n == 0 ||
		(same_spot(&from, &team->bound_from) && policy == team->bound_by && team->n == team->bound_n))
		return;
	for (unsigned i = 0; i < team->n; i++)
		team->member[i]->spot = qomp_bind_spot(policy, &from, i, team->n);
	team->bound_from = from;
	team->bound_by = policy;
	team->bound_n = team->n;
}

struct qomp_whereabouts qomp_bind_whereabouts(const struct qomp_frame *f)
{
	const struct qomp_team *team = f->team;

	return (struct qomp_whereabouts){
		.team_num = team->root->number, .num_teams = team->root->teams,
		.level = team->level, .thread_num = f->num, .num_threads = team->n,
		.ancestor = team->parent ? team->parent->num : -1,
	};
}

/* Once, and again when something of it has changed. */
static void member_show(struct qomp_member *m)
{
	unsigned n = m->team->n, level = m->team->level;
	uint32_t thread = m->frame.place, place = m->spot.place + 1;

	if (m->shown.thread == thread && m->shown.place == place && m->shown.n == n && m->shown.level == level)
		return;
	m->shown.thread = thread;
	m->shown.place = place;
	m->shown.n = n;
	m->shown.level = level;
	struct qomp_whereabouts at = qomp_bind_whereabouts(&m->frame);
	qomp_affinity_show(NULL, &at);
}

void qomp_bind_member_slow(struct qomp_member *m)
{
	if (qomp_places.n > 0)
		bind_thread(m->spot.place);
	if (qomp_settings.display_affinity)
		member_show(m);
}
