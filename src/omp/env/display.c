/* omp/env/display.c -- showing the settings: OMP_DISPLAY_ENV and omp_display_env.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The frame of the output and the names in it are those that OpenMP prescribes; the order is libgomp's.
 */
#include "omp/env/display.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "omp/env/affinity.h"
#include "omp/env/allocator.h"
#include "omp/env/icv.h"
#include "omp/env/places.h"
#include "omp/env/values.h"

#include <inttypes.h>
#include <stddef.h>

/* What the compilers that this is for say that they implement: November 2015. */
enum { OPENMP_VERSION = 201511 };

/* ---- Values ----------------------------------------------------------------------------------------------------- */

static void show_word(struct qomp_text *out, const char *word)
{
	for (; *word; word++)
		qomp_text_add(out, "%c", qti_ascii_upper(*word));
}

static void show_num_threads(struct qomp_text *out)
{
	const struct qomp_levels *list = &qomp_settings.nthreads;

	if (list->n == 0)
		qomp_text_add(out, "%" PRIu32, qomp_icv_initial->nthreads);
	for (unsigned i = 0; i < list->n; i++)
		qomp_text_add(out, "%s%" PRIu32, i ? "," : "", list->value[i]);
}

/* "master" is the one of its two names that all readers know. */
static void show_proc_bind(struct qomp_text *out)
{
	const struct qomp_levels *list = &qomp_settings.bind;
	unsigned i = 0;

	do {
		uint32_t policy = list->n > 0 ? list->value[i] : qomp_icv_initial->bind;

		qomp_text_add(out, "%s", i ? "," : "");
		show_word(out, policy == QOMP_BIND_PRIMARY ? "master" : qomp_bind_words[policy]);
	} while (++i < list->n);
}

/* Static is monotonic and the others are not, unless it is said. */
static void show_schedule(struct qomp_text *out)
{
	const struct qomp_icv *icv = qomp_icv_initial;
	bool usual = icv->monotonic == (icv->schedule == QOMP_STATIC);
	int64_t usual_chunk = icv->schedule == QOMP_STATIC ? 0 : 1;

	if (!usual)
		qomp_text_add(out, "%s:", icv->monotonic ? "MONOTONIC" : "NONMONOTONIC");
	show_word(out, qomp_schedule_words[icv->schedule - QOMP_STATIC]);
	if (icv->chunk != usual_chunk && icv->schedule != QOMP_AUTO)
		qomp_text_add(out, ",%" PRId64, icv->chunk);
}

/* 0: whatever the system gives. */
static void show_stack_size(struct qomp_text *out)
{
	qomp_text_add(out, "%" PRIu64, qomp_settings.stack_size);
}

static void show_spin_count(struct qomp_text *out)
{
	uint64_t n = qomp_settings.spin_count;

	if (n == UINT64_MAX)
		qomp_text_add(out, "DEFAULT");
	else if (n == QOMP_SPIN_FOREVER)
		qomp_text_add(out, "INFINITE");
	else
		qomp_text_add(out, "%" PRIu64, n);
}

static void show_allocator(struct qomp_text *out)
{
	uintptr_t handle = qomp_icv_initial->allocator;

	qomp_text_add(out, "%s", qomp_allocator(handle) ? qomp_allocator_text() : qomp_allocator_words[handle - 1]);
}

static void show_nested(struct qomp_text *out)
{
	qomp_text_add(out, "%s", qomp_icv_initial->max_active_levels > 1 ? "TRUE" : "FALSE");
}

static void show_wait_policy(struct qomp_text *out)
{
	qomp_text_add(out, "%s", qomp_settings.patience == QOMP_PATIENCE_ACTIVE ? "ACTIVE" : "PASSIVE");
}

static void show_default_device(struct qomp_text *out)
{
	qomp_text_add(out, "%" PRId32, qomp_icv_initial->default_device);
}

static void show_target_offload(struct qomp_text *out)
{
	show_word(out, qomp_offload_words[qomp_settings.offload]);
}

/* CPUs given by this variable show up as places. */
static void show_nothing(struct qomp_text *out)
{
	(void)out;
}

/* ---- Which ------------------------------------------------------------------------------------------------------ */

enum kind { BY_CALL, BOOL, NUMBER_8, NUMBER_32 };

#define OF_ICV(kind, field) { kind, true, false, offsetof(struct qomp_icv, field), NULL }
#define OF_ALL(kind, field) { kind, false, false, offsetof(struct qomp_settings, field), NULL }
#define CALL(show) { BY_CALL, false, false, 0, show }
#define OURS(show) { BY_CALL, false, true, 0, show }

