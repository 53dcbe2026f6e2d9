/* test/unit/env.c -- the table of QT_* settings, and what it makes of an environment.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/env.h"
#include "base/setting_text.h"
#include "tap.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char said[16384];                /* on stderr, during the last reading */

static struct qti_env read_env(void)
{
	struct qti_env env;
	int file = memfd_create("stderr", 0), kept = dup(STDERR_FILENO);

	memset(&env, 0x5a, sizeof(env));
	dup2(file, STDERR_FILENO);
	qti_env_read(&env);
	dup2(kept, STDERR_FILENO);
	ssize_t n = pread(file, said, sizeof(said) - 1, 0);
	said[n < 0 ? 0 : n] = '\0';
	close(file);
	close(kept);
	return env;
}

static struct qti_env with(const char *name, const char *value)
{
	setenv(name, value, 1);
	struct qti_env env = read_env();
	unsetenv(name);
	return env;
}

static unsigned lines(void)
{
	unsigned n = 0;

	for (const char *c = said; *c; c++)
		n += *c == '\n';
	return n;
}

static void table_is_complete(void)
{
	unsigned bad = 0;
	const struct qti_setting_desc *t = qti_settings;

	for (unsigned i = 0; i < QTI_NSETTINGS; i++) {
		bool number = t[i].kind == QTI_KIND_COUNT || t[i].kind == QTI_KIND_SIZE;
		bool fine = t[i].name && t[i].help && strlen(t[i].help) > 20 && t[i].help[strlen(t[i].help) - 1] == '.';

		for (const char *c = t[i].name; fine && *c; c++)
			fine = isupper((unsigned char)*c) || *c == '_';
		for (unsigned j = 0; fine && j < i; j++)
			fine = strcmp(t[i].name, t[j].name) != 0 && t[i].offset != t[j].offset;
		if (number && (t[i].initial > t[i].max || (t[i].initial && t[i].initial < t[i].min) || t[i].max == 0))
			fine = false;
		if (!fine)
			diag("row %u: %s", i, t[i].name ? t[i].name : "no name");
		bad += !fine;
	}
	is_int(bad, 0, "each row has a name and a field of its own, a help sentence and a default within its range");
}

static void defaults(void)
{
	struct qti_env e = read_env();

	is_str(said, "", "an empty environment is nothing to talk about");
	ok(!e.scheduler && e.num_shepherds == 0 && e.workers_per_shepherd == 0 && e.hwpar == 0,
		"the shape is left to the machine");
	ok(e.shepherd_boundary == QTI_LEVEL_UNSET && e.worker_unit == QTI_LEVEL_PU && !e.affinity,
		"boundary is the scheduler's, the unit a PU, no worker is bound");
	ok(e.stack_size == QTI_STACK_SIZE && e.guard_pages == QTI_GUARD_PAGES && e.argcopy_size == 1024 &&
		e.tasklocal_size == 8 && e.max_pool_alloc == SIZE_MAX, "memory settings have their defaults");
	ok(e.spin_us == 50 && e.inline_join && !e.task_constraint && e.steal_chunk == 0 && e.private_tasks == 128, "so have the schedulers'");
	ok(e.max_io_workers == 10 && e.io_timeout == 1000, "ten threads for blocking calls, idle for a millisecond");
	ok(e.info == 0 && !e.stats, "nothing is printed unless asked for");
}

static void look_up_order(void)
{
	setenv("QT_HWPAR", "3", 1);
	setenv("QTHREAD_HWPAR", "5", 1);
	is_int(read_env().hwpar, 3, "QT_ comes before QTHREAD_");
	setenv("QT_HWPAR", "", 1);
	is_int(read_env().hwpar, 5, "an empty variable counts as unset");
	unsetenv("QT_HWPAR");
	is_int(read_env().hwpar, 5, "QTHREAD_ alone is enough");
	setenv("QTHREAD_HWPAR", "7", 1);
	is_int(read_env().hwpar, 7, "each reading looks afresh");
	unsetenv("QTHREAD_HWPAR");
	is_str(with("QT_SCHEDULER", "mts").scheduler, "mts", "text is taken as it is");
}

