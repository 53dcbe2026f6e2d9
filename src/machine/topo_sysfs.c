/* machine/topo_sysfs.c -- small machines, read straight from /sys.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One file of a group lists all its members, so two cores under one cache cost about ten short reads, against
 * hwloc's hundred.  What hwloc knows and this does not - distances, memory without CPUs, caches that the kernel does
 * not list, systems that are described by a file - is left to it: -ENODATA.
 */
#include "machine/topo.h"

#include "base/ascii.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PATH_SIZE = 256,
	LIST_SIZE = 512,                /* the main thread's stack may be of 16 kB, half of which is gone before main */
	CACHES = 8,
	USUAL_CACHES = 4,               /* data, instructions, second and third level */
	NLEVELS = 4,
	CACHE_LEVELS = 1 << QTI_LEVEL_L1 | 1 << QTI_LEVEL_L2 | 1 << QTI_LEVEL_L3 | 1 << QTI_LEVEL_L4,
};

struct reader {
	struct qti_topo *topo;
	const char *root;
};

/* A list of CPUs, "0-3,8,10-11", as bits. */
static bool parse_list(const char *text, struct qti_affinity *set)
{
	memset(set, 0, sizeof(*set));
	for (;;) {
		char *end;

		if (!qti_ascii_is_digit(*text))
			return false;
		unsigned long first = strtoul(text, &end, 10), last = first;
		if (*end == '-' && qti_ascii_is_digit(end[1]))
			last = strtoul(end + 1, &end, 10);
		if (last < first || last >= QTI_CPUS_MAX)
			return false;
		for (unsigned long cpu = first; cpu <= last; cpu++)
			set->bits[cpu / 64] |= (uint64_t)1 << (cpu % 64);
		if (*end != ',')
			return *end == '\0' || *end == '\n';
		text = end + 1;
	}
}

/* A function of its own: the path is off the stack before somebody goes on with the text. */
static __attribute__((noinline)) bool read_cpu_file(const struct reader *r, unsigned os, const char *name, char *text,
                                                    size_t size)
{
	char path[PATH_SIZE];
	int n = snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu%u/%s", r->root, os, name);

	return n > 0 && (size_t)n < sizeof(path) && qti_text_read(path, text, size);
}

/* Puts every PU into a group of the level; `name` is the file of one member that lists them all.  Kernels before 5.7
 * have it under the `older` name. */
static bool group_by_file(const struct reader *r, enum qti_level level, const char *name, const char *older)
{
	struct qti_topo *t = r->topo;
	int next = 0;

	for (unsigned i = 0; i < t->npus; i++) {
		struct qti_affinity members;
		char text[LIST_SIZE];

		if (t->pu[i].group[level] >= 0)
			continue;
		if (!read_cpu_file(r, t->pu[i].os, name, text, sizeof(text)) &&
			(!older || !read_cpu_file(r, t->pu[i].os, older, text, sizeof(text))))
			return false;
		if (!parse_list(text, &members) || !qti_affinity_has(&members, t->pu[i].os))
			return false;
		for (unsigned j = i; j < t->npus; j++)
			if (qti_affinity_has(&members, t->pu[j].os))
				t->pu[j].group[level] = next;
		next++;
	}
	return true;
}

/* 0: there is no such cache; more than NLEVELS: the file makes no sense. */
static unsigned cache_level(const struct reader *r, unsigned index)
{
	char name[64], text[16];

	snprintf(name, sizeof(name), "cache/index%u/level", index);
	if (!read_cpu_file(r, r->topo->pu[0].os, name, text, sizeof(text)))
		return 0;
	unsigned level = (unsigned)strtoul(text, NULL, 10);
	return level ? level : NLEVELS + 1;
}

/* The kernel lists caches level by level, the first level first.  That one nobody asks for, as a rule, so they are
 * looked at from the last on.  (A level's instructions are shared by those who share its data.) */
static bool group_by_caches(const struct reader *r, unsigned levels)
{
	unsigned wanted = levels & CACHE_LEVELS, upper = NLEVELS + 1, index = USUAL_CACHES;

	while (wanted && index < CACHES && cache_level(r, index) != 0)
		index++;
	while (wanted && index-- > 0) {
		unsigned level = cache_level(r, index);
		char name[64];

		if (level == 0 && upper > NLEVELS)
			continue;               /* there are fewer than usual */
		if (level == 0 || level > NLEVELS || level > upper)
			return false;
		enum qti_level here = (enum qti_level)(QTI_LEVEL_L1 + level - 1);
		snprintf(name, sizeof(name), "cache/index%u/shared_cpu_list", index);
		if (level < upper && (wanted & 1u << here) && !group_by_file(r, here, name, NULL))
			return false;
		wanted &= (1u << here) - 1;
		upper = level;
	}
	return !wanted || upper <= NLEVELS;
}

/* A kernel without NUMA support has no node directory; then the machine is one node.  A function of its own as well. */
static __attribute__((noinline)) bool only_one_node(const struct reader *r)
{
	struct qti_affinity nodes;
	char path[PATH_SIZE], text[64];

	snprintf(path, sizeof(path), "%s/sys/devices/system/node/online", r->root);
	if (!qti_text_read(path, text, sizeof(text)))
		return errno == ENOENT;
	memset(&nodes, 0, sizeof(nodes));
	return parse_list(text, &nodes) && strpbrk(text, "-,") == NULL;
}

int qti_topo_sysfs(struct qti_topo *t, const struct qti_affinity *allowed, unsigned levels, const char *root)
{
	const struct reader r = { .topo = t, .root = root };
	int rc = qti_topo_flat(t, allowed);

	if (rc != 0)
		return rc;
	if (!only_one_node(&r) ||
		!group_by_file(&r, QTI_LEVEL_CORE, "topology/core_cpus_list", "topology/thread_siblings_list") ||
		!group_by_file(&r, QTI_LEVEL_SOCKET, "topology/package_cpus_list", "topology/core_siblings_list") ||
		!group_by_caches(&r, levels)) {
		qti_topo_free(t);
		return -ENODATA;
	}
	for (unsigned i = 0; i < t->npus; i++)
		t->pu[i].group[QTI_LEVEL_NUMA] = 0;
	qti_topo_finish(t);
	return 0;
}
