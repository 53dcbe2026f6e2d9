/* omp/abi/gomp_ordered.c -- ordered regions, and loops with ordered(n), as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_piece.h"

#include "omp/team/told.h"
#include "omp/work/doacross.h"
#include "omp/work/ordered.h"

#include <stdarg.h>

static __attribute__((noinline)) void ordered_start_rare(void)
{
	qomp_ordered_begin(qomp_frame_called());
}

void GOMP_ordered_start(void)
{
	struct qomp_frame *f = qomp_frame_if_any();

	if (qti_unlikely(!f || qomp_frame_is_rare(f)))
		ordered_start_rare();   /* by a jump */
	else
		qomp_ordered_enter(qomp_share_place_of(f));
}

/* The turn passes on with the piece (omp/work/ordered.h). */
void GOMP_ordered_end(void)
{
	qomp_ordered_end_called();
}

/* --- ordered(n): beginning ------------------------------------------------------------------------------- */

static bool doacross_start(struct qomp_range range, uint32_t schedule, uint64_t chunk, const struct qomp_common *common,
                           struct gomp_piece *piece)
{
	return qomp_loop_next_piece(
		gomp_loop_open(qomp_frame(), range, schedule, chunk, common), &piece->from, &piece->to);
}

static bool doacross_long_start(long *counts, uint32_t schedule, long chunk, long *istart, long *iend,
                                const struct qomp_common *common)
{
	struct gomp_piece piece;

	return doacross_start(qomp_range_long(0, counts[0], 1), schedule, qomp_chunk_long(chunk), common, &piece) &&
	       gomp_give_long(&piece, istart, iend);
}

static bool doacross_ull_start(gomp_ull *counts, uint32_t schedule, gomp_ull chunk, gomp_ull *istart, gomp_ull *iend,
                               const struct qomp_common *common)
{
	struct gomp_piece piece;

	return doacross_start(qomp_range_ull(true, 0, counts[0], 1), schedule, chunk, common, &piece) &&
	       gomp_give_ull(&piece, istart, iend);
}

#define DIMS(ncounts, counts_) (&(struct qomp_common){ .dims = (ncounts), .counts = (counts_) })

#define START(name, schedule) \
	bool GOMP_loop_doacross_##name##_start(unsigned ncounts, long *counts, long chunk, long *istart, long *iend) \
	{ \
		qomp_tool_called(); \
		return doacross_long_start(counts, schedule, chunk, istart, iend, DIMS(ncounts, counts)); \
	} \
\
	bool GOMP_loop_ull_doacross_##name##_start(unsigned ncounts, gomp_ull *counts, gomp_ull chunk, \
	                                           gomp_ull *istart, gomp_ull *iend) \
	{ \
		qomp_tool_called(); \
		return doacross_ull_start(counts, schedule, chunk, istart, iend, DIMS(ncounts, counts)); \
	}

START(static, QOMP_STATIC)
START(dynamic, QOMP_DYNAMIC)
START(guided, QOMP_GUIDED)

bool GOMP_loop_doacross_runtime_start(unsigned ncounts, long *counts, long *istart, long *iend)
{
	qomp_tool_called();
	return doacross_long_start(counts, QOMP_RUNTIME, 0, istart, iend, DIMS(ncounts, counts));
}

bool GOMP_loop_ull_doacross_runtime_start(unsigned ncounts, gomp_ull *counts, gomp_ull *istart, gomp_ull *iend)
{
	qomp_tool_called();
	return doacross_ull_start(counts, QOMP_RUNTIME, 0, istart, iend, DIMS(ncounts, counts));
}

bool GOMP_loop_doacross_start(unsigned ncounts, long *counts, long sched, long chunk, long *istart, long *iend,
                              uintptr_t *reductions, void **mem)
{
	qomp_tool_called();
	struct qomp_common common = { .reductions = reductions, .memory = mem, .dims = ncounts, .counts = counts };

	return doacross_long_start(counts, qomp_gomp_schedule(sched), chunk, istart, iend, &common);
}

bool GOMP_loop_ull_doacross_start(unsigned ncounts, gomp_ull *counts, long sched, gomp_ull chunk, gomp_ull *istart,
                                  gomp_ull *iend, uintptr_t *reductions, void **mem)
{
	qomp_tool_called();
	struct qomp_common common = { .reductions = reductions, .memory = mem, .dims = ncounts, .counts = counts };

	return doacross_ull_start(counts, qomp_gomp_schedule(sched), chunk, istart, iend, &common);
}

/* --- ordered(n): iterations ------------------------------------------------------------------------------ */

static __attribute__((noinline, cold)) void doacross_tell(ompt_dependence_type_t type, const uint64_t *at, unsigned n)
{
	qomp_tell_doacross(qomp_told_of(qomp_frame()), type, at, n);
}

/* The rest are of a type as large. */
static __attribute__((noinline, cold)) void doacross_tell_sink(uint64_t first, va_list rest, unsigned n)
{
	uint64_t at[n];

	at[0] = first;
	for (unsigned k = 1; k < n; k++)
		at[k] = va_arg(rest, uint64_t);
	doacross_tell(ompt_dependence_type_sink, at, n);
}

static void doacross_tells(uint64_t first, va_list rest, unsigned n)
{
	va_list copy;

	if (!qomp_tool_here())
		return;
	va_copy(copy, rest);
	doacross_tell_sink(first, copy, n);
	va_end(copy);
}

void GOMP_doacross_post(long *counts)
{
	struct qomp_share_place *p = qomp_share_place();
	const struct qomp_doacross *d = p->doacross;
	uint64_t inside = 0;

	if (qomp_tool_here())
		doacross_tell(ompt_dependence_type_source, (const uint64_t *)counts, d->dims);
	for (unsigned k = 1; k < d->dims; k++)
		inside = inside * d->count[k - 1] + (uint64_t)counts[k];
	qomp_doacross_post(p, (uint64_t)counts[0], inside);
}

void GOMP_doacross_wait(long first, ...)
{
	struct qomp_share_place *p = qomp_share_place();
	const struct qomp_doacross *d = p->doacross;
	uint64_t inside = 0;
	va_list rest;

	va_start(rest, first);
	doacross_tells((uint64_t)first, rest, d->dims);
	for (unsigned k = 1; k < d->dims; k++)
		inside = inside * d->count[k - 1] + (uint64_t)va_arg(rest, long);
	va_end(rest);
	qomp_doacross_wait(p, (uint64_t)first, inside);
}

void GOMP_doacross_ull_post(gomp_ull *counts)
{
	struct qomp_share_place *p = qomp_share_place();
	const struct qomp_doacross *d = p->doacross;
	uint64_t inside = 0;

	if (qomp_tool_here())
		doacross_tell(ompt_dependence_type_source, (const uint64_t *)counts, d->dims);
	for (unsigned k = 1; k < d->dims; k++)
		inside = inside * d->count[k - 1] + counts[k];
	qomp_doacross_post(p, counts[0], inside);
}

void GOMP_doacross_ull_wait(gomp_ull first, ...)
{
	struct qomp_share_place *p = qomp_share_place();
	const struct qomp_doacross *d = p->doacross;
	uint64_t inside = 0;
	va_list rest;

	va_start(rest, first);
	doacross_tells((uint64_t)first, rest, d->dims);
	for (unsigned k = 1; k < d->dims; k++)
		inside = inside * d->count[k - 1] + va_arg(rest, gomp_ull);
	va_end(rest);
	qomp_doacross_wait(p, first, inside);
}
