/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "common/native.h"

#include <stdlib.h>

void bench_configure(const struct bench_setup *setup)
{
	char number[24];

	if (setup->workers) {
		snprintf(number, sizeof(number), "%lu", setup->workers);
		setenv("QT_HWPAR", number, 1);
	}
	if (setup->scheduler)
		setenv("QT_SCHEDULER", bench_schedulers[setup->scheduler], 1);
}

void bench_start(const char *name, const struct bench_setup *setup)
{
	bench_configure(setup);
	int rc = qthread_initialize();
	if (rc != QTHREAD_SUCCESS)
		bench_fail(name, "qthread_initialize failed (%d)", rc);
	if (setup->workers && qthread_num_workers() != setup->workers)
		fprintf(stderr, "%s: note: %lu workers asked for, the library runs %u\n", name, setup->workers,
			(unsigned)qthread_num_workers());
}
