/* test/unit/stack.c -- machine/stack.h: bounds, guards of each kind, reuse, and the way home.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "stress/stress.h"
#include "fault.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { BYTES = 10000, MANY = 40, BEYOND_BUDGET = 8192 + 10 };

static struct qti_stacks stacks;
static struct qti_pool_cache cache;

static void begin(bool want_guard)
{
	memset(&stacks, 0, sizeof(stacks));
	memset(&cache, 0, sizeof(cache));
	qti_stacks_init(&stacks, BYTES, want_guard);
}

static struct qti_stack *get(void)
{
	return qti_stack_get(&stacks, &cache);
}

static void put(struct qti_stack *s)
{
	qti_stack_put(&stacks, &cache, s);
}

/* --- children that do something deadly ------------------------------------------------------------------- */

static void touch(void *address)
{
	*(volatile char *)address = 1;
}

/* The signal that ends a process which calls deed(arg); 0 if it survives. */
static int deadly(void (*deed)(void *arg), void *arg)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		const struct rlimit no_core = { 0, 0 };
		setrlimit(RLIMIT_CORE, &no_core);
		signal(SIGSEGV, SIG_DFL);
		signal(SIGABRT, SIG_DFL);
		if (freopen("/dev/null", "w", stderr))
			deed(arg);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		bail_out("fork failed");
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* --- bounds ---------------------------------------------------------------------------------------------- */

static bool inside(const struct qti_stack *s)
{
	return s->base - s->limit >= BYTES && s->promised == stacks.promised && s->home == &stacks;
}

static void bounds(void)
{
	struct qti_stack *s[MANY];
	bool all_inside = true, apart = true;

	begin(true);
	ok(stacks.promised >= BYTES && stacks.promised % qti_mem_page() == 0, "the size is rounded up to pages");
	for (int i = 0; i < MANY; i++) {
		s[i] = get();
		all_inside = all_inside && inside(s[i]);
		memset(s[i]->limit, i, (size_t)(s[i]->base - s[i]->limit));
	}
	ok(all_inside, "a stack has as many bytes as were asked for");
	for (int i = 0; i < MANY; i++)
		apart = apart && *s[i]->limit == i && s[i]->base[-1] == i && inside(s[i]);
	ok(apart, "all of which may be written without harm to others");
	is_int(qti_stack_left(s[0]), 0, "nothing is left of a stack on which one does not stand");
	for (int i = 0; i < MANY; i++)
		put(s[i]);
	qti_stacks_fini(&stacks);
}

static void reuse(void)
{
	struct qti_stack *first[MANY], *again;
	unsigned known = 0;

	begin(true);
	again = get();
	put(again);
	ok(get() == again, "the stack given back last is the first to be used again");
	put(again);
	for (int i = 0; i < MANY; i++)
		first[i] = get();
	for (int i = 0; i < MANY; i++)
		put(first[i]);
	for (int i = 0; i < MANY; i++) {
		again = get();
		for (int j = 0; j < MANY; j++)
			known += again == first[j];
	}
	is_int(known, MANY, "given back and taken again: the same %d stacks", MANY);
	qti_stacks_fini(&stacks);
}

static void way_home(void)
{
	struct qti_stacks other;
	struct qti_pool_cache others = { 0 };
	struct qti_stack *mine[MANY];
	unsigned strangers = 0, back = 0;

	begin(true);
	qti_stacks_init(&other, BYTES, true);
	for (int i = 0; i < MANY; i++)
		mine[i] = get();
	for (int i = 0; i < MANY; i++)
		qti_stack_put(&other, &others, mine[i]);
	for (int i = 0; i < MANY; i++)
		strangers += qti_stack_get(&other, &others)->home != &other;
	is_int(strangers, 0, "a stack given back in another shepherd does not stay there");
	for (int i = 0; i < 2 * MANY; i++) {
		struct qti_stack *s = get();
		for (int j = 0; j < MANY; j++)
			back += s == mine[j];
	}
	is_int(back, MANY, "but comes again where it was made");
	qti_stacks_fini(&other);
	qti_stacks_fini(&stacks);
}

/* --- guards ---------------------------------------------------------------------------------------------- */

static void guarded(enum qti_guard kind)
{
	const char *name = qti_guard_name(kind);

	begin(true);
	if (kind == QTI_GUARD_MADVISE && stacks.guard != kind) {
		skip(5, "the kernel cannot install guards by madvise");
		qti_stacks_fini(&stacks);
		return;
	}
	stacks.guard = kind;
	struct qti_stack *s = get();
	ok(!s->canary, "%s: a guard that works needs no canary", name);
	is_int(deadly(touch, s->limit), 0, "%s: the lowest byte of a stack may be written", name);
	is_int(deadly(touch, s->limit - 1), SIGSEGV, "%s: the byte below is a fault", name);
	is_int(deadly(touch, s->limit - stacks.page), SIGSEGV, "%s: as far as a page", name);
	put(s);
	is_int(deadly(touch, get()->limit - 1), SIGSEGV, "%s: also when the stack is used again", name);
	qti_stacks_fini(&stacks);
}

