/* test/xomp/cxx.cc -- a C++ program as ROSE lowers it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "tap.h"
#include "xomp/cxx.hh"

int main()
{
	cxx::Table table;
	std::vector<std::string> names;

	plan(3);
	for (int i = 0; i < 1000; i++)
		table.values.push_back(i);
	ok(table.sum() == 499500, "a loop and a reduction in a member function");
	for (int i = 0; i < 200; i++)
		names.push_back(std::string(static_cast<size_t>(i * 37 % 200), 'x'));
	ok(table.longest(names) == 199, "critical sections over objects of classes");
	ok(cxx::throw_and_catch(300) == 300, "exceptions within tasks");
	return done();
}
