/* omp/env/env.c -- the variables of OpenMP and libgomp in the environment.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What libgomp accepts is accepted.  A value that cannot be honoured is one line on stderr naming the variable, the
 * value, what is allowed and what is used instead, and nothing of it is used: libgomp takes half of some.
 *
 * Where the environment is not to be trusted (base/env.h), what is displayed and how large stacks are is not its
 * business, and nothing is said about the values of other variables.
 */
#include "omp/env/env.h"

#include "base/env.h"
#include "machine/quota.h"
#include "machine/topo.h"
#include "omp/env/affinity.h"
#include "omp/env/display.h"
#include "omp/env/icv.h"
#include "omp/env/kmp.h"
#include "omp/env/other.h"
#include "omp/env/places.h"
#include "omp/env/subset.h"
#include "omp/env/variables.h"

#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STACK_MIN = 16384 };             /* bytes: what pthreads accept everywhere */

static struct qomp_icv initial;

/* What several variables decide together, as it was given. */
static struct {
	bool levels_given;              /* OMP_MAX_ACTIVE_LEVELS */
	bool nested_given, nested;
	bool display, verbose;
} given;

static QTI_AT_LOAD bool none_given;                 /* there was no setting when the library was loaded: what comes
						     * later does not count */

/* CPUs that the process began with. */
static QTI_AT_LOAD struct {
	unsigned n;                     /* 0: nobody has looked */
	struct qti_affinity allowed;
} cpus;

/* ---- Values: true if it is one, and then it is stored ----------------------------------------------------------- */

static bool read_only_number(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	uint64_t n;

	if (!qomp_read_number(&text, max, &n) || n < min || !qomp_read_end(text))
		return false;
	*value = n;
	return true;
}

static bool read_count(const char *text, uint64_t min, uint32_t *value)
{
	uint64_t n;

	if (!read_only_number(text, min, INT_MAX, &n))
		return false;
	*value = (uint32_t)n;
	return true;
}

/* The index of the only word in the text, or -1. */
static int read_only_word(const char *text, const char *const *words)
{
	int which = qomp_read_one_of(&text, words);

	return qomp_read_end(text) ? which : -1;
}

static bool read_bool(const char *text, bool *value)
{
	static const char *const words[] = { "false", "true", NULL };
	int which = read_only_word(text, words);

	if (which >= 0)
		*value = which;
	return which >= 0;
}

/* A number, and one of the letters or none of them.  *letter: the index of the letter; -1: none. */
static bool read_scaled(const char *text, const char *const *letters, uint64_t *n, int *letter)
{
	if (!qomp_read_number(&text, UINT64_MAX, n))
		return false;
	*letter = qomp_read_one_of(&text, letters);
	return qomp_read_end(text);
}

static void list_append(struct qomp_levels *list, uint32_t value)
{
	if (list->n < QOMP_LEVELS_MAX)
		list->value[list->n++] = value;
}

static bool read_num_threads(const char *text)
{
	static struct qomp_levels list;
	uint64_t n;

	list.n = 0;
	do {
		if (!qomp_read_number(&text, INT_MAX, &n) || n == 0)
			return false;
		list_append(&list, (uint32_t)n);
	} while (qomp_read_char(&text, ','));
	if (!qomp_read_end(text))
		return false;
	qomp_settings.nthreads = list;
	return true;
}

/* A truth value stands alone; policies may be listed by level. */
static bool read_proc_bind(const char *text)
{
	static struct qomp_levels list;
	int which;

	list.n = 0;
	do {
		which = qomp_read_one_of(&text, qomp_bind_words);
		if (which < 0 || (which <= QOMP_BIND_TRUE && (list.n > 0 || !qomp_read_end(text))))
			return false;
		list_append(&list, which > QOMP_BIND_SPREAD ? QOMP_BIND_PRIMARY : (uint32_t)which);
	} while (qomp_read_char(&text, ','));
	if (!qomp_read_end(text))
		return false;
	qomp_settings.bind = list;
	return true;
}

