/* test/fuzz/quota.c -- the input is the files that say what a control group grants: machine/quota.c.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "fuzz.h"
#include "machine/quota.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const files[] = {
		"proc/self/cgroup", "proc/self/mountinfo", "g/cpu.max", "cpu.max", "g/cpu.cfs_quota_us", "g/cpu.cfs_period_us",
		"sys/fs/cgroup/cgroup.controllers", "sys/fs/cgroup/cpu.max", "sys/fs/cgroup/g/cgroup.controllers",
		"sys/fs/cgroup/g/cpu.max", "sys/fs/cgroup/cpu/cpu.shares", "sys/fs/cgroup/cpu/cpu.cfs_quota_us",
		"sys/fs/cgroup/cpu/cpu.cfs_period_us",
	};

	fuzz_files(files, sizeof(files) / sizeof(files[0]), data, size);
	qti_quota_cpus(fuzz_directory());
	return 0;
}
