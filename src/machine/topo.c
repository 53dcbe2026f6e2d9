/* machine/topo.c -- what the answers to machine/topo.h share.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/topo.h"

#include "base/mem.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int qti_topo_init(struct qti_topo *t, unsigned npus)
{
	*t = (struct qti_topo){ .npus = npus, .ncpus = npus, .this_system = true };
	t->pu = qti_mem_alloc(npus * sizeof(*t->pu));
	if (!t->pu)
		return -ENOMEM;
	for (unsigned i = 0; i < npus; i++) {
		for (unsigned level = 0; level < QTI_NLEVELS; level++)
			t->pu[i].group[level] = -1;
		t->pu[i].group[QTI_LEVEL_PU] = (int)i;
		t->pu[i].group[QTI_LEVEL_MACHINE] = 0;
	}
	return 0;
}

void qti_topo_free(struct qti_topo *t)
{
	qti_mem_free(t->pu);
	qti_mem_free(t->node_distance);
	*t = (struct qti_topo){ 0 };
}

int qti_topo_flat(struct qti_topo *t, const struct qti_affinity *allowed)
{
	unsigned n = 0;

	for (unsigned cpu = 0; cpu < QTI_CPUS_MAX; cpu++)
		n += qti_affinity_has(allowed, cpu);
	int rc = qti_topo_init(t, n);
	if (rc != 0)
		return rc;
	for (unsigned cpu = 0, i = 0; i < n; cpu++)
		if (qti_affinity_has(allowed, cpu))
			t->pu[i++].os = cpu;
	qti_topo_finish(t);
	return 0;
}

bool qti_topo_has_nodes(const char *root)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/sys/devices/system/node/online", root);
	return access(path, R_OK) == 0;
}

bool qti_topo_has_cores(const char *root, unsigned cpu)
{
	/* Kernels before 5.7 know only the latter two. */
	static const char *const lists[] = { "core_cpus", "package_cpus", "thread_siblings", "core_siblings" };
	char path[256];
	bool found = false;

	for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]) && !found; i++) {
		snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu%u/topology/%s", root, cpu, lists[i]);
		found = access(path, R_OK) == 0;
	}
	return found;
}

/* ---- Order and numbers ------------------------------------------------------------------------------------------ */

/* Largest first; what a smaller level splits, a larger one holds together.  Where they overlap, as NUMA nodes and
 * sockets may, the first decides. */
static const enum qti_level nesting[] = {
	QTI_LEVEL_SOCKET, QTI_LEVEL_NUMA, QTI_LEVEL_L4, QTI_LEVEL_L3, QTI_LEVEL_L2, QTI_LEVEL_L1, QTI_LEVEL_CORE,
};

enum { NNESTING = sizeof(nesting) / sizeof(nesting[0]) };

static int by_os(const void *one, const void *other)
{
	const struct qti_pu *a = one, *b = other;

	return a->os < b->os ? -1 : a->os > b->os;
}

static int by_nesting(const void *one, const void *other)
{
	const struct qti_pu *a = one, *b = other;

	for (unsigned i = 0; i < NNESTING; i++)
		if (a->group[nesting[i]] != b->group[nesting[i]])
			return a->group[nesting[i]] < b->group[nesting[i]] ? -1 : 1;
	return by_os(a, b);
}

/* Numbers given in a pass are stored as -2 - n until its end, so that none is taken for one that it replaces. */
static void level_decode(struct qti_topo *t, enum qti_level level)
{
	for (unsigned i = 0; i < t->npus; i++)
		if (t->pu[i].group[level] <= -2)
			t->pu[i].group[level] = -2 - t->pu[i].group[level];
}

/* Numbers a level's groups from 0 in the order of the PUs. */
static void number_groups(struct qti_topo *t, enum qti_level level)
{
	int next = -2;

	for (unsigned i = 0; i < t->npus; i++) {
		int old = t->pu[i].group[level];

		if (old < 0)
			continue;
		for (unsigned j = i; j < t->npus; j++)
			if (t->pu[j].group[level] == old)
				t->pu[j].group[level] = next;
		next--;
	}
	level_decode(t, level);
}

/* A number for the largest cache of a PU if several cores share it; -1 if not, for a private cache is no locality. */
static int shared_cache(const struct qti_topo *t, const struct qti_pu *pu)
{
	enum qti_level level = QTI_LEVEL_L4;

	while (level > QTI_LEVEL_L1 && pu->group[level] < 0)
		level--;
	for (unsigned i = 0; i < t->npus && level > QTI_LEVEL_L1; i++) {
		const struct qti_pu *other = &t->pu[i];
		bool one_core = pu->group[QTI_LEVEL_CORE] >= 0 &&
			other->group[QTI_LEVEL_CORE] == pu->group[QTI_LEVEL_CORE];

		if (other != pu && !one_core && other->group[level] == pu->group[level])
			return (int)level * QTI_CPUS_MAX + pu->group[level];
	}
	return -1;
}