static void unguarded(void)
{
	begin(false);
	is_int(stacks.guard, QTI_GUARD_NONE, "no guards when none are wanted");
	(void)get();
	struct qti_stack *s = get();    /* above the first */
	ok(!s->canary, "and no canaries");
	is_int(deadly(touch, s->limit - 1), 0, "the byte below may be written");
	qti_stacks_fini(&stacks);
}

static void put_on_behalf(void *s)
{
	put(s);
}

/* The budget for mappings is for the whole process and starts anew when all stacks are gone. */
static void canaries(void)
{
	struct qti_stack *s = NULL;
	int guards = 0;

	if (stress_under_valgrind() || QTI_TSAN) {
		skip(6, "the tool takes no thousands of stacks");
		return;
	}
	begin(true);
	stacks.guard = QTI_GUARD_MPROTECT;
	for (int i = 0; i < BEYOND_BUDGET; i++) {
		s = get();
		if (!s)
			bail_out("no memory for stack %d", i);
		guards += !s->canary;
	}
	ok(guards > 1000 && guards < BEYOND_BUDGET, "%d stacks of %d get a page of their own", guards, BEYOND_BUDGET);
	ok(s->canary && s->canary == (uint64_t *)(void *)s->limit, "the others a canary in the lowest word");
	is_int(deadly(put_on_behalf, s), 0, "as long as it lives all is well");
	s->limit[7] ^= 1;
	is_int(deadly(put_on_behalf, s), SIGABRT, "a task that killed it ends the process");
	s->limit[7] ^= 1;
	put(s);
	qti_stacks_fini(&stacks);

	begin(true);
	stacks.guard = QTI_GUARD_MPROTECT;
	ok(!get()->canary, "the budget comes back with the stacks");
	qti_stacks_fini(&stacks);
	begin(true);
	ok(stacks.guard == QTI_GUARD_MPROTECT || !get()->canary, "and other guards have none");
	qti_stacks_fini(&stacks);
}

/* --- the stacks of the operating system ------------------------------------------------------------------ */

struct seen {
	struct qti_stack stack;
	size_t left, left_below;
	bool here;
};

static __attribute__((noinline)) size_t left(const struct qti_stack *s)
{
	return qti_stack_left(s);
}

static __attribute__((noinline)) size_t left_below(const struct qti_stack *s)
{
	char room[4096];

	__asm__ volatile("" : : "r"(room) : "memory");
	size_t n = left(s);
	__asm__ volatile("" : : "r"(room) : "memory");
	return n;
}

static void *look(void *arg)
{
	struct seen *seen = arg;
	char *here = __builtin_frame_address(0);

	qti_stack_of_thread(&seen->stack);
	seen->here = here > seen->stack.limit && here < seen->stack.base;
	seen->left = left(&seen->stack);
	seen->left_below = left_below(&seen->stack);
	return seen;
}

static void *look_and_touch(void *arg)
{
	struct seen *seen = look(arg);

	touch(seen->stack.limit + qti_mem_page());
	return NULL;
}

static bool first_stack_is_small(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < 1 << 20;
}

static void threads_stack(size_t size)
{
	struct seen seen;
	pthread_attr_t attr;
	pthread_t thread;

	look(&seen);
	ok(seen.here && !seen.stack.home, "the first thread's stack is found");
	ok((seen.left > 4096 && seen.left_below + 4096 <= seen.left) || (seen.left_below == 0 && first_stack_is_small()),
		"and what is left of it shrinks as it grows, to nothing where it is small");
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, size);
	if (pthread_create(&thread, &attr, look_and_touch, &seen) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	ok(seen.here && !seen.stack.home, "so is another thread's");
	ok(seen.left <= (size_t)(seen.stack.base - seen.stack.limit) && seen.left_below + 4096 <= seen.left,
		"with its bounds");
	ok(seen.left > size / 2, "most of which is left at first");
}

/* --- out of memory --------------------------------------------------------------------------------------- */

static void out_of_memory(void)
{
	begin(true);
	fault_after(0);
	ok(!get(), "no memory for a slab of stacks: NULL");
	fault_end();
	ok(get(), "until there is");
	qti_stacks_fini(&stacks);
}

int main(void)
{
	qti_mem_fault = fault;
	plan(4 + 2 + 2 + 5 + 5 + 3 + 6 + 5 + 2);
	stress_watch("stack");
	bounds();
	reuse();
	way_home();
	guarded(QTI_GUARD_MADVISE);
	guarded(QTI_GUARD_MPROTECT);
	unguarded();
	canaries();
	threads_stack(4 << 20);
	out_of_memory();
	return done();
}
