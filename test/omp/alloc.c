/* test/omp/alloc.c -- omp_alloc and its kin: predefined allocators, traits, the allocate clause.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tasking.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static bool aligned(const void *p, uintptr_t to)
{
	return (uintptr_t)p % to == 0;
}

static bool zeroed(const unsigned char *p, size_t n)
{
	while (n > 0 && p[n - 1] == 0)
		n--;
	return n == 0;
}

/* What is written is still there when all are written. */
static bool usable(void *const *blocks, int n, size_t size)
{
	for (int i = 0; i < n; i++)
		memset(blocks[i], i + 1, size);
	for (int i = 0; i < n; i++)
		for (size_t k = 0; k < size; k++)
			if (((unsigned char *)blocks[i])[k] != i + 1)
				return false;
	return true;
}

static omp_allocator_handle_t made_with(int n, const omp_alloctrait_t *traits)
{
	return omp_init_allocator(omp_default_mem_space, n, traits);
}

/* --- predefined ----------------------------------------------------------------------------------------- */

static void predefined(void)
{
	void *blocks[9];
	int missing = 0, unaligned = 0;

	for (int a = 0; a <= 8; a++) {
		blocks[a] = omp_alloc(100, (omp_allocator_handle_t)a);
		missing += blocks[a] == NULL;
		unaligned += !aligned(blocks[a], _Alignof(max_align_t));
	}
	is_int(missing, 0, "omp_alloc: from each predefined allocator, and the default one");
	is_int(unaligned, 0, "omp_alloc: aligned for any type");
	ok(usable(blocks, 9, 100), "omp_alloc: blocks of their own");
	for (int a = 0; a <= 8; a++)
		omp_free(blocks[a], a % 2 ? (omp_allocator_handle_t)a : omp_null_allocator);
	omp_free(NULL, omp_default_mem_alloc);
	omp_free(NULL, omp_null_allocator);
}

static void too_much(void)
{
	volatile size_t huge = SIZE_MAX - 100, half = SIZE_MAX / 2 + 2;

	ok(!omp_alloc(huge, omp_default_mem_alloc) && !omp_aligned_alloc(4096, huge, omp_default_mem_alloc),
		"omp_alloc: NULL for more than there is");
	ok(!omp_calloc(half, 2, omp_default_mem_alloc) && !omp_aligned_calloc(64, 4, half, omp_default_mem_alloc),
		"omp_calloc: NULL for a product that is no size");
}

static void nothing(void)
{
	ok(!omp_alloc(0, omp_default_mem_alloc) && !omp_calloc(0, 4, omp_default_mem_alloc) &&
			!omp_calloc(4, 0, omp_default_mem_alloc) && !omp_aligned_alloc(64, 0, omp_default_mem_alloc),
		"omp_alloc and its kin: NULL for no bytes");
}

static void alignments(void)
{
	int unaligned = 0;

	for (size_t to = 1; to <= 65536; to *= 2) {
		unsigned char *p = omp_aligned_alloc(to, 3, omp_default_mem_alloc);
		unsigned char *q = omp_aligned_calloc(to, 5, 7, omp_high_bw_mem_alloc);
		if (!p || !q || !aligned(p, to) || !aligned(q, to) || !zeroed(q, 35))
			unaligned++;
		omp_free(p, omp_default_mem_alloc);
		omp_free(q, omp_high_bw_mem_alloc);
	}
	is_int(unaligned, 0, "omp_aligned_alloc, omp_aligned_calloc: from 1 to 65536 bytes");
}

static void zeros(void)
{
	int bad = 0;

	for (int round = 0; round < 20; round++) {
		unsigned char *p = omp_alloc(1000, omp_default_mem_alloc), *q;
		memset(p, 0xff, 1000);
		omp_free(p, omp_default_mem_alloc);
		q = omp_calloc(250, 4, omp_default_mem_alloc);
		bad += !q || !zeroed(q, 1000);
		omp_free(q, omp_default_mem_alloc);
	}
	is_int(bad, 0, "omp_calloc: zeros, in memory that was used before, too");
}

