/* test/fuzz/topology.c -- the input is the files in /sys that say who shares what: machine/topo_sysfs.c.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "fuzz.h"
#include "machine/topo.h"

#define CPU "sys/devices/system/cpu/cpu"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const files[] = {
		"sys/devices/system/node/online", CPU "0/topology/core_cpus_list", CPU "1/topology/thread_siblings_list",
		CPU "3/topology/core_cpus_list", CPU "0/topology/package_cpus_list", CPU "3/topology/core_siblings_list",
		CPU "0/cache/index0/level", CPU "0/cache/index0/shared_cpu_list", CPU "0/cache/index1/level",
		CPU "0/cache/index1/shared_cpu_list", CPU "0/cache/index3/level", CPU "0/cache/index3/shared_cpu_list",
		CPU "0/cache/index4/level", CPU "0/cache/index4/shared_cpu_list", CPU "1/cache/index3/shared_cpu_list",
	};
	static const struct qti_affinity cpus = { .bits = { 11 }, .valid = true };
	struct qti_topo t;

	fuzz_files(files, sizeof(files) / sizeof(files[0]), data, size);
	qti_topo_has_nodes(fuzz_directory());
	if (qti_topo_sysfs(&t, &cpus, ~0u, fuzz_directory()) == 0)
		qti_topo_free(&t);
	return 0;
}
