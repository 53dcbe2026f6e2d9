/* test/api/macros.c -- constants, layouts, initializers and inline functions of the headers have the API's values.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * headers_compile.sh compiles this file as C and as C++ of every standard; `make check` runs it as C, and the script
 * runs it as C++.  It needs no runtime.
 */
#include "tap.h"

#include <stddef.h>
#include <stdio.h>

#include <qthread.h>
#include <qthread/barrier.h>
#include <qthread/cacheline.h>
#include <qthread/dictionary.h>
#include <qthread/hash.h>
#include <qthread/qarray.h>
#include <qthread/qloop.h>
#include <qthread/qtimer.h>
#include <qthread/sinc.h>
#include <qthread/spr.h>
#include <qthread/stats.h>

#define CHECKS 108

/* GCC tells TSan users about every fence, MACHINE_FENCE among them. */
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan"
#endif

static void return_codes(void)
{
	is_int(QTHREAD_SUCCESS, 0, "QTHREAD_SUCCESS");
	is_int(QTHREAD_BADARGS, -1, "QTHREAD_BADARGS");
	is_int(QTHREAD_PTHREAD_ERROR, -2, "QTHREAD_PTHREAD_ERROR");
	is_int(QTHREAD_NOT_ALLOWED, -3, "QTHREAD_NOT_ALLOWED");
	is_int(QTHREAD_THIRD_PARTY_ERROR, -4, "QTHREAD_THIRD_PARTY_ERROR");
	is_int(QTHREAD_TIMEOUT, -5, "QTHREAD_TIMEOUT");
	is_int(QTHREAD_MALLOC_ERROR, ENOMEM, "QTHREAD_MALLOC_ERROR");
	is_int(QTHREAD_OVERFLOW, EOVERFLOW, "QTHREAD_OVERFLOW");
	is_int(QTHREAD_OPFAIL, -7, "QTHREAD_OPFAIL");
}

static void versions(void)
{
#if QTHREAD_NUMVERSION < QTHREADS_GET_VERSION(1, 23, 0, 0, 0) || \
	QTHREAD_NUMVERSION >= QTHREADS_GET_VERSION(1, 24, 0, 0, 0)
	ok(false, "QTHREAD_NUMVERSION, compared in #if, is that of Qthreads 1.23");
#else
	ok(true, "QTHREAD_NUMVERSION, compared in #if, is that of Qthreads 1.23");
#endif
	is_str(QTHREAD_VERSION, "1.23", "QTHREAD_VERSION says the same");
#ifdef PACKAGE_VERSION
	is_str(QTHREAD_LIBRARY_VERSION, PACKAGE_VERSION, "QTHREAD_LIBRARY_VERSION is the version of this release");
#else
	is_str(QTHREAD_LIBRARY_VERSION, "0.1.0", "QTHREAD_LIBRARY_VERSION is a string");
#endif
	int major = -1, minor = -1, revision = -1;
	is_int(sscanf(QTHREAD_LIBRARY_VERSION, "%d.%d.%d", &major, &minor, &revision), 3,
		"QTHREAD_LIBRARY_VERSION has three parts");
	is_int(QTHREAD_LIBRARY_NUMVERSION, QTHREADS_GET_VERSION(major, minor, revision, QTHREAD_RELEASE_TYPE_PATCH, 0),
		"QTHREAD_LIBRARY_NUMVERSION says the same as a number");
	ok(QTHREAD_RELEASE_TYPE_ALPHA == 0 && QTHREAD_RELEASE_TYPE_BETA == 1 && QTHREAD_RELEASE_TYPE_RC == 2 &&
			QTHREAD_RELEASE_TYPE_PATCH == 3, "the types of a release in their order");
	ok(QTHREADS_GET_VERSION(1, 22, 9, 3, 99) < QTHREAD_API_LEVEL && QTHREAD_API_LEVEL < QTHREADS_GET_VERSION(1, 24, 0, 0, 0),
		"QTHREAD_API_LEVEL lies between 1.22 and 1.24");
	is_int(QTHREAD_API_LEVEL, 12300300, "QTHREAD_API_LEVEL is Qthreads 1.23");
	is_int(QTHREADS_GET_VERSION(1, 2, 3, QTHREAD_RELEASE_TYPE_RC, 5), 10203205, "the parts of a version number");
}

