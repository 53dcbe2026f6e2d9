/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "pos/pos.h"

static void parallel(void)
{
#pragma omp parallel default(none)
#pragma omp single
	for (unsigned long i = 0; i < pos_batches(); i++) {
#pragma omp task default(none) firstprivate(i)
		pos_batch(i);
	}
}

const struct bench_version bench_version = { .parallel = parallel };