static const struct row {
	enum kind kind;
	bool icv;                       /* the initial task's, not the program's */
	bool verbose;                   /* shown only if asked for more than OpenMP's own */
	size_t offset;
	void (*show)(struct qomp_text *out);    /* of kind BY_CALL; NULL: never shown */
} table[QOMP_NVARIABLES] = {
	[QOMP_VAR_DYNAMIC] = OF_ICV(BOOL, dynamic),
	[QOMP_VAR_NESTED] = CALL(show_nested),
	[QOMP_VAR_NUM_THREADS] = CALL(show_num_threads),
	[QOMP_VAR_SCHEDULE] = CALL(show_schedule),
	[QOMP_VAR_PROC_BIND] = CALL(show_proc_bind),
	[QOMP_VAR_PLACES] = CALL(qomp_places_show),
	[QOMP_VAR_STACKSIZE] = CALL(show_stack_size),
	[QOMP_VAR_WAIT_POLICY] = CALL(show_wait_policy),
	[QOMP_VAR_THREAD_LIMIT] = OF_ICV(NUMBER_32, thread_limit),
	[QOMP_VAR_MAX_ACTIVE_LEVELS] = OF_ICV(NUMBER_8, max_active_levels),
	[QOMP_VAR_NUM_TEAMS] = OF_ALL(NUMBER_32, num_teams),
	[QOMP_VAR_TEAMS_THREAD_LIMIT] = OF_ALL(NUMBER_32, teams_thread_limit),
	[QOMP_VAR_CANCELLATION] = OF_ALL(BOOL, cancellation),
	[QOMP_VAR_DEFAULT_DEVICE] = CALL(show_default_device),
	[QOMP_VAR_MAX_TASK_PRIORITY] = OF_ALL(NUMBER_32, max_task_priority),
	[QOMP_VAR_DISPLAY_AFFINITY] = OF_ALL(BOOL, display_affinity),
	[QOMP_VAR_AFFINITY_FORMAT] = CALL(qomp_affinity_format_show),
	[QOMP_VAR_ALLOCATOR] = CALL(show_allocator),
	[QOMP_VAR_TARGET_OFFLOAD] = CALL(show_target_offload),
	[QOMP_VAR_DISPLAY_ENV] = CALL(NULL),
	[QOMP_VAR_GOMP_CPU_AFFINITY] = OURS(show_nothing),
	[QOMP_VAR_GOMP_STACKSIZE] = OURS(show_stack_size),
	[QOMP_VAR_GOMP_SPINCOUNT] = OURS(show_spin_count),
	[QOMP_VAR_GOMP_DEBUG] = CALL(NULL),
};

void qomp_variable_show(enum qomp_variable which, struct qomp_text *out)
{
	const struct row *r = &table[which];
	const char *field = (r->icv ? (const char *)qomp_icv_initial : (const char *)&qomp_settings) + r->offset;

	switch (r->kind) {
	case BY_CALL:
		if (r->show)
			r->show(out);
		break;
	case BOOL:
		qomp_text_add(out, "%s", *(const bool *)field ? "TRUE" : "FALSE");
		break;
	case NUMBER_8:
		qomp_text_add(out, "%u", *(const uint8_t *)field);
		break;
	case NUMBER_32:
		qomp_text_add(out, "%" PRIu32, *(const uint32_t *)(const void *)field);
		break;
	}
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

static void write_all(struct qomp_text *out, bool verbose)
{
	qomp_text_add(out, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '%d'\n", OPENMP_VERSION);
	for (unsigned i = 0; i < QOMP_NVARIABLES; i++) {
		const struct row *r = &table[i];

		if ((r->verbose && !verbose) || (r->kind == BY_CALL && !r->show))
			continue;
		qomp_text_add(out, "  %s = '", qomp_variable_name((enum qomp_variable)i));
		qomp_variable_show((enum qomp_variable)i, out);
		qomp_text_add(out, "'\n");
	}
	qomp_text_add(out, "OPENMP DISPLAY ENVIRONMENT END\n");
}

/* Places and formats may be long: the first pass finds out how long.  One write, so that nothing comes in between. */
void qomp_settings_show(bool verbose)
{
	char enough[2048];
	struct qomp_text text = { enough, sizeof(enough), 0 };
	char *more = NULL;

	write_all(&text, verbose);
	if (text.used >= sizeof(enough) && (more = qti_mem_alloc(text.used + 1)) != NULL) {
		text = (struct qomp_text){ more, text.used + 1, 0 };
		write_all(&text, verbose);
	}
	qomp_text_write(&text);
	qti_mem_free(more);
}
