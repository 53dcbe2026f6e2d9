/* machine/context_x86_64.S -- the switch for x86-64 (System V ABI); contract in machine/context.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame of a suspended context, from its address upwards:
 *
 *     0 MXCSR   4 x87 control word   8 r12   16 r13   24 r14   32 r15   40 rbx   48 rbp   56 return address
 *
 * Writing MXCSR with a value that differs from the current one stalls the core for some 50 ns, and one inexact
 * operation on either side is enough to make the status flags differ.  The ABI asks only for the control bits,
 * so only they are compared, and the registers are written only when those differ.
 *
 * For debuggers: both flows have the same frame here, so one description of it holds on either side of the switch.
 */

#define MXCSR_CONTROL 0xffc0

	.text
	.globl	qti_ctx_jump
	.hidden	qti_ctx_jump
	.type	qti_ctx_jump, @function
	.align	16
qti_ctx_jump:
	.cfi_startproc
	endbr64
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r15, 0
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r14, 0
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r13, 0
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r12, 0
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	stmxcsr	(%rsp)
	fnstcw	4(%rsp)
	movq	%rsp, %rax
	movl	(%rsp), %ecx
	movzwl	4(%rsp), %r9d
	movq	%rdi, %rsp

	movl	(%rsp), %r8d
	xorl	%ecx, %r8d
	testl	$MXCSR_CONTROL, %r8d
	jne	.Lload_mxcsr
.Lcheck_x87:
	cmpw	4(%rsp), %r9w
	jne	.Lload_x87
.Lrestore:
	movq	8(%rsp), %r12
	movq	16(%rsp), %r13
	movq	24(%rsp), %r14
	movq	32(%rsp), %r15
	movq	40(%rsp), %rbx
	movq	48(%rsp), %rbp
	.cfi_remember_state
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	.cfi_restore rbp
	.cfi_restore rbx
	.cfi_restore r15
	.cfi_restore r14
	.cfi_restore r13
	.cfi_restore r12
	movq	%rsi, %rdx
	/* A fresh context finds its argument where a call would have put it. */
	movq	%rax, %rdi
	/* ret, not a jump: it keeps the processor's return stack level.  Tasks that switch at the same call sites then
	 * have all their returns predicted, which is worth three times the rest of the switch. */
	ret
	.cfi_restore_state

.Lload_mxcsr:
	/* Control bits of the target, status bits as they are. */
	andl	$MXCSR_CONTROL, %r8d
	xorl	%ecx, %r8d
	movl	%r8d, (%rsp)
	ldmxcsr	(%rsp)
	jmp	.Lcheck_x87
.Lload_x87:
	fldcw	4(%rsp)
	jmp	.Lrestore
	.cfi_endproc
	.size	qti_ctx_jump, . - qti_ctx_jump

/* rdi top, rsi size (unused), rdx entry.  The new frame starts with the caller's floating-point control; the zero
 * above the entry's address and in rbp ends back traces. */
	.globl	qti_ctx_make
	.hidden	qti_ctx_make
	.type	qti_ctx_make, @function
	.align	16
qti_ctx_make:
	.cfi_startproc
	endbr64
	andq	$-16, %rdi
	leaq	-72(%rdi), %rax
	stmxcsr	(%rax)
	fnstcw	4(%rax)
	movq	$0, 48(%rax)
	movq	%rdx, 56(%rax)
	movq	$0, 64(%rax)
	ret
	.cfi_endproc
	.size	qti_ctx_make, . - qti_ctx_make

	.section .note.GNU-stack, "", @progbits
