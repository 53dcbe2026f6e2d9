/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The points, the boxes, and whether they are the serial twin's. */
#include "octree/octree.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "octree/fit.h"

enum {
	FEW = 16,     /* points are not divided: six of them fit anyway */
	DEEPEST = 20, /* level of boxes */
};

static unsigned long npoints, fineness;

static struct octree_point *surface;
static struct octree_point *points[2]; /* a box's are in that of its depth's parity; dividing moves them to the other */
struct octree_box octree_root;

static struct octree_sum known;
static bool is_known;

/* ---- Boxes */

static unsigned octant(const struct octree_box *b, const struct octree_point *p)
{
	return (p->x[0] >= b->centre[0]) | (p->x[1] >= b->centre[1]) << 1 | (p->x[2] >= b->centre[2]) << 2;
}

static void share_out(const struct octree_box *b, struct octree_box inner[8])
{
	const struct octree_point *from = points[b->depth % 2] + b->first;
	struct octree_point *to = points[(b->depth + 1) % 2];
	size_t next[8] = { 0 }, first = b->first;

	for (size_t i = 0; i < b->n; i++)
		next[octant(b, &from[i])]++;
	for (unsigned o = 0; o < 8; o++) {
		struct octree_box *in = &inner[o];
		*in = (struct octree_box){ .half = b->half / 2, .depth = b->depth + 1, .first = first, .n = next[o] };
		for (unsigned k = 0; k < 3; k++)
			in->centre[k] = b->centre[k] + (o >> k & 1 ? in->half : -in->half);
		next[o] = first;
		first += in->n;
	}
	for (size_t i = 0; i < b->n; i++)
		to[next[octant(b, &from[i])]++] = from[i];
}

bool octree_divide(struct octree_box *b, struct octree_box inner[8])
{
	const double error = octree_fit(b, points[b->depth % 2] + b->first);

	b->sum = (struct octree_sum){ .boxes = 1, .errors = error };
	if (error * (double)fineness <= 1 || b->n <= FEW || b->depth == DEEPEST)
		return false;
	share_out(b, inner);
	return true;
}

void octree_gather(struct octree_box *b, const struct octree_box inner[8])
{
	b->sum = (struct octree_sum){ .boxes = 1, .refined = 1 };
	for (unsigned o = 0; o < 8; o++) {
		b->sum.boxes += inner[o].sum.boxes;
		b->sum.refined += inner[o].sum.refined;
		b->sum.errors += inner[o].sum.errors;
	}
}

static void refine(struct octree_box *b)
{
	struct octree_box inner[8];

	if (!octree_divide(b, inner))
		return;
	for (unsigned o = 0; o < 8; o++)
		refine(&inner[o]);
	octree_gather(b, inner);
}

/* ---- The program */

static double fraction(uint64_t random)
{
	return (double)(random >> 11) / (double)(UINT64_C(1) << 53);
}

/* A sphere with bumps, more of them towards one pole: how deep the tree goes differs from place to place. */
static struct octree_point surface_point(uint64_t i)
{
	const double z = 2 * fraction(bench_scramble(2 * i)) - 1, angle = 6.283185307179586 * fraction(bench_scramble(2 * i + 1));
	const double r = sqrt(1 - z * z);
	const double height = 0.7 + 0.05 * sin(5 * angle) * sin(4 * z) + 0.02 * sin(40 * z * z * z) * cos(9 * angle);

	return (struct octree_point){ .x = { height * r * cos(angle), height * r * sin(angle), height * z } };
}

static void setup(void)
{
	static const unsigned long sizes[BENCH_SIZES] = { 1000, 60000, 437644, 437644 };
	static const unsigned long fine[BENCH_SIZES] = { 200, 1000, 1000, 1000 };

	npoints = bench_by_size(npoints, sizes);
	fineness = bench_by_size(fineness, fine);
	surface = bench_room("octree", npoints, sizeof(*surface));
	for (unsigned i = 0; i < 2; i++)
		points[i] = bench_room("octree", npoints, sizeof(*points[i]));
	for (uint64_t i = 0; i < npoints; i++)
		surface[i] = surface_point(i);
}

static void before(void)
{
	memcpy(points[0], surface, npoints * sizeof(*surface));
	octree_root = (struct octree_box){ .half = 1, .n = npoints };
}

static void serial(void)
{
	refine(&octree_root);
}

static bool check(char *why, size_t size)
{
	const struct octree_sum found = octree_root.sum;

	if (!is_known) {
		before();
		serial();
		known = octree_root.sum;
		is_known = true;
	}
	if (found.boxes == known.boxes && found.refined == known.refined && found.errors == known.errors)
		return true;
	snprintf(why, size, "%" PRIu64 " boxes, %" PRIu64 " of them refined, errors %.17g; right is %" PRIu64 ", %" PRIu64
		", %.17g", found.boxes, found.refined, found.errors, known.boxes, known.refined, known.errors);
	return false;
}

static double units(void)
{
	return (double)known.boxes;
}

/* All but the root are. */
static double tasks(void)
{
	return (double)known.boxes - 1;
}

static void describe(char *text, size_t size)
{
	snprintf(text, size, "%lu points, fitted to 1/%lu of a box", npoints, fineness);
}

static const struct bench_option options[] = {
	{ "n", "points; 1000, 60000, 437644, 437644 by size", BENCH_NUMBER, &npoints, 1, 1000000000, NULL },
	{ "fineness", "no point may be farther off than half a box over this", BENCH_NUMBER, &fineness, 1, 1000000, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "octree", "box", "an octree refined where a surface fits badly; every refinement is a loop in parallel" },
	.options = options,
	.takes = { .size = true },
	.default_reps = 5,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, tasks },
};
