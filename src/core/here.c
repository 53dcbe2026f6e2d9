/* core/here.c -- see core/here.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/here.h"

#include "base/race.h"

__thread struct qti_worker *qti_worker_self;
__thread struct qti_worker *qti_worker_untold;
__thread void *qti_guest_word_now;
static __thread struct qti_carrier *carrier __attribute__((tls_model("initial-exec")));

__attribute__((noinline)) struct qti_worker *qti_self_called(void)
{
	__asm__ volatile("");
	return qti_worker_self;
}

__attribute__((noinline)) struct qti_worker *qti_self_untold_called(void)
{
	__asm__ volatile("");
	return qti_worker_untold;
}

__attribute__((noinline)) void qti_self_set(struct qti_worker *w)
{
	qti_worker_self = w;
	qti_worker_untold = qti_races() ? NULL : w;
}

__attribute__((noinline)) void *qti_guest_word_called(void)
{
	__asm__ volatile("");
	return qti_guest_word_now;
}

__attribute__((noinline)) void qti_guest_word_set_called(void *word)
{
	__asm__ volatile("");
	qti_guest_word_now = word;
}

__attribute__((noinline)) struct qti_carrier *qti_carrier(void)
{
	__asm__ volatile("");
	return carrier;
}

__attribute__((noinline)) void qti_carrier_set(struct qti_carrier *c)
{
	carrier = c;
}

struct qti_task *qti_proxied(void)
{
	struct qti_carrier *c = qti_carrier();

	return c ? c->task : NULL;
}
