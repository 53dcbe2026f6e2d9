/* machine/context.h -- what a context switch saves, and how control and one pointer pass over.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A context is the address below which a suspended flow of control has put its registers, on its own stack:
 *
 *     base of the stack                                                       lowest address in use
 *     | caller's frames ... | return address, callee-saved registers, FP control |   <- context
 *
 * Saved are what the ABI makes a callee keep: general registers, and the *control* bits of the floating-point
 * unit (rounding, masks).  Status flags are the caller's to save, so a switch does not carry them.  Signal masks
 * belong to the OS thread and are not touched.
 *
 * qti_ctx_jump(to, data) leaves the running flow and continues `to`.  It returns in the flow that it continued:
 * there `from` is the context of the one that was left and `data` what that one passed.  A context is good for
 * one jump.  A fresh one starts at entry(arrival), which must never return.
 *
 * Answers: context_x86_64.S and context_aarch64.S (native), Boost.Context, context_ucontext.c (last resort).
 * --with-context chooses.
 * Checked by test/unit/context.c.
 */
#ifndef QTI_MACHINE_CONTEXT_H
#define QTI_MACHINE_CONTEXT_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <stddef.h>

struct qti_arrival {
	void *from;
	void *data;
};

typedef void (*qti_ctx_entry)(struct qti_arrival);

#ifdef QTI_CONTEXT_BOOST

#include "machine/fpcontrol.h"

/* Boost.Context's C linkage interface; the same contract, but that only the switch for x86-64 carries floating-point
 * control. */
struct qti_arrival jump_fcontext(void *to, void *data);
void *make_fcontext(void *top, size_t size, qti_ctx_entry entry);

static inline struct qti_arrival qti_ctx_jump(void *to, void *data)
{
#ifdef __x86_64__
	return jump_fcontext(to, data);
#else
	struct qti_fp_control fp = qti_fp_control();
	struct qti_arrival a = jump_fcontext(to, data);

	qti_fp_control_set(&fp);
	return a;
#endif
}

static inline void *qti_ctx_make(void *top, size_t size, qti_ctx_entry entry)
{
	return make_fcontext(top, size, entry);
}

#else

struct qti_arrival qti_ctx_jump(void *to, void *data);

/* A context that will run entry on the `size` bytes that end at top. */
void *qti_ctx_make(void *top, size_t size, qti_ctx_entry entry);

#endif

#endif
