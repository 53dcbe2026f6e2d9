/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Proof of space: a puzzle is a number and 28 bytes of its BLAKE3 digest; all puzzles are put into buckets by the first
 * bits of the digest, in whatever order they come.  A task makes a batch of them. */
#ifndef BENCH_POS_POS_H
#define BENCH_POS_POS_H

#include "common/bench.h"

unsigned long pos_batches(void);
/* What a task does. */
void pos_batch(unsigned long batch);

#endif
