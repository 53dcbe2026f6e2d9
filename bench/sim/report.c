/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sim/report.h"

#include <inttypes.h>
#include <stdio.h>

enum column {
	WORKERS, SHEPHERDS, US, SPEEDUP, PARTS, TASKS = PARTS + SIM_PARTS, AWAY, AT_ONCE, STEALS, EACH, FAILED, FROM,
	LINES = FROM + SIM_DISTANCES, LOCKED, HEAVY, PARKS, WAKES, MOVES, COLUMNS
};

static const struct {
	const char *name;
	int width, decimals;            /* width 0: with --csv alone */
} columns[COLUMNS] = {
	[WORKERS] = { "workers", 7, 0 }, [SHEPHERDS] = { "shepherds", 0, 0 }, [US] = { "us", 10, 1 },
	[SPEEDUP] = { "speed-up", 8, 2 },
	[PARTS + SIM_WORK] = { "busy", 6, 1 }, [PARTS + SIM_QUEUE] = { "queue", 6, 1 },
	[PARTS + SIM_STEAL] = { "steal", 6, 1 }, [PARTS + SIM_IDLE] = { "idle", 6, 1 },
	[PARTS + SIM_SWITCHES] = { "switch", 6, 1 },
	[TASKS] = { "tasks", 8, 0 }, [AWAY] = { "ran away", 0, 0 }, [AT_ONCE] = { "at once", 0, 0 },
	[STEALS] = { "steals", 8, 0 }, [EACH] = { "each", 6, 2 }, [FAILED] = { "failed", 0, 0 },
	[FROM + SIM_SELF] = { "from self", 0, 0 }, [FROM + SIM_CORE] = { "from core", 0, 0 },
	[FROM + SIM_L2] = { "from l2", 0, 0 }, [FROM + SIM_CHIP] = { "chip", 7, 0 },
	[FROM + SIM_NEAR] = { "near", 7, 0 }, [FROM + SIM_FAR] = { "far", 7, 0 },
	[LINES] = { "lines", 0, 0 }, [LOCKED] = { "locked", 0, 0 },
	[HEAVY] = { "heavy", 6, 0 }, [PARKS] = { "parks", 6, 0 },
	[WAKES] = { "wakes", 0, 0 }, [MOVES] = { "moves", 0, 0 },
};

static void figures(const struct sim_result *r, double serial, double f[COLUMNS])
{
	const struct sim_task_counts *c = &r->tasks;

	f[WORKERS] = r->workers;
	f[SHEPHERDS] = r->shepherds;
	f[US] = r->ns / 1000;
	f[SPEEDUP] = serial / r->ns;
	for (unsigned p = 0; p < SIM_PARTS; p++)
		f[PARTS + p] = 100 * r->spent[p] / (r->ns * r->workers);
	f[TASKS] = (double)c->run;
	f[AWAY] = (double)(c->run - c->by_distance[SIM_SELF]);
	f[AT_ONCE] = (double)c->at_once;
	f[STEALS] = (double)c->steals_made;
	f[EACH] = c->steals_made ? (double)c->stolen / (double)c->steals_made : 0;
	f[FAILED] = (double)c->failed_steals;
	f[LINES] = 0;
	for (unsigned d = 0; d < SIM_DISTANCES; d++) {
		f[FROM + d] = (double)c->steals[d];
		f[LINES] += (double)r->events.lines[d];
	}
	f[LOCKED] = (double)r->events.locked;
	f[HEAVY] = (double)r->events.heavy;
	f[PARKS] = (double)r->events.parks;
	f[WAKES] = (double)r->events.wakes;
	f[MOVES] = (double)r->events.switches_of_cpu;
}

void sim_report_head(bool csv)
{
	printf(csv ? "tree,policy" : "%-10s %-6s", "tree", "policy");
	for (unsigned i = 0; i < COLUMNS; i++)
		if (csv)
			printf(",%s", columns[i].name);
		else if (columns[i].width)
			printf(" %*s", columns[i].width, columns[i].name);
	printf(csv ? ",digest\n" : "\n");
}

void sim_report_run(bool csv, const char *tree, const char *policy, const struct sim_result *r, double serial)
{
	double f[COLUMNS];

	figures(r, serial, f);
	printf(csv ? "%s,%s" : "%-10s %-6s", tree, policy);
	for (unsigned i = 0; i < COLUMNS; i++)
		if (csv)
			printf(",%.*f", columns[i].decimals, f[i]);
		else if (columns[i].width)
			printf(" %*.*f", columns[i].width, columns[i].decimals, f[i]);
	if (csv)
		printf(",%016" PRIx64, r->digest);
	printf("%s\n", r->complete ? "" : csv ? ",asleep" : "  sleeps for ever");
	fflush(stdout);
}

void sim_report_hot(const struct sim_result *r)
{
	for (unsigned i = 0; i < r->nhot; i++)
		printf("  %5.1f %% of the time waiting for %-22s %9u times with another writer\n",
			100 * r->hot[i].ns / (r->ns * r->workers), r->hot[i].name, r->hot[i].writes);
}
