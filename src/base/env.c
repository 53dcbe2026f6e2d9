/* base/env.c -- see base/env.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/env.h"

#include "base/diag.h"
#include "base/tuning.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <unistd.h>

#define FIELD(name) offsetof(struct qti_env, name)

enum { COUNT_MAX = 4096, NAME_MAX_LEN = 32 };

static const size_t MiB = 1024 * 1024;

static const struct qti_setting_desc table[QTI_NSETTINGS] = {
	[QTI_SET_SCHEDULER] = {
		.name = "SCHEDULER", .kind = QTI_KIND_TEXT, .offset = FIELD(scheduler), .unset = "chosen by configure",
		.help = "The scheduler: q, l, cq, ws, mts, xq, bq, na-rp or na-ws.",
	},
	[QTI_SET_NUM_SHEPHERDS] = {
		.name = "NUM_SHEPHERDS", .kind = QTI_KIND_COUNT, .offset = FIELD(num_shepherds), .max = COUNT_MAX,
		.unset = "one for each QT_SHEPHERD_BOUNDARY of the machine",
		.help = "Number of shepherds; 0 leaves it to the machine.",
	},
	[QTI_SET_NUM_WORKERS_PER_SHEPHERD] = {
		.name = "NUM_WORKERS_PER_SHEPHERD", .kind = QTI_KIND_COUNT, .offset = FIELD(workers_per_shepherd),
		.max = COUNT_MAX, .unset = "one for each QT_WORKER_UNIT of the shepherd",
		.help = "Number of workers in each shepherd; 0 leaves it to the machine.",
	},
	[QTI_SET_HWPAR] = {
		.name = "HWPAR", .kind = QTI_KIND_COUNT, .offset = FIELD(hwpar), .max = COUNT_MAX,
		.unset = "as many as there are CPUs that the affinity mask and the CPU quota allow",
		.help = "Number of workers in all; overrides the product of the two counts above, 0 does not.",
	},
	[QTI_SET_SHEPHERD_BOUNDARY] = {
		.name = "SHEPHERD_BOUNDARY", .kind = QTI_KIND_LEVEL, .offset = FIELD(shepherd_boundary),
		.initial = QTI_LEVEL_UNSET, .unset = "chosen by the scheduler",
		.help = "The level of the hardware whose CPUs form one shepherd.",
	},
	[QTI_SET_WORKER_UNIT] = {
		.name = "WORKER_UNIT", .kind = QTI_KIND_LEVEL, .offset = FIELD(worker_unit), .initial = QTI_LEVEL_PU,
		.help = "The level of the hardware that gets one worker; core leaves second hardware threads free.",
	},
	[QTI_SET_AFFINITY] = {
		.name = "AFFINITY", .kind = QTI_KIND_BINDING, .offset = FIELD(affinity), .initial = QTI_BIND_AUTO,
		.unset = "yes, unless there is a single worker, a CPU quota, or more workers than CPUs",
		.help = "Whether each worker is bound to a CPU of its own.",
	},
	[QTI_SET_CPU_QUOTA] = {
		.name = "CPU_QUOTA", .kind = QTI_KIND_BOOL, .offset = FIELD(cpu_quota), .initial = 1,
		.help = "Whether the CPU quota of the process's control groups counts like a number of CPUs.",
	},
	[QTI_SET_STACK_SIZE] = {
		.name = "STACK_SIZE", .delicate = true, .kind = QTI_KIND_SIZE, .offset = FIELD(stack_size),
		.initial = 32768, .min = 8192, .max = 1024 * MiB,
		.help = "Bytes of stack for a task, rounded up to pages.",
	},
	[QTI_SET_GUARD_PAGES] = {
		.name = "GUARD_PAGES", .delicate = true, .kind = QTI_KIND_BOOL, .offset = FIELD(guard_pages),
		.initial = QTI_GUARD_PAGES,
		.help = "Whether an inaccessible page under each stack turns an overflow into a report.",
	},
	[QTI_SET_ARGCOPY_SIZE] = {
		.name = "ARGCOPY_SIZE", .kind = QTI_KIND_SIZE, .offset = FIELD(argcopy_size), .initial = 1024,
		.max = MiB, .zero = true,
		.help = "Bytes of the largest argument copy whose memory is pooled; larger ones are allocated singly.",
	},
	[QTI_SET_TASKLOCAL_SIZE] = {
		.name = "TASKLOCAL_SIZE", .kind = QTI_KIND_SIZE, .offset = FIELD(tasklocal_size),
		.initial = sizeof(void *),
		.min = 1, .max = MiB,
		.help = "Bytes of task-local data in each task's own record.",
	},
	[QTI_SET_MAX_POOL_ALLOC_SIZE] = {
		.name = "MAX_POOL_ALLOC_SIZE", .kind = QTI_KIND_SIZE, .offset = FIELD(max_pool_alloc),
		.initial = SIZE_MAX,
		.max = SIZE_MAX, .zero = true, .unset = "unlimited",
		.help = "Most bytes that a pool of tasks or stacks takes from the system at a time; two always fit.",
	},
	[QTI_SET_SPIN_US] = {
		.name = "SPIN_US", .kind = QTI_KIND_COUNT, .offset = FIELD(spin_us), .initial = 50, .max = 1000000,
		.zero = true,
		.help = "Microseconds that an idle worker looks for work before it sleeps, and a waiting thread that is "
			"no worker twice as long at most; 0 if there are more workers than CPUs.",
	},
	[QTI_SET_INLINE_JOIN] = {
		.name = "INLINE_JOIN", .kind = QTI_KIND_BOOL, .offset = FIELD(inline_join), .initial = 1,
		.help = "Whether a task that reads the return word of one that has not started runs it itself, and a "
			"library's task may run in place of being queued.",
	},
	[QTI_SET_TASK_CONSTRAINT] = {
		.name = "TASK_CONSTRAINT", .kind = QTI_KIND_BOOL, .offset = FIELD(task_constraint),
		.help = "Whether a thread of a team whose task waits begins children of that task alone, at the price of a queue "
			"that the team shares.",
	},
	[QTI_SET_BARRIER] = {
		.name = "BARRIER", .kind = QTI_KIND_CHOICE, .words = "auto, central, tree", .offset = FIELD(barrier),
		.initial = QTI_BARRIER_AUTO,
		.help = "Whether the threads of an OpenMP team meet at one place at a barrier or along a tree; auto chooses by "
			"their number and that of CPUs.",
	},
	[QTI_SET_NESTED] = {
		.name = "NESTED", .kind = QTI_KIND_CHOICE, .words = "bubbles, flat", .offset = FIELD(nested),
		.initial = QTI_NESTED_BUBBLES,
		.help = "Whether the threads of an OpenMP region within another wait together, as one bubble, for workers out of "
			"work, or each has its worker from the beginning.",
	},
	[QTI_SET_STEAL] = {
		.name = "STEAL", .kind = QTI_KIND_CHOICE, .words = "one, chunk, half", .offset = FIELD(steal),
		.unset = "chunk under mts, one under cq and ws",
		.help = "How many tasks a thief takes at once under cq, ws and mts: one, QT_STEAL_CHUNK, or half of those that "
			"there are.",
	},
	[QTI_SET_STEAL_CHUNK] = {
		.name = "STEAL_CHUNK", .kind = QTI_KIND_COUNT, .offset = FIELD(steal_chunk), .max = TUNE_STEAL_MOST,
		.unset = "the number of workers in the stealing shepherd under mts, else 2",
		.help = "Tasks in a chunk; 0 stands for the default.",
	},
	[QTI_SET_VICTIM] = {
		.name = "VICTIM", .kind = QTI_KIND_CHOICE, .words = "near, random", .offset = FIELD(victim),
		.initial = QTI_VICTIM_NEAR,
		.help = "The victim that a thief looks at first under cq, ws and mts: the nearest, or one at random.",
	},
	[QTI_SET_PRIVATE_TASKS] = {
		.name = "PRIVATE_TASKS", .kind = QTI_KIND_COUNT, .offset = FIELD(private_tasks), .initial = 128,
		.max = COUNT_MAX, .zero = true,
		.help = "Tasks that a worker may keep to itself where queues are shared; 0 gives the exact order.",
	},
	[QTI_SET_RING] = {
		.name = "RING", .kind = QTI_KIND_COUNT, .offset = FIELD(ring), .initial = TUNE_RING, .min = 2, .max = 65536,
		.positive = true,
		.help = "Tasks that a ring of the xq, na-rp and na-ws schedulers holds, rounded up to a power of two.",
	},
	[QTI_SET_QUEUE] = {
		.name = "QUEUE", .kind = QTI_KIND_COUNT, .offset = FIELD(queue), .initial = TUNE_QUEUE, .min = 4, .max = 4096,
		.positive = true,
		.help = "Tasks that a worker's queue under the bq scheduler holds.",
	},
	[QTI_SET_N_VICTIM] = {
		.name = "N_VICTIM", .kind = QTI_KIND_COUNT, .offset = FIELD(n_victim), .initial = TUNE_N_VICTIM,
		.min = 1, .max = COUNT_MAX, .positive = true,
		.help = "Workers that one out of work asks at once, under na-rp and na-ws.",
	},
	[QTI_SET_N_STEAL] = {
		.name = "N_STEAL", .kind = QTI_KIND_COUNT, .offset = FIELD(n_steal), .initial = TUNE_N_STEAL,
		.min = 1, .max = 65536, .positive = true,
		.help = "Tasks that a worker gives to one that asked, at most, under na-rp and na-ws.",
	},
	[QTI_SET_T_INTERVAL] = {
		.name = "T_INTERVAL", .kind = QTI_KIND_COUNT, .offset = FIELD(t_interval), .initial = TUNE_T_INTERVAL,
		.min = 1, .max = 1000000000, .positive = true,
		.help = "Looks for work after which one that asked in vain asks again, under na-rp and na-ws.",
	},
	[QTI_SET_P_LOCAL] = {
		.name = "P_LOCAL", .kind = QTI_KIND_SHARE, .offset = FIELD(p_local), .initial = QTI_SHARE_ONE,
		.help = "Probability that it asks a worker of its own shepherd, under na-rp and na-ws.",
	},
	[QTI_SET_MAX_IO_WORKERS] = {
		.name = "MAX_IO_WORKERS", .kind = QTI_KIND_COUNT, .offset = FIELD(max_io_workers), .initial = 10,
		.max = COUNT_MAX, .zero = true,
		.help = "Most OS threads that carry tasks through blocking calls; 0 counts as 1.",
	},
	[QTI_SET_IO_TIMEOUT] = {
		.name = "IO_TIMEOUT", .kind = QTI_KIND_COUNT, .offset = FIELD(io_timeout), .initial = 1000,
		.min = 1, .max = UINT32_MAX,
		.help = "Microseconds after which such a thread ends if there is nothing to carry.",
	},
	[QTI_SET_INFO] = {
		.name = "INFO", .delicate = true, .kind = QTI_KIND_COUNT, .offset = FIELD(info), .max = 9, .zero = true,
		.help = "1 prints the configuration at start, 2 also every setting; 0 prints nothing.",
	},
	[QTI_SET_STATS] = {
		.name = "STATS", .delicate = true, .kind = QTI_KIND_BOOL, .offset = FIELD(stats), .initial = 0,
		.help = "Whether counts of tasks, steals and sleeps are printed at the end.",
	},
	[QTI_SET_TRACE] = {
		.name = "TRACE", .delicate = true, .kind = QTI_KIND_TEXT, .offset = FIELD(trace), .unset = "none",
		.help = "The file to which what the workers do is recorded: see qthread_trace(3).",
	},
	[QTI_SET_TRACE_SIZE] = {
		.name = "TRACE_SIZE", .delicate = true, .kind = QTI_KIND_SIZE, .offset = FIELD(trace_size),
		.initial = 24 * MiB, .min = 192 * 1024, .max = 64 * 1024 * MiB,
		.help = "Bytes of such a record for each worker: an event takes 24.",
	},
	[QTI_SET_TRACE_WRAP] = {
		.name = "TRACE_WRAP", .kind = QTI_KIND_BOOL, .offset = FIELD(trace_wrap), .initial = 0,
		.help = "Whether a worker whose record is full overwrites its oldest events, and does not stop to record.",
	},
	[QTI_SET_DEADLOCK] = {
		.name = "DEADLOCK", .delicate = true, .kind = QTI_KIND_CHOICE, .words = "report, abort, off, may",
		.offset = FIELD(deadlock), .initial = QTI_DEADLOCK_REPORT,
		.help = "Whether a program in which all tasks wait for each other, or for nobody, says so, ends with that, does "
			"neither, or says so also where a thread of its own might wake one.",
	},
	[QTI_SET_DUMP_SIGNAL] = {
		.name = "DUMP_SIGNAL", .delicate = true, .kind = QTI_KIND_CHOICE, .words = "HUP, QUIT, USR1, USR2, WINCH",
		.offset = FIELD(dump_signal), .unset = "none",
		.help = "The signal at which the program prints which tasks wait, and for what, and goes on.",
	},
	[QTI_SET_SPINCOUNT] = {
		.name = "SPINCOUNT", .kind = QTI_KIND_COUNT, .offset = FIELD(spincount), .max = UINT32_MAX,
		.zero = true,
		.unset = "none",
		.help = "Accepted for programs written for other libraries and without effect: see QT_SPIN_US.",
	},
};

static const struct {
	const char *name;
	enum qti_level level;
} level_names[] = {
	{ "pu", QTI_LEVEL_PU },
	{ "core", QTI_LEVEL_CORE },
	{ "l1", QTI_LEVEL_L1 },
	{ "l2", QTI_LEVEL_L2 },
	{ "l3", QTI_LEVEL_L3 },
	{ "l4", QTI_LEVEL_L4 },
	{ "chip", QTI_LEVEL_CHIP },
	{ "numa", QTI_LEVEL_NUMA },
	{ "socket", QTI_LEVEL_SOCKET },
	{ "machine", QTI_LEVEL_MACHINE },
	/* Other names of the same. */
	{ "l1cache", QTI_LEVEL_L1 },
	{ "l2cache", QTI_LEVEL_L2 },
	{ "l3cache", QTI_LEVEL_L3 },
	{ "l4cache", QTI_LEVEL_L4 },
	{ "cache", QTI_LEVEL_L3 },
	{ "node", QTI_LEVEL_NUMA },
};