static void machines(void)
{
	ok(QTHREAD_UNSUPPORTED == 0 && QTHREAD_IA32 == 1 && QTHREAD_AMD64 == 2 && QTHREAD_POWERPC32 == 6 &&
			QTHREAD_POWERPC64 == 7 && QTHREAD_ARM == 12 && QTHREAD_ARMV8_A64 == 13 && QTHREAD_RISCV == 14,
		"the codes of architectures");
#if defined(__x86_64__)
	is_int(QTHREAD_ASSEMBLY_ARCH, QTHREAD_AMD64, "QTHREAD_ASSEMBLY_ARCH");
#ifndef QTHREAD_SWAPS_IMPLY_ACQ_REL_FENCES
#error QTHREAD_SWAPS_IMPLY_ACQ_REL_FENCES
#endif
#elif defined(__aarch64__)
	is_int(QTHREAD_ASSEMBLY_ARCH, QTHREAD_ARMV8_A64, "QTHREAD_ASSEMBLY_ARCH");
#elif defined(__riscv)
	is_int(QTHREAD_ASSEMBLY_ARCH, QTHREAD_RISCV, "QTHREAD_ASSEMBLY_ARCH");
#else
	ok(QTHREAD_ASSEMBLY_ARCH >= QTHREAD_UNSUPPORTED && QTHREAD_ASSEMBLY_ARCH <= QTHREAD_RISCV,
		"QTHREAD_ASSEMBLY_ARCH");
#endif
#if defined(BITFIELD_ORDER_FORWARD) == defined(BITFIELD_ORDER_REVERSE)
#error one of BITFIELD_ORDER_FORWARD and BITFIELD_ORDER_REVERSE
#endif
}

static void types(void)
{
	is_int(QTHREAD_BITS, 8 * sizeof(void *), "QTHREAD_BITS");
	is_int(sizeof(aligned_t), sizeof(void *), "aligned_t is a word");
	is_int(sizeof(saligned_t), sizeof(void *), "saligned_t is a word");
	is_int(sizeof(haligned_t), sizeof(void *) / 2, "haligned_t is half a word");
	ok((saligned_t)-1 < 0 && (aligned_t)-1 > 0 && (haligned_t)-1 > 0, "only saligned_t is signed");
	is_int(QTHREAD_ALIGNMENT_ALIGNED_T, sizeof(aligned_t), "QTHREAD_ALIGNMENT_ALIGNED_T");
	is_int(NO_SHEPHERD, 65535, "NO_SHEPHERD");
	is_int(NO_WORKER, 65535, "NO_WORKER");
	ok(QTHREAD_NULL_TASK_ID == UINT_MAX && QTHREAD_NON_TASK_ID == 0, "task ids that no task has");
	is_int(sizeof(syncvar_t), 8, "syncvar_t has 8 bytes");
	is_int(sizeof(qthread_spinlock_t), 24, "qthread_spinlock_t has 24 bytes");
	is_int(sizeof(qt_spin_trylock_t), 8, "qt_spin_trylock_t has 8 bytes");
	is_int(sizeof(qt_sinc_t), 24, "qt_sinc_t has 24 bytes");
	is_int(sizeof(qthread_shepherd_id_t), 2, "qthread_shepherd_id_t has 2 bytes");
	is_int(sizeof(qthread_worker_id_t), 2, "qthread_worker_id_t has 2 bytes");
	ok(QTHREAD_DEFAULT_TEAM_ID == 1 && QTHREAD_NON_TEAM_ID == 0 && QTHREAD_NULL_TEAM_ID == UINT_MAX,
		"team ids: the default, none and never");
	ok(offsetof(qthread_spinlock_t, lock) == 0 && offsetof(qthread_spinlock_t, state) == 8,
		"qthread_spinlock_t begins with lock, then state");
	ok(offsetof(qthread_spinlock_state_t, s) == 0 && offsetof(qthread_spinlock_state_t, count) == 8,
		"qthread_spinlock_state_t begins with s, then count");
	struct alignment {
		char c;
		qthread_spinlock_t lock;
		syncvar_t v;
		qt_sinc_t sinc;
	};
	ok(offsetof(struct alignment, lock) == 8 && offsetof(struct alignment, v) == 32 &&
			offsetof(struct alignment, sinc) == 40, "they are aligned like words");
	ok(QTHREAD_SPINLOCK_IS_RECURSIVE == -1 && QTHREAD_SPINLOCK_IS_NOT_RECURSIVE == -2, "the kinds of spin locks");
	QT_Atomic(unsigned) word;
	is_int(sizeof(word), sizeof(unsigned), "QT_Atomic(unsigned) declares one");
	aligned_t from = 3, to = 4;
	QALIGN(from, to);
	is_int(to, 3, "QALIGN assigns");
	MACHINE_FENCE
}

