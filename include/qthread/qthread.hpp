/* qthread/qthread.hpp -- full/empty bits and atomics on words of any type; for C++11 and later.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * qthread.h includes this file.  The names are those of the C calls, and so is what they do, who may call them and what
 * they return; a call that fits the C function is one of the C function.
 *
 * T is the type of a full/empty word: integer, pointer, double, structure, whatever has the size and the alignment of
 * aligned_t and may be copied byte by byte.  Another T is an error at compile time.  One of four bytes is another T:
 * the calls copy words of eight, and two neighbouring ints cannot both be at an address that is a multiple of eight.
 */
#ifndef QTHREAD_QTHREAD_HPP
#define QTHREAD_QTHREAD_HPP

#include "qthread.h"
#include "syncvar.hpp"

extern "C++" {

#include <string.h>
#include <type_traits>

class syncvar;

namespace qthread_detail {

/* Syncvars keep their state in themselves; syncvar.hpp has overloads for them. */
template <typename T> struct is_word : std::true_type {};
template <> struct is_word<syncvar_t> : std::false_type {};
template <> struct is_word<syncvar> : std::false_type {};

template <typename T, typename Result> using if_word = typename std::enable_if<is_word<T>::value, Result>::type;

/* V is a value for a T, as opposed to the address of one. */
template <typename T, typename V, typename Result> using if_value = typename std::enable_if<is_word<T>::value &&
	std::is_convertible<V, T>::value && !std::is_convertible<V, T const *>::value, Result>::type;

template <typename T> struct word {
	static_assert(sizeof(T) == sizeof(aligned_t) && alignof(T) >= alignof(aligned_t),
		"a full/empty word has the size and the alignment of aligned_t");
	static_assert(std::is_trivially_copyable<T>::value, "a full/empty word is copied byte by byte");

	static aligned_t *at(T *address) { return reinterpret_cast<aligned_t *>(address); }
	static aligned_t const *at(T const *address) { return reinterpret_cast<aligned_t const *>(address); }

	static aligned_t from(T value)
	{
		aligned_t bits;
		memcpy(&bits, &value, sizeof(bits));
		return bits;
	}

	static T to(aligned_t bits)
	{
		T value;
		memcpy(&value, &bits, sizeof(value));
		return value;
	}
};

}

/* ---- Full/empty bits ----------------------------------------------------------------------------------------- */

template <typename T> inline qthread_detail::if_word<T, int> qthread_feb_status(T const *addr)
{
	return qthread_feb_status(qthread_detail::word<T>::at(addr));
}

template <typename T> inline qthread_detail::if_word<T, int> qthread_empty(T const *dest)
{
	return qthread_empty(qthread_detail::word<T>::at(dest));
}

template <typename T> inline qthread_detail::if_word<T, int> qthread_fill(T const *dest)
{
	return qthread_fill(qthread_detail::word<T>::at(dest));
}

/* Wait for empty; store *src, or a value, and fill. */
template <typename T> inline qthread_detail::if_word<T, int> qthread_writeEF(T *dest, T const *src)
{
	return qthread_writeEF(qthread_detail::word<T>::at(dest), qthread_detail::word<T>::at(src));
}

template <typename T, typename V> inline qthread_detail::if_value<T, V, int> qthread_writeEF(T *dest, V value)
{
	return qthread_writeEF_const(qthread_detail::word<T>::at(dest), qthread_detail::word<T>::from(value));
}

/* Store *src, or a value, and fill. */
template <typename T> inline qthread_detail::if_word<T, int> qthread_writeF(T *dest, T const *src)
{
	return qthread_writeF(qthread_detail::word<T>::at(dest), qthread_detail::word<T>::at(src));
}

template <typename T, typename V> inline qthread_detail::if_value<T, V, int> qthread_writeF(T *dest, V value)
{
	return qthread_writeF_const(qthread_detail::word<T>::at(dest), qthread_detail::word<T>::from(value));
}

/* Wait for full; copy src's value to *dest, or return it.
 *
 * The forms that return it have nothing to tell of an error: they return a T of zero bytes then. */
template <typename T> inline qthread_detail::if_word<T, int> qthread_readFF(T *dest, T const *src)
{
	return qthread_readFF(qthread_detail::word<T>::at(dest), qthread_detail::word<T>::at(src));
}

template <typename T> inline qthread_detail::if_word<T, T> qthread_readFF(T const *src)
{
	aligned_t bits = 0;
	qthread_readFF(&bits, qthread_detail::word<T>::at(src));
	return qthread_detail::word<T>::to(bits);
}

/* Wait for full; copy src's value to *dest, or return it, and empty src. */
template <typename T> inline qthread_detail::if_word<T, int> qthread_readFE(T *dest, T const *src)
{
	return qthread_readFE(qthread_detail::word<T>::at(dest), qthread_detail::word<T>::at(src));
}

template <typename T> inline qthread_detail::if_word<T, T> qthread_readFE(T const *src)
{
	aligned_t bits = 0;
	qthread_readFE(&bits, qthread_detail::word<T>::at(src));
	return qthread_detail::word<T>::to(bits);
}

/* Any type will do here: the lock of an address has nothing to do with what is there. */
template <typename T> inline int qthread_lock(T const *a)
{
	return qthread_lock(reinterpret_cast<aligned_t const *>(a));
}

template <typename T> inline int qthread_unlock(T const *a)
{
	return qthread_unlock(reinterpret_cast<aligned_t const *>(a));
}

/* ---- Atomics ------------------------------------------------------------------------------------------------- */

template <typename T, typename Inc> inline T qthread_incr(volatile T *operand, Inc incr)
{
	return __atomic_fetch_add(operand, T(incr), __ATOMIC_SEQ_CST);
}

template <typename Inc> inline float qthread_incr(float *operand, Inc incr)
{
	return qthread_fincr(operand, float(incr));
}

template <typename Inc> inline double qthread_incr(double *operand, Inc incr)
{
	return qthread_dincr(operand, double(incr));
}

template <typename T, typename Old, typename New> inline T qthread_cas(volatile T *operand, Old oldv, New newv)
{
	return __sync_val_compare_and_swap(operand, T(oldv), T(newv));
}

inline uint32_t qthread_cas32(volatile uint32_t *operand, uint32_t oldv, uint32_t newv)
{
	return __sync_val_compare_and_swap(operand, oldv, newv);
}

inline uint64_t qthread_cas64(volatile uint64_t *operand, uint64_t oldv, uint64_t newv)
{
	return __sync_val_compare_and_swap(operand, oldv, newv);
}

template <typename T, typename Old, typename New> inline void *qthread_cas_ptr(T *volatile *operand, Old oldv, New newv)
{
	typedef T *pointer;
	return __sync_val_compare_and_swap(operand, pointer(oldv), pointer(newv));
}

}

#endif
