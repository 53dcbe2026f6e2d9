/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* One simulated run of a program under a policy. */
#ifndef BENCH_SIM_RUN_H
#define BENCH_SIM_RUN_H

#include "core/sched.h"
#include "sim/engine.h"
#include "sim/tree.h"

struct sim_task_counts {
	uint64_t forked, run, at_once;          /* at once: because the policy said that it is full */
	uint64_t by_distance[SIM_DISTANCES];    /* from who forked a task to who ran it */
	uint64_t steals[SIM_DISTANCES];         /* likewise, of what a steal returned */
	uint64_t steals_made, failed_steals, stolen;    /* as the policies count */
	uint64_t again;                         /* tasks that began twice */
};

enum { SIM_HOT = 8 };

/* A line that processors waited for. */
struct sim_hot_line {
	char name[40];
	double ns;
	unsigned writes;
};

struct sim_result {
	double ns;                              /* from the first task's fork to its end */
	double spent[SIM_PARTS];                /* ns, of all workers together */
	unsigned workers, shepherds;
	struct sim_task_counts tasks;
	struct sim_events events;
	uint64_t digest;
	struct sim_hot_line hot[SIM_HOT];
	unsigned nhot;
	bool complete;                          /* false: workers slept for ever */
};

/* The machine has been read.  Settings of the library come from the environment. */
struct sim_result sim_measure(const struct qti_sched *policy, const struct sim_tree *tree, unsigned long n,
	unsigned long cut, unsigned workers);

/* The policy's turn in the run (tasks.c, run.c). */
extern struct sim_task_counts sim_counts;
void sim_count_steal(const struct qti_task *t);

/* data.c */
void sim_data_begin(void);
void sim_data_end(void);

#endif