enum { NLEVEL_NAMES = sizeof(level_names) / sizeof(level_names[0]) };

#define LEVELS_ALLOWED "pu, core, l1, l2, l3, l4, cache, chip, numa, node, socket, machine"

const struct qti_setting_desc *qti_env_table(unsigned *n)
{
	*n = QTI_NSETTINGS;
	return table;
}

enum qti_level qti_level_parse(const char *text)
{
	enum qti_level found = QTI_LEVEL_UNSET;
	size_t len = strlen(text);

	for (unsigned i = 0; i < NLEVEL_NAMES && len > 0; i++) {
		if (strncasecmp(text, level_names[i].name, len) != 0)
			continue;
		if (level_names[i].name[len] == '\0')
			return level_names[i].level;
		if (found != QTI_LEVEL_UNSET && found != level_names[i].level)
			return QTI_LEVEL_UNSET;
		found = level_names[i].level;
	}
	return found;
}

const char *qti_level_name(enum qti_level level)
{
	for (unsigned i = 0; i < NLEVEL_NAMES; i++)
		if (level_names[i].level == level)
			return level_names[i].name;
	return "unset";
}

/* ---- Looking up ------------------------------------------------------------------------------------------------- */

bool qti_env_trusted(void)
{
	return getauxval(AT_SECURE) == 0;
}

