/* test/check/hooks.c -- what the compiler calls for each access to memory, with -fsanitize=thread.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The names and types are those of the interface between compilers and that sanitizer's library.  Also here: what the
 * checked sources call elsewhere and what has to be seen as well.
 */
#include "check/explore.h"
#include "check/memory.h"

#include "base/shared.h"

#include <string.h>

#define SITE __builtin_return_address(0)

void qti_fence_heavy(void);
void qti_fence_setup(void);
void qti_fence_setup_for(unsigned threads);

void __tsan_init(void);
void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);

void __tsan_init(void)
{
}

void __tsan_func_entry(void *pc)
{
	(void)pc;
}

void __tsan_func_exit(void)
{
}

/* --- accesses that are not atomic ------------------------------------------------------------------------- */

static void plain(const void *at, size_t bytes, bool write, const void *site)
{
	if (!check_active() || check_is_local((uintptr_t)at))
		return;
	memory_settle();
	if (write)
		check_tell("writes", site, (uintptr_t)at, 0);
	memory_plain(check_thread(), (uintptr_t)at, bytes, write, check_is_own((uintptr_t)at));
}

#define PLAIN(bytes) \
	void __tsan_read##bytes(void *at); \
	void __tsan_write##bytes(void *at); \
	void __tsan_unaligned_read##bytes(void *at); \
	void __tsan_unaligned_write##bytes(void *at); \
	void __tsan_read##bytes(void *at) { plain(at, bytes, false, SITE); } \
	void __tsan_write##bytes(void *at) { plain(at, bytes, true, SITE); } \
	void __tsan_unaligned_read##bytes(void *at) { plain(at, bytes, false, SITE); } \
	void __tsan_unaligned_write##bytes(void *at) { plain(at, bytes, true, SITE); }

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_read_range(void *at, size_t bytes);
void __tsan_write_range(void *at, size_t bytes);

void __tsan_read_range(void *at, size_t bytes)
{
	plain(at, bytes, false, SITE);
}

void __tsan_write_range(void *at, size_t bytes)
{
	plain(at, bytes, true, SITE);
}

void *check_memset(void *to, int byte, size_t bytes)
{
	plain(to, bytes, true, SITE);
	return memset(to, byte, bytes);
}

void *check_memcpy(void *to, const void *from, size_t bytes)
{
	plain(from, bytes, false, SITE);
	plain(to, bytes, true, SITE);
	return memcpy(to, from, bytes);
}

/* Structures that are copied or cleared, by clang 16 and newer. */
void *__tsan_memset(void *to, int byte, size_t bytes) __attribute__((alias("check_memset")));
void *__tsan_memcpy(void *to, const void *from, size_t bytes) __attribute__((alias("check_memcpy")));

/* --- atomic ones ------------------------------------------------------------------------------------------ */

static uint64_t atomic_load(const volatile void *at, unsigned bytes, int order, const void *site)
{
	if (!check_active())
		return memory_now((uintptr_t)at, bytes);
	unsigned thread = check_point();
	uint64_t value = memory_load(thread, (uintptr_t)at, bytes, check_order(site, order), check_wants_latest());

	check_tell("loads", site, (uintptr_t)at, value);
	return value;
}

static void atomic_store(volatile void *at, unsigned bytes, uint64_t value, int order, const void *site)
{
	if (!check_active()) {
		memory_set((uintptr_t)at, bytes, value);
		return;
	}
	unsigned thread = check_point();
	check_tell("stores", site, (uintptr_t)at, value);
	memory_store(thread, (uintptr_t)at, bytes, value, check_order(site, order));
}

enum rmw { RMW_SWAP, RMW_ADD, RMW_SUB, RMW_OR, RMW_AND, RMW_XOR };

static uint64_t rmw_result(enum rmw what, uint64_t was, uint64_t value)
{
	switch (what) {
	case RMW_SWAP:
		return value;
	case RMW_ADD:
		return was + value;
	case RMW_SUB:
		return was - value;
	case RMW_OR:
		return was | value;
	case RMW_AND:
		return was & value;
	default:
		return was ^ value;
	}
}

static uint64_t atomic_rmw(volatile void *at, unsigned bytes, enum rmw what, uint64_t value, int order, const void *site)
{
	unsigned thread = check_active() ? check_point() : 0;
	uint64_t was = memory_now((uintptr_t)at, bytes), now = rmw_result(what, was, value);

	now &= bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
	if (!check_active()) {
		memory_set((uintptr_t)at, bytes, now);
		return was;
	}
	check_tell("changes", site, (uintptr_t)at, now);
	memory_rmw(thread, (uintptr_t)at, bytes, now, check_order(site, order));
	return was;
}