static void good_values(void)
{
	static const struct {
		const char *value;
		size_t want;
	} sizes[] = {
		{ "65536", 65536 }, { "0x10000", 65536 }, { "0200000", 65536 }, { "64K", 65536 }, { "64k", 65536 },
		{ "1M", 1 << 20 }, { "1G", 1 << 30 }, { " 8192 ", 8192 },
	};

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		is_int(with("QT_STACK_SIZE", sizes[i].value).stack_size, sizes[i].want, "STACK_SIZE=\"%s\"",
			sizes[i].value);
		is_str(said, "", "  without a word");
	}
	is_int(with("QT_ARGCOPY_SIZE", "0").argcopy_size, 0, "0 copies no argument into the record");
	is_int(with("QT_MAX_POOL_ALLOC_SIZE", "0").max_pool_alloc, 0, "0 is the smallest cap, not none");
	is_int(with("QT_PRIVATE_TASKS", "0").private_tasks, 0, "0 private tasks give the exact order");
	is_int(with("QT_SPIN_US", "0").spin_us, 0, "0 microseconds do not spin");
	is_int(with("QT_NUM_SHEPHERDS", "0").num_shepherds, 0, "0 shepherds leave it to the machine");
	with("QT_SPINCOUNT", "300000");
	is_str(said, "", "SPINCOUNT is accepted");
}

static void yes_and_no(void)
{
	static const char *const yes[] = { "yes", "TRUE", "On", "1" };
	static const char *const no[] = { "no", "False", "OFF", "0" };
	unsigned right = 0;

	for (unsigned i = 0; i < 4; i++)
		right += with("QT_STATS", yes[i]).stats && with("QT_AFFINITY", yes[i]).affinity &&
			!*said;
	is_int(right, 4, "four ways to say yes");
	right = 0;
	for (unsigned i = 0; i < 4; i++)
		right += !with("QT_INLINE_JOIN", no[i]).inline_join &&
			!with("QT_AFFINITY", no[i]).affinity && !*said;
	is_int(right, 4, "four ways to say no");
}

static void levels(void)
{
	static const struct {
		const char *text;
		enum qti_level want;
	} names[] = {
		{ "pu", QTI_LEVEL_PU },
		{ "P", QTI_LEVEL_PU },
		{ "core", QTI_LEVEL_CORE },
		{ "Co", QTI_LEVEL_CORE },
		{ "L1cache", QTI_LEVEL_L1 },
		{ "l2", QTI_LEVEL_L2 },
		{ "L3Cache", QTI_LEVEL_L3 },
		{ "l3c", QTI_LEVEL_L3 },
		{ "L4cache", QTI_LEVEL_L4 },
		{ "cache", QTI_LEVEL_L3 },
		{ "ca", QTI_LEVEL_L3 },
		{ "chip", QTI_LEVEL_CHIP },
		{ "node", QTI_LEVEL_NUMA },
		{ "NUMA", QTI_LEVEL_NUMA },
		{ "n", QTI_LEVEL_NUMA },
		{ "socket", QTI_LEVEL_SOCKET },
		{ "s", QTI_LEVEL_SOCKET },
		{ "machine", QTI_LEVEL_MACHINE },
		{ "c", QTI_LEVEL_UNSET },
		{ "l", QTI_LEVEL_UNSET },
		{ "", QTI_LEVEL_UNSET },
		{ "cores", QTI_LEVEL_UNSET },
		{ "l5", QTI_LEVEL_UNSET },
	};
	unsigned n = sizeof(names) / sizeof(names[0]), right = 0;

	for (unsigned i = 0; i < n; i++) {
		bool fine = qti_level_parse(names[i].text) == names[i].want;

		if (!fine)
			diag("\"%s\" is taken for %s", names[i].text, qti_level_name(qti_level_parse(names[i].text)));
		right += fine;
	}
	is_int(right, n, "levels go by name, whatever the case, and by unambiguous prefixes");
	is_int(with("QT_SHEPHERD_BOUNDARY", "Socket").shepherd_boundary, QTI_LEVEL_SOCKET, "the boundary is a level");
	is_int(with("QTHREAD_WORKER_UNIT", "core").worker_unit, QTI_LEVEL_CORE, "the unit is a level");
}