static void spawn_flags(void)
{
	is_int(QTHREAD_SPAWN_PARENT, 0x001, "QTHREAD_SPAWN_PARENT");
	is_int(QTHREAD_SPAWN_SIMPLE, 0x002, "QTHREAD_SPAWN_SIMPLE");
	is_int(QTHREAD_SPAWN_NEW_TEAM, 0x004, "QTHREAD_SPAWN_NEW_TEAM");
	is_int(QTHREAD_SPAWN_NEW_SUBTEAM, 0x008, "QTHREAD_SPAWN_NEW_SUBTEAM");
	is_int(QTHREAD_SPAWN_RET_SYNCVAR_T, 0x010, "QTHREAD_SPAWN_RET_SYNCVAR_T");
	is_int(QTHREAD_SPAWN_RET_SINC, 0x020, "QTHREAD_SPAWN_RET_SINC");
	is_int(QTHREAD_SPAWN_RET_SINC_VOID, 0x040, "QTHREAD_SPAWN_RET_SINC_VOID");
	is_int(QTHREAD_SPAWN_PC_SYNCVAR_T, 0x080, "QTHREAD_SPAWN_PC_SYNCVAR_T");
	is_int(SPAWN_COUNT, 8, "SPAWN_COUNT");
	is_int(QTHREAD_SPAWN_LOCAL_PRIORITY, 0x200, "QTHREAD_SPAWN_LOCAL_PRIORITY");
	is_int(QTHREAD_SPAWN_NETWORK, 0x400, "QTHREAD_SPAWN_NETWORK");
}

/* Enumerators and flags by their numbers: compiled programs have them inside. */
static void numbers(void)
{
	ok(BEGIN == 0 && END == 1, "the boundaries of a critical section");
	ok(QTHREAD_QUEUE_NO_SYNCH == 1 && QTHREAD_QUEUE_MULTI_JOIN == 2 && QTHREAD_QUEUE_MULTI_JOIN_LENGTH == 4 &&
			QTHREAD_QUEUE_CAPPED == 8, "the kinds of task queues");
	ok(REGION_BARRIER == 0 && LOOP_BARRIER == 1, "the types of barriers");
	ok(UPLOCK == 0 && DOWNLOCK == 1 && BOTHLOCKS == 2, "what a dump of a barrier shows");
	ok(CHUNK == 0 && GUIDED == 1 && FACTORED == 2 && TIMED == 3, "the types of loop queues");
	ok(FIXED_HASH == 0 && FIXED_FIELDS == 1 && ALL_SAME == 2 && DIST == 3 && DIST_STRIPES == 4 && DIST_FIELDS == 5 &&
			DIST_RAND == 6 && DIST_LEAST == 7 && ALL_LOCAL == 8 && ALL_RAND == 9 && ALL_LEAST == 10,
		"the distributions of an array");
	ok(BKT_POW == 20 && NO_BUCKETS == 1 << 20 && ERROR == (void *)-1, "the constants of dictionary.h");
#ifndef DELETE_SUPPORT
#error DELETE_SUPPORT
#endif
	ok(offsetof(list_entry, value) == 0 && offsetof(struct list_entry, key) == 8 &&
			offsetof(list_entry, hashed_key) == 16 && offsetof(list_entry, next) == 24 && sizeof(list_entry) == 32,
		"a list_entry has value, key, hashed_key and next");
	ok(GOLDEN_RATIO == UINT64_C(0x9e3779b97f4a7c13), "GOLDEN_RATIO");
	ok(SPR_SPMD == 1 && SPR_OK == 0 && SPR_BADARGS == -1 && SPR_IGN == -2 && SPR_NOINIT == -3, "the codes of spr.h");
	ok(sizeof(spr_get_handle_t) == 8 && sizeof(spr_put_handle_t) == 8, "the handles of spr.h have 8 bytes");
	is_int(sizeof(qarray), 64, "a qarray has 64 bytes");
	ok(offsetof(qarray, unit_size) == 0 && offsetof(qarray, count) == 8 && offsetof(qarray, segment_size) == 16 &&
			offsetof(qarray, segment_bytes) == 24 && offsetof(qarray, base_ptr) == 32 &&
			offsetof(qarray, dist_type) == 40 && offsetof(qarray, dist_specific) == 48,
		"and its members where they have always been");
}

