/* test/unit/omp_places.c -- lists of places: OMP_PLACES and GOMP_CPU_AFFINITY.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The process's CPUs are made up, so that the results are the same on every machine.
 */
#include "omp/env/places.h"

#include "fault.h"
#include "tap.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct qti_affinity eight;       /* CPUs 0 to 7 */
static char said[4096];

/* The list as text, or "no" if the value makes none. */
static const char *list_of(bool (*read)(const char *, const struct qti_affinity *), const char *value,
                           const struct qti_affinity *allowed)
{
	static char text[4096];
	struct qomp_text out = { text, sizeof(text), 0 };
	int file = memfd_create("stderr", 0), kept = dup(STDERR_FILENO);

	text[0] = '\0';
	dup2(file, STDERR_FILENO);
	bool done = read(value, allowed);
	dup2(kept, STDERR_FILENO);
	ssize_t n = pread(file, said, sizeof(said) - 1, 0);
	said[n < 0 ? 0 : n] = '\0';
	close(file);
	close(kept);
	if (done)
		qomp_places_show(&out);
	qomp_places_free();
	return done ? text : "no";
}

struct example {
	const char *value, *want;
};

static void check_all(const char *name, bool (*read)(const char *, const struct qti_affinity *),
                      const struct example *e, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		is_str(list_of(read, e[i].value, &eight), e[i].want, "%s=\"%s\"", name, e[i].value);
}

static void explicit_lists(void)
{
	static const struct example examples[] = {
		{ "{0}", "{0}" }, { "{0},{1}", "{0},{1}" }, { " { 0 , 1 } , { 2 } ", "{0:2},{2}" },
		{ "{3,1,2}", "{1:3}" }, { "{0,2,3,7}", "{0,2:2,7}" }, { "{0,0}", "{0}" }, { "{+1}", "{1}" },
		{ "{01}", "{1}" }, { "{0},{0}", "{0},{0}" },
		/* intervals of CPUs */
		{ "{0:4}", "{0:4}" }, { "{0:4:2}", "{0,2,4,6}" }, { "{7:3:-1}", "{5:3}" }, { "{0:2,6:2}", "{0:2,6:2}" },
		{ "{4:1:-9}", "{4}" }, { "{0:3:0}", "{0}" },
		/* of places */
		{ "{0}:4", "{0},{1},{2},{3}" }, { "{0:2}:4:2", "{0:2},{2:2},{4:2},{6:2}" },
		{ "{6:2}:2:-6", "{6:2},{0:2}" }, { "{0}:2:0", "{0},{0}" }, { "{0},{4}:2", "{0},{4},{5}" },
		{ "{5}:1:-9", "{5}" }, { "{0:2}:3:1", "{0:2},{1:2},{2:2}" },
		/* single numbers are places, too */
		{ "5", "{5}" }, { "0,1", "{0},{1}" }, { "0:4", "{0},{1},{2},{3}" }, { "0:4:2", "{0},{2},{4},{6}" },
		/* exceptions */
		{ "{0:4,!2}", "{0:2,3}" }, { "{0}:4,!{2}", "{0},{1},{3}" }, { "{0},{1},!{0},{2}", "{1},{2}" },
		{ "{0:8,!0,!7}", "{1:6}" }, { "{0:2}:3,!{1,2}", "{0:2},{2:2}" }, { "0:3,!1", "{0},{2}" },
	};
	static const struct example wrong[] = {
		{ "", "no" }, { " ", "no" }, { "{", "no" }, { "{}", "no" }, { "{0", "no" }, { "0}", "no" },
		{ "{0}}", "no" }, { "{0},", "no" }, { ",{0}", "no" }, { "{0},,{1}", "no" }, { "{0,}", "no" },
		{ "{,0}", "no" }, { "{0 1}", "no" }, { "{0} {1}", "no" }, { "{0x1}", "no" }, { "{-1}", "no" },
		{ "-1", "no" }, { "{0:0}", "no" }, { "{0}:0", "no" }, { "{0:-1}", "no" }, { "{0}:-1", "no" },
		{ "{0:}", "no" }, { "{0}:", "no" }, { "{0:2:}", "no" }, { "{0}:2:", "no" }, { "{0:2:1:1}", "no" },
		{ "{0}:2:1:1", "no" }, { "{1:3:-1}", "no" }, { "{0}:2:-1", "no" }, { "{8192}", "no" },
		{ "{8191:2}", "no" }, { "{8191}:2", "no" }, { "{99999999999999999999}", "no" },
		{ "{0:99999999}", "no" }, { "{0}:99999999", "no" }, { "{!0}", "no" }, { "!{0}", "no" },
		{ "{0},!{0}", "no" }, { "{0:2},!{1}", "no" }, { "{0},!{0}:2", "no" }, { "{0:2,!0:2}", "no" },
		{ "{0:2,!0,!1}", "no" }, { "{8}", "no" }, { "{8},{9}:3", "no" }, { "cpus", "no" },
		{ "{threads}", "no" }, { "{0}x", "no" },
	};

	check_all("OMP_PLACES", qomp_places_read, examples, sizeof(examples) / sizeof(examples[0]));
	check_all("OMP_PLACES", qomp_places_read, wrong, sizeof(wrong) / sizeof(wrong[0]));
}

