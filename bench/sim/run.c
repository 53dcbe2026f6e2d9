/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The runtime on simulated processors: what api/runtime.c does for it on real ones, without the main task. */
#include "sim/run.h"

#include "base/mem.h"
#include "base/poll.h"
#include "base/tuning.h"
#include "core/duty.h"
#include "core/idle.h"
#include "core/loop.h"
#include "sim/lines.h"
#include "sim/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	const struct qti_sched *policy;
	const struct sim_tree *tree;
	unsigned long n, cut;
	uint64_t began, took;
	uint64_t spent[SIM_PARTS];
	struct sim_child root;
} job;

void *sim_room(size_t n, size_t size)
{
	void *p = qti_mem_aligned(QTI_CACHE_LINE, n * size + 1);

	if (!p)
		abort();
	return p;
}

/* --- the policy, timed ----------------------------------------------------------------------------------- */

static struct qti_sched timed;

static struct qti_task *timed_steal(struct qti_worker *w, bool final)
{
	sim_turn_to(SIM_STEAL);
	struct qti_task *t = job.policy->steal(w, final);
	if (t)
		sim_count_steal(t);
	sim_turn_to(t ? SIM_QUEUE : SIM_IDLE);
	return t;
}

/* --- up -------------------------------------------------------------------------------------------------- */

enum { TASK_BATCH = 64, SLAB_FIRST = 64 << 10, SLAB_MAX = 4 << 20, MORE_BYTES = 2 * QTI_CACHE_LINE };

static void on_carve(struct qti_pool *pool, void *task, void *more)
{
	(void)pool;
	qti_task_set_more(task, more);
}

static void shape_up(unsigned workers)
{
	struct qti_topo topo;
	struct qti_shape_req req = {
		.boundary = qti_rt.env.shepherd_boundary != QTI_LEVEL_UNSET ? qti_rt.env.shepherd_boundary :
		                                                              qti_rt.sched->boundary,
		.worker_unit = qti_rt.env.worker_unit,
		.bind = true,
	};

	if (sim_machine_topo(&topo, workers) != 0 || qti_shape_build(&qti_rt.shape, &req, &topo) != 0)
		abort();
	qti_rt.nworkers = qti_rt.shape.nworkers;
	qti_rt.nshepherds = qti_rt.shape.nshepherds;
	qti_rt.spin_ns = UINT64_C(1000) * qti_rt.env.spin_us;
	qti_rt.inline_join = qti_rt.env.inline_join && qti_rt.sched->claim;

	unsigned pu[SIM_CPUS_MAX], id = 0;
	for (unsigned i = 0; i < qti_rt.nshepherds; i++)
		for (unsigned local = 0; local < qti_rt.shape.workers[i]; local++)
			pu[id++] = (unsigned)qti_shape_pu(&qti_rt.shape, i, local);
	sim_machine_place(&topo, id, pu);
	qti_topo_free(&topo);
}

static void *zeroed_lines(size_t n, size_t size)
{
	void *p = qti_mem_aligned(QTI_CACHE_LINE, n * size);

	if (!p)
		abort();
	return p;       /* the arena's memory is zero */
}

static void workers_up(void)
{
	unsigned id = 0;

	qti_rt.shepherds = zeroed_lines(qti_rt.nshepherds, sizeof(struct qti_shepherd));
	qti_rt.workers = zeroed_lines(qti_rt.nworkers, sizeof(struct qti_worker));
	for (unsigned i = 0; i < qti_rt.nshepherds; i++) {
		struct qti_shepherd *s = &qti_rt.shepherds[i];
		s->id = i;
		s->workers = &qti_rt.workers[id];
		s->nworkers = qti_rt.shape.workers[i];
		s->nearest = qti_shape_nearest(&qti_rt.shape, i);
		qti_stacks_init(&s->stacks, qti_rt.env.stack_size, false);
		for (unsigned local = 0; local < s->nworkers; local++, id++) {
			struct qti_worker *w = &qti_rt.workers[id];
			w->shepherd = s;
			w->id = id;
			w->local = local;
			w->pu = -1;
			w->place = qti_shape_place(&qti_rt.shape, i, local);
			w->hands = QTI_HANDS_EMPTY;
		}
	}
	qti_duty_init();
}

static void runtime_up(const struct qti_sched *policy, unsigned workers)
{
	memset(&qti_rt, 0, sizeof(qti_rt));
	memset(&sim_counts, 0, sizeof(sim_counts));
	sim_arena_reset();
	qti_env_read(&qti_rt.env);
	qti_poll_rate = (uint32_t)(1024 * 1000 / (sim_cost[SIM_PAUSE] ? sim_cost[SIM_PAUSE] : 1));
	job.policy = policy;
	timed = *policy;
	timed.steal = timed_steal;
	qti_rt.sched = &timed;
	shape_up(workers);
	qti_pool_init(&qti_rt.tasks, &(struct qti_pool_config){ .size = sizeof(struct qti_task), .apart = MORE_BYTES,
		.batch = TASK_BATCH, .first_slab = SLAB_FIRST, .max_slab = SLAB_MAX, .on_carve = on_carve });
	workers_up();
	if (policy->init() != QTHREAD_SUCCESS) {
		fprintf(stderr, "sim: %s does not start on %u workers\n", policy->name, workers);
		exit(2);
	}
	sim_lines_begin(qti_rt.nworkers);
	sim_data_begin();
}

