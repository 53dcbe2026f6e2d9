/* test/stress/queue.c -- tasks and OS threads join queues and release each other, at random: everybody comes out.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of joins of each joiner (default 400).
 */
#include "stress.h"

#include <pthread.h>

enum { QUEUES = 3, TASKS = 12, THREADS = 2, JOINERS = TASKS + THREADS, RELEASERS = 2 };

static unsigned rounds;
static qthread_queue_t queue[QUEUES];
static uint32_t inside;                 /* joiners that have not come to their end */
static uint32_t refused, strange;

static void join_at_random(unsigned stream)
{
	uint64_t random = stress_state(stream);

	for (unsigned i = 0; i < rounds; i++) {
		const int rc = qthread_queue_join(queue[stress_random(&random, QUEUES)]);
		if (rc == QTHREAD_OPFAIL)
			add_rlx(&refused, 1);
		else if (rc != QTHREAD_SUCCESS)
			add_rlx(&strange, 1);
		if (stress_random(&random, 8) == 0)
			stress_pause(stress_random(&random, 200));
	}
	sub_acq_rel(&inside, 1);
}

static aligned_t join_as_task(void *arg)
{
	join_at_random((unsigned)(uintptr_t)arg);
	return 0;
}

static void *join_as_thread(void *arg)
{
	join_at_random((unsigned)(uintptr_t)arg);
	return NULL;
}

/* Until all have come out. */
static aligned_t release_at_random(void *arg)
{
	uint64_t random = stress_state((unsigned)(uintptr_t)arg);

	while (load_acq(&inside) != 0) {
		qthread_queue_t q = queue[stress_random(&random, QUEUES)];
		if (stress_random(&random, 4) == 0)
			qthread_queue_release_all(q);
		else
			qthread_queue_release_one(q);
		if (stress_random(&random, 4) == 0)
			qthread_yield();
		if (stress_random(&random, 16) == 0)
			sched_yield();
	}
	return 0;
}

static void storm(const char *scheduler, struct stress_shape shape)
{
	pthread_t thread[THREADS];
	aligned_t ret[TASKS + RELEASERS];
	uintptr_t stream = 0;
	int rc = QTHREAD_SUCCESS;

	stress_watch(scheduler);
	stress_start(scheduler, shape);
	inside = JOINERS;
	refused = strange = 0;
	queue[0] = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);
	queue[1] = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN, 0);
	queue[2] = qthread_queue_create(QTHREAD_QUEUE_CAPPED, 3);
	for (int i = 0; i < TASKS; i++)
		qthread_fork(join_as_task, (void *)stream++, &ret[i]);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, join_as_thread, (void *)stream++) != 0)
			bail_out("pthread_create failed");
	for (int i = TASKS; i < TASKS + RELEASERS; i++)
		qthread_fork(release_at_random, (void *)stream++, &ret[i]);
	for (int i = 0; i < TASKS + RELEASERS; i++)
		qthread_readFF(NULL, &ret[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < QUEUES; i++)
		rc |= qthread_queue_destroy(queue[i]);
	ok(rc == QTHREAD_SUCCESS && strange == 0, "%s on %u x %u: %d joiners have come out of queues %u times each, %u times refused",
		scheduler, shape.shepherds, shape.workers, JOINERS, rounds, refused);
	qthread_finalize();
	stress_round();
}

int main(void)
{
	static const struct stress_shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 2 } };
	enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

	plan(qti_nscheds * SHAPES);
	rounds = stress_rounds(400);
	stress_say(rounds);
	for (unsigned s = 0; s < qti_nscheds; s++)
		for (unsigned i = 0; i < SHAPES; i++)
			storm(qti_scheds[s]->name, shapes[i]);
	return done();
}
