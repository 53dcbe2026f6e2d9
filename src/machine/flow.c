/* machine/flow.c -- tasks as threads of helgrind and DRD.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both tools know OS threads and nothing else: what one of them runs is in order.  So here a fiber (base/race.h) is
 * an OS thread, and to switch to a fiber is to go on, on the stack that one is on, in that thread.  A fiber's thread
 * waits in its host, a loop on a stack of its own, until a flow of control is passed to it; goes on with that; and is
 * back in its host when the flow has been passed on.
 *
 * The thread pointer goes along: the flow still is its worker, whose variables nobody else uses meanwhile.  A
 * worker's own thread waits with that thread pointer, too, so a host calls the kernel itself, for the C library's
 * errno is not its.
 *
 *   FL1  The old thread stores where the flow goes on, and then turn -> the new one loads turn, and goes on there.
 *
 * A thread knows, for the tools, what its creator has done: so one thread creates all others, which has done nothing
 * else.
 *
 * Checked by test/races/valgrind.sh.
 */
#include "base/race.h"

#if QTI_VALGRIND && (defined(__x86_64__) || defined(__aarch64__))

#include "base/diag.h"
#include "base/lock.h"
#include "base/mem.h"
#include "machine/context.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <valgrind/drd.h>
#include <valgrind/helgrind.h>

enum {
	HOST_BYTES = 32 << 10,
	THREAD_BYTES = 256 << 10,       /* the program's thread-local variables are part of it */
};

struct fiber {
	uint32_t turn;                  /* the flow is this thread's */
	bool end;
	void *flow;                     /* where it goes on */
	void *thread_pointer;           /* the flow's */
	struct fiber *from;
	char *top;                      /* of the thread's own stack, or a little more; NULL: not known yet */
	void *host;                     /* the host's context while the flow runs; NULL: there is no host yet */
};

static _Thread_local struct fiber *running, own;

/* valgrind tells one stack from another by looking up the stack pointer when that changes by what is not known
 * beforehand, and remembers one stack for all threads: a jump to that one would be a frame as large as the distance.
 * stack_show has it see where the thread stands. */

/* --- the machine ----------------------------------------------------------------------------------------- */

#ifdef __x86_64__

static long kernel(long call, const void *one, long two, long three)
{
	long rc;
	register long four __asm__("r10") = 0;

	__asm__ volatile("syscall"
		: "=a"(rc) : "a"(call), "D"(one), "S"(two), "d"(three), "r"(four) : "rcx", "r11", "memory");
	return rc;
}

static void *thread_pointer(void)
{
	void *p;

	__asm__ volatile("mov %%fs:0, %0" : "=r"(p));
	return p;
}

enum { SET_FS = 0x1002 };

static void thread_pointer_set(void *p)
{
	kernel(SYS_arch_prctl, (void *)SET_FS, (long)p, 0);
}

static void stack_show(void)
{
	void *here;

	__asm__ volatile("mov %%rsp, %0\n\tmov %0, %%rsp" : "=m"(here) : : "memory");
}

#else

static long kernel(long call, const void *one, long two, long three)
{
	register long x8 __asm__("x8") = call;
	register long x0 __asm__("x0") = (long)one;
	register long x1 __asm__("x1") = two;
	register long x2 __asm__("x2") = three;
	register long x3 __asm__("x3") = 0;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
}

static void *thread_pointer(void)
{
	void *p;

	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(p));
	return p;
}

static void thread_pointer_set(void *p)
{
	__asm__ volatile("msr tpidr_el0, %0" : : "r"(p) : "memory");
}

static void stack_show(void)
{
	void *here, *again;

	__asm__ volatile("mov %1, sp\n\tstr %1, %0\n\tldr %1, %0\n\tmov sp, %1"
		: "=m"(here), "=&r"(again) : : "memory");
}

#endif

static void wait_for(const uint32_t *word)
{
	while (load_acq(word) == 0)                                                             /* FL1 */
		kernel(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0);
}

static void set(uint32_t *word)
{
	store_rel(word, 1);                                                                     /* FL1 */
	kernel(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1);
}

/* --- what the tools are told ----------------------------------------------------------------------------- */

static bool is_drd;

static void release(void *token)
{
	if (is_drd)
		VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DRD_ANNOTATE_HAPPENS_BEFORE, token, 0, 0, 0, 0);
	else
		ANNOTATE_HAPPENS_BEFORE(token);
}

static void own_memory(void *from, size_t size)
{
	if (is_drd)
		VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DRD_CLEAN_MEMORY, from, size, 0, 0, 0);
	else
		VALGRIND_HG_CLEAN_MEMORY(from, size);
}

static void acquire(void *token)
{
	if (is_drd)
		VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DRD_ANNOTATE_HAPPENS_AFTER, token, 0, 0, 0, 0);
	else
		ANNOTATE_HAPPENS_AFTER(token);
}

static void ignore(const char *file, int line)
{
	(void)file, (void)line;
}

static void benign(const char *file, int line, const volatile void *from, size_t size, const char *why)
{
	(void)file, (void)line, (void)why;
	if (is_drd)
		VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DRD_START_SUPPRESSION, from, size, 0, 0, 0);
	else
		VALGRIND_HG_DISABLE_CHECKING(from, size);
}

/* --- passing a flow -------------------------------------------------------------------------------------- */

/* f's thread goes on with the flow that is passed to it.  Returns the fiber to which that is passed on, its context
 * stored there; NULL: f is at its end. */
