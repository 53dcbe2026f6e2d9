/* test/api/handlers.c -- a program's handler of SIGSEGV is called as without the library.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Flags, mask, stack and data of the signal, whatever the program does there; and the library's handler is back after a
 * fault that the program has survived.  Each case is a process of its own.  QTI_ROUNDS is the number of faults of each
 * thread that faults beside others (default 300).
 */
#define _GNU_SOURCE
#include "child.h"
#include "every.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

enum { CHECKS = 19, LIMIT = 60, THREADS = 4, ROUNDS = 300, SURVIVED = 40 };

static struct child child;

/* ---- Faults ------------------------------------------------------------------------------------------------- */

/* One for each thread, on a page of its own. */
static size_t page_size;
static char *pages;

static char *page_of(int i)
{
	return pages + (size_t)i * page_size;
}

static void page_close(int i)
{
	if (mprotect(page_of(i), page_size, PROT_NONE) != 0)
		abort();
}

static void page_open(const void *address)
{
	const size_t i = (size_t)((const char *)address - pages) / page_size;

	if ((const char *)address < pages || i >= THREADS || mprotect(page_of((int)i), page_size, PROT_READ | PROT_WRITE) != 0)
		_exit(7);
}

static void touch(int i)
{
	*(volatile char *)page_of(i) = 1;
}

static void pages_make(void)
{
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, THREADS * page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		bail_out("no memory");
}

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(8);
}

static void handle(void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags };

	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, NULL);
}

static void start(void)
{
	alarm(LIMIT);
	setenv("QT_INLINE_JOIN", "no", 1);      /* who waits leaves its stack */
	every_start("mts", "2", "1");
}

/* Elsewhere, and the main task's thread has looked round meanwhile. */
static void run_task(qthread_f f, void *arg, qthread_shepherd_id_t shepherd)
{
	aligned_t ret = 0;

	qthread_fork_to(f, arg, &ret, shepherd);
	qthread_readFF(NULL, &ret);
}

static aligned_t nothing(void *unused)
{
	(void)unused;
	return 0;
}

static aligned_t touches(void *unused)
{
	(void)unused;
	touch(0);
	return 0;
}

static bool was_killed(void)
{
	return WIFSIGNALED(child.status) && WTERMSIG(child.status) == SIGSEGV;
}

static int times_said(const char *word)
{
	int n = 0;

	for (const char *at = child.said; (at = strstr(at, word)) != NULL; at++)
		n++;
	return n;
}

static void check(bool right, const char *promise)
{
	if (!ok(right, "%s", promise))
		child_tell(&child);
}

static void well(void (*body)(void *), void *arg, const char *promise)
{
	child_run(&child, body, arg);
	check(child_ended_well(&child), promise);
}

/* ---- Flags -------------------------------------------------------------------------------------------------- */

static void tells(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)info, (void)context;
	say("crash\n");
}

static void tells_and_raises(int sig, siginfo_t *info, void *context)
{
	tells(sig, info, context);
	raise(sig);
	_exit(1);
}

static void once(void *raises)
{
	handle(raises ? tells_and_raises : tells, (int)SA_RESETHAND | (raises ? SA_NODEFER : 0));
	start();
	run_task(touches, NULL, 1);
}

static jmp_buf before;

static void jumps(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)info, (void)context;
	longjmp(before, 1);     /* the mask stays as it is in the handler */
}

static aligned_t touches_often(void *unused)
{
	(void)unused;
	for (volatile int i = 0; i < 3; i++) {
		page_close(0);
		if (setjmp(before) == 0) {
			touch(0);
			_exit(2);
		}
	}
	return 0;
}

static void jumps_out(void *unused)
{
	(void)unused;
	handle(jumps, SA_NODEFER);
	start();
	run_task(touches_often, NULL, 1);
	run_task(touches_often, NULL, 0);
	touches_often(NULL);
	qthread_finalize();
}

static volatile sig_atomic_t in_handler, nested, other_signals;

static void other_signal(int sig)
{
	(void)sig;
	nested |= in_handler;
	other_signals++;
}

