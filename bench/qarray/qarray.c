/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Loops over a distributed array, and all pairs of a small one: what handing out the elements costs.
 *
 * --work loop   every element x of --n doubles becomes a x + b
 * --work pairs  --points points in eight dimensions, each with each: the square of their distance is stored
 *
 * The serial twin does the same in plain loops over plain memory. */
#include "common/bench.h"

#include <qthread/allpairs.h>
#include <stdlib.h>

enum { WORK_LOOP, WORK_PAIRS, DIMENSIONS = 8 };
static const char *const works[] = { "loop", "pairs", NULL };
static const char *const kinds[] = { "hash", "fields", "same", "dist", NULL };

static unsigned work;
static unsigned kind;
static unsigned long n = 4000000, points = 3000;

static double *plain;
static qarray *array;
static bool was_serial;

/* --- loop ------------------------------------------------------------------------------------------------ */

static const double factor = 0.999, term = 0.5;

static void update(double *x, size_t count)
{
	for (size_t i = 0; i < count; i++)
		x[i] = x[i] * factor + term;
}

static void update_range(size_t const start, size_t const stop, qarray *a, void *arg)
{
	(void)arg;
	update(qarray_elem(a, start), stop - start);
}

static void number_range(size_t const start, size_t const stop, qarray *a, void *arg)
{
	(void)arg;
	for (size_t i = start; i < stop; i++)
		*(double *)qarray_elem(a, i) = (double)i;
}

/* --- pairs ----------------------------------------------------------------------------------------------- */

struct point {
	double x[DIMENSIONS];
};

static double squared(const struct point *p, const struct point *q)
{
	double sum = 0;

	for (int d = 0; d < DIMENSIONS; d++)
		sum += (p->x[d] - q->x[d]) * (p->x[d] - q->x[d]);
	return sum;
}

static float *distances;
static float **rows;

static void store_distance(void const *p, void const *q, void *restrict out)
{
	*(float *)out = (float)squared(p, q);
}

static struct point point_of(size_t i)
{
	struct point p;

	for (int d = 0; d < DIMENSIONS; d++)
		p.x[d] = (double)((i * 2654435761u + (size_t)d * 40503u) % 1009);
	return p;
}

/* --- the program ----------------------------------------------------------------------------------------- */

static void *room(size_t count, size_t size)
{
	void *p = calloc(count, size);

	if (!p) {
		fprintf(stderr, "qarray: out of memory\n");
		exit(1);
	}
	return p;
}

static void setup(void)
{
	if (work == WORK_LOOP) {
		plain = room(n, sizeof(*plain));
		return;
	}
	plain = room(points, sizeof(struct point));
	for (size_t i = 0; i < points; i++)
		((struct point *)(void *)plain)[i] = point_of(i);
	distances = room(points * points, sizeof(*distances));
	rows = room(points, sizeof(*rows));
	for (size_t i = 0; i < points; i++)
		rows[i] = distances + i * points;
}

/* The array needs the runtime, which is there before the first repetition only in the parallel program. */
static void make_array(void)
{
	const bool is_loop = work == WORK_LOOP;

	array = qarray_create_configured(is_loop ? n : points, is_loop ? sizeof(double) : sizeof(struct point),
		(distribution_t)kind, 0, 0);
	if (!array) {
		fprintf(stderr, "qarray: out of memory\n");
		exit(1);
	}
	for (size_t i = 0; !is_loop && i < points; i++)
		*(struct point *)qarray_elem(array, i) = point_of(i);
}

static void before(void)
{
	if (!array && qthread_num_workers() > 0)
		make_array();
	if (work == WORK_PAIRS) {
		memset(distances, 0, points * points * sizeof(*distances));
		return;
	}
	for (size_t i = 0; i < n; i++)
		plain[i] = (double)i;
	if (array)
		qarray_iter_loop(array, 0, n, number_range, NULL);
}

static void serial(void)
{
	const struct point *p = (const struct point *)(const void *)plain;

	was_serial = true;
	if (work == WORK_LOOP) {
		update(plain, n);
		return;
	}
	for (size_t i = 0; i < points; i++)
		for (size_t j = 0; j < points; j++)
			rows[i][j] = (float)squared(&p[i], &p[j]);
}

static void parallel(void)
{
	if (work == WORK_LOOP)
		qarray_iter_loop(array, 0, n, update_range, NULL);
	else
		qt_allpairs_output(array, array, store_distance, (void **)rows, sizeof(**rows));
}

static bool check(char *why, size_t size)
{
	for (size_t i = 0; work == WORK_LOOP && i < n; i++) {
		const double want = (double)i * factor + term;
		const double got = was_serial ? plain[i] : *(double *)qarray_elem(array, i);
		if (got - want > 1e-6 || want - got > 1e-6) {
			snprintf(why, size, "element %zu is %g, not %g", i, got, want);
			return false;
		}
	}
	for (size_t k = 0; work == WORK_PAIRS && k < points * points; k++) {
		const struct point p = point_of(k / points), q = point_of(k % points);
		if (distances[k] != (float)squared(&p, &q)) {
			snprintf(why, size, "pair (%zu, %zu) is %g", k / points, k % points, (double)distances[k]);
			return false;
		}
	}
	return true;
}

static double units(void)
{
	return work == WORK_LOOP ? (double)n : (double)points * (double)points;
}

static void describe(char *text, size_t size)
{
	if (work == WORK_LOOP)
		snprintf(text, size, "loop over %lu doubles, distribution %s", n, kinds[kind]);
	else
		snprintf(text, size, "all pairs of %lu points in %d dimensions, distribution %s", points, DIMENSIONS,
			kinds[kind]);
}

static const struct bench_option options[] = {
	{ "work", "what is done", BENCH_CHOICE, &work, 0, 0, works },
	{ "kind", "who owns what", BENCH_CHOICE, &kind, 0, 0, kinds },
	{ "n", "elements of the loop", BENCH_NUMBER, &n, 1, 2000000000, NULL },
	{ "points", "elements of the pairs", BENCH_NUMBER, &points, 1, 40000, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "qarray", "unit", "loops over a distributed array, or all pairs of it" },
	.options = options,
	.default_reps = 9,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, NULL },
};

const struct bench_version bench_version = { .parallel = parallel };
