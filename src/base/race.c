/* base/race.c -- see base/race.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/race.h"

#include "base/lock.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

bool qti_race_on;
QTI_SHARE_VARIABLE(qti_race_on);

static struct qti_race_checker checker;

enum {
	NO_SYNC = 1,            /* the order of what runs on a thread means nothing */
	OVER_BYTES = 2048,      /* below the frames that run; those 128 that a function may use
				 * below its own are what counts */
};

/* --- tokens ---------------------------------------------------------------------------------------------- */

/* Addresses are all that is used of these.  What shares one is ordered, though it need not be. */
enum { NEW_TOKENS = 1 << 17, OBJECT_TOKENS = 1 << 17 };
static char new_token[NEW_TOKENS * QTI_RACE_TOKEN], object_token[OBJECT_TOKENS * QTI_RACE_TOKEN];

char *qti_race_tokens(unsigned n)
{
	static uint32_t next;
	uint32_t first = add_rlx(&next, n) % NEW_TOKENS;

	return new_token + (first + n <= NEW_TOKENS ? first : 0) * (size_t)QTI_RACE_TOKEN;
}

/* A word that tasks wait for is written by the library after the release: its own order is none of the checker's
 * business. */
static __attribute__((noinline)) void word_ignore(uintptr_t address)
{
	checker.benign(__FILE__, __LINE__, (void *)address, sizeof(uint64_t), "a word that tasks wait for");
}

char *qti_race_token_of(const void *object, unsigned kind)
{
	uint64_t mixed =
		((uint64_t)(uintptr_t)object + kind * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);

	if (checker.own && kind <= QTI_RACE_EMPTIED)
		word_ignore((uintptr_t)object);
	return object_token + (mixed >> 40) % OBJECT_TOKENS * QTI_RACE_TOKEN;
}

void qti_race_release_token(char *token)
{
	checker.release(token);
}

/* What stood below the caller's frame is over: records of waiting that other threads have written to. */
__attribute__((noinline)) void qti_race_acquire_token(char *token)
{
	qti_race_own((char *)__builtin_dwarf_cfa() - OVER_BYTES, OVER_BYTES);
	checker.acquire(token);
}

void qti_race_own(void *from, size_t size)
{
	if (checker.own)
		checker.own(from, size);
}

void qti_race_ignore(bool begin)
{
	if (qti_races())
		(begin ? checker.ignore_begin : checker.ignore_end)(__FILE__, __LINE__);
}

/* --- fibers ---------------------------------------------------------------------------------------------- */

enum { FIBERS = 4096 }; /* of 8128 that the checker can have at a time, threads among them; with one more it gives up */
static uint32_t fibers;

/* One that never does anything: a fiber begins with all that its maker knows. */
static struct {
	struct qti_lock lock;
	void *fiber;
} blank;

static void *make_from_blank(void)
{
	void *here = checker.current_fiber();

	qti_lock_take(&blank.lock);
	checker.switch_to_fiber(blank.fiber, NO_SYNC);
	void *made = checker.create_fiber(0);
	checker.switch_to_fiber(here, NO_SYNC);
	qti_lock_drop(&blank.lock);
	return made;
}

/* Variables of an OS thread are those of all tasks that run there, one after the other: what the checker takes for
 * races. */
static int ignore_locals(struct dl_phdr_info *module, size_t unused, void *also_unused)
{
	(void)unused, (void)also_unused;
	for (unsigned i = 0; module->dlpi_tls_data && i < module->dlpi_phnum; i++)
		if (module->dlpi_phdr[i].p_type == PT_TLS)
			checker.benign(__FILE__, __LINE__, module->dlpi_tls_data, module->dlpi_phdr[i].p_memsz,
				"a thread's own");
	return 0;
}

void *qti_race_fiber(void)
{
	dl_iterate_phdr(ignore_locals, NULL);
	return checker.current_fiber();
}

void *qti_race_fiber_make(void)
{
	if (!blank.fiber)
		return checker.create_fiber(0);
	if (add_rlx(&fibers, 1) < FIBERS)
		return make_from_blank();
	sub_rlx(&fibers, 1);
	return NULL;
}

void qti_race_fiber_drop(void *fiber)
{
	checker.destroy_fiber(fiber);
	if (blank.fiber)
		sub_rlx(&fibers, 1);
}

__attribute__((noinline)) void qti_race_fiber_switch(void *fiber, char *written_to)
{
	char *over = (char *)__builtin_frame_address(0) - OVER_BYTES;

	checker.switch_to_fiber(fiber, NO_SYNC);
	if (written_to)
		qti_race_own(over, (size_t)(written_to - over));
}

void qti_race_registered(void)
{
	if (checker.registered)
		checker.registered();
}

void qti_race_pass(const void *from, const void *to, enum qti_race_kind kind)
{
	if (!qti_races())
		return;
	void *here = checker.current_fiber(), *fiber = qti_race_fiber_make();

	if (fiber)
		qti_race_fiber_switch(fiber, NULL);
	qti_race_acquire(from);
	qti_race_release_as(to, kind);
	if (!fiber)
		return;
	qti_race_fiber_switch(here, __builtin_dwarf_cfa());
	qti_race_fiber_drop(fiber);
}

/* --- is there one? --------------------------------------------------------------------------------------- */

/* ISO C has no conversion from what dlsym returns to a pointer to a function. */
static bool find(void *function, const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	memcpy(function, &found, sizeof(found));
	return found != NULL;
}

/* Its first name, which the loader looks for: that costs less than a call of dlsym(3) that fails, for which memory is
 * asked for. */
extern void *__tsan_create_fiber(unsigned flags) __attribute__((weak));

__attribute__((constructor)) static void look_for_tsan(void)
{
	if (qti_race_valgrind(&checker))
		qti_race_on = true;
	if (qti_race_on || QTI_TSAN || !__tsan_create_fiber)
		return;         /* it sees this library, too; or is not there */
	qti_race_on = find(&checker.create_fiber, "__tsan_create_fiber") &&
	              find(&checker.destroy_fiber, "__tsan_destroy_fiber") &&
	              find(&checker.switch_to_fiber, "__tsan_switch_to_fiber") &&
	              find(&checker.current_fiber, "__tsan_get_current_fiber") &&
	              find(&checker.acquire, "__tsan_acquire") && find(&checker.release, "__tsan_release") &&
	              find(&checker.ignore_begin, "AnnotateIgnoreWritesBegin") &&
	              find(&checker.ignore_end, "AnnotateIgnoreWritesEnd") &&
	              find(&checker.benign, "AnnotateBenignRaceSized");
	if (qti_race_on)
		blank.fiber = checker.create_fiber(0);
}