static void choices(void)
{
	is_int(with("QT_STEAL", "HALF").steal, QTI_STEAL_HALF, "a choice goes by its word, whatever the case");
	is_int(with("QTHREAD_STEAL", "one ").steal, QTI_STEAL_ONE, "blanks may follow");
	is_int(with("QT_VICTIM", "random").victim, QTI_VICTIM_RANDOM, "another one has other words");
	is_int(with("QT_STEAL", "").steal, QTI_STEAL_UNSET, "an empty one is unset");
}

static void shares(void)
{
	static const struct {
		const char *value;
		unsigned want;
	} shares[] = {
		{ "0", 0 }, { "1", 1000000 }, { "0.5", 500000 }, { ".25", 250000 }, { " 1. ", 1000000 }, { "+0.03", 30000 },
		{ "1e-3", 1000 }, { "2.5E-1", 250000 }, { "0.0001e+4", 1000000 }, { "500000e-6", 500000 }, { "-0", 0 },
		{ "1e-99999999999999999999", 0 }, { "0e99999999999999999999", 0 },
	};

	for (unsigned i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		is_int(with("QT_P_LOCAL", shares[i].value).p_local, shares[i].want, "P_LOCAL=\"%s\"", shares[i].value);
	is_str(said, "", "  without a word");
}

#define TEXT(n) #n
#define TEXT_OF(n) TEXT(n)
#define STACK_SIZE TEXT_OF(QTI_STACK_SIZE)

static void bad_values(void)
{
	static const struct {
		const char *name, *value, *line;
	} bad[] = {
		{ "QT_STACK_SIZE", "abc",
			"not a size; allowed: 8192 to 1073741824 bytes (K, M, G suffixes); using " STACK_SIZE },
		{ "QT_STACK_SIZE", "0",
			"out of range; allowed: 8192 to 1073741824 bytes (K, M, G suffixes); using " STACK_SIZE },
		{ "QT_TASKLOCAL_SIZE", "0", "out of range; allowed: 1 to 1048576 bytes (K, M, G suffixes); using 8" },
		{ "QT_IO_TIMEOUT", "0", "out of range; allowed: 1 to 4294967295; using 1000" },
		{ "QT_TRACE_SIZE", "0",
			"out of range; allowed: 196608 to 68719476736 bytes (K, M, G suffixes); using 25165824" },
		{ "QT_STACK_SIZE", "4096",
			"out of range; allowed: 8192 to 1073741824 bytes (K, M, G suffixes); using " STACK_SIZE },
		{ "QTHREAD_STACK_SIZE", "2G",
			"out of range; allowed: 8192 to 1073741824 bytes (K, M, G suffixes); using " STACK_SIZE },
		{ "QT_STACK_SIZE", "99999999999999999999",
			"out of range; allowed: 8192 to 1073741824 bytes (K, M, G suffixes); using " STACK_SIZE },
		{ "QT_STACK_SIZE", "17179869184G",
			"out of range; allowed: 8192 to 1073741824 bytes (K, M, G suffixes); using " STACK_SIZE },
		{ "QT_STACK_SIZE", "64KB",
			"not a size; allowed: 8192 to 1073741824 bytes (K, M, G suffixes); using " STACK_SIZE },
		{ "QT_STACK_SIZE", "-65536",
			"out of range; allowed: 8192 to 1073741824 bytes (K, M, G suffixes); using " STACK_SIZE },
		{ "QT_PRIVATE_TASKS", "-1", "out of range; allowed: 0 to 4096; using 128" },
		{ "QT_PRIVATE_TASKS", "-", "not a number; allowed: 0 to 4096; using 128" },
		{ "QT_PRIVATE_TASKS", "5000", "out of range; allowed: 0 to 4096; using 128" },
		{ "QT_PRIVATE_TASKS", "64K", "not a number; allowed: 0 to 4096; using 128" },
		{ "QT_PRIVATE_TASKS", "09", "not a number; allowed: 0 to 4096; using 128" },
		{ "QT_PRIVATE_TASKS", "1 2", "not a number; allowed: 0 to 4096; using 128" },
		{ "QT_HWPAR", "many",
			"not a number; allowed: 0 to 4096; using as many as there are CPUs that the affinity "
			"mask and the CPU quota allow" },
		{ "QT_GUARD_PAGES", "maybe",
			"neither yes nor no; allowed: yes, no, true, false, on, off, 1 or 0; using "
			"yes" },
		{ "QT_STATS", "2",
			"neither yes nor no; allowed: yes, no, true, false, on, off, 1 or 0; using no" },
		{ "QT_QUEUE", "0", "out of range; allowed: 4 to 4096; using 24" },
		{ "QT_QUEUE", "4097", "out of range; allowed: 4 to 4096; using 24" },
		{ "QT_N_STEAL", "0", "out of range; allowed: 1 to 65536; using 1" },
		{ "QT_N_VICTIM", "0", "out of range; allowed: 1 to 4096; using 8" },
		{ "QT_T_INTERVAL", "0", "out of range; allowed: 1 to 1000000000; using 1000" },
		{ "QT_P_LOCAL", "-0.1", "out of range; allowed: 0 to 1; using 1" },
		{ "QT_P_LOCAL", "1.0000001", "out of range; allowed: 0 to 1; using 1" },
		{ "QT_P_LOCAL", "99999999999999999999", "out of range; allowed: 0 to 1; using 1" },
		{ "QT_P_LOCAL", "0.5.5", "not a number; allowed: 0 to 1; using 1" },
		{ "QT_P_LOCAL", "1e1", "out of range; allowed: 0 to 1; using 1" },
		{ "QT_P_LOCAL", "1e99999999999999999999", "out of range; allowed: 0 to 1; using 1" },
		{ "QT_P_LOCAL", "-1e-9", "out of range; allowed: 0 to 1; using 1" },
		{ "QT_P_LOCAL", "1e", "not a number; allowed: 0 to 1; using 1" },
		{ "QT_P_LOCAL", "1e- 3", "not a number; allowed: 0 to 1; using 1" },
		{ "QT_P_LOCAL", "e-3", "not a number; allowed: 0 to 1; using 1" },
		{ "QT_P_LOCAL", "0,5", "not a number; allowed: 0 to 1; using 1" },
		{ "QT_P_LOCAL", "-", "not a number; allowed: 0 to 1; using 1" },
		{ "QT_STEAL", "foo", "no such choice; allowed: one, chunk, half; using chunk under mts, one under cq and ws" },
		{ "QT_STEAL", "hal", "no such choice; allowed: one, chunk, half; using chunk under mts, one under cq and ws" },
		{ "QT_VICTIM", "nearest", "no such choice; allowed: near, random; using near" },
		{ "QT_WORKER_UNIT", "c",
			"not a level of the hardware, or short for several; allowed: pu, core, l1, l2, l3, "
			"l4, cache, chip, numa, node, socket, machine; using pu" },
	};
	struct qti_env want = read_env();

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char line[512], shown[2][64];
		struct qti_env got = with(bad[i].name, bad[i].value);

		snprintf(line, sizeof(line), "libqthread: %s=%s: %s\n", bad[i].name, bad[i].value, bad[i].line);
		if (QTI_GUARD_PAGES == 0 && strcmp(bad[i].name, "QT_GUARD_PAGES") == 0)
			strcpy(strstr(line, "using yes"), "using no\n");
		is_str(said, line, "%s=%s is one clear line", bad[i].name, bad[i].value);
		bool same = true;
		for (unsigned k = 0; k < QTI_NSETTINGS; k++) {
			qti_setting_show(&want, (enum qti_setting)k, shown[0], sizeof(shown[0]));
			qti_setting_show(&got, (enum qti_setting)k, shown[1], sizeof(shown[1]));
			same = same && strcmp(shown[0], shown[1]) == 0;
		}
		ok(same, "  and every setting has its default");
	}
	with("QT_HWPAR", "1\n2\033[0m and so on, and so on, and so on, and so on, and so on, and so on");
	ok(lines() == 1 && !strchr(said, '\033') && strlen(said) < 300,
		"a value with control characters stays one line");
}

