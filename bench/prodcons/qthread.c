/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* A producer is a qthread on a shepherd of its own, as far as there are enough of them.  It forks its tasks in batches
 * and waits for each batch, newest first, before the next: who forks millions of tasks at once needs memory for
 * them. */
#include "prodcons/prodcons.h"
#include "common/must.h"

#include <stdlib.h>

#include <qthread/qthread.h>

static unsigned long batch = 1024;

static aligned_t consume(void *arg)
{
	prodcons_spin((unsigned long)(uintptr_t)arg);
	return 0;
}

static void produce_batch(unsigned long first, unsigned long n, aligned_t *done)
{
	for (unsigned long i = 0; i < n; i++)
		if (qthread_fork(consume, (void *)(uintptr_t)(first + i), &done[i]) != QTHREAD_SUCCESS)
			prodcons_spin(first + i);
	for (unsigned long i = n; i > 0; i--)
		must(qthread_readFF(NULL, &done[i - 1]));
}

static aligned_t produce(void *arg)
{
	const unsigned long producer = (unsigned long)(uintptr_t)arg, end = prodcons_first(producer + 1);
	aligned_t *done = bench_room("prodcons", batch, sizeof(*done));

	for (unsigned long i = prodcons_first(producer); i < end; i += batch)
		produce_batch(i, end - i < batch ? end - i : batch, done);
	free(done);
	return 0;
}

static void parallel(void)
{
	aligned_t *done = bench_room("prodcons", prodcons_producers, sizeof(*done));

	for (unsigned long i = 0; i < prodcons_producers; i++)
		if (qthread_fork_to(produce, (void *)(uintptr_t)i, &done[i],
			    (qthread_shepherd_id_t)(i % qthread_num_shepherds())) != QTHREAD_SUCCESS)
			bench_fail("prodcons", "out of memory for producers");
	for (unsigned long i = 0; i < prodcons_producers; i++)
		must(qthread_readFF(NULL, &done[i]));
	free(done);
}

static const struct bench_option options[] = {
	{ "batch", "tasks that a producer forks before it waits for them", BENCH_NUMBER, &batch, 1, 100000000, NULL },
	{ .name = NULL },
};

const struct bench_version bench_version = { .options = options, .parallel = parallel };