static void reallocation(void)
{
	char *p = omp_realloc(NULL, 20, omp_default_mem_alloc, omp_null_allocator);
	int bad = !p;

	strcpy(p, "some text");
	for (size_t n = 40; n < 1000000; n *= 3) {
		p = omp_realloc(p, n, omp_default_mem_alloc, omp_default_mem_alloc);
		bad += !p || strcmp(p, "some text") != 0;
		memset(p + 10, 'x', n - 10);
	}
	p = omp_realloc(p, 12, omp_large_cap_mem_alloc, omp_default_mem_alloc);
	bad += !p || memcmp(p, "some text\0x", 11) != 0;
	is_int(bad, 0, "omp_realloc: keeps what was there, larger, smaller, from another allocator");
	ok(omp_realloc(p, 0, omp_large_cap_mem_alloc, omp_large_cap_mem_alloc) == NULL,
		"omp_realloc: to no bytes frees");
}

/* --- traits --------------------------------------------------------------------------------------------- */

static void trait_alignment(void)
{
	const omp_alloctrait_t traits[] = { { omp_atk_alignment, 256 } };
	const omp_allocator_handle_t a = made_with(1, traits);
	void *blocks[20];
	int unaligned = 0;

	for (int i = 0; i < 20; i++) {
		blocks[i] = i % 2 ? omp_alloc(1 + i, a) : omp_calloc(1, 1 + i, a);
		unaligned += !blocks[i] || !aligned(blocks[i], 256);
	}
	void *wider = omp_aligned_alloc(1024, 10, a), *narrower = omp_aligned_alloc(8, 10, a);
	unaligned += !aligned(wider, 1024) + !aligned(narrower, 256);
	narrower = omp_realloc(narrower, 5000, a, a);
	unaligned += !aligned(narrower, 256);
	is_int(unaligned, 0, "omp_atk_alignment: of every block; the larger of it and what is asked for");
	for (int i = 0; i < 20; i++)
		omp_free(blocks[i], i % 3 ? a : omp_null_allocator);
	omp_free(wider, a);
	omp_free(narrower, a);
	omp_destroy_allocator(a);
}

static int fill(omp_allocator_handle_t a, void **blocks, int n, size_t size)
{
	int got = 0;

	for (int i = 0; i < n; i++) {
		blocks[i] = omp_alloc(size, a);
		got += blocks[i] != NULL;
	}
	return got;
}

static void trait_pool_size(void)
{
	const omp_alloctrait_t traits[] = { { omp_atk_pool_size, 10000 }, { omp_atk_fallback, omp_atv_null_fb } };
	const omp_allocator_handle_t a = made_with(2, traits);
	void *blocks[20];
	int first, again;

	first = fill(a, blocks, 20, 1000);
	ok(first >= 5 && first <= 10 && !blocks[19], "omp_atk_pool_size: no more than that; null_fb: NULL then");
	for (int i = 0; i < 20; i++)
		omp_free(blocks[i], a);
	again = fill(a, blocks, 20, 1000);
	is_int(again, first, "omp_atk_pool_size: as much again when all is freed");
	for (int i = 0; i < 20; i++)
		omp_free(blocks[i], a);
	void *p = omp_alloc(100, a), *q;
	p = omp_realloc(p, 6000, a, a);
	q = omp_realloc(p, 20000, a, a);
	ok(p && !q, "omp_realloc: within the pool's size");
	omp_free(p, a);
	ok(!omp_alloc(10000, a), "omp_atk_pool_size: nor at once, as a block takes more than what it is asked for");
	omp_destroy_allocator(a);
}

