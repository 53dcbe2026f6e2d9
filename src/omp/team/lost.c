/* omp/team/lost.c -- see omp/team/lost.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/lost.h"

#include "base/tuning.h"
#include "omp/env/text.h"
#include "omp/team/root.h"
#include "omp/team/teams.h"

#include <time.h>

#define MESSAGE \
	"a thread has called pthread_exit in a parallel region or task, or was cancelled there: others wait for it"

/* --- its regions ----------------------------------------------------------------------------------------- */

struct search {
	const struct qomp_frame *bottom;
	struct qomp_team *alone;        /* a team of one; NULL: there is none */
	bool others;                    /* some team has another member */
	bool awaited;                   /* by such a one */
};

/* The region was met by the thread, which is known by its place. */
static bool is_met_by(const struct qomp_team *team, const struct qomp_frame *bottom)
{
	return load_acq(&team->n) > 0 &&                                                        /* T6 */
		load_rlx(&load_acq(&team->member)[0]->frame.place) == load_rlx(&bottom->place);
}

static bool any_sleeps(const struct qomp_team *team)
{
	bool sleeps = load_acq(&team->asleep) != 0;
	unsigned n = load_acq(&team->n);                                                        /* T6 */
	struct qomp_member **member = load_acq(&team->member);                                  /* T6 */

	for (unsigned i = 0; i < n && !sleeps; i++)
		sleeps = load_acq(&member[i]->tree.sleeper) != NULL;
	return sleeps;
}

/* At a barrier, or at the end, where only thread 0 sleeps. */
static bool is_awaited(const struct qomp_team *team, bool met_by_it)
{
	return any_sleeps(team) || (met_by_it && load_acq(&team->ended) + 1 == team->n);
}

static void search_team(struct qomp_team *team, void *arg)
{
	struct search *s = arg;
	bool met = is_met_by(team, s->bottom);

	if (!met && team != s->bottom->team)
		return;
	if (team->n == 1) {
		s->alone = team;
		return;
	}
	s->others = true;
	s->awaited |= is_awaited(team, met);
}

static struct search search_teams(const struct qomp_frame *bottom)
{
	struct search s = { .bottom = bottom };

	qomp_teams_each_in_use(bottom->team->root, search_team, &s);
	return s;
}

/* --- the thread ------------------------------------------------------------------------------------------ */

static void look_later(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = TUNE_LOST_NS }, NULL);
}

static void stay(const struct qomp_frame *bottom) __attribute__((noreturn));
static void stay(const struct qomp_frame *bottom)
{
	for (unsigned looks = 0;; look_later()) {
		looks = search_teams(bottom).awaited ? looks + 1 : 0;
		if (looks > 0 && bottom->team->root->inside)
			qomp_fatal(MESSAGE);
		if (looks == TUNE_LOST_LOOKS)
			qomp_warn(MESSAGE);
	}
}

void qomp_lost_thread(struct qomp_frame *bottom)
{
	struct search s;

	while (!(s = search_teams(bottom)).others && s.alone)
		qomp_team_dismiss(s.alone);
	if (s.others)
		stay(bottom);
	bottom->group = NULL;
	qti_guest_word_set(bottom);
}

bool qomp_lost_may_stay(const struct qomp_frame *f)
{
	static __thread unsigned looks;         /* of this thread, which does nothing else any more */

	if (search_teams(f).awaited)
		return false;
	/* Others that spin, or wait for a lock that it had, are not seen. */
	if (++looks == TUNE_LOST_LOOKS)
		qomp_warn(MESSAGE);
	look_later();
	return true;
}
