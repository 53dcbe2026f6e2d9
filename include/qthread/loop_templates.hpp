/* qthread/loop_templates.hpp -- mt_loop: a function for each element of a range; for C++11 and later.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTHREAD_LOOP_TEMPLATES_HPP
#define QTHREAD_LOOP_TEMPLATES_HPP

#include "loop_iter.hpp"
#include "qloop.hpp"

extern "C++" {

/* Call f(element) once for each element of [first, last): iterators with random access, pointers, or integers, which
 * are their own elements.
 *
 * The elements are cut into blocks as by qt_loop_balance, one for each worker; within a block they are visited in their
 * order.  mt_loop returns when all calls have.  f is called from several tasks at once, on the object that was passed.
 * Who may call mt_loop, and what becomes of exceptions: as with qt_loop_balance. */
template <typename First, typename Last, typename F> inline void mt_loop(First first, Last last, F const &f)
{
	typedef typename std::common_type<First, Last>::type Iter;
	const Iter begin(first), end(last);
	F &call = (F &)f;

	qt_loop_balance(0, mt_iter<Iter>::distance(begin, end), [&begin, &call](size_t startat, size_t stopat) {
		for (size_t i = startat; i < stopat; i++)
			call(mt_iter<Iter>::at(begin, i));
	});
}

}

#endif
