/* test/unit/omp_names.c -- the Fortran names: arguments by reference, INTEGER*8 brought into range.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/allocator.h"
#include "omp/abi/api.h"
#include "omp/abi/device.h"
#include "omp/abi/memory.h"
#include "tap.h"

#include <stdbool.h>

#define BY_REFERENCE(type, name) type name##_(const int32_t *), name##_8_(const int64_t *)
BY_REFERENCE(extern void, omp_set_num_threads);
BY_REFERENCE(extern void, omp_set_dynamic);
BY_REFERENCE(extern void, omp_set_nested);
BY_REFERENCE(extern void, omp_set_max_active_levels);
BY_REFERENCE(extern void, omp_set_num_teams);
BY_REFERENCE(extern void, omp_set_teams_thread_limit);
BY_REFERENCE(extern int, omp_get_ancestor_thread_num);
BY_REFERENCE(extern int, omp_get_team_size);
extern void omp_get_schedule_(uint32_t *, int *);

/* The value of a variable after setting it by the name with a word of 32 or 64 bits. */
struct setter {
	const char *name;
	void (*set)(const int32_t *);
	void (*set_8)(const int64_t *);
	int (*get)(void);
	int most;                       /* what INT64_MAX comes to */
};

static const struct setter setters[] = {
	{ "omp_set_num_threads", omp_set_num_threads_, omp_set_num_threads_8_, omp_get_max_threads, INT_MAX },
	{ "omp_set_dynamic", omp_set_dynamic_, omp_set_dynamic_8_, omp_get_dynamic, 1 },
	{ "omp_set_nested", omp_set_nested_, omp_set_nested_8_, omp_get_nested, 1 },
	{ "omp_set_max_active_levels", omp_set_max_active_levels_, omp_set_max_active_levels_8_, omp_get_max_active_levels, 255 },
	{ "omp_set_num_teams", omp_set_num_teams_, omp_set_num_teams_8_, omp_get_max_teams, INT_MAX },
	{ "omp_set_teams_thread_limit", omp_set_teams_thread_limit_, omp_set_teams_thread_limit_8_, omp_get_teams_thread_limit,
	  INT_MAX },
	{ "omp_set_default_device", omp_set_default_device_, omp_set_default_device_8_, omp_get_default_device, INT_MAX },
};

enum { SETTERS = sizeof(setters) / sizeof(setters[0]) };

static void one_integer(const struct setter *s)
{
	static const int32_t one = 1;
	static const int64_t one_8 = 1, most = INT64_MAX;

	s->set(&one);
	is_int(s->get(), 1, "%s_ takes a reference", s->name);
	s->set_8(&most);
	is_int(s->get(), s->most, "%s_8_ brings what is out of range into it", s->name);
	s->set_8(&one_8);
	is_int(s->get(), 1, "and leaves alone what is not");
}

static void levels(void)
{
	static const int32_t zero = 0;
	static const int64_t far = INT64_C(1) << 32;    /* 0 if it were cut off */

	ok(omp_get_ancestor_thread_num_(&zero) == 0 && omp_get_team_size_(&zero) == 1, "the outermost level, by reference");
	ok(omp_get_ancestor_thread_num_8_(&far) == -1 && omp_get_team_size_8_(&far) == -1, "a level far out of range is none");
}

static void schedules(void)
{
	uint32_t kind = 3;
	int32_t chunk = 7;
	int64_t chunk_8 = INT64_C(1) << 40;

	omp_set_schedule_(&kind, &chunk);
	kind = 0, chunk = 0;
	omp_get_schedule_(&kind, &chunk);
	ok(kind == 3 && chunk == 7, "omp_set_schedule_ and omp_get_schedule_");
	omp_set_schedule_8_(&kind, &chunk_8);
	omp_get_schedule_8_(&kind, &chunk_8);
	ok(kind == 3 && chunk_8 == INT_MAX, "the same with INTEGER*8 out of range");
}

static void allocators(void)
{
	static const uintptr_t space = 0;
	static const int32_t n = 1;
	static const int64_t n_8 = 1;
	const struct qomp_trait align = { 2, 4096 };
	uintptr_t a = omp_init_allocator_(&space, &n, &align), b = omp_init_allocator_8_(&space, &n_8, &align);
	void *p = omp_alloc(1, a), *q = omp_alloc(1, b);

	ok(a && b && a != b && (uintptr_t)p % 4096 == 0 && (uintptr_t)q % 4096 == 0, "omp_init_allocator_ and its _8_ take traits");
	omp_set_default_allocator_(&a);
	ok(omp_get_default_allocator() == a, "omp_set_default_allocator_");
	omp_free(p, a);
	omp_free(q, b);
	omp_set_default_allocator(0);
	omp_destroy_allocator_(&a);
	omp_destroy_allocator_(&b);
}

int main(void)
{
	plan(3 * SETTERS + 6);
	for (unsigned i = 0; i < SETTERS; i++)
		one_integer(&setters[i]);
	levels();
	schedules();
	allocators();
	return done();
}
