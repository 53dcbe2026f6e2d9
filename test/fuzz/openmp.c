/* test/fuzz/openmp.c -- the input is the value of each variable of OpenMP, libgomp and LLVM's runtime, a list of
 * places, one of CPUs, and an affinity format.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "fuzz.h"
#include "omp/env/affinity.h"
#include "omp/env/display.h"
#include "omp/env/env.h"
#include "omp/env/places.h"
#include "omp/env/subset.h"
#include "omp/env/variables.h"

static const char *const others[] = {
	"KMP_WARNINGS", "KMP_AFFINITY", "KMP_ALL_THREADS", "KMP_BLOCKTIME", "KMP_DEVICE_THREAD_LIMIT", "KMP_DUPLICATE_LIB_OK", "KMP_HW_SUBSET",
	"KMP_INHERIT_FP_CONTROL", "KMP_LIBRARY", "KMP_SETTINGS", "KMP_STACKSIZE", "KMP_TEAMS_THREAD_LIMIT", "KMP_VERSION",
};

static void show(void (*what)(struct qomp_text *))
{
	char small[8];
	struct qomp_text t = { small, sizeof(small), 0 };

	what(&t);
}

static void make_places(bool (*read)(const char *, const struct qti_affinity *), const char *text)
{
	static const struct qti_affinity cpus = {
		.bits = { [0] = UINT64_C(0x80000000000000ff), [1] = 1, [QTI_CPUS_MAX / 64 - 1] = UINT64_C(1) << 63 }, .valid = true,
	};

	if (read(text, &cpus))
		show(qomp_places_show);
	qomp_places_free();
}

/* Of two sockets with two cores each, and two threads in these. */
static void take_subset(const char *text)
{
	struct qti_affinity cpus;
	struct qti_topo machine;
	const char *why;

	if (qti_topo_init(&machine, 8) != 0)
		return;
	for (unsigned i = 0; i < 8; i++) {
		machine.pu[i].os = i;
		machine.pu[i].group[QTI_LEVEL_CORE] = (int)i / 2;
		machine.pu[i].group[QTI_LEVEL_SOCKET] = (int)i / 4;
	}
	(void)qomp_subset_take(text, &machine, &cpus, &why);
	qti_topo_free(&machine);
}

/* A field may ask for two billion blanks, which takes its time, and no harm is done. */
static bool has_long_number(const char *text)
{
	static const char digits[] = "0123456789";

	for (size_t n; *(text += strcspn(text, digits)); text += n)
		if ((n = strspn(text, digits)) > 5)
			return true;
	return false;
}

static void expand(const char *text)
{
	const struct qomp_whereabouts at = { .num_teams = 1, .level = 1, .num_threads = 4, .ancestor = -1 };
	char line[64];
	struct qomp_text t = { line, sizeof(line), 0 };

	if (!has_long_number(text))
		qomp_affinity_expand(&t, text, &at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	for (unsigned i = 0; i < QOMP_NVARIABLES; i++)
		qomp_settings_change(qomp_variable_name((enum qomp_variable)i), text);
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		qomp_settings_change(others[i], text);
	take_subset(text);
	qomp_settings_show(true);
	qomp_settings_change("OMP_PROC_BIND", "false"); /* else every other change looks for places again */
	make_places(qomp_places_read, text);
	make_places(qomp_places_read_cpus, text);
	expand(text);
	free(text);
	return 0;
}
