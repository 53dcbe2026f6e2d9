/* omp/team/teams.c -- making teams, keeping their members idle and dismissing them; omp/team/team.h has the protocols.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/teams.h"

#include "base/forked.h"
#include "base/mem.h"
#include "omp/env/text.h"
#include "omp/team/address_wait.h"
#include "omp/team/crew.h"
#include "omp/team/list.h"
#include "omp/team/root.h"
#include "omp/team/tree.h"

#include <pthread.h>
#include <string.h>

/* Teams keep their memory for others until the runtime ends: a task's end may look at a team's words a moment after
 * that team could go on without it. */
static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static struct qomp_team *teams;         /* in use or idle */
static struct qomp_team *unused;

static void *zeroed_lines(size_t size)
{
	void *p = qti_mem_aligned(QTI_CACHE_LINE, qti_mem_round(size, QTI_CACHE_LINE));

	if (!p)
		qomp_fatal("out of memory for an OpenMP team");
	return memset(p, 0, size);
}

/* --- size ------------------------------------------------------------------------------------------------ */

/* Where member i > 0 of a team is whose member 0 is on the thread of frame f.
 *
 * Threads of one team may wait for each other in ways that nobody sees, looking at each other's words.  So members of a
 * top-level team share no thread: what the workers do not suffice for, and all of a team whose thread is no worker,
 * gets threads of its own.  Members of inner teams share the workers.  Member i of top-level teams of one thread is
 * always on the same. */
static uint32_t home_of(const struct qomp_frame *f, unsigned i)
{
	bool inner = f->team->active_level > 0;

	if (f->place >= QOMP_OUTSIDE || (!inner && i >= qti_host_workers()))
		return QOMP_OUTSIDE;
	return (f->place + i) % qti_host_workers();
}

struct qomp_roster {
	struct qomp_roster *smaller;
	struct qomp_member *member[];
};

/* Twice as large as the last one at least: all of them together have no more than twice the seats. */
static void add_roster(struct qomp_team *team, unsigned n)
{
	unsigned seats = n > 2 * team->seats ? n : 2 * team->seats;
	struct qomp_roster *r = zeroed_lines(sizeof(*r) + seats * sizeof(r->member[0]));

	if (team->room)
		memcpy(r->member, team->member, team->room * sizeof(r->member[0]));
	r->smaller = team->rosters;
	team->rosters = r;
	team->seats = seats;
	store_rel(&team->member, r->member);                                                    /* T6 */
}

static void add_members(struct qomp_team *team, unsigned n)
{
	if (n > team->seats)
		add_roster(team, n);
	qomp_shares_fini(&team->shares);        /* PT1: they have words for the members that there were */
	for (unsigned i = team->room; i < n; i++) {
		struct qomp_member *m = zeroed_lines(sizeof(struct qomp_member));
		m->team = team;
		m->frame.team = team;
		m->frame.num = (uint16_t)i;
		m->frame.flags = QOMP_IMPLICIT;
		team->member[i] = m;
		store_rel(&team->room, i + 1);  /* is_kept may look at once */
	}
}

/* Who hosts whom.  Of several members on a worker the first stands for all when explicit tasks run there.  A thread of
 * its own runs tasks only out of the team's list; so do all where the task scheduling constraint is to be kept - who
 * waits can look for children there, and there alone - or priorities, by which it is ordered. */
static void assign_numbers(struct qomp_team *team, const struct qomp_frame *f)
{
	unsigned hosts = 0, outside = f->place >= QOMP_OUTSIDE || team->is_bubble;

	if (!team->number && !outside)
		team->number = zeroed_lines(qti_host_workers() * sizeof(team->number[0]));
	for (unsigned i = 0; !outside && i < qti_host_workers(); i++)
		team->number[i] = QOMP_NOBODY;
	for (unsigned i = 0; !outside && i < team->n; i++) {
		uint32_t home = i == 0 ? f->place : team->member[i]->home;
		outside = home >= QOMP_OUTSIDE;
		if (!outside && team->number[home] == QOMP_NOBODY) {
			team->number[home] = (uint16_t)i;
			hosts++;
		}
	}
	store_rlx(&team->uses_scheduler, team->n > 1 && !outside && hosts == qti_host_workers() && !qomp_list_always());
	team->alone = team->n == 1 && qomp_settings.max_task_priority == 0;
	store_rlx(&team->is_tree, qomp_tree_suits(team));
	qomp_tree_reset(team);
}

