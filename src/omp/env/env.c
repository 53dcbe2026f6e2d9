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

#include "base/ascii.h"
#include "base/env.h"
#include "base/environ.h"
#include "machine/quota.h"
#include "machine/topo.h"
#include "omp/env/display.h"
#include "omp/env/kmp.h"
#include "omp/env/other.h"
#include "omp/env/places.h"
#include "omp/env/subset.h"
#include "omp/env/text.h"
#include "omp/env/values.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static QTI_AT_LOAD bool none_given;                 /* there was no setting when the library was loaded: what comes
						     * later does not count */

/* CPUs that the process began with. */
static QTI_AT_LOAD struct {
	unsigned n;                     /* 0: nobody has looked */
	struct qti_affinity allowed;
} cpus;

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

static void show_printable(const char *value, char *text, size_t size)
{
	size_t n = 0;

	for (; value[n] && n + 1 < size; n++)
		text[n] = qti_ascii_is_print(value[n]) ? value[n] : '?';
	text[n] = '\0';
}

static void variable_complain(enum qomp_variable which, const char *name, const char *value)
{
	char shown[64], wrong[sizeof(qomp_given.wrong)], instead[96] = "the default";
	bool stack = which == QOMP_VAR_STACKSIZE || which == QOMP_VAR_GOMP_STACKSIZE;
	struct qomp_text t = { instead, sizeof(instead), 0 };

	show_printable(value, shown, sizeof(shown));
	show_printable(qomp_given.wrong, wrong, sizeof(wrong));
	qomp_given.wrong[0] = '\0';
	if (stack && qomp_settings.stack_size == 0)
		qomp_text_add(&t, "%dM", QOMP_STACK_BYTES >> 20);
	else if (which != QOMP_VAR_NUM_TEAMS && which != QOMP_VAR_TEAMS_THREAD_LIMIT)
		qomp_variable_show(which, &t);
	qomp_warn("%s=%s%s%s; allowed: %s; using %s", name, shown, wrong[0] ? ": " : " is not understood", wrong,
		qomp_values[which].allowed, instead);
}

static void variable_read(enum qomp_variable which, bool trusted)
{
	char all[64];
	const char *name = qomp_variable_name(which), *value;

	if ((qomp_values[which].is & QOMP_DELICATE) && !trusted)
		return;
	value = qti_environ_value(name);
	if (!value && (qomp_values[which].is & QOMP_FOR_ALL)) {
		snprintf(all, sizeof(all), "%s_ALL", name);
		name = all;
		value = qti_environ_value(name);
	}
	if (value && !qomp_values[which].read(value) && trusted)
		variable_complain(which, name, value);
}

/* ---- What follows from all of them together --------------------------------------------------------------------- */

/* Who asks for numbers or places at several levels wants regions in regions, unless another variable says more. */
static void settle_levels(void)
{
	if (qomp_given.levels_given)
		return;
	if (qomp_given.nested_given ? qomp_given.nested : qomp_settings.nthreads.n > 1 || qomp_settings.bind.n > 1)
		qomp_given.initial.max_active_levels = QOMP_LEVELS_MAX;
}

static void settle_threads(void)
{
	const struct qomp_levels *list = &qomp_settings.nthreads;

	for (unsigned i = 0; i < list->n; i++)
		if (list->value[i] > qomp_settings.most_threads)
			qomp_settings.most_threads = list->value[i];
	qomp_given.initial.nthreads = list->n > 0 ? list->value[0] : qomp_settings.procs;
}

/* Places ask for binding, and binding for places. */
static void settle_places(void)
{
	const struct qomp_levels *list = &qomp_settings.bind;

	if (list->n > 0)
		qomp_given.initial.bind = (uint8_t)list->value[0];
	else if (qomp_places.n > 0)
		qomp_given.initial.bind = QOMP_BIND_TRUE;
	if (qomp_given.initial.bind != QOMP_BIND_FALSE && qomp_places.n == 0 &&
		!qomp_places_read("threads", &cpus.allowed)) {
		qomp_given.initial.bind = QOMP_BIND_FALSE;
		qomp_settings.bind.n = 0;
	}
	qomp_places.whole = cpus.allowed;
	qomp_places.whole.valid = cpus.allowed.valid && qomp_places.n > 0;
	qomp_settings.binding = qomp_places.n > 0 || qomp_settings.display_affinity;
}

/* If a device is mandatory and nobody says which, no number stands for one. */
static void settle_device(void)
{
	if (!qomp_given.device_given)
		qomp_given.initial.default_device =
			qomp_settings.offload == QOMP_OFFLOAD_MANDATORY ? QOMP_DEVICE_INVALID : QOMP_HOST;
}

