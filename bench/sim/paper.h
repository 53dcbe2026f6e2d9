/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What papers found on their machines, beside runs on these machines simulated.
 *
 * A finding compares two figures: one is larger, or they are about the same.  Machines differ in age and trees
 * in size, so it is the comparison that is judged, by one rule for all rows: the paper's two figures are about
 * the same if they are within 10 %, and ours agree then if they are within 25 %; else ours agree if they differ
 * in the same direction, by 2 % at least. */
#ifndef BENCH_SIM_PAPER_H
#define BENCH_SIM_PAPER_H

#include "sim/costs.h"
#include "sim/tree.h"

#include <stdbool.h>

enum sim_metric {
	SIM_SPEEDUP,
	SIM_OFF_CHIP,                   /* steals of tasks from another chip */
	SIM_EACH,                       /* tasks a steal */
	SIM_SHARE_STEAL, SIM_SHARE_IDLE, SIM_SHARE_BUSY,        /* percent of all workers' time */
	SIM_SHARE_SELF, SIM_SHARE_LOCAL, SIM_SHARE_REMOTE,      /* of tasks that the creator ran, its chip, others */
	SIM_SHARE_AT_ONCE,              /* of tasks */
	SIM_BOUND                       /* no run: the paper's figure is a bound for the other one */
};

struct sim_figure {
	const char *policy;
	unsigned workers;
	enum sim_metric metric;
	double paper;
	const char *setting;            /* NAME=value, or NULL */
};

enum { SIM_PAPER_TREES = 4 };

/* A machine of the papers: its levels, and of its costs those that are published; and for programs whose tasks are as
 * large as the paper's how long they took there, in percent of ours.  The rest is as the simulator has it. */
struct sim_paper_machine {
	const char *levels;
	struct {
		const struct sim_tree *tree;
		unsigned percent;
	} work[SIM_PAPER_TREES];        /* until one without */
	struct {
		enum sim_cost what;
		unsigned ns;
	} cost[SIM_COSTS];              /* until one of 0 */
};

struct sim_finding {
	const char *source;
	const struct sim_paper_machine *machine;
	const struct sim_tree *tree;
	unsigned long n, cut;           /* 0: the tree's own */
	struct sim_figure a, b;
	const char *why;                /* they disagree, where that is understood; NULL */
};

extern const struct sim_finding sim_findings[];
extern const unsigned sim_nfindings;

/* Runs in which many wait for one line differ by the seed, and by the build: a figure is the median of so many seeds, from 0 on. */
enum { SIM_PAPER_SEEDS = 9 };
extern unsigned long sim_paper_seeds;

/* Runs and prints them all, or those of one tree.  False if a run did not end. */
bool sim_papers(const struct sim_tree *only);

#endif
