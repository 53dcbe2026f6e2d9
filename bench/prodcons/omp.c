/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "prodcons/prodcons.h"

#include <omp.h>

static void produce(unsigned long producer)
{
	const unsigned long end = prodcons_first(producer + 1);

	for (unsigned long i = prodcons_first(producer); i < end; i++) {
#pragma omp task default(none) firstprivate(i)
		prodcons_spin(i);
	}
}

static void parallel(void)
{
#pragma omp parallel default(none) shared(prodcons_producers)
	{
		const unsigned long step = (unsigned long)omp_get_num_threads();
		for (unsigned long p = (unsigned long)omp_get_thread_num(); p < prodcons_producers; p += step)
			produce(p);
	}
}

const struct bench_version bench_version = { .parallel = parallel };