static void trait_fallback(void)
{
	const omp_alloctrait_t wide[] = { { omp_atk_alignment, 512 } };
	const omp_allocator_handle_t other = made_with(1, wide);
	const omp_alloctrait_t to_default[] = { { omp_atk_pool_size, 1000 },
		{ omp_atk_fallback, omp_atv_default_mem_fb } };
	const omp_alloctrait_t to_other[] = { { omp_atk_pool_size, 1000 }, { omp_atk_fallback, omp_atv_allocator_fb },
		{ omp_atk_fb_data, (omp_uintptr_t)other } };
	const omp_allocator_handle_t a = made_with(2, to_default), b = made_with(3, to_other);
	void *blocks[20];

	ok(fill(a, blocks, 20, 300) == 20 && usable(blocks, 20, 300),
		"omp_atv_default_mem_fb: goes on with the default one");
	for (int i = 0; i < 20; i++)
		omp_free(blocks[i], a);
	ok(fill(b, blocks, 20, 300) == 20 && aligned(blocks[19], 512) && usable(blocks, 20, 300),
		"omp_atv_allocator_fb: goes on with that allocator");
	for (int i = 0; i < 20; i++)
		omp_free(blocks[i], b);
	omp_destroy_allocator(a);
	omp_destroy_allocator(b);
	omp_destroy_allocator(other);
}

static bool accepts(omp_alloctrait_key_t key, omp_uintptr_t value)
{
	const omp_alloctrait_t traits[] = { { key, value } };
	const omp_allocator_handle_t a = made_with(1, traits);

	if (a != omp_null_allocator) {
		void *p = omp_alloc(64, a);
		omp_free(p, a);
		omp_destroy_allocator(a);
	}
	return a != omp_null_allocator;
}

static void accepted_and_not(void)
{
	ok(accepts(omp_atk_sync_hint, omp_atv_contended) && accepts(omp_atk_sync_hint, omp_atv_serialized) &&
			accepts(omp_atk_sync_hint, omp_atv_private) && accepts(omp_atk_access, omp_atv_all) &&
			accepts(omp_atk_access, omp_atv_thread) && accepts(omp_atk_access, omp_atv_pteam) &&
			accepts(omp_atk_access, omp_atv_cgroup),
		"omp_init_allocator: sync_hint, access");
	ok(accepts(omp_atk_partition, omp_atv_environment) && accepts(omp_atk_partition, omp_atv_nearest) &&
			accepts(omp_atk_partition, omp_atv_blocked) &&
			accepts(omp_atk_partition, omp_atv_interleaved) && accepts(omp_atk_pinned, omp_atv_false),
		"omp_init_allocator: partition, pinned");
	ok(accepts(omp_atk_alignment, omp_atv_default) && accepts(omp_atk_pool_size, omp_atv_default) &&
			accepts(omp_atk_fallback, omp_atv_default) && accepts(omp_atk_access, omp_atv_default),
		"omp_init_allocator: omp_atv_default");
	ok(!accepts(omp_atk_alignment, 3) && !accepts(omp_atk_alignment, 0) && !accepts(omp_atk_fallback, 99) &&
			!accepts(omp_atk_access, omp_atv_null_fb) && !accepts((omp_alloctrait_key_t)99, 0) &&
			!accepts(omp_atk_partition, omp_atv_all),
		"omp_init_allocator: no allocator for a trait that is none");
	ok(omp_init_allocator((omp_memspace_handle_t)77, 0, NULL) == omp_null_allocator,
		"omp_init_allocator: no allocator for a space that is none");
	const omp_allocator_handle_t other[] = { omp_init_allocator(omp_large_cap_mem_space, 0, NULL),
		omp_init_allocator(omp_const_mem_space, 0, NULL), omp_init_allocator(omp_low_lat_mem_space, 0, NULL) };
	ok(other[0] != omp_null_allocator && other[1] != omp_null_allocator && other[2] != omp_null_allocator,
		"omp_init_allocator: of other spaces");
	for (int i = 0; i < 3; i++)
		omp_destroy_allocator(other[i]);
	omp_destroy_allocator(omp_null_allocator);
}

