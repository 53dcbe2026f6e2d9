/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sparselu/sparselu.h"
#include "common/bench.h"

static void single(void)
{
	const unsigned side = sparselu_side();

	for (unsigned k = 0; k < side; k++) {
		sparselu_factor(k);
		for (unsigned j = k + 1; j < side; j++)
			if (sparselu_has(k, j))
#pragma omp task default(none) firstprivate(j, k)
				sparselu_right(k, j);
		for (unsigned i = k + 1; i < side; i++)
			if (sparselu_has(i, k))
#pragma omp task default(none) firstprivate(i, k)
				sparselu_below(i, k);
#pragma omp taskwait
		for (unsigned i = k + 1; i < side; i++)
			for (unsigned j = k + 1; j < side; j++)
				if (sparselu_has(i, k) && sparselu_has(k, j)) {
					const bool fresh = sparselu_claim(i, j);
#pragma omp task default(none) firstprivate(i, j, k, fresh)
					sparselu_update(i, j, k, fresh);
				}
#pragma omp taskwait
	}
}

/* By every thread of a team.  The barriers end the tasks. */
static void all(void)
{
	const unsigned side = sparselu_side();

	for (unsigned k = 0; k < side; k++) {
#pragma omp single
		sparselu_factor(k);
#pragma omp for nowait
		for (unsigned j = k + 1; j < side; j++)
			if (sparselu_has(k, j))
#pragma omp task default(none) firstprivate(j, k)
				sparselu_right(k, j);
#pragma omp for
		for (unsigned i = k + 1; i < side; i++)
			if (sparselu_has(i, k))
#pragma omp task default(none) firstprivate(i, k)
				sparselu_below(i, k);
#pragma omp for
		for (unsigned i = k + 1; i < side; i++)
			for (unsigned j = k + 1; j < side; j++)
				if (sparselu_has(i, k) && sparselu_has(k, j)) {
					const bool fresh = sparselu_claim(i, j);
#pragma omp task default(none) firstprivate(i, j, k, fresh)
					sparselu_update(i, j, k, fresh);
				}
	}
}

/* The first number of a block stands for it. */
static void depend(void)
{
	const unsigned side = sparselu_side();

	for (unsigned k = 0; k < side; k++) {
#pragma omp task default(none) firstprivate(k) depend(inout : *sparselu_block(k, k))
		sparselu_factor(k);
		for (unsigned j = k + 1; j < side; j++)
			if (sparselu_has(k, j))
#pragma omp task default(none) firstprivate(j, k) depend(in : *sparselu_block(k, k)) \
	depend(inout : *sparselu_block(k, j))
				sparselu_right(k, j);
		for (unsigned i = k + 1; i < side; i++)
			if (sparselu_has(i, k))
#pragma omp task default(none) firstprivate(i, k) depend(in : *sparselu_block(k, k)) \
	depend(inout : *sparselu_block(i, k))
				sparselu_below(i, k);
		for (unsigned i = k + 1; i < side; i++)
			for (unsigned j = k + 1; j < side; j++)
				if (sparselu_has(i, k) && sparselu_has(k, j)) {
					const bool fresh = sparselu_claim(i, j);
#pragma omp task default(none) firstprivate(i, j, k, fresh) depend(in : *sparselu_block(i, k), *sparselu_block(k, j)) \
	depend(inout : *sparselu_block(i, j))
					sparselu_update(i, j, k, fresh);
				}
	}
}

static void parallel(void)
{
	if (sparselu_tasks == SPARSELU_FOR) {
#pragma omp parallel
		all();
	} else {
#pragma omp parallel
#pragma omp single
		{
			if (sparselu_tasks == SPARSELU_DEPEND)
				depend();
			else
				single();
		}
	}
}

static const struct bench_option options[] = {
	{ "tasks", "made by one producer, by a loop of them, or as data allow", BENCH_CHOICE, &sparselu_tasks, 0, 0,
		sparselu_all_tasks_names },
	{ .name = NULL },
};

const struct bench_version bench_version = { .options = options, .parallel = parallel };
