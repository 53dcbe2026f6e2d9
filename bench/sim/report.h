/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What is printed of runs: a table to read, or comma-separated values with all there is. */
#ifndef BENCH_SIM_REPORT_H
#define BENCH_SIM_REPORT_H

#include "sim/run.h"

void sim_report_head(bool csv);

/* serial: nanoseconds of the work alone. */
void sim_report_run(bool csv, const char *tree, const char *policy, const struct sim_result *r, double serial);

/* The lines that its processors waited for most. */
void sim_report_hot(const struct sim_result *r);

#endif
