/* test/api/wavefront.c -- grids are computed cell by cell, in the order of their dependences, with the serial result.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/wavefront.h>

#include <string.h>
#include <unistd.h>

enum { CHECKS_PER_RUN = 9, OTHER_CHECKS = 10 };

/* The result depends on every neighbour and on each one's role. */
static void mix(void const *restrict left, void const *restrict leftdown, void const *restrict down, void *restrict out)
{
	const unsigned l = *(const unsigned *)left, ld = *(const unsigned *)leftdown, d = *(const unsigned *)down;

	*(unsigned *)out = 3 * l + 5 * ld + 7 * d + (l ^ d >> 3) + 1;
}

/* A grid of integers with a border that would show a write outside. */
struct grid {
	size_t cols, rows;
	int **column;
};

static struct grid grid_make(size_t cols, size_t rows)
{
	struct grid g = { cols, rows, malloc(cols * sizeof(*g.column)) };

	for (size_t c = 0; c < cols; c++) {
		g.column[c] = calloc(rows + 1, sizeof(int));
		g.column[c][0] = (int)(17 * c + 1);
		g.column[c][rows] = -5;
	}
	for (size_t r = 1; r < rows; r++)
		g.column[0][r] = (int)(29 * r + 3);
	return g;
}

static void grid_free(struct grid *g)
{
	for (size_t c = 0; c < g->cols; c++)
		free(g->column[c]);
	free(g->column);
}

static void grid_serial(struct grid *g)
{
	for (size_t c = 1; c < g->cols; c++)
		for (size_t r = 1; r < g->rows; r++)
			mix(&g->column[c - 1][r], &g->column[c - 1][r - 1], &g->column[c][r - 1], &g->column[c][r]);
}

static bool basic_right(size_t cols, size_t rows)
{
	struct grid got = grid_make(cols, rows), want = grid_make(cols, rows);
	bool right = true;

	qt_basic_wavefront(got.column, cols, rows, mix);
	grid_serial(&want);
	for (size_t c = 0; c < cols; c++)
		right = right && memcmp(got.column[c], want.column[c], (rows + 1) * sizeof(int)) == 0;
	grid_free(&got);
	grid_free(&want);
	return right;
}

static const size_t sides[][2] = { { 2, 2 }, { 2, 300 }, { 300, 2 }, { 1, 50 }, { 50, 1 }, { 3, 9 }, { 64, 64 },
	{ 65, 33 }, { 130, 201 } };

enum { SIDES = sizeof(sides) / sizeof(sides[0]) };

static void qt_basic_wavefront_computes(const char *what)
{
	bool right = true;

	for (int s = 0; s < SIDES; s++)
		right = basic_right(sides[s][0], sides[s][1]) && right;
	ok(right, "%s: qt_basic_wavefront gives the serial result", what);
	ok(basic_right(every_is_slow() ? 150 : 1100, every_is_slow() ? 90 : 700),
		"%s: qt_basic_wavefront of a large grid", what);
}

/* Cells that wait: each for a word that another task fills, some time. */
static aligned_t open_late;

static void mix_late(void const *restrict left, void const *restrict leftdown, void const *restrict down,
	void *restrict out)
{
	qthread_readFF(NULL, &open_late);
	if (*(unsigned *)left % 16 == 0)
		qthread_yield();
	mix(left, leftdown, down, out);
}

static aligned_t open_it(void *unused)
{
	(void)unused;
	qthread_fill(&open_late);
	return 0;
}

static void cells_may_block(const char *what)
{
	struct grid got = grid_make(60, 70), want = grid_make(60, 70);
	bool right = true;

	qthread_empty(&open_late);
	qthread_fork(open_it, NULL, NULL);
	qt_basic_wavefront(got.column, 60, 70, mix_late);
	grid_serial(&want);
	for (size_t c = 0; c < 60; c++)
		right = right && memcmp(got.column[c], want.column[c], 71 * sizeof(int)) == 0;
	ok(right, "%s: qt_basic_wavefront: cells may wait and yield", what);
	grid_free(&got);
	grid_free(&want);
}

/* ---- Lattices: the edit distance of two strings (R. A. Wagner, M. J. Fischer, 1974) */

struct edit {
	uint32_t distance;
	char row_letter, col_letter;
	char unused[2];                 /* named, so that all bytes are set and can be compared */
};

static void edit_step(void const *restrict left, void const *restrict leftdown, void const *restrict down,
	void *restrict out)
{
	const struct edit *l = left, *ld = leftdown, *d = down;
	struct edit e = { 0, l->row_letter, d->col_letter, { 0, 0 } };
	const uint32_t change = ld->distance + (e.row_letter != e.col_letter);

	e.distance = l->distance + 1 < d->distance + 1 ? l->distance + 1 : d->distance + 1;
	if (change < e.distance)
		e.distance = change;
	*(struct edit *)out = e;
}

