/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine.h"

#include "common/bench.h"
#include "sim/costs.h"
#include "sim/engine.h"
#include "sim/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 8 };

static struct {
	enum qti_level level;
	unsigned count;
} levels[LEVELS_MAX];
static unsigned nlevels, size;

static struct {
	uint8_t distance[SIM_CPUS_MAX][SIM_CPUS_MAX];
	unsigned short chip[SIM_CPUS_MAX], of_chip[SIM_CPUS_MAX];       /* a processor's chip, and a processor of it */
	unsigned nchips;
} placed;

const char *sim_machine_read(const char *text)
{
	char name[16];
	unsigned count;
	int length;

	nlevels = 0;
	size = 1;
	for (; sscanf(text, " %15[a-zA-Z0-9]:%u%n", name, &count, &length) == 2; text += length) {
		if (nlevels == LEVELS_MAX)
			return "has too many levels";
		if (count == 0 || count > SIM_CPUS_MAX)
			return "has a level of nothing, or of too many";
		levels[nlevels].level = qti_level_parse(name);
		if (levels[nlevels].level == QTI_LEVEL_UNSET || levels[nlevels].level == QTI_LEVEL_MACHINE)
			return "names a level that is none of socket, numa, l4, l3, l2, l1, core, pu";
		levels[nlevels++].count = count;
		size *= count;
		if (size > SIM_CPUS_MAX)
			return "has more than 1024 processors";
	}
	if (text[strspn(text, " ")] != '\0' || nlevels == 0)
		return "must be like socket:4 numa:2 core:8";
	return NULL;
}

void sim_machine_set_up(const char *program, const char *costs, const char *machine)
{
	const char *wrong;

	if (costs && (wrong = sim_costs_read(costs)) != NULL)
		bench_usage(program, "--costs %s: %s", costs, wrong);
	if ((wrong = sim_machine_read(machine)) != NULL)
		bench_usage(program, "--machine \"%s\": %s", machine, wrong);
}

unsigned sim_machine_size(void)
{
	return size;
}

int sim_machine_topo(struct qti_topo *t, unsigned n)
{
	int rc = qti_topo_init(t, size);

	for (unsigned i = 0; rc == 0 && i < size; i++) {
		unsigned inside = size;
		t->pu[i].os = i;
		t->pu[i].group[QTI_LEVEL_CORE] = (int)i;
		for (unsigned l = 0; l < nlevels; l++) {
			inside /= levels[l].count;
			t->pu[i].group[levels[l].level] = (int)(i / inside);
		}
	}
	if (rc != 0)
		return rc;
	qti_topo_finish(t);
	t->npus = t->ncpus = n < size ? n : size;
	return 0;
}

static bool share(const struct qti_pu *a, const struct qti_pu *b, enum qti_level level)
{
	return a->group[level] >= 0 && a->group[level] == b->group[level];
}

static enum sim_distance between(const struct qti_pu *a, const struct qti_pu *b)
{
	if (a == b)
		return SIM_SELF;
	if (share(a, b, QTI_LEVEL_CORE))
		return SIM_CORE;
	if (share(a, b, QTI_LEVEL_L1) || share(a, b, QTI_LEVEL_L2))
		return SIM_L2;
	if (share(a, b, QTI_LEVEL_CHIP))
		return SIM_CHIP;
	return share(a, b, QTI_LEVEL_SOCKET) || share(a, b, QTI_LEVEL_NUMA) ? SIM_NEAR : SIM_FAR;
}

void sim_machine_place(const struct qti_topo *t, unsigned n, const unsigned *pu)
{
	placed.nchips = 0;
	for (unsigned i = 0; i < n; i++) {
		unsigned chip = (unsigned)t->pu[pu[i]].group[QTI_LEVEL_CHIP];
		placed.chip[i] = (unsigned short)chip;
		placed.of_chip[chip] = (unsigned short)i;
		if (chip >= placed.nchips)
			placed.nchips = chip + 1;
		for (unsigned j = 0; j < n; j++)
			placed.distance[i][j] = (uint8_t)between(&t->pu[pu[i]], &t->pu[pu[j]]);
	}
}

enum sim_distance sim_distance(unsigned cpu, unsigned other)
{
	return placed.distance[cpu][other];
}

unsigned sim_machine_chip(unsigned cpu)
{
	return placed.chip[cpu];
}

unsigned sim_machine_chips(void)
{
	return placed.nchips;
}

enum sim_distance sim_machine_between(unsigned chip, unsigned other)
{
	return chip == other ? SIM_CHIP : sim_distance(placed.of_chip[chip], placed.of_chip[other]);
}
