/* machine/guard.c -- see machine/guard.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/guard.h"

#include "base/lock.h"
#include "base/mem.h"
#include "base/park.h"
#include "base/tuning.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef SEGV_MTEAERR
#define SEGV_MTEAERR 8          /* Linux 5.10 */
#endif

/* --- alternate signal stacks ----------------------------------------------------------------------------- */

/* Beyond the least that the kernel asks for, which grows with the processor's registers.  Handlers have used up to 11
 * KiB of these to print a backtrace or to throw an exception, and 27 for a long double of 3,000 digits.  What is not
 * touched costs addresses only; beneath lies a page that cannot be. */
enum { ALTSTACK_BYTES = 64 << 10 };

int qti_altstack_begin(struct qti_altstack *a)
{
	const long least = sysconf(_SC_MINSIGSTKSZ);
	const size_t page = qti_mem_page();
	stack_t there;

	*a = (struct qti_altstack){ .memory = NULL };
	if (sigaltstack(NULL, &there) == 0 && !(there.ss_flags & SS_DISABLE))
		return 0;
	a->size = page + qti_mem_round((size_t)(least > 0 ? least : 0) + ALTSTACK_BYTES, page);
	a->memory = qti_mem_map(a->size);
	if (!a->memory)
		return ENOMEM;
	(void)mprotect(a->memory, page, PROT_NONE);
	sigaltstack(&(stack_t){ .ss_sp = (char *)a->memory + page, .ss_size = a->size - page }, NULL);
	return 0;
}

void qti_altstack_end(struct qti_altstack *a)
{
	stack_t there;

	if (!a->memory)
		return;
	if (sigaltstack(NULL, &there) == 0 && there.ss_sp == (char *)a->memory + qti_mem_page())
		sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
	qti_mem_unmap(a->memory, a->size);
	a->memory = NULL;
}

/* --- the action ------------------------------------------------------------------------------------------ */

bool qti_guard_away;
QTI_SHARE_VARIABLE(qti_guard_away);

static bool (*explain_fault)(const char *address, const void *code);

/* GU1. */
static struct {
	struct qti_lock lock;
	struct sigaction before;        /* the program's action, for which the library's stands */
	bool laid;                      /* the library's is in force, or beneath what is */
	bool covered;                   /* GU4: a handler in `before` may call the library's, */
	struct sigaction beneath;       /* for which it expects this one */
	uint64_t since;                 /* qti_now_ns() when it made way */
} guard;

/* The calling thread has made way, and has not looked since. */
static __thread bool made_way __attribute__((tls_model("initial-exec")));

static void on_fault(int sig, siginfo_t *info, void *context);

static void guard_lock(sigset_t *mask)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, mask);
	qti_lock_take(&guard.lock);
}

static void guard_unlock(const sigset_t *mask)
{
	qti_lock_drop(&guard.lock);
	pthread_sigmask(SIG_SETMASK, mask, NULL);
}

static bool is_ours(const struct sigaction *a)
{
	return (a->sa_flags & SA_SIGINFO) && a->sa_sigaction == on_fault;
}

static bool is_function(const struct sigaction *a)
{
	return a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN;
}

/* As it was put back, or what the kernel has made of that. */
static bool is_before(const struct sigaction *a)
{
	const bool reset = (a->sa_flags & (int)SA_RESETHAND) && a->sa_handler == SIG_DFL;

	return a->sa_flags == guard.before.sa_flags && (reset || a->sa_handler == guard.before.sa_handler);
}

/* Under the lock; it is not in force. */
static void lay(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	if (guard.laid && !guard.covered) {
		guard.covered = true;
		guard.beneath = guard.before;
	}
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, &guard.before);
	guard.laid = true;
	store_rlx(&qti_guard_away, false);
}

/* The same: true if the library's was in force.  If the program replaces it at this moment, its handler stays. */
static bool take_off(void)
{
	struct sigaction now;

	if (sigaction(SIGSEGV, NULL, &now) != 0 || !is_ours(&now))
		return false;
	sigaction(SIGSEGV, &guard.before, &now);
	if (!is_ours(&now))
		sigaction(SIGSEGV, &now, NULL);
	guard.laid = false;
	return true;
}

/* --- a fault --------------------------------------------------------------------------------------------- */

static bool is_in_force(void)
{
	struct sigaction now;

	return sigaction(SIGSEGV, NULL, &now) == 0 && is_before(&now);
}

/* The handler in `before`, to which this thread has given way, calls ours (GU4).  Or the thread met ours once more, while
 * another one made way: then the handler beneath is called too early. */
