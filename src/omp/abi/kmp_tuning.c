/* omp/abi/kmp_tuning.c -- how long threads look, how many a region has, how large their stacks are.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmp.h"

#include "omp/abi/api.h"
#include "omp/abi/kmpc_region.h"
#include "omp/env/env.h"
#include "omp/env/text.h"
#include "omp/team/patience.h"
#include "omp/team/standing.h"

#include <stdlib.h>

/* --- patience -------------------------------------------------------------------------------------------- */

void kmp_set_blocktime(int ms)
{
	qomp_settings_read();
	store_rlx(&qomp_settings.blocktime_us, ms < 0 ? 0 : qomp_blocktime_us((uint64_t)ms));
	qomp_patience_set();
}

int kmp_get_blocktime(void)
{
	uint64_t us = qomp_settings_known() ? load_rlx(&qomp_settings.blocktime_us) : QOMP_BLOCKTIME_UNSET;

	if (us == QOMP_BLOCKTIME_UNSET && qomp_settings.patience == QOMP_PATIENCE_ACTIVE)
		return INT_MAX;
	if (us == QOMP_BLOCKTIME_UNSET)
		return qomp_settings.patience == QOMP_PATIENCE_PASSIVE ? 0 : QOMP_BLOCKTIME_MS;
	return us / 1000 < INT_MAX ? (int)(us / 1000) : INT_MAX;
}

/* --- threads --------------------------------------------------------------------------------------------- */

enum { LIBRARY_SERIAL = 1, LIBRARY_TURNAROUND = 2, LIBRARY_THROUGHPUT = 3 };

static uint32_t library = LIBRARY_THROUGHPUT;

/* Of the calling task's regions from here on. */
void kmp_set_library(int kind)
{
	if (kind < LIBRARY_SERIAL || kind > LIBRARY_THROUGHPUT)
		return;
	qomp_settings_read();
	store_rlx(&library, (uint32_t)kind);
	omp_set_num_threads(kind == LIBRARY_SERIAL ? 1 : (int)qomp_icv_initial->nthreads);
	if (kind == LIBRARY_TURNAROUND)
		kmp_set_blocktime(INT_MAX);
}

int kmp_get_library(void)
{
	return (int)load_rlx(&library);
}

void kmp_set_library_serial(void)
{
	kmp_set_library(LIBRARY_SERIAL);
}

void kmp_set_library_turnaround(void)
{
	kmp_set_library(LIBRARY_TURNAROUND);
}

void kmp_set_library_throughput(void)
{
	kmp_set_library(LIBRARY_THROUGHPUT);
}

int kmp_get_num_known_threads(void)
{
	return __kmpc_global_num_threads(NULL);
}

/* --- stacks ---------------------------------------------------------------------------------------------- */

/* Before there are threads. */
void kmp_set_stacksize_s(size_t bytes)
{
	qomp_settings_set_stack(bytes);
}

void kmp_set_stacksize(int bytes)
{
	kmp_set_stacksize_s(bytes > 0 ? (size_t)bytes : 0);
}

size_t kmp_get_stacksize_s(void)
{
	return qomp_settings_known() && qomp_settings.stack_size ? qomp_settings.stack_size : QOMP_STACK_BYTES;
}

int kmp_get_stacksize(void)
{
	size_t bytes = kmp_get_stacksize_s();

	return bytes < INT_MAX ? (int)bytes : INT_MAX;
}

/* --- the rest -------------------------------------------------------------------------------------------- */

/* What has changed of the initial task's control variables changes for the calling task. */
static void icv_follow(struct qomp_icv *v, const struct qomp_icv *before, const struct qomp_icv *now)
{
	if (now->nthreads != before->nthreads)
		v->nthreads = now->nthreads;
	if (now->thread_limit != before->thread_limit)
		v->thread_limit = now->thread_limit;
	if (now->dynamic != before->dynamic)
		v->dynamic = now->dynamic;
	if (now->max_active_levels != before->max_active_levels)
		v->max_active_levels = now->max_active_levels;
	if (now->schedule != before->schedule || now->chunk != before->chunk || now->monotonic != before->monotonic) {
		v->schedule = now->schedule;
		v->chunk = now->chunk;
		v->monotonic = now->monotonic;
	}
}

static void setting_take(char *setting)
{
	char *value = strchr(setting, '=');

	if (!value)
		return;
	*value++ = '\0';
	qomp_settings_change(setting, value);
}

/* NAME=VALUE|NAME=VALUE, as if they were in the environment. */
void kmp_set_defaults(const char *settings)
{
	struct qomp_icv v = *qomp_frame()->icv, before = *qomp_icv_initial;
	char *copy = settings ? strdup(settings) : NULL, *save;

	if (!copy)
		return;
	for (char *one = strtok_r(copy, "|", &save); one; one = strtok_r(NULL, "|", &save))
		setting_take(one);
	free(copy);
	icv_follow(&v, &before, qomp_icv_initial);
	qomp_icv_set(&v);
	qomp_patience_set();
}

/* Nothing is in buffers. */
void kmp_set_disp_num_buffers(int n)
{
	(void)n;
}

void kmp_set_warnings_on(void)
{
	qomp_warn_set(true);
}

void kmp_set_warnings_off(void)
{
	qomp_warn_set(false);
}

#define C_FORM(name, of) extern __typeof__(of) name __attribute__((alias(#of))) QOMP_EXPORT
C_FORM(kmpc_set_blocktime, kmp_set_blocktime);
C_FORM(kmpc_set_library, kmp_set_library);
C_FORM(kmpc_set_stacksize, kmp_set_stacksize);
C_FORM(kmpc_set_stacksize_s, kmp_set_stacksize_s);
C_FORM(kmpc_set_defaults, kmp_set_defaults);
C_FORM(kmpc_set_disp_num_buffers, kmp_set_disp_num_buffers);

QOMP_FORTRAN_SAME(kmp_get_blocktime);
QOMP_FORTRAN_SAME(kmp_get_library);
QOMP_FORTRAN_SAME(kmp_set_library_serial);
QOMP_FORTRAN_SAME(kmp_set_library_turnaround);
QOMP_FORTRAN_SAME(kmp_set_library_throughput);
QOMP_FORTRAN_SAME(kmp_get_num_known_threads);
QOMP_FORTRAN_SAME(kmp_get_stacksize);
QOMP_FORTRAN_SAME(kmp_get_stacksize_s);
QOMP_FORTRAN_SAME(kmp_set_warnings_on);
QOMP_FORTRAN_SAME(kmp_set_warnings_off);

#define FORTRAN_INT(name) \
	QOMP_EXPORT void name##_(const int *n); \
	void name##_(const int *n) \
	{ \
		name(*n); \
	}
FORTRAN_INT(kmp_set_blocktime)
FORTRAN_INT(kmp_set_library)
FORTRAN_INT(kmp_set_stacksize)
FORTRAN_INT(kmp_set_disp_num_buffers)

QOMP_EXPORT void kmp_set_stacksize_s_(const size_t *bytes);
QOMP_EXPORT void kmp_set_defaults_(const char *settings, int length);

void kmp_set_stacksize_s_(const size_t *bytes)
{
	kmp_set_stacksize_s(*bytes);
}

void kmp_set_defaults_(const char *settings, int length)
{
	char *copy = strndup(settings, length > 0 ? (size_t)length : 0);

	kmp_set_defaults(copy);
	free(copy);
}
