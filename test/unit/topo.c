/* test/unit/topo.c -- what is found out about machines, and the binding of threads to them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/topo.h"
#include "fault.h"
#include "process.h"

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>

#if QTI_HWLOC
#include <hwloc.h>
#endif

enum {
	LEVELS = 1 << QTI_LEVEL_CORE | 1 << QTI_LEVEL_L2 | 1 << QTI_LEVEL_L3 | 1 << QTI_LEVEL_NUMA |
		1 << QTI_LEVEL_SOCKET,
};

/* ---- Made-up /sys trees ----------------------------------------------------------------------------------------- */

static char root[128];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void make_root(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(root, sizeof(root), "%s/topo-XXXXXX", parent && *parent && strlen(parent) < 100 ? parent : "/tmp");
	if (!mkdtemp(root))
		bail_out("no temporary directory: %s", root);
}

static void remove_root(void)
{
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void write_file(const char *path, const char *text)
{
	char full[512];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *slash = full + strlen(root); (slash = strchr(slash + 1, '/')) != NULL;) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	FILE *f = fopen(full, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		bail_out("cannot write %s", full);
}

static void write_cpu(unsigned cpu, const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/%s", cpu, name);
	write_file(path, text);
}

/* Four cores of two threads, 0 and 4 on one core; an L2 for each core, an L3 for two, one socket. */
static void write_laptop(bool old_kernel)
{
	static const char *const core[] = { "0,4\n", "1,5\n", "2,6\n", "3,7\n" };
	static const char *const l3[] = { "0-1,4-5\n", "2-3,6-7\n" };

	write_file("sys/devices/system/node/online", "0\n");
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		write_cpu(cpu, old_kernel ? "topology/thread_siblings_list" : "topology/core_cpus_list", core[cpu % 4]);
		write_cpu(cpu, old_kernel ? "topology/core_siblings_list" : "topology/package_cpus_list", "0-7\n");
		write_cpu(cpu, "cache/index0/level", "1\n");
		write_cpu(cpu, "cache/index0/shared_cpu_list", core[cpu % 4]);
		write_cpu(cpu, "cache/index1/level", "1\n");
		write_cpu(cpu, "cache/index1/shared_cpu_list", core[cpu % 4]);
		write_cpu(cpu, "cache/index2/level", "2\n");
		write_cpu(cpu, "cache/index2/shared_cpu_list", core[cpu % 4]);
		write_cpu(cpu, "cache/index3/level", "3\n");
		write_cpu(cpu, "cache/index3/shared_cpu_list", l3[cpu % 4 / 2]);
	}
}

static struct qti_affinity cpus(uint64_t bits)
{
	return (struct qti_affinity){ .bits = { bits }, .valid = true };
}

/* "0 4 | 1 5": the PUs, with bars between the groups of a level. */
static const char *grouped(const struct qti_topo *t, enum qti_level level, char *text, size_t size)
{
	text[0] = '\0';
	for (unsigned i = 0; i < t->npus; i++) {
		size_t used = strlen(text);
		bool same = i > 0 && t->pu[i].group[level] == t->pu[i - 1].group[level];

		snprintf(text + used, size - used, "%s%u", i == 0 ? "" : same ? " " : " | ", t->pu[i].os);
	}
	return text;
}

static void small_machines(bool old_kernel)
{
	const struct qti_affinity all = cpus(0xff), some = cpus(0xd4);
	struct qti_topo t;
	char text[256];

	make_root();
	write_laptop(old_kernel);
	if (!is_int(qti_topo_sysfs(&t, &all, LEVELS, root), 0, "%s kernel: /sys describes a laptop",
		    old_kernel ? "old" : "new"))
		bail_out("nothing to look at");
	is_str(grouped(&t, QTI_LEVEL_CORE, text, sizeof(text)), "0 4 | 1 5 | 2 6 | 3 7",
		"  its cores, in the machine's order");
	is_str(grouped(&t, QTI_LEVEL_L3, text, sizeof(text)), "0 4 1 5 | 2 6 3 7", "  its L3 caches");
	is_str(grouped(&t, QTI_LEVEL_CHIP, text, sizeof(text)), "0 4 1 5 | 2 6 3 7", "  which are its chips");
	is_str(grouped(&t, QTI_LEVEL_SOCKET, text, sizeof(text)), "0 4 1 5 2 6 3 7", "  its socket");
	ok(t.this_system && t.npus == 8 && t.ncpus == 8, "  this is what threads can be bound to");
	ok(t.pu[0].group[QTI_LEVEL_L1] == -1 && t.pu[7].group[QTI_LEVEL_CORE] == 3,
		"  what nobody asked for is not read");
	qti_topo_free(&t);

	if (!is_int(qti_topo_sysfs(&t, &some, LEVELS, root), 0, "  with a mask of 2, 4, 6 and 7"))
		bail_out("nothing to look at");
	is_str(grouped(&t, QTI_LEVEL_CORE, text, sizeof(text)), "2 6 | 7 | 4",
		"  cores count if one thread is allowed");
	qti_topo_free(&t);
	remove_root();
}

