/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The barrier of OpenMP's teams on simulated processors: where members meet at one gate, and where they meet along a
 * tree (src/omp/team/barrier.c, tree_wait.c and what waits in them, as they are).
 *
 * A member is a thread of its own, one on each processor, in a region that has no tasks. */
#include "sim/engine.h"
#include "sim/lines.h"
#include "sim/machine.h"
#include "sim/tree.h"

#include "base/env.h"
#include "base/mem.h"
#include "base/tuning.h"
#include "common/bench.h"
#include "omp/team/barrier.h"
#include "omp/team/patience.h"
#include "omp/team/root.h"
#include "omp/team/team.h"
#include "omp/team/tree.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 3, WARM_UP = 4 };

static const char *machine = "numa:32 core:32", *costs, *members = "";
static unsigned long rounds = 32, work_ns;
static bool csv;

static struct {
	struct qomp_team *team;
	uint64_t began, ended;          /* of the rounds that count: the last member's */
	uint64_t came[SIM_CPUS_MAX];    /* how many rounds each has done */
} job;

/* Where a member runs, as omp/team/apart.h asks the kernel. */
int sched_getcpu(void)
{
	return (int)sim_cpu();
}

/* --- a team ---------------------------------------------------------------------------------------------- */

static void *room(size_t n, size_t size)
{
	void *p = qti_mem_aligned(QTI_CACHE_LINE, n * size);

	if (!p)
		abort();
	return p;       /* the arena's memory is zero */
}

/* As at a region's beginning. */
static struct qomp_team *team_up(unsigned n, enum qti_barrier kind)
{
	struct qomp_team *team = room(1, sizeof(*team));

	team->member = room(n, sizeof(struct qomp_member *));
	team->n = team->room = team->seats = n;
	team->root = room(1, sizeof(struct qomp_root));
	for (unsigned i = 0; i < n; i++) {
		struct qomp_member *m = team->member[i] = room(1, sizeof(*m));
		m->team = m->frame.team = team;
		m->frame.num = (uint16_t)i;
		m->frame.flags = QOMP_IMPLICIT;
	}
	qomp_settings.procs = sim_machine_size();
	qomp_settings.barrier = kind;
	team->is_tree = qomp_tree_suits(team);
	if (team->is_tree)
		qomp_tree_reset(team);
	return team;
}

/* --- its rounds ------------------------------------------------------------------------------------------ */

/* Nobody goes on before all have come. */
static void check_all_came(uint64_t round)
{
	for (unsigned i = 0; i < job.team->n; i++)
		if (job.came[i] < round) {
			fprintf(stderr, "barriers: a member has passed before all have come\n");
			exit(1);
		}
}

static void do_rounds(unsigned cpu, uint64_t from, uint64_t to)
{
	for (uint64_t round = from; round < to; round++) {
		if (work_ns)
			sim_spend(SIM_WORK, sim_mix(sim_seed + round, cpu) % (2000 * work_ns));
		job.came[cpu]++;
		qomp_barrier(&job.team->member[cpu]->frame);
		check_all_came(round + 1);
	}
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void member(unsigned cpu)
{
	do_rounds(cpu, 0, WARM_UP);
	job.began = later(job.began, sim_now());
	do_rounds(cpu, WARM_UP, WARM_UP + rounds);
	job.ended = later(job.ended, sim_now());
}

/* Nanoseconds a round. */
static double run(unsigned n, enum qti_barrier kind)
{
	struct qti_topo topo;
	unsigned pu[SIM_CPUS_MAX];

	memset(&job, 0, sizeof(job));
	sim_arena_reset();
	if (sim_machine_topo(&topo, n) != 0)
		abort();
	for (unsigned i = 0; i < n; i++)
		pu[i] = i;
	sim_machine_place(&topo, n, pu);
	qti_topo_free(&topo);
	job.team = team_up(n, kind);
	sim_lines_begin(n);
	if (!sim_run(n, member)) {
		fprintf(stderr, "barriers: members sleep for ever\n");
		exit(1);
	}
	sim_lines_end();
	return (double)(job.ended - job.began) / 1000 / (double)rounds;
}

/* --- the table ------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(unsigned n, enum qti_barrier kind)
{
	double ns[SEEDS];

	for (unsigned i = 0; i < SEEDS; i++) {
		sim_seed = i + 1;
		ns[i] = run(n, kind);
	}
	qsort(ns, SEEDS, sizeof(ns[0]), by_size);
	return ns[SEEDS / 2];
}

static void print_for(unsigned n)
{
	double central = median(n, QTI_BARRIER_CENTRAL), tree = median(n, QTI_BARRIER_TREE);
	double by_itself = median(n, QTI_BARRIER_AUTO);

	printf(csv ? "%u,%.0f,%.0f,%.0f,%.2f\n" : "%8u %12.0f %12.0f %12.0f %14.2f\n", n, central, tree, by_itself,
		tree / central);
	fflush(stdout);
}

static void print_each(void)
{
	char *list = strdup(members), *end;

	for (char *one = strtok_r(list, ",", &end); one; one = strtok_r(NULL, ",", &end)) {
		unsigned long n = strtoul(one, NULL, 10);
		if (n < 2 || n > sim_machine_size())
			bench_usage("barriers", "--members %s: must be numbers from 2 to %u", members, sim_machine_size());
		print_for((unsigned)n);
	}
	free(list);
}

int main(int argc, char **argv)
{
	const struct bench_option options[] = {
		{ "machine", "levels from the outside in (default: \"numa:32 core:32\")", BENCH_TEXT, &machine, 0, 0, NULL },
		{ "costs", "a file of costs, as bench/sim/sim takes it", BENCH_TEXT, &costs, 0, 0, NULL },
		{ "members", "how many, separated by commas (default: powers of two)", BENCH_TEXT, &members, 0, 0, NULL },
		{ "rounds", "barriers that count (default: 32)", BENCH_NUMBER, &rounds, 1, 1000000, NULL },
		{ "work", "nanoseconds that a member works before each, on average (default: 0)", BENCH_NUMBER, &work_ns, 0,
			1000000, NULL },
		{ "csv", "print comma-separated values", BENCH_SWITCH, &csv, 0, 0, NULL },
		{ .name = NULL },
	};

	bench_parse(argc, argv, "barriers", "OpenMP's barrier on simulated processors", options);
	sim_machine_set_up("barriers", costs, machine);
	store_rlx(&qomp_spin_ns, TUNE_SPIN_NS);
	printf(csv ? "members,central,tree,auto,tree / central\n" : "%8s %12s %12s %12s %14s\n", "members", "central, ns",
		"tree, ns", "auto, ns", "tree / central");
	if (members[0])
		print_each();
	for (unsigned n = 2; !members[0] && n <= sim_machine_size(); n *= 2)
		print_for(n);
	return 0;
}
