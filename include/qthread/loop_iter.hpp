/* qthread/loop_iter.hpp -- what mt_loop can run over; for C++11 and later.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTHREAD_LOOP_ITER_HPP
#define QTHREAD_LOOP_ITER_HPP

#include <stddef.h>

extern "C++" {

#include <type_traits>

/* How many places there are from first to last, and what is i places after first: with random-access iterators and
 * pointers the element there, with integers the number itself.  A specialization makes other types fit for mt_loop. */
template <typename Iter, bool = std::is_integral<Iter>::value> struct mt_iter {
	static size_t distance(Iter const &first, Iter const &last)
	{
		return first < last ? static_cast<size_t>(last - first) : 0;
	}

	static auto at(Iter const &first, size_t i) -> decltype(first[0])
	{
		return first[static_cast<decltype(first - first)>(i)];
	}
};

template <typename Integer> struct mt_iter<Integer, true> {
	static size_t distance(Integer first, Integer last)
	{
		return first < last ? static_cast<size_t>(last) - static_cast<size_t>(first) : 0;
	}

	static Integer at(Integer first, size_t i)
	{
		return static_cast<Integer>(static_cast<size_t>(first) + i);
	}
};

}

#endif