static bool read_schedule(const char *text)
{
	static const char *const modifiers[] = { "monotonic", "nonmonotonic", NULL };
	int modifier = qomp_read_one_of(&text, modifiers), kind;
	uint64_t chunk = 0;

	if (modifier >= 0 && !qomp_read_char(&text, ':'))
		return false;
	kind = qomp_read_one_of(&text, qomp_schedule_words) + QOMP_STATIC;
	if (kind < QOMP_STATIC || (qomp_read_char(&text, ',') && !qomp_read_number(&text, INT_MAX, &chunk)) ||
		!qomp_read_end(text))
		return false;
	initial.schedule = (uint8_t)kind;
	initial.monotonic = modifier == 0 || (modifier < 0 && kind == QOMP_STATIC);
	initial.chunk = chunk > 0 || kind == QOMP_STATIC ? (int64_t)chunk : 1;
	return true;
}

static bool read_dynamic(const char *text)
{
	return read_bool(text, &initial.dynamic);
}

static bool read_nested(const char *text)
{
	given.nested_given |= read_bool(text, &given.nested);
	return given.nested_given;
}

static bool read_stack_size(const char *text)
{
	static const char *const units[] = { "b", "k", "m", "g", NULL };
	uint64_t n;
	int unit;

	if (!read_scaled(text, units, &n, &unit))
		return false;
	if (unit < 0)
		unit = 1;
	if (n > (uint64_t)SSIZE_MAX >> 10 * unit || n << 10 * unit < STACK_MIN)
		return false;
	qomp_settings.stack_size = n << 10 * unit;
	return true;
}

static bool read_wait_policy(const char *text)
{
	static const char *const words[] = { "active", "passive", NULL };
	int which = read_only_word(text, words);

	if (which >= 0)
		qomp_settings.patience = which == 0 ? QOMP_PATIENCE_ACTIVE : QOMP_PATIENCE_PASSIVE;
	return which >= 0;
}

static bool read_spin_count(const char *text)
{
	static const char *const units[] = { "k", "m", "g", "t", NULL };
	static const uint64_t factors[] = { 1, 1000, 1000000, 1000000000, 1000000000000 };
	static const char *const forever[] = { "infinite", "infinity", NULL };
	uint64_t n;
	int unit;

	if (read_only_word(text, forever) >= 0) {
		qomp_settings.spin_count = QOMP_SPIN_FOREVER;
		return true;
	}
	if (!read_scaled(text, units, &n, &unit) || __builtin_mul_overflow(n, factors[unit + 1], &n))
		return false;
	qomp_settings.spin_count = n < QOMP_SPIN_FOREVER ? n : QOMP_SPIN_FOREVER;
	return true;
}

static bool read_thread_limit(const char *text)
{
	uint64_t n;

	if (!read_only_number(text, 1, ULONG_MAX, &n))
		return false;
	initial.thread_limit = n > INT_MAX ? QOMP_UNLIMITED : (uint32_t)n;
	return true;
}

static bool read_max_active_levels(const char *text)
{
	uint64_t n;

	if (!read_only_number(text, 0, ULONG_MAX, &n))
		return false;
	initial.max_active_levels = n > QOMP_LEVELS_MAX ? QOMP_LEVELS_MAX : (uint8_t)n;
	given.levels_given = true;
	return true;
}

static bool read_num_teams(const char *text)
{
	return read_count(text, 1, &qomp_settings.num_teams);
}

static bool read_teams_thread_limit(const char *text)
{
	return read_count(text, 1, &qomp_settings.teams_thread_limit);
}

static bool read_cancellation(const char *text)
{
	return read_bool(text, &qomp_settings.cancellation);
}

static bool read_default_device(const char *text)
{
	uint32_t n;

	if (!read_count(text, 0, &n))
		return false;
	initial.default_device = (int32_t)n;
	return true;
}

static bool read_max_task_priority(const char *text)
{
	return read_count(text, 0, &qomp_settings.max_task_priority);
}

static bool read_display_affinity(const char *text)
{
	return read_bool(text, &qomp_settings.display_affinity);
}

static bool read_affinity_format(const char *text)
{
	return qomp_affinity_format_set(text, strlen(text));
}

static bool read_allocator(const char *text)
{
	int which = read_only_word(text, qomp_allocator_words);

	if (which >= 0)
		initial.allocator = (uintptr_t)which + 1;
	return which >= 0;
}

static bool read_target_offload(const char *text)
{
	int which = read_only_word(text, qomp_offload_words);

	if (which >= 0)
		qomp_settings.offload = (enum qomp_offload)which;
	return which >= 0;
}

