/* omp/abi/kmp_omp.c -- OpenMP's routines under the names of LLVM's and Intel's <omp.h>, and those that libgomp has not.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/api.h"
#include "omp/tool/tell.h"
#include "omp/abi/api_affinity.h"
#include "omp/abi/device.h"
#include "omp/abi/kmpc_lock.h"
#include "omp/abi/kmpc_tasking.h"
#include "omp/team/standing.h"

/* --- C's, where libomp has Fortran's under the plain name ------------------------------------------------- */

#pragma GCC visibility push(default)
void ompc_set_num_threads(int n);
void ompc_set_dynamic(int dynamic);
void ompc_set_nested(int nested);
void ompc_set_max_active_levels(int levels);
void ompc_set_schedule(int kind, int chunk);
int ompc_get_ancestor_thread_num(int level);
int ompc_get_team_size(int level);
void ompc_set_affinity_format(const char *format);
size_t ompc_get_affinity_format(char *buffer, size_t size);
void ompc_display_affinity(const char *format);
size_t ompc_capture_affinity(char *buffer, size_t size, const char *format);

void omp_init_lock_with_hint(void **lock, int hint);
void omp_init_lock_with_hint_(void **lock, const int *hint);
void omp_init_nest_lock_with_hint(void **lock, int hint);
void omp_init_nest_lock_with_hint_(void **lock, const int *hint);
int omp_control_tool(int command, int modifier, void *arg);
int omp_control_tool_(const int *command, const int *modifier, void *arg);
int omp_get_num_interop_properties_(const void *interop);
intptr_t omp_get_interop_int_(const void *interop, int property, int *rc);
void *omp_get_interop_ptr_(const void *interop, int property, int *rc);
int kmp_get_cancellation_status_(const int *kind);
#pragma GCC visibility pop

void ompc_set_num_threads(int n)
{
	omp_set_num_threads(n);
}

void ompc_set_dynamic(int dynamic)
{
	omp_set_dynamic(dynamic);
}

void ompc_set_nested(int nested)
{
	omp_set_nested(nested);
}

void ompc_set_max_active_levels(int levels)
{
	omp_set_max_active_levels(levels);
}

void ompc_set_schedule(int kind, int chunk)
{
	omp_set_schedule((uint32_t)kind, chunk);
}

int ompc_get_ancestor_thread_num(int level)
{
	return omp_get_ancestor_thread_num(level);
}

int ompc_get_team_size(int level)
{
	return omp_get_team_size(level);
}

void ompc_set_affinity_format(const char *format)
{
	omp_set_affinity_format(format);
}

size_t ompc_get_affinity_format(char *buffer, size_t size)
{
	return omp_get_affinity_format(buffer, size);
}

void ompc_display_affinity(const char *format)
{
	omp_display_affinity(format);
}

size_t ompc_capture_affinity(char *buffer, size_t size, const char *format)
{
	return omp_capture_affinity(buffer, size, format);
}

/* --- locks: one kind does for all hints ------------------------------------------------------------------- */

void omp_init_lock_with_hint(void **lock, int hint)
{
	__kmpc_init_lock_with_hint(NULL, 0, lock, (uintptr_t)hint);
}

void omp_init_lock_with_hint_(void **lock, const int *hint)
{
	omp_init_lock_with_hint(lock, *hint);
}

void omp_init_nest_lock_with_hint(void **lock, int hint)
{
	__kmpc_init_nest_lock_with_hint(NULL, 0, lock, (uintptr_t)hint);
}

void omp_init_nest_lock_with_hint_(void **lock, const int *hint)
{
	omp_init_nest_lock_with_hint(lock, *hint);
}

/* --- tools, devices --------------------------------------------------------------------------------------- */

enum { NO_TOOL = -2 };

static int control(int command, int modifier, void *arg)
{
	return qomp_tool_here() ? qomp_tell_control((uint64_t)command, (uint64_t)modifier, arg) : NO_TOOL;
}

int omp_control_tool(int command, int modifier, void *arg)
{
	qomp_tool_called();
	return control(command, modifier, arg);
}

int omp_control_tool_(const int *command, const int *modifier, void *arg)
{
	qomp_tool_called();
	return control(*command, *modifier, arg);
}

/* By value, as in libomp. */

int omp_get_num_interop_properties_(const void *interop)
{
	return omp_get_num_interop_properties(interop);
}

intptr_t omp_get_interop_int_(const void *interop, int property, int *rc)
{
	return omp_get_interop_int(interop, property, rc);
}

void *omp_get_interop_ptr_(const void *interop, int property, int *rc)
{
	return omp_get_interop_ptr(interop, property, rc);
}

int kmp_get_cancellation_status_(const int *kind)
{
	return kmp_get_cancellation_status(*kind);
}