static void runtime_down(void)
{
	sim_data_end();
	sim_lines_end();
	job.policy->fini();
	for (unsigned i = 0; i < qti_rt.nshepherds; i++)
		qti_stacks_fini(&qti_rt.shepherds[i].stacks);
	qti_pool_fini(&qti_rt.tasks);
	qti_shape_free(&qti_rt.shape);
}

/* --- the run --------------------------------------------------------------------------------------------- */

static void root(void *unused)
{
	(void)unused;
	job.tree->run(job.n, job.cut);
	job.took = sim_now() - job.began;
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		uint64_t spent[SIM_PARTS];
		sim_spent(i, spent);
		for (unsigned p = 0; p < SIM_PARTS; p++)
			job.spent[p] += spent[p];
	}
	qti_idle_stop();
}

static void thread(unsigned cpu)
{
	struct qti_worker *w = &qti_rt.workers[cpu];
	char *here = __builtin_frame_address(0);

	qti_self_set(w);
	w->os_stack.base = w->os_stack.limit = here;
	w->stack = &w->os_stack;
	if (qti_suspend_prepare(w) != QTHREAD_SUCCESS)
		abort();
	if (cpu == 0) {
		job.began = sim_now();
		sim_fork(&job.root, root, NULL);
	}
	qti_worker_run(w);
	qti_self_set(NULL);
}

/* What lies at an address, as one would look for it in the source. */
static void name_line(char *name, size_t size, const void *word)
{
	const char *p = word, *workers = (const char *)qti_rt.workers, *shepherds = (const char *)qti_rt.shepherds;

	if (p >= (const char *)&qti_rt && p < (const char *)(&qti_rt + 1))
		snprintf(name, size, "%s+%td", p >= (const char *)&qti_rt.idle ? "qti_rt.idle" : "qti_rt",
			p - (p >= (const char *)&qti_rt.idle ? (const char *)&qti_rt.idle : (const char *)&qti_rt));
	else if (p >= workers && p < (const char *)(qti_rt.workers + qti_rt.nworkers))
		snprintf(name, size, "worker %td+%td", (p - workers) / (ptrdiff_t)sizeof(struct qti_worker),
			(p - workers) % (ptrdiff_t)sizeof(struct qti_worker));
	else if (p >= shepherds && p < (const char *)(qti_rt.shepherds + qti_rt.nshepherds))
		snprintf(name, size, "shepherd %td+%td", (p - shepherds) / (ptrdiff_t)sizeof(struct qti_shepherd),
			(p - shepherds) % (ptrdiff_t)sizeof(struct qti_shepherd));
	else
		snprintf(name, size, "elsewhere");
}

static void collect_hot(struct sim_result *r)
{
	struct sim_hot hot[SIM_HOT];

	r->nhot = sim_lines_hot(hot, SIM_HOT);
	for (unsigned i = 0; i < r->nhot; i++) {
		name_line(r->hot[i].name, sizeof(r->hot[i].name), hot[i].word);
		r->hot[i].ns = (double)hot[i].waited / 1000;
		r->hot[i].writes = hot[i].writes;
	}
}

static void collect(struct sim_result *r)
{
	r->ns = (double)job.took / 1000;
	for (unsigned p = 0; p < SIM_PARTS; p++)
		r->spent[p] = (double)job.spent[p] / 1000;
	r->workers = qti_rt.nworkers;
	r->shepherds = qti_rt.nshepherds;
	r->tasks = sim_counts;
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		const qt_stats_t *s = &qti_rt.workers[i].stats;
		r->tasks.steals_made += s->steals;
		r->tasks.failed_steals += s->failed_steals;
		r->tasks.stolen += s->tasks_stolen;
	}
	r->events = sim_events;
	r->digest = sim_digest();
	collect_hot(r);
}

struct sim_result sim_measure(const struct qti_sched *policy, const struct sim_tree *tree, unsigned long n,
	unsigned long cut, unsigned workers)
{
	struct sim_result r = { 0 };

	memset(&job, 0, sizeof(job));
	job.tree = tree;
	job.n = n;
	job.cut = cut;
	runtime_up(policy, workers);
	r.complete = sim_run(qti_rt.nworkers, thread);
	collect(&r);
	runtime_down();
	return r;
}
