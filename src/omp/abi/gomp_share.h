/* omp/abi/gomp_share.h -- what GCC calls for loops, sections, single and scope.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends are exclusive.  Where indices are unsigned, `up` tells the direction, and a negative step is its two's
 * complement.  What the names call nonmonotonic may hand out pieces in any order; dynamic loops do.
 */
#ifndef QOMP_GOMP_SHARE_H
#define QOMP_GOMP_SHARE_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned long long gomp_ull;

/* `sched` of GOMP_loop_start and its kind as an enum qomp_schedule or QOMP_RUNTIME: 0 runtime, 1 static, 2 dynamic, 3
 * guided, 4 runtime, and bit 31: in order. */
static inline uint32_t qomp_gomp_schedule(long sched)
{
	uint32_t schedule = (uint32_t)sched & ~(UINT32_C(1) << 31);

	return schedule < 4 ? schedule : 0;
}

/* The schedules that have calls of their own: name, kind, and which pieces there are, of a loop or in order.  AS_SET:
 * the running task's, without a chunk. */
#define GOMP_LOOPS(OF, AS_SET) \
	OF(static, QOMP_STATIC, loop) \
	OF(dynamic, QOMP_DYNAMIC, loop) \
	OF(guided, QOMP_GUIDED, loop) \
	OF(nonmonotonic_dynamic, QOMP_DYNAMIC_ANY, loop) \
	OF(nonmonotonic_guided, QOMP_GUIDED, loop) \
	OF(ordered_static, QOMP_STATIC, ordered) \
	OF(ordered_dynamic, QOMP_DYNAMIC, ordered) \
	OF(ordered_guided, QOMP_GUIDED, ordered) \
	AS_SET(runtime, QOMP_RUNTIME, loop) \
	AS_SET(nonmonotonic_runtime, QOMP_RUNTIME_ANY, loop) \
	AS_SET(maybe_nonmonotonic_runtime, QOMP_RUNTIME_ANY, loop) \
	AS_SET(ordered_runtime, QOMP_RUNTIME, ordered)

/* A loop that has begun knows its schedule: what asks for its next piece is one function by many names. */
#define GOMP_LOOPS_NEXT(SAME_AS) \
	SAME_AS(dynamic, static) \
	SAME_AS(dynamic, guided) \
	SAME_AS(dynamic, runtime) \
	SAME_AS(dynamic, nonmonotonic_dynamic) \
	SAME_AS(dynamic, nonmonotonic_guided) \
	SAME_AS(dynamic, nonmonotonic_runtime) \
	SAME_AS(dynamic, maybe_nonmonotonic_runtime) \
	SAME_AS(ordered_dynamic, ordered_static) \
	SAME_AS(ordered_dynamic, ordered_guided) \
	SAME_AS(ordered_dynamic, ordered_runtime)

#pragma GCC visibility push(default)

/* Loops, begun by the schedule: of the clause, or (runtime) of the running task. */
#define GOMP_LOOP_OF(schedule, kind, pieces) \
	bool GOMP_loop_##schedule##_start(long start, long end, long incr, long chunk, long *istart, long *iend); \
	bool GOMP_loop_##schedule##_next(long *istart, long *iend); \
	bool GOMP_loop_ull_##schedule##_start(bool up, gomp_ull start, gomp_ull end, gomp_ull incr, gomp_ull chunk, \
	                                      gomp_ull *istart, gomp_ull *iend); \
	bool GOMP_loop_ull_##schedule##_next(gomp_ull *istart, gomp_ull *iend);

#define GOMP_LOOP_AS_SET(schedule, kind, pieces) \
	bool GOMP_loop_##schedule##_start(long start, long end, long incr, long *istart, long *iend); \
	bool GOMP_loop_##schedule##_next(long *istart, long *iend); \
	bool GOMP_loop_ull_##schedule##_start(bool up, gomp_ull start, gomp_ull end, gomp_ull incr, gomp_ull *istart, \
	                                      gomp_ull *iend); \
	bool GOMP_loop_ull_##schedule##_next(gomp_ull *istart, gomp_ull *iend);

GOMP_LOOPS(GOMP_LOOP_OF, GOMP_LOOP_AS_SET)

#undef GOMP_LOOP_OF
#undef GOMP_LOOP_AS_SET

void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
bool GOMP_loop_end_cancel(void);

/* Loops begun with more to agree on.  istart: NULL if only reductions and memory are wanted. */
bool GOMP_loop_start(long start, long end, long incr, long sched, long chunk, long *istart, long *iend,
                     uintptr_t *reductions, void **mem);
bool GOMP_loop_ordered_start(long start, long end, long incr, long sched, long chunk, long *istart, long *iend,
                             uintptr_t *reductions, void **mem);
