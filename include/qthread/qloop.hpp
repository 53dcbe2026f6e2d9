/* qthread/qloop.hpp -- parallel loops over function objects; for C++11 and later.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The loops of qloop.h, whose comments say who may call them and what they do with a range.  The body is called as
 * obj(startat, stopat) for ranges of indices, from several tasks at once, on the very object that was passed; it may be
 * a lambda, mutable or not, or a function.
 *
 * The body's callers are C functions that cannot be unwound: an exception that leaves the body ends the program through
 * std::terminate.
 */
#ifndef QTHREAD_QLOOP_HPP
#define QTHREAD_QLOOP_HPP

#include <stddef.h>

#include "qloop.h"

extern "C++" {

#include <new>
#include <type_traits>

/* What the C loops call: arg is the address of a T. */
template <typename T> void qloop_cpp_wrapper(size_t startat, size_t stopat, void *arg) noexcept
{
	(*(T *)arg)(startat, stopat);
}

template <typename T> void qloop_accum_cpp_wrapper(size_t startat, size_t stopat, void *arg, void *ret) noexcept
{
	new (ret) typename T::acctype((*(T *)arg)(startat, stopat));
}

template <typename T> inline void qt_loop(size_t start, size_t stop, T const &obj)
{
	qt_loop(start, stop, qloop_cpp_wrapper<T>, (void *)&obj);
}

template <typename T> inline void qt_loop_balance(size_t start, size_t stop, T const &obj)
{
	qt_loop_balance(start, stop, qloop_cpp_wrapper<T>, (void *)&obj);
}

/* obj promises not to block or yield. */
template <typename T> inline void qt_loop_balance_simple(size_t start, size_t stop, T const &obj)
{
	qt_loop_balance_simple(start, stop, qloop_cpp_wrapper<T>, (void *)&obj);
}

/* Names from the time when tasks whose number was bounded were called futures: the loops above. */
template <typename T> inline void qt_loop_future(size_t start, size_t stop, T const &obj)
{
	qt_loop(start, stop, obj);
}

template <typename T> inline void qt_loop_balance_future(size_t start, size_t stop, T const &obj)
{
	qt_loop_balance(start, stop, obj);
}

/* A balanced loop with a result.  obj(startat, stopat) returns its part of it as a T::acctype, which can be copied byte
 * by byte; T::accumulate, a static qt_accum_f, combines the parts in the order of the indices.  An empty range gives
 * T::identity, and obj is not called. */
template <typename T> inline typename T::acctype qt_loopaccum_balance(size_t start, size_t stop, T const &obj)
{
	typedef typename T::acctype acctype;
	static_assert(std::is_trivially_copyable<acctype>::value, "partial results are copied byte by byte");
	static_assert(alignof(acctype) <= 64, "partial results are aligned to cache lines");

	acctype out = T::identity;
	if (start < stop)
		qt_loopaccum_balance(start, stop, sizeof(acctype), &out, qloop_accum_cpp_wrapper<T>, (void *)&obj,
			T::accumulate);
	return out;
}

}

#endif
