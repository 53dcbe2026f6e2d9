/* omp/abi/gomp_teams.c -- teams: leagues whose teams come one after the other.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/api.h"
#include "omp/abi/device.h"
#include "omp/abi/gomp_teams.h"
#include "omp/team/standing.h"
#include "omp/team/told.h"
#include "omp/tool/tell.h"

enum { TEAMS = 3 };     /* if nobody says how many */

static struct qomp_icv limited_icv(const struct qomp_icv *icv, unsigned limit)
{
	struct qomp_icv v = *icv;

	if (limit != 0)
		v.thread_limit = limit > INT_MAX ? QOMP_UNLIMITED : limit;
	return v;
}

/* On the host: each team is an initial task's. */
void gomp_league_run(void (*fn)(void *), void *data, unsigned teams, unsigned limit)
{
	struct qomp_frame *f = qomp_frame();
	struct qomp_icv v = limited_icv(f->icv, limit ? limit : load_rlx(&qomp_settings.teams_thread_limit));
	unsigned wanted = teams ? teams : load_rlx(&qomp_settings.num_teams);
	struct qomp_league league = { .teams = wanted ? wanted : TEAMS };

	if (qomp_tool_here())
		league.told = qomp_tell_league_begin(qomp_told_of(f), league.teams);
	for (; league.number < league.teams; league.number++) {
		struct qomp_root *r = qomp_root_enter(f, f->icv, &league);
		qomp_icv_set(&v);
		fn(data);
		qomp_root_leave(r);
	}
	qomp_tell_parallel_end(league.told);
}

void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned teams, unsigned limit, unsigned flags)
{
	(void)flags;
	qomp_tool_called();
	gomp_league_run(fn, data, teams, limit);
}

/* In a target region, whose initial task goes from team to team: true while there is one more. */
bool GOMP_teams4(unsigned least, unsigned most, unsigned limit, bool first)
{
	struct qomp_frame *f = qomp_frame();
	struct qomp_root *r = f->team->root;

	(void)most;
	if (first) {
		struct qomp_icv v = limited_icv(f->icv, limit);
		qomp_icv_set(&v);
		r->number = 0;
		r->teams = least > 0 ? least : 1;
		return true;
	}
	if (r->number + 1 < r->teams) {
		r->number++;
		return true;
	}
	r->number = 0;
	r->teams = 1;
	return false;
}

/* Before GCC 12 there is no loop: one team. */
void GOMP_teams(unsigned teams, unsigned limit)
{
	GOMP_teams4(1, teams, limit, true);
}