/* The value, NULL if unset; *prefix is what the variable's name begins with. */
static const char *look_up(const struct qti_setting_desc *d, const char **prefix)
{
	static const char *const prefixes[] = { "QT_", "QTHREAD_" };

	for (unsigned i = 0; i < 2 && !(d->delicate && !qti_env_trusted()); i++) {
		char variable[sizeof("QTHREAD_") + NAME_MAX_LEN];

		snprintf(variable, sizeof(variable), "%s%s", prefixes[i], d->name);
		const char *value = getenv(variable);
		if (value && *value) {
			*prefix = prefixes[i];
			return value;
		}
	}
	return NULL;
}

bool qti_env_given(enum qti_setting which)
{
	const char *prefix;

	return look_up(&table[which], &prefix) != NULL;
}

/* ---- Reading one value: NULL if it is fine, else what is wrong with it ------------------------------------------ */

/* Digits in C's notation.  *rest is what follows them. */
static bool parse_digits(const char *text, uint64_t *value, const char **rest, bool *overflow)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	if (!isdigit((unsigned char)*text))             /* strtoull would take a sign */
		return false;
	errno = 0;
	*value = strtoull(text, &end, 0);
	*overflow = errno == ERANGE;
	*rest = end;
	return true;
}

static bool only_spaces(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return *text == '\0';
}

