/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* A task's argument and its word lie in the frame of the task that forks it, which waits for them all.  Words are read
 * newest first: who reads the word of a task that has not begun runs it, without a switch. */
#include "floorplan/floorplan.h"
#include "common/must.h"

#include <qthread/qthread.h>

struct place {
	aligned_t done;
	const struct plan *before;
	struct plan_move move;
};

static aligned_t place(void *arg);

static void continue_from(const struct plan *p)
{
	struct plan_move moves[PLAN_MOVES];
	const unsigned n = plan_moves(p, moves);
	struct place places[n + 1]; /* n may be 0 */

	for (unsigned i = 0; i < n; i++) {
		struct place *child = &places[i];
		*child = (struct place){ .before = p, .move = moves[i] };
		if (qthread_fork(place, child, &child->done) != QTHREAD_SUCCESS)
			place(child);
	}
	for (unsigned i = n; i > 0; i--)
		must(qthread_readFF(NULL, &places[i - 1].done));
}

static aligned_t place(void *arg)
{
	const struct place *self = arg;
	struct plan after;

	if (!plan_try(self->before, self->move, &after))
		return 0;
	if (bench_cutoff == BENCH_MANUAL && after.placed >= floorplan_depth)
		plan_search(&after);
	else
		continue_from(&after);
	return 0;
}

static void parallel(void)
{
	continue_from(&floorplan_empty);
}

const struct bench_version bench_version = { .parallel = parallel };
