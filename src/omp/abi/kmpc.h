/* omp/abi/kmpc.h -- what clang, flang and Intel's compilers pass to every __kmpc_ function.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Their functions get the number of the calling OS thread as well.  Nothing here relies on it: a thread knows where it
 * stands.
 */
#ifndef QOMP_KMPC_H
#define QOMP_KMPC_H

#include <stddef.h>
#include <stdint.h>

/* A place in the source; may be NULL. */
struct kmpc_ident {
	int32_t reserved_1;
	int32_t flags;
	int32_t reserved_2;
	int32_t reserved_3;
	const char *source;             /* ";file;function;line;column;;" or NULL */
};

/* Of `flags`. */
enum {
	KMPC_AUTOPAR = 0x08,            /* the compiler's idea, not the program's */
	KMPC_ATOMIC_REDUCE = 0x10,      /* there is code for reductions by atomic operations */
	KMPC_BARRIER_EXPLICIT = 0x20,   /* the program's own */
	KMPC_BARRIER_IMPLICIT = 0x40,   /* at the end of a construct */
	KMPC_WORK_SECTIONS = 0x400,     /* the loop's iterations are sections */
};

static inline int32_t kmpc_flags(const struct kmpc_ident *loc)
{
	return loc ? loc->flags : 0;
}

/* 32 bytes of zeros, of which the first 4 are the lock. */
typedef int32_t kmpc_critical_name[8];

typedef void kmpc_micro(int32_t *global_thread, int32_t *bound_thread, ...);

#endif
