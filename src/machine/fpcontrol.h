/* machine/fpcontrol.h -- how the calling OS thread rounds, traps and treats denormal numbers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On x86-64 the x87's control word and the control half of MXCSR, on aarch64 FPCR, on RISC-V how it rounds, which is
 * all it has; whether anything was inexact or overflowed is the thread's own.
 */
#ifndef QTI_FPCONTROL_H
#define QTI_FPCONTROL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __x86_64__
struct qti_fp_control {
	uint32_t sse, x87;
};

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
struct qti_fp_control {
	uint64_t word;
};

/* One register.  QTI_FPCONTROL is how it is read, QTI_FPCONTROL_SET how it is written. */
#if defined(__aarch64__)
#define QTI_FPCONTROL "mrs %0, fpcr"
#define QTI_FPCONTROL_SET "msr fpcr, %0"
#elif defined(__riscv_flen)
#define QTI_FPCONTROL "frrm %0"
#define QTI_FPCONTROL_SET "fsrm %0"
#endif

static inline struct qti_fp_control qti_fp_control(void)
{
	uint64_t word = 0;

#ifdef QTI_FPCONTROL
	__asm__ volatile(QTI_FPCONTROL : "=r"(word));
#endif
	return (struct qti_fp_control){ word };
}

/* Writing costs more than reading. */
static inline void qti_fp_control_set(const struct qti_fp_control *c)
{
#ifdef QTI_FPCONTROL_SET
	if (__builtin_expect(qti_fp_control().word != c->word, false))
		__asm__ volatile(QTI_FPCONTROL_SET : : "r"(c->word));
#else
	(void)c;
#endif
}
#endif

#endif
