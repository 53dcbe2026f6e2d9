/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Some threads produce tasks, all of them run tasks: the synthetic benchmark of Agathos, Kallimanis and Dimakopoulos
 * (Speeding Up OpenMP Tasking, Euro-Par 2012).  A task spins for a random number of turns.
 *
 * Producers share the tasks equally; a thread that is none, or is through, has nothing to do but to run tasks. */
#ifndef BENCH_PRODCONS_PRODCONS_H
#define BENCH_PRODCONS_PRODCONS_H

#include "common/bench.h"

extern unsigned long prodcons_tasks, prodcons_producers;

/* Where the tasks of a producer begin; they end where those of the next begin. */
unsigned long prodcons_first(unsigned long producer);

/* What a task does. */
void prodcons_spin(unsigned long task);

#endif