bool GOMP_loop_doacross_start(unsigned ncounts, long *counts, long sched, long chunk, long *istart, long *iend,
                              uintptr_t *reductions, void **mem);
bool GOMP_loop_ull_start(bool up, gomp_ull start, gomp_ull end, gomp_ull incr, long sched, gomp_ull chunk,
                         gomp_ull *istart, gomp_ull *iend, uintptr_t *reductions, void **mem);
bool GOMP_loop_ull_ordered_start(bool up, gomp_ull start, gomp_ull end, gomp_ull incr, long sched, gomp_ull chunk,
                                 gomp_ull *istart, gomp_ull *iend, uintptr_t *reductions, void **mem);
bool GOMP_loop_ull_doacross_start(unsigned ncounts, gomp_ull *counts, long sched, gomp_ull chunk, gomp_ull *istart,
                                  gomp_ull *iend, uintptr_t *reductions, void **mem);

/* The region of `ordered` in a loop. */
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);

/* Loops with ordered(n): iterations are those of the outermost loop, counted from 0. */
bool GOMP_loop_doacross_static_start(unsigned ncounts, long *counts, long chunk, long *istart, long *iend);
bool GOMP_loop_doacross_dynamic_start(unsigned ncounts, long *counts, long chunk, long *istart, long *iend);
bool GOMP_loop_doacross_guided_start(unsigned ncounts, long *counts, long chunk, long *istart, long *iend);
bool GOMP_loop_doacross_runtime_start(unsigned ncounts, long *counts, long *istart, long *iend);
bool GOMP_loop_ull_doacross_static_start(unsigned ncounts, gomp_ull *counts, gomp_ull chunk, gomp_ull *istart,
                                         gomp_ull *iend);
bool GOMP_loop_ull_doacross_dynamic_start(unsigned ncounts, gomp_ull *counts, gomp_ull chunk, gomp_ull *istart,
                                          gomp_ull *iend);
bool GOMP_loop_ull_doacross_guided_start(unsigned ncounts, gomp_ull *counts, gomp_ull chunk, gomp_ull *istart,
                                         gomp_ull *iend);
bool GOMP_loop_ull_doacross_runtime_start(unsigned ncounts, gomp_ull *counts, gomp_ull *istart, gomp_ull *iend);
void GOMP_doacross_post(long *counts);
void GOMP_doacross_wait(long first, ...);
void GOMP_doacross_ull_post(gomp_ull *counts);
void GOMP_doacross_ull_wait(gomp_ull first, ...);

/* Regions that begin in a loop: fn calls *_next first. */
#define GOMP_PARALLEL_LOOP(schedule) \
	void GOMP_parallel_loop_##schedule(void (*fn)(void *), void *data, unsigned num_threads, long start, long end, \
	                                   long incr, long chunk, unsigned flags);
#define GOMP_PARALLEL_LOOP_AS_SET(schedule) \
	void GOMP_parallel_loop_##schedule(void (*fn)(void *), void *data, unsigned num_threads, long start, long end, \
	                                   long incr, unsigned flags);

GOMP_PARALLEL_LOOP(static)
GOMP_PARALLEL_LOOP(dynamic)
GOMP_PARALLEL_LOOP(guided)
GOMP_PARALLEL_LOOP(nonmonotonic_dynamic)
GOMP_PARALLEL_LOOP(nonmonotonic_guided)
GOMP_PARALLEL_LOOP_AS_SET(runtime)
GOMP_PARALLEL_LOOP_AS_SET(nonmonotonic_runtime)
GOMP_PARALLEL_LOOP_AS_SET(maybe_nonmonotonic_runtime)

#undef GOMP_PARALLEL_LOOP
#undef GOMP_PARALLEL_LOOP_AS_SET

/* The same before GCC 4.9: the compiled code itself calls fn and GOMP_parallel_end. */
void GOMP_parallel_loop_static_start(void (*fn)(void *), void *data, unsigned num_threads, long start, long end,
                                     long incr, long chunk);
void GOMP_parallel_loop_dynamic_start(void (*fn)(void *), void *data, unsigned num_threads, long start, long end,
                                      long incr, long chunk);
void GOMP_parallel_loop_guided_start(void (*fn)(void *), void *data, unsigned num_threads, long start, long end,
                                     long incr, long chunk);
void GOMP_parallel_loop_runtime_start(void (*fn)(void *), void *data, unsigned num_threads, long start, long end,
                                      long incr);

/* Sections, numbered from 1; 0: none left. */
unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **mem);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
bool GOMP_sections_end_cancel(void);
void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned num_threads, unsigned count, unsigned flags);
void GOMP_parallel_sections_start(void (*fn)(void *), void *data, unsigned num_threads, unsigned count);

bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *data);

void GOMP_scope_start(uintptr_t *reductions);

#pragma GCC visibility pop

#endif
