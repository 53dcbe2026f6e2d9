/* qthread/common.h -- what the compiler and the machine are like.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTHREAD_COMMON_H
#define QTHREAD_COMMON_H

#include <signal.h>

/* Architecture codes; QTHREAD_ASSEMBLY_ARCH is the one this translation unit is compiled for. */
#define QTHREAD_UNSUPPORTED 0
#define QTHREAD_IA32 1
#define QTHREAD_AMD64 2
#define QTHREAD_POWERPC32 6
#define QTHREAD_POWERPC64 7
#define QTHREAD_ARM 12
#define QTHREAD_ARMV8_A64 13
#define QTHREAD_RISCV 14

#if defined(__x86_64__)
#define QTHREAD_ASSEMBLY_ARCH QTHREAD_AMD64
#elif defined(__i386__)
#define QTHREAD_ASSEMBLY_ARCH QTHREAD_IA32
#elif defined(__aarch64__)
#define QTHREAD_ASSEMBLY_ARCH QTHREAD_ARMV8_A64
#elif defined(__arm__)
#define QTHREAD_ASSEMBLY_ARCH QTHREAD_ARM
#elif defined(__powerpc64__)
#define QTHREAD_ASSEMBLY_ARCH QTHREAD_POWERPC64
#elif defined(__powerpc__) || defined(__powerpc)
#define QTHREAD_ASSEMBLY_ARCH QTHREAD_POWERPC32
#elif defined(__riscv)
#define QTHREAD_ASSEMBLY_ARCH QTHREAD_RISCV
#else
#define QTHREAD_ASSEMBLY_ARCH QTHREAD_UNSUPPORTED       /* it has no code here; the library works there all the same */
#endif

/* In which order the fields of syncvar_t are declared, so that the lock bit is always the lowest one of the word:
 * compilers for big-endian machines hand out bit fields from the top, others from the bottom. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BITFIELD_ORDER_FORWARD
#else
#define BITFIELD_ORDER_REVERSE
#endif

/* C's restrict, for prototypes that C++ reads too. */
#ifdef __cplusplus
#ifdef __GNUC__
#define restrict __restrict
#else
#define restrict
#endif
#endif

/* Stop the program here. */
#ifdef __GNUC__
#define QTHREAD_TRAP() __builtin_trap()
#else
#define QTHREAD_TRAP() raise(SIGABRT)
#endif

#endif