static void raises_other(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	in_handler = 1;
	raise(SIGUSR1);
	page_open(info->si_addr);
	in_handler = 0;
}

static void masks(void *unused)
{
	struct sigaction action = { .sa_sigaction = raises_other, .sa_flags = SA_SIGINFO };
	struct sigaction other = { .sa_handler = other_signal };

	(void)unused;
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR1);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGUSR1, &other, NULL);
	start();
	run_task(touches, NULL, 1);
	page_close(0);
	touch(0);
	qthread_finalize();
	exit(nested || other_signals != 2);
}

static void resets(int sig, siginfo_t *info, void *context)
{
	tells(sig, info, context);
	page_open(info->si_addr);
}

/* The second fault is nobody's. */
static void stays_reset(void *unused)
{
	(void)unused;
	handle(resets, (int)SA_RESETHAND);
	start();
	touch(0);
	for (int i = 0; i < SURVIVED; i++)
		run_task(nothing, NULL, (qthread_shepherd_id_t)(i % 2));
	say("survived\n");
	page_close(0);
	touch(0);
}

static void flags(void)
{
	child_run(&child, once, NULL);
	check(was_killed() && times_said("crash") == 1, "SA_RESETHAND: one that returns is called once, then the process dies");
	child_run(&child, once, "raises");
	check(was_killed() && times_said("crash") == 1, "the same of one that raises the signal again, with SA_NODEFER");
	well(jumps_out, NULL, "SA_NODEFER: one that leaves by longjmp, mask and all, is called each time");
	well(masks, NULL, "sa_mask: a signal in there waits until the handler has returned");
	child_run(&child, stays_reset, NULL);
	check(was_killed() && times_said("crash") == 1 && times_said("survived") == 1,
		"SA_RESETHAND: after a fault that was survived the next one is fatal");
}

/* ---- Stacks ------------------------------------------------------------------------------------------------- */

static volatile uintptr_t faulted_at, handled_at;

static uintptr_t here(void)
{
	return (uintptr_t)__builtin_frame_address(0);
}

static void notes_stack(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	handled_at = here();
	page_open(info->si_addr);
}

static bool are_near(uintptr_t a, uintptr_t b)
{
	return (a < b ? b - a : a - b) < 24 << 10;
}

static aligned_t touches_and_compares(void *near)
{
	page_close(0);
	faulted_at = here();
	touch(0);
	return are_near(faulted_at, handled_at) == (near != NULL);
}

static void stack_is(void *alternate)
{
	aligned_t ret = 0;

	handle(notes_stack, alternate ? SA_ONSTACK : 0);
	start();
	qthread_fork_to(touches_and_compares, alternate ? NULL : &ret, &ret, 1);
	qthread_readFF(NULL, &ret);
	qthread_finalize();
	exit(ret != 1);
}

static char own_stack[128 << 10];

static void own_stack_is(void *unused)
{
	(void)unused;
	sigaltstack(&(stack_t){ .ss_sp = own_stack, .ss_size = sizeof(own_stack) }, NULL);
	handle(notes_stack, SA_ONSTACK);
	start();
	touch(0);
	qthread_finalize();
	exit(handled_at < (uintptr_t)own_stack || handled_at >= (uintptr_t)(own_stack + sizeof(own_stack)));
}

/* As much as printing a backtrace takes, and then some. */
static void needs_much(int sig, siginfo_t *info, void *context)
{
	volatile char much[48 << 10];

	(void)sig, (void)context;
	for (size_t i = 0; i < sizeof(much); i += 256)
		much[i] = 1;
	page_open(info->si_addr);
}

static void much_stack(void *unused)
{
	(void)unused;
	handle(needs_much, SA_ONSTACK);
	start();
	run_task(touches, NULL, 1);
	qthread_finalize();
}

/* Gives its thread another alternate stack, which is to stay. */
static aligned_t gives_stack(void *unused)
{
	stack_t seen;

	(void)unused;
	sigaltstack(&(stack_t){ .ss_sp = own_stack, .ss_size = sizeof(own_stack) }, NULL);
	return sigaltstack(NULL, &seen) == 0 && seen.ss_sp == own_stack;
}