static void states(void)
{
	const enum introspective_state in_order[] = { STACK_SIZE, RUNTIME_DATA_SIZE, BUSYNESS, NODE_BUSYNESS,
		ACTIVE_SHEPHERDS, TOTAL_SHEPHERDS, ACTIVE_WORKERS, TOTAL_WORKERS, WORKER_OCCUPATION, CURRENT_SHEPHERD,
		CURRENT_WORKER, CURRENT_UNIQUE_WORKER, CURRENT_TEAM, PARENT_TEAM };
	int wrong = 0;

	for (int i = 0; i < 14; i++)
		wrong += (int)in_order[i] != i;
	is_int(wrong, 0, "the introspective states are numbered 0 to 13");
}

static void syncvars(void)
{
	static syncvar_t full = SYNCVAR_STATIC_INITIALIZER;
	static syncvar_t full7 = SYNCVAR_STATIC_INITIALIZE_TO(7);
	static syncvar_t empty = SYNCVAR_STATIC_EMPTY_INITIALIZER;
	static syncvar_t empty7 = SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(7);
	syncvar_t v;

	is_int(full.u.w, 0, "a static full 0 has no bit set");
	ok(full7.u.s.data == 7 && full7.u.s.state == 0 && full7.u.s.lock == 0, "a static full 7");
	ok(empty.u.s.data == 0 && empty.u.s.state == 2 && empty.u.s.lock == 0, "a static empty 0");
	ok(empty7.u.s.data == 7 && empty7.u.s.state == 2 && empty7.u.s.lock == 0, "a static empty 7");
	is_int(full7.u.w, 7 << 4, "data begin at bit 4");
	is_int(empty.u.w, 2 << 1, "the state begins at bit 1");
	v = SYNCVAR_INITIALIZE_TO(-1);
	ok(v.u.w == ~UINT64_C(15), "data of all ones leave lock and state alone");
	v = SYNCVAR_INITIALIZER;
	is_int(v.u.w, full.u.w, "a full 0 as an expression");
	v = SYNCVAR_EMPTY_INITIALIZER;
	is_int(v.u.w, empty.u.w, "an empty 0 as an expression");
	v = SYNCVAR_EMPTY_INITIALIZE_TO(7);
	is_int(v.u.w, empty7.u.w, "an empty 7 as an expression");
}

static void sixty_bits(void)
{
	double d = -1.5, back = 0;
	uint64_t bits;

	ok(INT64TOINT60(-1) == UINT64_C(0x0fffffffffffffff), "INT64TOINT60 keeps 60 bits");
	is_int(INT60TOINT64(INT64TOINT60(-5)), -5, "INT60TOINT64 extends the sign");
	is_int(INT60TOINT64(5), 5, "INT60TOINT64 leaves a positive number");
	DBL64TODBL60(d, bits);
	is_int(bits >> 60, 0, "DBL64TODBL60 makes 60 bits");
	DBL60TODBL64(bits, back);
	ok(back == d, "DBL60TODBL64 brings the double back");
}