void qomp_team_resize(struct qomp_team *team, const struct qomp_frame *f, unsigned n, const struct qomp_life *life)
{
	if (n > team->room)
		add_members(team, n);
	store_rlx(&team->elsewhere, 0);
	store_rel(&team->n, n);                                                                 /* T6 */
	for (unsigned i = 0; i < team->n; i++) {
		struct qomp_member *m = team->member[i];
		store_rlx(&m->created, 0);
		store_rlx(&m->finished, 0);
		if (i > 0 && !m->alive && !team->is_bubble) {
			m->home = home_of(f, i);
			if (!qomp_member_launch(m, life))
				store_rel(&team->n, i);                                         /* T6 */
		}
	}
	assign_numbers(team, f);
}

/* --- making ---------------------------------------------------------------------------------------------- */

static void team_enlist(struct qomp_team **list, struct qomp_team *team)
{
	team->prev = NULL;
	team->next = *list;
	if (*list)
		(*list)->prev = team;
	*list = team;
}

static void team_delist(struct qomp_team **list, struct qomp_team *team)
{
	if (team->next)
		team->next->prev = team->prev;
	if (team->prev)
		team->prev->next = team->next;
	else
		*list = team->next;
}

struct qomp_team *qomp_team_new(struct qomp_root *root)
{
	pthread_mutex_lock(&registry);
	struct qomp_team *team = unused;
	if (team)
		team_delist(&unused, team);
	pthread_mutex_unlock(&registry);
	if (!team)
		team = zeroed_lines(sizeof(*team));
	team->root = root;
	team->outer = NULL;
	team->shallow.size = 0;
	store_rel(&team->n, 0);                                                                 /* T6 */
	qomp_root_keeps_teams(root);
	pthread_mutex_lock(&registry);
	team_enlist(&teams, team);
	pthread_mutex_unlock(&registry);
	return team;
}

void qomp_kept_free(struct qomp_team *team)
{
	struct qomp_kept *k;

	while ((k = team->kept) != NULL) {
		team->kept = k->next;
		qti_mem_free(k->memory);
	}
}

/* --- dismissing ------------------------------------------------------------------------------------------ */

/* Of its own. */
static bool has_threads(const struct qomp_team *team)
{
	unsigned i = 0;

	while (i < team->room && !team->member[i]->threaded)
		i++;
	return i < team->room;
}

/* Every idle member's task ends, and nobody looks at the team any more. */
static void send_away(struct qomp_team *team)
{
	bool crew = has_threads(team) && qomp_crew_may_be();
	uint32_t left = 0;

	if (crew)
		qomp_crew_begin();
	store_rlx(&team->left, 0);
	for (unsigned i = 1; i < team->room; i++) {
		struct qomp_member *m = team->member[i];
		if (!m->alive)
			continue;
		m->alive = false;
		qomp_member_dispatch(m, NULL, NULL, 0);
		left++;
	}
	for (uint32_t seen; (seen = load_acq(&team->left)) != left;)
		qomp_address_wait(&team->left, seen);
	for (unsigned i = 1; i < team->room; i++)
		qomp_member_join(team->member[i]);
	qomp_root_see_off(team->root);
	if (crew)
		qomp_crew_end();
}

static void team_retire(struct qomp_team *team)
{
	send_away(team);
	pthread_mutex_lock(&registry);
	team_delist(&teams, team);
	team_enlist(&unused, team);
	pthread_mutex_unlock(&registry);
}

void qomp_team_dismiss(struct qomp_team *team)
{
	for (unsigned i = 0; i < team->room; i++) {
		struct qomp_team *inner = team->member[i]->idle;
		team->member[i]->idle = NULL;
		if (inner)
			qomp_team_dismiss(inner);
	}
	team_retire(team);
}

