/* base/atomic.h -- the memory orders in use, by name.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * These are macros because they are generic over the type of the word.  A field that is touched through them
 * is shared; every access to it goes through them, relaxed ones too.
 *
 * Whatever takes part in the one order of all seq_cst operations (_sc), or is half of the pair below, names on its line
 * the protocol that needs it by its tag.  Checked by test/orders.sh.
 *
 * Besides the usual orders there is an asymmetric pair for store buffering (Dekker) between one side that runs
 * all the time and one that runs rarely:
 *
 *     frequent side:  store A;  fence_light();        load B
 *     rare side:      store B;  qti_fence_heavy();    load A
 *
 * At least one of the two loads sees the other side's store.  The heavy side runs a full fence on every CPU that
 * executes a thread of this process (membarrier(2), private expedited), so the light side only has to keep the
 * compiler from reordering.  Where the kernel has no membarrier, or there are so many threads, each on a CPU, that
 * interrupting them all costs more (TUNE_LIGHT_CPUS), both sides are full fences.
 */
#ifndef QTI_BASE_ATOMIC_H
#define QTI_BASE_ATOMIC_H

#include "base/shared.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QTI_CACHE_LINE 64
#define QTI_ALIGNED_LINE __attribute__((aligned(QTI_CACHE_LINE)))

#define qti_likely(x) __builtin_expect(!!(x), 1)
#define qti_unlikely(x) __builtin_expect(!!(x), 0)

#if defined(__SANITIZE_THREAD__)
#define QTI_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define QTI_TSAN 1
#endif
#endif
#ifndef QTI_TSAN
#define QTI_TSAN 0
#endif

#define load_rlx(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define load_acq(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define load_sc(p) __atomic_load_n((p), __ATOMIC_SEQ_CST)
#define store_rlx(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define store_rel(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define swap_acq(p, v) __atomic_exchange_n((p), (v), __ATOMIC_ACQUIRE)
#define swap_acq_rel(p, v) __atomic_exchange_n((p), (v), __ATOMIC_ACQ_REL)
#define add_rlx(p, v) __atomic_fetch_add((p), (v), __ATOMIC_RELAXED)
#define add_acq_rel(p, v) __atomic_fetch_add((p), (v), __ATOMIC_ACQ_REL)
#define add_sc(p, v) __atomic_fetch_add((p), (v), __ATOMIC_SEQ_CST)
#define sub_rlx(p, v) __atomic_fetch_sub((p), (v), __ATOMIC_RELAXED)
#define sub_acq_rel(p, v) __atomic_fetch_sub((p), (v), __ATOMIC_ACQ_REL)
#define or_acq_rel(p, v) __atomic_fetch_or((p), (v), __ATOMIC_ACQ_REL)
#define and_acq_rel(p, v) __atomic_fetch_and((p), (v), __ATOMIC_ACQ_REL)

/* Compare and swap: *seen holds the expected value before and what was there after a failure. */
#define cas_acq(p, seen, v) __atomic_compare_exchange_n((p), (seen), (v), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)
#define cas_rlx(p, seen, v) __atomic_compare_exchange_n((p), (seen), (v), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define cas_acq_rel(p, seen, v) \
	__atomic_compare_exchange_n((p), (seen), (v), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
#define cas_sc(p, seen, v) __atomic_compare_exchange_n((p), (seen), (v), false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE)

/* ThreadSanitizer has no model of fences: to it none makes anything happen before anything, which is what they promise
 * here.  Data that are not atomic pass from one thread to another by a release and an acquire of one word alone; a
 * fence only orders accesses to words with a tag.  Where one did more, the sanitizer would report a race.  (A
 * read-modify-write of a word in a fence's stead would make it miss races: all who come by it would happen one before
 * the other.  Called by its name, for gcc warns of the other spelling.) */
#if QTI_TSAN
void __tsan_atomic_thread_fence(int order);
#define fence_of_order(order) __tsan_atomic_thread_fence(order)
#else
#define fence_of_order(order) __atomic_thread_fence(order)
#endif

/* Full fence. */
static inline void fence_sc(void)
{
	fence_of_order(__ATOMIC_SEQ_CST);
}

/* Loads and stores before it stay before the stores after it: also those of a caller, which may be plain ones. */
static inline void fence_rel(void)
{
	fence_of_order(__ATOMIC_RELEASE);
}

/* Only the compiler keeps the order: for a signal handler, for the child of fork(2), for memory that is a file. */
static inline void fence_compiler(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Whether the heavy side can reach every CPU.  Written by qti_fence_setup() before there are workers; threads of the
 * program may be at a lock by then.  Relaxed: who still reads false fences by itself, which serves either heavy
 * side. */
extern bool qti_fence_asymmetric QTI_SHARED_VARIABLE(qti_fence_asymmetric);

static inline void fence_light(void)
{
	if (qti_likely(load_rlx(&qti_fence_asymmetric)))
		fence_compiler();
	else
		fence_sc();
}

void qti_fence_setup(void);
QTI_SHARED void qti_fence_setup_for(unsigned threads);  /* the same where it is known how many there will be */
QTI_SHARED void qti_fence_heavy(void);

/* An owner's own counter that others may read: no locked instruction. */
#define bump_rlx(p) store_rlx((p), load_rlx(p) + 1)

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");           /* as long as pause; yield is nothing on most */
#elif defined(__riscv)
	__asm__ volatile(".word 0x0100000f" ::: "memory"); /* pause, a hint: nothing where it is not known */
#else
	fence_compiler();
#endif
}

#endif