static void spinlocks(void)
{
	struct {
		int before;
		qthread_spinlock_t lock;
		int after;
	} nested = { 1, QTHREAD_RECURSIVE_MUTEX_INITIALIZER, 2 };
	qthread_spinlock_t plain = QTHREAD_MUTEX_INITIALIZER;

	ok(plain.lock.u == 0 && plain.state.s == -2 && plain.state.count == 0, "QTHREAD_MUTEX_INITIALIZER");
	ok(nested.lock.lock.u == 0 && nested.lock.state.s == -1 && nested.lock.state.count == 0 && nested.before == 1 &&
			nested.after == 2, "QTHREAD_RECURSIVE_MUTEX_INITIALIZER inside another initializer");
}

static void atomics(void)
{
	uint8_t u8 = 250;
	int16_t i16 = -3;
	uint32_t u32 = 5;
	uint64_t u64 = UINT64_C(1) << 40;
	aligned_t word = 1;
	float f = 1.5f;
	double d = 2.5;
	int a = 1, b = 2, *p = &a;

	is_int(qthread_incr(&u8, 10), 250, "qthread_incr returns the old byte");
	is_int(u8, 4, "and wraps in a byte");
	is_int(qthread_incr(&i16, -2), -3, "qthread_incr returns the old short");
	is_int(qthread_incr(&word, 4), 1, "qthread_incr returns the old word");
	is_int(word, 5, "and adds to it");
	is_int(qthread_incr32(&u32, 3), 5, "qthread_incr32 returns the old value");
	ok(qthread_incr64(&u64, 1) == UINT64_C(1) << 40, "qthread_incr64 returns the old value");
	is_int(qthread_incr_xx(&u32, -2, 4), 8, "qthread_incr_xx of 4 bytes");
	ok(qthread_incr_xx(&u64, -1, 8) == (INT64_C(1) << 40) + 1, "qthread_incr_xx of 8 bytes");
	ok(qthread_fincr(&f, 1.0f) == 1.5f && f == 2.5f, "qthread_fincr returns the old value");
	ok(qthread_dincr(&d, -1.0) == 2.5 && d == 1.5, "qthread_dincr returns the old value");
	is_int(qthread_cas(&word, 5, 9), 5, "qthread_cas returns what it saw");
	is_int(word, 9, "and stored, that being the expected value");
	is_int(qthread_cas(&word, 5, 1), 9, "qthread_cas returns what it saw");
	is_int(word, 9, "and left it, that not being the expected value");
	is_int(qthread_cas32(&u32, 6, 7), 6, "qthread_cas32");
	ok(qthread_cas64(&u64, UINT64_C(1) << 40, 2) == UINT64_C(1) << 40 && u64 == 2, "qthread_cas64");
	ok(qthread_cas_ptr(&p, &a, &b) == &a && p == &b, "qthread_cas_ptr");
	ok(qthread_cas_ptr(&p, NULL, &a) == &b && p == &b, "qthread_cas_ptr takes NULL");
	u32 = UINT32_MAX;
	is_int(qthread_incr32(&u32, 2), UINT32_MAX, "qthread_incr32 returns the old value, unsigned");
	is_int(u32, 1, "and wraps");
	u64 = UINT64_MAX;
	ok(qthread_incr64(&u64, 2) == UINT64_MAX && u64 == 1, "qthread_incr64 wraps");
}

static aligned_t takes_anything(void *arg)
{
	return (aligned_t)(uintptr_t)arg;
}

static void function_types(void)
{
	qthread_f const f = takes_anything;

	is_int(f((void *)5), 5, "a qthread_f takes a pointer and returns an aligned_t");
	is_int(QTHREAD_BITS / 8, sizeof(f((void *)0)), "of QTHREAD_BITS bits");
}

#ifdef __cplusplus
static void only_in_cplusplus(void)
{
	double d = 1.0;
	volatile aligned_t word = 1;

	ok(qthread_incr(&d, 2) == 1.0 && d == 3.0, "qthread_incr of a double");
	ok(qthread_incr(&word, 2) == 1 && word == 3, "qthread_incr of a volatile word");
}
#endif

int main(void)
{
#ifdef __cplusplus
	plan(CHECKS + 2);
	only_in_cplusplus();
#else
	plan(CHECKS);
#endif
	return_codes();
	versions();
	machines();
	types();
	spawn_flags();
	numbers();
	states();
	syncvars();
	sixty_bits();
	spinlocks();
	atomics();
	function_types();
	return done();
}
