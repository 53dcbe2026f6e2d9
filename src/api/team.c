/* api/team.c -- teams: a leader whose result waits until the last task of the team has ended.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   unfinished   members that have not ended, the leader among them, and subteams that have not
 *
 * TM1  A member is counted by its forker, and a subteam by its leader's forker, which is a member itself and has not
 *      ended: the count cannot be zero then and does not come back from zero.  Hence relaxed.
 * TM2  A member that ends lowers the count (acquire-release) after its own result is where it belongs (or waits for
 *      that, in the member's descriptor).  The one that reaches zero sees through that chain what all the others did,
 *      and the leader's value; so does whoever reads the leader's result, which it delivers.
 * TM3  Until then the leader's descriptor stays, and nobody but the one who reaches zero touches it.  That one gives it
 *      back, and the team, and after that lowers the count of the team above.
 * TM4  Finalize empties `none_left`, fence_sc, looks at `teams` || the end of the last team lowers teams, fence_sc,
 *      fills none_left.  Store buffering: one of them sees the other.
 *
 * A task's finish does all that, so running a task is the same with teams and without.
 * Checked by test/api/team.c and test/stress/team.c.
 */
#include "api/team.h"

#include "base/diag.h"
#include "base/race.h"
#include "core/idle.h"
#include "core/loop.h"

struct qti_team {
	uint64_t unfinished QTI_ALIGNED_LINE;
	struct qti_team *parent;        /* the team to tell; NULL: none, or the default one */
	struct qti_task *leader;
	aligned_t value;                /* the leader's, once it has returned */
	uint32_t id, parent_id;
};

enum { TEAM_BATCH = 16, SLAB_FIRST = 4 << 10, SLAB_MAX = 1 << 20 };

/* A team outlives its tasks only where finalize does not wait for it; then it goes with the pool. */
static struct qti_pool pool;
static uint32_t next_id;
static uint32_t teams;                  /* explicit ones that have not ended */
static aligned_t none_left;             /* empty while finalize waits; only its address is used */

void qti_teams_init(void)
{
	qti_pool_init(&pool, &(struct qti_pool_config){
		.size = sizeof(struct qti_team), .batch = TEAM_BATCH,
		.first_slab = SLAB_FIRST, .max_slab = SLAB_MAX });
	store_rlx(&next_id, QTHREAD_DEFAULT_TEAM_ID + 1);
	store_rlx(&teams, 0);
}

void qti_teams_fini(void)
{
	qti_pool_fini(&pool);
}

void qti_teams_forget(void)
{
	qti_pool_forget(&pool);
}

static struct qti_membership *membership_of(struct qti_task *t)
{
	return (struct qti_membership *)(void *)(qti_task_record(t) + qti_rt.local_bytes + qti_team_arg_room(t));
}

/* The explicit team of the running task, NULL: none. */
static struct qti_team *current_team(void)
{
	struct qti_task *t = qti_current();

	return t && qti_task_is(t, QTI_TASK_TEAM) ? membership_of(t)->team : NULL;
}

/* --- the end --------------------------------------------------------------------------------------------- */

static bool result_deliver(struct qti_task *t, qti_task_finish how, aligned_t value)
{
	return !how || how(t, value);
}

/* Everybody has ended.  What the leader's result sets off - a sinc's operation - runs as the leader, in no team. */
static void team_conclude(struct qti_team *team)
{
	struct qti_task *leader = team->leader;
	qti_task_finish how = membership_of(leader)->deliver;

	qti_race_pass(team, leader->ret, QTI_RACE_OBJECT);
	if (team->parent)
		qti_race_pass(team, team->parent, QTI_RACE_OBJECT);
	leader->flags &= ~(uint32_t)QTI_TASK_TEAM;
	struct qti_role last = qti_role_take(leader);
	if (result_deliver(leader, how, team->value))
		qti_task_discard(leader);
	qti_role_return(&last);
	qti_pool_put_shared(&pool, team);
}

/* TM4 */
static void count_down(void)
{
	if (sub_acq_rel(&teams, 1) != 1)
		return;
	fence_sc();                                                             /* TM4 */
	qthread_fill(&none_left);
}

static void team_leave(struct qti_team *team)
{
	while (team && sub_acq_rel(&team->unfinished, 1) == 1) {                /* TM2 */
		struct qti_team *parent = team->parent;
		team_conclude(team);                                                 /* TM3 */
		count_down();
		team = parent;
	}
}

