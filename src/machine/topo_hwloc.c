/* machine/topo_hwloc.c -- the machine as hwloc describes it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * hwloc's variables are honoured: HWLOC_SYNTHETIC and HWLOC_XMLFILE describe another machine, whose PUs nobody is
 * bound to.  If hwloc fails, the affinity mask has to do.  Other variables of hwloc name plugins that it loads, so in a
 * process whose environment is not to be trusted nobody asks it: /sys has to do.
 *
 * Where /sys is read nobody needs hwloc, and its loading, with what it needs itself, takes longer than our own: so it
 * is loaded when it is asked.  Where it is not installed any more, or cannot be loaded since the program is linked
 * statically, /sys has to do, too.  If /sys does not describe the CPUs, hwloc knows no more than the affinity mask, and
 * complains on stderr: then it is asked only if a variable of its own is set.
 *
 * What we do not look at is switched off.  Of a load's 950 us on a 2-CPU machine the x86 back end, which binds itself
 * to each CPU in turn, takes 350 and the scan for devices 200.
 */
#include "machine/topo.h"

#include "base/diag.h"
#include "base/env.h"
#include "base/environ.h"
#include "base/forked.h"
#include "base/mem.h"

#include <dlfcn.h>
#include <errno.h>
#include <hwloc.h>
#include <pthread.h>
#include <string.h>

/* Up to here /sys is read directly: there the time to start matters, and hwloc has little to add. */
enum { SMALL_MACHINE = 16 };

static const struct {
	hwloc_obj_type_t type;
	enum qti_level level;
} types[] = {
	{ HWLOC_OBJ_CORE, QTI_LEVEL_CORE },
	{ HWLOC_OBJ_L1CACHE, QTI_LEVEL_L1 },
	{ HWLOC_OBJ_L2CACHE, QTI_LEVEL_L2 },
	{ HWLOC_OBJ_L3CACHE, QTI_LEVEL_L3 },
	{ HWLOC_OBJ_L4CACHE, QTI_LEVEL_L4 },
	{ HWLOC_OBJ_PACKAGE, QTI_LEVEL_SOCKET },
};

enum { NTYPES = sizeof(types) / sizeof(types[0]) };

/* What is called of the library; hwloc's inline functions call others. */
#define HWLOC_CALLS(CALL) \
	CALL(topology_init) CALL(topology_set_flags) CALL(topology_set_all_types_filter) \
	CALL(topology_set_type_filter) CALL(topology_load) CALL(topology_is_thissystem) CALL(topology_destroy) \
	CALL(get_type_depth) CALL(get_obj_by_depth) CALL(bitmap_isset) CALL(bitmap_weight) \
	CALL(distances_get_by_type) CALL(distances_release) HWLOC_CALLS_2_1(CALL)
#if HWLOC_API_VERSION >= 0x00020100
#define HWLOC_CALLS_2_1(CALL) CALL(topology_set_components)
#else
#define HWLOC_CALLS_2_1(CALL)
#endif

static struct {
	bool looked_for, found;         /* under `asking` */
#define CALL_DECLARE(name) __typeof__(hwloc_ ## name) *name;
	HWLOC_CALLS(CALL_DECLARE)
} hw;

static bool hwloc_is_configured(void)
{
	for (char **e = qti_environ(); *e; e++)
		if (strncmp(*e, "HWLOC_", 6) == 0)
			return true;
	return false;
}

#define CALL_FIND(name) && (*(void **)&hw.name = dlsym(library, "hwloc_" #name)) != NULL

static void hwloc_find(void)
{
	void *library = dlopen(QTI_HWLOC_LIBRARY, RTLD_LAZY | RTLD_LOCAL);

	hw.looked_for = true;
	hw.found = library != NULL HWLOC_CALLS(CALL_FIND);
	if (!hw.found && hwloc_is_configured())
		qti_warn("variables of hwloc do not count, for it cannot be loaded: %s", dlerror());
}

