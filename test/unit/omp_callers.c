/* test/unit/omp_callers.c -- what is recorded of waits in OpenMP says where the program has called, however many words
 * it hands over.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls as clang makes them: their words lie on the stack, in a frame that has another size each time
 * (machine/caller.c).  With one worker a region of two has to wait for its other member.  Those with the most words
 * come first, and tasks' stacks have guard pages: where the others are looked for on the same way, nobody may look
 * beyond the stack.
 */
#include "tap.h"

#include "core/trace.h"

#include <qthread/qthread.h>
#include <qthread/trace.h>

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As <omp.h>, which belongs to the compiler, declares them. */
extern int omp_get_team_num(void);
extern int omp_get_thread_num(void);

typedef void (*micro)(int32_t *thread, int32_t *bound, ...);

void __kmpc_fork_call(const void *loc, int32_t argc, micro fn, ...);
void __kmpc_fork_teams(const void *loc, int32_t argc, micro fn, ...);
void __kmpc_push_num_teams(const void *loc, int32_t thread, int32_t teams, int32_t limit);
void __kmpc_push_num_threads(const void *loc, int32_t thread, int32_t threads);

/* --- who waits ------------------------------------------------------------------------------------------- */

enum { ROUNDS = 20 };

static void *word;

/* The others come late. */
static void late(int32_t *thread, int32_t *bound, ...)
{
	(void)thread, (void)bound;
	for (int i = 0; i < 100 && omp_get_thread_num() + omp_get_team_num() > 0; i++)
		sched_yield();
}

#define CALLER(name, ...) \
	extern const char __start_in_##name[], __stop_in_##name[]; \
	static __attribute__((noinline, section("in_" #name))) void name(void) \
	{ \
		for (int i = 0; i < ROUNDS; i++) { \
			__kmpc_push_num_threads(NULL, 0, 2); \
			__kmpc_fork_call(NULL, __VA_ARGS__); \
			__kmpc_push_num_teams(NULL, 0, 2, 1); \
			__kmpc_fork_teams(NULL, __VA_ARGS__); \
		} \
	}

#define TEN word, word, word, word, word, word, word, word, word, word
#define FIFTY TEN, TEN, TEN, TEN, TEN

CALLER(none, 0, late)
CALLER(one, 1, late, word)
CALLER(ten, 10, late, TEN)
CALLER(many, 150, late, FIFTY, FIFTY, FIFTY)

#define KNOWN(name) { #name, name, __start_in_##name, __stop_in_##name }

static const struct caller {
	const char *name;
	void (*call)(void);
	const char *begin, *end;
} callers[] = { KNOWN(many), KNOWN(ten), KNOWN(one), KNOWN(none) };

enum { CALLERS = sizeof(callers) / sizeof(callers[0]) };

/* --- what is recorded ------------------------------------------------------------------------------------ */

static unsigned seen[CALLERS], elsewhere;

static void wait_note(uint64_t from)
{
	for (unsigned i = 0; i < CALLERS; i++) {
		if (from > (uintptr_t)callers[i].begin && from <= (uintptr_t)callers[i].end) {
			seen[i]++;
			return;
		}
	}
	elsewhere++;
	diag("0x%llx", (unsigned long long)from);
}

static void file_read(const char *name)
{
	static char bytes[8 << 20];
	const struct qti_trace_header *h = (const void *)bytes;
	FILE *f = fopen(name, "r");

	if (!f || fread(bytes, 1, sizeof(bytes), f) < sizeof(*h))
		bail_out("%s cannot be read", name);
	fclose(f);
	for (unsigned i = 0; i < h->buffers; i++) {
		const struct qti_trace_place *p = (const struct qti_trace_place *)(const void *)(bytes + h->table_at) + i;
		const struct qti_trace_record *r = (const void *)(bytes + p->at);
		for (const struct qti_trace_record *last = r + p->bytes / sizeof(*r); r < last && r->stamp; r++)
			if ((r->stamp & 0xff) == QTI_TRACE_BARRIER + QTI_TRACE_END && r->what != 0)
				wait_note(r->what);
	}
}

static aligned_t called(void *caller)
{
	((const struct caller *)caller)->call();
	return 0;
}

static void record(const char *name)
{
	aligned_t done;

	/* A team of one thread, as it is by default on one CPU, needs no runtime. */
	__kmpc_push_num_threads(NULL, 0, 2);
	__kmpc_fork_call(NULL, 0, late);
	if (qthread_trace_start(name) != QTHREAD_SUCCESS)
		bail_out("nothing can be recorded");
	for (unsigned i = 0; i < CALLERS; i++) {
		qthread_fork(called, &callers[i], &done);
		qthread_readFF(NULL, &done);
	}
	if (qthread_trace_stop() != QTHREAD_SUCCESS || qthread_trace_dump(NULL) != QTHREAD_SUCCESS)
		bail_out("nothing is recorded");
	file_read(name);
}

/* --- all of it ------------------------------------------------------------------------------------------- */

int main(void)
{
	char directory[] = "/tmp/qt-callers-XXXXXX", name[64];
	Dl_info program, library;

	if (!dladdr(callers, &program) || !dladdr((void *)(uintptr_t)__kmpc_fork_call, &library) ||
	    program.dli_fbase == library.dli_fbase)
		plan_skip_all("the library is part of the program");
	if (!dlopen("libgcc_s.so.1", RTLD_NOW))
		plan_skip_all("nothing here unwinds the stack");
	plan(CALLERS + 1);
	setenv("QT_HWPAR", "1", 1);
	setenv("QT_GUARD_PAGES", "yes", 1);
	setenv("QT_INLINE_JOIN", "no", 1);
	setenv("QT_TRACE_SIZE", "1M", 1);
	if (!mkdtemp(directory))
		bail_out("mkdtemp: %s", strerror(errno));
	snprintf(name, sizeof(name), "%s/trace", directory);
	record(name);
	for (unsigned i = 0; i < CALLERS; i++)
		ok(seen[i] > 0, "with %s: %u waits, called in there", callers[i].name, seen[i]);
	is_int(elsewhere, 0, "and none elsewhere");
	unlink(name);
	rmdir(directory);
	return done();
}
