/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sparselu/sparselu.h"
#include "common/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sparselu_tasks_names[] = { "single", "for", NULL };
const char *const sparselu_all_tasks_names[] = { "single", "for", "depend", NULL };
unsigned sparselu_tasks;

static unsigned long n, block, seed = 1;

/* A block that is not there keeps its place, whose memory nobody touches. */
struct matrix {
	float *numbers;
	bool *there;
};
static struct matrix original, work, twin;

/* For the check: some x, and what the original matrix makes of it. */
static double *x, *product;

static unsigned long operations; /* of one factorization */

unsigned sparselu_side(void)
{
	return (unsigned)n;
}

static float *block_of(const struct matrix *m, size_t i, size_t j)
{
	return m->numbers + (i * n + j) * block * block;
}

unsigned long sparselu_operations(void)
{
	return operations;
}

float *sparselu_block(unsigned i, unsigned j)
{
	return block_of(&work, i, j);
}

bool sparselu_has(unsigned i, unsigned j)
{
	return work.there[(size_t)i * n + j];
}

bool sparselu_claim(unsigned i, unsigned j)
{
	bool *there = &work.there[(size_t)i * n + j];
	bool fresh = !*there;

	*there = true;
	return fresh;
}

void sparselu_factor(unsigned k)
{
	sparselu_kernel_factor(sparselu_block(k, k), block);
}

void sparselu_right(unsigned k, unsigned j)
{
	sparselu_kernel_right(sparselu_block(k, k), sparselu_block(k, j), block);
}

void sparselu_below(unsigned i, unsigned k)
{
	sparselu_kernel_below(sparselu_block(k, k), sparselu_block(i, k), block);
}

void sparselu_update(unsigned i, unsigned j, unsigned k, bool fresh)
{
	float *b = sparselu_block(i, j);

	if (fresh)
		memset(b, 0, block * block * sizeof(*b));
	sparselu_kernel_update(sparselu_block(i, k), sparselu_block(k, j), b, block);
}

/* The pattern that this benchmark is known by: three diagonals, and of the even rows and columns those blocks of which
 * the nearer one to the start is a multiple of three. */
static bool starts_with(size_t i, size_t j)
{
	size_t near = i < j ? i : j, far = i < j ? j : i;

	return far - near <= 1 || (i % 2 == 0 && j % 2 == 0 && near % 3 == 0);
}

/* Numbers between -1 and 1; those on the diagonal are made to outweigh the others of a block, or dividing by them
 * without pivoting would magnify rounding. */
static void fill(float *b, size_t i, size_t j)
{
	for (size_t e = 0; e < block * block; e++)
		b[e] = (float)((int64_t)bench_scramble((seed << 56) ^ ((i * n + j) * block * block + e)) * 0x1p-63);
	for (size_t e = 0; i == j && e < block; e++)
		b[e * (block + 1)] += 4 * sqrtf((float)block);
}

/* Goes through the factorization without doing it. */
static unsigned long count_operations(void)
{
	unsigned long count = 0;

	for (unsigned k = 0; k < n; k++) {
		count++;
		for (unsigned i = k + 1; i < n; i++) {
			count += sparselu_has(i, k) + sparselu_has(k, i);
			for (unsigned j = k + 1; j < n; j++)
				if (sparselu_has(i, k) && sparselu_has(k, j)) {
					sparselu_claim(i, j);
					count++;
				}
		}
	}
	return count;
}

static void matrix_make(struct matrix *m)
{
	m->numbers = bench_room("sparselu", n * n, block * block * sizeof(*m->numbers));
	m->there = bench_room("sparselu", n * n, sizeof(*m->there));
}

static void matrix_copy(struct matrix *to, const struct matrix *from)
{
	memcpy(to->there, from->there, n * n * sizeof(*to->there));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (from->there[i * n + j])
				memcpy(block_of(to, i, j), block_of(from, i, j), block * block * sizeof(float));
}

/* y += (lower, upper or all of block (i, j)) * x.  The diagonal belongs to the upper triangle, below it are ones. */
enum part { ALL, UPPER, LOWER };

static void multiply_block(const float *b, enum part part, double *y, const double *v)
{
	for (size_t r = 0; r < block; r++)
		for (size_t c = part == UPPER ? r : 0; c < (part == LOWER ? r : block); c++)
			y[r] += (double)b[r * block + c] * v[c];
}