/* What the installed hwloc does not know it does not need to be told. */
static void leave_out(hwloc_topology_t h, unsigned levels)
{
	unsigned long flags = 0;

#if HWLOC_API_VERSION >= 0x00020100
	static const char *const back_ends[] = { "x86", "pci", "linuxio", "opencl", "cuda", "nvml", "rsmi", "gl" };

	for (unsigned i = 0; i < sizeof(back_ends) / sizeof(back_ends[0]); i++)
		hw.topology_set_components(h, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, back_ends[i]);
#endif
#if HWLOC_API_VERSION >= 0x00020500
	flags |= HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING;
#endif
#if HWLOC_API_VERSION >= 0x00020800
	flags |= HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS | HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS;
#endif
	hw.topology_set_flags(h, flags);
	hw.topology_set_all_types_filter(h, HWLOC_TYPE_FILTER_KEEP_NONE);
	/* Where no other object has a NUMA node's CPUs, a group does; without it the node would move up and grow. */
	hw.topology_set_type_filter(h, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
	for (unsigned i = 0; i < NTYPES; i++)
		if (levels & 1u << types[i].level)
			hw.topology_set_type_filter(h, types[i].type, HWLOC_TYPE_FILTER_KEEP_ALL);
}

/* The i-th object of that type; NULL: there are not so many. */
static hwloc_obj_t object(hwloc_topology_t h, hwloc_obj_type_t type, unsigned i)
{
	return hw.get_obj_by_depth(h, hw.get_type_depth(h, type), i);
}

/* The smallest node that is local to the PU; of several over the same PUs, as with memory of two kinds, the first. */
static hwloc_obj_t node_of(hwloc_topology_t h, hwloc_obj_t pu)
{
	hwloc_obj_t node, best = NULL;

	for (unsigned i = 0; (node = object(h, HWLOC_OBJ_NUMANODE, i)) != NULL; i++)
		if (hw.bitmap_isset(node->cpuset, pu->os_index) &&
			(!best || hw.bitmap_weight(node->cpuset) < hw.bitmap_weight(best->cpuset)))
			best = node;
	return best;
}

static void pu_describe(hwloc_topology_t h, hwloc_obj_t obj, struct qti_pu *pu)
{
	hwloc_obj_t node = node_of(h, obj);

	pu->os = obj->os_index;
	pu->group[QTI_LEVEL_NUMA] = node ? (int)node->logical_index : -1;
	for (hwloc_obj_t up = obj->parent; up; up = up->parent)
		for (unsigned i = 0; i < NTYPES; i++)
			if (up->type == types[i].type)
				pu->group[types[i].level] = (int)up->logical_index;
}

static unsigned count_nodes(const struct qti_topo *t)
{
	int n = 0;

	for (unsigned i = 0; i < t->npus; i++)
		if (t->pu[i].group[QTI_LEVEL_NUMA] >= n)
			n = t->pu[i].group[QTI_LEVEL_NUMA] + 1;
	return (unsigned)n;
}

static hwloc_obj_t pu_of(hwloc_topology_t h, unsigned os)
{
	hwloc_obj_t pu;
	unsigned i = 0;

	while ((pu = object(h, HWLOC_OBJ_PU, i)) != NULL && pu->os_index != os)
		i++;
	return pu;
}

/* Which row of hwloc's matrix each of our nodes has: they have been numbered in the order of the PUs. */
static bool find_rows(hwloc_topology_t h, const struct qti_topo *t, const struct hwloc_distances_s *d, unsigned *row)
{
	int found = 0;

	for (unsigned i = 0; i < t->npus; i++) {
		hwloc_obj_t node;
		unsigned at = 0;

		if (t->pu[i].group[QTI_LEVEL_NUMA] != found)
			continue;
		node = node_of(h, pu_of(h, t->pu[i].os));
		while (at < d->nbobjs && d->objs[at] != node)
			at++;
		if (at == d->nbobjs)
			return false;           /* the matrix leaves it out */
		row[found++] = at;
	}
	return true;
}

static uint8_t distance_scaled(hwloc_uint64_t value, hwloc_uint64_t self)
{
	if (self)
		value = value * 10 / self;
	return value < 11 ? 11 : value > 255 ? 255 : (uint8_t)value;
}

static int copy_distances(hwloc_topology_t h, struct qti_topo *t, const struct hwloc_distances_s *d)
{
	unsigned n = count_nodes(t), *row;

	if (n < 2)
		return 0;
	row = qti_mem_alloc(n * sizeof(*row));
	t->node_distance = qti_mem_alloc((size_t)n * n);
	if (!row || !t->node_distance) {
		qti_mem_free(row);
		return -ENOMEM;
	}
	if (find_rows(h, t, d, row)) {
		t->nnodes = n;
		for (unsigned a = 0; a < n; a++)
			for (unsigned b = 0; b < n; b++) {
				const hwloc_uint64_t *from = d->values + (size_t)row[a] * d->nbobjs;

				t->node_distance[(size_t)a * n + b] =
					a == b ? 10 : distance_scaled(from[row[b]], from[row[a]]);
			}
	} else {
		qti_mem_free(t->node_distance);
		t->node_distance = NULL;
	}
	qti_mem_free(row);
	return 0;
}

static int take_distances(hwloc_topology_t h, struct qti_topo *t)
{
	struct hwloc_distances_s *d = NULL;
	unsigned n = 1;

	if (hw.distances_get_by_type(h, HWLOC_OBJ_NUMANODE, &n, &d, HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
		n < 1)
		return 0;
	int rc = copy_distances(h, t, d);
	hw.distances_release(h, d);
	return rc;
}

static int topo_take(hwloc_topology_t h, struct qti_topo *t, const struct qti_affinity *allowed, unsigned ncpus)
{
	bool this_system = hw.topology_is_thissystem(h);
	hwloc_obj_t pu;
	unsigned n = 0, taken = 0;

	for (unsigned i = 0; (pu = object(h, HWLOC_OBJ_PU, i)) != NULL; i++)
		n += !this_system || qti_affinity_has(allowed, pu->os_index);
	if (n == 0)
		return -ENODATA;
	int rc = qti_topo_init(t, n);
	if (rc != 0)
		return rc;
	for (unsigned i = 0; (pu = object(h, HWLOC_OBJ_PU, i)) != NULL; i++)
		if (!this_system || qti_affinity_has(allowed, pu->os_index))
			pu_describe(h, pu, &t->pu[taken++]);
	t->this_system = this_system;
	t->ncpus = ncpus;
	qti_topo_finish(t);
	rc = take_distances(h, t);
	if (rc != 0)
		qti_topo_free(t);
	return rc;
}

/* hwloc has locks of its own, and the linker data, which the child of fork(2) must not find half changed: no thread
 * forks while another one opens hwloc or is in there.  A mutex, for that takes milliseconds. */
static QTI_AT_LOAD pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;

static void asking_hold(void)
{
	pthread_mutex_lock(&asking);
}

static void asking_end(void)
{
	pthread_mutex_unlock(&asking);
}

QTI_FORKED(QTI_FORKED_LOCKS, asking_hold, asking_end, NULL)

static int topo_ask(struct qti_topo *t, const struct qti_affinity *allowed, unsigned ncpus, unsigned levels)
{
	hwloc_topology_t h;
	int rc = -ENODATA;

	if (hw.topology_init(&h) != 0)
		return -ENODATA;
	leave_out(h, levels);
	if (hw.topology_load(h) == 0)
		rc = topo_take(h, t, allowed, ncpus);
	hw.topology_destroy(h);
	return rc;
}

static int ask_hwloc(struct qti_topo *t, const struct qti_affinity *allowed, unsigned ncpus, unsigned levels)
{
	asking_hold();
	if (!hw.looked_for)
		hwloc_find();
	int rc = hw.found ? topo_ask(t, allowed, ncpus, levels) : qti_topo_sysfs(t, allowed, levels, "");
	asking_end();
	return rc;
}

int qti_topo_load(struct qti_topo *t, unsigned levels)
{
	struct qti_affinity allowed;
	unsigned ncpus = qti_affinity_save(&allowed);
	bool trusted = qti_env_trusted(), configured = trusted && hwloc_is_configured();
	int rc = -ENODATA;

	if (!configured) {
		if (levels == 0 || ncpus == 1)
			return qti_topo_flat(t, &allowed);
		if (!trusted || ncpus <= SMALL_MACHINE)
			rc = qti_topo_sysfs(t, &allowed, levels, "");
	}
	if (rc == -ENODATA && (configured || (trusted && qti_topo_has_cores("", qti_affinity_first(&allowed)))))
		rc = ask_hwloc(t, &allowed, ncpus, levels);
	return rc == -ENODATA ? qti_topo_flat(t, &allowed) : rc;
}
