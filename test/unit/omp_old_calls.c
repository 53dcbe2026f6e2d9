/* test/unit/omp_old_calls.c -- what no compiler at hand makes: GCC's calls of before and what it may yet make of loops,
 * Fortran's forms of routines, C's forms of LLVM's.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/atomic.h"
#include "omp/abi/api.h"
#include "omp/abi/api_affinity.h"
#include "omp/abi/api_places.h"
#include "omp/abi/device.h"
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_share.h"
#include "omp/abi/kmpc_region.h"
#include "omp/abi/memory.h"
#include "tap.h"

#include <string.h>

enum { THREADS = 3, COUNT = 100 };

static uint32_t met[COUNT], others;

static void begin(void)
{
	memset(met, 0, sizeof(met));
	others = 0;
}

static bool each_once(void)
{
	for (int i = 0; i < COUNT; i++)
		if (met[i] != 1)
			return false;
	return true;
}

static void meet(long from, long to)
{
	for (long i = from; i < to; i++)
		add_rlx(&met[i], 1);
}

/* --- GCC's, before 4.9 ------------------------------------------------------------------------------------ */

static void count_member(void *unused)
{
	(void)unused;
	add_rlx(&others, 1);
}

#define LOOP_MEMBER(kind) \
	static void kind##_member(void *unused) \
	{ \
		long from, to; \
\
		(void)unused; \
		while (GOMP_loop_##kind##_next(&from, &to)) \
			meet(from, to); \
		GOMP_loop_end_nowait(); \
	}

LOOP_MEMBER(static)
LOOP_MEMBER(dynamic)
LOOP_MEMBER(guided)
LOOP_MEMBER(runtime)

static void sections_member(void *unused)
{
	(void)unused;
	for (unsigned i; (i = GOMP_sections_next()) != 0;)
		add_rlx(&met[i - 1], 1);
	GOMP_sections_end_nowait();
}

static void parallel_starts(void)
{
	bool good = true;

	begin();
	GOMP_parallel_start(count_member, NULL, THREADS);
	count_member(NULL);
	GOMP_parallel_end();
	is_int(others, THREADS, "GOMP_parallel_start, GOMP_parallel_end");
#define LOOP(kind, ...) \
	begin(); \
	GOMP_parallel_loop_##kind##_start(kind##_member, NULL, THREADS, 0, COUNT, 1 __VA_ARGS__); \
	kind##_member(NULL); \
	GOMP_parallel_end(); \
	good = each_once() && good
	LOOP(static, , 7);
	LOOP(dynamic, , 7);
	LOOP(guided, , 7);
	LOOP(runtime);
	ok(good, "GOMP_parallel_loop_static_start, _dynamic_, _guided_, _runtime_");
	begin();
	GOMP_parallel_loop_static(static_member, NULL, THREADS, 0, COUNT, 1, 9, 0);
	ok(each_once(), "GOMP_parallel_loop_static");
	begin();
	GOMP_parallel_sections_start(sections_member, NULL, THREADS, COUNT);
	sections_member(NULL);
	GOMP_parallel_end();
	ok(each_once(), "GOMP_parallel_sections_start");
}

/* --- loops with more to agree on -------------------------------------------------------------------------- */

enum { SCHEDULE_DYNAMIC = 2 };

#define GENERAL_MEMBER(name, type, start, next) \
	static void name(void *unused) \
	{ \
		type from, to; \
\
		(void)unused; \
		if (start) \
			do \
				meet((long)from, (long)to); \
			while (next(&from, &to)); \
		GOMP_loop_end(); \
	}

static void ordered_one(long i)
{
	GOMP_ordered_start();
	if (others != (uint32_t)i)
		met[0]++;
	others++;
	GOMP_ordered_end();
}

#define ORDERED_MEMBER(name, type, start, next) \
	static void name(void *unused) \
	{ \
		type from, to; \
\
		(void)unused; \
		if (start) \
			do \
				for (type i = from; i < to; i++) \
					ordered_one((long)i); \
			while (next(&from, &to)); \
		GOMP_loop_end(); \
	}

static long counts[1] = { COUNT };
static gomp_ull ull_counts[1] = { COUNT };

GENERAL_MEMBER(ull_start, gomp_ull, GOMP_loop_ull_start(true, 0, COUNT, 1, SCHEDULE_DYNAMIC, 3, &from, &to, NULL, NULL),
	GOMP_loop_ull_dynamic_next)
GENERAL_MEMBER(doacross_start, long, GOMP_loop_doacross_start(1, counts, SCHEDULE_DYNAMIC, 3, &from, &to, NULL, NULL),
	GOMP_loop_dynamic_next)
GENERAL_MEMBER(ull_doacross_start, gomp_ull,
	GOMP_loop_ull_doacross_start(1, ull_counts, SCHEDULE_DYNAMIC, 3, &from, &to, NULL, NULL), GOMP_loop_ull_dynamic_next)
ORDERED_MEMBER(ordered_start, long, GOMP_loop_ordered_start(0, COUNT, 1, SCHEDULE_DYNAMIC, 3, &from, &to, NULL, NULL),
	GOMP_loop_ordered_dynamic_next)
ORDERED_MEMBER(ull_ordered_start, gomp_ull,
	GOMP_loop_ull_ordered_start(true, 0, COUNT, 1, SCHEDULE_DYNAMIC, 3, &from, &to, NULL, NULL), GOMP_loop_ull_ordered_dynamic_next)

static void cancel_end(void *unused)
{
	long from, to;

	(void)unused;
	if (GOMP_loop_dynamic_start(0, COUNT, 1, 5, &from, &to))
		do
			meet(from, to);
		while (GOMP_loop_dynamic_next(&from, &to));
	if (!GOMP_loop_end_cancel())
		add_rlx(&others, 1);
}

static bool covers(void (*member)(void *))
{
	begin();
	GOMP_parallel(member, NULL, THREADS, 0);
	return each_once();
}

static bool ordered_by(void (*member)(void *))
{
	begin();
	GOMP_parallel(member, NULL, THREADS, 0);
	return met[0] == 0 && others == COUNT;
}

static void general_loops(void)
{
	ok(covers(ull_start), "GOMP_loop_ull_start");
	ok(covers(doacross_start) && covers(ull_doacross_start), "GOMP_loop_doacross_start, GOMP_loop_ull_doacross_start");
	ok(ordered_by(ordered_start) && ordered_by(ull_ordered_start), "GOMP_loop_ordered_start, GOMP_loop_ull_ordered_start");
	ok(covers(cancel_end) && others == THREADS, "GOMP_loop_end_cancel: nobody has cancelled");
}

/* --- devices, which there are not -------------------------------------------------------------------------- */

static void note_target(void *unused)
{
	(void)unused;
	others += 1 + 10 * (uint32_t)omp_get_num_teams();
}

static void targets(void)
{
	begin();
	GOMP_target(-1, note_target, NULL, 0, NULL, NULL, NULL);
	GOMP_target_data(-1, NULL, 0, NULL, NULL, NULL);
	GOMP_target_update(-1, NULL, 0, NULL, NULL, NULL);
	GOMP_target_end_data();
	is_int(others, 11, "GOMP_target: runs here; GOMP_target_data, GOMP_target_update: nothing");
	GOMP_teams(0, 0);
	is_int(omp_get_num_teams(), 1, "GOMP_teams: one team");
	ok(GOMP_target_map_indirect_ptr(&others) == &others, "GOMP_target_map_indirect_ptr: host's and device's are the same");
	GOMP_offload_register(NULL, 0, NULL);
	GOMP_offload_unregister(NULL, 0, NULL);
	GOMP_offload_register_ver(0, NULL, 0, NULL);
	GOMP_offload_unregister_ver(0, NULL, 0, NULL);
	ok(__kmpc_pause_resource(0) == omp_pause_resource_all(0) && __kmpc_get_target_offload() == 1 && !__kmpc_omp_has_task_team(0) &&
	   !__kmpc_omp_get_target_async_handle_ptr(0), "what libomptarget asks");
	ok(__kmpc_get_taskid() != 0 && __kmpc_get_parent_taskid() == 0, "__kmpc_get_taskid: the initial task has no parent");
}

/* --- other forms of routines -------------------------------------------------------------------------------- */

/* Without an argument, or with a reference, both forms are one. */
#define SAME(type, name) \
	{ \
		extern type name##_(void); \
		if (name##_() != name()) \
			diag("%s", #name); \
		else \
			same++; \
	}

static void fortran_queries(void)
{
	unsigned same = 0;

	SAME(int, omp_get_default_device)
	SAME(int, omp_get_device_num)
	SAME(int, omp_get_initial_device)
	SAME(int, omp_get_max_teams)
	SAME(int, omp_get_nested)
	SAME(int, omp_get_num_places)
	SAME(int, omp_get_partition_num_places)
	SAME(int, omp_get_place_num)
	SAME(int, omp_get_supported_active_levels)
	SAME(int, omp_get_teams_thread_limit)
	SAME(int, omp_in_explicit_task)
	SAME(uintptr_t, omp_get_default_allocator)
	is_int(same, 12, "Fortran's omp_get_default_device and others without arguments");
}

extern void omp_display_env_(const int32_t *verbose), omp_display_env_8_(const int64_t *verbose);

static void fortran_places(void)
{
	const int32_t none = -1, soft = 1, host = omp_get_initial_device();
	const int64_t none_8 = -1;
	int32_t ids[64];
	int64_t ids_8[64], brief = 0;

	diag("two blocks of settings that this test wants:");
	omp_display_env_(&(int32_t){ 0 });
	omp_display_env_8_(&brief);
	omp_get_partition_place_nums_(ids);
	omp_get_partition_place_nums_8_(ids_8);
	omp_get_place_proc_ids_(&none, ids);
	omp_get_place_proc_ids_8_(&none_8, ids_8);
	ok(omp_get_place_num_procs_(&none) == 0 && omp_get_place_num_procs_8_(&none_8) == 0, "Fortran's routines about places");
	ok(omp_pause_resource_(&soft, &host) == 0 && omp_pause_resource_all_(&soft) == 0, "Fortran's omp_pause_resource");
}

extern void ompc_set_num_threads(int n), ompc_set_dynamic(int dynamic), ompc_set_nested(int nested), ompc_set_max_active_levels(int n),
	ompc_set_schedule(int kind, int chunk), ompc_set_affinity_format(const char *format), ompc_display_affinity(const char *format);
extern int ompc_get_ancestor_thread_num(int level), ompc_get_team_size(int level);
extern size_t ompc_get_affinity_format(char *buffer, size_t size), ompc_capture_affinity(char *buffer, size_t size, const char *format);
extern int omp_control_tool(int command, int modifier, void *arg), omp_control_tool_(const int *command, const int *modifier, void *arg);
extern void omp_init_lock_with_hint(void **lock, int hint), omp_init_lock_with_hint_(void **lock, const int *hint);
extern void omp_init_nest_lock_with_hint(void **lock, int hint), omp_init_nest_lock_with_hint_(void **lock, const int *hint);
extern int omp_get_num_interop_properties_(const void *interop);
extern intptr_t omp_get_interop_int_(const void *interop, int property, int *rc);
extern void *omp_get_interop_ptr_(const void *interop, int property, int *rc);

static void forms_of_c(void)
{
	char format[50] = "", line[50] = "";
	uint32_t kind;
	int chunk, hint = 1, rc = 0, before = omp_get_max_threads();

	ompc_set_num_threads(2);
	ompc_set_dynamic(1);
	ompc_set_nested(1);
	ompc_set_max_active_levels(3);
	ompc_set_schedule(2, 17);
	omp_get_schedule(&kind, &chunk);
	ok(omp_get_max_threads() == 2 && omp_get_dynamic() && omp_get_max_active_levels() == 3 && chunk == 17,
	   "ompc_set_num_threads, _dynamic, _nested, _max_active_levels, _schedule");
	ompc_set_dynamic(0);
	ompc_set_num_threads(before);
	ok(ompc_get_ancestor_thread_num(0) == 0 && ompc_get_team_size(0) == 1, "ompc_get_ancestor_thread_num, ompc_get_team_size");
	ompc_set_affinity_format("# %n");
	ompc_get_affinity_format(format, sizeof(format));
	ompc_capture_affinity(line, sizeof(line), NULL);
	ompc_display_affinity("# thread %n, which this test wants to see");
	ok(strcmp(format, "# %n") == 0 && strcmp(line, "# 0") == 0, "ompc_set_affinity_format, _get_, ompc_capture_affinity");
	uint64_t lock[4] = { ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0) };
	omp_init_lock_with_hint((void **)&lock[0], hint);
	omp_init_lock_with_hint_((void **)&lock[1], &hint);
	omp_init_nest_lock_with_hint((void **)&lock[2], hint);
	omp_init_nest_lock_with_hint_((void **)&lock[3], &hint);
	ok((uint32_t)lock[0] == 0 && (uint32_t)lock[1] == 0 && lock[2] == 0 && lock[3] == 0, "omp_init_lock_with_hint: a free lock");
	ok(omp_control_tool(1, 0, NULL) == -2 && omp_control_tool_(&hint, &rc, NULL) == -2, "omp_control_tool: there is no tool");
	ok(omp_get_num_interop_properties_(NULL) == omp_get_num_interop_properties(NULL) && omp_get_interop_int_(NULL, -1, &rc) == 0 &&
	   !omp_get_interop_ptr_(NULL, -1, &rc), "Fortran's routines about interop objects");
}

int main(void)
{
	plan(4 + 4 + 5 + 1 + 2 + 6);
	parallel_starts();
	general_loops();
	targets();
	fortran_queries();
	fortran_places();
	forms_of_c();
	return done();
}