static char letter(size_t i, size_t seed)
{
	return (char)('a' + (i * i * 7 + i * seed + i / 3) % 4);
}

static uint32_t edit_serial(size_t n, size_t m)
{
	uint32_t *row = malloc((n + 1) * sizeof(*row)), last;

	for (size_t i = 0; i <= n; i++)
		row[i] = (uint32_t)i;
	for (size_t j = 1; j <= m; j++) {
		uint32_t diagonal = row[0];
		row[0] = (uint32_t)j;
		for (size_t i = 1; i <= n; i++) {
			uint32_t best = diagonal + (letter(i, 3) != letter(j, 5));
			diagonal = row[i];
			best = row[i] + 1 < best ? row[i] + 1 : best;
			row[i] = row[i - 1] + 1 < best ? row[i - 1] + 1 : best;
		}
	}
	last = row[n];
	free(row);
	return last;
}

static qarray *edge(size_t n, bool is_left)
{
	qarray *a = qarray_create_configured(n + 1, sizeof(struct edit), is_left ? FIXED_FIELDS : DIST, 1, 1);

	if (!a)
		bail_out("no memory for an array");
	for (size_t i = 0; i <= n; i++) {
		struct edit e = { .distance = (uint32_t)i };
		if (is_left)
			e.row_letter = letter(i, 5);
		else
			e.col_letter = letter(i, 3);
		*(struct edit *)qarray_elem(a, i) = e;
	}
	return a;
}

static bool edit_right(size_t n, size_t m)
{
	qarray *left = edge(m, true), *below = edge(n, false);
	qt_wavefront_lattice *l = qt_wavefront(left, below, edit_step);
	bool right = l && l->cols == n + 1 && l->rows == m + 1 && l->unit_size == sizeof(struct edit);

	right = right && ((struct edit *)(void *)l->cells)[l->cols * l->rows - 1].distance == edit_serial(n, m);
	right = right && memcmp(l->cells, qarray_elem(left, 0), sizeof(struct edit)) == 0;
	qt_wavefront_destroy_lattice(l);
	qarray_destroy(left);
	qarray_destroy(below);
	return right;
}

static void qt_wavefront_computes(const char *what)
{
	const size_t big = every_is_slow() ? 60 : 700;

	ok(edit_right(big, big) && edit_right(3, big) && edit_right(big, 1),
		"%s: qt_wavefront finds the edit distance of two strings", what);
	ok(edit_right(0, 10) && edit_right(10, 0) && edit_right(0, 0) && edit_right(1, 1),
		"%s: qt_wavefront of grids that are mere edges", what);
}

static void outside(void *arg)
{
	ok(edit_right(100, 90), "%s: qt_wavefront from an external thread", (const char *)arg);
	ok(basic_right(100, 90), "%s: qt_basic_wavefront from an external thread", (const char *)arg);
}

static aligned_t several(void *arg)
{
	const uintptr_t n = (uintptr_t)arg;

	return basic_right(40 + n, 90 - n) && edit_right(20 + n, 50);
}

static void side_by_side(const char *what)
{
	aligned_t right[8], all = 0;

	for (uintptr_t i = 0; i < 8; i++)
		qthread_fork(several, (void *)i, &right[i]);
	for (int i = 0; i < 8; i++) {
		qthread_readFF(&right[i], &right[i]);
		all += right[i];
	}
	is_int(all, 8, "%s: qt_wavefront: several at once", what);
}

static void qt_wavefront_refuses(const char *what)
{
	qarray *a = qarray_create_tight(5, 4), *b = qarray_create(5, 8), *c = qarray_create_tight(4, 4);

	ok(!qt_wavefront(NULL, a, mix) && !qt_wavefront(a, NULL, mix) && !qt_wavefront(a, c, NULL) &&
			!qt_wavefront(a, b, mix),
		"%s: qt_wavefront: NULL for a missing edge or function, and for edges of different cells", what);
	qt_wavefront_destroy_lattice(NULL);
	qt_wavefront_print_lattice(NULL);
	qt_basic_wavefront(NULL, 5, 5, mix);
	qarray_destroy(a);
	qarray_destroy(b);
	qarray_destroy(c);
}

static void run(const char *what)
{
	qt_basic_wavefront_computes(what);
	cells_may_block(what);
	qt_wavefront_computes(what);
	every_outside(outside, (void *)what);
	side_by_side(what);
	qt_wavefront_refuses(what);
}

/* ---- Printing */

