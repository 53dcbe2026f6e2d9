/* test/unit/omp_subset.c -- KMP_HW_SUBSET: which CPUs of a machine a list of counts and offsets names.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The machine is made up: two sockets, in each two NUMA domains with an L3 cache, in each two cores of two threads.
 * CPU n and n + 8 are threads of core n, as Linux has it.
 */
#include "omp/env/env.h"
#include "omp/env/icv.h"
#include "omp/env/subset.h"
#include "process.h"

#include <stdlib.h>
#include <string.h>

enum { CORES = 8, PUS = 2 * CORES };

static struct qti_topo machine;

static void machine_make(void)
{
	if (qti_topo_init(&machine, PUS) != 0)
		bail_out("out of memory");
	for (unsigned i = 0; i < PUS; i++) {
		struct qti_pu *pu = &machine.pu[i];
		int core = (int)i / 2;
		pu->os = (unsigned)core + CORES * (i % 2);
		pu->group[QTI_LEVEL_CORE] = pu->group[QTI_LEVEL_L2] = pu->group[QTI_LEVEL_L1] = core;
		pu->group[QTI_LEVEL_L3] = pu->group[QTI_LEVEL_NUMA] = core / 2;
		pu->group[QTI_LEVEL_SOCKET] = core / 4;
	}
	machine.this_system = true;
}

static void subsets(void)
{
	static const struct {
		const char *text;
		uint64_t want;          /* bit n: CPU n */
		const char *lacks;
	} examples[] = {
		{ "1s", 0x0f0f, NULL }, { "1s@1", 0xf0f0, NULL }, { "2s,1c", 0x1111, NULL }, { "2S,2C@1,1T", 0x0066, NULL },
		{ "1t", 0x00ff, NULL }, { "1t@1", 0xff00, NULL }, { "*s,*c,1t", 0x00ff, NULL }, { "s,1n", 0x3333, NULL },
		{ "1n@1,1c", 0x4444, NULL }, { "1t,1c,1s", 0x0001, NULL }, { " 1 socket , 2 cores@2 ", 0x0c0c, NULL },
		{ "1s,1l3@1,1t", 0x000c, NULL }, { "3c@1", 0xeeee, NULL }, { "4c", 0xffff, NULL }, { "c@3", 0x8888, NULL },
		{ "3s", 0, "socket" }, { "1s@2", 0, "socket" }, { "5c", 0, "core" }, { "2c@3", 0, "core" }, { "3t", 0, "thread" },
		{ "1s,3n", 0, "numa" }, { "*c@4", 0, "core" },
		{ "", 0, NULL }, { "2", 0, NULL }, { "0c", 0, NULL }, { "-1c", 0, NULL }, { "1c,1c", 0, NULL }, { "1s;2c", 0, NULL },
		{ "1c,", 0, NULL }, { "1c@", 0, NULL }, { "1x", 0, NULL }, { ":1s", 0, NULL }, { "2c:eff1", 0, NULL },
		{ "99999999999c", 0, NULL },
	};

	for (unsigned i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		struct qti_affinity cpus = { .bits = { [1] = 7 } };
		const char *why = "";
		unsigned n = qomp_subset_take(examples[i].text, &machine, &cpus, &why);
		uint64_t got = n > 0 ? cpus.bits[0] : 0;
		diag("%s: %llx", examples[i].text, (unsigned long long)got);
		ok(got == examples[i].want && n == (unsigned)__builtin_popcountll(got) && cpus.bits[1] == (n > 0 ? 0 : 7),
			"KMP_HW_SUBSET=%s: its CPUs, or none taken away", examples[i].text);
		if (n == 0)
			is_str(why ? why : "sense", examples[i].lacks ? examples[i].lacks : "sense",
				"KMP_HW_SUBSET=%s: and what it lacks", examples[i].text);
	}
}

/* As the environment says it to the process, which is left with one CPU. */
static void applied(void)
{
	struct qti_affinity before, after;
	unsigned n = qti_affinity_save(&before);

	diag("a line that this test wants:");
	setenv("KMP_HW_SUBSET", "8191s", 1);
	qomp_settings_read_now();
	qti_affinity_save(&after);
	ok(memcmp(before.bits, after.bits, sizeof(after.bits)) == 0, "more than there is: the process has what it had");
	setenv("KMP_HW_SUBSET", "1s,1c,1t", 1);
	qomp_settings_read_now();
	unsetenv("KMP_HW_SUBSET");
	unsigned left = qti_affinity_save(&after);
	if (!process_can_bind()) {
		skip(2, "threads may not be bound here");
		return;
	}
	ok(left >= 1 && left <= n && qomp_icv_initial->nthreads == left && qomp_settings.procs == left,
		"one thread of a core: the process has as many CPUs as regions have threads");
	is_int(left, 1, "which is one");
}

int main(void)
{
	for (const char *const *name = (const char *const[]){ "OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "KMP_AFFINITY",
		     "HWLOC_SYNTHETIC", "HWLOC_XMLFILE", NULL }; *name; name++)
		unsetenv(*name);
	plan(34 + 19 + 3);
	machine_make();
	subsets();
	applied();
	qti_topo_free(&machine);
	return done();
}
