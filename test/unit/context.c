/* test/unit/context.c -- machine/context.h: what passes over in a switch, and what stays behind.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/context.h"
#include "machine/fpcontrol.h"
#include "stress/stress.h"

#include <fenv.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 64 << 10, CROWD = 500, DEPTH = 40 };

static struct qti_stacks stacks;
static struct qti_pool_cache cache;
static struct qti_stack main_stack;

/* A flow of control: what is running, or where it was left. */
struct flow {
	void *context;
	struct qti_stack *stack;
};

static struct flow main_flow = { .stack = &main_stack };

/* Each gets a stack that was never used and never will be again: the frames on it do not return. */
static struct flow flow_below(size_t bytes, qti_ctx_entry entry)
{
	struct flow f = { .stack = qti_stack_get(&stacks, &cache) };

	if (!f.stack)
		bail_out("no memory for a stack");
	f.context = qti_ctx_make(f.stack->base - bytes, (size_t)(f.stack->base - f.stack->limit) - bytes, entry);
	return f;
}

static struct flow flow_new(qti_ctx_entry entry)
{
	return flow_below(0, entry);
}

/* Leaves the running flow for `to`; returns what is passed when somebody comes back, with `to` where it then was. */
static void *jump(struct flow *to, void *data)
{
	struct qti_fiber_save save;

	qti_fiber_depart(&save, to->stack);
	struct qti_arrival a = qti_ctx_jump(to->context, data);
	qti_fiber_arrive(&save);
	to->context = a.from;
	return a.data;
}

/* The first thing in every entry. */
static void *begin(struct qti_arrival a)
{
	qti_fiber_arrive(NULL);
	main_flow.context = a.from;
	return a.data;
}

static void give(void *data) __attribute__((noreturn));

/* For ever, so that an entry never returns. */
static void give(void *data)
{
	for (;;)
		jump(&main_flow, data);
}

/* --- data ------------------------------------------------------------------------------------------------ */

static void add_one(struct qti_arrival a)
{
	uintptr_t n = (uintptr_t)begin(a);

	for (;;)
		n = (uintptr_t)jump(&main_flow, (void *)(n + 1));
}

static void data_passes(void)
{
	struct flow f = flow_new(add_one);
	unsigned rounds = stress_scaled(1000000), right = 0;

	is_int(jump(&f, (void *)41), 42, "a fresh context gets what is passed, and its answer comes back");
	for (uintptr_t i = 0; i < rounds; i++)
		right += jump(&f, (void *)i) == (void *)(i + 1);
	is_int(right, rounds, "so it goes on: %u times there and back", rounds);
}

static void pass_around(struct qti_arrival a)
{
	uintptr_t n = (uintptr_t)begin(a);

	for (uintptr_t mine = n * n;; mine = mine * 3 + n) {
		if ((uintptr_t)jump(&main_flow, (void *)mine) != mine)
			give(NULL);
	}
}

static void a_crowd(void)
{
	static struct flow f[CROWD];
	static uintptr_t last[CROWD];
	unsigned n = stress_scaled(CROWD), wrong = 0;

	for (uintptr_t i = 0; i < n; i++)
		f[i] = flow_new(pass_around);
	for (uintptr_t i = 0; i < n; i++)
		last[i] = (uintptr_t)jump(&f[i], (void *)i);
	for (int round = 0; round < 20; round++)
		for (uintptr_t i = 0; i < n; i++) {
			uintptr_t got = (uintptr_t)jump(&f[i], (void *)last[i]);
			wrong += got != last[i] * 3 + i;
			last[i] = got;
		}
	is_int(wrong, 0, "%u contexts in turn, each with locals of its own", n);
}

