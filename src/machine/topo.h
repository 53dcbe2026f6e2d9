/* machine/topo.h -- the machine's processing units, what they share, how far apart they are; binding to them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One contract, qti_topo_load, and a file for each answer: topo_hwloc.c asks hwloc, topo_flat.c knows the affinity
 * mask only.  The first has a shortcut for small machines, topo_sysfs.c: loading hwloc takes longer than the rest of
 * the library's start.
 */
#ifndef QTI_MACHINE_TOPO_H
#define QTI_MACHINE_TOPO_H

#include "base/shared.h"
#include "base/env.h"

#include <string.h>
#include <sys/types.h>

struct qti_pu {
	unsigned os;                    /* the operating system's number */
	int group[QTI_NLEVELS];         /* which core, cache, ... it belongs to; -1: the machine has or shows none */
};

/* The PUs that the calling thread may run on, or all of a machine that is not this one, ordered so that those that
 * share much are close together.  Groups of a level are numbered from 0 in that order. */
struct qti_topo {
	struct qti_pu *pu;
	unsigned npus;
	unsigned ncpus;                 /* that this thread may really run on */
	bool this_system;               /* false: HWLOC_SYNTHETIC and the like, so there is nothing to bind to */
	unsigned nnodes;
	uint8_t *node_distance;         /* [nnodes][nnodes], 10 on the diagonal; NULL if unknown */
};

/* levels: bits 1 << QTI_LEVEL_* that the caller will look at; 0: it asks for the PUs only.  -ENOMEM, or 0. */
QTI_SHARED int qti_topo_load(struct qti_topo *t, unsigned levels);
QTI_SHARED void qti_topo_free(struct qti_topo *t);

/* ---- Shared by the answers -------------------------------------------------------------------------------------- */

enum { QTI_CPUS_MAX = 8192 };           /* more than Linux supports anywhere */

struct qti_affinity {
	uint64_t bits[QTI_CPUS_MAX / 64];       /* the kernel's format, on 64-bit machines */
	bool valid;
};

static inline bool qti_affinity_has(const struct qti_affinity *a, unsigned cpu)
{
	return cpu < QTI_CPUS_MAX && (a->bits[cpu / 64] >> (cpu % 64) & 1);
}

/* The lowest CPU of those that are there. */
static inline unsigned qti_affinity_first(const struct qti_affinity *a)
{
	unsigned cpu = 0;

	while (cpu + 1 < QTI_CPUS_MAX && !qti_affinity_has(a, cpu))
		cpu++;
	return cpu;
}

/* Room for npus PUs that belong to no group but the machine.  -ENOMEM, or 0. */
int qti_topo_init(struct qti_topo *t, unsigned npus);

/* Once every PU has its groups by any numbers >= 0: orders the PUs, numbers the groups from 0, and finds the chips. */
void qti_topo_finish(struct qti_topo *t);

/* The PUs of the affinity mask, about which nothing else is known. */
int qti_topo_flat(struct qti_topo *t, const struct qti_affinity *allowed);

/* The same from <root>/sys.  -ENODATA if it is incomplete, or if there are several NUMA nodes, whose distances it does
 * not read. */
int qti_topo_sysfs(struct qti_topo *t, const struct qti_affinity *allowed, unsigned levels, const char *root);

/* Whether <root>/sys tells of NUMA nodes: a kernel without support for them does not. */
bool qti_topo_has_nodes(const char *root);

/* Whether <root>/sys says what that CPU belongs to: in a sandbox there may be no /sys, or an empty one. */
bool qti_topo_has_cores(const char *root, unsigned cpu);

/* ---- The calling thread's binding ------------------------------------------------------------------------------- */

QTI_SHARED unsigned qti_affinity_save(struct qti_affinity *a);     /* CPUs in it, at least 1 */
QTI_SHARED void qti_affinity_restore(const struct qti_affinity *a);

/* The mask of any thread; 0: of the calling one.  False: the kernel does not tell. */
QTI_SHARED bool qti_affinity_of(pid_t tid, struct qti_affinity *a);

static inline bool qti_affinity_same(const struct qti_affinity *a, const struct qti_affinity *b)
{
	return memcmp(a->bits, b->bits, sizeof(a->bits)) == 0;
}

/* Whether a is this CPU alone. */
static inline bool qti_affinity_is(const struct qti_affinity *a, unsigned cpu)
{
	unsigned others = 0;

	for (unsigned i = 0; i < QTI_CPUS_MAX / 64; i++)
		others += (a->bits[i] & ~(i == cpu / 64 ? UINT64_C(1) << cpu % 64 : 0)) != 0;
	return others == 0 && qti_affinity_has(a, cpu);
}

/* Moves the calling thread to this CPU, and gives it the mask back that it had, or that it was given meanwhile.  Only a
 * thread with the mask of the process's first thread moves, and never that one itself. */
QTI_SHARED void qti_topo_move_self(unsigned os);
int qti_topo_bind_self(unsigned os);                    /* 0 or -errno, after which the thread runs where it could */

#endif
