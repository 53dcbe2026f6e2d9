/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* alignment and sparselu: one producer of many tasks, as in the versions "single" of the suite. */
#include "sim/tree.h"

#include <stdbool.h>
#include <string.h>

/* --- alignment: every pair of sequences ---------------------------------------------------------------------- */

#define CELL 1.9

struct pair {
	struct sim_child child;
	double cells;
};

static void align(void *arg)
{
	sim_work(CELL * ((struct pair *)arg)->cells);
}

/* Between 90 and 1840 letters, the short ones more frequent. */
static double letters(unsigned long i, unsigned long n)
{
	double rank = (double)(sim_mix(i, 7) % n) / (double)n;

	return 90 + 1750 * rank * rank;
}

static void alignment_run(unsigned long n, unsigned long scale)
{
	struct pair *pairs = sim_room(n * (n - 1) / 2, sizeof(*pairs));
	size_t count = 0;

	for (unsigned long i = 0; i < n; i++)
		for (unsigned long j = i + 1; j < n; j++, count++) {
			pairs[count].cells = letters(i, n) * letters(j, n) / (double)scale;
			sim_fork(&pairs[count].child, align, &pairs[count]);
		}
	while (count > 0)
		sim_wait(&pairs[--count].child);
}

const struct sim_tree sim_alignment = {
	"alignment", "sequences, divisor of their cells", 100, 1, 12, 100, alignment_run
};

/* --- sparselu: phases of independent block operations ---------------------------------------------------------- */

#define MULTIPLY_ADD 0.26               /* 133.8 us an operation on 80 x 80 */
enum { NUMBER = 4 };

struct block_task {
	struct sim_child child;
	unsigned k, i, j;
};

static struct {
	unsigned long n, block;
	bool *there;
	struct block_task *task;
	size_t count;
} lu;

static bool *there(unsigned i, unsigned j)
{
	return &lu.there[i * lu.n + j];
}

static bool starts_with(unsigned i, unsigned j)
{
	unsigned near = i < j ? i : j, far = i < j ? j : i;

	return far - near <= 1 || (i % 2 == 0 && j % 2 == 0 && near % 3 == 0);
}

static uint64_t block_bytes(void)
{
	return lu.block * lu.block * NUMBER;
}

static void use(unsigned i, unsigned j, unsigned how)
{
	sim_data((i * lu.n + j) * block_bytes(), block_bytes(), how);
}

static void operate(double share)
{
	sim_work(MULTIPLY_ADD * share * (double)lu.block * (double)lu.block * (double)lu.block);
}

static void divide(void *arg)
{
	const struct block_task *t = arg;

	use(t->k, t->k, SIM_READ);
	use(t->i, t->j, SIM_WRITE);
	operate(0.5);
}

static void update(void *arg)
{
	const struct block_task *t = arg;

	use(t->i, t->k, SIM_READ);
	use(t->k, t->j, SIM_READ);
	use(t->i, t->j, SIM_WRITE);
	operate(1);
}

static void produce(void (*body)(void *arg), unsigned k, unsigned i, unsigned j)
{
	struct block_task *t = &lu.task[lu.count++];

	t->k = k;
	t->i = i;
	t->j = j;
	*there(i, j) = true;
	sim_fork(&t->child, body, t);
}

static void phase_ends(void)
{
	while (lu.count > 0)
		sim_wait(&lu.task[--lu.count].child);
}

static void step(unsigned k)
{
	use(k, k, SIM_WRITE);
	operate(0.33);
	for (unsigned j = k + 1; j < lu.n; j++) {
		if (*there(k, j))
			produce(divide, k, k, j);
		if (*there(j, k))
			produce(divide, k, j, k);
	}
	phase_ends();
	for (unsigned i = k + 1; i < lu.n; i++)
		for (unsigned j = k + 1; j < lu.n; j++)
			if (*there(i, k) && *there(k, j))
				produce(update, k, i, j);
	phase_ends();
}

static void sparselu_run(unsigned long n, unsigned long block)
{
	lu.n = n;
	lu.block = block;
	lu.there = sim_room(n * n, sizeof(*lu.there));
	lu.task = sim_room(n * n, sizeof(*lu.task));
	lu.count = 0;
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++)
			if ((*there(i, j) = starts_with(i, j)))
				sim_data_made((i * n + j) * block_bytes(), block_bytes());
	for (unsigned k = 0; k < n; k++)
		step(k);
}

const struct sim_tree sim_sparselu = {
	"sparselu", "blocks a side, numbers a side of each", 40, 80, 8, 16, sparselu_run
};
