/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sim/paper.h"

#include "sim/machine.h"
#include "sim/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const metric_names[] = {
	[SIM_SPEEDUP] = "speed-up", [SIM_OFF_CHIP] = "off-chip steals", [SIM_EACH] = "tasks a steal",
	[SIM_SHARE_STEAL] = "% steal", [SIM_SHARE_IDLE] = "% idle", [SIM_SHARE_BUSY] = "% busy",
	[SIM_SHARE_SELF] = "% at home", [SIM_SHARE_LOCAL] = "% same chip", [SIM_SHARE_REMOTE] = "% elsewhere",
	[SIM_SHARE_AT_ONCE] = "% at once", [SIM_BOUND] = "at most",
};

/* --- runs, each made once -------------------------------------------------------------------------------- */

unsigned long sim_paper_seeds = 1;

struct kept {
	unsigned long seed;
	const struct sim_paper_machine *machine;
	const char *policy, *setting;
	const struct sim_tree *tree;
	unsigned long n, cut;
	unsigned workers;
	struct sim_result result;
};

enum { KEPT_MAX = 256 * SIM_PAPER_SEEDS };
static struct kept kept[KEPT_MAX];
static unsigned nkept;
static bool all_ended;

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_run(const struct kept *a, const struct kept *b)
{
	return a->seed == b->seed && a->machine == b->machine && same_text(a->policy, b->policy) &&
		same_text(a->setting, b->setting) && a->tree == b->tree && a->n == b->n && a->cut == b->cut &&
		a->workers == b->workers;
}

/* NAME=value ... into the environment, or out of it. */
static void apply(const char *settings, bool in)
{
	char *list = strdup(settings ? settings : ""), *end;

	for (char *one = strtok_r(list, " ", &end); one; one = strtok_r(NULL, " ", &end)) {
		char *value = strchr(one, '=');
		*value = '\0';
		if (in)
			setenv(one, value + 1, 1);
		else
			unsetenv(one);
	}
	free(list);
}

static unsigned long work_percent(const struct sim_paper_machine *m, const struct sim_tree *tree)
{
	for (unsigned i = 0; m->work[i].tree; i++)
		if (m->work[i].tree == tree)
			return m->work[i].percent;
	return 100;
}

static struct sim_result run_with(const struct kept *k, const struct qti_sched *policy)
{
	uint64_t usual[SIM_COSTS];

	memcpy(usual, sim_cost, sizeof(usual));
	for (unsigned i = 0; k->machine->cost[i].ns != 0; i++)
		sim_cost[k->machine->cost[i].what] = UINT64_C(1000) * k->machine->cost[i].ns;
	apply(k->setting, true);
	sim_machine_read(k->machine->levels);
	sim_work_percent = work_percent(k->machine, k->tree);
	sim_seed = k->seed;
	struct sim_result r = sim_measure(policy, k->tree, k->n, k->cut, k->workers);
	apply(k->setting, false);
	memcpy(sim_cost, usual, sizeof(usual));
	all_ended = all_ended && r.complete && r.tasks.run == r.tasks.forked && r.tasks.again == 0;
	return r;
}

/* NULL: there is no such policy. */
static const struct sim_result *result_of(const struct sim_finding *f, const char *policy, unsigned workers,
	const char *setting, unsigned long seed)
{
	const struct qti_sched *s = qti_sched_find(policy);
	struct kept k = { .seed = seed, .machine = f->machine, .policy = policy, .setting = setting, .tree = f->tree,
		.n = f->n ? f->n : f->tree->n, .cut = f->cut ? f->cut : f->tree->cut, .workers = workers };

	if (!s)
		return NULL;
	for (unsigned i = 0; i < nkept; i++)
		if (same_run(&kept[i], &k))
			return &kept[i].result;
	if (nkept == KEPT_MAX)
		abort();
	k.result = run_with(&k, s);
	kept[nkept] = k;
	return &kept[nkept++].result;
}

/* --- figures --------------------------------------------------------------------------------------------- */

static double share_of_time(const struct sim_result *r, enum sim_part part)
{
	return 100 * r->spent[part] / (r->ns * r->workers);
}

static double share_of_tasks(const struct sim_result *r, uint64_t n)
{
	return 100 * (double)n / (double)r->tasks.run;
}

/* Of a worker that is alone: seeds make no difference to it. */
static double serial_time(const struct sim_finding *f)
{
	return result_of(f, "ws", 1, NULL, 0)->spent[SIM_WORK];
}