static const char *parse_number(const struct qti_setting_desc *d, const char *text, uint64_t *value)
{
	const char *rest, *suffix, *units = "KMG";
	bool overflow;

	if (!parse_digits(text, value, &rest, &overflow))
		return d->kind == QTI_KIND_SIZE ? "not a size" : "not a number";
	if (d->kind == QTI_KIND_SIZE && *rest && (suffix = strchr(units, toupper((unsigned char)*rest))) != NULL) {
		overflow |= __builtin_mul_overflow(*value, (uint64_t)1 << (10 * (suffix - units + 1)), value);
		rest++;
	}
	if (!only_spaces(rest))
		return d->kind == QTI_KIND_SIZE ? "not a size" : "not a number";
	if (overflow || *value > d->max || (*value < d->min && (*value != 0 || d->positive)))
		return "out of range";
	if (*value == 0 && !d->zero)
		*value = d->initial;
	return NULL;
}

static const char word_ends[] = ", ";

/* The number of the word, 0 if it is none. */
static unsigned parse_choice(const struct qti_setting_desc *d, const char *text)
{
	unsigned n = 1;

	for (const char *word = d->words; *word; word += strspn(word, word_ends), n++) {
		size_t len = strcspn(word, word_ends);
		if (strncasecmp(text, word, len) == 0 && only_spaces(text + len))
			return n;
		word += len;
	}
	return 0;
}

