/* omp/team/bind.c -- see omp/team/bind.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/bind.h"

#include "omp/env/places.h"
#include "omp/team/root.h"

#include <sys/syscall.h>
#include <unistd.h>

static __thread uint32_t bound;         /* the place of this thread, plus one; 0: none */
static __thread bool released;          /* somebody else has bound the thread since: it stays where it was put */

/* `bound` of the process's first thread, and above it what is to be it until the thread has its new mask.  It writes
 * them, and others read them. */
static uint64_t first_bound;

static bool is_first(void)
{
	return (pid_t)syscall(SYS_gettid) == getpid();
}

static bool mask_is_of(const struct qti_affinity *mask, uint32_t place_plus_1)
{
	struct qti_affinity a;

	if (place_plus_1 == 0)
		return qti_affinity_same(mask, &qomp_places.whole);
	qomp_place_mask(place_plus_1 - 1, &a);
	return qti_affinity_same(mask, &a);
}

static bool mask_is_of_either(const struct qti_affinity *mask, uint64_t both)
{
	return mask_is_of(mask, (uint32_t)both) || mask_is_of(mask, (uint32_t)(both >> 32));
}

/* Whether the first thread has the mask that it got here.  If not, this is it in *now. */
static bool first_keeps(struct qti_affinity *now)
{
	uint64_t before = load_acq(&first_bound);

	return !qti_affinity_of(getpid(), now) || mask_is_of_either(now, before) ||
		mask_is_of_either(now, load_acq(&first_bound));
}

/* The same for the calling thread, which is another one.  It begins with the mask of its creator, which may be bound. */
static bool own_kept(void)
{
	struct qti_affinity own;

	if (!qti_affinity_of(0, &own))
		return false;
	bool found = mask_is_of(&own, bound);
	for (uint32_t i = 1; i <= qomp_places.n && !found && !bound; i++)
		found = mask_is_of(&own, i);
	return found;
}

static void set_mask(uint32_t place)
{
	struct qti_affinity to;

	qomp_place_mask(place, &to);
	qti_affinity_restore(&to);      /* if these CPUs have been taken away, it runs where it can */
}

static void bind_first(uint32_t place)
{
	store_rel(&first_bound, (uint64_t)(place + 1) << 32 | bound);
	set_mask(place);
	store_rel(&first_bound, (uint64_t)(place + 1) << 32 | (place + 1));
}

/* A setter of all threads has come to the first one before: what it has set here would be lost. */
static void bind_other(uint32_t place)
{
	struct qti_affinity first;

	set_mask(place);
	if (first_keeps(&first))
		return;
	qti_affinity_restore(&first);
	released = true;
}

/* Out of line: the thread of a task that waits is not looked up twice. */
__attribute__((noinline)) static void bind_thread(uint32_t place)
{
	struct qti_affinity first;

	if (bound == place + 1 || released || !qti_host_runs())
		return;
	released = !first_keeps(&first) || !(is_first() || own_kept());
	if (released)
		return;
	(is_first() ? bind_first : bind_other)(place);
	bound = place + 1;
}

void qomp_unbind(void)
{
	struct qti_affinity own;

	if (!bound || released || !qti_affinity_of(0, &own) || !mask_is_of(&own, bound))
		return;
	bound = 0;
	qti_affinity_restore(&qomp_places.whole);
	if (is_first())
		store_rel(&first_bound, 0);
}

void qomp_bind_in_child(void)
{
	store_rlx(&first_bound, (uint64_t)bound << 32 | bound);
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