static void as_the_default(void)
{
	const omp_alloctrait_t traits[] = { { omp_atk_alignment, 1024 } };
	const omp_allocator_handle_t a = made_with(1, traits);
	int wrong = 0;

	omp_set_default_allocator(a);
#pragma omp parallel num_threads(2)
	{
		void *p = omp_alloc(10, omp_null_allocator);
		if (omp_get_default_allocator() != a || !aligned(p, 1024))
			bump(&wrong);
		omp_free(p, omp_null_allocator);
		omp_set_default_allocator(omp_default_mem_alloc);
	}
	wrong += omp_get_default_allocator() != a;
	omp_set_default_allocator(omp_default_mem_alloc);
	omp_destroy_allocator(a);
	is_int(wrong, 0, "omp_set_default_allocator: used where none is named; a setting of each task");
}

/* --- by several ----------------------------------------------------------------------------------------- */

static void shared_by_tasks(void)
{
	const omp_alloctrait_t traits[] = { { omp_atk_pool_size, 1 << 20 }, { omp_atk_fallback, omp_atv_null_fb },
		{ omp_atk_alignment, 64 } };
	const omp_allocator_handle_t a = made_with(3, traits);
	int wrong = 0, first, again;
	void *blocks[20];

	first = fill(a, blocks, 20, 100000);
	for (int i = 0; i < 20; i++)
		omp_free(blocks[i], a);
#pragma omp parallel
	for (int i = 0; i < 100; i++) {
#pragma omp task
		{
			int *p = omp_alloc(400, a);
			if (!p || !aligned(p, 64))
				bump(&wrong);
			for (int k = 0; p && k < 100; k++)
				p[k] = i;
#pragma omp taskyield
			p = omp_realloc(p, 800, a, a);
			for (int k = 0; p && k < 100; k++)
				if (p[k] != i)
					bump(&wrong);
			omp_free(p, a);
		}
	}
	again = fill(a, blocks, 20, 100000);
	for (int i = 0; i < 20; i++)
		omp_free(blocks[i], a);
	omp_destroy_allocator(a);
	is_int(wrong, 0, "omp_alloc: by many tasks from one allocator");
	is_int(again, first, "omp_atk_pool_size: many tasks have given back what they took");
}

/* clang keeps a task's copies in the task's own memory, whatever its allocate clause says. */
#ifdef __clang__
enum { TASK_ALLOCATES = 0 };
#else
enum { TASK_ALLOCATES = 1 };
#endif

static void allocate_clause(void)
{
	const omp_alloctrait_t traits[] = { { omp_atk_alignment, 128 } };
	const omp_allocator_handle_t a = made_with(1, traits);
	int row[50], scalar = 4, wrong = 0, members = 0, sum = 0;

	for (int i = 0; i < 50; i++)
		row[i] = i;
#pragma omp parallel firstprivate(row) private(scalar) allocate(a: row) allocate(omp_low_lat_mem_alloc: scalar) \
	reduction(+ : sum) allocate(omp_default_mem_alloc: sum) num_threads(3)
	{
		bump(&members);
		scalar = omp_get_thread_num();
		sum = scalar + 1;
		if (!aligned(row, 128) || row[49] != 49)
			bump(&wrong);
		row[49] = -scalar;
#pragma omp barrier
		if (row[49] != -scalar || scalar != omp_get_thread_num())
			bump(&wrong);
#pragma omp task firstprivate(row) allocate(a: row)
		if ((TASK_ALLOCATES && !aligned(row, 128)) || row[48] != 48)
			bump(&wrong);
	}
	ok(wrong == 0 && members == 3 && sum == 6, "parallel, task allocate(): private copies from those allocators");
	omp_destroy_allocator(a);
}

int main(void)
{
	plan(27);
	predefined();
	nothing();
	too_much();
	alignments();
	zeros();
	reallocation();
	trait_alignment();
	trait_pool_size();
	trait_fallback();
	accepted_and_not();
	as_the_default();
	shared_by_tasks();
	allocate_clause();
	return done();
}
