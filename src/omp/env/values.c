/* omp/env/values.c -- see omp/env/values.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/env/values.h"

#include "base/mem.h"
#include "omp/env/affinity.h"
#include "omp/env/allocator.h"
#include "omp/env/allocator_text.h"
#include "omp/env/places.h"
#include "omp/env/text.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

struct qomp_given qomp_given;

/* ---- Readers: true if it is one, and then it is stored ---------------------------------------------------------- */

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
	qomp_given.initial.schedule = (uint8_t)kind;
	qomp_given.initial.monotonic = modifier == 0 || (modifier < 0 && kind == QOMP_STATIC);
	qomp_given.initial.chunk = chunk > 0 || kind == QOMP_STATIC ? (int64_t)chunk : 1;
	return true;
}

static bool read_dynamic(const char *text)
{
	return read_bool(text, &qomp_given.initial.dynamic);
}

static bool read_nested(const char *text)
{
	bool good = read_bool(text, &qomp_given.nested);

	qomp_given.nested_given |= good;
	return good;
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
	if (n > (uint64_t)SSIZE_MAX >> 10 * unit || n << 10 * unit < QOMP_STACK_MIN)
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
	qomp_given.initial.thread_limit = n > INT_MAX ? QOMP_UNLIMITED : (uint32_t)n;
	return true;
}

static bool read_max_active_levels(const char *text)
{
	uint64_t n;

	if (!read_only_number(text, 0, ULONG_MAX, &n))
		return false;
	qomp_given.initial.max_active_levels = n > QOMP_LEVELS_MAX ? QOMP_LEVELS_MAX : (uint8_t)n;
	qomp_given.levels_given = true;
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
	qomp_given.initial.default_device = (int32_t)n;
	qomp_given.device_given = true;
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

static char *allocator_text;            /* of the last one that has traits */

const char *qomp_allocator_text(void)
{
	return allocator_text ? allocator_text : "";
}

static bool read_allocator(const char *text)
{
	uintptr_t handle = qomp_allocator_read(text, qomp_given.wrong, sizeof(qomp_given.wrong));

	if (handle == 0)
		return false;
	qomp_given.initial.allocator = handle;
	if (qomp_allocator(handle)) {
		qti_mem_free(allocator_text);
		allocator_text = qti_mem_alloc(strlen(text) + 1);
		if (allocator_text)
			strcpy(allocator_text, text);
	}
	return true;
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

	qomp_given.display = which > 0;
	qomp_given.verbose = which == 2;
	return which >= 0;
}

/* Without threads that are bound nobody looks at places. */
static bool no_places_wanted(void)
{
	return qomp_settings.bind.n > 0 && qomp_settings.bind.value[0] == QOMP_BIND_FALSE;
}

static bool read_places(const char *text)
{
	return no_places_wanted() || qomp_places_read(text, qomp_given.cpus);
}

static bool read_cpu_affinity(const char *text)
{
	return no_places_wanted() || qomp_places.n > 0 || qomp_places_read_cpus(text, qomp_given.cpus);
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

const struct qomp_value qomp_values[QOMP_NVARIABLES] = {
	[QOMP_VAR_DYNAMIC] = { read_dynamic, TRUTH, QOMP_FOR_ALL },
	[QOMP_VAR_NESTED] = { read_nested, TRUTH, 0 },
	[QOMP_VAR_NUM_THREADS] = { read_num_threads,
		"numbers from 1 to 2147483647, separated by commas", QOMP_FOR_ALL },
	[QOMP_VAR_SCHEDULE] = { read_schedule,
		"[monotonic: or nonmonotonic:] static, dynamic, guided or auto [, a number up to 2147483647]",
		QOMP_FOR_ALL },
	[QOMP_VAR_PROC_BIND] = { read_proc_bind,
		"true, false, or some of primary, master, close and spread, separated by commas", QOMP_FOR_ALL },
	[QOMP_VAR_PLACES] = { read_places,
		"threads, cores, ll_caches, numa_domains, sockets [(a number)], or a list of places with usable CPUs",
		0 },
	[QOMP_VAR_STACKSIZE] = { read_stack_size, STACK_SIZE, QOMP_DELICATE | QOMP_FOR_ALL },
	[QOMP_VAR_WAIT_POLICY] = { read_wait_policy, "active or passive", QOMP_FOR_ALL },
	[QOMP_VAR_THREAD_LIMIT] = { read_thread_limit, "a number from 1 on", QOMP_FOR_ALL },
	[QOMP_VAR_MAX_ACTIVE_LEVELS] = { read_max_active_levels, "a number from 0 on", QOMP_FOR_ALL },
	[QOMP_VAR_NUM_TEAMS] = { read_num_teams, COUNT, QOMP_FOR_ALL },
	[QOMP_VAR_TEAMS_THREAD_LIMIT] = { read_teams_thread_limit, COUNT, QOMP_FOR_ALL },
	[QOMP_VAR_CANCELLATION] = { read_cancellation, TRUTH, 0 },
	[QOMP_VAR_DEFAULT_DEVICE] = { read_default_device, COUNT_FROM_0, 0 },
	[QOMP_VAR_MAX_TASK_PRIORITY] = { read_max_task_priority, COUNT_FROM_0, 0 },
	[QOMP_VAR_DISPLAY_AFFINITY] = { read_display_affinity, TRUTH, QOMP_DELICATE },
	[QOMP_VAR_AFFINITY_FORMAT] = { read_affinity_format, "any text", QOMP_DELICATE },
	[QOMP_VAR_ALLOCATOR] = { read_allocator,
		"a predefined allocator or memory space; a space may be followed by :trait=value,trait=value...", QOMP_DELICATE },
	[QOMP_VAR_TARGET_OFFLOAD] = { read_target_offload, "default, mandatory or disabled", QOMP_DELICATE },
	[QOMP_VAR_DISPLAY_ENV] = { read_display_env, "true, false or verbose", QOMP_DELICATE },
	[QOMP_VAR_GOMP_CPU_AFFINITY] = { read_cpu_affinity,
		"CPU numbers or ranges first-last[:stride], separated by blanks or commas", 0 },
	[QOMP_VAR_GOMP_STACKSIZE] = { read_gomp_stack_size, STACK_SIZE, QOMP_DELICATE },
	[QOMP_VAR_GOMP_SPINCOUNT] = { read_spin_count,
		"infinite, or a number that k, m, g or t may follow", 0 },
	[QOMP_VAR_GOMP_DEBUG] = { read_debug, COUNT_FROM_0, 0 },
};
