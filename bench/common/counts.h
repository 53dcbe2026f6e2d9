/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What our libraries count of tasks and steals, as columns of a report. */
#ifndef BENCH_COMMON_COUNTS_H
#define BENCH_COMMON_COUNTS_H

#include "common/bench.h"

#include <qthread/stats.h>

/* The name of a column. */
const char *bench_count_name(unsigned i);
void bench_counts_of(const qt_stats_t *stats, double into[BENCH_COUNTS]);
/* The same of the library that the linker has found.  False: it is none of ours, or does not run. */
bool bench_counts_found(double into[BENCH_COUNTS]);

#endif