static void unusable_cpus(void)
{
	is_str(list_of(qomp_places_read, "{6:4}", &eight), "{6:2}", "CPUs that the process may not use are left out");
	is_str(said, "", "  without a word");
	is_str(list_of(qomp_places_read, "{6}:4", &eight), "{6},{7}", "so are places without any other");
	ok(strstr(said, "libqomp: 2 of 4 places have no CPU") == said, "  with one line");
}

static void cpu_affinity(void)
{
	static const struct example examples[] = {
		{ "3", "{3}" }, { "0 3", "{0},{3}" }, { "0,3", "{0},{3}" }, { " 0 , 3 ", "{0},{3}" },
		{ "0 ,3", "{0},{3}" }, { "0-3", "{0},{1},{2},{3}" }, { "0-7:3", "{0},{3},{6}" },
		{ "0-3 7", "{0},{1},{2},{3},{7}" }, { "5-5", "{5}" }, { "0 - 2", "{0},{1},{2}" },
		{ "3 0 3", "{3},{0},{3}" }, { "0-1:9", "{0}" }, { "0x7", "{7}" }, { "010 07", "{7}" },
		{ "6-9", "{6},{7}" }, { "", "no" }, { " ", "no" }, { "x", "no" }, { "3-0", "no" }, { "-1", "no" },
		{ "0,", "no" }, { ",0", "no" }, { "0,,1", "no" }, { "0-", "no" }, { "0-1:0", "no" }, { "0-1:", "no" },
		{ "0:1", "no" }, { "8192", "no" }, { "9", "no" }, { "0;1", "no" }, { "{0}", "no" },
		{ "99999999999999999999", "no" },
	};

	check_all("GOMP_CPU_AFFINITY", qomp_places_read_cpus, examples, sizeof(examples) / sizeof(examples[0]));
}

/* ---- Names of places -------------------------------------------------------------------------------------------- */

/* Two sockets of two cores of two hardware threads, numbered as many machines do: CPU 4 is core 0's second thread.
 * Each socket has a cache; the machine says nothing of nodes. */
static struct qti_topo machine(void)
{
	struct qti_topo t;

	qti_topo_init(&t, 8);
	for (unsigned i = 0; i < 8; i++) {
		t.pu[i].os = i;
		t.pu[i].group[QTI_LEVEL_CORE] = (int)(i % 4);
		t.pu[i].group[QTI_LEVEL_L1] = (int)(i % 4);
		t.pu[i].group[QTI_LEVEL_L3] = (int)(i % 4 / 2);
		t.pu[i].group[QTI_LEVEL_SOCKET] = (int)(i % 4 / 2);
	}
	qti_topo_finish(&t);
	return t;
}

