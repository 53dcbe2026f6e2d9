/* machine/context_ucontext.c -- the switch by ucontext(3), where nothing faster is known.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/context.h"

#include <stdint.h>
#include <ucontext.h>

struct saved {
	ucontext_t regs;
	struct qti_arrival in;          /* filled by whoever jumps here */
	qti_ctx_entry entry;
};

struct qti_arrival qti_ctx_jump(void *to, void *data)
{
	struct saved *target = to;
	struct saved self;

	target->in = (struct qti_arrival){ .from = &self, .data = data };
	swapcontext(&self.regs, &target->regs);
	return self.in;
}

/* makecontext passes ints only. */
static void context_start(unsigned high, unsigned low)
{
	struct saved *self = (struct saved *)((uintptr_t)high << 32 | low);

	self->entry(self->in);
}

void *qti_ctx_make(void *top, size_t size, qti_ctx_entry entry)
{
	struct saved *self = (struct saved *)(((uintptr_t)top - sizeof(*self)) & ~(uintptr_t)63);
	char *bottom = (char *)top - size;

	getcontext(&self->regs);
	self->entry = entry;
	self->regs.uc_link = NULL;
	self->regs.uc_stack.ss_sp = bottom;
	self->regs.uc_stack.ss_size = (size_t)((char *)self - bottom);
	makecontext(&self->regs, (void (*)(void))context_start, 2, (unsigned)((uintptr_t)self >> 32),
		(unsigned)(uintptr_t)self);
	return self;
}
