/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "floorplan/floorplan.h"

static void continue_none(const struct plan *p)
{
	struct plan_move moves[PLAN_MOVES];
	const unsigned n = plan_moves(p, moves);

	for (unsigned i = 0; i < n; i++) {
		const struct plan_move m = moves[i];
#pragma omp task default(none) firstprivate(p, m)
		{
			struct plan after;
			if (plan_try(p, m, &after))
				continue_none(&after);
		}
	}
#pragma omp taskwait
}

static void continue_copies(const struct plan *p)
{
	struct plan_move moves[PLAN_MOVES];
	const unsigned n = plan_moves(p, moves);

	for (unsigned i = 0; i < n; i++) {
#pragma omp task default(none) untied firstprivate(p, moves, i)
		{
			struct plan after;
			if (plan_try(p, moves[i], &after))
				continue_copies(&after);
		}
	}
#pragma omp taskwait
}

static void continue_manual(const struct plan *p)
{
	struct plan_move moves[PLAN_MOVES];

	if (p->placed >= floorplan_depth) {
		plan_search(p);
		return;
	}
	const unsigned n = plan_moves(p, moves);
	for (unsigned i = 0; i < n; i++) {
		const struct plan_move m = moves[i];
#pragma omp task default(none) firstprivate(p, m)
		{
			struct plan after;
			if (plan_try(p, m, &after))
				continue_manual(&after);
		}
	}
#pragma omp taskwait
}

static void continue_if(const struct plan *p)
{
	struct plan_move moves[PLAN_MOVES];
	const unsigned n = plan_moves(p, moves);

	for (unsigned i = 0; i < n; i++) {
		const struct plan_move m = moves[i];
#pragma omp task default(none) firstprivate(p, m) if (p->placed < floorplan_depth)
		{
			struct plan after;
			if (plan_try(p, m, &after))
				continue_if(&after);
		}
	}
#pragma omp taskwait
}

static void continue_final(const struct plan *p)
{
	struct plan_move moves[PLAN_MOVES];
	const unsigned n = plan_moves(p, moves);

	for (unsigned i = 0; i < n; i++) {
		const struct plan_move m = moves[i];
#pragma omp task default(none) firstprivate(p, m) final(p->placed + 1 >= floorplan_depth) mergeable
		{
			struct plan after;
			if (plan_try(p, m, &after))
				continue_final(&after);
		}
	}
#pragma omp taskwait
}

static void parallel(void)
{
	static void (*const versions[])(const struct plan *) = { continue_none, continue_manual, continue_if, continue_final };
	void (*const search)(const struct plan *) = floorplan_copies ? continue_copies : versions[bench_cutoff];

#pragma omp parallel default(none) shared(floorplan_empty, search)
#pragma omp single
	search(&floorplan_empty);
}

static const struct bench_option options[] = {
	{ "copies", "each task has a copy of all its cell's places, without any cut-off", BENCH_SWITCH, &floorplan_copies, 0, 0, NULL },
	{ .name = NULL },
};

const struct bench_version bench_version = { .options = options, .parallel = parallel };
