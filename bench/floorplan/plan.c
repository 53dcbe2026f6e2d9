/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The search: moves, trying them, the bound. */
#include "floorplan/plan.h"

#include "common/tally.h"

static const struct plan_problem *problem;
static unsigned best; /* atomic; only ever falls */

static int greater(int a, int b)
{
	return a > b ? a : b;
}

static int lesser(int a, int b)
{
	return a < b ? a : b;
}

void plan_begin(const struct plan_problem *which, struct plan *empty)
{
	problem = which;
	__atomic_store_n(&best, which->bound ? which->bound : PLAN_SIDE * PLAN_SIDE, __ATOMIC_RELAXED);
	/* The corner has a row and no columns: the first cell goes to the right of it. */
	*empty = (struct plan){ .at[0] = { .top = 0, .bot = 0, .lhs = -1, .rhs = -1 } };
}

/* Relaxed: an old bound makes a search longer, no more. */
unsigned plan_area(void)
{
	return __atomic_load_n(&best, __ATOMIC_RELAXED);
}

static void improve(unsigned area)
{
	unsigned now = plan_area();

	while (area < now && !__atomic_compare_exchange_n(&best, &now, area, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* ---- Where a cell can go */

static unsigned in_corner(const struct plan *p, const struct plan_cell *c, unsigned shape, struct plan_move *moves)
{
	const int top = p->at[c->above].bot + 1, bot = top + c->shape[shape].rows;
	const int lhs = p->at[c->left].rhs + 1, rhs = lhs + c->shape[shape].cols;

	if (top > p->at[c->left].bot || bot < p->at[c->left].top || lhs > p->at[c->above].rhs ||
		rhs < p->at[c->above].lhs || top >= PLAN_SIDE || lhs >= PLAN_SIDE)
		return 0;
	moves[0] = (struct plan_move){ .top = (int8_t)top, .lhs = (int8_t)lhs, .shape = (uint8_t)shape };
	return 1;
}

static unsigned beside(const struct plan *p, const struct plan_cell *c, unsigned shape, struct plan_move *moves)
{
	const int first = greater(p->at[c->left].top - c->shape[shape].rows + 1, 0);
	const int last = lesser(p->at[c->left].bot, PLAN_SIDE - 1), lhs = p->at[c->left].rhs + 1;
	unsigned n = 0;

	for (int top = first; top <= last && lhs < PLAN_SIDE; top++)
		moves[n++] = (struct plan_move){ .top = (int8_t)top, .lhs = (int8_t)lhs, .shape = (uint8_t)shape };
	return n;
}

static unsigned below(const struct plan *p, const struct plan_cell *c, unsigned shape, struct plan_move *moves)
{
	const int first = greater(p->at[c->above].lhs - c->shape[shape].cols + 1, 0);
	const int last = lesser(p->at[c->above].rhs, PLAN_SIDE - 1), top = p->at[c->above].bot + 1;
	unsigned n = 0;

	for (int lhs = first; lhs <= last && top < PLAN_SIDE; lhs++)
		moves[n++] = (struct plan_move){ .top = (int8_t)top, .lhs = (int8_t)lhs, .shape = (uint8_t)shape };
	return n;
}

unsigned plan_moves(const struct plan *p, struct plan_move moves[PLAN_MOVES])
{
	const struct plan_cell *c = &problem->cell[p->placed + 1];
	unsigned n = 0;

	for (unsigned shape = 0; shape < c->nshapes; shape++)
		n += (c->left < 0 ? below : c->above < 0 ? beside : in_corner)(p, c, shape, moves + n);
	return n;
}

/* ---- Trying a place */

static bool is_free(const struct plan *p, int top, int bot, uint64_t columns)
{
	for (int row = top; row <= bot; row++)
		if (p->board[row] & columns)
			return false;
	return true;
}

bool plan_try(const struct plan *p, struct plan_move m, struct plan *after)
{
	const unsigned id = p->placed + 1;
	const int rows = problem->cell[id].shape[m.shape].rows, cols = problem->cell[id].shape[m.shape].cols;
	const int bot = m.top + rows - 1, rhs = m.lhs + cols - 1;

	tally_count(1);
	if (bot >= PLAN_SIDE || rhs >= PLAN_SIDE)
		return false;
	const uint64_t columns = (cols < 64 ? (UINT64_C(1) << cols) - 1 : ~UINT64_C(0)) << m.lhs;
	const int height = greater(p->rows, bot + 1), width = greater(p->cols, rhs + 1);
	const unsigned area = (unsigned)(height * width);
	if (area >= plan_area() || !is_free(p, m.top, bot, columns))
		return false;
	if (id == problem->ncells) {
		improve(area);
		return false;
	}
	*after = *p;
	after->placed = id;
	after->rows = height;
	after->cols = width;
	after->at[id].top = m.top;
	after->at[id].bot = (int8_t)bot;
	after->at[id].lhs = m.lhs;
	after->at[id].rhs = (int8_t)rhs;
	for (int row = m.top; row <= bot; row++)
		after->board[row] |= columns;
	return true;
}

void plan_search(const struct plan *p)
{
	struct plan_move moves[PLAN_MOVES];
	const unsigned n = plan_moves(p, moves);
	struct plan after;

	for (unsigned i = 0; i < n; i++)
		if (plan_try(p, moves[i], &after))
			plan_search(&after);
}
