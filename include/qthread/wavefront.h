/* qthread/wavefront.h -- a grid in which each cell is computed from its left, lower left and lower neighbours.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Columns are counted from the left, rows from below.  Column 0 and row 0 are given; cell (c, r) is computed by
 *
 *   func(cell (c - 1, r), cell (c - 1, r - 1), cell (c, r - 1), cell (c, r))
 *
 * once each, after the three cells that it reads.  The grid is cut into tiles, and a tile is run as soon as the tiles
 * to its left and below it are done.
 *
 * Tasks and external threads may make these calls, which return when all is done; the calling task (the OS thread, if
 * it is external) blocks until then.  What the caller wrote before is visible to func, and what func wrote is visible
 * after the call.  func may block, but not wait for another cell.  While the runtime is down, or as far as memory is
 * short, the caller computes the cells by itself.
 */
#ifndef QTHREAD_WAVEFRONT_H
#define QTHREAD_WAVEFRONT_H

#include <stddef.h>

#include "qarray.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* Compute the cell at out from its neighbours. */
typedef void (*wave_comp_f)(void const *restrict left, void const *restrict leftdown, void const *restrict down,
                            void *restrict out);

/* A function on the edges of a grid; no call takes one. */
typedef void (*wave_f)(qarray *restrict left, qarray *restrict below, void **R);

/* A computed grid, to be read: cell (c, r) is the unit_size bytes at cells + (c * rows + r) * unit_size. */
typedef struct qt_wavefront_lattice_s {
	size_t cols, rows;
	size_t unit_size;
	char *cells;
} qt_wavefront_lattice;

/* Compute a grid with the elements of `left` as column 0, from below, and those of `below` as row 0, from the left.
 * The first elements of both stand for cell (0, 0), which takes the one of `left`.  Cells begin as zero bytes.
 *
 * The arrays' elements must be of one size, which is the size of a cell: of arrays that qarray_create_tight made it is
 * that of the type.
 *
 * NULL when memory is short, for NULL arguments and for elements of different sizes. */
qt_wavefront_lattice *qt_wavefront(qarray *restrict const left, qarray *restrict const below, wave_comp_f func);

/* Print the grid on the standard output, a line for each row, the highest first, as one would draw it.  Cells of 1, 2,
 * 4 or 8 bytes are printed as signed integers, others byte by byte as hexadecimal digits.  Does not block as tasks do;
 * NULL is ignored. */
void qt_wavefront_print_lattice(qt_wavefront_lattice const *const L);

/* Release the grid.  NULL is ignored. */
void qt_wavefront_destroy_lattice(qt_wavefront_lattice *const L);

/* Compute a grid of integers in place.  Column c is the `rows` integers at R[c], of which R[0] and the first of each
 * column are given.  Nothing happens with a NULL R or func, or where there are less than two columns or rows. */
void qt_basic_wavefront(int *restrict const *const R, size_t cols, size_t rows, wave_comp_f func);

#pragma GCC visibility pop
Q_ENDCXX

#endif
