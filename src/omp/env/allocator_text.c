/* omp/env/allocator_text.c -- see omp/env/allocator_text.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/env/allocator_text.h"

#include "omp/env/allocator.h"
#include "omp/env/text.h"
#include "omp/env/variables.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* By omp_memspace_handle_t.  The predefined allocator of a space has the next number. */
static const char *const spaces[] = {
	"omp_default_mem_space", "omp_large_cap_mem_space", "omp_const_mem_space", "omp_high_bw_mem_space",
	"omp_low_lat_mem_space", NULL,
};

static const char *const names[] = {
	"sync_hint", "alignment", "access", "pool_size", "fallback", "fb_data", "pinned", "partition", NULL,
};

enum { MOST_VALUES = 4 };

/* By key, less one.  A trait without words has a number or, fb_data, a predefined allocator. */
static const struct {
	uintptr_t first;                /* of omp_alloctrait_value_t; the words follow in its order */
	const char *words[MOST_VALUES + 1];
} values[] = {
	[QOMP_TRAIT_SYNC_HINT - 1] = { 3, { "contended", "uncontended", "serialized", "private", NULL } },
	[QOMP_TRAIT_ACCESS - 1] = { 7, { "all", "cgroup", "pteam", "thread", NULL } },
	[QOMP_TRAIT_FALLBACK - 1] = { 11, { "default_mem_fb", "null_fb", "abort_fb", "allocator_fb", NULL } },
	[QOMP_TRAIT_PINNED - 1] = { 0, { "false", "true", NULL } },
	[QOMP_TRAIT_PARTITION - 1] = { 15, { "environment", "nearest", "blocked", "interleaved", NULL } },
};

static bool read_value(const char **text, struct qomp_trait *t)
{
	uint64_t n = 0;
	int which;

	switch (t->key) {
	case QOMP_TRAIT_ALIGNMENT:
	case QOMP_TRAIT_POOL_SIZE:
		if (!qomp_read_number(text, SIZE_MAX, &n) || n == 0)
			return false;
		t->value = n;
		return true;
	case QOMP_TRAIT_FALLBACK_ALLOCATOR:
		which = qomp_read_one_of(text, qomp_allocator_words);
		t->value = (uintptr_t)which + 1;
		return which >= 0;
	default:
		which = qomp_read_one_of(text, values[t->key - 1].words);
		t->value = values[t->key - 1].first + (uintptr_t)which;
		return which >= 0;
	}
}

/* The characters up to the comma behind them. */
static int item_length(const char *item)
{
	return (int)strcspn(item, ",");
}

static bool read_trait(const char **text, struct qomp_trait *t, char *wrong, size_t size)
{
	const char *item = *text;
	int which = qomp_read_one_of(text, names);

	if (which < 0 || !qomp_read_char(text, '=')) {
		snprintf(wrong, size, "\"%.*s\" does not begin with the name of a trait and =", item_length(item),
			item);
		return false;
	}
	t->key = (uint32_t)which + 1;
	if (!read_value(text, t) || (**text != ',' && !qomp_read_end(*text))) {
		snprintf(wrong, size, "\"%.*s\" has no value of that trait", item_length(item), item);
		return false;
	}
	if (qomp_allocator_can(t))
		return true;
	snprintf(wrong, size, "\"%.*s\" cannot be had", item_length(item), item);
	return false;
}

static uintptr_t read_traits(const char *text, uintptr_t space, char *wrong, size_t size)
{
	struct qomp_trait t[sizeof(values) / sizeof(values[0])];
	int n = 0;

	do {
		struct qomp_trait next;
		int i = 0;

		if (!read_trait(&text, &next, wrong, size))
			return 0;
		while (i < n && t[i].key != next.key)
			i++;
		t[i] = next;            /* the last of several counts */
		n += i == n;
	} while (qomp_read_char(&text, ','));

	uintptr_t handle = qomp_allocator_make(space, n, t);
	if (handle == 0)
		snprintf(wrong, size, "%s cannot be had with traits", spaces[space]);
	return handle;
}

uintptr_t qomp_allocator_read(const char *text, char *wrong, size_t size)
{
	int which = qomp_read_one_of(&text, qomp_allocator_words);

	wrong[0] = '\0';
	if (which >= 0 && *text == ':')
		snprintf(wrong, size, "only a memory space can have traits");
	if (which >= 0)
		return qomp_read_end(text) ? (uintptr_t)which + 1 : 0;
	which = qomp_read_one_of(&text, spaces);
	if (which < 0)
		return 0;
	if (qomp_read_char(&text, ':'))
		return read_traits(text, (uintptr_t)which, wrong, size);
	return qomp_read_end(text) ? (uintptr_t)which + 1 : 0;
}
