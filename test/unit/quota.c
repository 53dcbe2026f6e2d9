/* test/unit/quota.c -- CPU quotas in made-up control group trees.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/quota.h"
#include "tap.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct file {
	const char *path, *text;
};

enum { FILES = 8 };

struct tree {
	const char *what;
	unsigned want;
	const char *groups, *mounts;    /* /proc/self/cgroup and mountinfo */
	struct file files[FILES];
};

/* Mounts as the kernel shows them. */
#define V2_AT(root, point) \
	"30 24 0:26 " root " " point " rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw\n"
#define V1_AT(root, point) "33 32 0:30 " root " " point " rw,nosuid shared:9 master:1 - cgroup cgroup rw,cpu,cpuacct\n"
#define OTHERS \
	"22 29 0:20 / /sys rw,nosuid - sysfs sysfs rw\n" \
	"34 32 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n" \
	"29 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"

static const struct tree trees[] = {
	{
		.what = "no /proc at all", .want = 0,
	},
	{
		.what = "v2 without a limit", .want = 0, .groups = "0::/\n",
		.mounts = OTHERS V2_AT("/", "/sys/fs/cgroup"),
		.files = { { "sys/fs/cgroup/cpu.max", "max 100000\n" } },
	},
	{
		.what = "v2, two CPUs", .want = 2, .groups = "0::/\n", .mounts = OTHERS V2_AT("/", "/sys/fs/cgroup"),
		.files = { { "sys/fs/cgroup/cpu.max", "200000 100000\n" } },
	},
	{
		.what = "v2, one CPU and a half is rounded up", .want = 2, .groups = "0::/a\n",
		.mounts = V2_AT("/", "/sys/fs/cgroup"), .files = { { "sys/fs/cgroup/a/cpu.max", "150000 100000\n" } },
	},
	{
		.what = "v2, a tenth of a CPU is one", .want = 1, .groups = "0::/a\n",
		.mounts = V2_AT("/", "/sys/fs/cgroup"), .files = { { "sys/fs/cgroup/a/cpu.max", "1000 10000\n" } },
	},
	{
		.what = "v2, a group above is narrower", .want = 3, .groups = "0::/a/b/c\n",
		.mounts = V2_AT("/", "/sys/fs/cgroup"),
		.files = {
			{ "sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n" },
			{ "sys/fs/cgroup/a/b/cpu.max", "max 100000\n" },
			{ "sys/fs/cgroup/a/cpu.max", "300000 100000\n" },
			{ "sys/fs/cgroup/b/cpu.max", "100000 100000\n" },
		},
	},
	{
		.what = "v2, the group itself is narrower", .want = 2, .groups = "0::/a/b\n",
		.mounts = V2_AT("/", "/sys/fs/cgroup"),
		.files = {
			{ "sys/fs/cgroup/a/b/cpu.max", "20000 10000\n" },
			{ "sys/fs/cgroup/a/cpu.max", "900000 100000\n" },
		},
	},
	{
		.what = "v2, the controller is not enabled below", .want = 4, .groups = "0::/a/b\n",
		.mounts = V2_AT("/", "/sys/fs/cgroup"), .files = { { "sys/fs/cgroup/a/cpu.max", "400000 100000\n" } },
	},
	{
		.what = "v2, siblings with a common beginning of the name do not count", .want = 0,
		.groups = "0::/ab\n",
		.mounts = V2_AT("/a", "/sys/fs/cgroup"), .files = { { "sys/fs/cgroup/cpu.max", "100000 100000\n" } },
	},
	{
		.what = "v2 at the usual place, without a list of mounts", .want = 3, .groups = "0::/a/b\n",
		.files = {
			{ "sys/fs/cgroup/cgroup.controllers", "cpu\n" },
			{ "sys/fs/cgroup/a/cpu.max", "300000 100000\n" },
			{ "sys/fs/cgroup/a/b/cgroup.controllers", "\n" },
		},
	},
	{
		.what = "v1 at the usual place, without a list of mounts", .want = 2, .groups = "4:cpu,cpuacct:/a\n0::/a\n",
		.files = {
			{ "sys/fs/cgroup/cpu/cpu.shares", "1024\n" },
			{ "sys/fs/cgroup/cpu/a/cpu.shares", "1024\n" },
			{ "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "200000\n" },
			{ "sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n" },
		},
	},
	{
		.what = "v2 with another group at the usual place", .want = 2, .groups = "0::/a\n",
		.mounts = V2_AT("/a", "/sys/fs/cgroup"),
		.files = {
			{ "sys/fs/cgroup/cgroup.controllers", "cpu\n" },
			{ "sys/fs/cgroup/cpu.max", "200000 100000\n" },
		},
	},
	{
		.what = "v1, no limit", .want = 0, .groups = "5:cpuset:/\n4:cpu,cpuacct:/a\n1:name=systemd:/x\n",
		.mounts = OTHERS V1_AT("/", "/sys/fs/cgroup/cpu,cpuacct"),
		.files = {
			{ "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1\n" },
			{ "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n" },
		},
	},
	{
		.what = "v1, two and a half CPUs are three", .want = 3, .groups = "4:cpuacct,cpu:/a\n3:cpuset:/\n",
		.mounts = OTHERS V1_AT("/", "/sys/fs/cgroup/cpu,cpuacct"),
		.files = {
			{ "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "125000\n" },
			{ "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "50000\n" },
		},
	},
	{
		.what = "v1, a group above is narrower", .want = 1, .groups = "4:cpu:/a/b\n",
		.mounts = V1_AT("/", "/cg/cpu"),
		.files = {
			{ "cg/cpu/a/b/cpu.cfs_quota_us", "400000\n" }, { "cg/cpu/a/b/cpu.cfs_period_us", "100000\n" },
			{ "cg/cpu/a/cpu.cfs_quota_us", "60000\n" }, { "cg/cpu/a/cpu.cfs_period_us", "100000\n" },
		},
	},
	{
		.what = "v1, a container sees its own group at the mount point", .want = 2,
		.groups = "4:cpu,cpuacct:/docker/f00\n",
		.mounts = V1_AT("/docker/f00", "/sys/fs/cgroup/cpu"),
		.files = {
			{ "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n" },
			{ "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n" },
		},
	},
	{
		.what = "hybrid, the limit is in v1", .want = 2,
		.groups = "4:cpu,cpuacct:/a\n1:name=systemd:/a\n0::/a\n",
		.mounts = V1_AT("/", "/sys/fs/cgroup/cpu") V2_AT("/", "/sys/fs/cgroup/unified"),
		.files = {
			{ "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "200000\n" },
			{ "sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n" },
			{ "sys/fs/cgroup/unified/a/cgroup.procs", "" },
		},
	},
	{
		.what = "hybrid, limits in both: the smaller one", .want = 1, .groups = "4:cpu:/a\n0::/b\n",
		.mounts = V1_AT("/", "/v1") V2_AT("/", "/v2"),
		.files = {
			{ "v1/a/cpu.cfs_quota_us", "200000\n" }, { "v1/a/cpu.cfs_period_us", "100000\n" },
			{ "v2/b/cpu.max", "100000 100000\n" },
		},
	},
	{
		.what = "a controller whose name begins with cpu is another one", .want = 0,
		.groups = "4:cpuset,cpuacct:/a\n",
		.mounts = "33 32 0:30 / /v1 rw - cgroup cgroup rw,cpuset,cpuacct\n",
		.files = { { "v1/a/cpu.cfs_quota_us", "100000\n" }, { "v1/a/cpu.cfs_period_us", "100000\n" } },
	},
	{
		.what = "the group lies outside the namespace and the mount inside", .want = 0,
		.groups = "0::/../other\n",
		.mounts = V2_AT("/", "/sys/fs/cgroup"),
		.files = {
			{ "sys/fs/cgroup/cpu.max", "100000 100000\n" },
			{ "sys/fs/cgroup/other/cpu.max", "100000 100000\n" },
		},
	},
	{
		.what = "group and mount lie outside the namespace together", .want = 2, .groups = "0::/../pod/a\n",
		.mounts = V2_AT("/../pod", "/sys/fs/cgroup"),
		.files = {
			{ "sys/fs/cgroup/a/cpu.max", "200000 100000\n" },
			{ "sys/fs/cgroup/cpu.max", "max 100000\n" },
		},
	},
	{
		.what = "the mount begins above the namespace: its own limit holds", .want = 5, .groups = "0::/a\n",
		.mounts = V2_AT("/../..", "/sys/fs/cgroup"),
		.files = {
			{ "sys/fs/cgroup/cpu.max", "500000 100000\n" },
			{ "sys/fs/cgroup/a/cpu.max", "100000 100000\n" },
		},
	},
	{
		.what = "a group whose name only begins with dots", .want = 2, .groups = "0::/..a\n",
		.mounts = V2_AT("/", "/sys/fs/cgroup"), .files = { { "sys/fs/cgroup/..a/cpu.max", "200000 100000\n" } },
	},
	{
		.what = "the hierarchy is not mounted", .want = 0, .groups = "0::/a\n", .mounts = OTHERS,
		.files = { { "sys/fs/cgroup/a/cpu.max", "100000 100000\n" } },
	},
	{
		.what = "mounted twice, in part and whole", .want = 2, .groups = "0::/a/b\n",
		.mounts = V2_AT("/a/b", "/part") V2_AT("/", "/whole") V2_AT("/z", "/stranger"),
		.files = {
			{ "part/cpu.max", "800000 100000\n" }, { "whole/a/b/cpu.max", "800000 100000\n" },
			{ "whole/a/cpu.max", "200000 100000\n" }, { "stranger/cpu.max", "100000 100000\n" },
		},
	},
	{
		.what = "a mount point with a blank in its name", .want = 2, .groups = "0::/a:b c\n",
		.mounts = V2_AT("/", "/my\\040groups"), .files = { { "my groups/a:b c/cpu.max", "200000 100000\n" } },
	},
	{
		.what = "a limit that is no number", .want = 0, .groups = "0::/\n", .mounts = V2_AT("/", "/c"),
		.files = { { "c/cpu.max", "lots of them\n" } },
	},
	{
		.what = "a period of 0", .want = 0, .groups = "0::/\n", .mounts = V2_AT("/", "/c"),
		.files = { { "c/cpu.max", "100000 0\n" } },
	},
	{
		.what = "a quota of 0", .want = 0, .groups = "0::/\n", .mounts = V2_AT("/", "/c"),
		.files = { { "c/cpu.max", "0 100000\n" } },
	},
	{
		.what = "a file cut short", .want = 0, .groups = "0::/\n", .mounts = V2_AT("/", "/c"),
		.files = { { "c/cpu.max", "100000" } },
	},
	{
		.what = "an empty file", .want = 0, .groups = "0::/\n", .mounts = V2_AT("/", "/c"),
		.files = { { "c/cpu.max", "" } },
	},
	{
		.what = "a number beyond 64 bits", .want = 0, .groups = "0::/\n", .mounts = V2_AT("/", "/c"),
		.files = { { "c/cpu.max", "99999999999999999999999 100000\n" } },
	},
	{
		.what = "more CPUs than an unsigned can say", .want = 0, .groups = "0::/\n", .mounts = V2_AT("/", "/c"),
		.files = { { "c/cpu.max", "18446744073709551615 1\n" } },
	},
	{
		.what = "a damaged file beside a good one", .want = 3, .groups = "0::/a\n", .mounts = V2_AT("/", "/c"),
		.files = { { "c/a/cpu.max", "\001\002\003" }, { "c/cpu.max", "300000 100000\n" } },
	},
	{
		.what = "v1 with a quota but no period", .want = 0, .groups = "4:cpu:/\n", .mounts = V1_AT("/", "/c"),
		.files = { { "c/cpu.cfs_quota_us", "100000\n" } },
	},
	{
		.what = "damaged lists of groups and mounts", .want = 2,
		.groups = "\n:\n::\n0\n0:\n0::\n0::relative\n4:cpu\n0::/a",
		.mounts = "\n - \n -  - cgroup2\n1 2 3 - cgroup2 cgroup2 rw\n1 2 3 4 5 - cgroup\n" V2_AT("/", "/c"),
		.files = { { "c/a/cpu.max", "200000 100000\n" } },
	},
};

enum { TREES = sizeof(trees) / sizeof(trees[0]) };

static void make_root(char root[static 128])
{
	const char *parent = getenv("TMPDIR");

	snprintf(root, 128, "%s/quota-XXXXXX", parent && *parent && strlen(parent) < 100 ? parent : "/tmp");
	if (!mkdtemp(root))
		bail_out("no temporary directory: %s", root);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void write_file(const char *root, const char *path, const char *text)
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

static void each_tree(void)
{
	for (unsigned i = 0; i < TREES; i++) {
		char root[128];

		make_root(root);
		if (trees[i].groups)
			write_file(root, "proc/self/cgroup", trees[i].groups);
		if (trees[i].mounts)
			write_file(root, "proc/self/mountinfo", trees[i].mounts);
		for (unsigned k = 0; k < FILES && trees[i].files[k].path; k++)
			write_file(root, trees[i].files[k].path, trees[i].files[k].text);
		is_int(qti_quota_cpus(root), trees[i].want, "%s", trees[i].what);
		nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	}
}

/* Lines longer than any buffer stand before the one that matters. */
static void long_lines(void)
{
	enum { LONG = 20000 };
	static char mounts[2 * LONG + 512], groups[2 * LONG + 512];
	char root[128];

	make_root(root);
	memset(groups, 'x', 2 * LONG);
	memcpy(groups, "7:cpu:/", 7);
	memcpy(groups + LONG, "\n6:freezer:/", 12);
	strcpy(groups + 2 * LONG, "\n0::/a\n");
	memset(mounts, 'y', 2 * LONG);
	memcpy(mounts, "33 32 0:30 /", 12);
	mounts[LONG] = '\n';
	strcpy(mounts + 2 * LONG, "\n" V2_AT("/", "/c"));
	write_file(root, "proc/self/cgroup", groups);
	write_file(root, "proc/self/mountinfo", mounts);
	write_file(root, "c/a/cpu.max", "600000 100000\n");
	is_int(qti_quota_cpus(root), 6, "lines of %d characters are passed over", LONG);
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void this_system(void)
{
	unsigned first = qti_quota_cpus(""), best = 0;
	double least = 1e9;

	for (unsigned i = 0; i < 20; i++) {
		struct timespec from, to;

		clock_gettime(CLOCK_MONOTONIC, &from);
		best = qti_quota_cpus("");
		clock_gettime(CLOCK_MONOTONIC, &to);
		double us = (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) / 1e3;
		least = us < least ? us : least;
	}
	diag("this system: limit %u CPUs, found out in %.1f us", first, least);
	is_int(best, first, "this system's answer does not change from one call to the next");
}

int main(void)
{
	plan(TREES + 2);
	each_tree();
	long_lines();
	this_system();
	return done();
}
