/* test/stress/omp_depend.c -- random task graphs: nobody begins before those that it depends on have ended.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks name random addresses in random ways; a few are undeferred, have an event that somebody else fulfils, or create
 * a graph of their own.  The creator keeps a model: each address has generations of tasks that need not wait for each
 * other.  A task that begins looks whether the generations before its own are complete, and one that ends whether none
 * after has begun.  QTI_ROUNDS is the number of regions (default 300).
 */
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_tasking.h"
#include "stress.h"

enum { TASKS_MOST = 240, ADDRESSES = 6, ITEMS_MOST = 4, WORLDS_MOST = 32, NESTED_TASKS = 12, THREADS_MOST = 4 };

enum kind { NONE, WRITER, READER, IN_SET, KINDS };

struct generation {
	uint32_t tasks, begun, ended;
};

/* What tasks depend on is the address of this. */
struct place {
	enum kind kind;                 /* of the last generation */
	unsigned last;
	struct generation generation[TASKS_MOST + 2];
	void *pair[KINDS][2];           /* as of an omp_depend_t */
};

struct node {
	struct world *world;
	bool registered;                /* later tasks wait for it */
	bool detached;
	unsigned generation[ADDRESSES]; /* 0: does not name the address */
	uint64_t random;
	unsigned depth;
	uint32_t parts;                 /* of a detached one: function, event */
	uintptr_t event;
};

struct world {
	struct place place[ADDRESSES];
	struct node node[TASKS_MOST];
};

static struct {
	uint32_t worlds, created, ended, early, late, member;
	struct node *open[TASKS_MOST * WORLDS_MOST];    /* their events are to be fulfilled */
	uint32_t opened, fulfilled;
} run;

static struct world world[WORLDS_MOST];
static bool over;

/* --- what a task looks at -------------------------------------------------------------------------------- */

/* The last generation before g that has tasks. */
static struct generation *before(struct place *p, unsigned g)
{
	do
		g--;
	while (g > 0 && p->generation[g].tasks == 0);
	return &p->generation[g];
}

static void check_begin(struct node *n)
{
	for (unsigned a = 0; a < ADDRESSES; a++) {
		struct place *p = &n->world->place[a];
		if (n->generation[a] == 0)
			continue;
		struct generation *g = before(p, n->generation[a]);
		if (load_acq(&g->ended) != g->tasks)
			add_rlx(&run.early, 1);
		if (n->registered)
			add_acq_rel(&p->generation[n->generation[a]].begun, 1);
	}
}

static void check_end(struct node *n)
{
	for (unsigned a = 0; n->registered && a < ADDRESSES; a++) {
		struct place *p = &n->world->place[a];
		if (n->generation[a] == 0)
			continue;
		if (load_acq(&p->generation[n->generation[a] + 1].begun) != 0)
			add_rlx(&run.late, 1);
		add_acq_rel(&p->generation[n->generation[a]].ended, 1);
	}
	add_acq_rel(&run.ended, 1);
}

/* --- events ---------------------------------------------------------------------------------------------- */

static void open_event(struct node *n)
{
	store_rel(&run.open[add_rlx(&run.opened, 1)], n);
}

static bool fulfil_one(void)
{
	uint32_t i = load_acq(&run.fulfilled);
	struct node *n = i < TASKS_MOST * WORLDS_MOST ? load_acq(&run.open[i]) : NULL;

	if (!n || !cas_acq_rel(&run.fulfilled, &i, i + 1))
		return false;
	uintptr_t event = n->event;
	if (add_acq_rel(&n->parts, 1) == 1)
		check_end(n);
	omp_fulfill_event(event);
	return true;
}

static void *fulfil_all(void *unused)
{
	while (!load_acq(&over))
		if (!fulfil_one())
			sched_yield();
	return unused;
}

/* --- clauses --------------------------------------------------------------------------------------------- */

struct clauses {
	enum kind kind[ADDRESSES];      /* as the model sees it */
	void *depend[5 + ITEMS_MOST + 1];
};

static void note(struct clauses *c, unsigned a, enum kind kind)
{
	c->kind[a] = c->kind[a] == NONE || c->kind[a] == kind ? kind : WRITER;
}

static void note_all(struct clauses *c)
{
	for (unsigned a = 0; a < ADDRESSES; a++)
		c->kind[a] = WRITER;
}

/* Writers and readers only. */
static void plain_layout(struct clauses *c, struct world *w, uint64_t *random)
{
	unsigned n = 1 + stress_random(random, ITEMS_MOST);
	unsigned writers = stress_random(random, 3) ? stress_random(random, n + 1) : 0;
	bool all = writers > 0 && stress_random(random, 30) == 0;

	c->depend[0] = (void *)(uintptr_t)n;
	c->depend[1] = (void *)(uintptr_t)writers;
	for (unsigned i = 0; i < n; i++) {
		unsigned a = stress_random(random, ADDRESSES);
		c->depend[2 + i] = &w->place[a];
		note(c, a, i < writers ? WRITER : READER);
	}
	if (all) {
		c->depend[2] = NULL;
		note_all(c);
	}
}

static void extended_layout(struct clauses *c, struct world *w, uint64_t *random)
{
	unsigned n[4], at = 5;

	for (unsigned k = 0; k < 4; k++)
		n[k] = stress_random(random, 2);
	n[3] |= n[0] + n[1] + n[2] == 0;
	const uintptr_t words[5] = { 0, n[0] + n[1] + n[2] + n[3], n[0], n[1], n[2] };
	for (unsigned i = 0; i < 5; i++)
		c->depend[i] = (void *)words[i];
	for (unsigned k = 0; k < 4; k++) {
		static const enum kind kind_of[3] = { WRITER, WRITER, READER };
		unsigned a = stress_random(random, ADDRESSES);
		enum kind kind = k < 3 ? kind_of[k] : stress_random(random, 4) ? IN_SET : 1 + stress_random(random, KINDS - 1);
		if (n[k] == 0)
			continue;
		c->depend[at++] = k < 3 ? (void *)&w->place[a] : (void *)w->place[a].pair[kind];
		note(c, a, kind);
	}
}

