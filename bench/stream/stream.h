/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Four loops that memory bounds, as McCalpin's STREAM has them; all versions share the bodies. */
#ifndef BENCH_STREAM_STREAM_H
#define BENCH_STREAM_STREAM_H

#include "common/bench.h"

#define STREAM_SCALAR 3.0

/* Each stream_n long.  Memory comes from the node of the thread that touches it first, so a version's first pass over
 * them is shared out as its loops are. */
extern double *restrict stream_a, *restrict stream_b, *restrict stream_c;
extern unsigned long stream_n;
extern unsigned long stream_rounds; /* of the loops, in a repetition */

enum stream_loop { STREAM_ALL, STREAM_COPY, STREAM_SCALE, STREAM_ADD, STREAM_TRIAD };
/* Is it asked for? */
bool stream_wants(enum stream_loop loop);

static inline void stream_fill_at(size_t i)
{
	stream_a[i] = 1;
	stream_b[i] = 2;
	stream_c[i] = 0;
}

static inline void stream_copy_at(size_t i)
{
	stream_c[i] = stream_a[i];
}

static inline void stream_scale_at(size_t i)
{
	stream_b[i] = STREAM_SCALAR * stream_c[i];
}

static inline void stream_add_at(size_t i)
{
	stream_c[i] = stream_a[i] + stream_b[i];
}

static inline void stream_triad_at(size_t i)
{
	stream_a[i] = stream_b[i] + STREAM_SCALAR * stream_c[i];
}

/* Every version has its own: stream_fill_at() for all, the first pass over the arrays. */
void stream_fill(void);

#endif
