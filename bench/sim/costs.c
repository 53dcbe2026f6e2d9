/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sim/costs.h"

#include <string.h>

const char *const sim_distance_names[SIM_DISTANCES] = { "self", "core", "l2", "chip", "near", "far" };

static const char *const names[SIM_COSTS] = {
	[SIM_HIT] = "hit", [SIM_LOCKED] = "locked", [SIM_FENCE] = "fence", [SIM_PAUSE] = "pause",
	[SIM_LINE + SIM_SELF] = "line_self", [SIM_LINE + SIM_CORE] = "line_core", [SIM_LINE + SIM_L2] = "line_l2",
	[SIM_LINE + SIM_CHIP] = "line_chip", [SIM_LINE + SIM_NEAR] = "line_near", [SIM_LINE + SIM_FAR] = "line_far",
	[SIM_BUSY] = "line_busy", [SIM_INVALIDATE] = "invalidate", [SIM_SWITCH] = "switch", [SIM_CREATE] = "create",
	[SIM_RUN] = "run", [SIM_YIELD] = "yield", [SIM_SLEEP] = "sleep", [SIM_WAKE] = "wake", [SIM_ARRIVE] = "arrive",
	[SIM_HEAVY] = "heavy", [SIM_HEAVY_EACH] = "heavy_each", [SIM_INTERRUPT] = "interrupt",
	[SIM_PIECE_OWN] = "piece_own", [SIM_PIECE_CHIP] = "piece_chip", [SIM_PIECE_MEMORY] = "piece_memory",
	[SIM_PIECE_FURTHER] = "piece_further", [SIM_PIECE_SERVED] = "piece_served",
	[SIM_OWN_CACHE] = "own_cache", [SIM_CHIP_CACHE] = "chip_cache",
};

/* A server of today, from published figures: no machine in particular.  The small ones as bench/micro has them
 * on x86-64. */
uint64_t sim_cost[SIM_COSTS] = {
	[SIM_HIT] = 400, [SIM_LOCKED] = 4500, [SIM_FENCE] = 4500, [SIM_PAUSE] = 40000,
	[SIM_LINE + SIM_SELF] = 12000, [SIM_LINE + SIM_CORE] = 8000, [SIM_LINE + SIM_L2] = 15000,
	[SIM_LINE + SIM_CHIP] = 50000, [SIM_LINE + SIM_NEAR] = 90000, [SIM_LINE + SIM_FAR] = 130000,
	[SIM_BUSY] = 5000, [SIM_INVALIDATE] = 1000, [SIM_SWITCH] = 4000, [SIM_CREATE] = 6000, [SIM_RUN] = 4000,
	[SIM_YIELD] = 300000, [SIM_SLEEP] = 1000000, [SIM_WAKE] = 1500000, [SIM_ARRIVE] = 5000000,
	[SIM_HEAVY] = 2000000, [SIM_HEAVY_EACH] = 20000, [SIM_INTERRUPT] = 1000000,
	/* 400 and 50 GB/s from the caches; 13 GB/s from memory for one core, 50 for a chip. */
	[SIM_PIECE_OWN] = 10000, [SIM_PIECE_CHIP] = 80000, [SIM_PIECE_MEMORY] = 320000,
	[SIM_PIECE_FURTHER] = 160000, [SIM_PIECE_SERVED] = 80000,
	[SIM_OWN_CACHE] = 256000, [SIM_CHIP_CACHE] = 16384000,
};

static bool set_cost(const char *name, double ns)
{
	for (unsigned i = 0; i < SIM_COSTS; i++)
		if (strcmp(names[i], name) == 0) {
			sim_cost[i] = (uint64_t)(ns * 1000);
			return true;
		}
	return false;
}

const char *sim_costs_read(const char *path)
{
	static char wrong[160];
	char line[256], name[32];
	double ns;
	FILE *f = fopen(path, "r");

	if (!f)
		return "cannot be read";
	wrong[0] = '\0';
	for (unsigned n = 1; !wrong[0] && fgets(line, sizeof(line), f); n++) {
		line[strcspn(line, "#\n")] = '\0';
		if (line[strspn(line, " \t")] == '\0')
			continue;
		if (sscanf(line, "%31s %lf", name, &ns) != 2 || !(ns >= 0 && ns < 1e9))
			snprintf(wrong, sizeof(wrong), "line %u is not a name and nanoseconds", n);
		else if (!set_cost(name, ns))
			snprintf(wrong, sizeof(wrong), "line %u: there is no cost %s", n, name);
	}
	fclose(f);
	return wrong[0] ? wrong : NULL;
}

void sim_costs_print(FILE *to)
{
	for (unsigned i = 0; i < SIM_COSTS; i++)
		fprintf(to, "%-12s %g\n", names[i], (double)sim_cost[i] / 1000);
}