static struct fiber *take_flow(struct fiber *f)
{
	wait_for(&f->turn);
	store_rlx(&f->turn, 0);
	if (f->end)
		return NULL;
	thread_pointer_set(f->thread_pointer);
	stack_show();
	struct qti_arrival a = qti_ctx_jump(f->flow, NULL);
	struct fiber *next = a.data;
	next->flow = a.from;
	return next;
}

static void *thread_main(void *arg)
{
	struct fiber *f = arg, *next;
	void *mine = thread_pointer();

	f->top = mine;
	while ((next = take_flow(f)) != NULL) {
		thread_pointer_set(mine);
		set(&next->turn);
	}
	qti_mem_free(f);
	return NULL;
}

/* The host of a thread that has been another's: it leaves the thread pointer as it is. */
static void host_entry(struct qti_arrival a)
{
	struct fiber *next = a.data, *f = next->from;

	next->flow = a.from;
	while (next) {
		set(&next->turn);
		next = take_flow(f);
	}
}

static struct fiber *fiber_running(void)
{
	if (!running)
		running = &own;
	return running;
}

/* Above all frames of the calling thread's lie: glibc's description of the thread, or the first one's arguments. */
static char *own_top(void)
{
	return getpid() == gettid() ? (char *)(uintptr_t)getauxval(AT_EXECFN) : thread_pointer();
}

/* DRD takes a stack for the one of the thread that tells of it, and aborts at that thread's end: so that one tells it
 * again of its own. */
static void registered(void)
{
	struct fiber *f = fiber_running();

	if (!is_drd)
		return;
	if (!f->top)
		f->top = own_top();
	VALGRIND_STACK_DEREGISTER(VALGRIND_STACK_REGISTER(f->top - 1, f->top));
}

static void *host_make(struct fiber *f)
{
	char *stack = qti_mem_map(HOST_BYTES);

	if (!stack)
		qti_panic("no memory for a thread of a race checker's");
	(void)VALGRIND_STACK_REGISTER(stack, stack + HOST_BYTES);
	if (!f->top)
		f->top = own_top();
	if (f->top < stack + HOST_BYTES)
		f->top = stack + HOST_BYTES;    /* it may end there */
	registered();
	return qti_ctx_make(stack + HOST_BYTES, HOST_BYTES, host_entry);
}

/* Returns in f's thread. */
static void fiber_switch(void *f, unsigned flags)
{
	struct fiber *to = f, *here = fiber_running();

	(void)flags;
	if (to == here)
		return;
	if (!here->host)
		here->host = host_make(here);
	to->from = here;
	to->thread_pointer = thread_pointer();
	running = to;
	stack_show();
	struct qti_arrival a = qti_ctx_jump(here->host, to);
	to->host = a.from;
	stack_show();
}

/* --- making fibers --------------------------------------------------------------------------------------- */

static struct {
	struct qti_lock lock;
	uint32_t process;               /* that has the creator; another one after fork(2) */
	uint32_t asked, answered;
	struct fiber *fiber;            /* for which a thread is asked for; NULL: there is none */
} creator;

static bool thread_start(void *(*entry)(void *), void *arg)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, THREAD_BYTES);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	bool done = pthread_create(&thread, &attr, entry, arg) == 0;
	pthread_attr_destroy(&attr);
	return done;
}

static void *creator_main(void *unused)
{
	for (;;) {
		wait_for(&creator.asked);
		store_rlx(&creator.asked, 0);
		if (!thread_start(thread_main, creator.fiber))
			creator.fiber = NULL;
		set(&creator.answered);
	}
	return unused;
}

static bool creator_ask(struct fiber *f)
{
	if (creator.process != load_rlx(&qti_process)) {
		if (!thread_start(creator_main, NULL))
			return false;
		creator.process = load_rlx(&qti_process);
	}
	creator.fiber = f;
	set(&creator.asked);
	wait_for(&creator.answered);
	store_rlx(&creator.answered, 0);
	return creator.fiber != NULL;
}

static void *fiber_create(unsigned flags)
{
	struct fiber *f = qti_mem_zalloc(sizeof(*f));

	(void)flags;
	if (!f)
		return NULL;
	qti_lock_take(&creator.lock);
	bool made = creator_ask(f);
	qti_lock_drop(&creator.lock);
	if (made)
		return f;
	qti_mem_free(f);
	return NULL;
}

static void fiber_destroy(void *fiber)
{
	struct fiber *f = fiber;

	f->end = true;
	set(&f->turn);
}

static void *fiber_current(void)
{
	return fiber_running();
}

/* --- is there one? --------------------------------------------------------------------------------------- */

/* What a tool that does not know the request answers. */
enum { UNKNOWN = -2 };

bool qti_race_valgrind(struct qti_race_checker *c)
{
	if (!RUNNING_ON_VALGRIND)
		return false;
	int helgrind =
		(int)VALGRIND_DO_CLIENT_REQUEST_EXPR(UNKNOWN, _VG_USERREQ__HG_GET_ABITS, &creator, NULL, 1, 0, 0);

	is_drd = DRD_GET_DRD_THREADID != 0;
	if (helgrind == UNKNOWN && !is_drd)
		return false;
	*c = (struct qti_race_checker){
		.create_fiber = fiber_create, .destroy_fiber = fiber_destroy, .switch_to_fiber = fiber_switch,
		.current_fiber = fiber_current, .registered = registered,
		.acquire = acquire, .release = release,
		.ignore_begin = ignore, .ignore_end = ignore, .benign = benign, .own = own_memory,
	};
	return true;
}

#else

bool qti_race_valgrind(struct qti_race_checker *c)
{
	(void)c;
	return false;
}

#endif