static const char *parse_share(const char *text, uint64_t *value)
{
	uint64_t unit = QTI_SHARE_ONE;
	bool digits = false, finer = false;     /* finer: what the share has no place for, but 1 and that is more than 1 */

	while (isspace((unsigned char)*text))
		text++;
	bool minus = *text == '-';
	text += minus;
	for (*value = 0; isdigit((unsigned char)*text); text++, digits = true)
		if (*value <= QTI_SHARE_ONE)
			*value = 10 * *value + unit * (uint64_t)(*text - '0');
	if (*text == '.')
		for (text++; isdigit((unsigned char)*text); text++, digits = true) {
			*value += (unit /= 10) * (uint64_t)(*text - '0');
			finer = finer || (unit == 0 && *text != '0');
		}
	if (!digits || !only_spaces(text))
		return "not a number";
	return minus || *value + finer > QTI_SHARE_ONE ? "out of range" : NULL;
}

static const char *parse_bool(const char *text, bool *value)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(text, words[i]) == 0) {
			*value = i % 2;
			return NULL;
		}
	return "neither yes nor no";
}

/* ---- The struct's fields by the table --------------------------------------------------------------------------- */

static void env_store(struct qti_env *env, const struct qti_setting_desc *d, uint64_t value)
{
	char *field = (char *)env + d->offset;

	switch (d->kind) {
	case QTI_KIND_TEXT:
		*(const char **)(void *)field = NULL;
		break;
	case QTI_KIND_COUNT:
	case QTI_KIND_CHOICE:
	case QTI_KIND_SHARE:
		*(unsigned *)(void *)field = (unsigned)value;
		break;
	case QTI_KIND_SIZE:
		*(size_t *)(void *)field = (size_t)value;
		break;
	case QTI_KIND_BOOL:
		*(bool *)field = value != 0;
		break;
	case QTI_KIND_BINDING:
		*(enum qti_binding *)(void *)field = (enum qti_binding)value;
		break;
	case QTI_KIND_LEVEL:
		*(enum qti_level *)(void *)field = (enum qti_level)value;
		break;
	}
}

static const char *read_value(struct qti_env *env, const struct qti_setting_desc *d, const char *text)
{
	const char *wrong = NULL;
	uint64_t value = 0;
	bool yes = false;

	switch (d->kind) {
	case QTI_KIND_TEXT:
		*(const char **)(void *)((char *)env + d->offset) = text;
		return NULL;
	case QTI_KIND_COUNT:
	case QTI_KIND_SIZE:
		wrong = parse_number(d, text, &value);
		break;
	case QTI_KIND_SHARE:
		wrong = parse_share(text, &value);
		break;
	case QTI_KIND_BOOL:
		wrong = parse_bool(text, &yes);
		value = yes;
		break;
	case QTI_KIND_BINDING:
		wrong = parse_bool(text, &yes);
		value = yes ? QTI_BIND_YES : QTI_BIND_NO;
		break;
	case QTI_KIND_CHOICE:
		value = parse_choice(d, text);
		wrong = value == 0 ? "no such choice" : NULL;
		break;
	case QTI_KIND_LEVEL:
		value = qti_level_parse(text);
		wrong = value == QTI_LEVEL_UNSET ? "not a level of the hardware, or short for several" : NULL;
		break;
	}
	if (!wrong)
		env_store(env, d, value);
	return wrong;
}

