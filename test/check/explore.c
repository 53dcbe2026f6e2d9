/* test/check/explore.c -- see test/check/explore.h: fibers, and the choices that determine an execution.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/explore.h"

#include "check/memory.h"
#include "check/run.h"
#include "check/sites.h"
#include "base/tuning.h"
#include "machine/context.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 64 << 10, CHOICES = 4096, STEPS = 4000, OUTSIDE = CHECK_THREADS,
       LOCALS = 4, LOCAL_BYTES = 64, PAUSES = 2 * TUNE_LOCK_PAUSES };

/* --- choices ---------------------------------------------------------------------------------------------- */

static struct choice {
	uint16_t taken, of;
} choice[CHOICES];
static unsigned nchoices;               /* of this execution, so far */
static unsigned nprefix;                /* those that are given; after them the first, or any */
static uint64_t random_state;           /* 0: not at random */

static unsigned random_below(unsigned n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)((random_state >> 32) % n);
}

static unsigned choose(unsigned n)
{
	if (n < 2)
		return 0;
	if (nchoices == CHOICES)
		check_broken("an execution has too many choices (CHOICES)");
	struct choice *c = &choice[nchoices];
	if (nchoices >= nprefix)
		c->taken = (uint16_t)(random_state ? random_below(n) : 0);
	else if (c->taken >= n)
		check_broken("these are not the choices of an execution of this unit");
	c->of = (uint16_t)n;
	nchoices++;
	return c->taken;
}

/* One of n, where the first is what happens mostly. */
static unsigned choose_rarely(unsigned n)
{
	if (random_state && nchoices >= nprefix && n > 1 && random_below(3) != 0) {
		if (nchoices == CHOICES)
			check_broken("an execution has too many choices (CHOICES)");
		choice[nchoices++] = (struct choice){ 0, (uint16_t)n };
		return 0;
	}
	return choose(n);
}

/* The next execution in order.  False: all have been made. */
bool explore_next(void)
{
	while (nchoices > 0 && choice[nchoices - 1].taken + 1 == choice[nchoices - 1].of)
		nchoices--;
	nprefix = nchoices;
	if (nchoices > 0)
		choice[nchoices - 1].taken++;
	return nchoices > 0;
}

void explore_first(void)
{
	nprefix = 0;
	random_state = 0;
}

