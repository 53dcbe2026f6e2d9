/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What things cost on the simulated machine.  A file has lines "name nanoseconds", of caches "name KiB"; # begins a
 * comment. */
#ifndef BENCH_SIM_COSTS_H
#define BENCH_SIM_COSTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* How far apart two processors are: what they share. */
enum sim_distance { SIM_SELF, SIM_CORE, SIM_L2, SIM_CHIP, SIM_NEAR, SIM_FAR, SIM_DISTANCES };
extern const char *const sim_distance_names[SIM_DISTANCES];

enum sim_cost {
	SIM_HIT,                        /* an access to a line that is there */
	SIM_LOCKED,                     /* beyond the line: a read-modify-write */
	SIM_FENCE,
	SIM_PAUSE,
	SIM_LINE,                       /* SIM_DISTANCES of them: a line comes from there */
	SIM_BUSY = SIM_LINE + SIM_DISTANCES,    /* a line serves one reader after the other, this long each */
	SIM_INVALIDATE,                 /* a writer takes the line away from each that has it */
	SIM_SWITCH,                     /* of contexts, there or back */
	SIM_CREATE,                     /* a task, beside the accesses that are seen */
	SIM_RUN,                        /* a task, likewise */
	SIM_YIELD,                      /* sched_yield with nobody to yield to */
	SIM_SLEEP,                      /* the call that goes to sleep */
	SIM_WAKE,                       /* the call that wakes a thread */
	SIM_ARRIVE,                     /* from that call to the woken thread's first instruction */
	SIM_HEAVY,                      /* membarrier(2) */
	SIM_HEAVY_EACH,                 /* for each CPU that it interrupts */
	SIM_INTERRUPT,                  /* what that takes of the CPU */
	SIM_PIECE_OWN,                  /* 4 KiB of data by streams of loads, from the processor's own cache */
	SIM_PIECE_CHIP,                 /* from its chip's */
	SIM_PIECE_MEMORY,               /* from its chip's memory */
	SIM_PIECE_FURTHER,              /* for each step beyond the chip */
	SIM_PIECE_SERVED,               /* a chip's memory serves one after the other, this long each */
	SIM_OWN_CACHE,                  /* KiB */
	SIM_CHIP_CACHE,                 /* KiB */
	SIM_COSTS
};

/* In picoseconds, caches in thousandths of a KiB, from a built-in table until a file is read. */
extern uint64_t sim_cost[SIM_COSTS];

/* NULL, or what is wrong. */
const char *sim_costs_read(const char *path);
void sim_costs_print(FILE *to);

#endif
