/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Cells to be placed on a board, one after another, so that the rectangle which holds them all is as small as can be.
 *
 * A cell has one or more shapes.  It touches the cell to its left, the one above it, or both, so that its places are
 * few; it must not overlap any other.  Branch and bound: what is no smaller than the best plan so far is not continued.
 * How many placements are tried depends on how soon good plans are found, and so on timing; the smallest area does
 * not. */
#ifndef BENCH_FLOORPLAN_PLAN_H
#define BENCH_FLOORPLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PLAN_SIDE = 64, /* of the board; a row is a word */
	PLAN_CELLS = 63,
	PLAN_SHAPES = 5,
	PLAN_MOVES = PLAN_SHAPES * PLAN_SIDE, /* for one cell, at most */
};

struct plan_cell {
	unsigned nshapes;
	struct { int rows, cols; } shape[PLAN_SHAPES];
	int left, above; /* numbers of cells; -1: none */
};

/* Cells are numbered from 1 in the order in which they are placed.  0 is the board's upper left corner. */
struct plan_problem {
	unsigned ncells;
	unsigned known_area; /* 0: nobody knows */
	unsigned bound;      /* only smaller areas are of interest; 0: any that fit the board */
	struct plan_cell cell[PLAN_CELLS + 1];
};

struct plan_move {
	int8_t top, lhs; /* row and column of a cell's upper left corner */
	uint8_t shape;
};

/* The first `placed` cells on the board. */
struct plan {
	unsigned placed;
	int rows, cols; /* of the rectangle that holds them */
	struct { int8_t top, bot, lhs, rhs; } at[PLAN_CELLS + 1];
	uint64_t board[PLAN_SIDE];
};

/* Begins a search, from an empty board; there is one at a time. */
void plan_begin(const struct plan_problem *problem, struct plan *empty);
/* The area of the best plan so far; the bound, or PLAN_SIDE squared, while there is none. */
unsigned plan_area(void);

/* Where the next cell can touch its neighbours; returns how many places.  Some may be taken by other cells. */
unsigned plan_moves(const struct plan *p, struct plan_move moves[PLAN_MOVES]);
/* Tries one place, and tallies it.  True: `after` is p with the next cell there, and others are to follow. */
bool plan_try(const struct plan *p, struct plan_move move, struct plan *after);
/* The whole search below p, serially. */
void plan_search(const struct plan *p);

#endif