bool qti_env_good(enum qti_setting which)
{
	struct qti_env unused;
	const char *prefix, *text = look_up(&table[which], &prefix);

	return text && !read_value(&unused, &table[which], text);
}

/* ---- Showing ---------------------------------------------------------------------------------------------------- */

/* A copy fit for one line of a message. */
static void printable_copy(const char *value, char *text, size_t size)
{
	size_t n = 0;

	for (; value[n] && n + 1 < size; n++)
		text[n] = isprint((unsigned char)value[n]) ? value[n] : '?';
	text[n] = '\0';
}

static void show_choice(const struct qti_setting_desc *d, unsigned n, char *text, size_t size)
{
	const char *word = n ? d->words : d->unset;

	while (n > 1) {
		word += strcspn(word, word_ends);
		word += strspn(word, word_ends);
		n--;
	}
	snprintf(text, size, "%.*s", word == d->unset ? (int)size : (int)strcspn(word, word_ends), word);
}

/* Without trailing zeroes. */
static void show_share(unsigned share, char *text, size_t size)
{
	unsigned digits = 6;

	for (; digits > 0 && share % 10 == 0; digits--)
		share /= 10;
	if (digits == 0)
		snprintf(text, size, "%u", share);
	else
		snprintf(text, size, "0.%0*u", (int)digits, share);
}

void qti_env_show(const struct qti_env *env, enum qti_setting which, char *text, size_t size)
{
	const struct qti_setting_desc *d = &table[which];
	const char *field = (const char *)env + d->offset;
	const char *value = NULL;
	unsigned long long number = 0;

	switch (d->kind) {
	case QTI_KIND_TEXT:
		value = *(const char *const *)(const void *)field;
		break;
	case QTI_KIND_COUNT:
		number = *(const unsigned *)(const void *)field;
		break;
	case QTI_KIND_SIZE:
		number = *(const size_t *)(const void *)field;
		break;
	case QTI_KIND_CHOICE:
		show_choice(d, *(const unsigned *)(const void *)field, text, size);
		return;
	case QTI_KIND_SHARE:
		show_share(*(const unsigned *)(const void *)field, text, size);
		return;
	case QTI_KIND_BOOL:
		value = *(const bool *)field ? "yes" : "no";
		break;
	case QTI_KIND_BINDING: {
		enum qti_binding b = *(const enum qti_binding *)(const void *)field;
		value = b == QTI_BIND_AUTO ? NULL : b == QTI_BIND_YES ? "yes" : "no";
		break;
	}
	case QTI_KIND_LEVEL: {
		enum qti_level level = *(const enum qti_level *)(const void *)field;
		value = level == QTI_LEVEL_UNSET ? NULL : qti_level_name(level);
		break;
	}
	}
	if (value)
		printable_copy(value, text, size);
	else if (d->unset && (number == d->initial || d->kind == QTI_KIND_TEXT))
		snprintf(text, size, "%s", d->unset);
	else
		snprintf(text, size, "%llu", number);
}

void qti_env_default(enum qti_setting which, char *text, size_t size)
{
	struct qti_env env;

	env_store(&env, &table[which], table[which].initial);
	qti_env_show(&env, which, text, size);
}

void qti_env_allowed(enum qti_setting which, char *text, size_t size)
{
	const struct qti_setting_desc *d = &table[which];
	unsigned long long min = d->min, max = d->max;

	switch (d->kind) {
	case QTI_KIND_TEXT:
		snprintf(text, size, "a name");
		break;
	case QTI_KIND_COUNT:
		snprintf(text, size, "%llu to %llu", min, max);
		break;
	case QTI_KIND_SIZE:
		snprintf(text, size, "%llu to %llu bytes (K, M, G suffixes)", min, max);
		break;
	case QTI_KIND_SHARE:
		snprintf(text, size, "0 to 1");
		break;
	case QTI_KIND_BOOL:
	case QTI_KIND_BINDING:
		snprintf(text, size, "yes, no, true, false, on, off, 1 or 0");
		break;
	case QTI_KIND_CHOICE:
		snprintf(text, size, "%s", d->words);
		break;
	case QTI_KIND_LEVEL:
		snprintf(text, size, "%s", LEVELS_ALLOWED);
		break;
	}
}

