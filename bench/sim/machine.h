/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The simulated machine: levels from the outside in, as hwloc's synthetic descriptions have them, "socket:4
 * numa:2 core:8". Fewer workers than it has processors are placed side by side. */
#ifndef BENCH_SIM_MACHINE_H
#define BENCH_SIM_MACHINE_H

#include "machine/topo.h"

/* What both programs are told: costs, the path of a file or NULL, and the machine.  Ends the program when one is wrong. */
void sim_machine_set_up(const char *program, const char *costs, const char *machine);

/* NULL, or what is wrong with it. */
const char *sim_machine_read(const char *levels);
unsigned sim_machine_size(void);

/* The machine with its first n processors alone, numbered as they lie.  The caller frees it. */
int sim_machine_topo(struct qti_topo *t, unsigned n);

/* Processor i of the engine is number pu[i] of that. */
void sim_machine_place(const struct qti_topo *t, unsigned n, const unsigned *pu);

/* Which chip a processor is on, and how far chips are apart. */
unsigned sim_machine_chip(unsigned cpu);
unsigned sim_machine_chips(void);
enum sim_distance sim_machine_between(unsigned chip, unsigned other);

#endif