static void new_stack_stays(void *unused)
{
	stack_t seen;

	(void)unused;
	start();
	gives_stack(NULL);
	qthread_finalize();
	exit(sigaltstack(NULL, &seen) != 0 || seen.ss_sp != own_stack);
}

static void stacks(void)
{
	well(stack_is, NULL, "without SA_ONSTACK it runs on the task's stack");
	well(stack_is, "alternate", "with it, on the worker's alternate one");
	well(own_stack_is, NULL, "or on the program's own");
	well(much_stack, NULL, "where there is room for 48 KiB");
	well(new_stack_stays, NULL, "an alternate stack that the program brings later is not taken away");
}

/* ---- Signals that are sent ---------------------------------------------------------------------------------- */

enum { VALUE = 4711 };

static volatile sig_atomic_t code, value;
static volatile pthread_t handled_by;

static void notes_sender(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	code = info->si_code;
	value = info->si_value.sival_int;
	handled_by = pthread_self();
}

static aligned_t sends(void *unused)
{
	(void)unused;
	handled_by = 0;
	if (pthread_sigqueue(pthread_self(), SIGSEGV, (union sigval){ .sival_int = VALUE }) != 0)
		_exit(3);
	if (code != SI_QUEUE || value != VALUE || !pthread_equal(handled_by, pthread_self()))
		_exit(4);
	code = 0;
	raise(SIGSEGV);
	if (code != SI_TKILL || !pthread_equal(handled_by, pthread_self()))
		_exit(5);
	return 0;
}

static void sent(void *unused)
{
	(void)unused;
	handle(notes_sender, 0);
	start();
	for (int i = 0; i < SURVIVED; i++) {
		run_task(sends, NULL, (qthread_shepherd_id_t)(i % 2));
		sends(NULL);
	}
	qthread_finalize();
}

static void sent_to_nobody(void *ignores)
{
	signal(SIGSEGV, ignores ? SIG_IGN : SIG_DFL);
	start();
	raise(SIGSEGV);
	say("survived\n");
	qthread_finalize();
}

static void notes_code(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	say("called\n");
	_exit(info->si_code > 0 && info->si_addr == NULL ? 0 : 9);
}

/* The processor says neither where nor why. */
static void no_address(void *unused)
{
	(void)unused;
	handle(notes_code, 0);
	start();
#if defined(__x86_64__)
	*(volatile char *)(UINT64_C(1) << 62) = 1;
#else
	*(volatile char *)NULL = 1;
#endif
}

static void signals(void)
{
	well(sent, NULL, "a signal that a thread sends to itself reaches it there, with its data");
	child_run(&child, sent_to_nobody, NULL);
	check(was_killed() && !times_said("survived"), "where the program has no handler it ends the process");
	child_run(&child, sent_to_nobody, "ignores");
	check(child_ended_well(&child) && times_said("survived"), "where it is ignored it is ignored");
	well(no_address, NULL, "a fault without an address is the handler's");
}

/* ---- Several threads ---------------------------------------------------------------------------------------- */

static int rounds;
static uint32_t repaired;

static void repairs(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	page_open(info->si_addr);
	__atomic_fetch_add(&repaired, 1, __ATOMIC_RELAXED);
}

static void *touches_on(void *which)
{
	for (int i = 0; i < rounds; i++) {
		page_close((int)(intptr_t)which);
		touch((int)(intptr_t)which);
	}
	return NULL;
}

static aligned_t touches_on_and_on(void *which)
{
	for (int i = 0; i < rounds; i++) {
		page_close((int)(intptr_t)which);
		touch((int)(intptr_t)which);
		qthread_yield();        /* where its worker looks round */
	}
	return 0;
}

static void at_a_time(void *unused)
{
	pthread_t thread[THREADS / 2];
	aligned_t ret[THREADS / 2];

	(void)unused;
	handle(repairs, 0);
	start();
	for (intptr_t i = 0; i < THREADS / 2; i++)
		if (pthread_create(&thread[i], NULL, touches_on, (void *)i) != 0)
			_exit(3);
	for (intptr_t i = 0; i < THREADS / 2; i++)
		qthread_fork_to(touches_on_and_on, (void *)(THREADS / 2 + i), &ret[i], (qthread_shepherd_id_t)i);
	for (int i = 0; i < THREADS / 2; i++) {
		qthread_readFF(NULL, &ret[i]);
		pthread_join(thread[i], NULL);
	}
	qthread_finalize();
	exit(repaired != (uint32_t)(THREADS * rounds));
}