/* No region finds it again, nor those idle at its members. */
static void team_unlink(struct qomp_team *team)
{
	team->root->member.idle = NULL;
	for (unsigned i = 0; i < team->room; i++)
		team->member[i]->idle = NULL;
}

/* Under the registry's lock: one whose members are tasks of the runtime; NULL: there is none.  root: of this one, NULL:
 * of any. */
static struct qomp_team *team_inside(const struct qomp_root *root)
{
	struct qomp_team *team = teams;

	while (team && (!team->root->inside || (root && team->root != root)))
		team = team->next;
	return team;
}

/* Who has the lock may be in the handler of a signal, and wait for the caller. */
bool qomp_teams_idle(const struct qomp_root *root)
{
	if (pthread_mutex_trylock(&registry) != 0)
		return true;
	bool any = team_inside(root) != NULL;
	pthread_mutex_unlock(&registry);
	return any;
}

/* Out of the list. */
static struct qomp_team *take_inside(const struct qomp_root *root)
{
	pthread_mutex_lock(&registry);
	struct qomp_team *team = team_inside(root);
	if (team)
		team_delist(&teams, team);
	pthread_mutex_unlock(&registry);
	return team;
}

void qomp_teams_dismiss(const struct qomp_root *root)
{
	struct qomp_team *team;

	while ((team = take_inside(root)) != NULL) {
		team_unlink(team);
		send_away(team);
		pthread_mutex_lock(&registry);
		team_enlist(&unused, team);
		pthread_mutex_unlock(&registry);
	}
}

static void team_free(struct qomp_team *team)
{
	for (unsigned i = 0; i < team->room; i++)
		qti_mem_free(team->member[i]);
	qomp_shares_fini(&team->shares);
	for (struct qomp_roster *r = team->rosters, *smaller; r; r = smaller) {
		smaller = r->smaller;
		qti_mem_free(r);
	}
	qti_mem_free(team->number);
	qti_mem_free(team);
}

void qomp_teams_free(void)
{
	struct qomp_team *team;

	pthread_mutex_lock(&registry);
	while ((team = unused) != NULL) {
		team_delist(&unused, team);
		team_free(team);
	}
	pthread_mutex_unlock(&registry);
	while ((team = take_inside(NULL)) != NULL)      /* its qthread waits for ever, and so do such threads */
		if (!has_threads(team))
			team_free(team);
}

void qomp_teams_each(void (*visit)(struct qomp_team *team, void *arg), void *arg)
{
	pthread_mutex_lock(&registry);
	for (struct qomp_team *team = teams; team; team = team->next)
		visit(team, arg);
	pthread_mutex_unlock(&registry);
}

/* It is kept for a member's next region. */
static bool is_kept(const struct qomp_team *team)
{
	bool kept = team->root->member.idle == team;

	for (const struct qomp_team *t = teams; t && !kept; t = t->next)
		for (unsigned i = 0, n = load_acq(&t->room); t->root == team->root && i < n && !kept; i++)
			kept = load_rlx(&load_acq(&t->member)[i]->idle) == team;         /* T6 */
	return kept;
}

void qomp_teams_each_in_use(
	const struct qomp_root *root, void (*visit)(struct qomp_team *team, void *arg), void *arg)
{
	pthread_mutex_lock(&registry);
	for (struct qomp_team *team = teams; team; team = team->next)
		if (team->root == root && !is_kept(team))
			visit(team, arg);
	pthread_mutex_unlock(&registry);
}

static void take_registry(void)
{
	pthread_mutex_lock(&registry);
}

static void drop_registry(void)
{
	pthread_mutex_unlock(&registry);
}

QTI_FORKED(QTI_FORKED_LOCKS, take_registry, drop_registry, NULL)

/* Their members are the parent's. */
void qomp_teams_forget(void)
{
	for (struct qomp_team *team = teams; team; team = team->next)
		team_unlink(team);
	teams = unused = NULL;
}
