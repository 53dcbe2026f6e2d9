/* machine/guard.c -- see machine/guard.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/guard.h"

#include "base/mem.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { ALTSTACK_BYTES = 16 << 10 };

static void (*explain_fault)(const char *address, const void *code);
static struct sigaction before;

int qti_altstack_begin(struct qti_altstack *a)
{
	long least = sysconf(_SC_MINSIGSTKSZ);
	size_t size = (size_t)(least > 0 ? least : 0) + ALTSTACK_BYTES;

	stack_t before_us;

	a->memory = NULL;
	if (sigaltstack(NULL, &before_us) == 0 && !(before_us.ss_flags & SS_DISABLE))
		return 0;
	a->memory = qti_mem_alloc(size);
	if (!a->memory)
		return ENOMEM;
	sigaltstack(&(stack_t){ .ss_sp = a->memory, .ss_size = size }, NULL);
	return 0;
}

void qti_altstack_end(struct qti_altstack *a)
{
	if (!a->memory)
		return;
	sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
	qti_mem_free(a->memory);
	a->memory = NULL;
}

/* As if we had not been asked.  Returning runs the faulting instruction again, under that action. */
static void pass_on(int sig, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO) {
		before.sa_sigaction(sig, info, context);
	} else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
		sigaction(sig, &before, NULL);
		if (info->si_code <= 0)
			raise(sig);     /* sent by somebody: no instruction will fault again */
	} else {
		before.sa_handler(sig);
	}
}

static const void *interrupted_instruction(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (const void *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (const void *)(uintptr_t)context->uc_mcontext.pc;
#else
	(void)context;
	return NULL;
#endif
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	if (info->si_code > 0 && explain_fault)
		explain_fault(info->si_addr, interrupted_instruction(context));
	pass_on(sig, info, context);
}

static bool is_ours(const struct sigaction *a)
{
	return (a->sa_flags & SA_SIGINFO) && a->sa_sigaction == on_fault;
}

void qti_guard_install(void (*explain)(const char *address, const void *code))
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK }, now;

	explain_fault = explain;
	if (sigaction(SIGSEGV, NULL, &now) == 0 && is_ours(&now))
		return;         /* in the child of fork(2), which has not uninstalled its parent's */
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, &before);
}

/* If somebody has put a handler over ours meanwhile, theirs stays; ours then only passes on. */
void qti_guard_uninstall(void)
{
	struct sigaction now;

	explain_fault = NULL;
	if (sigaction(SIGSEGV, NULL, &now) == 0 && is_ours(&now))
		sigaction(SIGSEGV, &before, NULL);
}
