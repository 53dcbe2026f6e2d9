/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "octree/fit.h"

#include <math.h>

enum { TERMS = 6 };

/* In the coordinates of the box, which has halves of 1. */
static double place(const struct octree_box *b, const struct octree_point *p, unsigned axis)
{
	return (p->x[axis] - b->centre[axis]) / b->half;
}

static unsigned flattest_axis(const struct octree_box *b, const struct octree_point *points)
{
	double sum[3] = { 0 }, squares[3] = { 0 }, least = HUGE_VAL;
	unsigned axis = 0;

	for (size_t i = 0; i < b->n; i++)
		for (unsigned k = 0; k < 3; k++) {
			const double x = place(b, &points[i], k);
			sum[k] += x;
			squares[k] += x * x;
		}
	for (unsigned k = 0; k < 3; k++) {
		const double spread = squares[k] - sum[k] * sum[k] / (double)b->n;
		if (spread < least) {
			least = spread;
			axis = k;
		}
	}
	return axis;
}

/* What the surface's height is a combination of. */
static void terms(const struct octree_box *b, const struct octree_point *p, unsigned axis, double t[TERMS])
{
	const double v = place(b, p, (axis + 1) % 3), w = place(b, p, (axis + 2) % 3);

	t[0] = 1;
	t[1] = v;
	t[2] = w;
	t[3] = v * v;
	t[4] = v * w;
	t[5] = w * w;
}

/* Cholesky's, in place: a becomes its lower factor, x the solution. */
static void solve(double a[TERMS][TERMS], double x[TERMS])
{
	for (unsigned i = 0; i < TERMS; i++) {
		for (unsigned j = 0; j <= i; j++) {
			double s = a[i][j];
			for (unsigned k = 0; k < j; k++)
				s -= a[i][k] * a[j][k];
			a[i][j] = i == j ? sqrt(s) : s / a[j][j];
		}
		for (unsigned k = 0; k < i; k++)
			x[i] -= a[i][k] * x[k];
		x[i] /= a[i][i];
	}
	for (unsigned i = TERMS; i-- > 0;) {
		for (unsigned k = i + 1; k < TERMS; k++)
			x[i] -= a[k][i] * x[k];
		x[i] /= a[i][i];
	}
}

static void best_surface(const struct octree_box *b, const struct octree_point *points, unsigned axis, double x[TERMS])
{
	double a[TERMS][TERMS] = { { 0 } }, t[TERMS];

	for (unsigned i = 0; i < TERMS; i++) {
		x[i] = 0;
		a[i][i] = 1e-6; /* few points, or points in a line, leave a choice */
	}
	for (size_t p = 0; p < b->n; p++) {
		const double height = place(b, &points[p], axis);
		terms(b, &points[p], axis, t);
		for (unsigned i = 0; i < TERMS; i++) {
			x[i] += t[i] * height;
			for (unsigned j = 0; j <= i; j++)
				a[i][j] += t[i] * t[j];
		}
	}
	solve(a, x);
}

double octree_fit(const struct octree_box *b, const struct octree_point *points)
{
	double x[TERMS], t[TERMS], worst = 0;

	if (b->n == 0)
		return 0;
	const unsigned axis = flattest_axis(b, points);
	best_surface(b, points, axis, x);
	for (size_t p = 0; p < b->n; p++) {
		double off = place(b, &points[p], axis);
		terms(b, &points[p], axis, t);
		for (unsigned i = 0; i < TERMS; i++)
			off -= x[i] * t[i];
		worst = fmax(worst, fabs(off));
	}
	return worst;
}
