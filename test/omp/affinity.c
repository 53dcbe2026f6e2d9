/* test/omp/affinity.c -- places, binding, and how a thread's place is shown.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include "omp/again.h"
#include "omp/tasking.h"
#include "process.h"

#include <sched.h>

enum { MEMBERS = 3, BOUND = 2, MOST = 64 };

static int cpus[CPU_SETSIZE], ncpus;

static void find_cpus(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			cpus[ncpus++] = i;
}

/* --- without settings ----------------------------------------------------------------------------------- */

static void no_places(void)
{
	int ids[2] = { -7, -7 }, wrong = 0;

	ok(omp_get_num_places() == 0 && omp_get_place_num() == -1 && omp_get_partition_num_places() == 0,
		"omp_get_num_places, omp_get_place_num, omp_get_partition_num_places: there are none");
	ok(omp_get_place_num_procs(0) == 0 && omp_get_place_num_procs(-1) == 0 && omp_get_place_num_procs(1000) == 0,
		"omp_get_place_num_procs: 0 for a place that is not there");
	omp_get_place_proc_ids(0, ids);
	omp_get_place_proc_ids(-1, ids);
	omp_get_partition_place_nums(ids);
	ok(ids[0] == -7 && ids[1] == -7, "omp_get_place_proc_ids, omp_get_partition_place_nums: nothing is written");
#pragma omp parallel proc_bind(close)
	if (omp_get_place_num() != -1)
		bump(&wrong);
#pragma omp parallel proc_bind(spread) num_threads(2)
	if (omp_get_proc_bind() != omp_proc_bind_false)
		bump(&wrong);
	is_int(wrong, 0, "proc_bind(): no effect while OMP_PROC_BIND is false");
}

/* --- formats -------------------------------------------------------------------------------------------- */

static bool shows(const char *format, const char *want)
{
	char got[256];
	const size_t n = omp_capture_affinity(got, sizeof(got), format);

	if (strcmp(got, want) == 0 && n == strlen(want))
		return true;
	diag("'%s' shows '%s', %zu characters, not '%s'", format, got, n, want);
	return false;
}

static void format(void)
{
	char text[64];
	size_t n = omp_get_affinity_format(text, sizeof(text));

	ok(n == 30 && strcmp(text, "level %L thread %i affinity %A") == 0, "omp_get_affinity_format: at the beginning");
	n = omp_get_affinity_format(text, 6);
	ok(n == 30 && strcmp(text, "level") == 0, "omp_get_affinity_format: cut off if the room is too small");
	is_int(omp_get_affinity_format(NULL, 0), 30, "omp_get_affinity_format: no room at all");
	omp_set_affinity_format("of %N: %n");
	n = omp_get_affinity_format(text, sizeof(text));
	ok(n == 9 && strcmp(text, "of %N: %n") == 0, "omp_set_affinity_format");
	ok(shows(NULL, "of 1: 0") && shows("", "of 1: 0"), "omp_capture_affinity: without a format that one");
}

static void fields(void)
{
	char host[256], pid[32], text[300];
	int empty = 0;

	ok(shows("no fields", "no fields") && shows("100%%", "100%"), "omp_capture_affinity: text and %%%%");
	ok(shows("%t %T %L %n %N %a", "0 1 0 0 1 -1"), "omp_capture_affinity: short names");
	ok(shows("%{team_num} %{num_teams} %{nesting_level} %{thread_num} %{num_threads} %{ancestor_tnum}",
		   "0 1 0 0 1 -1"),
		"omp_capture_affinity: long names");
	ok(shows("%6n|%.6n|%0.6n|%3{thread_num}|%1N|", "0     |     0|000000|0  |1|"),
		"omp_capture_affinity: width, to the left, to the right, with zeros");
	gethostname(host, sizeof(host));
	host[sizeof(host) - 1] = '\0';
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	ok(shows("%H", host) && shows("%{host}", host) && shows("%P", pid) && shows("%{process_id}", pid),
		"omp_capture_affinity: host and process");
	omp_capture_affinity(text, sizeof(text), "%i");
	empty += text[0] == '\0' || !shows("%{native_thread_id}", text);
	omp_capture_affinity(text, sizeof(text), "%A");
	empty += text[0] == '\0' || !shows("%{thread_affinity}", text);
	is_int(empty, 0, "omp_capture_affinity: the thread of the system, and its CPUs");
	memset(text, '#', sizeof(text));
	ok(omp_capture_affinity(text, 5, "abcdefghij") == 10 && strcmp(text, "abcd") == 0 && text[5] == '#' &&
			omp_capture_affinity(NULL, 0, "abcdefghij") == 10,
		"omp_capture_affinity: cut off if the room is too small; returns what there would be");
}

