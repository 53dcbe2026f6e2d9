/* machine/context_aarch64.S -- the switch for 64-bit Arm (AAPCS64); contract in machine/context.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame of a suspended context, from its address upwards:
 *
 *     0 x29   8 return address (x30)   16 x19 ... 88 x28   96 d8 ... 152 d15   160 FPCR   168 nothing
 *
 * x29 and x30 lie as in any frame record, so that who follows the chain of frame pointers may begin at a context.  Of a
 * vector register a callee keeps the lowest 64 bits, however long it is.  Who has ZA in use (SME) must not switch.
 *
 * FPCR is control only: flags are in FPSR, which stays as it is.  Writing it makes the core wait, reading does not; so
 * it is written only where the two differ.
 *
 * As the compiler was told (-mbranch-protection), return addresses are signed (PAC), with the address of the caller's
 * frame, which is the same when the flow goes on; and what may be jumped to begins with a landing pad (BTI), which
 * paciasp is, too.  The instructions are hints: processors that know neither do nothing.
 *
 * For debuggers: both flows have the same frame here, so one description of it holds on either side of the switch.
 */

#if defined(__ARM_FEATURE_PAC_DEFAULT)
#define SIGNED (__ARM_FEATURE_PAC_DEFAULT & 3)
#else
#define SIGNED 0
#endif
#if defined(__ARM_FEATURE_BTI_DEFAULT)
#define LANDING __ARM_FEATURE_BTI_DEFAULT
#else
#define LANDING 0
#endif

/* By their numbers, for assemblers that know no such processor: paciasp 25, pacibsp 27, autiasp 29, autibsp 31,
 * bti c 34; pacia1716 8 and pacib1716 10 sign x17 with x16. */
#if SIGNED & 1
#define SIGN_RETURN hint #25
#define CHECK_RETURN hint #29
#define SIGN_X17 hint #8
#elif SIGNED & 2
#define SIGN_RETURN hint #27
#define CHECK_RETURN hint #31
#define SIGN_X17 hint #10
#endif

#define FRAME 176
#define AT_X29 0
#define AT_X19 16
#define AT_D8 96
#define AT_FPCR 160

	.text
	.globl	qti_ctx_jump
	.hidden	qti_ctx_jump
	.type	qti_ctx_jump, %function
	.p2align 4
qti_ctx_jump:
	.cfi_startproc
#if SIGNED & 2 && !(SIGNED & 1)
	.cfi_b_key_frame
#endif
#if SIGNED
	SIGN_RETURN
	.cfi_negate_ra_state
#elif LANDING
	hint	#34
