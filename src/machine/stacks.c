/* machine/stacks.c -- see machine/stacks.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/stacks.h"

#include "base/container.h"
#include "base/diag.h"
#include "base/mem.h"
#include "machine/fiber.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#if QTI_VALGRIND
#include <valgrind/valgrind.h>
#endif

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

/* A process may have 65,530 mappings by default; leave most of them to the program. */
enum { MPROTECT_BUDGET = 8192 };
static unsigned mprotected;

#define CANARY UINT64_C(0x71746869656c6421)

enum {
	GUARD_BYTES = 64 << 10,
	STACK_BATCH = 8,
	SLAB_FIRST = 1 << 20,
	SLAB_MAX = 64 << 20,
	FEATHER = 64 << 10,             /* of an OS thread's stack, left for what is not ours */
};

const char *qti_guard_name(enum qti_guard guard)
{
	static const char *const names[] = {
		[QTI_GUARD_NONE] = "none", [QTI_GUARD_MADVISE] = "madvise", [QTI_GUARD_MPROTECT] = "mprotect",
	};
	return names[guard];
}

/* What touches memory for us without a signal: a call of the kernel,
 * which valgrind does not follow there before it is made. */
static bool is_accessible(void *page)
{
	return uname(page) == 0 || errno != EFAULT;
}

/* Which guards this kernel can install, tried on a page of its own.  What stands in for a kernel, as qemu does, may say
 * yes to any advice. */
static enum qti_guard guard_kind(size_t page)
{
	int error = errno;
	void *probe = qti_mem_map(page);
	if (!probe)
		return QTI_GUARD_MPROTECT;
	bool works = madvise(probe, page, MADV_GUARD_INSTALL) == 0 && !is_accessible(probe);
	qti_mem_unmap(probe, page);
	errno = error;
	return works ? QTI_GUARD_MADVISE : QTI_GUARD_MPROTECT;
}

/* False when the pages could not be made inaccessible: the caller plants a canary instead. */
static bool stack_guard(struct qti_stacks *s, char *pages)
{
	if (s->guard == QTI_GUARD_MADVISE && madvise(pages, s->guarded, MADV_GUARD_INSTALL) == 0)
		return true;
	if (add_rlx(&mprotected, 1) < MPROTECT_BUDGET && mprotect(pages, s->guarded, PROT_NONE) == 0)
		return true;
	sub_acq_rel(&mprotected, 1);
	return false;
}

static void plant_canary(struct qti_stack *stack)
{
	stack->canary = (uint64_t *)stack->limit;
	*stack->canary = CANARY;
}

/* At the latest moment at which the task that overran its stack is still known to have run on it. */
static void check_canary(const struct qti_stack *stack)
{
	if (stack->canary && *stack->canary != CANARY)
		qti_panic("a task overran its stack of %zu bytes; raise %s", stack->promised, stack->home->setting);
}

static struct qti_stack *stack_in(struct qti_stacks *s, void *memory)
{
	return (struct qti_stack *)((char *)memory + s->pool.link);
}

static void on_carve(struct qti_pool *pool, void *memory, void *unused)
{
	struct qti_stacks *s = qti_container_of(pool, struct qti_stacks, pool);
	struct qti_stack *stack = stack_in(s, memory);

	(void)unused;
	stack->limit = (char *)memory + s->guarded;
	stack->base = (char *)stack;
	stack->promised = s->promised;
	stack->home = s;
	if (s->guard != QTI_GUARD_NONE && !stack_guard(s, memory))
		plant_canary(stack);
#if QTI_VALGRIND
	stack->valgrind_id = VALGRIND_STACK_REGISTER(stack->limit, stack->base);
	if (qti_races())
		qti_race_registered();
#endif
}

static void stack_forget(void *memory, void *arg)
{
	struct qti_stack *stack = stack_in(arg, memory);

	qti_fiber_destroy(stack);
#if QTI_VALGRIND
	VALGRIND_STACK_DEREGISTER(stack->valgrind_id);
#endif
}

void qti_stacks_init(struct qti_stacks *s, size_t size, bool want_guard)
{
	s->page = qti_mem_page();
	s->promised = qti_mem_round(size * (qti_races() ? QTI_FIBER_FACTOR : QTI_FIBER_STACK_FACTOR), s->page);
	size_t reserve = s->promised < QTI_STACK_RESERVE_MAX ? s->promised : QTI_STACK_RESERVE_MAX;
	s->guarded = want_guard ? qti_mem_round(GUARD_BYTES, s->page) : 0;
	s->stride = s->guarded + s->promised + qti_mem_round(reserve, s->page);
	s->guard = want_guard ? guard_kind(s->page) : QTI_GUARD_NONE;
	qti_pool_init(&s->pool, &(struct qti_pool_config){
		.size = s->stride,
		.link = s->stride - sizeof(struct qti_stack),
		.batch = STACK_BATCH,
		.carve = 1,
		.first_slab = SLAB_FIRST,
		.max_slab = SLAB_MAX,
		.on_carve = on_carve,
	});
}

void qti_stacks_fini(struct qti_stacks *s)
{
	qti_pool_each(&s->pool, stack_forget, s);
	qti_pool_fini(&s->pool);
	if (s->guard == QTI_GUARD_MPROTECT)
		store_rlx(&mprotected, 0);
}

struct qti_stack *qti_stack_get(struct qti_stacks *s, struct qti_pool_cache *cache)
{
	void *memory = qti_pool_get(&s->pool, cache);
	if (!memory)
		return NULL;
	struct qti_stack *stack = stack_in(s, memory);
	if (qti_unlikely(!qti_fiber_ready(stack))) {
		qti_pool_put(&s->pool, cache, memory);
		return NULL;
	}
	return stack;
}

void qti_stack_put(struct qti_stacks *s, struct qti_pool_cache *cache, struct qti_stack *stack)
{
	void *memory = (char *)stack - stack->home->pool.link;

	check_canary(stack);
	if (qti_likely(stack->home == s))
		qti_pool_put(&s->pool, cache, memory);
	else
		qti_pool_put_shared(&stack->home->pool, memory);
}

/* The first thread's stack grows on demand up to a limit; other threads know their bounds.  (For the first one
 * pthread_getattr_np would read and parse /proc/self/maps.) */
void qti_stack_of_thread(struct qti_stack *s)
{
	char *here = __builtin_frame_address(0);
	pthread_attr_t attr;
	void *low;
	size_t size;

	memset(s, 0, sizeof(*s));
	s->limit = s->base = here;
	char *top = (char *)(uintptr_t)getauxval(AT_EXECFN);    /* lies beside the environment, above all frames */
	if (!QTI_ASAN && getpid() == gettid() && top > here) {
		struct rlimit limit;
		size = 8 << 20;
		if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < size)
			size = limit.rlim_cur;
		s->limit = size > 2 * FEATHER ? top - size + 2 * FEATHER : here;
		s->base = top;
	} else if (pthread_getattr_np(pthread_self(), &attr) == 0) {
		if (pthread_attr_getstack(&attr, &low, &size) == 0) {
			s->limit = low;
			s->base = s->limit + size;
		}
		pthread_attr_destroy(&attr);
	}
	if (s->base == here)
		s->base = here + FEATHER;
	s->promised = (size_t)(s->base - s->limit) / 4;
}
