/* omp/tool/thread.c -- see omp/tool/thread.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tool/thread.h"

#include "base/mem.h"
#include "omp/tool/callbacks.h"

#include <limits.h>
#include <pthread.h>

static __thread struct qomp_tool_thread *own __attribute__((tls_model("initial-exec")));
static pthread_key_t exit_key;
static bool has_key;

static void thread_end(struct qomp_tool_thread *th)
{
	ompt_callback_thread_end_t tell = qomp_callback(thread_end);

	for (struct qomp_told *t = th->first, *below; t; t = below) {
		below = t->below;
		t->on = NULL;
		t->below = NULL;
	}
	if (tell)
		tell(&th->data);
	own = NULL;
	qti_mem_free(th);
}

/* Whatever else goes with the thread comes first, such as its initial task: that has all rounds but the last. */
static void thread_exits(void *arg)
{
	struct qomp_tool_thread *th = arg;

	if (th != own)
		return;
	if (th->first && ++th->rounds < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(exit_key, th) == 0)
		return;
	thread_end(th);
}

static void make_key(void)
{
	has_key = pthread_key_create(&exit_key, thread_exits) == 0;
}

static __attribute__((noinline)) struct qomp_tool_thread *thread_begin(ompt_thread_t kind)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct qomp_tool_thread *th;

	pthread_once(&once, make_key);
	if (!has_key || !(th = qti_mem_zalloc(sizeof(*th))))
		return NULL;
	if (pthread_setspecific(exit_key, th) != 0) {
		qti_mem_free(th);
		return NULL;
	}
	own = th;
	ompt_callback_thread_begin_t tell = qomp_callback(thread_begin);
	if (tell)
		tell(kind, &th->data);
	return th;
}

struct qomp_tool_thread *qomp_tool_thread(ompt_thread_t kind)
{
	return own ? own : thread_begin(kind);
}

struct qomp_tool_thread *qomp_tool_thread_now(void)
{
	return own;
}

void qomp_tool_thread_end(void)
{
	if (!own)
		return;
	pthread_setspecific(exit_key, NULL);
	thread_end(own);
}

/* --- the list -------------------------------------------------------------------------------------------- */

struct qomp_told *qomp_told_add(struct qomp_tool_thread *th, struct qomp_told *t)
{
	struct qomp_told *before = th->first;

	t->below = before;
	t->on = th;
	th->first = t;
	return before;
}

static void list_take_out(struct qomp_tool_thread *th, struct qomp_told *t)
{
	struct qomp_told **at = &th->first;

	while (*at && *at != t)
		at = &(*at)->below;
	if (*at)
		*at = t->below;
	t->below = NULL;
}

struct qomp_told *qomp_told_raise(struct qomp_tool_thread *th, struct qomp_told *t)
{
	struct qomp_told *before = th->first;

	if (before != t) {
		list_take_out(th, t);
		t->below = th->first;
		th->first = t;
	}
	return before;
}

void qomp_told_remove(struct qomp_told *t)
{
	if (t->on)
		list_take_out(t->on, t);
	t->on = NULL;
}