static void fields_in_a_region(void)
{
	char native[MEMBERS][64];
	int wrong = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(MEMBERS)
	{
		char want[64];
		const int me = omp_get_thread_num();
		snprintf(want, sizeof(want), "1 %d 3 0", me);
		if (!shows("%L %n %N %a", want))
			bump(&wrong);
		omp_capture_affinity(native[me], sizeof(native[me]), "%i");
#pragma omp parallel num_threads(2)
		{
			char inner[64];
			snprintf(inner, sizeof(inner), "2 %d 2 %d", omp_get_thread_num(), me);
			if (!shows("%L %n %N %a", inner))
				bump(&wrong);
		}
	}
	omp_set_max_active_levels(1);
	is_int(wrong, 0, "omp_capture_affinity: in a region and one inside of it");
	ok(strcmp(native[0], native[1]) != 0 && strcmp(native[1], native[2]) != 0,
		"omp_capture_affinity: each member has a thread of the system");
}

/* --- again, with settings ------------------------------------------------------------------------------- */

static int display(void)
{
	omp_display_affinity("first %n of %N");
	omp_set_affinity_format("second %L");
	omp_display_affinity(NULL);
	return 0;
}

static int regions(void)
{
	int members = 0;

	for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(2)
		bump(&members);
	}
	return members != 4;
}

static int count(const char *text, const char *what)
{
	int n = 0;

	for (; (text = strstr(text, what)) != NULL; text += strlen(what))
		n++;
	return n;
}

static void displayed(void)
{
	is_int(again("display", NULL), 0, "omp_display_affinity: the program ends");
	ok(count(again_err, "first 0 of 1\n") == 1 && count(again_err, "second 0\n") == 1,
		"omp_display_affinity: a line on stderr, by the format given or set");
	again("regions", "OMP_DISPLAY_AFFINITY=true", "OMP_AFFINITY_FORMAT=member %n of %N at %L", NULL);
	ok(count(again_err, "member 0 of 2 at 1\n") == 1 && count(again_err, "member 1 of 2 at 1\n") == 1,
		"OMP_DISPLAY_AFFINITY, OMP_AFFINITY_FORMAT: each member once, not again in the next region");
	again("regions", "OMP_DISPLAY_AFFINITY=false", "OMP_AFFINITY_FORMAT=member", NULL);
	is_int(count(again_err, "member"), 0, "OMP_DISPLAY_AFFINITY=false: nothing is shown");
}

/* One line for each place, and one for each member: its place, its binding, and whether it can run there only.  As many
 * members as places: of more, OpenMP leaves open who has to share. */
