/* omp/env/subset.c -- see omp/env/subset.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The value is a list of items with commas between them, one for a level at most, in any order:
 *
 *	[NUMBER or *] UNIT [@ OFFSET]
 *
 * NUMBER units of each unit of the next level outwards that the list has, after the first OFFSET ones; all of them, if
 * there is no number.  The outermost level is the sockets', whether the list has it or not, and threads are counted in
 * cores; of a unit of the innermost level everything is taken.
 */
#include "omp/env/subset.h"

#include "omp/env/text.h"

#include <limits.h>
#include <string.h>

/* From the outside in. */
static const struct {
	const char *const words[4];
	enum qti_level level;
} units[] = {
	{ { "s", "socket", "sockets", NULL }, QTI_LEVEL_SOCKET },
	{ { "n", "numa", "numa_domain", NULL }, QTI_LEVEL_NUMA },
	{ { "l3", "l3cache", NULL, NULL }, QTI_LEVEL_L3 },
	{ { "l2", "l2cache", NULL, NULL }, QTI_LEVEL_L2 },
	{ { "l1", "l1cache", NULL, NULL }, QTI_LEVEL_L1 },
	{ { "c", "core", "cores", NULL }, QTI_LEVEL_CORE },
	{ { "t", "thread", "threads", NULL }, QTI_LEVEL_PU },
};

enum { UNITS = sizeof(units) / sizeof(units[0]), SOCKETS = 0, THREADS = UNITS - 1, CORES = THREADS - 1 };

struct item {
	bool given;
	uint64_t number, offset;        /* number 0: all */
};

static bool read_item(const char **text, struct item *items)
{
	struct item it = { .given = true };
	unsigned u = 0;

	if (!qomp_read_char(text, '*') && qomp_read_number(text, INT_MAX, &it.number) && it.number == 0)
		return false;
	while (u < UNITS && qomp_read_one_of(text, units[u].words) < 0)
		u++;
	if (u == UNITS || items[u].given || (qomp_read_char(text, '@') && !qomp_read_number(text, INT_MAX, &it.offset)))
		return false;
	items[u] = it;
	return true;
}

static bool read_items(const char *text, struct item *items)
{
	do
		if (!read_item(&text, items))
			return false;
	while (qomp_read_char(&text, ','));
	items[SOCKETS].given = true;
	items[CORES].given |= items[THREADS].given;
	return qomp_read_end(text);
}

/* Where the machine does not say, all of it is one socket and one node, and each PU a core. */
static int group_of(const struct qti_topo *t, unsigned i, enum qti_level level)
{
	if (level == QTI_LEVEL_PU || (level == QTI_LEVEL_CORE && t->pu[i].group[level] < 0))
		return (int)i;
	return t->pu[i].group[level] < 0 ? 0 : t->pu[i].group[level];
}

/* PUs of a group lie side by side, and so do groups of a larger one.  Clears those that are outside; false if no unit
 * of the level outwards has so many. */
static bool keep_only(const struct qti_topo *t, enum qti_level outer, enum qti_level level, const struct item *it,
                      struct qti_affinity *kept)
{
	uint64_t rank = 0, most = 0, end = it->number ? it->offset + it->number : UINT64_MAX;

	for (unsigned i = 0; i < t->npus; i++) {
		unsigned os = t->pu[i].os;
		if (i == 0 || (outer != QTI_LEVEL_MACHINE && group_of(t, i, outer) != group_of(t, i - 1, outer)))
			rank = 0;
		else
			rank += group_of(t, i, level) != group_of(t, i - 1, level);
		if (rank + 1 > most)
			most = rank + 1;
		if (os < QTI_CPUS_MAX && (rank < it->offset || rank >= end))
			kept->bits[os / 64] &= ~(UINT64_C(1) << os % 64);
	}
	return it->number ? end <= most : it->offset < most;
}

unsigned qomp_subset_take(const char *text, const struct qti_topo *t, struct qti_affinity *cpus, const char **why)
{
	struct item items[UNITS] = { { .given = false } };
	struct qti_affinity kept = { .valid = true };
	enum qti_level outer = QTI_LEVEL_MACHINE;
	unsigned n = 0;

	*why = NULL;
	if (!read_items(text, items))
		return 0;
	for (unsigned i = 0; i < t->npus; i++)
		if (t->pu[i].os < QTI_CPUS_MAX)
			kept.bits[t->pu[i].os / 64] |= UINT64_C(1) << t->pu[i].os % 64;
	for (unsigned u = 0; u < UNITS; u++) {
		if (!items[u].given)
			continue;
		*why = units[u].words[1];
		if (!keep_only(t, outer, units[u].level, &items[u], &kept))
			return 0;
		outer = units[u].level;
	}
	for (unsigned i = 0; i < t->npus; i++)
		n += qti_affinity_has(&kept, t->pu[i].os);
	if (n > 0)
		*cpus = kept;
	return n;
}

unsigned qomp_subset_apply(const char *text, struct qti_affinity *cpus)
{
	unsigned levels = 0, n;
	struct qti_topo topo;
	const char *why;

	for (unsigned u = 0; u < UNITS; u++)
		if (units[u].level != QTI_LEVEL_PU)
			levels |= 1u << units[u].level;
	if (qti_topo_load(&topo, levels) != 0)
		return 0;
	n = topo.this_system ? qomp_subset_take(text, &topo, cpus, &why) : 0;
	if (n > 0)
		qti_affinity_restore(cpus);
	else if (topo.this_system && why)
		qomp_warn("KMP_HW_SUBSET=%.64s asks for a %s that the process does not have; "
			"it has no effect", text, why);
	else if (topo.this_system)
		qomp_warn("KMP_HW_SUBSET=%.64s is not understood; allowed: numbers of s, n, l3, l2, l1, c and t, "
			"perhaps with @ and an offset, and commas between them; it has no effect", text);
	qti_topo_free(&topo);
	return n;
}
