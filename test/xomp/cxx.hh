/* test/xomp/cxx.hh -- functions that exist twice: with pragmas, and as ROSE would lower them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_XOMP_CXX_HH
#define QTI_TEST_XOMP_CXX_HH

#include <string>
#include <vector>

namespace cxx
{

struct Table {
	std::vector<long> values;

	long sum();
	int longest(const std::vector<std::string> &names);
};

/* n tasks, each of which throws and catches: how many caught what they threw. */
int throw_and_catch(int n);

}

#endif
