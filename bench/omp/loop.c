/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What it costs to hand out the chunks of a loop, in the manner of EPCC's schedbench (Bull, EWOMP 1999).
 *
 * A loop has as many chunks whatever their size, and bodies of next to nothing, so that threads want the next chunk as
 * often as they can.  What is subtracted is the same loop with one piece for each thread: the barrier at its end, and
 * the bodies. */
#include "omp/omp.h"

#include <omp.h>

enum { CHUNKS = 512 };

/* What an iteration works on stays in registers, and takes as long as a multiplication takes, in whatever loop. */
struct work {
	unsigned long steps;
	uint64_t x;
};

static inline void work_step(struct work *w)
{
	w->steps++;
	w->x *= 0x9e3779b97f4a7c15u;
	__asm__ volatile("" : "+r"(w->x), "+r"(w->steps));
}

#define LOOP(NAME, SCHEDULE, INDEX) \
	static void NAME(unsigned long n, unsigned chunk) \
	{ \
		INDEX end = (INDEX)chunk * CHUNKS; \
		_Pragma("omp parallel") \
		{ \
			struct work w = { 0, 1 }; \
			for (unsigned long i = 0; i < n; i++) { \
				_Pragma(SCHEDULE) for (INDEX j = 0; j < end; j++) work_step(&w); \
			} \
			body_counts(w.steps); \
		} \
	}

LOOP(plain, "omp for schedule(static)", long)
LOOP(chunked, "omp for schedule(static, chunk)", long)
LOOP(dynamic, "omp for schedule(dynamic, chunk)", long)
LOOP(monotonic, "omp for schedule(monotonic : dynamic, chunk)", long)
LOOP(dynamic_ull, "omp for schedule(dynamic, chunk)", unsigned long)
LOOP(guided, "omp for schedule(guided, chunk)", long)
LOOP(at_run_time, "omp for schedule(runtime)", long)

static void runtime(unsigned long n, unsigned chunk)
{
	omp_set_schedule(omp_sched_dynamic, (int)chunk);
	at_run_time(n, chunk);
}

#define LOOPS(C) { CHUNKS, CHUNKS * (C), false }
#define WHOLE(C) { 1, CHUNKS * (C), false }
#define NOT_SLOWER .target = { { 0, 0 }, "libgomp" }

#define STATIC(C) \
	{ "static_" #C, "ns/loop", "schedule(static, " #C "), 512 chunks", chunked, plain, .arg = C, \
		.count = WHOLE(C) }
#define DYNAMIC(C) \
	{ "dynamic_" #C, "ns/chunk", "schedule(dynamic, " #C "), nonmonotonic", dynamic, plain, .arg = C, \
		.count = LOOPS(C), NOT_SLOWER }
#define GUIDED(C) \
	{ "guided_" #C, "ns/loop", "schedule(guided, " #C ") over 512 times as many", guided, plain, .arg = C, \
		.count = WHOLE(C) }
#define EVERY_CHUNK(SCHEDULE) \
	SCHEDULE(1), SCHEDULE(2), SCHEDULE(4), SCHEDULE(8), SCHEDULE(16), SCHEDULE(32), SCHEDULE(64), SCHEDULE(128)

const struct figure figures_loop[] = {
	STATIC(1),
	STATIC(16),
	STATIC(128),
	EVERY_CHUNK(DYNAMIC),
	EVERY_CHUNK(GUIDED),
	{ "monotonic_1", "ns/chunk", "schedule(monotonic: dynamic, 1)", monotonic, plain, .arg = 1, .count = LOOPS(1),
		NOT_SLOWER },
	{ "monotonic_16", "ns/chunk", "schedule(monotonic: dynamic, 16)", monotonic, plain, .arg = 16,
		.count = LOOPS(16), NOT_SLOWER },
	{ "dynamic_ull_1", "ns/chunk", "schedule(dynamic, 1) over unsigned long", dynamic_ull, plain, .arg = 1,
		.count = LOOPS(1), NOT_SLOWER },
	{ "runtime_1", "ns/chunk", "schedule(runtime), which is dynamic, 1", runtime, plain, .arg = 1,
		.count = LOOPS(1), NOT_SLOWER },
	{ .name = NULL },
};