static void numa_information(void)
{
	char path[512];

	make_root();
	write_laptop(false);
	write_file("sys/devices/system/node/online", "0\n");
	ok(qti_topo_has_nodes(root), "/sys tells of NUMA nodes");
	snprintf(path, sizeof(path), "%s/sys/devices/system/node/online", root);
	remove(path);
	ok(!qti_topo_has_nodes(root), "  unless the kernel does not know of them");
	remove_root();
}

static void core_information(void)
{
	static const char *const lists[] = { "core_cpus", "package_cpus", "thread_siblings", "core_siblings" };
	unsigned missing = 0, found = 0;

	make_root();
	missing += qti_topo_has_cores(root, 3);
	write_file("sys/devices/system/cpu/online", "0-7\n");
	write_file("sys/devices/system/cpu/cpu2/topology/core_cpus", "ff\n");
	missing += qti_topo_has_cores(root, 3);
	ok(missing == 0, "without files for a CPU, /sys does not describe it");
	remove_root();
	for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		char name[64];

		make_root();
		snprintf(name, sizeof(name), "topology/%s", lists[i]);
		write_cpu(3, name, "ff\n");
		found += qti_topo_has_cores(root, 3);
		remove_root();
	}
	is_int(found, 4, "  any list of old kernels or new ones does");
}

enum { FLAT, OTHER, NOT_ALLOWED };

static int load_without_sys(void)
{
	struct qti_affinity allowed;
	unsigned n = qti_affinity_save(&allowed);
	struct qti_topo t;

	if (!process_hide("/sys"))
		return NOT_ALLOWED;
	return qti_topo_load(&t, LEVELS) == 0 && t.npus == n && t.this_system ? FLAT : OTHER;
}

static void without_sys(void)
{
	char said[256];
	int err[2], status = -1;

	if (pipe(err) != 0)
		bail_out("no pipe");
	pid_t child = fork();
	if (child == 0) {
		dup2(err[1], STDERR_FILENO);
		close(err[1]);
		_exit(load_without_sys());
	}
	close(err[1]);
	ssize_t n = read(err[0], said, sizeof(said) - 1);
	close(err[0]);
	if (child < 0 || waitpid(child, &status, 0) != child)
		bail_out("no process");
	said[n > 0 ? n : 0] = '\0';
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_ALLOWED) {
		skip(2, "no mounts of its own for a process here");
		return;
	}
	ok(WIFEXITED(status) && WEXITSTATUS(status) == FLAT, "an empty /sys: the affinity mask is the machine");
	is_str(said, "", "  and nobody complains");
}

static void left_to_others(void)
{
	static const struct {
		const char *why, *file, *text;  /* NULL: the file is missing */
	} cases[] = {
		{ "several NUMA nodes", "sys/devices/system/node/online", "0-1\n" },
		{ "no list of cores", "sys/devices/system/cpu/cpu3/topology/core_cpus_list", NULL },
		{ "no list of sockets", "sys/devices/system/cpu/cpu0/topology/package_cpus_list", NULL },
		{ "a core without its own CPU", "sys/devices/system/cpu/cpu0/topology/core_cpus_list", "1-3\n" },
		{ "a list that is none", "sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0-\n" },
		{ "a list that runs backwards", "sys/devices/system/cpu/cpu0/topology/core_cpus_list", "4-0\n" },
		{ "a list beyond any machine", "sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0-99999\n" },
		{ "an empty list", "sys/devices/system/cpu/cpu0/topology/core_cpus_list", "" },
		{ "a gap among the caches", "sys/devices/system/cpu/cpu0/cache/index2/level", NULL },
		{ "a cache of level 9", "sys/devices/system/cpu/cpu0/cache/index2/level", "9\n" },
		{ "a cache that lists nobody", "sys/devices/system/cpu/cpu2/cache/index3/shared_cpu_list", NULL },
	};
	const struct qti_affinity all = cpus(0xff);

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct qti_topo t;
		char path[512];

		make_root();
		write_laptop(false);
		snprintf(path, sizeof(path), "%s/%s", root, cases[i].file);
		if (cases[i].text)
			write_file(cases[i].file, cases[i].text);
		else
			remove(path);
		is_int(qti_topo_sysfs(&t, &all, LEVELS, root), -ENODATA, "%s: no answer from /sys", cases[i].why);
		remove_root();
	}
}

/* ---- The flat answer -------------------------------------------------------------------------------------------- */