void explore_random(uint64_t seed)
{
	nprefix = 0;
	random_state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

bool explore_given(const char *choices)
{
	random_state = 0;
	for (nprefix = 0; *choices && nprefix < CHOICES; nprefix++) {
		char *end;
		choice[nprefix].taken = (uint16_t)strtoul(choices, &end, 10);
		if (end == choices || (*end && *end != '.'))
			return false;
		choices = *end ? end + 1 : end;
	}
	return true;
}

/* Without the 0 at the end, which come by themselves. */
void explore_print(FILE *to)
{
	unsigned n = nchoices;

	while (n > 1 && choice[n - 1].taken == 0)
		n--;
	for (unsigned i = 0; i < n; i++)
		fprintf(to, "%s%u", i ? "." : "", choice[i].taken);
}

/* --- fibers ----------------------------------------------------------------------------------------------- */

enum state { READY, PAUSED, SLEEPS, ENDED };

static struct fiber {
	void *context;
	enum state state;
	uint64_t stores;                /* paused: those that there were */
	unsigned tried;                 /* paused: how often it has looked at nothing but what is latest since */
	bool looks;                     /* does so now */
	bool latest;                    /* its next load is not stale */
	const uint32_t *word;           /* sleeps there */
} fiber[CHECK_FIBERS];

static char stack[CHECK_FIBERS][STACK_BYTES] __attribute__((aligned(64)));
static const struct check_unit *unit;
static unsigned running, next;
static void *explorer;                  /* its context, while a fiber runs */
static const char *failed;
static unsigned steps, switches_left, stale_left;
static bool telling;
static bool active;
static bool beside;                     /* threads run, not begin or end */

static void leave(void)
{
	struct qti_arrival a = qti_ctx_jump(explorer, NULL);

	explorer = a.from;
}

static void run_part(unsigned i)
{
	if (i != OUTSIDE)
		unit->run(i);
	else if (beside)
		unit->end();
	else
		unit->begin();
}

static void fiber_entry(struct qti_arrival a)
{
	explorer = a.from;
	run_part(running);
	memory_settle();
	fiber[running].state = ENDED;
	leave();
	abort();
}

static void fiber_start(unsigned i)
{
	fiber[i] = (struct fiber){ .state = READY };
	fiber[i].context = qti_ctx_make(stack[i] + STACK_BYTES, STACK_BYTES, fiber_entry);
}

/* Thread-local variables of the sources, which all fibers share: each gets its own back before it goes on.  All begin
 * with what it was first, in each execution. */
static struct local {
	char *at;
	size_t bytes;
	char first[LOCAL_BYTES];
	char of[CHECK_FIBERS][LOCAL_BYTES];
} local[LOCALS];
static unsigned nlocals;

void check_local(void *variable, size_t bytes)
{
	if (nlocals == LOCALS || bytes > LOCAL_BYTES)
		check_broken("too much is thread-local (LOCALS)");
	local[nlocals] = (struct local){ .at = variable, .bytes = bytes };
	memcpy(local[nlocals++].first, variable, bytes);
}

static void locals_begin(void)
{
	for (unsigned l = 0; l < nlocals; l++)
		for (unsigned i = 0; i < CHECK_FIBERS; i++)
			memcpy(local[l].of[i], local[l].first, local[l].bytes);
}

bool check_is_local(uintptr_t at)
{
	for (unsigned i = 0; i < nlocals; i++)
		if (at - (uintptr_t)local[i].at < local[i].bytes)
			return true;
	return false;
}

/* Until it gives way. */
static void fiber_run(unsigned i)
{
	running = i;
	next = CHECK_FIBERS;
	for (unsigned l = 0; l < nlocals; l++)
		memcpy(local[l].at, local[l].of[i], local[l].bytes);
	fiber[i].context = qti_ctx_jump(fiber[i].context, NULL).from;
	for (unsigned l = 0; l < nlocals; l++)
		memcpy(local[l].of[i], local[l].at, local[l].bytes);
}

void check_fail(const char *what)
{
	failed = what;
	leave();
	abort();
}

/* A wild pointer ends the execution, not the program. */
static void on_crash(int signal)
{
	(void)signal;
	if (!active)
		abort();
	check_fail("memory that is not there is accessed");
}

void explore_catch(void)
{
	static char signals[64 << 10];
	const stack_t other = { .ss_sp = signals, .ss_size = sizeof(signals) };
	const struct sigaction crash = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER };

	sigaltstack(&other, NULL);
	sigaction(SIGSEGV, &crash, NULL);
	sigaction(SIGBUS, &crash, NULL);
}

void check_broken(const char *what)
{
	fprintf(stderr, "test/check: %s: %s\n", unit ? unit->name : "?", what);
	exit(2);
}

void check_that(bool holds, const char *what)
{
	if (!holds)
		check_fail(what);
}

bool check_active(void)
{
	return active;
}

unsigned check_thread(void)
{
	return running;
}

bool check_is_own(uintptr_t at)
{
	return at - (uintptr_t)stack[running] < STACK_BYTES;
}

bool check_wants_latest(void)
{
	bool latest = fiber[running].latest;

	fiber[running].latest = false;
	return latest || fiber[running].looks;
}

/* --- who goes on ------------------------------------------------------------------------------------------ */

static bool can_go_on(unsigned i)
{
	const struct fiber *f = &fiber[i];

	return f->state == READY || (f->state == PAUSED && f->stores != memory_stores());
}

/* Of the threads that can, but not `but`: how many, and the one of this number. */
static unsigned others_ready(unsigned but)
{
	unsigned n = 0;

	for (unsigned i = 0; i < unit->threads; i++)
		n += i != but && can_go_on(i);
	return n;
}