static bool read_display_env(const char *text)
{
	static const char *const words[] = { "false", "true", "verbose", NULL };
	int which = read_only_word(text, words);

	given.display = which > 0;
	given.verbose = which == 2;
	return which >= 0;
}

/* Without threads that are bound nobody looks at places. */
static bool no_places_wanted(void)
{
	return qomp_settings.bind.n > 0 && qomp_settings.bind.value[0] == QOMP_BIND_FALSE;
}

static bool read_places(const char *text)
{
	return no_places_wanted() || qomp_places_read(text, &cpus.allowed);
}

static bool read_cpu_affinity(const char *text)
{
	return no_places_wanted() || qomp_places.n > 0 || qomp_places_read_cpus(text, &cpus.allowed);
}

/* OMP_STACKSIZE comes first, unless it is wrong. */
static bool read_gomp_stack_size(const char *text)
{
	return qomp_settings.stack_size > 0 || read_stack_size(text);
}

/* libgomp's says what it offloads; there is nothing like that here. */
static bool read_debug(const char *text)
{
	uint32_t n;

	return read_count(text, 0, &n);
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

#define COUNT "a number from 1 to 2147483647"
#define COUNT_FROM_0 "a number from 0 to 2147483647"
#define TRUTH "true or false"
#define STACK_SIZE "a number from 16k on; B, K, M or G may follow, and K is meant if none does"

enum {
	DELICATE = 1,                   /* counts only in a trusted environment */
	FOR_ALL = 2,                    /* NAME_ALL is for all devices, the host among them, where NAME is not set */
};

static const struct {
	bool (*read)(const char *text);
	const char *allowed;
	unsigned is;
} table[QOMP_NVARIABLES] = {
	[QOMP_VAR_DYNAMIC] = { read_dynamic, TRUTH, FOR_ALL },
	[QOMP_VAR_NESTED] = { read_nested, TRUTH, 0 },
	[QOMP_VAR_NUM_THREADS] = { read_num_threads,
		"numbers from 1 to 2147483647, separated by commas", FOR_ALL },
	[QOMP_VAR_SCHEDULE] = { read_schedule,
		"[monotonic: or nonmonotonic:] static, dynamic, guided or auto [, a number up to 2147483647]",
		FOR_ALL },
	[QOMP_VAR_PROC_BIND] = { read_proc_bind,
		"true, false, or some of primary, master, close and spread, separated by commas", FOR_ALL },
	[QOMP_VAR_PLACES] = { read_places,
		"threads, cores, ll_caches, numa_domains, sockets [(a number)], or a list of places with usable CPUs",
		0 },
	[QOMP_VAR_STACKSIZE] = { read_stack_size, STACK_SIZE, DELICATE | FOR_ALL },
	[QOMP_VAR_WAIT_POLICY] = { read_wait_policy, "active or passive", FOR_ALL },
	[QOMP_VAR_THREAD_LIMIT] = { read_thread_limit, "a number from 1 on", FOR_ALL },
	[QOMP_VAR_MAX_ACTIVE_LEVELS] = { read_max_active_levels, "a number from 0 on", FOR_ALL },
	[QOMP_VAR_NUM_TEAMS] = { read_num_teams, COUNT, FOR_ALL },
	[QOMP_VAR_TEAMS_THREAD_LIMIT] = { read_teams_thread_limit, COUNT, FOR_ALL },
	[QOMP_VAR_CANCELLATION] = { read_cancellation, TRUTH, 0 },
	[QOMP_VAR_DEFAULT_DEVICE] = { read_default_device, COUNT_FROM_0, 0 },
	[QOMP_VAR_MAX_TASK_PRIORITY] = { read_max_task_priority, COUNT_FROM_0, 0 },
	[QOMP_VAR_DISPLAY_AFFINITY] = { read_display_affinity, TRUTH, DELICATE },
	[QOMP_VAR_AFFINITY_FORMAT] = { read_affinity_format, "any text", DELICATE },
	[QOMP_VAR_ALLOCATOR] = { read_allocator, "the name of a predefined allocator", 0 },
	[QOMP_VAR_TARGET_OFFLOAD] = { read_target_offload, "default, mandatory or disabled", 0 },
	[QOMP_VAR_DISPLAY_ENV] = { read_display_env, "true, false or verbose", DELICATE },
	[QOMP_VAR_GOMP_CPU_AFFINITY] = { read_cpu_affinity,
		"CPU numbers or ranges first-last[:stride], separated by blanks or commas", 0 },
	[QOMP_VAR_GOMP_STACKSIZE] = { read_gomp_stack_size, STACK_SIZE, DELICATE },
	[QOMP_VAR_GOMP_SPINCOUNT] = { read_spin_count,
		"infinite, or a number that k, m, g or t may follow", 0 },
	[QOMP_VAR_GOMP_DEBUG] = { read_debug, COUNT_FROM_0, 0 },
};

static void variable_complain(enum qomp_variable which, const char *name, const char *value)
{
	char shown[64], instead[96] = "the default";
	bool stack = which == QOMP_VAR_STACKSIZE || which == QOMP_VAR_GOMP_STACKSIZE;
	struct qomp_text t = { instead, sizeof(instead), 0 };
	size_t n = 0;

	for (; value[n] && n + 1 < sizeof(shown); n++)
		shown[n] = isprint((unsigned char)value[n]) ? value[n] : '?';
	shown[n] = '\0';
	if (stack && qomp_settings.stack_size == 0)
		qomp_text_add(&t, "%dM", QOMP_STACK_BYTES >> 20);
	else if (which != QOMP_VAR_NUM_TEAMS && which != QOMP_VAR_TEAMS_THREAD_LIMIT)
		qomp_variable_show(which, &t);
	qomp_warn("%s=%s is not understood; allowed: %s; using %s", name, shown, table[which].allowed, instead);
}

static void variable_read(enum qomp_variable which, bool trusted)
{
	char all[64];
	const char *name = qomp_variable_name(which), *value;

	if ((table[which].is & DELICATE) && !trusted)
		return;
	value = getenv(name);
	if (!value && (table[which].is & FOR_ALL)) {
		snprintf(all, sizeof(all), "%s_ALL", name);
		name = all;
		value = getenv(name);
	}
	if (value && !table[which].read(value) && trusted)
		variable_complain(which, name, value);
}

/* ---- What follows from all of them together --------------------------------------------------------------------- */

/* Who asks for numbers or places at several levels wants regions in regions, unless another variable says more. */
static void settle_levels(void)
{
	if (given.levels_given)
		return;
	if (given.nested_given ? given.nested : qomp_settings.nthreads.n > 1 || qomp_settings.bind.n > 1)
		initial.max_active_levels = QOMP_LEVELS_MAX;
}

static void settle_threads(void)
{
	const struct qomp_levels *list = &qomp_settings.nthreads;

	for (unsigned i = 0; i < list->n; i++)
		if (list->value[i] > qomp_settings.most_threads)
			qomp_settings.most_threads = list->value[i];
	initial.nthreads = list->n > 0 ? list->value[0] : qomp_settings.procs;
}

/* Places ask for binding, and binding for places. */
static void settle_places(void)
{
	const struct qomp_levels *list = &qomp_settings.bind;

	if (list->n > 0)
		initial.bind = (uint8_t)list->value[0];
	else if (qomp_places.n > 0)
		initial.bind = QOMP_BIND_TRUE;
	if (initial.bind != QOMP_BIND_FALSE && qomp_places.n == 0 && !qomp_places_read("threads", &cpus.allowed)) {
		initial.bind = QOMP_BIND_FALSE;
		qomp_settings.bind.n = 0;
	}
	qomp_places.whole = cpus.allowed;
	qomp_places.whole.valid = cpus.allowed.valid && qomp_places.n > 0;
	qomp_settings.binding = qomp_places.n > 0 || qomp_settings.display_affinity;
}

static void settle(void)
{
	const struct qomp_icv *published;

	settle_levels();
	settle_threads();
	settle_places();
	published = qomp_icv_of(&initial);
	if (published)
		qomp_icv_initial = published;
}

/* If another library has bound this thread, it is let go. */
static void cpus_look(void)
{
	unsigned now = qti_affinity_save(&cpus.allowed), before = qomp_other_procs(&cpus.allowed);

	if (before != 0)
		qti_affinity_restore(&cpus.allowed);
	cpus.n = before != 0 ? before : now;

	/* Before anything counts them. */
	const char *subset = qti_env_trusted() ? getenv("KMP_HW_SUBSET") : NULL;
	unsigned left = subset ? qomp_subset_apply(subset, &cpus.allowed) : 0;
	if (left != 0)
		cpus.n = left;
}

/* One CPU is not limited: a quota of less is rounded up. */
static void look_up_quota(void)
{
	qomp_settings.cpu_limit = QTI_LOOK_UP;
	if (cpus.n > 1 && qti_env_read_bool(QTI_SET_CPU_QUOTA))
		qomp_settings.cpu_limit = qti_quota_cpus("");
}

static void set_defaults(void)
{
	memset(&given, 0, sizeof(given));
	qomp_places_free();
	qomp_settings = (struct qomp_settings){ .spin_count = UINT64_MAX, .blocktime_us = QOMP_BLOCKTIME_UNSET };
	look_up_quota();
	qomp_settings.barrier = (enum qti_barrier)qti_env_read_choice(QTI_SET_BARRIER);
	qomp_settings.nested = (enum qti_nested)qti_env_read_choice(QTI_SET_NESTED);
	qomp_settings.procs = qomp_procs_granted(cpus.n);
	initial = (struct qomp_icv){
		.nthreads = qomp_settings.procs,
		.thread_limit = QOMP_UNLIMITED,
		.schedule = QOMP_GUIDED,
		.max_active_levels = 1,
		.chunk = 1,
		.allocator = 1,
	};
	qomp_icv_initial = &initial;
}

/* As far as it goes alone. */
static bool variable_take(enum qomp_variable which, const char *value)
{
	return table[which].read(value);
}

static void read_all(void)
{
	bool trusted = qti_env_trusted();

	set_defaults();
	for (unsigned i = 0; i < QOMP_NVARIABLES && !none_given; i++)
		variable_read((enum qomp_variable)i, trusted);
	if (!none_given)
		qomp_kmp_read(trusted, variable_take);
	settle();
	if (given.display)
		qomp_settings_show(given.verbose);
}

void qomp_settings_read_now(void)
{
	none_given = false;
	cpus_look();
	read_all();
}

static bool variable_change(const char *name, const char *value)
{
	for (unsigned i = 0; i < QOMP_NVARIABLES; i++)
		if (strcmp(qomp_variable_name((enum qomp_variable)i), name) == 0) {
			if (!table[i].read(value))
				variable_complain((enum qomp_variable)i, name, value);
			return true;
		}
	return false;
}

void qomp_settings_change(const char *name, const char *value)
{
	qomp_settings_read();
	if (variable_change(name, value) || qomp_kmp_take(name, value, variable_take))
		settle();
}

void qomp_settings_set_stack(size_t bytes)
{
	qomp_settings_read();
	if (bytes >= STACK_MIN && bytes <= SSIZE_MAX)
		qomp_settings.stack_size = bytes;
}

const struct qti_affinity *qomp_settings_cpus(void)
{
	qomp_settings_read();
	return &cpus.allowed;
}

static void read_first(void)
{
	if (cpus.n == 0)
		cpus_look();
	read_all();
}

void qomp_settings_read(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_first);
}

static bool begins_omp(const char *s)
{
	return s[0] == 'O' && s[1] == 'M' && s[2] == 'P' && s[3] == '_';
}

/* OMP_, GOMP_, KMP_, QT_ or QTHREAD_.  Letter by letter: a page with strings is not needed otherwise by then. */
static bool is_setting(const char *s)
{
	return begins_omp(s) || (s[0] == 'G' && begins_omp(s + 1)) ||
		(s[0] == 'K' && s[1] == 'M' && s[2] == 'P' && s[3] == '_') ||
		(s[0] == 'Q' && s[1] == 'T' && (s[2] == '_' || s[2] == 'H'));
}

static bool environment_has_settings(void)
{
	for (char **e = environ; e && *e; e++)
		if (is_setting(*e))
			return true;
	return false;
}

/* A process that never uses OpenMP is not to pay for it: where there is nothing to be read, and so nothing to be
 * complained about or shown, the rest waits for who asks. */
__attribute__((constructor)) static void read_when_loaded(void)
{
	none_given = cpus.n == 0 && !environment_has_settings();
	if (none_given)
		cpus.n = qti_affinity_save(&cpus.allowed);
	else
		qomp_settings_read();
}