void qti_env_complain(enum qti_setting which, const char *wrong, const char *allowed, const char *instead)
{
	char shown[64];
	const char *prefix = "QT_", *value = look_up(&table[which], &prefix);

	if (!qti_env_trusted())
		return;
	printable_copy(value ? value : "", shown, sizeof(shown));
	qti_warn("%s%s=%s: %s; allowed: %s; using %s", prefix, table[which].name, shown, wrong, allowed, instead);
}

static void setting_complain(enum qti_setting which, const char *wrong)
{
	char allowed[96], instead[96];

	qti_env_allowed(which, allowed, sizeof(allowed));
	qti_env_default(which, instead, sizeof(instead));
	qti_env_complain(which, wrong, allowed, instead);
}

/* ---- Misspellings ----------------------------------------------------------------------------------------------- */

/* Insertions, deletions, changes and swaps of neighbours that turn a into b, whatever their case. */
static unsigned edit_distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned row[3][NAME_MAX_LEN + 1];      /* of the matrix: this one and the two before */

	for (size_t j = 0; j <= nb; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			bool same = toupper((unsigned char)a[i - 1]) == toupper((unsigned char)b[j - 1]);
			unsigned best = last[j - 1] + !same;

			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[na % 3][nb];
}

/* The setting that `name` was probably meant to be: NULL if it is one, or if it is like none. */
static const char *setting_meant(const char *name)
{
	const char *like = NULL;
	unsigned least = 3;

	for (unsigned i = 0; i < QTI_NSETTINGS; i++) {
		unsigned n = edit_distance(name, table[i].name);
		unsigned limit = strlen(table[i].name) < 6 ? 1 : 2;     /* few letters are soon like others */

		if (strcmp(name, table[i].name) == 0)
			return NULL;
		if (n <= limit && n < least) {
			least = n;
			like = table[i].name;
		}
	}
	return like;
}

/* The Qt toolkit and others use QT_ too, so only what looks like one of ours is worth a line. */
static void look_for_misspellings(void)
{
	for (char **e = environ; e && *e; e++) {
		const char *prefix = strncmp(*e, "QTHREAD_", 8) == 0 ? "QTHREAD_" : "QT_";
		size_t skip = strlen(prefix);
		const char *equals = strchr(*e, '=');
		char name[NAME_MAX_LEN];

		if (strncmp(*e, prefix, skip) != 0 || !equals || (size_t)(equals - *e) - skip >= sizeof(name))
			continue;
		memcpy(name, *e + skip, (size_t)(equals - *e) - skip);
		name[(size_t)(equals - *e) - skip] = '\0';

		const char *like = setting_meant(name);
		if (like) {
			printable_copy(name, name, sizeof(name));
			qti_warn("%s%s is not a setting and has no effect; %s%s is one", prefix, name, prefix, like);
		}
	}
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

static void print_all(const struct qti_env *env)
{
	for (unsigned i = 0; i < QTI_NSETTINGS; i++) {
		const char *prefix = "QT_";
		char text[128];

		bool set = look_up(&table[i], &prefix) != NULL;
		qti_env_show(env, (enum qti_setting)i, text, sizeof(text));
		qti_warn("%s%s = %s (%s)", prefix, table[i].name, text, set ? "environment" : "default");
	}
}

bool qti_env_read_bool(enum qti_setting which)
{
	const struct qti_setting_desc *d = &table[which];
	const char *prefix, *text = look_up(d, &prefix);
	bool value = d->initial != 0;

	if (text)
		parse_bool(text, &value);
	return value;
}

unsigned qti_env_read_choice(enum qti_setting which)
{
	const struct qti_setting_desc *d = &table[which];
	const char *prefix, *text = look_up(d, &prefix);
	unsigned value = text ? parse_choice(d, text) : 0;

	return value ? value : (unsigned)d->initial;
}

void qti_env_read(struct qti_env *out)
{
	out->cpu_limit = QTI_LOOK_UP;
	out->stack_setting = "QT_STACK_SIZE";

	for (unsigned i = 0; i < QTI_NSETTINGS; i++) {
		const struct qti_setting_desc *d = &table[i];
		const char *prefix, *value = look_up(d, &prefix), *wrong;

		env_store(out, d, d->initial);
		if (value && (wrong = read_value(out, d, value)) != NULL)
			setting_complain((enum qti_setting)i, wrong);
	}
	if (qti_env_trusted())
		look_for_misspellings();
	if (out->info >= 2)
		print_all(out);
}
