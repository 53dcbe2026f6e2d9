/* test/clients/kokkos.c -- a back end that asks for a number of workers and numbers them itself, after that of Kokkos.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It sets QTHREAD_HWPAR through putenv, insists on some identities between the counts, and runs tasks of two kinds:
 * simple ones that wait for words which others fill before they start, and, for a parallel region, one on each worker.
 */
#include "api/every.h"

#include <sched.h>
#include <string.h>

enum { CHECKS_PER_RUN = 7, MOST = 4, TASKS = 64 };

static bool start(const char *scheduler, int count)
{
	static char hwpar[] = "QTHREAD_HWPAR=0";

	unsetenv("QT_HWPAR");
	unsetenv("QT_NUM_SHEPHERDS");
	unsetenv("QT_NUM_WORKERS_PER_SHEPHERD");
	setenv("QT_SCHEDULER", scheduler, 1);
	hwpar[strlen(hwpar) - 1] = (char)('0' + count);
	putenv(hwpar);
	return qthread_initialize() == QTHREAD_SUCCESS;
}

static void identities(const char *what, int count)
{
	const int each = qthread_num_workers_local(NO_SHEPHERD), sheps = qthread_num_shepherds();
	int other = 0;

	is_int(qthread_num_workers(), count, "%s: as many workers as asked for", what);
	is_int(sheps * each, count, "%s: shepherds times workers in each make as many", what);
	for (int i = 0; i < sheps; i++)
		other += qthread_num_workers_local((qthread_shepherd_id_t)i) != each;
	is_int(other, 0, "%s: each shepherd has as many", what);
}

/* ---- Ranks ------------------------------------------------------------------------------------------------------ */

static struct {
	aligned_t seen[MOST];   /* atomically */
	aligned_t wrong, here;
	int count;
} region;

static int rank(void)
{
	return qthread_shep() * qthread_num_workers_local(NO_SHEPHERD) + qthread_worker_local(NULL);
}

static aligned_t member(void *arg)
{
	(void)arg;
	const int r = rank();

	if (r < 0 || r >= region.count || r != qthread_worker(NULL))
		qthread_incr(&region.wrong, 1);
	else
		qthread_incr(&region.seen[r], 1);
	/* Nobody leaves its worker before each has one. */
	qthread_incr(&region.here, 1);
	while (__atomic_load_n(&region.here, __ATOMIC_ACQUIRE) < (aligned_t)region.count)
		sched_yield();
	return 0;
}

/* The main task is one member; the others get a worker each because none gives its own up. */
static void ranks(const char *what, int count)
{
	aligned_t done_words[MOST];
	int wrong = 0;

	memset(&region, 0, sizeof(region));
	region.count = count;
	for (int i = 1; i < count; i++)
		qthread_fork_to(member, NULL, &done_words[i], (qthread_shepherd_id_t)(i / qthread_num_workers_local(NO_SHEPHERD)));
	member(NULL);
	for (int i = 1; i < count; i++)
		qthread_readFF(NULL, &done_words[i]);
	for (int i = 0; i < count; i++)
		wrong += region.seen[i] != 1;
	ok(wrong == 0 && region.wrong == 0, "%s: the workers of a region have ranks from 0 on, each once", what);
}

/* ---- A graph of tasks: the words are counted first, in the task's own memory ---------------------------------------- */

struct node {
	aligned_t done;
	aligned_t value;
	struct node *before[2];
};

static aligned_t visit(void *arg)
{
	struct node *n = arg;

	n->value = 1;
	for (int i = 0; i < 2; i++)
		n->value += n->before[i] ? n->before[i]->value : 0;
	return n->value;
}

static int spawn(struct node *n)
{
	void **preconds = malloc(3 * sizeof(*preconds));
	size_t count = 0;

	if (!preconds)
		return QTHREAD_MALLOC_ERROR;
	for (int i = 0; i < 2; i++)
		if (n->before[i])
			preconds[++count] = &n->before[i]->done;
	preconds[0] = (void *)(uintptr_t)count;
	if (count == 0) {
		free(preconds);
		preconds = NULL;
	}
	return qthread_spawn(visit, n, 0, &n->done, count, preconds, NO_SHEPHERD, QTHREAD_SPAWN_SIMPLE);
}

static void graph(const char *what)
{
	static struct node nodes[TASKS];
	int failed = 0;
	uint64_t want[TASKS];

	memset(nodes, 0, sizeof(nodes));
	for (int i = 0; i < TASKS; i++) {
		nodes[i].before[0] = i > 0 ? &nodes[i - 1] : NULL;
		nodes[i].before[1] = i > 1 ? &nodes[i / 2] : NULL;
		want[i] = 1 + (i > 0 ? want[i - 1] : 0) + (i > 1 ? want[i / 2] : 0);
		qthread_empty(&nodes[i].done);
	}
	/* Last first: every task but one waits. */
	for (int i = TASKS - 1; i >= 0; i--)
		failed += spawn(&nodes[i]) != QTHREAD_SUCCESS;
	is_int(failed, 0, "%s: qthread_spawn of simple tasks with preconditions, the count first", what);
	qthread_readFF(NULL, &nodes[TASKS - 1].done);
	is_int(nodes[TASKS - 1].value, want[TASKS - 1], "%s: none ran before those it waits for", what);
	for (int i = 0; i < TASKS; i++)
		failed += qthread_readFF(NULL, &nodes[i].done) != QTHREAD_SUCCESS || nodes[i].done != nodes[i].value;
	is_int(failed, 0, "%s: each delivered its result", what);
}

int main(void)
{
	plan(EVERY_SCHEDULERS * MOST * CHECKS_PER_RUN);
	for (int s = 0; s < EVERY_SCHEDULERS; s++) {
		for (int count = 1; count <= MOST; count++) {
			char what[64];

			snprintf(what, sizeof(what), "%s, %d workers", every_scheduler[s], count);
			if (!start(every_scheduler[s], count))
				bail_out("%s: qthread_initialize failed", what);
			identities(what, count);
			ranks(what, count);
			graph(what);
			qthread_finalize();
		}
	}
	return done();
}