/* What the call prints on stdout. */
static const char *printed(const qt_wavefront_lattice *l)
{
	static char text[1000];
	FILE *f = tmpfile();
	int saved;

	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	if (!f || saved < 0 || dup2(fileno(f), STDOUT_FILENO) < 0)
		bail_out("cannot redirect the standard output");
	qt_wavefront_print_lattice(l);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	rewind(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void sum8(void const *restrict left, void const *restrict leftdown, void const *restrict down,
	void *restrict out)
{
	(void)leftdown;
	*(int8_t *)out = (int8_t)(*(int8_t const *)left + *(int8_t const *)down);
}

static void sum16(void const *restrict left, void const *restrict leftdown, void const *restrict down,
	void *restrict out)
{
	(void)leftdown;
	*(int16_t *)out = (int16_t)(*(int16_t const *)left + *(int16_t const *)down);
}

static void sum32(void const *restrict left, void const *restrict leftdown, void const *restrict down,
	void *restrict out)
{
	(void)leftdown;
	*(int32_t *)out = *(int32_t const *)left + *(int32_t const *)down;
}

static void sum64(void const *restrict left, void const *restrict leftdown, void const *restrict down,
	void *restrict out)
{
	(void)leftdown;
	*(int64_t *)out = *(int64_t const *)left + *(int64_t const *)down;
}

static void sum_bytes(void const *restrict left, void const *restrict leftdown, void const *restrict down,
	void *restrict out)
{
	(void)leftdown;
	for (int i = 0; i < 3; i++)
		((unsigned char *)out)[i] =
			(unsigned char)(((unsigned char const *)left)[i] + ((unsigned char const *)down)[i]);
}

static const char *printed_sums(size_t unit, wave_comp_f sum)
{
	qarray *left = qarray_create_tight(3, unit), *below = qarray_create_tight(2, unit);
	const char *text;

	for (size_t i = 0; i < 3; i++)
		memset(qarray_elem(left, i), i == 2 ? 0xff : 0, unit);
	for (size_t i = 0; i < 2; i++) {
		memset(qarray_elem(below, i), 0, unit);
		*(char *)qarray_elem(below, i) = 5;
	}
	qt_wavefront_lattice *l = qt_wavefront(left, below, sum);
	text = printed(l);
	qt_wavefront_destroy_lattice(l);
	qarray_destroy(left);
	qarray_destroy(below);
	return text;
}

static void qt_wavefront_print_lattice_prints(void)
{
	const union {
		uint16_t number;
		char first;
	} order = { 1 };

	is_str(printed_sums(1, sum8), "-1 4\n0 5\n0 5\n", "qt_wavefront_print_lattice: bytes");
	is_str(printed_sums(3, sum_bytes), "ffffff 04ffff\n000000 050000\n000000 050000\n",
		"qt_wavefront_print_lattice: cells of odd sizes, in hexadecimal");
	is_str(printed(NULL), "", "qt_wavefront_print_lattice: nothing for NULL");
	if (!order.first) {
		skip(3, "the first byte is not the lowest on this machine");
		return;
	}
	is_str(printed_sums(2, sum16), "-1 4\n0 5\n0 5\n", "qt_wavefront_print_lattice: 16 bits");
	is_str(printed_sums(4, sum32), "-1 4\n0 5\n0 5\n", "qt_wavefront_print_lattice: 32 bits");
	is_str(printed_sums(8, sum64), "-1 4\n0 5\n0 5\n", "qt_wavefront_print_lattice: 64 bits");
}

static void without_runtime(void)
{
	every_start("l", "4", "1");
	ok(basic_right(300, 200), "qt_basic_wavefront: with four shepherds");
	qarray *left = edge(20, true), *below = edge(30, false);
	qthread_finalize();
	qt_wavefront_lattice *l = qt_wavefront(left, below, edit_step);
	ok(l && ((struct edit *)(void *)l->cells)[21 * 31 - 1].distance == edit_serial(30, 20),
		"qt_wavefront: without a runtime the caller computes the cells");
	qt_wavefront_destroy_lattice(l);
	qarray_destroy(left);
	qarray_destroy(below);
	ok(basic_right(30, 20), "qt_basic_wavefront: and so here");
	qt_basic_wavefront(NULL, 5, 5, mix);
	struct grid g = grid_make(5, 5);
	qt_basic_wavefront(g.column, 5, 5, NULL);
	is_int(g.column[4][4], 0, "qt_basic_wavefront: no function, nothing done");
	grid_free(&g);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	without_runtime();
	every_start("mts", "1", "2");
	qt_wavefront_print_lattice_prints();
	qthread_finalize();
	every_runtime(run);
	return done();
}
