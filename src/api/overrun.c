/* api/overrun.c -- see api/overrun.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/overrun.h"

#include "base/diag.h"
#include "base/mem.h"
#include "core/guest.h"
#include "machine/module.h"

#include <stdio.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STRIDE_MAX = 1 << 20 };  /* beyond the end of the first thread's stack that a large frame may reach */

/* The first thread's stack ends where the limit says, which may have changed since; give or take a page for the
 * program's name, which is not all of its top, and one by which valgrind's ends before. */
static bool beneath_first_stack(const char *address)
{
	struct rlimit limit;
	const char *top = (const char *)(uintptr_t)getauxval(AT_EXECFN);

	if (getpid() != gettid() || !top || getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return false;
	return address < top && (size_t)(top - address) + 2 * qti_mem_page() > limit.rlim_cur &&
		(size_t)(top - address) < limit.rlim_cur + STRIDE_MAX;
}

static const char *name_of_guests(void)
{
	return qti_guest_here() ? qti_guest_here()->tasks : "a task";
}

/* "task 7 (function program+0x1189) overran its stack".  A guest's tasks begin in a function of that library. */
static void explain_overrun(const struct qti_task *t, const struct qti_stack *s, const char *where)
{
	char who[32] = "a task", function[QTI_MODULE_TEXT];

	if (t && t->id)
		snprintf(who, sizeof(who), "task %u", t->id);
	if (!t || qti_task_is(t, QTI_TASK_GUEST)) {
		qti_warn("%s overran its stack of %zu bytes at %s; raise %s", name_of_guests(), s->home->promised,
			where, qti_rt.env.stack_setting);
		return;
	}
	qti_module_show((const void *)(uintptr_t)t->fn, function, sizeof(function));
	qti_warn("%s (function %s) overran its stack of %zu bytes at %s; raise %s", who, function, s->home->promised,
		where, qti_rt.env.stack_setting);
}

bool qti_overrun_explain(const char *address, const void *code)
{
	struct qti_worker *w = qti_self();
	struct qti_task *t = qti_current();
	struct qti_stack *s = w ? w->stack : t ? qti_task_more(t)->stack : NULL;
	char where[QTI_MODULE_TEXT];
	bool task = s && s->home && address < s->limit && address >= s->limit - s->home->guarded;

	if (!task && (!s || s->home || !beneath_first_stack(address)))
		return false;
	qti_module_show(code, where, sizeof(where));
	if (task)
		explain_overrun(t, s, where);
	else
		qti_warn("the main thread overran its stack at %s; raise the limit by ulimit -s", where);
	return true;
}
