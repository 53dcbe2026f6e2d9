/* omp/abi/gomp_parallel.c -- regions and barriers, as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_parallel.h"

#include "omp/team/barrier.h"
#include "omp/team/called.h"
#include "omp/team/region.h"
#include "omp/team/standing.h"

static inline void parallel_run(
	struct qomp_frame *f, void (*fn)(void *), void *data, unsigned num_threads, unsigned flags)
{
	qomp_region_begin(f, fn, data, num_threads, flags & GOMP_PARALLEL_BIND, NULL);
	fn(data);
	qomp_region_end();
}

/* A jump leads here: a call would have the other one save more registers. */
static __attribute__((noinline)) void parallel_rare(
	void (*fn)(void *), void *data, unsigned num_threads, unsigned flags)
{
	parallel_run(qomp_frame_called(), fn, data, num_threads, flags);
}

void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags)
{
	struct qomp_frame *f = qomp_frame_if_any();

	if (qti_unlikely(!f || qomp_frame_is_rare(f)))
		parallel_rare(fn, data, num_threads, flags);
	else
		parallel_run(f, fn, data, num_threads, flags);
}

/* Before GCC 4.9 the compiled code itself calls fn between the two. */
void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned num_threads)
{
	qomp_region_begin(qomp_frame_called(), fn, data, num_threads, 0, NULL);
}

void GOMP_parallel_end(void)
{
	qomp_region_end();
}

static __attribute__((noinline)) void barrier_rare(struct qomp_frame *f, const void *address, void *frame)
{
	qomp_barrier(qomp_frame_called_from(f, address, frame));
}

/* As qomp_frame_called; the other way out goes to a function of its own, so that this one asks once: who is alone
 * waits for nothing, and each question is to be seen then. */
void GOMP_barrier(void)
{
	struct qomp_frame *f = qomp_frame_now();

	if (qomp_frame_is_rare(f))
		barrier_rare(f, __builtin_return_address(0), __builtin_dwarf_cfa());
	else
		qomp_barrier_untold(f);
}

bool GOMP_barrier_cancel(void)
{
	return qomp_barrier_cancel(qomp_frame_called());
}
