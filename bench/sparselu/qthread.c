/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* One join counter for all tasks of a phase: the producers cannot know beforehand how many there will be, and nobody
 * needs to know which of them are done.  With --tasks depend there are no phases: each task has a word that becomes
 * full when it ends, and is forked with the words of those that it needs as preconditions. */
#include "sparselu/sparselu.h"
#include "common/bench.h"
#include "common/must.h"

#include <stdlib.h>

#include <qthread/qloop.h>
#include <qthread/qthread.h>
#include <qthread/sinc.h>

struct job {
	unsigned i, j, k;
	bool fresh;
};

static qt_sinc_t phase;

static aligned_t factor(void *arg)
{
	const struct job *job = arg;

	sparselu_factor(job->k);
	return 0;
}

static aligned_t right(void *arg)
{
	const struct job *job = arg;

	sparselu_right(job->k, job->j);
	return 0;
}

static aligned_t below(void *arg)
{
	const struct job *job = arg;

	sparselu_below(job->i, job->k);
	return 0;
}

static aligned_t update(void *arg)
{
	const struct job *job = arg;

	sparselu_update(job->i, job->j, job->k, job->fresh);
	return 0;
}

static void fork_into_phase(qthread_f body, struct job job)
{
	qt_sinc_expect(&phase, 1);
	if (qthread_spawn(body, &job, sizeof(job), &phase, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC_VOID))
		bench_fail("sparselu", "out of memory for a task");
}

/* The producers' shares of a phase: of rows and columns from start to stop, and of block rows. */
static void divide(size_t start, size_t stop, void *arg)
{
	unsigned k = *(unsigned *)arg;

	for (unsigned j = (unsigned)start; j < stop; j++)
		if (sparselu_has(k, j))
			fork_into_phase(right, (struct job){ .k = k, .j = j });
	for (unsigned i = (unsigned)start; i < stop; i++)
		if (sparselu_has(i, k))
			fork_into_phase(below, (struct job){ .i = i, .k = k });
}

static void eliminate(size_t start, size_t stop, void *arg)
{
	unsigned k = *(unsigned *)arg;

	for (unsigned i = (unsigned)start; i < stop; i++)
		for (unsigned j = k + 1; j < sparselu_side(); j++)
			if (sparselu_has(i, k) && sparselu_has(k, j))
				fork_into_phase(update, (struct job){ i, j, k, sparselu_claim(i, j) });
}

static void produce(qt_loop_f share, unsigned k)
{
	qt_sinc_expect(&phase, 1); /* the producers' own, so that it is not ready before they are through */
	if (sparselu_tasks == SPARSELU_FOR)
		qt_loop_balance(k + 1, sparselu_side(), share, &k);
	else
		share(k + 1, sparselu_side(), &k);
	qt_sinc_submit(&phase, NULL);
	qt_sinc_wait(&phase, NULL);
}

static void by_phases(void)
{
	qt_sinc_init(&phase, 0, NULL, NULL, 0);
	for (unsigned k = 0; k < sparselu_side(); k++) {
		sparselu_factor(k);
		produce(divide, k);
		produce(eliminate, k);
	}
	qt_sinc_fini(&phase);
}

/* Tasks by dependences.  Lasts as long as the tasks. */
struct node {
	struct job job;
	aligned_t done;
};

static struct {
	struct node *nodes;
	size_t used;
	aligned_t **writer; /* for each block, what becomes full when its last writer so far ends */
	aligned_t always;   /* full; stands for the writers of what nobody has written */
} graph;

static aligned_t **writer_of(unsigned i, unsigned j)
{
	return &graph.writer[(size_t)i * sparselu_side() + j];
}

/* Forks a task that writes block (i, j), after the blocks' last writers; a and b may be that block again. */
static void fork_into_graph(qthread_f body, struct job job, unsigned i, unsigned j, aligned_t *a, aligned_t *b)
{
	struct node *node = &graph.nodes[graph.used++];
	aligned_t **writer = writer_of(i, j);

	node->job = job;
	if (qthread_fork_precond(body, &node->job, &node->done, 3, *writer, a, b))
		bench_fail("sparselu", "out of memory for a task");
	*writer = &node->done;
}

static void fork_step(unsigned k)
{
	const unsigned side = sparselu_side();

	fork_into_graph(factor, (struct job){ .k = k }, k, k, &graph.always, &graph.always);
	aligned_t *diagonal = *writer_of(k, k);
	for (unsigned j = k + 1; j < side; j++)
		if (sparselu_has(k, j))
			fork_into_graph(right, (struct job){ .k = k, .j = j }, k, j, diagonal, diagonal);
	for (unsigned i = k + 1; i < side; i++)
		if (sparselu_has(i, k))
			fork_into_graph(below, (struct job){ .i = i, .k = k }, i, k, diagonal, diagonal);
	for (unsigned i = k + 1; i < side; i++)
		for (unsigned j = k + 1; j < side; j++)
			if (sparselu_has(i, k) && sparselu_has(k, j))
				fork_into_graph(update, (struct job){ i, j, k, sparselu_claim(i, j) }, i, j,
					*writer_of(i, k), *writer_of(k, j));
}

static void by_dependences(void)
{
	const size_t blocks = (size_t)sparselu_side() * sparselu_side();

	graph.nodes = bench_room("sparselu", sparselu_operations(), sizeof(*graph.nodes));
	graph.writer = bench_room("sparselu", blocks, sizeof(*graph.writer));
	graph.used = 0;
	for (size_t i = 0; i < blocks; i++)
		graph.writer[i] = &graph.always;
	for (unsigned k = 0; k < sparselu_side(); k++)
		fork_step(k);
	for (size_t i = 0; i < graph.used; i++)
		must(qthread_readFF(NULL, &graph.nodes[i].done));
	free(graph.writer);
	free(graph.nodes);
}

static void parallel(void)
{
	if (sparselu_tasks == SPARSELU_DEPEND)
		by_dependences();
	else
		by_phases();
}

static const struct bench_option options[] = {
	{ "tasks", "made by one producer, by a loop of them, or as data allow", BENCH_CHOICE, &sparselu_tasks, 0, 0,
		sparselu_all_tasks_names },
	{ .name = NULL },
};

const struct bench_version bench_version = { .options = options, .parallel = parallel };