/* A chip is what shares socket, NUMA node and last-level cache, whichever of them is smallest. */
static void number_chips(struct qti_topo *t)
{
	int next = -2;

	for (unsigned i = 0; i < t->npus; i++)
		t->pu[i].group[QTI_LEVEL_CHIP] = shared_cache(t, &t->pu[i]);
	for (unsigned i = 0; i < t->npus; i++) {
		const struct qti_pu first = t->pu[i];

		if (first.group[QTI_LEVEL_CHIP] <= -2)
			continue;
		for (unsigned j = i; j < t->npus; j++)
			if (t->pu[j].group[QTI_LEVEL_CHIP] == first.group[QTI_LEVEL_CHIP] &&
				t->pu[j].group[QTI_LEVEL_SOCKET] == first.group[QTI_LEVEL_SOCKET] &&
				t->pu[j].group[QTI_LEVEL_NUMA] == first.group[QTI_LEVEL_NUMA])
				t->pu[j].group[QTI_LEVEL_CHIP] = next;
		next--;
	}
	level_decode(t, QTI_LEVEL_CHIP);
}

static void sort_and_number(struct qti_topo *t, int (*order)(const void *, const void *))
{
	qsort(t->pu, t->npus, sizeof(*t->pu), order);
	for (unsigned i = 0; i < NNESTING; i++)
		number_groups(t, nesting[i]);
}

/* Groups are numbered by their first CPUs before anything is ordered by them, so that the result does not depend on
 * the numbers that a source happens to use. */
void qti_topo_finish(struct qti_topo *t)
{
	sort_and_number(t, by_os);
	sort_and_number(t, by_nesting);
	for (unsigned i = 0; i < t->npus; i++)
		t->pu[i].group[QTI_LEVEL_PU] = (int)i;
	number_chips(t);
}

/* ---- The calling thread's binding ------------------------------------------------------------------------------- */

/* A sandbox may refuse any of these calls, and the program's errno is none of their business. */

bool qti_affinity_of(pid_t tid, struct qti_affinity *a)
{
	int before = errno;

	memset(a, 0, sizeof(*a));
	a->valid = sched_getaffinity(tid, sizeof(a->bits), (cpu_set_t *)(void *)a->bits) == 0;
	errno = before;
	return a->valid;
}

unsigned qti_affinity_save(struct qti_affinity *a)
{
	unsigned n = 0;

	if (!qti_affinity_of(0, a)) {
		long online = sysconf(_SC_NPROCESSORS_ONLN);

		for (long cpu = 0; cpu < online && cpu < QTI_CPUS_MAX; cpu++)
			a->bits[cpu / 64] |= (uint64_t)1 << (cpu % 64);
		a->bits[0] |= online < 1;
	}
	for (unsigned i = 0; i < QTI_CPUS_MAX / 64; i++)
		for (uint64_t left = a->bits[i]; left; left &= left - 1)
			n++;
	return n;
}

void qti_affinity_restore(const struct qti_affinity *a)
{
	int before = errno;

	/* Fails only if these CPUs have since been taken away, and then the kernel has chosen others already. */
	if (a->valid)
		(void)!sched_setaffinity(0, sizeof(a->bits), (const cpu_set_t *)(const void *)a->bits);
	errno = before;
}

int qti_topo_bind_self(unsigned os)
{
	struct qti_affinity one = { .valid = true };

	if (os >= QTI_CPUS_MAX)
		return -EINVAL;
	one.bits[os / 64] = (uint64_t)1 << (os % 64);
	int before = errno;
	int rc = sched_setaffinity(0, sizeof(one.bits), (const cpu_set_t *)(const void *)one.bits) == 0 ? 0 : -errno;
	errno = before;
	return rc;
}

/* Who binds the thread meanwhile goes first. */
static bool thread_visits(unsigned os)
{
	struct qti_affinity now;

	return qti_topo_bind_self(os) == 0 && qti_affinity_of(0, &now) && qti_affinity_is(&now, os);
}

/* A mask once set stays a limit, and CPUs that the process is given later would be none of the thread's.  So it gets
 * the mask of all CPUs, which is none, where that allows it no more. */
static void thread_widen(const struct qti_affinity *allowed)
{
	struct qti_affinity all, now;

	memset(&all, 0xff, sizeof(all));
	all.valid = true;
	qti_affinity_restore(&all);
	if (!qti_affinity_of(0, &now) || !qti_affinity_same(&now, allowed))
		qti_affinity_restore(allowed);
}

/* The kernel has no call that moves a thread and keeps its mask, nor one that changes a mask only if nobody else has.
 * What another process sets between two calls here would be lost.  So the first thread, whose mask is not changed here,
 * is asked: a setter of all threads has come to it before, so that either the mask that this thread had, or the one that
 * it would get back, is seen to be old. */
void qti_topo_move_self(unsigned os)
{
	struct qti_affinity process, own, now;
	const pid_t first = getpid();

	if ((pid_t)syscall(SYS_gettid) == first || !qti_affinity_of(first, &process) || !qti_affinity_of(0, &own))
		return;
	if (!qti_affinity_same(&own, &process) || !qti_affinity_has(&own, os) || !thread_visits(os))
		return;
	if (!qti_affinity_of(first, &now))
		now = process;
	do {
		process = now;
		thread_widen(&process);
	} while (qti_affinity_of(first, &now) && !qti_affinity_same(&now, &process));
}
