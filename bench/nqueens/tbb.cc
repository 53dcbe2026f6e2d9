/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "nqueens/nqueens.h"

#include <numeric>

#include <oneapi/tbb/task_group.h>

namespace
{

uint64_t count(uint64_t position, unsigned row)
{
	uint64_t found[NQUEENS_MAX];

	if (nqueens_done(position))
		return 1;
	if (bench_cutoff == BENCH_MANUAL && row >= nqueens_depth)
		return nqueens_serial(position);
	oneapi::tbb::task_group group;
	for (unsigned column = 0; column < nqueens_n; column++)
		group.run([&found, position, column, row] {
			uint64_t next;
			found[column] = nqueens_place(nqueens_try(position, column), &next) ? count(next, row + 1) : 0;
		});
	group.wait();
	return std::accumulate(found, found + nqueens_n, UINT64_C(0));
}

void parallel()
{
	nqueens_result = count(0, 0);
}

} // namespace

const struct bench_version bench_version = { nullptr, nullptr, parallel };
