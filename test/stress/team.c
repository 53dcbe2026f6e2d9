/* test/stress/team.c -- random trees of teams, whose members wait for each other: no result comes early, none is lost.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of trees (default 600) for each scheduler and shape.
 */
#include "stress.h"

enum { TASKS_MOST = 120, DEPTH_MOST = 7, TEAMS_MOST = TASKS_MOST + 1 };

/* Tasks that have not ended, in the team and in all below it. */
struct team {
	struct team *parent;
	unsigned id;                    /* 0 until a member has said so */
	uint32_t alive;
	aligned_t ret;
	bool with_syncvar;
	syncvar_t sv;
};

struct node {
	struct team *team;
	unsigned depth;
	uint64_t random;
};

/* One tree at a time. */
static struct {
	uint32_t nodes, nteams;
	uint32_t early, confused, failed;
	uint64_t all_nodes, all_teams;
	struct node node[TASKS_MOST];
	struct team team[TEAMS_MOST];
	aligned_t word;                 /* that many tasks go through in turn */
} tree;

static void count(struct team *t, int by)
{
	for (; t; t = t->parent)
		add_acq_rel(&t->alive, (uint32_t)by);
}

static void await(struct team *t)
{
	if (t->with_syncvar)
		qthread_syncvar_readFF(NULL, &t->sv);
	else
		qthread_readFF(NULL, &t->ret);
	if (load_acq(&t->alive) != 0)
		add_rlx(&tree.early, 1);
}

static aligned_t live(void *arg);

static struct team *new_team(struct team *parent, bool with_syncvar)
{
	const uint32_t n = add_rlx(&tree.nteams, 1);
	struct team *t = &tree.team[n];

	*t = (struct team){ .parent = parent, .with_syncvar = with_syncvar, .sv = SYNCVAR_STATIC_INITIALIZER };
	return t;
}

/* The team that the child leads, NULL: it is a member of its parent's. */
static struct team *fork_child(struct node *parent, struct node *child)
{
	static const unsigned features[] = {
		0, 0, QTHREAD_SPAWN_NEW_SUBTEAM, QTHREAD_SPAWN_NEW_SUBTEAM, QTHREAD_SPAWN_NEW_TEAM };
	unsigned feature = features[stress_random(&parent->random, sizeof(features) / sizeof(features[0]))];
	bool with_syncvar = stress_random(&parent->random, 3) == 0;
	struct team *led = NULL;
	void *ret = NULL;

	*child = (struct node){
		.team = parent->team, .depth = parent->depth + 1, .random = stress_state(parent->random) };
	if (feature) {
		led = new_team(feature == QTHREAD_SPAWN_NEW_TEAM ? NULL : parent->team, with_syncvar);
		ret = with_syncvar ? (void *)&led->sv : (void *)&led->ret;
		child->team = led;
		feature |= with_syncvar ? QTHREAD_SPAWN_RET_SYNCVAR_T : 0;
	}
	count(child->team, 1);
	const size_t copied = stress_random(&parent->random, 2) ? sizeof(*child) : 0;
	const int rc = feature || copied ? qthread_spawn(live, child, copied, ret, 0, NULL, NO_SHEPHERD, feature)
	                                 : qthread_fork(live, child, NULL);
	if (rc != QTHREAD_SUCCESS)
		add_rlx(&tree.failed, 1);
	return led;
}

static void check_id(struct team *t)
{
	unsigned seen = 0;
	const unsigned id = qt_team_id();

	if (!__atomic_compare_exchange_n(&t->id, &seen, id, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) && seen != id)
		add_rlx(&tree.confused, 1);
	if (id < 2 || (!t->parent && qt_team_parent_id() != 0) || (t->parent && qt_team_parent_id() < 2))
		add_rlx(&tree.confused, 1);
}

static void dawdle(struct node *me)
{
	switch (stress_random(&me->random, 4)) {
	case 0:
		qthread_yield();
		break;
	case 1:
		qthread_lock(&tree.word);
		stress_pause(stress_random(&me->random, 100));
		qthread_unlock(&tree.word);
		break;
	default:
		break;
	}
}

static aligned_t live(void *arg)
{
	struct node *me = arg;
	struct team *led = NULL;

	check_id(me->team);
	dawdle(me);
	for (unsigned i = stress_random(&me->random, 5); i > 0 && me->depth < DEPTH_MOST; i--) {
		const uint32_t n = add_rlx(&tree.nodes, 1);
		if (n >= TASKS_MOST)
			break;
		struct team *t = fork_child(me, &tree.node[n]);
		led = t ? t : led;
		dawdle(me);
	}
	if (led && stress_random(&me->random, 2))
		await(led);
	check_id(me->team);
	count(me->team, -1);
	return 0;
}

static void grow(uint64_t *random)
{
	tree.nodes = 1;
	tree.nteams = 0;
	struct team *t = new_team(NULL, false);

	tree.node[0] = (struct node){ .team = t, .random = *random };
	count(t, 1);
	if (qthread_fork_new_team(live, &tree.node[0], &t->ret) != QTHREAD_SUCCESS)
		add_rlx(&tree.failed, 1);
	await(t);
	/* Teams with no team above them outlive it.  Who made one was in an earlier one, so that it is there by now. */
	for (uint32_t i = 0; i < load_acq(&tree.nteams); i++)
		await(&tree.team[i]);
	tree.all_nodes += tree.nodes < TASKS_MOST ? tree.nodes : TASKS_MOST;
	tree.all_teams += tree.nteams;
	*random = stress_state(*random);
	stress_round();
}

static void grow_many(const char *scheduler, struct stress_shape shape, unsigned rounds)
{
	static uint64_t stream;
	uint64_t random = stress_state(stream++);

	stress_watch(scheduler);
	stress_start(scheduler, shape);
	tree.early = tree.confused = tree.failed = 0;
	tree.all_nodes = tree.all_teams = 0;
	for (unsigned i = 0; i < rounds; i++)
		grow(&random);
	ok(tree.early == 0 && tree.confused == 0 && tree.failed == 0,
		"%s on %u x %u: %u trees of %llu tasks and %llu teams: early %u, confused %u, failed %u", scheduler, shape.shepherds,
		shape.workers, rounds, (unsigned long long)tree.all_nodes, (unsigned long long)tree.all_teams, tree.early,
		tree.confused, tree.failed);
	qthread_finalize();
}

int main(void)
{
	static const struct stress_shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 2 } };
	enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };
	const unsigned rounds = stress_rounds(600);

	plan(qti_nscheds * SHAPES);
	stress_say(rounds);
	for (unsigned s = 0; s < qti_nscheds; s++)
		for (unsigned i = 0; i < SHAPES; i++)
			grow_many(qti_scheds[s]->name, shapes[i], rounds);
	return done();
}
