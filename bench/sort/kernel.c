/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What all versions of bench/sort do, with or without tasks. */
#include "sort/sort.h"

#include <string.h>

enum { INSERTION = 16 };

static void insertion_sort(uint32_t *a, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const uint32_t v = a[i];
		size_t j = i;
		for (; j > 0 && a[j - 1] > v; j--)
			a[j] = a[j - 1];
		a[j] = v;
	}
}

static uint32_t median(uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/* Hoare's partition; the shorter part by recursion. */
static void quicksort(uint32_t *a, size_t n)
{
	while (n > INSERTION) {
		const uint32_t pivot = median(a[0], a[n / 2], a[n - 1]);
		size_t i = 0, j = n - 1;
		for (;; i++, j--) {
			while (a[i] < pivot)
				i++;
			while (a[j] > pivot)
				j--;
			if (i >= j)
				break;
			const uint32_t v = a[i];
			a[i] = a[j];
			a[j] = v;
		}
		const size_t low = j + 1, high = n - low;
		quicksort(low < high ? a : a + low, low < high ? low : high);
		a += low < high ? low : 0;
		n = low < high ? high : low;
	}
	insertion_sort(a, n);
}

void sort_merge_serial(const struct sort_merge *m)
{
	const uint32_t *x = m->x, *y = m->y, *const x_end = x + m->nx, *const y_end = y + m->ny;
	uint32_t *out = m->out;

	/* No branch depends on the numbers. */
	while (x < x_end && y < y_end) {
		const bool second = *y < *x;
		*out++ = second ? *y : *x;
		y += second;
		x += !second;
	}
	memcpy(out, x, (size_t)(x_end - x) * sizeof(*x));
	memcpy(out + (x_end - x), y, (size_t)(y_end - y) * sizeof(*y));
}

struct sort_range sort_quarter(const struct sort_range *r, unsigned i)
{
	const size_t quarter = r->n / 4, at = i * quarter;

	return (struct sort_range){ .a = r->a + at, .spare = r->spare + at, .n = i < 3 ? quarter : r->n - at };
}

struct sort_merge sort_pair(const struct sort_range *r, unsigned i)
{
	const struct sort_range x = sort_quarter(r, 2 * i), y = sort_quarter(r, 2 * i + 1);

	return (struct sort_merge){ .x = x.a, .nx = x.n, .y = y.a, .ny = y.n, .out = x.spare };
}

struct sort_merge sort_halves(const struct sort_range *r)
{
	const size_t half = r->n / 4 * 2;

	return (struct sort_merge){ .x = r->spare, .nx = half, .y = r->spare + half, .ny = r->n - half, .out = r->a };
}

void sort_serial(const struct sort_range *r)
{
	if (r->n <= SORT_LEAF) {
		quicksort(r->a, r->n);
		return;
	}
	for (unsigned i = 0; i < 4; i++) {
		const struct sort_range quarter = sort_quarter(r, i);
		sort_serial(&quarter);
	}
	for (unsigned i = 0; i < 2; i++) {
		const struct sort_merge pair = sort_pair(r, i);
		sort_merge_serial(&pair);
	}
	const struct sort_merge halves = sort_halves(r);
	sort_merge_serial(&halves);
}

/* First place in a, sorted, whose number is not below v. */
static size_t lower_bound(const uint32_t *a, size_t n, uint32_t v)
{
	size_t low = 0;

	while (n > 0) {
		const size_t half = n / 2;
		if (a[low + half] < v) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

void sort_divide(const struct sort_merge *m, struct sort_merge *low, struct sort_merge *high)
{
	const bool swap = m->nx < m->ny;
	const uint32_t *const x = swap ? m->y : m->x, *const y = swap ? m->x : m->y;
	const size_t nx = swap ? m->ny : m->nx, ny = swap ? m->nx : m->ny;
	const size_t i = nx / 2, j = lower_bound(y, ny, x[i]);

	*low = (struct sort_merge){ .x = x, .nx = i, .y = y, .ny = j, .out = m->out };
	*high = (struct sort_merge){ .x = x + i, .nx = nx - i, .y = y + j, .ny = ny - j, .out = m->out + i + j };
}