/* One that fails is a load, and may miss what is latest unless that is what it expects. */
static bool atomic_cas(volatile void *at, unsigned bytes, uint64_t *expected, uint64_t value, int order, int fails,
	const void *site)
{
	unsigned thread = check_active() ? check_point() : 0;
	uint64_t now = memory_now((uintptr_t)at, bytes);

	if (!check_active()) {
		if (now == *expected)
			memory_set((uintptr_t)at, bytes, value);
		bool same = now == *expected;
		*expected = now;
		return same;
	}
	if (now == *expected) {
		check_tell("swaps", site, (uintptr_t)at, value);
		memory_rmw(thread, (uintptr_t)at, bytes, value, check_order(site, order));
		return true;
	}
	*expected = memory_load(thread, (uintptr_t)at, bytes, check_order(site, order) == order ? fails : __ATOMIC_RELAXED, true);
	check_tell("fails to swap", site, (uintptr_t)at, *expected);
	return false;
}

#define ATOMIC_RMW(bits, type, name, what) \
	type __tsan_atomic##bits##_##name(volatile type *at, type value, int order); \
	type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) \
	{ \
		return (type)atomic_rmw(at, sizeof(type), what, value, order, SITE); \
	}

#define ATOMIC(bits, type) \
	type __tsan_atomic##bits##_load(const volatile type *at, int order); \
	void __tsan_atomic##bits##_store(volatile type *at, type value, int order); \
	int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *expected, type value, int order, int fails); \
	int __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *expected, type value, int order, int fails); \
	type __tsan_atomic##bits##_load(const volatile type *at, int order) \
	{ \
		return (type)atomic_load(at, sizeof(type), order, SITE); \
	} \
	void __tsan_atomic##bits##_store(volatile type *at, type value, int order) \
	{ \
		atomic_store(at, sizeof(type), value, order, SITE); \
	} \
	int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *expected, type value, int order, int fails) \
	{ \
		uint64_t seen = *expected; \
		bool done = atomic_cas(at, sizeof(type), &seen, value, order, fails, SITE); \
		*expected = (type)seen; \
		return done; \
	} \
	int __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *expected, type value, int order, int fails) \
	{ \
		uint64_t seen = *expected; \
		bool done = atomic_cas(at, sizeof(type), &seen, value, order, fails, SITE); \
		*expected = (type)seen; \
		return done; \
	} \
	ATOMIC_RMW(bits, type, exchange, RMW_SWAP) \
	ATOMIC_RMW(bits, type, fetch_add, RMW_ADD) \
	ATOMIC_RMW(bits, type, fetch_sub, RMW_SUB) \
	ATOMIC_RMW(bits, type, fetch_or, RMW_OR) \
	ATOMIC_RMW(bits, type, fetch_and, RMW_AND) \
	ATOMIC_RMW(bits, type, fetch_xor, RMW_XOR)

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

/* --- fences ----------------------------------------------------------------------------------------------- */

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);

void __tsan_atomic_thread_fence(int order)
{
	if (!check_active())
		return;
	unsigned thread = check_point();
	order = check_order(SITE, order);
	check_tell("fences", SITE, 0, 0);
	if (order != __ATOMIC_RELAXED)
		memory_fence(thread, order);
}

/* It keeps the compiler from reordering, which it does not do here. */
void __tsan_atomic_signal_fence(int order)
{
	(void)order;
}

bool qti_fence_asymmetric = true;

QTI_SHARE_VARIABLE(qti_fence_asymmetric);

void qti_fence_setup(void)
{
}

void qti_fence_setup_for(unsigned threads)
{
	(void)threads;
}

/* Each thread's own comes at some moment of the call. */
void qti_fence_heavy(void)
{
	const void *site = SITE;
	if (!check_active())
		return;
	unsigned thread = check_point();

	check_tell("fences all", site, 0, 0);
	if (check_order(site, __ATOMIC_SEQ_CST) != __ATOMIC_SEQ_CST)
		return;
	memory_settle();
	memory_fence(thread, __ATOMIC_SEQ_CST);
	for (unsigned i = 0; i < CHECK_FIBERS; i++)
		if (i != thread) {
			(void)check_point();
			memory_fence(i, __ATOMIC_SEQ_CST);
		}
	memory_fence(thread, __ATOMIC_SEQ_CST);
}
