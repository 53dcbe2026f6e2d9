/* core/proxy.c -- see core/proxy.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/proxy.h"

#include "base/diag.h"
#include "machine/cxx.h"
#include "machine/fiber.h"

#include <string.h>

/* Out of line as qti_self() is, and for the same reason. */
static __thread struct qti_proxy *self __attribute__((tls_model("initial-exec")));

__attribute__((noinline)) static struct qti_proxy *proxy_of_thread(void)
{
	__asm__ volatile("");
	return self;
}

__attribute__((noinline)) static void set_proxy(struct qti_proxy *p)
{
	self = p;
}

/* A thread that ends as a proxy has been ended by the task that it carried.  Any task but the main one does not come so
 * far (qti_cxx_border). */
static pthread_key_t ending;
static bool ending_is_noticed;

static void proxy_refuse(void *unused)
{
	(void)unused;
	qti_panic("the main task has called pthread_exit in a blocking action, or its thread was cancelled there: "
	          "the thread is not its own");
}

static void make_ending(void)
{
	ending_is_noticed = pthread_key_create(&ending, proxy_refuse) == 0;
}

static void notice_ending(void *is_proxy)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_ending);
	if (ending_is_noticed)
		(void)pthread_setspecific(ending, is_proxy);
}

void qti_proxy_begin(struct qti_proxy *p)
{
	memset(p, 0, sizeof(*p));
	(void)qti_altstack_begin(&p->altstack);         /* without one an overrun ends in a plain SIGSEGV */
	qti_stack_of_thread(&p->os_stack);
	qti_fiber_adopt(&p->os_stack);
	set_proxy(p);
	notice_ending(p);
}

void qti_proxy_end(struct qti_proxy *p)
{
	notice_ending(NULL);
	set_proxy(NULL);
	qti_altstack_end(&p->altstack);
}

struct qti_proxy *qti_proxy_self(void)
{
	struct qti_proxy *p = proxy_of_thread();

	return p && p->task ? p : NULL;
}

struct qti_task *qti_proxied(void)
{
	struct qti_proxy *p = proxy_of_thread();

	return p ? p->task : NULL;
}

void qti_proxy_forget(void)
{
	set_proxy(NULL);
}

bool qti_proxy_leave(qti_after after, void *arg)
{
	struct qti_cxx cxx = qti_cxx_depart(qti_self()->cxx);
	struct qti_arrival a = qti_suspend_to(after, arg);
	bool on_proxy = qti_self() == NULL;

	if (on_proxy)
		proxy_of_thread()->context = a.from;
	else
		qti_arrived(a);
	qti_cxx_arrive(&cxx);
	return on_proxy;
}

void qti_proxy_carry(struct qti_proxy *p, struct qti_task *t)
{
	struct qti_task_more *more = qti_task_more(t);
	struct qti_fiber_save save;

	p->task = t;
	p->depth = 1;
	qti_guest_word_set(more->word);
	qti_fiber_depart(&save, more->stack);
	struct qti_arrival a = qti_ctx_jump(more->context, NULL);
	qti_fiber_arrive(&save);
	more->context = a.from;
	more->word = qti_guest_word();
	qti_guest_word_set(NULL);
	p->task = NULL;
}

void qti_proxy_return(void)
{
	struct qti_proxy *p = proxy_of_thread();
	struct qti_cxx cxx = qti_cxx_depart(qti_cxx_of_thread());
	struct qti_fiber_save save;

	QTI_ASSERT(p && p->task);
	qti_fiber_depart(&save, &p->os_stack);
	struct qti_arrival a = qti_ctx_jump(p->context, NULL);
	qti_fiber_arrive(&save);
	qti_arrived(a);
	qti_cxx_arrive(&cxx);
}
