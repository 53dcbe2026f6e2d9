/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "stream/stream.h"

void stream_fill(void)
{
#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < stream_n; i++)
		stream_fill_at(i);
}

static void copy(void)
{
#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < stream_n; i++)
		stream_copy_at(i);
}

static void scale(void)
{
#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < stream_n; i++)
		stream_scale_at(i);
}

static void add(void)
{
#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < stream_n; i++)
		stream_add_at(i);
}

static void triad(void)
{
#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < stream_n; i++)
		stream_triad_at(i);
}

static void parallel(void)
{
	static void (*const loops[])(void) = { NULL, copy, scale, add, triad };

	for (unsigned long round = 0; round < stream_rounds; round++)
		for (enum stream_loop loop = STREAM_COPY; loop <= STREAM_TRIAD; loop++)
			if (stream_wants(loop))
				loops[loop]();
}

const struct bench_version bench_version = { .parallel = parallel };
