/* qthread/loop.hpp -- parallel loops over ranges of iterators; for C++11 and later.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	mt_loop(v.begin(), v.end(), [](double &x) { x = sqrt(x); });
 *	mt_loop(0, n, [&](int i) { c[i] = a[i] + b[i]; });
 */
#ifndef QTHREAD_LOOP_HPP
#define QTHREAD_LOOP_HPP

#include "loop_iter.hpp"
#include "loop_templates.hpp"

#endif
