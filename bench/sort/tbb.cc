/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sort/sort.h"

#include <oneapi/tbb/parallel_invoke.h>

namespace
{

using oneapi::tbb::parallel_invoke;

size_t grain;

void merge(const sort_merge &m)
{
	sort_merge low, high;

	if (m.nx + m.ny <= grain) {
		sort_merge_serial(&m);
		return;
	}
	sort_divide(&m, &low, &high);
	parallel_invoke([&] { merge(low); }, [&] { merge(high); });
}

void sort(const sort_range &r)
{
	if (r.n <= grain) {
		sort_serial(&r);
		return;
	}
	parallel_invoke([&] { sort(sort_quarter(&r, 0)); }, [&] { sort(sort_quarter(&r, 1)); },
		[&] { sort(sort_quarter(&r, 2)); }, [&] { sort(sort_quarter(&r, 3)); });
	parallel_invoke([&] { merge(sort_pair(&r, 0)); }, [&] { merge(sort_pair(&r, 1)); });
	merge(sort_halves(&r));
}

void parallel()
{
	grain = sort_grain();
	sort(sort_all);
}

} // namespace

const struct bench_version bench_version = { nullptr, nullptr, parallel };