static void choose(struct clauses *c, struct world *w, uint64_t *random)
{
	*c = (struct clauses){ 0 };
	if (stress_random(random, 3))
		plain_layout(c, w, random);
	else
		extended_layout(c, w, random);
}

/* What the clauses mean now; keep: for those that come later, too. */
static void place(struct node *n, const struct clauses *c, bool keep, bool is_task)
{
	for (unsigned a = 0; a < ADDRESSES; a++) {
		struct place *p = &n->world->place[a];
		enum kind kind = c->kind[a];
		n->generation[a] = 0;
		if (kind == NONE)
			continue;
		n->generation[a] = p->last + (kind == WRITER || kind != p->kind);
		if (!keep)
			continue;
		p->last = n->generation[a];
		p->kind = kind;
		p->generation[p->last].tasks += is_task;
	}
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

struct data {
	uintptr_t event;                /* GOMP_task writes it here */
	struct node *node;
};

static void create_graph(unsigned tasks, unsigned depth, uint64_t *random);

static void body(void *arg)
{
	struct node *n = ((struct data *)arg)->node;

	check_begin(n);
	if (n->detached) {
		n->event = ((struct data *)arg)->event;
		open_event(n);
	}
	switch (stress_random(&n->random, 8)) {
	case 0:
		GOMP_taskyield();
		break;
	case 1:
		stress_pause(stress_random(&n->random, 300));
		break;
	case 2:
		if (n->depth == 0)
			create_graph(NESTED_TASKS, n->depth + 1, &n->random);
		break;
	case 3:
		fulfil_one();
		break;
	default:
		break;
	}
	if (!n->detached || add_acq_rel(&n->parts, 1) == 1)
		check_end(n);
}

static void create(struct node *n, struct clauses *c, uint64_t *random)
{
	bool deferred = stress_random(random, 10) != 0;
	struct data data = { .node = n };
	void *handle;

	n->detached = stress_random(random, 12) == 0;
	n->registered = deferred;
	place(n, c, deferred, true);
	add_rlx(&run.created, 1);
	GOMP_task(body, &data, NULL, sizeof(data), sizeof(void *), deferred,
		GOMP_TASK_DEPEND | (n->detached ? GOMP_TASK_DETACH : 0), c->depend, 0, &handle);
}

/* The running task waits for some, or lets later ones wait for some. */
static void create_none(struct node *n, struct clauses *c, bool wait)
{
	n->registered = false;
	place(n, c, !wait, false);
	if (wait) {
		GOMP_taskwait_depend(c->depend);
		check_begin(n);
	} else {
		GOMP_taskwait_depend_nowait(c->depend);
	}
}

static struct world *new_world(void)
{
	uint32_t i = add_rlx(&run.worlds, 1);
	struct world *w = i < WORLDS_MOST ? &world[i] : NULL;

	if (!w)
		return NULL;
	memset(w, 0, sizeof(*w));
	for (unsigned a = 0; a < ADDRESSES; a++)
		for (unsigned k = 0; k < KINDS; k++) {
			static const uintptr_t type[KINDS] = { 0, 3, 1, 5 };
			w->place[a].pair[k][0] = &w->place[a];
			w->place[a].pair[k][1] = (void *)type[k];
		}
	return w;
}

static void create_graph(unsigned tasks, unsigned depth, uint64_t *random)
{
	struct world *w = new_world();
	bool group = stress_random(random, 3) == 0;

	if (!w)
		return;
	if (group)
		GOMP_taskgroup_start();
	for (unsigned i = 0; i < tasks; i++) {
		struct node *n = &w->node[i];
		struct clauses c;
		choose(&c, w, random);
		n->world = w;
		n->depth = depth;
		n->random = stress_state(*random);
		unsigned what = stress_random(random, 40);
		if (what < 2)
			create_none(n, &c, what == 0);
		else
			create(n, &c, random);
	}
	if (group)
		GOMP_taskgroup_end();
	else if (stress_random(random, 3) == 0)
		GOMP_taskwait();
}

/* --- regions --------------------------------------------------------------------------------------------- */

static void member(void *arg)
{
	uint64_t *random = arg;

	if (add_acq_rel(&run.member, 1) == 0)
		create_graph(1 + stress_random(random, TASKS_MOST), 0, random);
}

static void region(uint64_t *random)
{
	pthread_t thread;

	memset(&run, 0, sizeof(run));
	store_rel(&over, false);
	if (pthread_create(&thread, NULL, fulfil_all, NULL) != 0)
		bail_out("no thread");
	GOMP_parallel(member, random, 1 + stress_random(random, THREADS_MOST), 0);
	store_rel(&over, true);
	pthread_join(thread, NULL);
	stress_round();
}

int main(void)
{
	unsigned rounds = stress_rounds(300);
	uint64_t random = stress_state(0);
	uint32_t early = 0, late = 0, lost = 0;

	plan(3);
	stress_say(rounds);
	for (unsigned i = 0; i < rounds; i++) {
		stress_watch("a region");
		region(&random);
		early += run.early;
		late += run.late;
		lost += run.created != run.ended;
	}
	is_int(early, 0, "no task begins before those that it depends on have ended");
	is_int(late, 0, "no task ends after one that depends on it has begun");
	is_int(lost, 0, "each task has run when its region ends");
	return done();
}
