/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The program: which machine, which tree, which policies on how many workers. */
#include "sim/machine.h"
#include "sim/paper.h"
#include "sim/report.h"

#include "common/bench.h"

#include <stdlib.h>
#include <string.h>

static const char *machine = "socket:4 core:8", *costs, *tree_name, *policy, *workers = "";
static unsigned long n, cut;
static bool csv, list, show_costs, small, hot, papers;

static const struct sim_tree *tree_named(const char *name)
{
	for (unsigned i = 0; i < sim_ntrees; i++)
		if (strcmp(sim_trees[i]->name, name) == 0)
			return sim_trees[i];
	bench_usage("sim", "--tree %s: no such tree; --list names them", name);
}

static void print_list(void)
{
	for (unsigned i = 0; i < sim_ntrees; i++)
		printf("%-10s --n, --cut: %s (%lu, %lu; --small %lu, %lu)\n", sim_trees[i]->name, sim_trees[i]->what,
			sim_trees[i]->n, sim_trees[i]->cut, sim_trees[i]->small_n, sim_trees[i]->small_cut);
}

/* What one worker spends on the work itself. */
static double serial_time(const struct sim_tree *t)
{
	return sim_measure(qti_sched_find("ws"), t, n, cut, 1).spent[SIM_WORK];
}

static bool run_policy(const struct sim_tree *t, const struct qti_sched *s, double serial)
{
	char *list_of = strdup(workers), *end, *number = strtok_r(list_of, ",", &end);
	bool good = true;

	do {
		unsigned long count = number ? strtoul(number, NULL, 10) : sim_machine_size();
		if (count < 1 || count > sim_machine_size())
			bench_usage("sim", "--workers %s: must be numbers from 1 to %u", workers, sim_machine_size());
		struct sim_result r = sim_measure(s, t, n, cut, (unsigned)count);
		sim_report_run(csv, t->name, s->name, &r, serial);
		if (hot && !csv)
			sim_report_hot(&r);
		good = good && r.complete && r.tasks.run == r.tasks.forked && r.tasks.again == 0;
	} while (number && (number = strtok_r(NULL, ",", &end)) != NULL);
	free(list_of);
	return good;
}

static bool run_tree(const struct sim_tree *t)
{
	bool good = true;

	n = n ? n : small ? t->small_n : t->n;
	cut = cut ? cut : small ? t->small_cut : t->cut;
	if (!csv)
		printf("%s %lu, cut %lu, on \"%s\"\n\n", t->name, n, cut, machine);
	sim_report_head(csv);
	double serial = serial_time(t);
	for (unsigned i = 0; i < qti_nscheds; i++)
		if (!policy || strcmp(policy, qti_scheds[i]->name) == 0)
			good = run_policy(t, qti_scheds[i], serial) && good;
	return good;
}

int main(int argc, char **argv)
{
	const struct bench_option options[] = {
		{ "machine", "levels from the outside in (default: \"socket:4 core:8\")", BENCH_TEXT, &machine, 0, 0,
			NULL },
		{ "costs", "a file of costs; see --show-costs", BENCH_TEXT, &costs, 0, 0, NULL },
		{ "show-costs", "print the costs in use and stop", BENCH_SWITCH, &show_costs, 0, 0, NULL },
		{ "tree", "what is run (default: fib); see --list", BENCH_TEXT, &tree_name, 0, 0, NULL },
		{ "list", "say what the trees are and stop", BENCH_SWITCH, &list, 0, 0, NULL },
		{ "n", "the tree's size", BENCH_NUMBER, &n, 1, 1000000000, NULL },
		{ "cut", "its other number", BENCH_NUMBER, &cut, 1, 1000000000, NULL },
		{ "work", "percent of the time that the work of a task takes (default: 100)", BENCH_NUMBER, &sim_work_percent, 1,
			1000000, NULL },
		{ "seed", "who begins first (default: all at once)", BENCH_NUMBER, &sim_seed, 1, 1000000, NULL },
		{ "light-fences", "on more workers than this fences are symmetric (default: as in the library)", BENCH_NUMBER,
			&sim_light_fences, 0, 1024, NULL },
		{ "small", "a small tree", BENCH_SWITCH, &small, 0, 0, NULL },
		{ "policy", "one policy (default: all)", BENCH_TEXT, &policy, 0, 0, NULL },
		{ "workers", "how many, separated by commas (default: all of the machine)", BENCH_TEXT, &workers, 0, 0,
			NULL },
		{ "paper", "what papers found, on all trees or on one, beside simulated runs: minutes", BENCH_SWITCH, &papers,
			0, 0, NULL },
		{ "seeds", "with --paper: so many, figures are medians (default: 1)", BENCH_NUMBER, &sim_paper_seeds, 1,
			SIM_PAPER_SEEDS, NULL },
		{ "hot", "say which cache lines are waited for most", BENCH_SWITCH, &hot, 0, 0, NULL },
		{ "csv", "print comma-separated values", BENCH_SWITCH, &csv, 0, 0, NULL },
		{ .name = NULL },
	};

	bench_parse(argc, argv, "sim", "the policies on simulated processors", options);
	sim_machine_set_up("sim", costs, machine);
	if (policy && !qti_sched_find(policy))
		bench_usage("sim", "--policy %s: no such policy", policy);
	if (list)
		print_list();
	else if (show_costs)
		sim_costs_print(stdout);
	else if (papers)
		return sim_papers(tree_name ? tree_named(tree_name) : NULL) ? 0 : 1;
	else
		return run_tree(tree_named(tree_name ? tree_name : "fib")) ? 0 : 1;
	return 0;
}
