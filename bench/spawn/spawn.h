/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* One task forks all others, which do next to nothing, and then waits for them: the forker is far ahead of those who
 * run them, and as many descriptors exist at once.
 *
 * A task adds 1 to a word that all share. */
#ifndef BENCH_SPAWN_SPAWN_H
#define BENCH_SPAWN_SPAWN_H

#include <stdint.h>

#include "common/bench.h"

extern unsigned long spawn_n; /* tasks */
extern uint64_t spawn_done;   /* versions count here what has run */

#endif
