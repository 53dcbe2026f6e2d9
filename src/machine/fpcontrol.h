/* machine/fpcontrol.h -- how the calling OS thread rounds, traps and treats denormal numbers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On x86-64 the x87's control word and the control half of MXCSR; whether anything was inexact or overflowed is the
 * thread's own. Elsewhere there is nothing that programs expect to be passed on.
 */
#ifndef QTI_FPCONTROL_H
#define QTI_FPCONTROL_H

#include <stdbool.h>
#include <stdint.h>

struct qti_fp_control {
	uint32_t sse, x87;
};

#ifdef __x86_64__
static inline struct qti_fp_control qti_fp_control(void)
{
	uint16_t x87;

	__asm__ volatile("fnstcw %0" : "=m"(x87));
	return (struct qti_fp_control){ __builtin_ia32_stmxcsr() & 0xffc0, x87 };
}

/* Writing either costs much more than reading both. */
static inline void qti_fp_control_set(const struct qti_fp_control *c)
{
	struct qti_fp_control now = qti_fp_control();
	uint16_t x87 = (uint16_t)c->x87;

	if (__builtin_expect(now.sse != c->sse, false))
		__builtin_ia32_ldmxcsr(c->sse | (__builtin_ia32_stmxcsr() & 0x3f));
	if (__builtin_expect(now.x87 != c->x87, false))
		__asm__ volatile("fldcw %0" : : "m"(x87));
}
#else
static inline struct qti_fp_control qti_fp_control(void)
{
	return (struct qti_fp_control){ 0, 0 };
}

static inline void qti_fp_control_set(const struct qti_fp_control *c)
{
	(void)c;
}
#endif

#endif
