/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Divided evenly, as in the other versions, unless --partitioner says otherwise. */
#include "loop/loop.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

namespace
{

namespace tbb = oneapi::tbb;

const char *const partitioners[] = { "static", "auto", "affinity", nullptr };
unsigned partitioner;

template <unsigned body, class Partitioner> void loop(Partitioner &&by)
{
	tbb::parallel_for(
		tbb::blocked_range<size_t>(0, loop_n),
		[](const tbb::blocked_range<size_t> &r) { loop_range(&loop_arrays, body, r.begin(), r.end()); }, by);
}

template <unsigned body> void loops()
{
	tbb::affinity_partitioner affinity;

	for (unsigned long i = 0; i < loop_loops; i++)
		if (partitioner == 0)
			loop<body>(tbb::static_partitioner());
		else if (partitioner == 1)
			loop<body>(tbb::auto_partitioner());
		else
			loop<body>(affinity);
}

void parallel()
{
	(loop_body == LOOP_MEMORY ? loops<LOOP_MEMORY> : loops<LOOP_COMPUTE>)();
}

const struct bench_option options[] = {
	{ "partitioner", "who divides the loop", BENCH_CHOICE, &partitioner, 0, 0, partitioners },
	{ nullptr, nullptr, BENCH_SWITCH, nullptr, 0, 0, nullptr },
};

} // namespace

const struct bench_version bench_version = { "parallel_for", options, parallel };