static int places(void)
{
	int ids[MOST];

	printf("places=%d\nbind=%d\nlevels=%d\n", omp_get_num_places(), omp_get_proc_bind(),
		omp_get_max_active_levels());
	for (int i = 0; i < omp_get_num_places() && i < MOST; i++) {
		omp_get_place_proc_ids(i, ids);
		printf("place%d=", i);
		for (int k = 0; k < omp_get_place_num_procs(i) && k < MOST; k++)
			printf("%s%d", k ? "," : "", ids[k]);
		printf("\n");
	}
#pragma omp parallel num_threads(BOUND)
	for (int i = 0; i < BOUND; i++) {
		if (i == omp_get_thread_num()) {
			cpu_set_t set;
			int mine[MOST], bound = 0;
			CPU_ZERO(&set);
			sched_getaffinity(0, sizeof(set), &set);
			if (omp_get_place_num() >= 0) {
				const int n = omp_get_place_num_procs(omp_get_place_num());
				omp_get_place_proc_ids(omp_get_place_num(), mine);
				for (int k = 0; k < n; k++)
					bound += CPU_ISSET(mine[k], &set) != 0;
				bound = bound == n && CPU_COUNT(&set) == n;
			}
			printf("member%d=%d\npartition%d=%d\nbind%d=%d\nbound%d=%d\n", i, omp_get_place_num(), i,
				omp_get_partition_num_places(), i, omp_get_proc_bind(), i, bound);
		}
#pragma omp barrier
	}
	return 0;
}

/* By a region's two members, as far as this machine lets them. */
static bool members_are_bound(void)
{
	return !process_can_bind() || (again_number("bound0") == 1 && again_number("bound1") == 1);
}

static void two_places(char *setting, const char *how, int first, int second)
{
	char want[2][16];

	snprintf(want[0], sizeof(want[0]), "%d", first);
	snprintf(want[1], sizeof(want[1]), "%d", second);
	again("places", setting, NULL);
	ok(again_number("places") == 2 && strcmp(again_text("place0"), want[0]) == 0 &&
			strcmp(again_text("place1"), want[1]) == 0,
		"OMP_PLACES: %s", how);
	ok(again_number("member0") == 0 && again_number("member1") == 1 && again_number("bind") == omp_proc_bind_true,
		"OMP_PLACES: %s; members one after another, OMP_PROC_BIND is true then", how);
	ok(members_are_bound(),
		"OMP_PLACES: %s; members run there only", how);
}

static void lists_of_places(void)
{
	const int a = cpus[0], b = cpus[1];
	char setting[128];

	snprintf(setting, sizeof(setting), "OMP_PLACES={%d},{%d}", a, b);
	two_places(setting, "a list", a, b);
	snprintf(setting, sizeof(setting), "OMP_PLACES={%d},{%d}", b, a);
	two_places(setting, "a list, the other way around", b, a);
	snprintf(setting, sizeof(setting), "OMP_PLACES={%d}:2:%d", a, b - a);
	two_places(setting, "a place, how many, how far apart", a, b);

	snprintf(setting, sizeof(setting), "OMP_PLACES={%d,%d}", a, b);
	again("places", setting, NULL);
	ok(again_number("places") == 1 && again_number("member1") == 0 && strchr(again_text("place0"), ','),
		"OMP_PLACES: one place of two CPUs");
	again("places", "OMP_PLACES=threads", NULL);
	ok(again_number("places") == ncpus && members_are_bound(),
		"OMP_PLACES=threads: one for each CPU");
	again("places", "OMP_PLACES=threads(1)", NULL);
	ok(again_number("places") == 1 && again_number("member1") == 0, "OMP_PLACES=threads(1): one of them");
	again("places", "OMP_PLACES=cores", NULL);
	ok(again_number("places") >= 1 && again_number("places") <= ncpus && again_number("bind") == omp_proc_bind_true,
		"OMP_PLACES=cores");
	again("places", "OMP_PLACES=sockets", NULL);
	ok(again_number("places") >= 1 && again_number("places") <= ncpus, "OMP_PLACES=sockets");
}

