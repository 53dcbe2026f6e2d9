/* qthread/syncvar.hpp -- a syncvar as a class; for C++11 and later.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What the methods do, who may call them and what those that return int return is told in qthread.h beside the function
 * qthread_syncvar_ and their name.  Values have 60 bits.
 */
#ifndef QTHREAD_SYNCVAR_HPP
#define QTHREAD_SYNCVAR_HPP

#include "qthread.h"

extern "C++" {

#include <sched.h>
#include <type_traits>

class syncvar
{
public:
	/* Full and 0, or full and the low 60 bits of a value. */
	syncvar() noexcept : the_syncvar_t(SYNCVAR_STATIC_INITIALIZER) {}
	syncvar(uint64_t const &value) noexcept : the_syncvar_t(SYNCVAR_STATIC_INITIALIZE_TO(value)) {}

	/* Value and state of another, not those who wait for it. */
	syncvar(syncvar const &other) noexcept : the_syncvar_t(copy_of(other.the_syncvar_t)) {}
	syncvar(syncvar_t const &other) noexcept : the_syncvar_t(copy_of(other)) {}

	/* Begin anew, like a copy; nobody may be waiting for this variable. */
	syncvar &operator=(syncvar const &other) noexcept
	{
		__atomic_store_n(&the_syncvar_t.u.w, copy_of(other.the_syncvar_t).u.w, __ATOMIC_RELEASE);
		return *this;
	}

	/* 1 full, 0 empty. */
	int status() { return qthread_syncvar_status(&the_syncvar_t); }

	int empty() { return qthread_syncvar_empty(&the_syncvar_t); }
	int fill() { return qthread_syncvar_fill(&the_syncvar_t); }
	int writeF(uint64_t value) { return qthread_syncvar_writeF_const(&the_syncvar_t, value); }
	int writeEF(uint64_t value) { return qthread_syncvar_writeEF_const(&the_syncvar_t, value); }
	int readFF(uint64_t *dest) { return qthread_syncvar_readFF(dest, &the_syncvar_t); }
	int readFE(uint64_t *dest) { return qthread_syncvar_readFE(dest, &the_syncvar_t); }

	/* The value; UINT64_MAX, which no value can be, when there is no memory to wait. */
	uint64_t readFF()
	{
		uint64_t value = UINT64_MAX;
		readFF(&value);
		return value;
	}

	uint64_t readFE()
	{
		uint64_t value = UINT64_MAX;
		readFE(&value);
		return value;
	}

	/* Add, modulo 2^60, and return the sum; never waits. */
	uint64_t incr(int64_t inc = 1) { return qthread_syncvar_incrF(&the_syncvar_t, static_cast<uint64_t>(inc)); }

	/* The value as it is, and another one in its place (the low 60 bits of value), whatever the state, which stays
	 * as it is.  They order nothing and wake nobody. */
	uint64_t read() const { return __atomic_load_n(&the_syncvar_t.u.w, __ATOMIC_RELAXED) >> 4; }

	void write(uint64_t value)
	{
		uint64_t seen = __atomic_load_n(&the_syncvar_t.u.w, __ATOMIC_RELAXED);
		do
			while (seen & 1) {      /* a call holds the lock, which it gives up soon, and will store what it saw */
				sched_yield();
				seen = __atomic_load_n(&the_syncvar_t.u.w, __ATOMIC_RELAXED);
			}
		while (!__atomic_compare_exchange_n(&the_syncvar_t.u.w, &seen, value << 4 | (seen & 15), false,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED));
	}

protected:
	syncvar_t the_syncvar_t;

private:
	static syncvar_t copy_of(syncvar_t const &other) noexcept
	{
		/* Of the low four bits only 4 stays: empty or full. */
		syncvar_t copy;
		copy.u.w = __atomic_load_n(&other.u.w, __ATOMIC_ACQUIRE) & ~UINT64_C(11);
		return copy;
	}
};

static_assert(sizeof(syncvar) == sizeof(syncvar_t) && std::is_standard_layout<syncvar>::value,
	"the address of a syncvar is that of its syncvar_t");

namespace qthread_detail {

inline syncvar_t *inside(syncvar *v)
{
	return reinterpret_cast<syncvar_t *>(v);
}

template <typename V> using if_integer = typename std::enable_if<std::is_integral<V>::value, int>::type;

}

/* ---- The names of the full/empty calls, for syncvars ---------------------------------------------------------- */

inline int qthread_feb_status(syncvar *v)
{
	return qthread_syncvar_status(qthread_detail::inside(v));
}

inline int qthread_empty(syncvar *dest)
{
	return qthread_syncvar_empty(qthread_detail::inside(dest));
}

inline int qthread_fill(syncvar *dest)
{
	return qthread_syncvar_fill(qthread_detail::inside(dest));
}

inline int qthread_writeEF(syncvar *dest, uint64_t const *src)
{
	return qthread_syncvar_writeEF(qthread_detail::inside(dest), src);
}

template <typename V> inline qthread_detail::if_integer<V> qthread_writeEF(syncvar *dest, V value)
{
	return qthread_syncvar_writeEF_const(qthread_detail::inside(dest), static_cast<uint64_t>(value));
}

inline int qthread_writeF(syncvar *dest, uint64_t const *src)
{
	return qthread_syncvar_writeF(qthread_detail::inside(dest), src);
}

template <typename V> inline qthread_detail::if_integer<V> qthread_writeF(syncvar *dest, V value)
{
	return qthread_syncvar_writeF_const(qthread_detail::inside(dest), static_cast<uint64_t>(value));
}

inline int qthread_readFF(uint64_t *dest, syncvar *src)
{
	return qthread_syncvar_readFF(dest, qthread_detail::inside(src));
}

inline uint64_t qthread_readFF(syncvar *src)
{
	return src ? src->readFF() : UINT64_MAX;
}

inline int qthread_readFE(uint64_t *dest, syncvar *src)
{
	return qthread_syncvar_readFE(dest, qthread_detail::inside(src));
}

inline uint64_t qthread_readFE(syncvar *src)
{
	return src ? src->readFE() : UINT64_MAX;
}

}

#endif
