/* sync/precond.c -- see sync/precond.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An unstarted task has no stack for a waiter record, so the record comes with the list of words.
 */
#include "sync/precond.h"

#include "base/container.h"
#include "base/mem.h"
#include "base/race.h"
#include "core/ready.h"
#include "sync/feb.h"

struct precond {
	struct qti_waiter_called called;
	size_t left;                    /* words[0 .. left - 1] are still to be seen full */
	const aligned_t *words[];
};

/* Looks at the remaining words: the task is ready, or queued at the first that is empty.  Once it is queued p
 * belongs to the waker. */
static void precond_advance(struct precond *p)
{
	struct qti_task *t = p->called.waiter.task;

	for (; p->left > 0; p->left--) {
		if (qti_feb_queue_if_empty(p->words[p->left - 1], &p->called.waiter))
			return;
		qti_race_pass(p->words[p->left - 1], t, QTI_RACE_TASK);
	}
	t->flags &= ~(uint32_t)QTI_TASK_PRECONDS;
	qti_mem_free(p);
	qti_ready(t);
}

/* The word that the task waited for is full. */
static void precond_resume(struct qti_waiter_called *w)
{
	struct precond *p = qti_container_of(w, struct precond, called);

	p->left--;
	qti_race_pass(p->words[p->left], p->called.waiter.task, QTI_RACE_TASK);
	precond_advance(p);
}

int qti_precond_note(struct qti_task *t, aligned_t *const *words, size_t n)
{
	if (n > (SIZE_MAX - sizeof(struct precond)) / sizeof(words[0]))
		return QTHREAD_MALLOC_ERROR;
	for (size_t i = 0; i < n; i++)
		if (!qti_feb_valid(words[i]))
			return QTHREAD_BADARGS;
	struct precond *p = qti_mem_alloc(sizeof(*p) + n * sizeof(words[0]));
	if (!p)
		return QTHREAD_MALLOC_ERROR;
	p->called.waiter = (struct qti_waiter){ .task = t, .kind = QTI_WAIT_PRECOND };
	p->called.resume = precond_resume;
	p->left = n;
	for (size_t i = 0; i < n; i++)
		p->words[i] = words[i];
	qti_task_more(t)->preconds = p;
	t->flags |= QTI_TASK_PRECONDS;
	return QTHREAD_SUCCESS;
}

void qti_precond_start(struct qti_task *t)
{
	precond_advance(qti_task_more(t)->preconds);
}
