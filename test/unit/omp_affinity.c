/* test/unit/omp_affinity.c -- the text that says where a thread runs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/env/affinity.h"

#include "machine/topo.h"
#include "omp/abi/api_affinity.h"
#include "omp/env/text.h"
#include "fault.h"
#include "process.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Thread 3 of 4, in a region that thread 1 met in the second level of team 2 of 5. */
static struct qomp_whereabouts at = {
	.team_num = 2, .num_teams = 5, .level = 2, .thread_num = 3, .num_threads = 4, .ancestor = 1,
};

static const char *text_of(const char *format)
{
	static char text[1024];
	struct qomp_text out = { text, sizeof(text), 0 };

	text[0] = '\0';
	qomp_affinity_expand(&out, format, &at);
	return out.used == strlen(text) ? text : "its length is wrong";
}

static const char *number(long n)
{
	static char text[32];

	snprintf(text, sizeof(text), "%ld", n);
	return text;
}

static void fields(void)
{
	static const struct {
		const char *format, *want;
	} examples[] = {
		{ "%t %T %L %n %N %a", "2 5 2 3 4 1" },
		{ "%{team_num} %{num_teams} %{nesting_level} %{thread_num} %{num_threads} %{ancestor_tnum}",
			"2 5 2 3 4 1" },
		{ "plain", "plain" }, { "100%%", "100%" }, { "%n%N", "34" },
		/* widths */
		{ "<%5n>", "<3    >" }, { "<%.5n>", "<    3>" }, { "<%0.5n>", "<00003>" }, { "<%1n>", "<3>" },
		{ "<%.n>", "<3>" }, { "<%5{thread_num}>", "<3    >" }, { "<%05n>", "<3    >" },
		/* unknown and incomplete */
		{ "%x", "undefined" }, { "%{foo}", "undefined" }, { "<%.12x>", "<   undefined>" },
		{ "<%12x>", "<undefined   >" }, { "%", "%" }, { "a%", "a%" }, { "%5", "%5" }, { "%.", "%." },
		{ "%-5n", "%-5n" }, { "%{thread_num", "%{thread_num" }, { "%5%", "%5%" }, { "%{}", "undefined" },
		{ "%99999999999999999999n", "%99999999999999999999n" }, { "% n", "% n" },
	};

	for (unsigned i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
		is_str(text_of(examples[i].format), examples[i].want, "\"%s\"", examples[i].format);
	is_str(text_of("%P"), number(getpid()), "%%P is the process");
	is_str(text_of("%i"), number(syscall(SYS_gettid)), "%%i is the thread, as the system knows it");
	at.ancestor = -1;
	is_str(text_of("%a|%0.4a"), "-1|-001", "%%a is -1 outside of all regions");
	at.ancestor = 1;
}

static void host(void)
{
	char name[256] = "";

	gethostname(name, sizeof(name) - 1);
	is_str(text_of("%H"), name, "%%H is the machine");
	is_str(text_of("%{host}"), name, "so is %%{host}");
}

static void bind_to(const struct qti_affinity *a)
{
	syscall(SYS_sched_setaffinity, 0, sizeof(a->bits), a->bits);
}

static void cpus(void)
{
	struct qti_affinity own, one = { .valid = true };
	unsigned cpu = 0;

	qti_affinity_save(&own);
	while (!qti_affinity_has(&own, cpu))
		cpu++;
	one.bits[cpu / 64] = (uint64_t)1 << (cpu % 64);
	is_str(text_of("%.2000A"), "its length is wrong", "a width may be more than there is room for");
	if (!process_can_bind()) {
		skip(2, "threads may not be bound here");
		return;
	}
	bind_to(&one);
	is_str(text_of("%A"), number(cpu), "%%A is the CPU that the thread is bound to");
	is_str(text_of("%{thread_affinity}"), number(cpu), "so is %%{thread_affinity}");
	bind_to(&own);
}

static void formats(void)
{
	char buffer[64];
	const char *usual = "level %L thread %i affinity %A";

	is_int(omp_get_affinity_format(buffer, sizeof(buffer)), strlen(usual), "omp_get_affinity_format: the length");
	is_str(buffer, usual, "omp_get_affinity_format: and the default");
	is_int(omp_get_affinity_format(NULL, 0), strlen(usual),
		"omp_get_affinity_format: without a buffer, only the length");
	is_int(omp_get_affinity_format(buffer, 6), strlen(usual), "omp_get_affinity_format: the length of all");
	is_str(buffer, "level", "omp_get_affinity_format: what fits");
	buffer[0] = 'x';
	omp_get_affinity_format(buffer, 0);
	is_int(buffer[0], 'x', "omp_get_affinity_format: writes nothing into no room");
	omp_set_affinity_format("<%n of %N>");
	is_str(text_of(NULL), "<3 of 4>", "omp_set_affinity_format: is used where none is given");
	is_str(text_of(""), "<3 of 4>", "omp_set_affinity_format: or an empty one");
	is_str(text_of("%N"), "4", "omp_set_affinity_format: and not where one is");
	omp_set_affinity_format(NULL);
	is_str(text_of(NULL), "", "omp_set_affinity_format: NULL is empty");
}

static void fortran(void)
{
	char buffer[9] = "--------";

	omp_set_affinity_format_("%n/%N   ", 8);
	is_str(text_of(NULL), "3/4", "omp_set_affinity_format_: blanks at the end do not count");
	is_int(omp_get_affinity_format_(buffer, 7), 5, "omp_get_affinity_format_: the length");
	is_str(buffer, "%n/%N  -", "omp_get_affinity_format_: filled up with blanks, and no end");
	is_int(omp_get_affinity_format_(buffer, 2), 5, "omp_get_affinity_format_: too short");
	is_str(buffer, "%n/%N  -", "omp_get_affinity_format_: gets the beginning");
	is_int(omp_capture_affinity_(buffer, "%n %N%%  xx", 8, 8), 4, "omp_capture_affinity_: the length");
	is_str(buffer, "0 1%    ", "omp_capture_affinity_: of the caller, filled up with blanks");
}

static void display(void)
{
	static char said[2048];
	int file = memfd_create("stderr", 0), kept = dup(STDERR_FILENO);

	dup2(file, STDERR_FILENO);
	omp_display_affinity("%n|%0.700N");
	omp_display_affinity_("%L  ", 4);
	dup2(kept, STDERR_FILENO);
	ssize_t n = pread(file, said, sizeof(said) - 1, 0);
	ok(n == 2 + 700 + 1 + 2 && strncmp(said, "0|000", 5) == 0 && strcmp(said + 700, "01\n0\n") == 0,
		"omp_display_affinity: each a line, as long as it has to be");
	close(file);
	close(kept);
}

static void memory_runs_out(void)
{
	fault_after(0);
	ok(!qomp_affinity_format_set("other", 5), "out of memory: a format cannot be set");
	fault_end();
	is_str(text_of(NULL), "3/4", "out of memory: and stays as it was");
}

int main(void)
{
	qti_mem_fault = fault;
	plan(54);
	fields();
	host();
	cpus();
	formats();
	fortran();
	display();
	memory_runs_out();
	return done();
}
