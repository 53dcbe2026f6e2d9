/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What a task needs lies in its forker's frame, which stays until it has read the words of all its tasks, newest first:
 * the order in which a last-in first-out scheduler would run them anyway. */
#include "strassen/strassen.h"
#include "common/must.h"

#include <qthread/qthread.h>

static aligned_t multiply(void *arg)
{
	const struct strassen_product *p = arg;
	struct strassen_work w;
	aligned_t done[STRASSEN_PARTS];

	if (p->n == STRASSEN_BASE || (bench_cutoff == BENCH_MANUAL && p->depth >= strassen_depth)) {
		strassen_serial(p);
		return 0;
	}
	strassen_divide(p, &w);
	for (unsigned i = 0; i < STRASSEN_PARTS; i++)
		if (qthread_fork(multiply, &w.part[i], &done[i]))
			bench_fail("strassen", "out of memory for a task");
	for (unsigned i = STRASSEN_PARTS; i-- > 0;)
		must(qthread_readFF(NULL, &done[i]));
	strassen_unite(p, &w);
	return 0;
}

static void parallel(void)
{
	struct strassen_product whole = strassen_whole();

	multiply(&whole);
}

const struct bench_version bench_version = { .parallel = parallel };