static double metric(const struct sim_finding *f, const struct sim_figure *g, const struct sim_result *r)
{
	const struct sim_task_counts *c = &r->tasks;
	uint64_t near = c->by_distance[SIM_CORE] + c->by_distance[SIM_L2] + c->by_distance[SIM_CHIP];

	switch (g->metric) {
	case SIM_SPEEDUP:
		return serial_time(f) / r->ns;
	case SIM_OFF_CHIP:
		return (double)(c->steals[SIM_NEAR] + c->steals[SIM_FAR]);
	case SIM_EACH:
		return c->steals_made ? (double)c->stolen / (double)c->steals_made : 0;
	case SIM_SHARE_STEAL:
		return share_of_time(r, SIM_STEAL);
	case SIM_SHARE_IDLE:
		return share_of_time(r, SIM_IDLE);
	case SIM_SHARE_BUSY:
		return share_of_time(r, SIM_WORK);
	case SIM_SHARE_SELF:
		return share_of_tasks(r, c->by_distance[SIM_SELF] - c->at_once);
	case SIM_SHARE_LOCAL:
		return share_of_tasks(r, near);
	case SIM_SHARE_REMOTE:
		return share_of_tasks(r, c->by_distance[SIM_NEAR] + c->by_distance[SIM_FAR]);
	case SIM_SHARE_AT_ONCE:
		return share_of_tasks(r, c->at_once);
	case SIM_BOUND:
		break;
	}
	return g->paper;
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* NAN: not to be had. */
static double figure(const struct sim_finding *f, const struct sim_figure *g)
{
	double of[SIM_PAPER_SEEDS];

	if (g->metric == SIM_BOUND)
		return g->paper;
	for (unsigned i = 0; i < sim_paper_seeds; i++) {
		const struct sim_result *r = result_of(f, g->policy, g->workers, g->setting, i);
		if (!r)
			return NAN;
		of[i] = metric(f, g, r);
	}
	qsort(of, sim_paper_seeds, sizeof(of[0]), by_size);
	return of[sim_paper_seeds / 2];
}

/* --- judging --------------------------------------------------------------------------------------------- */

static bool within(double a, double b, double factor)
{
	return a <= b * factor && b <= a * factor;
}

static bool agree(const struct sim_finding *f, double a, double b)
{
	bool bound = f->a.metric == SIM_BOUND || f->b.metric == SIM_BOUND;

	if (bound)
		return a >= b;
	if (within(f->a.paper, f->b.paper, 1.10))
		return within(a, b, 1.25);
	return f->a.paper > f->b.paper ? a >= 1.02 * b : b >= 1.02 * a;
}

static void describe(const struct sim_figure *g, char *text, size_t size)
{
	const char *second = g->setting ? strchr(g->setting, ' ') : NULL;

	if (g->metric == SIM_BOUND)
		snprintf(text, size, "at most");
	else
		snprintf(text, size, "%s%s%s %u", g->policy, second ? "/" : "", second ? strchr(second, '=') + 1 : "",
			g->workers);
}

static void print_row(const struct sim_finding *f, double a, double b, const char *verdict, const char *why)
{
	char one[32], other[32];
	enum sim_metric m = f->a.metric == SIM_BOUND ? f->b.metric : f->a.metric;

	describe(&f->a, one, sizeof(one));
	describe(&f->b, other, sizeof(other));
	printf("| %-12s | %-9s | %-15s | %-14s | %-12s | %8g | %8g | %8.4g | %8.4g | %-8s | %s |\n", f->source, f->tree->name,
		metric_names[m], one, other, f->a.paper, f->b.paper, a, b, verdict, why);
	fflush(stdout);
}

static void print_head(void)
{
	printf("| %-12s | %-9s | %-15s | %-14s | %-12s | %8s | %8s | %8s | %8s | %-8s | |\n", "source", "tree", "figure", "a",
		"b", "paper: a", "b", "ours: a", "b", "");
	printf("|---|---|---|---|---|--:|--:|--:|--:|---|---|\n");
}

bool sim_papers(const struct sim_tree *only)
{
	unsigned agreed = 0, judged = 0;

	all_ended = true;
	print_head();
	for (unsigned i = 0; i < sim_nfindings; i++) {
		const struct sim_finding *f = &sim_findings[i];
		if (only && f->tree != only)
			continue;
		double a = figure(f, &f->a), b = isnan(a) ? NAN : figure(f, &f->b);
		bool there = !isnan(a) && !isnan(b), good = there && agree(f, a, b);
		print_row(f, a, b, !there ? "none" : good ? "agree" : "DISAGREE", there && !good && f->why ? f->why : "");
		judged += there;
		agreed += good;
	}
	printf("\n%u of %u agree\n", agreed, judged);
	return all_ended;
}
