/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* qt_loop_balance gives each block to a shepherd, the same in every loop: what a block touches first stays with it. */
#include "stream/stream.h"

#include <qthread/qloop.h>

static void fill(size_t start, size_t stop, void *arg)
{
	(void)arg;
	for (size_t i = start; i < stop; i++)
		stream_fill_at(i);
}

static void copy(size_t start, size_t stop, void *arg)
{
	(void)arg;
	for (size_t i = start; i < stop; i++)
		stream_copy_at(i);
}

static void scale(size_t start, size_t stop, void *arg)
{
	(void)arg;
	for (size_t i = start; i < stop; i++)
		stream_scale_at(i);
}

static void add(size_t start, size_t stop, void *arg)
{
	(void)arg;
	for (size_t i = start; i < stop; i++)
		stream_add_at(i);
}

static void triad(size_t start, size_t stop, void *arg)
{
	(void)arg;
	for (size_t i = start; i < stop; i++)
		stream_triad_at(i);
}

/* The serial variant calls it, too, before the library runs; then the caller runs the whole loop. */
void stream_fill(void)
{
	qt_loop_balance(0, stream_n, fill, NULL);
}

static void parallel(void)
{
	static const qt_loop_f loops[] = { NULL, copy, scale, add, triad };

	for (unsigned long round = 0; round < stream_rounds; round++)
		for (enum stream_loop loop = STREAM_COPY; loop <= STREAM_TRIAD; loop++)
			if (stream_wants(loop))
				qt_loop_balance(0, stream_n, loops[loop], NULL);
}

const struct bench_version bench_version = { .parallel = parallel };
