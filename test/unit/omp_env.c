/* test/unit/omp_env.c -- what the library makes of OMP_* and GOMP_* variables, compared with what libgomp accepts.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each reading has a process of its own, so that none finds anything of the last.
 */
#include "omp/env/env.h"
#include "omp/env/icv.h"

#include "machine/topo.h"
#include "fault.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char said[16384];                /* on stderr, in the last reading */
static struct qomp_settings *settings;  /* shared with the children */
static struct qomp_icv *icv;

static void forget_environment(void)
{
	static const char *const prefixes[] = { "OMP_", "GOMP_", "HWLOC_" };

	for (char **e = environ; *e;) {
		char name[128];
		bool ours = false;

		for (unsigned i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
			ours |= strncmp(*e, prefixes[i], strlen(prefixes[i])) == 0;
		if (ours && snprintf(name, sizeof(name), "%.*s", (int)strcspn(*e, "="), *e) > 0 && unsetenv(name) == 0)
			e = environ;
		else
			e++;
	}
}

/* Reads the settings with so many allocations; assignments "A=x" up to the first NULL.  True if the child ended
 * well. */
static bool read_with(const char *const *assignments, uint64_t granted)
{
	int file = memfd_create("stderr", 0), status = -1;
	pid_t child = fork();

	if (child == 0) {
		dup2(file, STDERR_FILENO);
		for (; *assignments; assignments++)
			putenv((char *)(uintptr_t)*assignments);
		qti_mem_fault = fault;
		fault_after(granted);
		qomp_settings_read_now();
		*settings = qomp_settings;
		*icv = *qomp_icv_initial;
		_exit(0);
	}
	waitpid(child, &status, 0);
	ssize_t n = pread(file, said, sizeof(said) - 1, 0);
	said[n < 0 ? 0 : n] = '\0';
	close(file);
	return status == 0;
}

static bool read_env(const char *one, const char *other)
{
	const char *const assignments[] = { one, other, NULL };

	return read_with(assignments, UINT32_MAX);
}

static unsigned complaints(void)
{
	unsigned n = 0;

	for (const char *c = said; (c = strstr(c, "libqomp: ")) != NULL; c++)
		n += c == said || c[-1] == '\n';
	return n;
}

/* The value that OMP_DISPLAY_ENV has shown for a variable. */
static const char *shown(const char *name)
{
	static char value[1024];
	char before[64];
	const char *at;

	snprintf(before, sizeof(before), "\n  %s = '", name);
	at = strstr(said, before);
	if (!at)
		return NULL;
	at += strlen(before);
	snprintf(value, sizeof(value), "%.*s", (int)strcspn(at, "\n") - 1, at);
	return value;
}

/* What is said to be used where 0 is shown, which stands for a default. */
static const char *used(const char *name, const char *usual)
{
	return strstr(name, "STACKSIZE") ? "8M" : strstr(name, "TEAMS") ? "the default" : usual;
}

/* want: what the variable is shown as; NULL: the value is bad, and the default is used. */
static void check(const char *name, const char *value, const char *want)
{
	char assignment[256], usual[256], instead[sizeof(usual) + 16];

	read_env("OMP_DISPLAY_ENV=verbose", NULL);
	snprintf(usual, sizeof(usual), "%s", shown(name));
	snprintf(assignment, sizeof(assignment), "%s=%s", name, value);
	bool alive = read_env("OMP_DISPLAY_ENV=verbose", assignment);
	is_str(shown(name), want ? want : usual, "%s=\"%s\"", name, value);
	snprintf(instead, sizeof(instead), "; using %s\n", used(name, usual));
	if (want)
		ok(alive && complaints() == 0, "  without a word");
	else
		ok(alive && complaints() == 1 && strstr(said, assignment) && strstr(said, instead),
			"  is a line that says so");
}

struct example {
	const char *value, *want;
};

/* Up to one without a value. */
static void check_all(const char *name, const struct example *e)
{
	for (; e->value; e++)
		check(name, e->value, e->want);
}

#define CHECK_ALL(name, ...) check_all(name, (const struct example[]){ __VA_ARGS__, { NULL, NULL } })

static void truth(const char *name)
{
	CHECK_ALL(name,
		{ "true", "TRUE" }, { "FALSE", "FALSE" }, { " True ", "TRUE" }, { "1", NULL }, { "yes", NULL },
		{ "", NULL }, { "true x", NULL }, { "truex", NULL });
}

static void threads(void)
{
	CHECK_ALL("OMP_NUM_THREADS",
		{ "4", "4" }, { " 4 ", "4" }, { "4,2", "4,2" }, { "4 , 2", "4,2" }, { "+3", "3" }, { "010", "10" },
		{ "65536", "65536" }, { "2147483647", "2147483647" }, { "1,2,3,4,5", "1,2,3,4,5" }, { "4,", NULL },
		{ ",4", NULL }, { "0", NULL }, { "-1", NULL }, { "0x10", NULL }, { "4x", NULL }, { "", NULL },
		{ "4.5", NULL }, { "4,0", NULL }, { "4 2", NULL }, { "2147483648", NULL },
		{ "99999999999999999999", NULL });
	CHECK_ALL("OMP_THREAD_LIMIT",
		{ "3", "3" }, { "2147483648", "4294967295" }, { "0", NULL }, { "-1", NULL }, { "x", NULL },
		{ "99999999999999999999", NULL });
	CHECK_ALL("OMP_MAX_ACTIVE_LEVELS",
		{ "0", "0" }, { "3", "3" }, { "255", "255" }, { "256", "255" }, { "4294967296", "255" },
		{ "-1", NULL }, { "x", NULL }, { "", NULL }, { "99999999999999999999", NULL });
	CHECK_ALL("OMP_NUM_TEAMS", { "3", "3" }, { "+5", "5" }, { "0", NULL }, { "2147483648", NULL }, { "", NULL });
	CHECK_ALL("OMP_TEAMS_THREAD_LIMIT", { "3", "3" }, { "0", NULL }, { "4k", NULL });
}

static void schedules(void)
{
	CHECK_ALL("OMP_SCHEDULE", { "static", "STATIC" }, { "Static , 4 ", "STATIC,4" }, { "static,0", "STATIC" },
		{ "dynamic", "DYNAMIC" }, { " dynamic,0", "DYNAMIC" }, { "dynamic,7", "DYNAMIC,7" },
		{ "guided", "GUIDED" }, { "guided,+3", "GUIDED,3" }, { "auto", "AUTO" }, { "auto,3", "AUTO" },
		{ "monotonic:static", "STATIC" }, { "MONOTONIC: dynamic,2", "MONOTONIC:DYNAMIC,2" },
		{ "nonmonotonic:dynamic", "DYNAMIC" }, { "nonmonotonic : guided , 5", "GUIDED,5" },
		{ "nonmonotonic:static", "NONMONOTONIC:STATIC" }, { "monotonic:auto", "MONOTONIC:AUTO" },
		{ "static,2147483647", "STATIC,2147483647" }, { "", NULL }, { "foo", NULL }, { "staticx", NULL },
		{ "static,", NULL }, { "static,4x", NULL }, { "static,-1", NULL }, { "static 4", NULL },
		{ "static,2147483648", NULL }, { "dynamic,0x10", NULL }, { "monotonic dynamic", NULL },
		{ "monotonic:", NULL }, { "monotonic", NULL }, { "nonmonotonic:monotonic:static", NULL },
		{ "runtime", NULL }, { "dyn", NULL });
}

static void sizes(void)
{
	static const char *const names[] = { "OMP_STACKSIZE", "GOMP_STACKSIZE" };

	for (unsigned i = 0; i < 2; i++)
		CHECK_ALL(names[i],
			{ "16", "16384" }, { " 17 ", "17408" }, { "16384B", "16384" }, { "64k", "65536" },
			{ "4 M", "4194304" }, { "16 G", "17179869184" }, { "+50", "51200" }, { "15", NULL },
			{ "0", NULL }, { "-1", NULL }, { "x", NULL }, { "", NULL }, { "5kb", NULL },
			{ "0x100", NULL }, { "9007199254740992K", NULL }, { "99999999999999999999", NULL });
	read_env("OMP_STACKSIZE=1M", "GOMP_STACKSIZE=2M");
	is_int(settings->stack_size, 1 << 20, "OMP_STACKSIZE comes before GOMP_STACKSIZE");
	read_env("OMP_STACKSIZE=x", "GOMP_STACKSIZE=2M");
	is_int(settings->stack_size, 2 << 20, "unless it is wrong");
	CHECK_ALL("GOMP_SPINCOUNT",
		{ "0", "0" }, { "5", "5" }, { "4k", "4000" }, { "4 M", "4000000" }, { "1g", "1000000000" },
		{ "2T", "2000000000000" }, { "infinite", "INFINITE" }, { " Infinity ", "INFINITE" }, { "", NULL },
		{ "x", NULL }, { "4kk", NULL }, { "99999999999999999999", NULL }, { "99999999999t", NULL });
	read_env("GOMP_SPINCOUNT=infinite", NULL);
	ok(settings->spin_count == QOMP_SPIN_FOREVER, "GOMP_SPINCOUNT=infinite is a number of its own");
}

/* Why a value is wrong. */
static void no_allocator(const char *value, const char *why)
{
	char assignment[256], line[512];

	snprintf(assignment, sizeof(assignment), "OMP_ALLOCATOR=%s", value);
	snprintf(line, sizeof(line), "libqomp: %s: %s; allowed: a predefined allocator or memory space; a space may be "
		"followed by :trait=value,trait=value...; using omp_default_mem_alloc\n", assignment, why);
	bool alive = read_env(assignment, "OMP_TEAMS_THREAD_LIMIT=1");
	is_str(said, line, "%s is one line that says why", assignment);
	ok(alive && icv->allocator == 1, "  and the default is used");
}

static void allocators(void)
{
	CHECK_ALL("OMP_ALLOCATOR",
		{ "omp_default_mem_space", "omp_default_mem_alloc" },
		{ " omp_Low_lat_mem_space ", "omp_low_lat_mem_alloc" },
		{ "omp_high_bw_mem_space", "omp_high_bw_mem_alloc" },
		{ "omp_default_mem_space:alignment=64", "omp_default_mem_space:alignment=64" },
		{ "omp_large_cap_mem_space:alignment=64,pinned=false,fallback=null_fb",
			"omp_large_cap_mem_space:alignment=64,pinned=false,fallback=null_fb" },
		{ "OMP_DEFAULT_MEM_SPACE : ALIGNMENT = 8 , Pool_Size = 4096",
			"OMP_DEFAULT_MEM_SPACE : ALIGNMENT = 8 , Pool_Size = 4096" },
		{ "omp_const_mem_space:sync_hint=contended,access=all,partition=nearest,"
			"fallback=allocator_fb,fb_data=omp_low_lat_mem_alloc,pool_size=1,alignment=1,pinned=false",
			"omp_const_mem_space:sync_hint=contended,access=all,partition=nearest,"
			"fallback=allocator_fb,fb_data=omp_low_lat_mem_alloc,pool_size=1,alignment=1,pinned=false" },
		{ "omp_default_mem_space:", NULL }, { "omp_default_mem_space x", NULL },
		{ "omp_default_mem_space,alignment=64", NULL }, { "0:alignment=64", NULL },
		{ "omp_default_mem_space:alignment=64,", NULL }, { "omp_default_mem_space:,alignment=64", NULL });
	ok(read_env("OMP_ALLOCATOR=omp_default_mem_space:alignment=64,alignment=128", NULL) && icv->allocator > 4096,
		"with traits it is an allocator of its own");
	no_allocator("omp_default_mem_space:alignmant=64",
		"\"alignmant=64\" does not begin with the name of a trait and =");
	no_allocator("omp_default_mem_space:alignment", "\"alignment\" does not begin with the name of a trait and =");
	no_allocator("omp_default_mem_space:alignment=", "\"alignment=\" has no value of that trait");
	no_allocator("omp_default_mem_space:alignment=0", "\"alignment=0\" has no value of that trait");
	no_allocator("omp_default_mem_space:alignment=64 8", "\"alignment=64 8\" has no value of that trait");
	no_allocator("omp_default_mem_space:pinned=maybe", "\"pinned=maybe\" has no value of that trait");
	no_allocator("omp_default_mem_space:fb_data=3", "\"fb_data=3\" has no value of that trait");
	no_allocator("omp_default_mem_space:pinned=true", "\"pinned=true\" cannot be had");
	no_allocator("omp_default_mem_space:alignment=48", "\"alignment=48\" cannot be had");
	no_allocator("omp_high_bw_mem_space:alignment=64", "omp_high_bw_mem_space cannot be had with traits");
	no_allocator("omp_default_mem_alloc:alignment=64", "only a memory space can have traits");
}

static void words(void)
{
	truth("OMP_DYNAMIC");
	truth("OMP_NESTED");
	truth("OMP_CANCELLATION");
	truth("OMP_DISPLAY_AFFINITY");
	CHECK_ALL("OMP_WAIT_POLICY",
		{ "active", "ACTIVE" }, { " Passive ", "PASSIVE" }, { "", NULL }, { "true", NULL });
	CHECK_ALL("OMP_TARGET_OFFLOAD",
		{ "mandatory", "MANDATORY" }, { "Disabled", "DISABLED" }, { "default", "DEFAULT" }, { "", NULL },
		{ "true", NULL });
	CHECK_ALL("OMP_ALLOCATOR", { "omp_large_cap_mem_alloc", "omp_large_cap_mem_alloc" },
		{ " OMP_THREAD_MEM_ALLOC ", "omp_thread_mem_alloc" }, { "omp_null_allocator", NULL }, { "3", NULL },
		{ "", NULL }, { "omp_thread_mem_alloc x", NULL });
	allocators();
	CHECK_ALL("OMP_AFFINITY_FORMAT", { "a b", "a b" }, { "", "" }, { " %x ", " %x " });
	CHECK_ALL("OMP_DEFAULT_DEVICE",
		{ "0", "0" }, { "3", "3" }, { "-1", NULL }, { "2147483648", NULL }, { "", NULL });
	CHECK_ALL("OMP_MAX_TASK_PRIORITY", { "0", "0" }, { "9", "9" }, { "-1", NULL }, { "x", NULL });
	CHECK_ALL("OMP_PROC_BIND",
		{ "true", "TRUE" }, { "False", "FALSE" }, { " close ", "CLOSE" }, { "spread,close", "SPREAD,CLOSE" },
		{ "master", "MASTER" }, { "primary", "MASTER" }, { "spread, spread , close", "SPREAD,SPREAD,CLOSE" },
		{ "true,close", NULL }, { "false,close", NULL }, { "close,false", NULL }, { "close,", NULL },
		{ ",close", NULL }, { "masters", NULL }, { "", NULL });
	read_env("GOMP_DEBUG=x", NULL);
	is_int(complaints(), 1, "GOMP_DEBUG has to be a number");
	read_env("GOMP_DEBUG=1", NULL);
	is_str(said, "", "and has no effect");
}

/* ---- Several together ------------------------------------------------------------------------------------------- */

static void defaults(void)
{
	struct qti_affinity own;
	unsigned cpus = qti_affinity_save(&own);

	ok(read_env(NULL, NULL), "an empty environment is read");
	is_str(said, "", "and nothing to talk about");
	is_int(settings->procs, cpus, "as many processors as there are CPUs");
	ok(icv->nthreads == cpus && icv->thread_limit == QOMP_UNLIMITED && icv->max_active_levels == 1 && !icv->dynamic,
		"as many threads, one level of them");
	ok(icv->schedule == QOMP_GUIDED && icv->chunk == 1 && !icv->monotonic, "schedule(runtime) is guided");
	ok(icv->bind == QOMP_BIND_FALSE && icv->allocator == 1 && icv->default_device == 0, "nothing is bound");
	ok(settings->most_threads == 0 && settings->stack_size == 0 && settings->spin_count == UINT64_MAX &&
		settings->patience == QOMP_PATIENCE_UNSET, "what is not set can be told");
}

static void levels(void)
{
	static const struct {
		const char *one, *other;
		unsigned levels;
	} cases[] = {
		{ "OMP_NESTED=true", NULL, 255 }, { "OMP_NESTED=false", NULL, 1 }, { "OMP_NUM_THREADS=2,2", NULL, 255 },
		{ "OMP_NUM_THREADS=2", NULL, 1 }, { "OMP_PROC_BIND=spread,close", NULL, 255 },
		{ "OMP_PROC_BIND=spread", NULL, 1 }, { "OMP_NESTED=false", "OMP_NUM_THREADS=2,2", 1 },
		{ "OMP_MAX_ACTIVE_LEVELS=1", "OMP_NUM_THREADS=2,2", 1 },
		{ "OMP_MAX_ACTIVE_LEVELS=3", "OMP_NESTED=true", 3 },
		{ "OMP_MAX_ACTIVE_LEVELS=3", "OMP_NESTED=false", 3 },
		{ "OMP_MAX_ACTIVE_LEVELS=x", "OMP_NESTED=true", 255 }, { "OMP_MAX_ACTIVE_LEVELS=0", NULL, 0 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		read_env(cases[i].one, cases[i].other);
		is_int(icv->max_active_levels, cases[i].levels, "levels with %s %s", cases[i].one,
			cases[i].other ? cases[i].other : "");
	}
	read_env("OMP_NUM_THREADS=2,7,3", NULL);
	ok(icv->nthreads == 2 && settings->most_threads == 7,
		"the first number is for the first region, the largest is known");
}

static const char *places_with(const char *one, const char *other)
{
	const char *const assignments[] = { "OMP_DISPLAY_ENV=true", one, other, NULL };
	static char text[128];

	read_with(assignments, UINT32_MAX);
	snprintf(text, sizeof(text), "%s", shown("OMP_PROC_BIND"));
	return strlen(shown("OMP_PLACES")) > 0 ? text : "no places";
}

static void binding(void)
{
	struct qti_affinity own;
	unsigned cpu = 0;
	char places[64], affinity[64], want[64];

	qti_affinity_save(&own);
	while (!qti_affinity_has(&own, cpu))
		cpu++;
	snprintf(places, sizeof(places), "OMP_PLACES={%u}", cpu);
	snprintf(affinity, sizeof(affinity), "GOMP_CPU_AFFINITY=%u %u", cpu, cpu);
	snprintf(want, sizeof(want), "{%u}", cpu);
	is_str(places_with("OMP_PROC_BIND=true", NULL), "TRUE", "who wants threads bound gets places");
	is_str(places_with(places, NULL), "TRUE", "who gives places wants threads bound");
	is_str(shown("OMP_PLACES"), want, "to these");
	is_str(places_with(affinity, NULL), "TRUE", "in either variable");
	is_str(places_with(places, "OMP_PROC_BIND=spread"), "SPREAD", "the policy may be given, too");
	is_str(shown("OMP_PLACES"), want, "with these places");
	is_str(places_with(places, "OMP_PROC_BIND=false"), "no places", "not binding is stronger");
	is_str(places_with(affinity, "OMP_PROC_BIND=false"), "no places", "in either case");
	is_str(places_with(affinity, places), "TRUE", "of both lists");
	is_str(shown("OMP_PLACES"), want, "OMP_PLACES is taken");
	is_str(places_with("OMP_PLACES=x", "OMP_PROC_BIND=close"), "CLOSE", "a bad list does not prevent binding");
	is_int(complaints(), 1, "and is complained about");
	is_str(places_with("OMP_PLACES=x", NULL), "no places", "but does not ask for it");
	is_str(places_with("OMP_PLACES=x", affinity), "TRUE", "the other list is taken instead");
}

static void display(void)
{
	ok(read_env("OMP_DISPLAY_ENV=true", NULL) && shown("OMP_NUM_THREADS") && !shown("GOMP_SPINCOUNT"),
		"OMP_DISPLAY_ENV=true shows OpenMP's variables");
	ok(strstr(said, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n") == said, "between a first line");
	ok(strstr(said, "'\nOPENMP DISPLAY ENVIRONMENT END\n"), "and a last");
	ok(read_env("OMP_DISPLAY_ENV=verbose", NULL) && shown("GOMP_SPINCOUNT"),
		"OMP_DISPLAY_ENV=verbose shows the others, too");
	read_env("OMP_DISPLAY_ENV=false", NULL);
	is_str(said, "", "OMP_DISPLAY_ENV=false shows nothing");
	read_env("OMP_DISPLAY_ENV=1", NULL);
	ok(complaints() == 1 && !shown("OMP_NUM_THREADS"), "OMP_DISPLAY_ENV=1 is bad");

	char longest[4096];
	memset(longest, 'x', sizeof(longest));
	memcpy(longest, "OMP_AFFINITY_FORMAT=", strlen("OMP_AFFINITY_FORMAT="));
	longest[sizeof(longest) - 1] = '\0';
	read_env("OMP_DISPLAY_ENV=true", longest);
	ok(strstr(said, strchr(longest, '=') + 1) && strstr(said, "ENVIRONMENT END\n"),
		"a long value is shown in full");
}

static void memory_runs_out(void)
{
	static const char *const assignments[] = {
		"OMP_DISPLAY_ENV=true", "OMP_PLACES=threads", "OMP_AFFINITY_FORMAT=x", "OMP_NUM_THREADS=3,4", NULL,
	};
	unsigned bad = 0;

	for (unsigned n = 0; n < 11; n++) {
		bool fine = read_with(assignments, n);
		bad += !fine || icv->nthreads != 3 || !strstr(said, "ENVIRONMENT END\n");
		bad += icv->bind == QOMP_BIND_TRUE && strlen(shown("OMP_PLACES")) == 0;
	}
	is_int(bad, 0, "out of memory: what needs none is read, and the rest is as if it were not given");
}

int main(void)
{
	settings = mmap(NULL, sizeof(*settings), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	icv = mmap(NULL, sizeof(*icv), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	forget_environment();
	setenv("QT_CPU_QUOTA", "no", 1);        /* of whoever runs this */
	plan(484);
	threads();
	schedules();
	sizes();
	words();
	defaults();
	levels();
	binding();
	display();
	memory_runs_out();
	return done();
}