static bool is_called_back(void)
{
	return guard.covered && made_way;
}

/* False: a handler of the program's has called ours, and *before is what it wants to be called (GU4). */
static bool make_way(struct sigaction *before)
{
	sigset_t mask;

	guard_lock(&mask);
	*before = guard.before;
	const bool ours = take_off(), back = !ours && is_in_force(), way = ours || (back && !is_called_back());
	if (back && !way)
		*before = guard.beneath;
	if (ours) {
		store_rlx(&guard.since, qti_now_ns());
		store_rlx(&qti_guard_away, true);
	}
	made_way |= way;
	guard_unlock(&mask);
	return way;
}

/* No instruction will meet it again: somebody has sent the signal, or the kernel has, late. */
static bool is_lost(const siginfo_t *info)
{
	return info->si_code <= 0 || info->si_code == SI_KERNEL || info->si_code == SEGV_MTEAERR;
}

/* It is blocked until the handler returns.  Where the kernel refuses, the sender's data are lost. */
static void send_again(int sig, siginfo_t *info)
{
	const long process = getpid(), thread = syscall(SYS_gettid);

	if (syscall(SYS_rt_tgsigqueueinfo, process, thread, sig, info) != 0 && info->si_code <= 0)
		(void)syscall(SYS_tgkill, process, thread, sig);
}

static void call_function(const struct sigaction *a, int sig, siginfo_t *info, void *context)
{
	if (a->sa_flags & SA_SIGINFO)
		a->sa_sigaction(sig, info, context);
	else
		a->sa_handler(sig);
}

/* For the handler that has called ours, as the one that was there before. */
static void call_before(const struct sigaction *before, int sig, siginfo_t *info, void *context)
{
	if (is_function(before)) {
		call_function(before, sig, info, context);
		return;
	}
	sigaction(sig, before, NULL);
	if (is_lost(info))
		send_again(sig, info);
}

/* The program's handler wants to run where the stack has ended: it runs here instead, as it would have there. */
static void stand_in(const struct sigaction *a, int sig, siginfo_t *info, void *context)
{
	sigset_t mask = a->sa_mask, own, was;

	if (a->sa_flags & (int)SA_RESETHAND)
		sigaction(sig, &(struct sigaction){ .sa_handler = SIG_DFL, .sa_flags = a->sa_flags }, NULL);
	sigemptyset(&own);
	sigaddset(&own, sig);
	if (!(a->sa_flags & SA_NODEFER))
		sigaddset(&mask, sig);
	pthread_sigmask(SIG_UNBLOCK, &own, &was);
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	call_function(a, sig, info, context);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
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

static bool explains(const siginfo_t *info, const void *context)
{
	return info->si_code > 0 && explain_fault && !is_called_back() &&
		explain_fault(info->si_addr, interrupted_instruction(context));
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	const int error = errno;
	const bool overrun = explains(info, context);
	struct sigaction before;

	if (!make_way(&before))
		call_before(&before, sig, info, context);
	else if (overrun && is_function(&before) && !(before.sa_flags & SA_ONSTACK))
		stand_in(&before, sig, info, context);
	else if (is_lost(info))
		send_again(sig, info);
	errno = error;
}

/* --- up and down ----------------------------------------------------------------------------------------- */

/* GU2, GU3.  No handler lies in the default action. */
void qti_guard_come_back(void)
{
	struct sigaction now;
	sigset_t mask;

	if (!made_way && qti_now_ns() - load_rlx(&guard.since) < TUNE_GUARD_AWAY_NS)
		return;
	guard_lock(&mask);
	if (load_rlx(&qti_guard_away)) {
		store_rlx(&qti_guard_away, false);
		if (sigaction(SIGSEGV, NULL, &now) == 0 && (is_before(&now) || now.sa_handler == SIG_DFL))
			lay();
	}
	made_way = false;
	guard_unlock(&mask);
}

/* In the child of fork(2) the parent's may be there still. */
void qti_guard_install(bool (*explain)(const char *address, const void *code))
{
	struct sigaction now;
	sigset_t mask;

	guard_lock(&mask);
	explain_fault = explain;
	if (sigaction(SIGSEGV, NULL, &now) == 0 && !is_ours(&now))
		lay();
	guard_unlock(&mask);
}

/* If somebody has put a handler over ours meanwhile, theirs stays; ours then only passes on. */
void qti_guard_uninstall(void)
{
	sigset_t mask;

	guard_lock(&mask);
	explain_fault = NULL;
	store_rlx(&qti_guard_away, false);
	(void)take_off();
	guard_unlock(&mask);
}
