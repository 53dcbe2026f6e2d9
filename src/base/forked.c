/* base/forked.c -- see base/forked.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/forked.h"

#include "base/lock.h"

#include <pthread.h>

uint32_t qti_process = 1;
QTI_SHARE_VARIABLE(qti_process);

static QTI_AT_LOAD pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;    /* held while the process forks */
static QTI_AT_LOAD struct qti_forked *all;                              /* by rank */

static void fork_prepare(void)
{
	pthread_mutex_lock(&lock);
	for (struct qti_forked *f = all; f; f = f->next)
		if (f->before)
			f->before();
}

/* From the last to the first. */
static void fork_undo(struct qti_forked *f)
{
	if (!f)
		return;
	fork_undo(f->next);
	if (f->after)
		f->after();
}

static void in_parent(void)
{
	fork_undo(all);
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	store_rlx(&qti_process, qti_process + 1);                                       /* FK2 */
	fork_undo(all);
	for (struct qti_forked *f = all; f; f = f->next)
		if (f->child)
			f->child();
	pthread_mutex_unlock(&lock);
}

static void forked_set_up(void)
{
	(void)pthread_atfork(fork_prepare, in_parent, in_child);      /* without memory children do without */
}

void qti_forked_add(struct qti_forked *f)
{
	static QTI_AT_LOAD pthread_once_t once = PTHREAD_ONCE_INIT;
	struct qti_forked **at = &all;

	pthread_once(&once, forked_set_up);
	pthread_mutex_lock(&lock);
	while (*at && (*at)->rank <= f->rank)
		at = &(*at)->next;
	f->next = *at;
	*at = f;
	pthread_mutex_unlock(&lock);
}
