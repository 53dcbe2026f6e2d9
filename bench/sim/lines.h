/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Where each cache line is, and what it costs to get it.
 *
 * The last writer owns a line; readers since then have copies.  A line is served to one after the other: who
 * comes while it is on its way waits.  A writer's way takes as long as that to the farthest copy.  Each
 * processor remembers a limited number of lines, so that what it has not used for long has to come again.
 *
 * Lines are known by where they are in the arena (arena.c) or in the program's own data: other addresses, such
 * as those of the fibers' own stacks, are nobody else's. */
#ifndef BENCH_SIM_LINES_H
#define BENCH_SIM_LINES_H

#include "sim/costs.h"

#include <stddef.h>

void sim_lines_begin(unsigned ncpus);
void sim_lines_end(void);

/* The time at which the line is there, for who asks at `now`; *far: where it came from, SIM_DISTANCES if it was
 * there. */
uint64_t sim_line_read(unsigned cpu, const void *word, uint64_t now, enum sim_distance *far);
uint64_t sim_line_write(unsigned cpu, const void *word, uint64_t now, enum sim_distance *far);

/* The lines that processors have waited for longest in all, n of them at most, by falling time. */
struct sim_hot {
	const void *word;               /* the line's first */
	uint64_t waited;                /* picoseconds */
	uint32_t writes;                /* by another processor than the last one */
};
unsigned sim_lines_hot(struct sim_hot *hot, unsigned n);

/* Whether that would be now. */
bool sim_line_has(unsigned cpu, const void *word, bool write);

/* machine.c */
enum sim_distance sim_distance(unsigned cpu, unsigned other);

/* arena.c: the line's number, 0 if it is none. */
size_t sim_arena_line(const void *word);
size_t sim_arena_lines(void);           /* more than any number */
const void *sim_arena_word(size_t line);
void sim_arena_reset(void);

/* So many bytes of zeros, for munmap: the kernel gives a page when it is touched. */
void *sim_addresses(size_t bytes);

#endif
