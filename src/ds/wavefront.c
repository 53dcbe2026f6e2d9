/* ds/wavefront.c -- grids whose cells depend on their left and lower neighbours.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The computed part of the grid is cut into tiles.  A tile needs the ones to its left and below it (the one at the
 * lower left is needed by both of those) and counts down which of them are missing.  The task that takes the last one
 * away owns the tile and runs it: nobody ever waits for a tile, so one worker is enough and no order can deadlock.  Of
 * two tiles that became ready a task keeps the upper one, whose columns it has just written, and forks the other; what
 * it cannot fork it keeps as well, in a list through the tiles.
 *
 * WF1  tile_finish lowers `missing` (release) -> the task that takes it to zero (acquire) sees the tiles before.
 * WF2  The tile at the upper right depends on all others, so its finish submits for all.  Whoever else is still about
 *      has lowered everything it had to lower, and touches the tiles no more.
 *
 * Checked by test/api/wavefront.c.
 */
#include "base/atomic.h"
#include "base/least.h"
#include "base/mem.h"
#include "base/race.h"
#include "base/tuning.h"
#include "qthread/sinc.h"
#include "qthread/wavefront.h"

#include <inttypes.h>
#include <stdio.h>

struct tile {
	struct tile *next;              /* in its owner's list */
	struct wave *wave;
	unsigned missing;               /* WF1 */
};

struct wave {
	size_t cols, rows, unit;
	char *cells;                    /* column after column; or NULL: */
	int *restrict const *column;
	wave_comp_f func;

	struct tile *tile;              /* [tile_cols][tile_rows] */
	size_t tile_width, tile_height; /* cells */
	size_t tile_cols, tile_rows;
	qt_sinc_t done;
};

/* ---- Cells */

static char *wave_column(const struct wave *w, size_t c)
{
	return w->cells ? w->cells + c * w->rows * w->unit : (char *)w->column[c];
}

/* The cells of some columns and rows, columns one after the other as they lie in memory. */
static void wave_cells(const struct wave *w, size_t col, size_t col_end, size_t row, size_t row_end)
{
	for (; col < col_end; col++) {
		const char *left = wave_column(w, col - 1) + row * w->unit;
		char *out = wave_column(w, col) + row * w->unit;
		for (size_t r = row; r < row_end; r++, left += w->unit, out += w->unit)
			w->func(left, left - w->unit, out - w->unit, out);
	}
}

/* ---- Tiles */

static void tile_cells(const struct tile *t)
{
	const struct wave *w = t->wave;
	const size_t number = (size_t)(t - w->tile);
	const size_t col = 1 + number / w->tile_rows * w->tile_width;
	const size_t row = 1 + number % w->tile_rows * w->tile_height;

	wave_cells(w, col, qti_least(col + w->tile_width, w->cols), row, qti_least(row + w->tile_height, w->rows));
}

static bool tile_is_ready(struct tile *t)
{
	return sub_acq_rel(&t->missing, 1) == 1;        /* WF1 */
}

static aligned_t tile_run(void *arg);

/* The tiles that became ready by t go to others, or into the list.  The last one of all has none after it. */
static void tile_finish(struct tile *t, struct tile **list)
{
	const struct wave *w = t->wave;
	const size_t number = (size_t)(t - w->tile);
	struct tile *up = number % w->tile_rows + 1 < w->tile_rows ? t + 1 : NULL;
	struct tile *right = number / w->tile_rows + 1 < w->tile_cols ? t + w->tile_rows : NULL;

	if (right)
		qti_race_release(right);
	if (up)
		qti_race_release(up);
	if (right && !tile_is_ready(right))
		right = NULL;
	if (up && !tile_is_ready(up))
		up = NULL;
	if (right && (!up || qthread_fork(tile_run, right, NULL) != QTHREAD_SUCCESS)) {
		right->next = *list;
		*list = right;
	}
	if (up) {
		up->next = *list;
		*list = up;
	}
}

static aligned_t tile_run(void *arg)
{
	struct tile *t, *list = arg;
	struct wave *w = list->wave;
	struct tile *last = &w->tile[w->tile_cols * w->tile_rows - 1];

	list->next = NULL;
	while ((t = list)) {
		list = t->next;
		qti_race_acquire(t);
		tile_cells(t);
		if (t == last)
			qt_sinc_submit(&w->done, NULL); /* WF2 */
		else
			tile_finish(t, &list);
	}
	return 0;
}

/* ---- The grid */

/* The length of a tile's side along a side of the grid. */
static size_t wave_side(size_t cells, size_t workers)
{
	const size_t side = cells / (TUNE_WAVE_TILES * workers);

	return side < TUNE_WAVE_SIDE_LEAST ? TUNE_WAVE_SIDE_LEAST : qti_least(side, TUNE_WAVE_SIDE_MOST);
}

