/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sort/sort.h"
#include "common/must.h"

#include <qthread/qthread.h>

static size_t grain;

static aligned_t merge(void *arg)
{
	const struct sort_merge *m = arg;
	struct sort_merge part[2];
	aligned_t done[2];

	if (m->nx + m->ny <= grain) {
		sort_merge_serial(m);
		return 0;
	}
	sort_divide(m, &part[0], &part[1]);
	for (unsigned i = 0; i < 2; i++)
		must(qthread_fork(merge, &part[i], &done[i]));
	for (unsigned i = 2; i-- > 0;)
		must(qthread_readFF(NULL, &done[i]));
	return 0;
}

static aligned_t sort(void *arg)
{
	const struct sort_range *r = arg;
	struct sort_range quarter[4];
	struct sort_merge pair[2], halves;
	aligned_t done[4];

	if (r->n <= grain) {
		sort_serial(r);
		return 0;
	}
	for (unsigned i = 0; i < 4; i++) {
		quarter[i] = sort_quarter(r, i);
		must(qthread_fork(sort, &quarter[i], &done[i]));
	}
	for (unsigned i = 4; i-- > 0;)
		must(qthread_readFF(NULL, &done[i]));
	for (unsigned i = 0; i < 2; i++) {
		pair[i] = sort_pair(r, i);
		must(qthread_fork(merge, &pair[i], &done[i]));
	}
	for (unsigned i = 2; i-- > 0;)
		must(qthread_readFF(NULL, &done[i]));
	halves = sort_halves(r);
	return merge(&halves);
}

static void parallel(void)
{
	grain = sort_grain();
	sort(&sort_all);
}

const struct bench_version bench_version = { .parallel = parallel };