static void misspellings(void)
{
	static const struct {
		const char *name, *meant;
	} wrong[] = {
		{ "QT_STACKSIZE", "QT_STACK_SIZE" },
		{ "QT_HWPARR", "QT_HWPAR" },
		{ "QTHREAD_SHEDULER", "QTHREAD_SCHEDULER" },
		{ "QT_AFFINTIY", "QT_AFFINITY" },
		{ "QT_stats", "QT_STATS" },
		{ "QT_NUM_SHEPERD", "QT_NUM_SHEPHERDS" },
		{ "QTHREAD_GUARDPAGE", "QTHREAD_GUARD_PAGES" },
	};
	static const char *const others[] = {
		"QT_QPA_PLATFORM",
		"QT_SCALE_FACTOR",
		"QT_PLUGIN_PATH",
		"QT_DEBUG_PLUGINS",
		"QT_LOGGING_RULES",
		"QT_IM_MODULE",
		"QT_STYLE_OVERRIDE",
		"QT_ACCESSIBILITY",
		"QT_XCB_GL_INTEGRATION",
		"QT_VERSION",
		"QT_SELECT",
		"QT_FONT_DPI",
		"QT_LAYOUT",
		"QT_STEAL_RATIO",
		"QT_MAX_IO_WORKERS",
		"QT_IO_TIMEOUT",
		"QT_CONDWAIT_BACKOFF",
		"QT_",
		"QTHREAD_",
		"QT_A_NAME_THAT_IS_LONGER_THAN_ANY_SETTING_OF_OURS",
		"STACK_SIZ",
		"QTHREADS_HWPAR",
		"QT_INIT",
		"QT_HWP",
		"QT_STACK",
	};

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		with(wrong[i].name, "1");
		ok(lines() == 1 && strstr(said, wrong[i].name) && strstr(said, wrong[i].meant), "%s: did you mean %s?",
			wrong[i].name, wrong[i].meant);
	}
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		setenv(others[i], "1", 1);
	read_env();
	is_str(said, "", "other software's QT_ variables are passed over in silence");
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		unsetenv(others[i]);
}

