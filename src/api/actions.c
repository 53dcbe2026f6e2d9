/* api/actions.c -- see api/actions.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/actions.h"

#include "api/locales.h"
#include "base/lock.h"
#include "base/mem.h"

#include <string.h>

/* Few, and announced once: they are looked up one after the other. */
struct action {
	qthread_f f;
	size_t number;
};

static struct {
	struct qti_lock lock;
	struct action *list;            /* under the lock, as the others */
	size_t count;
} actions;

static void add_one(qthread_f f, size_t number)
{
	for (size_t i = 0; i < actions.count; i++)
		if (actions.list[i].number == number) {
			actions.list[i].f = f;
			return;
		}
	actions.list[actions.count++] = (struct action){ f, number };
}

int qti_actions_add(const qthread_f *more, size_t count, size_t base)
{
	struct action *old;

	if (count == 0)
		return QTHREAD_SUCCESS;
	qti_lock_take(&actions.lock);
	struct action *list = qti_mem_alloc((actions.count + count) * sizeof(*list));
	if (!list) {
		qti_lock_drop(&actions.lock);
		return QTHREAD_MALLOC_ERROR;
	}
	old = actions.list;
	if (actions.count > 0)
		memcpy(list, old, actions.count * sizeof(*list));
	actions.list = list;
	for (size_t i = 0; i < count; i++)
		add_one(more[i], base + i);
	qti_lock_drop(&actions.lock);
	qti_mem_free(old);
	return QTHREAD_SUCCESS;
}

bool qti_action_number(qthread_f f, size_t *number)
{
	bool found = false;

	qti_lock_take(&actions.lock);
	for (size_t i = 0; i < actions.count && !found; i++) {
		found = actions.list[i].f == f;
		*number = actions.list[i].number;
	}
	qti_lock_drop(&actions.lock);
	return found;
}

qthread_f qti_action(size_t number)
{
	qthread_f f = NULL;

	qti_lock_take(&actions.lock);
	for (size_t i = 0; i < actions.count && !f; i++)
		if (actions.list[i].number == number)
			f = actions.list[i].f;
	qti_lock_drop(&actions.lock);
	return f;
}

void qti_actions_forget(void)
{
	qti_lock_take(&actions.lock);
	struct action *old = actions.list;
	actions.list = NULL;
	actions.count = 0;
	qti_lock_drop(&actions.lock);
	qti_mem_free(old);
}
