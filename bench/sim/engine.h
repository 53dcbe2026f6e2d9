/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Simulated processors: each has its own clock and runs one OS thread, which is a fiber.
 *
 * The one whose clock is earliest goes on, ties by number; so at each step of test/steps/steps.h all others are
 * at the same time or later, and steps happen in the order of virtual time.  What is not a step takes no time,
 * but where sim_spend says so. */
#ifndef BENCH_SIM_ENGINE_H
#define BENCH_SIM_ENGINE_H

#include "sim/costs.h"

struct qti_worker;

enum { SIM_CPUS_MAX = 1024 };

/* What a processor spends its time on. */
enum sim_part { SIM_WORK, SIM_QUEUE, SIM_STEAL, SIM_IDLE, SIM_SWITCHES, SIM_PARTS };
extern const char *const sim_part_names[SIM_PARTS];

/* Processors begin within a microsecond; which of them when is up to this number.  0: all at once. */
extern unsigned long sim_seed;

/* On more processors than this the light half of an asymmetric fence is a full one. */
extern unsigned long sim_light_fences;

/* n processors, processor i of which runs thread(i).  Returns when all have returned; false if those left sleep
 * for ever. */
bool sim_run(unsigned n, void (*thread)(unsigned cpu));

/* Of the processor that runs. */
unsigned sim_cpu(void);
uint64_t sim_now(void);                         /* picoseconds */
void sim_spend(enum sim_part part, uint64_t ps);
enum sim_part sim_turn_to(enum sim_part part);  /* what its steps count as from now on; returns what they did */

/* Every processor until now, those ahead of it up to their clocks: added to sum, which may be NULL. */
void sim_spent(unsigned cpu, uint64_t spent[SIM_PARTS]);

/* A number that each event so far has gone into: its time, its processor, what it was. */
uint64_t sim_digest(void);
void sim_note(uint64_t what);

/* A plain access to memory, as a step is charged. */
void sim_touch(const void *word, bool write);

/* The same where it costs nothing if the line is there. */
void sim_plain(const void *word, bool write);

/* Whoever is earlier goes first. */
void sim_meet(void);

/* Counts of the whole run. */
struct sim_events {
	uint64_t switches_of_cpu;       /* the simulator's own work */
	uint64_t lines[SIM_DISTANCES], locked, heavy, parks, wakes;
};
extern struct sim_events sim_events;

#endif