/* --- stacks ---------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) uintptr_t misalignment(void)
{
	return (uintptr_t)__builtin_frame_address(0) % 16;
}

static void where(struct qti_arrival a)
{
	uintptr_t *out = begin(a);

	out[0] = (uintptr_t)__builtin_frame_address(0);
	out[1] = (uintptr_t)__builtin_frame_address(0) % 16;
	out[2] = misalignment();
	give(NULL);
}

/* A frame address is a multiple of 16 where a call leaves the stack aligned as the ABI asks. */
static void stack_is_aligned(void)
{
	struct flow f = flow_new(where);
	uintptr_t got[3];

	jump(&f, got);
	ok(got[0] > (uintptr_t)f.stack->limit && got[0] <= (uintptr_t)f.stack->base,
		"a fresh context stands on its stack");
	/* Where ucontext(3) switches, a context lies there: one of some processors has room for vectors yet to come. */
	ok(f.stack->base - (char *)got[0] < 1024 + (ptrdiff_t)sizeof(ucontext_t), "at the base of it");
	is_int(got[1], 0, "its first frame is aligned");
	is_int(got[2], 0, "and so is the next");
	uintptr_t off = 0;
	while (!got[1] && !got[2] && ++off < 16) {
		f = flow_below(off, where);
		jump(&f, got);
	}
	is_int(off, 16, "from whatever address the stack begins");
}

/* --- deep ------------------------------------------------------------------------------------------------ */

/* Jumps away at every level, on the way down and on the way up. */
static __attribute__((noinline)) uintptr_t descend(struct flow *other, uintptr_t level)
{
	volatile uintptr_t mine = level * 7;
	uintptr_t below = 0;

	jump(other, NULL);
	if (level < DEPTH)
		below = descend(other, level + 1);
	jump(other, NULL);
	return below + mine;
}

enum { SUM = 7 * DEPTH * (DEPTH + 1) / 2 };

static void dive(struct qti_arrival a)
{
	begin(a);
	for (;;)
		give((void *)descend(&main_flow, 0));
}

static void deep(void)
{
	struct flow f = flow_new(dive);
	uintptr_t mine, its = 0;

	mine = descend(&f, 0);
	for (int i = 0; i <= 2 && its == 0; i++)
		its = (uintptr_t)jump(&f, NULL);
	is_int(mine, SUM, "two flows go down and up and change over at every step: one");
	is_int(its, SUM, "and the other");
}

/* --- registers ------------------------------------------------------------------------------------------- */

#if defined(__x86_64__) || defined(__aarch64__)

/* Calls fn(to, data) with a number of its own, from seed + 1, in each callee-saved register; *from gets what it
 * returned.  A bit for each register that has changed. */
uint64_t registers_survive(void *fn, void *to, void *data, uint64_t seed, void **from);
#if defined(__x86_64__)
__asm__(".text\n"
	".globl registers_survive\n"
	".type registers_survive, @function\n"
	"registers_survive:\n"
	"	pushq %rbp\n	pushq %rbx\n	pushq %r12\n	pushq %r13\n	pushq %r14\n	pushq %r15\n"
	"	pushq %r8\n	pushq %rcx\n	subq $8, %rsp\n"
	"	leaq 1(%rcx), %rbp\n	leaq 2(%rcx), %rbx\n	leaq 3(%rcx), %r12\n"
	"	leaq 4(%rcx), %r13\n	leaq 5(%rcx), %r14\n	leaq 6(%rcx), %r15\n"
	"	movq %rdi, %rax\n	movq %rsi, %rdi\n	movq %rdx, %rsi\n	call *%rax\n"
	"	addq $8, %rsp\n	popq %rcx\n	popq %r8\n	movq %rax, (%r8)\n	xorl %eax, %eax\n"
	"	subq %rcx, %rbp\n	subq %rcx, %rbx\n	subq %rcx, %r12\n"
	"	subq %rcx, %r13\n	subq %rcx, %r14\n	subq %rcx, %r15\n"
	"	cmpq $1, %rbp\n	je 1f\n	orl $1, %eax\n"
	"1:	cmpq $2, %rbx\n	je 1f\n	orl $2, %eax\n"
	"1:	cmpq $3, %r12\n	je 1f\n	orl $4, %eax\n"
	"1:	cmpq $4, %r13\n	je 1f\n	orl $8, %eax\n"
	"1:	cmpq $5, %r14\n	je 1f\n	orl $16, %eax\n"
	"1:	cmpq $6, %r15\n	je 1f\n	orl $32, %eax\n"
	"1:	popq %r15\n	popq %r14\n	popq %r13\n	popq %r12\n	popq %rbx\n	popq %rbp\n	ret\n"
	".size registers_survive, . - registers_survive\n");