#endif
	stp	x29, x30, [sp, #-FRAME]!
	.cfi_def_cfa_offset FRAME
	.cfi_offset x29, AT_X29 - FRAME
	.cfi_offset x30, AT_X29 + 8 - FRAME
	stp	x19, x20, [sp, #AT_X19]
	.cfi_offset x19, AT_X19 - FRAME
	.cfi_offset x20, AT_X19 + 8 - FRAME
	stp	x21, x22, [sp, #AT_X19 + 16]
	.cfi_offset x21, AT_X19 + 16 - FRAME
	.cfi_offset x22, AT_X19 + 24 - FRAME
	stp	x23, x24, [sp, #AT_X19 + 32]
	.cfi_offset x23, AT_X19 + 32 - FRAME
	.cfi_offset x24, AT_X19 + 40 - FRAME
	stp	x25, x26, [sp, #AT_X19 + 48]
	.cfi_offset x25, AT_X19 + 48 - FRAME
	.cfi_offset x26, AT_X19 + 56 - FRAME
	stp	x27, x28, [sp, #AT_X19 + 64]
	.cfi_offset x27, AT_X19 + 64 - FRAME
	.cfi_offset x28, AT_X19 + 72 - FRAME
	stp	d8, d9, [sp, #AT_D8]
	.cfi_offset d8, AT_D8 - FRAME
	.cfi_offset d9, AT_D8 + 8 - FRAME
	stp	d10, d11, [sp, #AT_D8 + 16]
	.cfi_offset d10, AT_D8 + 16 - FRAME
	.cfi_offset d11, AT_D8 + 24 - FRAME
	stp	d12, d13, [sp, #AT_D8 + 32]
	.cfi_offset d12, AT_D8 + 32 - FRAME
	.cfi_offset d13, AT_D8 + 40 - FRAME
	stp	d14, d15, [sp, #AT_D8 + 48]
	.cfi_offset d14, AT_D8 + 48 - FRAME
	.cfi_offset d15, AT_D8 + 56 - FRAME
	mrs	x9, fpcr
	str	x9, [sp, #AT_FPCR]
	mov	x10, sp
	mov	sp, x0

	ldr	x11, [sp, #AT_FPCR]
	cmp	x9, x11
	b.ne	.Lload_fpcr
.Lrestore:
	ldp	d14, d15, [sp, #AT_D8 + 48]
	ldp	d12, d13, [sp, #AT_D8 + 32]
	ldp	d10, d11, [sp, #AT_D8 + 16]
	ldp	d8, d9, [sp, #AT_D8]
	ldp	x27, x28, [sp, #AT_X19 + 64]
	ldp	x25, x26, [sp, #AT_X19 + 48]
	ldp	x23, x24, [sp, #AT_X19 + 32]
	ldp	x21, x22, [sp, #AT_X19 + 16]
	ldp	x19, x20, [sp, #AT_X19]
	.cfi_remember_state
	ldp	x29, x30, [sp], #FRAME
	.cfi_def_cfa_offset 0
	.cfi_restore x29
	.cfi_restore x30
	.cfi_restore x19
	.cfi_restore x20
	.cfi_restore x21
	.cfi_restore x22
	.cfi_restore x23
	.cfi_restore x24
	.cfi_restore x25
	.cfi_restore x26
	.cfi_restore x27
	.cfi_restore x28
	.cfi_restore d8
	.cfi_restore d9
	.cfi_restore d10
	.cfi_restore d11
	.cfi_restore d12
	.cfi_restore d13
	.cfi_restore d14
	.cfi_restore d15
	/* Where it was left and what is passed are in the registers of a result, which are those of an argument, too; a
	 * fresh context wants one.  data has been in x1 all the time. */
	mov	x0, x10
#if SIGNED
	CHECK_RETURN
	.cfi_negate_ra_state
#endif
	/* ret, not a jump: it keeps the processor's return stack level, as the x86-64 one says. */
	ret
	.cfi_restore_state

.Lload_fpcr:
	msr	fpcr, x11
	b	.Lrestore
	.cfi_endproc
	.size	qti_ctx_jump, . - qti_ctx_jump

/* Where a fresh context begins: the arrival in x0 and x1, its entry in x19.  Back traces end here.  It is returned to,
 * which needs no landing pad. */
	.type	context_start, %function
	.p2align 4
context_start:
	.cfi_startproc
	.cfi_undefined x30
	blr	x19
	brk	#1
	.cfi_endproc
	.size	context_start, . - context_start

/* x0 top, x1 size (unused), x2 entry.  The new frame starts with the caller's floating-point control. */
	.globl	qti_ctx_make
	.hidden	qti_ctx_make
	.type	qti_ctx_make, %function
	.p2align 4
qti_ctx_make:
	.cfi_startproc
#if LANDING
	hint	#34
#endif
	and	x16, x0, #-16
	adr	x17, context_start
#if SIGNED
	SIGN_X17
#endif
	sub	x0, x16, #FRAME
	mrs	x9, fpcr
	stp	xzr, x17, [x0, #AT_X29]
	str	x2, [x0, #AT_X19]
	str	x9, [x0, #AT_FPCR]
	ret
	.cfi_endproc
	.size	qti_ctx_make, . - qti_ctx_make

/* What the linker hands on to the whole library if every object says it: GNU_PROPERTY_AARCH64_FEATURE_1_AND. */
#if LANDING && SIGNED
#define FEATURES 3
#elif SIGNED
#define FEATURES 2
#elif LANDING
#define FEATURES 1
#endif
#ifdef FEATURES
	.section .note.gnu.property, "a", %note
	.p2align 3
	.word	4, 16, 5
	.asciz	"GNU"
	.word	0xc0000000, 4, FEATURES, 0
#endif

	.section .note.GNU-stack, "", %progbits
