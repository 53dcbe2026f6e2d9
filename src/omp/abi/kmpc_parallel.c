/* omp/abi/kmpc_parallel.c -- parallel regions, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_region.h"

#include "machine/fpcontrol.h"
#include "omp/abi/api.h"
#include "omp/abi/device.h"
#include "omp/abi/gomp_teams.h"
#include "omp/abi/kmpc_thread.h"
#include "omp/abi/outlined.h"
#include "omp/env/env.h"
#include "omp/env/text.h"
#include "omp/team/member.h"
#include "omp/team/region.h"
#include "omp/team/standing.h"
#include "omp/tool/tell.h"

#include <stdarg.h>
#include <string.h>

/* --- clauses --------------------------------------------------------------------------------------------- */

/* They come in calls of their own, right before the region: nothing else runs on the thread between. */
static __thread struct {
	int32_t threads, bind;          /* 0: no clause */
	int32_t teams, limit;           /* of the next league */
	const struct qomp_sizes *inner; /* num_threads(a, b, c): b and c, for regions in the next one */
	int32_t strict;                 /* num_threads(strict: n): what it is if there are fewer */
	const char *message;
} pushed __attribute__((tls_model("initial-exec")));

enum { KMPC_BIND_PRIMARY = 5 };         /* as 2, which is master */

void __kmpc_push_num_threads(struct kmpc_ident *loc, int32_t thread, int32_t n)
{
	(void)loc, (void)thread;
	pushed.threads = n > 0 ? n : 0;
}

void __kmpc_push_num_threads_strict(struct kmpc_ident *loc, int32_t thread, int32_t n, int32_t severity,
                                    const char *message)
{
	__kmpc_push_num_threads(loc, thread, n);
	pushed.strict = severity;
	pushed.message = message;
}

void __kmpc_push_num_threads_list(struct kmpc_ident *loc, int32_t thread, uint32_t n, const int32_t *list)
{
	if (n == 0)
		return;
	__kmpc_push_num_threads(loc, thread, list[0]);
	pushed.inner = qomp_sizes_of(list + 1, n - 1);
}

void __kmpc_push_num_threads_list_strict(struct kmpc_ident *loc, int32_t thread, uint32_t n, const int32_t *list,
                                         int32_t severity, const char *message)
{
	__kmpc_push_num_threads_list(loc, thread, n, list);
	pushed.strict = severity;
	pushed.message = message;
}

void __kmpc_pop_num_threads(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
}

void __kmpc_push_proc_bind(struct kmpc_ident *loc, int32_t thread, int32_t bind)
{
	(void)loc, (void)thread;
	pushed.bind = bind == KMPC_BIND_PRIMARY ? QOMP_BIND_PRIMARY : bind;
}

void __kmpc_push_num_teams(struct kmpc_ident *loc, int32_t thread, int32_t teams, int32_t limit)
{
	(void)loc, (void)thread;
	pushed.teams = teams > 0 ? teams : 0;
	pushed.limit = limit > 0 ? limit : 0;
}

void __kmpc_push_num_teams_51(struct kmpc_ident *loc, int32_t thread, int32_t least, int32_t most, int32_t limit)
{
	__kmpc_push_num_teams(loc, thread, most > 0 ? most : least, limit);
}

static void threads_check(unsigned asked, unsigned n, int32_t severity, const char *message)
{
	const char *what = message ? message : "num_threads(strict)";

	if (severity == KMPC_SEVERITY_FATAL && n < asked)
		qomp_fatal("%s: a region asks for %u threads and gets %u", what, asked, n);
	if (severity && n < asked)
		qomp_warn("%s: a region asks for %u threads and gets %u", what, asked, n);
}

/* Regions inside inherit what the running task has, which is back when this one has ended. */
static __attribute__((noinline)) void region_begin_listed(void (*fn)(void *), void *data, unsigned asked, unsigned bind)
{
	struct qomp_frame *f = qomp_frame();
	const struct qomp_icv *own = f->icv;
	struct qomp_icv v = *own;
	int32_t strict = pushed.strict;

	if (pushed.inner)
		v.inner = pushed.inner;
	pushed.inner = NULL;
	pushed.strict = 0;
	qomp_icv_set(&v);
	qomp_region_begin(f, fn, data, asked, bind, NULL);
	f->icv = own;
	threads_check(asked, qomp_frame()->team->n, strict, pushed.message);
}

/* Clauses are for one region: whoever begins it takes them. */
static void region_begin(void (*fn)(void *), void *data, unsigned asked)
{
	unsigned bind = (unsigned)pushed.bind & 7;

	pushed.threads = pushed.bind = 0;
	if (qti_unlikely(pushed.inner || pushed.strict))
		region_begin_listed(fn, data, asked, bind);
	else
		qomp_region_begin(qomp_frame(), fn, data, asked, bind, NULL);
}

