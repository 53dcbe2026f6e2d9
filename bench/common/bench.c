/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "common/bench.h"

#include <stdlib.h>

#ifndef QTI_DEFAULT_SCHEDULER
#define QTI_DEFAULT_SCHEDULER "default"
#endif

const char *const bench_schedulers[] = { "auto", "q", "l", "cq", "ws", "mts", NULL };

const char *bench_scheduler_name(const struct bench_setup *setup)
{
	static const char *const settings[] = { "QT_SCHEDULER", "QTHREAD_SCHEDULER" };

	if (setup->scheduler)
		return bench_schedulers[setup->scheduler];
	for (unsigned i = 0; i < 2; i++) {
		const char *value = getenv(settings[i]);
		if (value && *value)
			return value;
	}
	return QTI_DEFAULT_SCHEDULER;
}

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
	if (rc != QTHREAD_SUCCESS) {
		fprintf(stderr, "%s: qthread_initialize failed (%d)\n", name, rc);
		exit(1);
	}
	if (setup->workers && qthread_num_workers() != setup->workers)
		fprintf(stderr, "%s: note: %lu workers asked for, the library runs %u\n", name, setup->workers,
			(unsigned)qthread_num_workers());
}

const char *bench_shape(unsigned shepherds, unsigned workers)
{
	static char text[48];

	if (shepherds && workers % shepherds == 0)
		snprintf(text, sizeof(text), "%u x %u", shepherds, workers / shepherds);
	else
		snprintf(text, sizeof(text), "%u, %u in all", shepherds, workers);
	return text;
}
