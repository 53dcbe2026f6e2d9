/* machine/cxx.h -- what the C++ runtime notes for each OS thread, and a task takes along: the exceptions being handled.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A task may wait inside a catch block, or in a destructor that runs while an exception passes.  Others throw and catch
 * on that OS thread meanwhile, and the task may go on on another.  The layout is fixed by the Itanium C++ ABI
 * ("Exception Handling", 2.2.2).  A C program has no such thing: the pointer is NULL then.
 */
#ifndef QTI_MACHINE_CXX_H
#define QTI_MACHINE_CXX_H

#include "base/atomic.h"

#include <unwind.h>

struct qti_cxx {
	void *caught;
	unsigned uncaught;
};

extern void *__cxa_get_globals(void) __attribute__((weak));

/* The calling OS thread's. */
static inline struct qti_cxx *qti_cxx_of_thread(void)
{
	return __cxa_get_globals ? __cxa_get_globals() : NULL;
}

/* Before a task leaves its OS thread, whose are at `here`: what it takes along. */
static inline struct qti_cxx qti_cxx_depart(struct qti_cxx *here)
{
	struct qti_cxx taken = { NULL, 0 };

	if (qti_unlikely(here && (here->caught || here->uncaught))) {
		taken = *here;
		*here = (struct qti_cxx){ NULL, 0 };
	}
	return taken;
}

/* When it goes on, on whatever OS thread. */
static inline void qti_cxx_arrive(const struct qti_cxx *taken)
{
	if (qti_unlikely(taken->caught || taken->uncaught))
		*qti_cxx_of_thread() = *taken;
}

/* The personality routine of functions that no unwinding passes. */
_Unwind_Reason_Code qti_cxx_stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
	struct _Unwind_Exception *exception, struct _Unwind_Context *context);

/* Called in a task whose thread is to end, before the process ends for that.  May be NULL. */
extern void (*qti_cxx_ends_thread)(void);

/* No unwinding passes the calling function; backtraces do.
 *
 * An exception that leaves a task is a mistake that std::terminate ends, for it finds no handler: on a stack of the
 * task's own there is none.  But on top of a task that waits for it there may be one, of that task, and the exception
 * would take the library's frames away that lie in between.  So the function gets a personality routine, as functions
 * of C++ have, which the unwinder asks and a debugger does not.  Costs nothing. */
static inline __attribute__((always_inline)) void qti_cxx_border(void)
{
#if defined(__GCC_HAVE_DWARF2_CFI_ASM)
	/* Link-time optimization does not read assembly: it finds the routine by this. */
	static __typeof__(qti_cxx_stop) *const named __attribute__((used)) = qti_cxx_stop;

	__asm__ volatile(".cfi_personality 0x1b, qti_cxx_stop" ::: "memory");  /* 0x1b: relative, signed 32 bits */
#endif
}

#endif