/* Of Qthreads 1.10 to 1.23. */
static void settings_of_qthreads(void)
{
	static const char *const names[] = {
		"QT_STEAL_RATIO", "QTHREAD_CONDWAIT_BACKOFF", "QT_LAYOUT", "QT_DEBUG_LEVEL", "QT_BIAS_PENALTY",
		"QT_STEAL_CHUNKSIZE", "QT_TOPO_OUTPUT_LEVEL", "QT_RCRTOOL_LEVEL", "QT_RCRTOOL_LOG_LEVEL", "QT_MULTINODE",
		"QT_PORTALS_MAX_MSG_SIZE", "QT_PORTALS_RECV_BLOCKS", "QT_PORTALS_RECV_BLOCK_SIZE",
	};
	enum { NAMES = sizeof(names) / sizeof(names[0]) };
	bool right = true;

	for (int i = 0; i < NAMES; i++)
		setenv(names[i], "1", 1);
	read_env();
	is_str(said, "", "settings of Qthreads alone are passed over in silence");
	with("QT_INFO", "1");
	for (int i = 0; i < NAMES; i++) {
		right = right && strstr(said, names[i]);
		unsetenv(names[i]);
	}
	ok(right && lines() == NAMES && strstr(said, "QTHREAD_CONDWAIT_BACKOFF is a setting of Qthreads and has no effect"),
		"with QT_INFO each is said to have no effect");
}

static void info(void)
{
	is_int(with("QT_INFO", "0").info, 0, "QT_INFO=0 is off");
	is_str(said, "", "  and prints nothing");
	is_int(with("QT_INFO", "1").info, 1, "QT_INFO=1 is left to the runtime");
	is_str(said, "", "  and prints no settings");
	setenv("QTHREAD_STACK_SIZE", "64K", 1);
	with("QT_INFO", "2");
	unsetenv("QTHREAD_STACK_SIZE");
	is_int(lines(), QTI_NSETTINGS, "QT_INFO=2 prints a line for each setting");
	ok(strstr(said, "QTHREAD_STACK_SIZE = 65536 (environment)\n") != NULL, "  with its value and where it is from");
	ok(strstr(said, "QT_PRIVATE_TASKS = 128 (default)\n") != NULL, "  or that it is the default");
	ok(strstr(said, "QT_MAX_POOL_ALLOC_SIZE = unlimited (default)\n") != NULL,
		"  in words where the number tells little");
}

int main(void)
{
	clearenv();
	plan(1 + 7 + 5 + 22 + 2 + 3 + 4 + 14 + 83 + 8 + 8 + 2);
	table_is_complete();
	defaults();
	look_up_order();
	good_values();
	yes_and_no();
	levels();
	choices();
	shares();
	bad_values();
	misspellings();
	info();
	settings_of_qthreads();
	return done();
}