static void flat_machines(void)
{
	const struct qti_affinity some = cpus(0x8000000000000015);
	struct qti_topo t;
	unsigned unknown = 0;

	if (!is_int(qti_topo_flat(&t, &some), 0, "a mask is a machine"))
		bail_out("nothing to look at");
	ok(t.npus == 4 && t.pu[0].os == 0 && t.pu[1].os == 2 && t.pu[2].os == 4 && t.pu[3].os == 63, "  of its CPUs");
	for (unsigned i = 0; i < t.npus; i++)
		for (enum qti_level l = QTI_LEVEL_CORE; l <= QTI_LEVEL_SOCKET; l++)
			unknown += l != QTI_LEVEL_CHIP && t.pu[i].group[l] == -1;
	is_int(unknown, 4 * 7, "  with nothing else known");
	ok(t.pu[3].group[QTI_LEVEL_CHIP] == 0 && t.pu[3].group[QTI_LEVEL_MACHINE] == 0, "  so they are one chip");
	qti_topo_free(&t);
}

/* Sources number groups as they like. */
static void numbered_anew(void)
{
	static const unsigned os[4] = { 7, 1, 5, 3 };
	static const int socket[4] = { 20, 90, 20, 90 };
	struct qti_topo t;
	char text[64];

	if (qti_topo_init(&t, 4) != 0)
		bail_out("out of memory");
	for (unsigned i = 0; i < 4; i++) {
		t.pu[i].os = os[i];
		t.pu[i].group[QTI_LEVEL_SOCKET] = socket[i];
	}
	qti_topo_finish(&t);
	is_str(grouped(&t, QTI_LEVEL_SOCKET, text, sizeof(text)), "1 3 | 5 7", "groups are in the order of their CPUs");
	ok(t.pu[0].group[QTI_LEVEL_SOCKET] == 0 && t.pu[3].group[QTI_LEVEL_SOCKET] == 1, "  and numbered from 0");
	qti_topo_free(&t);
}

/* ---- hwloc ------------------------------------------------------------------------------------------------------ */

#if QTI_HWLOC
static bool add_distances(hwloc_topology_t h, hwloc_obj_t nodes[4], hwloc_uint64_t values[16])
{
	const unsigned long kind = HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY;

#if HWLOC_API_VERSION >= 0x00020500
	hwloc_distances_add_handle_t d = hwloc_distances_add_create(h, "ring", kind, 0);

	return d && hwloc_distances_add_values(h, d, 4, nodes, values, 0) == 0 &&
		hwloc_distances_add_commit(h, d, 0) == 0;
#else
	return hwloc_distances_add(h, 4, nodes, values, kind, 0) == 0;
#endif
}

/* Four sockets in a ring, as firmware describes them, through a file. */
static void write_ring(const char *path)
{
	static const hwloc_uint64_t ring[4][4] = {
		{ 10, 16, 22, 17 }, { 16, 10, 16, 22 }, { 22, 16, 10, 16 }, { 17, 22, 16, 10 },
	};
	static const unsigned row[4] = { 2, 0, 3, 1 };  /* which need not be in the order of the nodes */
	hwloc_uint64_t values[16];
	hwloc_topology_t h;
	hwloc_obj_t nodes[4];

	if (hwloc_topology_init(&h) != 0 || hwloc_topology_set_synthetic(h, "pack:4 [numa] core:2 pu:1") != 0 ||
		hwloc_topology_load(h) != 0)
		bail_out("hwloc makes no ring");
	for (unsigned i = 0; i < 4; i++) {
		nodes[i] = hwloc_get_obj_by_type(h, HWLOC_OBJ_NUMANODE, row[i]);
		for (unsigned j = 0; j < 4; j++)
			values[4 * i + j] = ring[row[i]][row[j]];
	}
	if (!add_distances(h, nodes, values) || hwloc_topology_export_xml(h, path, 0) != 0)
		bail_out("hwloc takes no distances");
	hwloc_topology_destroy(h);
}

static void machines_in_files(void)
{
	struct qti_topo t;
	char path[256], text[256];
	unsigned clean = 0, nth;

	make_root();
	snprintf(path, sizeof(path), "%s/ring.xml", root);
	write_ring(path);
	setenv("HWLOC_XMLFILE", path, 1);
	if (!is_int(qti_topo_load(&t, LEVELS), 0, "a machine in a file"))
		bail_out("nothing to look at");
	is_str(grouped(&t, QTI_LEVEL_NUMA, text, sizeof(text)), "0 1 | 2 3 | 4 5 | 6 7", "  of four nodes");
	ok(!t.this_system && t.ncpus >= 1 && t.npus == 8, "  is not this one");
	ok(t.nnodes == 4 && t.node_distance && t.node_distance[2] == 22 && t.node_distance[4] == 16 &&
			t.node_distance[5] == 10 && t.node_distance[12] == 17,
		"  with the distances that it says");
	qti_topo_free(&t);

	qti_mem_fault = fault;
	for (nth = 1; nth < 100; nth++) {
		fault_at(nth);
		if (qti_topo_load(&t, LEVELS) == 0)
			break;
		clean += !t.pu && !t.node_distance;
	}
	qti_mem_fault = NULL;
	ok(nth == 4 && clean == 3, "  when memory runs out at any of %u places, nothing is left", nth - 1);
	qti_topo_free(&t);
	unsetenv("HWLOC_XMLFILE");
	remove_root();
}

