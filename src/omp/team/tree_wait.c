/* omp/team/tree_wait.c -- see omp/team/tree_wait.h; omp/team/tree.h has the protocol.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/tree_wait.h"

#include "omp/team/tree.h"
#include "omp/team/wait_loop.h"
#include "sync/waiter.h"

/* A member at the barrier. */
struct gathering {
	struct qomp_team *team;
	struct qomp_member *m;
	struct qomp_tree *parent;       /* NULL: it is the root */
	struct qomp_tree *child[2];
	unsigned children;
	bool cancellable;
	uint32_t wave;
	bool counted;                   /* the root's: it has, in the wave before this one, */
	uint32_t finished;              /* TB3: found so many tasks finished */
};

struct sums {
	uint32_t created, finished;
};

static struct gathering gathering_begin(const struct qomp_frame *f, bool cancellable)
{
	struct qomp_team *team = f->team;
	struct gathering g = { .team = team, .m = qomp_member(f), .cancellable = cancellable };
	unsigned i = f->num;

	for (unsigned c = 2 * i + 1; c <= 2 * i + 2 && c < team->n; c++)
		g.child[g.children++] = &team->member[c]->tree;
	g.parent = i > 0 ? &team->member[(i - 1) / 2]->tree : NULL;
	g.wave = g.m->tree.gathered + 1;
	return g;
}

/* --- what there is to do --------------------------------------------------------------------------------- */

static uint32_t ask_for(uint32_t wave)
{
	return wave * 2;
}

static bool children_gathered(const struct gathering *g)
{
	for (unsigned i = 0; i < g->children; i++)
		if (load_acq(&g->child[i]->gathered) != g->wave)                                /* TB1 */
			return false;
	return true;
}

static struct sums sum_up(const struct gathering *g)
{
	struct sums s = { load_rlx(&g->m->created), load_rlx(&g->m->finished) };

	for (unsigned i = 0; i < g->children; i++) {
		s.created += load_rlx(&g->child[i]->created);
		s.finished += load_rlx(&g->child[i]->finished);
	}
	if (!g->parent)
		s.finished += load_acq(&g->team->elsewhere);
	return s;
}

enum due { NOTHING, GATHER, ASK, LET_GO };

/* With its children gathered. */
static enum due due_to_root(const struct gathering *g, const struct sums *s)
{
	if (!load_rlx(&g->team->tasks) || (g->counted && g->finished == s->created))            /* TB3 */
		return LET_GO;
	return s->created == s->finished ? ASK : NOTHING;
}

static enum due tree_due(const struct gathering *g, struct sums *s)
{
	const struct qomp_tree *own = &g->m->tree;
	bool tell = g->parent && own->gathered != g->wave;

	if (g->parent) {
		uint32_t asked = load_acq(&own->asked);                                         /* TB2 */
		if (asked == qomp_tree_let_go_after(g->wave))
			return LET_GO;
		if (asked == ask_for(g->wave + 1))
			return ASK;
		if (!tell && !load_rlx(&g->team->tasks))
			return NOTHING;
	}
	if (!children_gathered(g))
		return NOTHING;
	*s = sum_up(g);
	if (!g->parent)
		return due_to_root(g, s);
	return tell || own->created != s->created || own->finished != s->finished ? GATHER : NOTHING;
}

/* --- doing it -------------------------------------------------------------------------------------------- */

static void tree_gather(struct gathering *g, const struct sums *s)
{
	struct qomp_tree *own = &g->m->tree;

	store_rlx(&own->created, s->created);
	store_rlx(&own->finished, s->finished);
	store_rel(&own->gathered, g->wave);                                                     /* TB1 */
	fence_sc();                                                                             /* TB4 */
	if (qomp_tree_rouse(g->parent))
		qti_spin_woke(&g->m->spin);
}

static void tell_children(struct gathering *g, uint32_t asked)
{
	struct qti_waiter *woken = NULL;

	if (g->children == 0)
		return;
	for (unsigned i = 0; i < g->children; i++)
		store_rel(&g->child[i]->asked, asked);                                          /* TB2 */
	fence_sc();                                                                             /* TB4 */
	for (unsigned i = 0; i < g->children; i++)
		qomp_tree_take_sleeper(g->child[i], &woken);
	if (qti_unlikely(woken != NULL)) {
		qti_wake_all(&woken);
		qti_spin_woke(&g->m->spin);
	}
}

static void tree_ask(struct gathering *g, const struct sums *s)
{
	if (!g->parent) {
		g->counted = true;
		g->finished = s->finished;
	}
	tell_children(g, ask_for(++g->wave));
}

static void children_let_go(struct gathering *g)
{
	if (!g->parent) {
		g->m->tree.gathered = g->wave;
		if (load_rlx(&g->team->watch))
			store_rlx(&g->team->watch, 0);                                          /* TB5 */
	}
	tell_children(g, qomp_tree_let_go_after(g->wave));
}

static bool is_cancelled(const struct gathering *g)
{
	return g->cancellable && load_acq(&g->team->cancelled) & QOMP_CANCEL_PARALLEL;
}

/* The list has tasks only in teams whose members alone run them. */
static bool should_wake(const struct gathering *g)
{
	struct sums s;

	return tree_due(g, &s) != NOTHING || is_cancelled(g) || load_rlx(&g->team->list.count) != 0;
}

static void tree_sleep(struct gathering *g)
{
	struct qomp_tree *own = &g->m->tree;
	struct qti_waiter r;

	if (!qti_waiter_begin(&r, QTI_WAIT_TEAM, g->team))
		return;
	if (load_rlx(&g->team->watch) != QOMP_WATCH_TREE)
		store_rlx(&g->team->watch, QOMP_WATCH_TREE);                                    /* TB5 */
	store_rel(&own->sleeper, &r);
	fence_sc();                                                                             /* TB4 */
	if (!should_wake(g) || !swap_acq_rel(&own->sleeper, NULL))
		qti_waiter_await(&r);
}

/* --- the barrier ----------------------------------------------------------------------------------------- */

/* True when the member has passed the barrier. */
static bool tree_advance(struct gathering *g)
{
	struct sums s;

	switch (tree_due(g, &s)) {
	case GATHER:
		tree_gather(g, &s);
		return false;
	case ASK:
		tree_ask(g, &s);
		return false;
	case LET_GO:
		children_let_go(g);
		return true;
	case NOTHING:
		break;
	}
	return false;
}

bool qomp_tree_wait(struct qomp_frame *f, bool cancellable)
{
	struct gathering g = gathering_begin(f, cancellable);
	struct qomp_wait_loop v = qomp_wait_loop_begin(f);
	bool passed;

	while (!(passed = tree_advance(&g)) && !is_cancelled(&g)) {
		if (!qomp_wait_loop_help(&v) && qomp_wait_loop_over(&v)) {
			qomp_wait_loop_break(&v);
			tree_sleep(&g);
		}
	}
	qomp_wait_loop_end(&v);
	return passed;
}
