/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "floorplan/problem.h"

#include "common/bench.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- Making cells */

static unsigned below(uint64_t *state, unsigned limit)
{
	return (unsigned)(bench_scramble((*state)++) % limit);
}

/* Some of the ways in which about the same area can be had. */
static void make_shapes(struct plan_cell *c, uint64_t *state)
{
	const int area = 4 + (int)below(state, 20);

	do {
		c->nshapes = 0;
		for (int rows = 2; rows <= 12 && c->nshapes < 3; rows++) {
			const int cols = (area + rows - 1) / rows;
			if (cols < 2 || cols > 12 || below(state, 3) != 0)
				continue;
			c->shape[c->nshapes].rows = rows;
			c->shape[c->nshapes++].cols = cols;
		}
	} while (c->nshapes == 0);
}

static void make_neighbours(struct plan_cell *c, int id, uint64_t *state)
{
	const unsigned kind = id == 1 ? 0 : below(state, 16);

	c->left = kind < 7 ? id - 1 : -1;
	c->above = kind < 7 ? -1 : id - 1;
	if (kind >= 14 && id > 3)
		c->left = id - 2 - (int)below(state, 2);
}

void plan_make(struct plan_problem *p, unsigned ncells, uint64_t seed)
{
	memset(p, 0, sizeof(*p));
	p->ncells = ncells;
	seed <<= 32; /* sequences of different seeds do not meet */
	for (unsigned id = 1; id <= ncells; id++) {
		make_shapes(&p->cell[id], &seed);
		make_neighbours(&p->cell[id], (int)id, &seed);
	}
}

/* ---- Reading them */

struct reader {
	FILE *file;
	const char *path;
	unsigned line;
	char *why;
	size_t size;
};

/* The next number; false and a reason unless there is one between min and max. */
static bool number(struct reader *r, const char *what, int min, int max, int *out)
{
	int c;

	while (isspace(c = getc(r->file)))
		r->line += c == '\n';
	ungetc(c, r->file);
	if (fscanf(r->file, "%d", out) == 1 && *out >= min && *out <= max)
		return true;
	snprintf(r->why, r->size, "%s, line %u: %s must be a number between %d and %d", r->path, r->line, what, min, max);
	return false;
}

static bool read_cell(struct reader *r, struct plan_cell *c, int id, int ncells)
{
	int nshapes, next;

	if (!number(r, "how many shapes", 1, PLAN_SHAPES, &nshapes))
		return false;
	c->nshapes = (unsigned)nshapes;
	for (int i = 0; i < nshapes; i++)
		if (!number(r, "a shape's rows", 1, PLAN_SIDE, &c->shape[i].rows) ||
			!number(r, "a shape's columns", 1, PLAN_SIDE, &c->shape[i].cols))
			return false;
	if (!number(r, "the cell to the left", -1, id - 1, &c->left) ||
		!number(r, "the cell above", c->left < 0 ? 0 : -1, id - 1, &c->above))
		return false;
	/* Cells are placed in the order in which they stand. */
	const int follower = id < ncells ? id + 1 : 0;
	return number(r, "the next cell", follower, follower, &next);
}

static bool at_end(struct reader *r)
{
	int c;

	while (isspace(c = getc(r->file)))
		;
	ungetc(c, r->file);
	return c == EOF;
}

static bool read_all(struct reader *r, struct plan_problem *p)
{
	int ncells, area = 0;

	if (!number(r, "how many cells", 1, PLAN_CELLS, &ncells))
		return false;
	p->ncells = (unsigned)ncells;
	for (int id = 1; id <= ncells; id++)
		if (!read_cell(r, &p->cell[id], id, ncells))
			return false;
	if (!at_end(r) && !number(r, "the smallest area", 1, PLAN_SIDE * PLAN_SIDE, &area))
		return false;
	p->known_area = (unsigned)area;
	return true;
}

bool plan_read(struct plan_problem *p, const char *path, char *why, size_t size)
{
	struct reader r = { .file = fopen(path, "r"), .path = path, .line = 1, .why = why, .size = size };

	memset(p, 0, sizeof(*p));
	if (!r.file) {
		snprintf(why, size, "%s cannot be read", path);
		return false;
	}
	bool ok = read_all(&r, p);
	fclose(r.file);
	return ok;
}