/* The shortcut has to give hwloc's answer. */
static void both_agree(void)
{
	struct qti_affinity allowed;
	struct qti_topo direct, hwloc;

	qti_affinity_save(&allowed);
	if (qti_topo_sysfs(&direct, &allowed, LEVELS, "") != 0) {
		skip(1, "this system is not for the shortcut");
		return;
	}
	setenv("HWLOC_HIDE_ERRORS", "1", 1);    /* any of its variables makes us ask hwloc */
	if (qti_topo_load(&hwloc, LEVELS) != 0)
		bail_out("hwloc does not answer");
	bool same = direct.npus == hwloc.npus && hwloc.this_system;
	for (unsigned i = 0; same && i < direct.npus; i++)
		same = memcmp(&direct.pu[i], &hwloc.pu[i], sizeof(direct.pu[i])) == 0;
	for (unsigned i = 0; !same && i < direct.npus && i < hwloc.npus; i++)
		for (unsigned l = 0; l < QTI_NLEVELS; l++)
			diag("PU %u, %s: %d, hwloc says %d", direct.pu[i].os, qti_level_name((enum qti_level)l),
				direct.pu[i].group[l], hwloc.pu[i].group[l]);
	ok(same, "on this system /sys and hwloc agree");
	qti_topo_free(&direct);
	qti_topo_free(&hwloc);
	unsetenv("HWLOC_HIDE_ERRORS");
}
#else
static void machines_in_files(void)
{
	skip(5, "machines in files need hwloc");
}

static void both_agree(void)
{
	skip(1, "there is no hwloc to compare with");
}
#endif

/* ---- Binding ---------------------------------------------------------------------------------------------------- */

static bool same_mask(const struct qti_affinity *a, const struct qti_affinity *b)
{
	return memcmp(a->bits, b->bits, sizeof(a->bits)) == 0;
}

static void binding(void)
{
	struct qti_affinity before, bound, after;
	unsigned n = qti_affinity_save(&before), last = 0, counted = 0;
	struct qti_topo t;

	for (unsigned cpu = 0; cpu < QTI_CPUS_MAX; cpu++)
		if (qti_affinity_has(&before, cpu)) {
			last = cpu;
			counted++;
		}
	ok(before.valid && counted == n && n >= 1, "the affinity mask has %u CPUs", n);
	if (!process_can_bind()) {
		skip(8, "threads may not be bound here");
		return;
	}
	is_int(qti_topo_bind_self(last), 0, "binding to CPU %u", last);
	ok(qti_affinity_save(&bound) == 1 && qti_affinity_has(&bound, last) && sched_getcpu() == (int)last,
		"  and the thread runs there");
	if (qti_topo_load(&t, LEVELS) != 0)
		bail_out("out of memory");
	ok(t.npus == 1 && t.pu[0].os == last, "  so its machine has that CPU only");
	qti_topo_free(&t);
	is_int(qti_topo_bind_self(QTI_CPUS_MAX - 1), -EINVAL, "binding to a CPU that is not there fails");
	is_int(qti_topo_bind_self(QTI_CPUS_MAX), -EINVAL, "  or that cannot be");
	errno = ERANGE;
	(void)!qti_topo_bind_self(QTI_CPUS_MAX - 1);
	is_int(errno, ERANGE, "  and leaves errno alone");
	qti_affinity_save(&after);
	ok(same_mask(&after, &bound), "  and changes nothing");
	qti_affinity_restore(&before);
	qti_affinity_save(&after);
	ok(same_mask(&after, &before), "restoring leaves the mask exactly as it was");
}

int main(void)
{
	unsetenv("HWLOC_SYNTHETIC");
	unsetenv("HWLOC_XMLFILE");
	plan(2 * 9 + 2 + 2 + 2 + 11 + 4 + 2 + 5 + 1 + 9);
	small_machines(false);
	small_machines(true);
	numa_information();
	core_information();
	without_sys();
	left_to_others();
	flat_machines();
	numbered_anew();
	machines_in_files();
	both_agree();
	binding();
	return done();
}