/* y = (the part) * v.  The upper part of a matrix is its upper blocks and of the diagonal ones the upper part. */
static void multiply(const struct matrix *m, enum part part, double *y, const double *v)
{
	for (size_t i = 0; i < n * block; i++)
		y[i] = part == LOWER ? v[i] : 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = part == UPPER ? i : 0; j < (part == LOWER ? i + 1 : n); j++)
			if (m->there[i * n + j])
				multiply_block(block_of(m, i, j), i == j ? part : ALL, y + i * block, v + j * block);
}

static void setup(void)
{
	static const unsigned long sides[BENCH_SIZES] = { 8, 20, 40, 100 }, blocks[BENCH_SIZES] = { 8, 80, 80, 100 };

	n = bench_by_size(n, sides);
	block = bench_by_size(block, blocks);
	matrix_make(&original);
	matrix_make(&work);
	x = bench_room("sparselu", n * block, sizeof(*x));
	product = bench_room("sparselu", n * block, sizeof(*product));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			original.there[i * n + j] = starts_with(i, j);
			if (starts_with(i, j))
				fill(block_of(&original, i, j), i, j);
		}
	for (size_t i = 0; i < n * block; i++)
		x[i] = (double)(int64_t)bench_scramble(i) * 0x1p-63;
	multiply(&original, ALL, product, x);
	memcpy(work.there, original.there, n * n * sizeof(*work.there));
	operations = count_operations();
}

static void before(void)
{
	matrix_copy(&work, &original);
}

static void serial(void)
{
	for (unsigned k = 0; k < n; k++) {
		sparselu_factor(k);
		for (unsigned j = k + 1; j < n; j++)
			if (sparselu_has(k, j))
				sparselu_right(k, j);
		for (unsigned i = k + 1; i < n; i++)
			if (sparselu_has(i, k))
				sparselu_below(i, k);
		for (unsigned i = k + 1; i < n; i++)
			for (unsigned j = k + 1; j < n; j++)
				if (sparselu_has(i, k) && sparselu_has(k, j))
					sparselu_update(i, j, k, sparselu_claim(i, j));
	}
}

/* Does the factored matrix do to x what the original did? */
static bool check_product(const struct matrix *m, char *why, size_t size)
{
	double *half = bench_room("sparselu", n * block, sizeof(*half));
	double *whole = bench_room("sparselu", n * block, sizeof(*whole));
	double off = 0, most = 0;

	multiply(m, UPPER, half, x);
	multiply(m, LOWER, whole, half);
	for (size_t i = 0; i < n * block; i++) {
		off = fmax(off, fabs(whole[i] - product[i]));
		most = fmax(most, fabs(product[i]));
	}
	free(half);
	free(whole);
	if (off <= 1e-4 * most)
		return true;
	snprintf(why, size, "L * (U * x) is off A * x by %g of its greatest", off / most);
	return false;
}

/* The serial twin's answer, once, and whether it is one. */
static bool learn_answer(char *why, size_t size)
{
	struct matrix keep = work;

	matrix_make(&twin);
	matrix_copy(&twin, &original);
	work = twin;
	serial();
	work = keep;
	return check_product(&twin, why, size);
}

static bool check(char *why, size_t size)
{
	if (!twin.numbers && !learn_answer(why, size))
		return false;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (work.there[i * n + j] != twin.there[i * n + j] ||
				(work.there[i * n + j] &&
					memcmp(block_of(&work, i, j), block_of(&twin, i, j),
						block * block * sizeof(float)))) {
				snprintf(why, size, "block (%zu, %zu) differs from the serial twin's", i, j);
				return false;
			}
	return true;
}

static double units(void)
{
	return (double)operations;
}

static double tasks(void)
{
	return (double)(operations - (sparselu_tasks == SPARSELU_DEPEND ? 0 : n));
}

static void describe(char *text, size_t size)
{
	snprintf(text, size, "%lu x %lu blocks of %lu x %lu, tasks by %s", n, n, block, block,
		sparselu_all_tasks_names[sparselu_tasks]);
}

static const struct bench_option options[] = {
	{ "n", "blocks a side; 8, 20, 40, 100 by size", BENCH_NUMBER, &n, 1, 1000, NULL },
	{ "block", "numbers a side of a block; 8, 80, 80, 100 by size", BENCH_NUMBER, &block, 1, 1000, NULL },
	{ "seed", "of the numbers", BENCH_NUMBER, &seed, 0, 255, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "sparselu", "block operation", "LU factorization of a sparse matrix of blocks" },
	.options = options,
	.takes = { .size = true },
	.default_reps = 5,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, tasks },
};