static bool finish_member(struct qti_task *t, aligned_t value)
{
	struct qti_team *team = membership_of(t)->team;
	bool free = result_deliver(t, membership_of(t)->deliver, value);

	qti_race_release(team);
	team_leave(team);
	return free;
}

static bool finish_leader(struct qti_task *t, aligned_t value)
{
	struct qti_team *team = membership_of(t)->team;

	team->value = value;
	qti_race_release(team);
	qti_task_release(t, qti_self());        /* it may be long before somebody else ends */
	team_leave(team);
	return false;                                                           /* TM3 */
}

/* --- the beginning --------------------------------------------------------------------------------------- */

static struct qti_team *new_team(struct qti_task *leader, bool below_callers)
{
	struct qti_team *team = qti_pool_get_shared(&pool), *parent = below_callers ? current_team() : NULL;

	if (!team)
		return NULL;
	*team = (struct qti_team){
		.unfinished = 1,
		.leader = leader,
		.parent = parent,
		.parent_id = parent ? parent->id : below_callers ? QTHREAD_DEFAULT_TEAM_ID : QTHREAD_NON_TEAM_ID,
	};
	return team;
}

int qti_team_choose(struct qti_task *t, unsigned features)
{
	bool leads = features & (QTHREAD_SPAWN_NEW_TEAM | QTHREAD_SPAWN_NEW_SUBTEAM);
	struct qti_team *team = leads ? new_team(t, !(features & QTHREAD_SPAWN_NEW_TEAM)) : current_team();

	if (!team)
		return leads ? QTHREAD_MALLOC_ERROR : QTHREAD_SUCCESS;
	t->flags |= QTI_TASK_TEAM;
	membership_of(t)->team = team;
	return QTHREAD_SUCCESS;
}

void qti_team_unchoose(struct qti_task *t)
{
	if (qti_task_is(t, QTI_TASK_TEAM) && membership_of(t)->team->leader == t)
		qti_pool_put_shared(&pool, membership_of(t)->team);
}

/* Numbers are handed out in the order of creation; on their way round they leave out those that mean no team. */
static uint32_t new_id(void)
{
	uint32_t id;

	do
		id = add_rlx(&next_id, 1);
	while (id <= QTHREAD_DEFAULT_TEAM_ID || id == QTHREAD_NULL_TEAM_ID);
	return id;
}

void qti_team_enter(struct qti_task *t)
{
	if (!qti_task_is(t, QTI_TASK_TEAM))
		return;
	struct qti_team *team = membership_of(t)->team;
	bool leads = team->leader == t;
	struct qti_team *counted = leads ? team->parent : team;

	membership_of(t)->deliver = t->finish;
	t->finish = leads ? finish_leader : finish_member;
	if (counted)
		add_rlx(&counted->unfinished, 1);                               /* TM1 */
	if (leads) {
		team->id = new_id();
		add_rlx(&teams, 1);
	}
}

/* --- finalize -------------------------------------------------------------------------------------------- */

bool qti_teams_await(void)
{
	uint32_t left = load_rlx(&teams);

	if (left == 0)
		return false;
	qti_warn("qthread_finalize: waiting for %u team(s) none of whose tasks can go on by itself", left);
	qti_let_yielders_on();
	if (qthread_empty(&none_left) != QTHREAD_SUCCESS)
		return false;
	fence_sc();                                                             /* TM4 */
	int rc = load_rlx(&teams) != 0 ? qthread_readFF(NULL, &none_left) : QTHREAD_SUCCESS;
	qthread_fill(&none_left);
	return rc == QTHREAD_SUCCESS;
}

/* --- questions ------------------------------------------------------------------------------------------- */

unsigned int qt_team_id(void)
{
	struct qti_team *team = current_team();

	return team ? team->id : qti_current() ? QTHREAD_DEFAULT_TEAM_ID : QTHREAD_NON_TEAM_ID;
}

unsigned int qt_team_parent_id(void)
{
	struct qti_team *team = current_team();

	return team ? team->parent_id : QTHREAD_NON_TEAM_ID;
}

/* Nothing in this API level ends a task from outside, so every task is protected all the time. */
void qt_team_critical_section(qt_team_critical_section_t boundary)
{
	(void)boundary;
}