static void settle(void)
{
	const struct qomp_icv *published;

	settle_device();
	settle_levels();
	settle_threads();
	settle_places();
	published = qomp_icv_of(&qomp_given.initial);
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
	const char *subset = qti_env_trusted() ? qti_environ_value("KMP_HW_SUBSET") : NULL;
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

static struct qomp_icv icv_defaults(unsigned nthreads)
{
	return (struct qomp_icv){
		.nthreads = nthreads,
		.thread_limit = QOMP_UNLIMITED,
		.schedule = QOMP_GUIDED,
		.max_active_levels = 1,
		.chunk = 1,
		.allocator = 1,
	};
}

static void set_defaults(void)
{
	qomp_places_free();
	qomp_settings = (struct qomp_settings){ .spin_count = UINT64_MAX, .blocktime_us = QOMP_BLOCKTIME_UNSET };
	look_up_quota();
	qomp_settings.barrier = (enum qti_barrier)qti_env_read_choice(QTI_SET_BARRIER);
	qomp_settings.nested = (enum qti_nested)qti_env_read_choice(QTI_SET_NESTED);
	qomp_settings.procs = qomp_procs_granted(cpus.n);
	qomp_given = (struct qomp_given){ .cpus = &cpus.allowed };
	qomp_given.initial = icv_defaults(qomp_settings.procs);
	qomp_icv_initial = &qomp_given.initial;
}

/* As far as it goes alone. */
static bool variable_take(enum qomp_variable which, const char *value)
{
	return qomp_values[which].read(value);
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
	store_rel(&qomp_settings_are_read, true);
	if (qomp_given.display)
		qomp_settings_show(qomp_given.verbose);
}

void qomp_settings_read_now(void)
{
	qomp_settings_read();           /* or who asks next for the first time would have them read once more */
	none_given = false;
	cpus_look();
	read_all();
}

static bool variable_change(const char *name, const char *value)
{
	for (unsigned i = 0; i < QOMP_NVARIABLES; i++)
		if (strcmp(qomp_variable_name((enum qomp_variable)i), name) == 0) {
			if (!qomp_values[i].read(value))
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
	if (bytes >= QOMP_STACK_MIN && bytes <= SSIZE_MAX)
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

/* ---- Before they are read --------------------------------------------------------------------------------------- */

bool qomp_settings_are_read;

/* Of two that look at the same time both find the same. */
static unsigned quota_asked(void)
{
	static uint32_t known = QTI_LOOK_UP;
	uint32_t limit = load_rlx(&known);

	if (limit == QTI_LOOK_UP) {
		limit = qti_env_read_bool(QTI_SET_CPU_QUOTA) ? qti_quota_cpus("") : 0;
		store_rlx(&known, limit);
	}
	return limit;
}

unsigned qomp_settings_procs(unsigned cpus_now)
{
	if (qomp_settings_known() || cpus_now <= 1)
		return qomp_procs_granted(cpus_now);
	const int error = errno;
	const unsigned limit = quota_asked();
	errno = error;
	return limit && limit < cpus_now ? limit : cpus_now;
}

/* A constructor may ask that runs before ours, when the number of threads is what it is likely to ask for. */
static unsigned threads_asked(void)
{
	const char *number = cpus.n == 0 ? qti_environ_value("OMP_NUM_THREADS") : NULL;
	struct qti_affinity now;
	uint64_t n;

	if (number && qomp_read_number(&number, INT_MAX, &n) && n > 0)
		return (unsigned)n;
	return qomp_settings_procs(cpus.n ? cpus.n : qti_affinity_save(&now));
}

const struct qomp_icv *qomp_settings_initial(struct qomp_icv *room)
{
	if (qomp_settings_known())
		return qomp_icv_initial;
	*room = icv_defaults(threads_asked());
	return room;
}

/* ---- When the library is loaded --------------------------------------------------------------------------------- */

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
	for (char **e = qti_environ(); *e; e++)
		if (is_setting(*e))
			return true;
	return false;
}

/* A process that never uses OpenMP is not to pay for it: where there is nothing to be read, and so nothing to be
 * complained about or shown, the rest waits for who asks.  Before constructors of
 * the program, which may ask: behind that of base/environ.c. */
__attribute__((constructor(102))) static void read_when_loaded(void)
{
	none_given = cpus.n == 0 && !environment_has_settings();
	if (none_given)
		cpus.n = qti_affinity_save(&cpus.allowed);
	else
		qomp_settings_read();
}
