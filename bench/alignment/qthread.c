/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* One join counter for all pairs: nobody needs to know which of them are done.  A pair needs no place of its own for
 * its argument, as the fork copies it. */
#include "alignment/alignment.h"

#include <qthread/qloop.h>
#include <qthread/qthread.h>
#include <qthread/sinc.h>

struct pair {
	size_t i, j;
};

static qt_sinc_t pairs;

static aligned_t align(void *arg)
{
	const struct pair *p = arg;

	alignment_pair(p->i, p->j);
	return 0;
}

/* The pairs whose first sequences are start to stop. */
static void fork_pairs(size_t start, size_t stop, void *arg)
{
	(void)arg;
	for (size_t i = start; i < stop; i++)
		for (size_t j = i + 1; j < alignment_input.count; j++) {
			const struct pair p = { i, j };
			if (qthread_spawn(
				    align, &p, sizeof(p), &pairs, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC_VOID))
				bench_fail("alignment", "out of memory for a task");
		}
}

static void parallel(void)
{
	const size_t n = alignment_input.count;

	qt_sinc_init(&pairs, 0, NULL, NULL, n * (n - 1) / 2);
	if (alignment_tasks == ALIGNMENT_FOR)
		qt_loop(0, n, fork_pairs, NULL);
	else
		fork_pairs(0, n, NULL);
	qt_sinc_wait(&pairs, NULL);
	qt_sinc_fini(&pairs);
}

const struct bench_version bench_version = { .options = alignment_tasks_option, .parallel = parallel };