#else
__asm__(".text\n"
	".globl registers_survive\n"
	".type registers_survive, %function\n"
	"registers_survive:\n"
	"	stp x29, x30, [sp, #-176]!\n	stp x3, x4, [sp, #16]\n"
	"	stp x19, x20, [sp, #32]\n	stp x21, x22, [sp, #48]\n	stp x23, x24, [sp, #64]\n"
	"	stp x25, x26, [sp, #80]\n	stp x27, x28, [sp, #96]\n"
	"	stp d8, d9, [sp, #112]\n	stp d10, d11, [sp, #128]\n"
	"	stp d12, d13, [sp, #144]\n	stp d14, d15, [sp, #160]\n"
	".irp r, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29\n	add x\\r, x3, #\\r - 18\n.endr\n"
	".irp r, 8, 9, 10, 11, 12, 13, 14, 15\n	add x9, x3, #\\r + 4\n	fmov d\\r, x9\n.endr\n"
	"	mov x9, x0\n	mov x0, x1\n	mov x1, x2\n	blr x9\n"
	"	ldp x3, x4, [sp, #16]\n	str x0, [x4]\n	mov x0, #0\n"
	".irp r, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29\n"
	"	sub x9, x\\r, x3\n	cmp x9, #\\r - 18\n	cset x9, ne\n	orr x0, x0, x9, lsl #\\r - 19\n.endr\n"
	".irp r, 8, 9, 10, 11, 12, 13, 14, 15\n"
	"	fmov x9, d\\r\n	sub x9, x9, x3\n	cmp x9, #\\r + 4\n	cset x9, ne\n"
	"	orr x0, x0, x9, lsl #\\r + 3\n.endr\n"
	"	ldp d14, d15, [sp, #160]\n	ldp d12, d13, [sp, #144]\n"
	"	ldp d10, d11, [sp, #128]\n	ldp d8, d9, [sp, #112]\n"
	"	ldp x27, x28, [sp, #96]\n	ldp x25, x26, [sp, #80]\n"
	"	ldp x23, x24, [sp, #64]\n	ldp x21, x22, [sp, #48]\n	ldp x19, x20, [sp, #32]\n"
	"	ldp x29, x30, [sp], #176\n	ret\n"
	".size registers_survive, . - registers_survive\n");
#endif

static struct qti_arrival plain_jump(void *to, void *data)
{
	return qti_ctx_jump(to, data);
}

static uint64_t jump_with(struct flow *to, uint64_t seed)
{
	struct qti_fiber_save save;

	qti_fiber_depart(&save, to->stack);
	uint64_t changed = registers_survive((void *)(uintptr_t)plain_jump, to->context, NULL, seed, &to->context);
	qti_fiber_arrive(&save);
	return changed;
}

static uint64_t changed_there;

static void other_registers(struct qti_arrival a)
{
	begin(a);
	for (uint64_t seed = UINT64_C(1) << 60;; seed += 1000)
		changed_there |= jump_with(&main_flow, seed);
}

static void registers(void)
{
	struct flow f = flow_new(other_registers);
	uint64_t changed_here = 0;

	for (uint64_t i = 0; i < 1000; i++)
		changed_here |= jump_with(&f, i * i);
	is_int(changed_here, 0, "callee-saved registers are as they were when a flow goes on");
	is_int(changed_there, 0, "in the other flow as well");
}

/* --- floating point -------------------------------------------------------------------------------------- */

