/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Starting libqthread, for programs that use it. */
#ifndef BENCH_COMMON_NATIVE_H
#define BENCH_COMMON_NATIVE_H

#include <qthread/qthread.h>

#include "common/bench.h"

/* Puts setup into the environment, as QT_HWPAR and QT_SCHEDULER. */
void bench_configure(const struct bench_setup *setup);
/* The same, then starts the library; ends the program when that fails. */
void bench_start(const char *name, const struct bench_setup *setup);

#endif