/* Tiles for a grid of two columns and rows at least; false for want of memory, or of a runtime. */
static bool wave_cut(struct wave *w)
{
	const size_t workers = qthread_num_workers();

	if (workers == 0)
		return false;
	w->tile_width = wave_side(w->cols - 1, workers);
	w->tile_height = wave_side(w->rows - 1, workers);
	w->tile_cols = (w->cols - 2) / w->tile_width + 1;       /* column 0 is in none */
	w->tile_rows = (w->rows - 2) / w->tile_height + 1;
	w->tile = qti_mem_alloc(w->tile_cols * w->tile_rows * sizeof(*w->tile));
	if (!w->tile)
		return false;
	for (size_t c = 0; c < w->tile_cols; c++)
		for (size_t r = 0; r < w->tile_rows; r++)
			w->tile[c * w->tile_rows + r] = (struct tile){ .wave = w, .missing = (c > 0) + (r > 0) };
	return true;
}

static void wave_tasks(struct wave *w)
{
	qt_sinc_init(&w->done, 0, NULL, NULL, 1);
	/* The caller takes part if it is a task; func expects to run in one. */
	if (qthread_shep() != NO_SHEPHERD || qthread_fork(tile_run, w->tile, NULL) != QTHREAD_SUCCESS)
		tile_run(w->tile);
	qt_sinc_wait(&w->done, NULL);
	qt_sinc_fini(&w->done);
	qti_mem_free(w->tile);
}

static void wave_run(struct wave *w)
{
	if (w->cols < 2 || w->rows < 2)
		return;
	if (wave_cut(w))
		wave_tasks(w);
	else
		wave_cells(w, 1, w->cols, 1, w->rows);
}

void qt_basic_wavefront(int *restrict const *const R, size_t cols, size_t rows, wave_comp_f func)
{
	struct wave w = { .cols = cols, .rows = rows, .unit = sizeof(int), .column = R, .func = func };

	if (R && func)
		wave_run(&w);
}

/* ---- Lattices */

static qt_wavefront_lattice *lattice_make(size_t cols, size_t rows, size_t unit)
{
	size_t cells, bytes;
	qt_wavefront_lattice *l;

	if (__builtin_mul_overflow(cols, rows, &cells) || __builtin_mul_overflow(cells, unit, &bytes))
		return NULL;
	l = qti_mem_alloc(sizeof(*l));
	if (!l)
		return NULL;
	*l = (qt_wavefront_lattice){ cols, rows, unit, qti_mem_zalloc(bytes) };
	if (l->cells)
		return l;
	qti_mem_free(l);
	return NULL;
}

static char *lattice_cell(const qt_wavefront_lattice *l, size_t col, size_t row)
{
	return l->cells + (col * l->rows + row) * l->unit_size;
}

qt_wavefront_lattice *qt_wavefront(qarray *restrict const left, qarray *restrict const below, wave_comp_f func)
{
	qt_wavefront_lattice *l;

	if (!left || !below || !func || left->unit_size != below->unit_size)
		return NULL;
	l = lattice_make(below->count, left->count, left->unit_size);
	if (!l)
		return NULL;
	for (size_t c = 1; c < l->cols; c++)
		memcpy(lattice_cell(l, c, 0), qarray_elem_nomigrate(below, c), l->unit_size);
	for (size_t r = 0; r < l->rows; r++)
		memcpy(lattice_cell(l, 0, r), qarray_elem_nomigrate(left, r), l->unit_size);

	struct wave w = { .cols = l->cols, .rows = l->rows, .unit = l->unit_size, .cells = l->cells, .func = func };
	wave_run(&w);
	return l;
}

#define PRINT_AS(type, cell) \
	do { \
		type value; \
		memcpy(&value, (cell), sizeof(value)); \
		printf("%" PRId64, (int64_t)value); \
	} while (0)

static void cell_print(const char *cell, size_t size)
{
	if (size == 1)
		PRINT_AS(int8_t, cell);
	else if (size == 2)
		PRINT_AS(int16_t, cell);
	else if (size == 4)
		PRINT_AS(int32_t, cell);
	else if (size == 8)
		PRINT_AS(int64_t, cell);
	else
		for (size_t i = 0; i < size; i++)
			printf("%02x", (unsigned)(unsigned char)cell[i]);
}

void qt_wavefront_print_lattice(qt_wavefront_lattice const *const L)
{
	for (size_t r = L ? L->rows : 0; r-- > 0;) {
		for (size_t c = 0; c < L->cols; c++) {
			if (c > 0)
				putchar(' ');
			cell_print(lattice_cell(L, c, r), L->unit_size);
		}
		putchar('\n');
	}
}

void qt_wavefront_destroy_lattice(qt_wavefront_lattice *const L)
{
	if (!L)
		return;
	qti_mem_free(L->cells);
	qti_mem_free(L);
}
