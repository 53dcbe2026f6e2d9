/* test/xomp/pragma/cxx.cc -- constructs in C++; see test/xomp/cxx.cc.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/cxx.hh"

namespace cxx
{

long Table::sum()
{
	long total = 0;
#pragma omp parallel
#pragma omp for schedule(dynamic, 4) reduction(+ : total)
	for (int i = 0; i < static_cast<int>(values.size()); i++)
		total += values[i];
	return total;
}

int Table::longest(const std::vector<std::string> &names)
{
	int most = 0;
#pragma omp parallel
#pragma omp for
	for (int i = 0; i < static_cast<int>(names.size()); i++) {
#pragma omp critical(longest)
		if (most < static_cast<int>(names[i].size()))
			most = static_cast<int>(names[i].size());
	}
	return most;
}

int throw_and_catch(int n)
{
	int caught = 0;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i) shared(caught)
		{
			try {
				throw i;
			} catch (int thrown) {
#pragma omp atomic
				caught += thrown == i;
			}
		}
	}
	return caught;
}

}