/* How it rounds, flushes and, on the x87, how long a result is: what programs change. */
struct fp_control {
	struct qti_fp_control word;
	int rounding;
};

static struct fp_control fp_control(void)
{
	return (struct fp_control){ qti_fp_control(), fegetround() };
}

static bool same_control(struct fp_control a, struct fp_control b)
{
	return memcmp(&a.word, &b.word, sizeof(a.word)) == 0 && a.rounding == b.rounding;
}

static void fp_control_other(void)
{
	struct qti_fp_control c;

	fesetround(FE_TOWARDZERO);
	c = qti_fp_control();
#if defined(__x86_64__)
	c.sse |= 0x8000;        /* flush to zero */
	c.x87 &= 0xfcff;        /* single precision */
#else
	c.word |= 3 << 24;      /* flush to zero, default NaN */
#endif
	qti_fp_control_set(&c);
}

static struct fp_control inherited, set_there, kept_there;

static void other_control(struct qti_arrival a)
{
	begin(a);
	inherited = fp_control();
	fp_control_other();
	set_there = fp_control();
	for (;;) {
		jump(&main_flow, NULL);
		kept_there = fp_control();
	}
}

static void control_is_kept(void)
{
	struct flow f = flow_new(other_control);
	struct fp_control standard = fp_control(), upward;
	bool kept = true;

	jump(&f, NULL);
	ok(same_control(inherited, standard), "a fresh context begins with its maker's floating-point control");
	ok(!same_control(set_there, standard), "and may choose another");
	ok(same_control(fp_control(), standard), "which stays with it");
	fesetround(FE_UPWARD);
	upward = fp_control();
	jump(&f, NULL);
	ok(same_control(fp_control(), upward), "rounding chosen here is here when this flow goes on");
	ok(same_control(kept_there, set_there), "and not there, whatever was changed there");
	for (int i = 0; i < 1000; i++) {
		jump(&f, NULL);
		kept = kept && same_control(fp_control(), upward) && same_control(kept_there, set_there);
	}
	ok(kept, "however often they take turns");
	fesetround(FE_TONEAREST);
}

static int flags_there;
static volatile double three = 3;

static void look_at_flags(struct qti_arrival a)
{
	begin(a);
	fesetround(FE_DOWNWARD);
	for (;;) {
		jump(&main_flow, NULL);
		flags_there = fetestexcept(FE_INEXACT);
	}
}

/* Restoring them would cost as much as everything else in a switch. */
static void flags_are_not_restored(void)
{
#ifdef QTI_CONTEXT_NATIVE
	struct flow f = flow_new(look_at_flags);

	jump(&f, NULL);
	feclearexcept(FE_ALL_EXCEPT);
	jump(&f, NULL);
	is_int(flags_there, 0, "status flags: clear here, clear there");
	three = 1 / three;
	jump(&f, NULL);
	is_int(flags_there, FE_INEXACT, "raised here, raised there, though the control differs");
	is_int(fetestexcept(FE_INEXACT), FE_INEXACT, "and on the way back");
#else
	(void)look_at_flags;
	skip(3, "only the native switch leaves the status flags alone");
#endif
}

enum { MACHINE_CHECKS = 2 + 6 + 3 };

static void machine_checks(void)
{
	registers();
	if (stress_under_valgrind()) {
		skip(6 + 3, "valgrind keeps rounding only");
		return;
	}
	control_is_kept();
	flags_are_not_restored();
}

#else

enum { MACHINE_CHECKS = 1 };

static void machine_checks(void)
{
	skip(1, "registers are looked at on x86-64 and aarch64 only");
}

#endif

int main(void)
{
	plan(2 + 1 + 5 + 2 + MACHINE_CHECKS);
	qti_stacks_init(&stacks, STACK, true);
	qti_stack_of_thread(&main_stack);
	qti_fiber_adopt(&main_stack);
	data_passes();
	a_crowd();
	stack_is_aligned();
	deep();
	machine_checks();
	qti_stacks_fini(&stacks);
	return done();
}