static const struct qti_topo *topo;
static enum qomp_group_kind kind;
static unsigned most;

static bool group(const char *unused, const struct qti_affinity *allowed)
{
	(void)unused;
	return qomp_places_group(topo, kind, most, allowed);
}

static const char *groups(const struct qti_topo *t, enum qomp_group_kind k, unsigned n)
{
	topo = t;
	kind = k;
	most = n;
	return list_of(group, "", &eight);
}

static void groups_of_a_machine(void)
{
	struct qti_topo t = machine(), flat;

	is_str(groups(&t, QOMP_BY_THREAD, 99), "{0},{4},{1},{5},{2},{6},{3},{7}", "threads: neighbours share a core");
	is_str(groups(&t, QOMP_BY_CORE, 99), "{0,4},{1,5},{2,6},{3,7}", "cores");
	is_str(groups(&t, QOMP_BY_CACHE, 99), "{0:2,4:2},{2:2,6:2}", "ll_caches: the largest ones");
	is_str(groups(&t, QOMP_BY_SOCKET, 99), "{0:2,4:2},{2:2,6:2}", "sockets");
	is_str(groups(&t, QOMP_BY_NODE, 99), "{0:8}", "numa_domains: one if the machine says nothing of them");
	is_str(groups(&t, QOMP_BY_CORE, 2), "{0,4},{1,5}", "cores(2)");
	is_str(groups(&t, QOMP_BY_CORE, 1), "{0,4}", "cores(1)");
	qti_topo_free(&t);
	qti_topo_flat(&flat, &eight);
	is_str(groups(&flat, QOMP_BY_CORE, 99), "{0},{1},{2},{3},{4},{5},{6},{7}",
		"cores: each CPU one if the machine says nothing of them");
	is_str(groups(&flat, QOMP_BY_SOCKET, 99), "{0:8}", "sockets: all of it is one then");
	qti_topo_free(&flat);
}

static void names(void)
{
	static const char *const good[] = {
		"threads", "Cores", " SOCKETS ", "ll_caches", "numa_domains", "cores(1)", "cores ( 1 )",
	};
	static const char *const bad[] = {
		"core", "cores()", "cores(0)", "cores(-1)", "cores(1", "cores 1", "cores,{0}", "threads x",
	};
	struct qti_affinity own;

	qti_affinity_save(&own);
	for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		ok(strcmp(list_of(qomp_places_read, good[i], &own), "no") != 0, "OMP_PLACES=\"%s\" is understood",
			good[i]);
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_str(list_of(qomp_places_read, bad[i], &own), "no", "OMP_PLACES=\"%s\" is not", bad[i]);
}

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

static void memory_runs_out(void)
{
	unsigned failures = 0, bad = 0;

	qomp_places_read("{1},{2}", &eight);
	qti_mem_fault = fault;
	for (unsigned n = 0; n < 49; n++) {
		fault_after(n);
		bool done = qomp_places_read("{0}:40:0,!{1}", &eight) || qomp_places_read("{0}:40:0", &eight);
		fault_end();
		if (done)
			break;
		failures++;
		bad += qomp_places.n != 2 || qomp_place_cpus(1)[0] != 2;
	}
	ok(failures > 2 && bad == 0, "out of memory: the list stays as it was (%u times)", failures);
	is_int(qomp_places.n, 40, "and all is well when there is enough");
	qomp_places_free();
}

int main(void)
{
	for (unsigned cpu = 0; cpu < 8; cpu++)
		eight.bits[0] |= 1u << cpu;
	eight.valid = true;
	plan(141);
	explicit_lists();
	unusable_cpus();
	cpu_affinity();
	groups_of_a_machine();
	names();
	memory_runs_out();
	return done();
}