/* --- regions --------------------------------------------------------------------------------------------- */

struct region {
	kmpc_micro *fn;                 /* first: qomp_region_function */
	unsigned n;                     /* words, two of the member's own in front */
	void **word;
	struct qti_fp_control fp;       /* the master's */
};

static void member_call(void *data)
{
	const struct region *r = data;
	int32_t thread = qomp_kmpc_thread(), bound = qomp_frame_now()->num;
	void *word[r->n];

	memcpy(word, r->word, r->n * sizeof(*word));
	word[0] = &thread;
	word[1] = &bound;
	if (qti_likely(!qomp_settings.own_fp_control))
		qti_fp_control_set(&r->fp);
	qomp_outlined_call((void (*)(void))r->fn, word, r->n);
}

__attribute__((constructor)) static void regions_are_known(void)
{
	qomp_region_stand_in(member_call);
}

static void region_run(kmpc_micro *fn, void **word, unsigned n, unsigned asked)
{
	struct region r = { .fn = fn, .n = n, .word = word, .fp = qti_fp_control() };

	region_begin(member_call, &r, asked);
	member_call(&r);
	qomp_region_end();
}

static unsigned words_checked(int32_t argc)
{
	if (argc < 0 || argc > QOMP_OUTLINED_MOST - 2)
		qomp_fatal("a region with %d variables; at most %d are supported", argc, QOMP_OUTLINED_MOST - 2);
	return (unsigned)argc + 2;
}

/* What the words lie in has another size for each number of them.  It is in a function that the program does not call:
 * the frame of one that it calls has the same size each time (machine/caller.c). */

static void words_take(void **word, unsigned n, va_list *rest)
{
	for (unsigned i = 2; i < n; i++)
		word[i] = va_arg(*rest, void *);
}

static __attribute__((noinline)) void region_run_words(kmpc_micro *fn, unsigned n, va_list *rest)
{
	void *word[n];

	words_take(word, n, rest);
	region_run(fn, word, n, (unsigned)pushed.threads);
}

void __kmpc_fork_call(struct kmpc_ident *loc, int32_t argc, kmpc_micro *fn, ...)
{
	qomp_tool_called();
	va_list rest;

	(void)loc;
	va_start(rest, fn);
	region_run_words(fn, words_checked(argc), &rest);
	va_end(rest);
}

void __kmpc_fork_call_if(struct kmpc_ident *loc, int32_t argc, kmpc_micro *fn, int32_t cond, void *arg)
{
	qomp_tool_called();
	void *word[] = { NULL, NULL, arg };

	(void)loc, (void)argc;
	region_run(fn, word, arg ? 3 : 2, cond ? (unsigned)pushed.threads : 1);
}

/* Compiled code calls the region's function between these two. */

void __kmpc_serialized_parallel(struct kmpc_ident *loc, int32_t thread)
{
	qomp_tool_called();
	(void)thread;
	if (!(kmpc_flags(loc) & KMPC_AUTOPAR))
		region_begin(NULL, NULL, 1);
}

void __kmpc_end_serialized_parallel(struct kmpc_ident *loc, int32_t thread)
{
	(void)thread;
	if (!(kmpc_flags(loc) & KMPC_AUTOPAR))
		qomp_region_end();
}

/* --- leagues --------------------------------------------------------------------------------------------- */

/* Without a clause one team, unless the user says otherwise. */
static unsigned teams_wanted(void)
{
	qomp_settings_read();
	unsigned asked = pushed.teams ? (unsigned)pushed.teams : load_rlx(&qomp_settings.num_teams);

	return asked ? asked : 1;
}

static __attribute__((noinline)) void league_run_words(kmpc_micro *fn, unsigned n, va_list *rest)
{
	unsigned teams = teams_wanted(), limit = (unsigned)pushed.limit;
	void *word[n];
	struct region r = { .fn = fn, .n = n, .word = word, .fp = qti_fp_control() };

	words_take(word, n, rest);
	pushed.teams = pushed.limit = 0;
	gomp_league_run(member_call, &r, teams, limit);
}

void __kmpc_fork_teams(struct kmpc_ident *loc, int32_t argc, kmpc_micro *fn, ...)
{
	va_list rest;

	(void)loc;
	qomp_tool_called();
	va_start(rest, fn);
	league_run_words(fn, words_checked(argc), &rest);
	va_end(rest);
}

/* Of the running task, which stands for a target region. */
void __kmpc_set_thread_limit(struct kmpc_ident *loc, int32_t thread, int32_t limit)
{
	struct qomp_icv v = *qomp_frame()->icv;

	(void)loc, (void)thread;
	if (limit <= 0)
		return;
	v.thread_limit = (uint32_t)limit;
	qomp_icv_set(&v);
}
