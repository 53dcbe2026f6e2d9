/* io/call.c -- see io/call.h, qthread/io.h and qthread/qt_syscalls.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "io/call.h"

#include "core/proxy.h"
#include "io/proxies.h"
#include "qthread/io.h"
#include "qthread/qt_syscalls.h"

#include <errno.h>

/* Not to be seen through, or its result would be kept like __errno_location's. */
__attribute__((noinline)) int *qt_errno_location(void)
{
	__asm__ volatile("");
	return &errno;
}

void qti_call_begin(struct qti_call *c)
{
	c->error = qt_errno;
	c->away = qti_proxies_leave();
}

void qti_call_end(const struct qti_call *c, bool failed)
{
	if (!c->away)
		return;
	int error = failed ? qt_errno : c->error;
	qti_proxy_return();
	qt_errno = error;
}

void qt_begin_blocking_action(void)
{
	struct qti_proxy *p = qti_proxy_self();

	if (p)
		p->depth++;
	else
		(void)qti_proxies_leave();
}

void qt_end_blocking_action(void)
{
	struct qti_proxy *p = qti_proxy_self();

	if (p && --p->depth == 0)
		qti_proxy_return();
}