static unsigned other_ready(unsigned but, unsigned number)
{
	for (unsigned i = 0; i < unit->threads; i++)
		if (i != but && can_go_on(i) && number-- == 0)
			return i;
	abort();
}

unsigned check_point(void)
{
	memory_settle();
	if (!beside || running == OUTSIDE)
		return running;
	if (++steps > STEPS)
		check_fail("the threads do not come to an end");
	unsigned number = switches_left ? choose_rarely(1 + others_ready(running)) : 0;
	if (number) {
		switches_left--;
		next = other_ready(running, number - 1);
		leave();
	}
	return running;
}

unsigned check_choose_stale(unsigned n)
{
	unsigned number = stale_left && n ? choose_rarely(n + 1) : 0;

	stale_left -= number != 0;
	return number;
}

void check_pause(void)
{
	struct fiber *f = &fiber[running];

	memory_settle();
	if (f->stores != memory_stores())
		f->tried = 0;
	f->stores = memory_stores();
	f->looks = false;
	f->state = PAUSED;
	leave();
	f->state = READY;
	f->latest = true;
}

void check_futex_wait(const uint32_t *word, uint32_t expected)
{
	struct fiber *f = &fiber[running];

	(void)check_point();
	if (memory_now((uintptr_t)word, sizeof(*word)) != expected)
		return;
	f->word = word;
	f->state = SLEEPS;
	leave();
}

void check_futex_wake(const uint32_t *word, int threads)
{
	(void)check_point();
	for (unsigned i = 0; i < unit->threads && threads > 0; i++)
		if (fiber[i].state == SLEEPS && fiber[i].word == word) {
			fiber[i].state = READY;
			threads--;
		}
}

/* Nobody has stored anything, but who paused may have missed what was there, and may pause several times between two
 * looks.  CHECK_FIBERS: all have looked. */
static unsigned last_look(void)
{
	for (unsigned i = 0; i < unit->threads; i++)
		if (fiber[i].state == PAUSED && fiber[i].tried < PAUSES) {
			fiber[i].tried++;
			fiber[i].looks = true;
			return i;
		}
	return CHECK_FIBERS;
}

static bool all_ended(void)
{
	for (unsigned i = 0; i < unit->threads; i++)
		if (fiber[i].state != ENDED)
			return false;
	return true;
}

static void run_threads(void)
{
	for (unsigned i = 0; i < unit->threads; i++) {
		memory_join(i, OUTSIDE);
		fiber_start(i);
	}
	next = CHECK_FIBERS;
	while (!failed && !all_ended()) {
		unsigned n = others_ready(CHECK_FIBERS);
		unsigned i = next != CHECK_FIBERS ? next : n ? other_ready(CHECK_FIBERS, choose(n)) : last_look();
		if (i == CHECK_FIBERS)
			failed = "no thread can go on";
		else
			fiber_run(i);
	}
	for (unsigned i = 0; i < unit->threads; i++)
		memory_join(OUTSIDE, i);
}

/* --- executions ------------------------------------------------------------------------------------------- */

const char *explore_run(const struct check_unit *u, unsigned more, bool tell)
{
	unit = u;
	failed = NULL;
	steps = nchoices = 0;
	switches_left = u->switches + more;
	stale_left = u->stale + more;
	telling = tell;
	beside = false;
	locals_begin();
	memory_begin();
	active = true;
	fiber_start(OUTSIDE);
	fiber_run(OUTSIDE);
	if (!failed) {
		beside = true;
		run_threads();
	}
	if (!failed) {
		fiber_start(OUTSIDE);
		fiber_run(OUTSIDE);
	}
	memory_settle();
	memory_undo();
	active = false;
	return failed;
}

void check_tell(const char *what, const void *site, uintptr_t at, uint64_t value)
{
	char where[160];

	if (!telling)
		return;
	if (running == OUTSIDE)
		printf("# outside ");
	else
		printf("# thread %u ", running);
	printf("%-12s %#14llx at %#llx  %s\n", what, (unsigned long long)value, (unsigned long long)at,
	       site_name(site, where, sizeof(where)));
}
