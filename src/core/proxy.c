/* core/proxy.c -- see core/proxy.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/proxy.h"

#include "base/container.h"
#include "base/diag.h"
#include "machine/cxx.h"
#include "machine/fiber.h"

#include <string.h>

/* The calling thread's, NULL: it is none. */
static struct qti_proxy *proxy_of_thread(void)
{
	struct qti_carrier *c = qti_carrier();

	return c ? qti_container_of(c, struct qti_proxy, carrier) : NULL;
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
	p->carrier.give_back = qti_proxy_return;
	(void)qti_altstack_begin(&p->altstack);         /* without one an overrun ends in a plain SIGSEGV */
	qti_stack_of_thread(&p->os_stack);
	qti_fiber_adopt(&p->os_stack);
	qti_carrier_set(&p->carrier);
	notice_ending(p);
}

void qti_proxy_end(struct qti_proxy *p)
{
	notice_ending(NULL);
	qti_carrier_set(NULL);
	qti_altstack_end(&p->altstack);
}

struct qti_proxy *qti_proxy_self(void)
{
	struct qti_proxy *p = proxy_of_thread();

	return p && p->carrier.task ? p : NULL;
}

void qti_proxy_forget(void)
{
	qti_carrier_set(NULL);
}

bool qti_proxy_leave(qti_after after, void *arg)
{
	struct qti_cxx cxx = qti_cxx_depart(qti_self()->cxx);
	struct qti_arrival a = qti_suspend_to(after, arg);
	bool on_proxy = qti_self() == NULL;

	if (on_proxy)
		proxy_of_thread()->context = a.from;
	else
		qti_arrived(a, QTI_FRAME_END);
	qti_cxx_arrive(&cxx);
	return on_proxy;
}

void qti_proxy_carry(struct qti_proxy *p, struct qti_task *t)
{
	struct qti_task_more *more = qti_task_more(t);
	struct qti_fiber_save save;

	p->carrier.task = t;
	p->depth = 1;
	qti_guest_word_set(more->word);
	qti_fiber_tell(more->stack, NULL);
	qti_fiber_depart(&save, more->stack);
	struct qti_arrival a = qti_ctx_jump(more->context, NULL);
	qti_fiber_arrive(&save);
	more->context = a.from;
	more->word = qti_guest_word();
	qti_guest_word_set(NULL);
	p->carrier.task = NULL;
}

void qti_proxy_return(void)
{
	struct qti_proxy *p = proxy_of_thread();
	struct qti_cxx cxx = qti_cxx_depart(qti_cxx_of_thread());
	struct qti_fiber_save save;

	QTI_ASSERT(p && p->carrier.task);
	qti_fiber_tell(&p->os_stack, NULL);
	qti_fiber_depart(&save, &p->os_stack);
	struct qti_arrival a = qti_ctx_jump(p->context, NULL);
	qti_fiber_arrive(&save);
	qti_arrived(a, QTI_FRAME_END);
	qti_cxx_arrive(&cxx);
}
