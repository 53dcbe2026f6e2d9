/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "fib/fib.h"

#include <oneapi/tbb/task_group.h>

namespace
{

uint64_t fib_none(uint64_t n)
{
	uint64_t x, y;

	if (n < 2)
		return n;
	oneapi::tbb::task_group group;
	group.run([&x, n] { x = fib_none(n - 1); });
	group.run([&y, n] { y = fib_none(n - 2); });
	group.wait();
	return x + y;
}

uint64_t fib_manual(uint64_t n, unsigned long levels)
{
	uint64_t x, y;

	if (levels == 0)
		return fib_serial(n);
	if (n < 2)
		return n;
	oneapi::tbb::task_group group;
	group.run([&x, n, levels] { x = fib_manual(n - 1, levels - 1); });
	group.run([&y, n, levels] { y = fib_manual(n - 2, levels - 1); });
	group.wait();
	return x + y;
}

void parallel()
{
	fib_result = bench_cutoff == BENCH_MANUAL ? fib_manual(fib_n, fib_depth) : fib_none(fib_n);
}

} // namespace

const struct bench_version bench_version = { nullptr, nullptr, parallel };