/* ---- The library's own -------------------------------------------------------------------------------------- */

static __attribute__((noinline)) aligned_t recurse(uintptr_t depth)
{
	char frame[512] = { 0 };

	__asm__ volatile("" : : "r"(frame) : "memory");
	aligned_t below = depth ? recurse(depth - 1) : 0;
	__asm__ volatile("" : : "r"(frame) : "memory");
	return below + (aligned_t)frame[0];
}

static aligned_t overruns(void *unused)
{
	(void)unused;
	return recurse(UINTPTR_MAX);
}

static void survives_then_overruns(void *unused)
{
	(void)unused;
	handle(resets, SA_ONSTACK);
	start();
	for (int i = 0; i < 3; i++) {
		page_close(0);
		touch(0);
		run_task(nothing, NULL, 0);
	}
	handle(resets, SA_ONSTACK);     /* the program's own from here on */
	page_close(0);
	run_task(touches, NULL, 1);
	qthread_finalize();
	handle(tells, (int)SA_RESETHAND | SA_ONSTACK);
	start();
	page_close(0);
	run_task(overruns, NULL, 1);
}

static void survived_on_same_thread(void *unused)
{
	(void)unused;
	handle(resets, SA_ONSTACK);
	start();
	touch(0);
	run_task(nothing, NULL, 0);
	run_task(overruns, NULL, 1);
}

/* As reporters of crashes do: the one that was there before comes next. */
static struct sigaction older;

static void chains(int sig, siginfo_t *info, void *context)
{
	tells(sig, info, context);
	if (older.sa_flags & SA_SIGINFO)
		older.sa_sigaction(sig, info, context);
}

static void lie_over(void)
{
	struct sigaction action = { .sa_sigaction = chains, .sa_flags = SA_SIGINFO };

	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, &older);
}

static void chained(void *unused)
{
	(void)unused;
	handle(resets, 0);
	start();
	lie_over();
	run_task(touches, NULL, 1);
	qthread_finalize();
	page_close(0);
	touch(0);                       /* there is nothing above but what was left */
	start();                        /* must not lie over the one that calls it */
	page_close(0);
	run_task(touches, NULL, 0);
	qthread_finalize();
}

static void chained_to_nobody(void *unused)
{
	(void)unused;
	signal(SIGSEGV, SIG_DFL);
	start();
	lie_over();
	qthread_finalize();
	start();
	run_task(touches, NULL, 1);
}

static void own(void)
{
	child_run(&child, survived_on_same_thread, NULL);
	check(times_said("crash") >= 1 && times_said("overran its stack") == 1,
		"an overrun is explained after a fault that was survived");
	child_run(&child, survives_then_overruns, NULL);
	check(was_killed() && times_said("overran its stack") == 1 && times_said("crash") == 5,
		"and in the runtime's next life, with another handler");
	child_run(&child, chained, NULL);
	check(child_ended_well(&child) && times_said("crash") == 6, "a later handler that calls the older one finds the program's");
	child_run(&child, chained_to_nobody, NULL);
	check(was_killed() && times_said("crash") == 1, "or the end of the process, where there is none");
}

int main(void)
{
	rounds = every_scaled(getenv("QTI_ROUNDS") ? atoi(getenv("QTI_ROUNDS")) : ROUNDS);
	plan(CHECKS);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	skip(CHECKS, "a sanitizer has its own way with such faults");
	return done();
#endif
	if (getenv("QTI_TEST_TOOL") && *getenv("QTI_TEST_TOOL")) {
		skip(CHECKS, "a tool has its own way with such faults");
		return done();
	}
	pages_make();
	flags();
	stacks();
	signals();
	well(at_a_time, NULL, "threads that fault at the same time are all served, once for each fault");
	own();
	return done();
}
