/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP version as ROSE lowers it: outlined bodies, their arguments in structures that the runtime copies. */
#include "sparselu/sparselu.h"
#include "common/bench.h"
#include "libxomp.h"

struct right_data {
	unsigned j, k;
};
struct below_data {
	unsigned i, k;
};
struct update_data {
	unsigned i, j, k;
	bool fresh;
};

static void right_body(void *out)
{
	const struct right_data *d = out;

	sparselu_right(d->k, d->j);
}

static void below_body(void *out)
{
	const struct below_data *d = out;

	sparselu_below(d->i, d->k);
}

static void update_body(void *out)
{
	const struct update_data *d = out;

	sparselu_update(d->i, d->j, d->k, d->fresh);
}

static void right_task(unsigned k, unsigned j)
{
	struct right_data data = { .j = j, .k = k };

	if (sparselu_has(k, j))
		XOMP_task(right_body, &data, 0, sizeof(data), 4, 1, 0);
}

static void below_task(unsigned i, unsigned k)
{
	struct below_data data = { .i = i, .k = k };

	if (sparselu_has(i, k))
		XOMP_task(below_body, &data, 0, sizeof(data), 4, 1, 0);
}

static void update_tasks(unsigned i, unsigned k)
{
	for (unsigned j = k + 1; j < sparselu_side(); j++)
		if (sparselu_has(i, k) && sparselu_has(k, j)) {
			struct update_data data = { i, j, k, sparselu_claim(i, j) };

			XOMP_task(update_body, &data, 0, sizeof(data), 4, 1, 0);
		}
}

static void single_region(void *out)
{
	const unsigned side = sparselu_side();

	(void)out;
	if (XOMP_single())
		for (unsigned k = 0; k < side; k++) {
			sparselu_factor(k);
			for (unsigned j = k + 1; j < side; j++)
				right_task(k, j);
			for (unsigned i = k + 1; i < side; i++)
				below_task(i, k);
			XOMP_taskwait();
			for (unsigned i = k + 1; i < side; i++)
				update_tasks(i, k);
			XOMP_taskwait();
		}
	XOMP_barrier();
}

static void for_region(void *out)
{
	const int last = (int)sparselu_side() - 1;
	long index, lower, upper;

	(void)out;
	for (int k = 0; k <= last; k++) {
		if (XOMP_single())
			sparselu_factor((unsigned)k);
		XOMP_barrier();
		XOMP_loop_default(k + 1, last, 1, &lower, &upper);
		for (index = lower; index <= upper; index++)
			right_task((unsigned)k, (unsigned)index);
		XOMP_loop_default(k + 1, last, 1, &lower, &upper);
		for (index = lower; index <= upper; index++)
			below_task((unsigned)index, (unsigned)k);
		XOMP_barrier();
		XOMP_loop_default(k + 1, last, 1, &lower, &upper);
		for (index = lower; index <= upper; index++)
			update_tasks((unsigned)index, (unsigned)k);
		XOMP_barrier();
	}
}

static void parallel(void)
{
	XOMP_parallel_start(sparselu_tasks == SPARSELU_FOR ? for_region : single_region, 0, 1, 0, 0, 0);
	XOMP_parallel_end(0, 0);
}

static const struct bench_option options[] = {
	{ "tasks", "made by one producer, or by a loop of them", BENCH_CHOICE, &sparselu_tasks, 0, 0,
		sparselu_tasks_names },
	{ .name = NULL },
};

const struct bench_version bench_version = { .options = options, .parallel = parallel };