static void bindings(void)
{
	char setting[128];

	snprintf(setting, sizeof(setting), "OMP_PLACES={%d},{%d}", cpus[0], cpus[1]);
	again("places", setting, "OMP_PROC_BIND=master", NULL);
	ok(again_number("bind") == omp_proc_bind_primary && again_number("member0") == 0 &&
			again_number("member1") == 0,
		"OMP_PROC_BIND=master: all at the place of member 0");
	again("places", setting, "OMP_PROC_BIND=Primary", NULL);
	ok(again_number("bind") == omp_proc_bind_primary && again_number("member1") == 0, "OMP_PROC_BIND=Primary");
	again("places", setting, "OMP_PROC_BIND=close", NULL);
	ok(again_number("bind") == omp_proc_bind_close && again_number("member0") == 0 &&
			again_number("member1") == 1 && again_number("partition1") == 2,
		"OMP_PROC_BIND=close: one after another, the partition stays whole");
	again("places", setting, "OMP_PROC_BIND=spread", NULL);
	ok(again_number("bind") == omp_proc_bind_spread && again_number("member1") == 1 &&
			again_number("partition0") == 1 && again_number("partition1") == 1,
		"OMP_PROC_BIND=spread: each has a part of the partition");
	again("places", setting, "OMP_PROC_BIND=spread,close", NULL);
	ok(again_number("bind") == omp_proc_bind_spread && again_number("bind1") == omp_proc_bind_close &&
			again_number("levels") > 1,
		"OMP_PROC_BIND=spread,close: of the next level; regions nest then");
	again("places", setting, "OMP_PROC_BIND=false", NULL);
	ok(again_number("bind") == omp_proc_bind_false && again_number("bound1") == 0,
		"OMP_PROC_BIND=false: nobody is bound, places or not");
	again("places", "OMP_PROC_BIND=true", NULL);
	ok(again_number("bind") == omp_proc_bind_true && again_number("places") == ncpus && members_are_bound(),
		"OMP_PROC_BIND=true: a place for each CPU");
}

/* What omp_get_proc_bind says in a region with a clause, and in regions inside it. */
static int clauses(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) proc_bind(spread)
#pragma omp single
	{
		printf("clause=%d\n", omp_get_proc_bind());
#pragma omp parallel num_threads(2)
#pragma omp single
		printf("inherited=%d\n", omp_get_proc_bind());
#pragma omp parallel num_threads(2) proc_bind(close)
#pragma omp single
		printf("another=%d\n", omp_get_proc_bind());
#pragma omp parallel num_threads(1) proc_bind(close)
		printf("alone=%d\n", omp_get_proc_bind());
	}
#pragma omp parallel num_threads(2)
#pragma omp single
	printf("none=%d\n", omp_get_proc_bind());
	printf("after=%d\n", omp_get_proc_bind());
	return 0;
}

static void bindings_by_clause(void)
{
	again("clauses", "OMP_PROC_BIND=true", NULL);
	ok(again_number("clause") == omp_proc_bind_spread && again_number("inherited") == omp_proc_bind_spread,
		"proc_bind(spread): omp_get_proc_bind in the region, and in one inside");
	ok(again_number("another") == omp_proc_bind_close && again_number("alone") == omp_proc_bind_close,
		"proc_bind(close): in a region inside, of one thread, too");
	ok(again_number("none") == omp_proc_bind_true && again_number("after") == omp_proc_bind_true,
		"proc_bind(): no longer than the region");
	again("clauses", "OMP_PROC_BIND=close,primary", NULL);
	ok(again_number("clause") == omp_proc_bind_primary && again_number("another") == omp_proc_bind_close,
		"OMP_PROC_BIND=close,primary: a level's own value counts for more than the clause");
	again("clauses", "OMP_PROC_BIND=false", NULL);
	ok(again_number("clause") == omp_proc_bind_false && again_number("another") == omp_proc_bind_false,
		"OMP_PROC_BIND=false: clauses count for nothing");
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "clauses") == 0)
		return clauses();
	if (argc > 1 && strcmp(argv[1], "display") == 0)
		return display();
	if (argc > 1 && strcmp(argv[1], "regions") == 0)
		return regions();
	if (argc > 1)
		return places();
	plan(48);
	find_cpus();
	no_places();
	format();
	fields();
	fields_in_a_region();
	displayed();
	if (ncpus < 2) {
		skip(26, "a single CPU");
	} else {
		lists_of_places();
		bindings();
		bindings_by_clause();
	}
	return done();
}
