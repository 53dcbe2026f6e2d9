/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* In libqthread's own words.  Scheduler and workers come from the environment. */
#include <qthread/barrier.h>
#include <qthread/qloop.h>
#include <qthread/sinc.h>
#include <stdlib.h>

#include "common/native.h"
#include "fib/tasks.h"
#include "share/share.h"
#include "common/must.h"

enum { TASKS = 8 };

struct piece {
	struct share_work *work;
	size_t from, to;
	qt_barrier_t *barrier;
};

static struct piece piece_of(struct share_work *work, size_t i, size_t n)
{
	return (struct piece){ .work = work, .from = i * SHARE_N / n, .to = (i + 1) * SHARE_N / n };
}

static aligned_t member(void *arg)
{
	const struct piece *mine = arg;

	for (unsigned l = 0; l < SHARE_MANY; l++) {
		share_loop(mine->work->values, mine->from, mine->to);
		qt_barrier_enter(mine->barrier);
	}
	return 0;
}

/* A member for each worker, where it stays. */
static void barrier(struct share_work *work)
{
	const size_t n = qthread_num_workers();
	struct piece *piece = bench_room(share_program.name, n, sizeof(*piece));
	aligned_t *ended = bench_room(share_program.name, n, sizeof(*ended));
	qt_barrier_t *b = qt_barrier_create(n, REGION_BARRIER);

	for (size_t i = 0; i < n; i++) {
		piece[i] = piece_of(work, i, n);
		piece[i].barrier = b;
		must(qthread_fork_to(member, &piece[i], &ended[i], (qthread_shepherd_id_t)(i % qthread_num_shepherds())));
	}
	for (size_t i = 0; i < n; i++)
		must(qthread_readFF(NULL, &ended[i]));
	qt_barrier_destroy(b);
	free(ended);
	free(piece);
}

static void body(size_t from, size_t to, void *values)
{
	share_loop(values, from, to);
}

static void loop(struct share_work *work)
{
	for (unsigned l = 0; l < SHARE_FEW; l++)
		qt_loop_balance(0, SHARE_N, body, work->values);
}

static aligned_t leaf(void *arg)
{
	const struct piece *mine = arg;

	share_loop(mine->work->values, mine->from, mine->to);
	return 0;
}

static void sinc(struct share_work *work)
{
	struct piece piece[TASKS];

	for (size_t i = 0; i < TASKS; i++)
		piece[i] = piece_of(work, i, TASKS);
	for (unsigned l = 0; l < SHARE_FEW; l++) {
		qt_sinc_t *s = qt_sinc_create(0, NULL, NULL, TASKS);
		for (size_t i = 0; i < TASKS; i++)
			qthread_spawn(leaf, &piece[i], 0, s, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC_VOID);
		qt_sinc_wait(s, NULL);
		qt_sinc_destroy(s);
	}
}

static void tasks(struct share_work *work)
{
	aligned_t number;

	must(qthread_fork(fib_one_aligned, (void *)(uintptr_t)SHARE_FIB, &number));
	must(qthread_readFF(&number, &number));
	work->number = number;
}

static unsigned start(void)
{
	bench_start(share_program.name, &(struct bench_setup){ 0 });
	return (unsigned)qthread_num_workers();
}

static qt_sinc_t *threads;

static void expect(unsigned n)
{
	threads = qt_sinc_create(0, NULL, NULL, n);
}

static void ended(void)
{
	qt_sinc_submit(threads, NULL);
}

static void wait_for_threads(void)
{
	qt_sinc_wait(threads, NULL);
	qt_sinc_destroy(threads);
}

static const struct share_shape shapes[] = {
	{ "barrier", "500 loops of 2,000 values, a task for each worker and a qt_barrier after each loop", barrier,
		SHARE_MANY },
	{ "loop", "50 loops, each a qt_loop_balance", loop, SHARE_FEW },
	{ "sinc", "50 loops, each 8 tasks that a sinc waits for", sinc, SHARE_FEW },
	{ "tasks", "fib(18), every second call a task", tasks, 0 },
	{ .name = NULL },
};

const struct share_program share_program = {
	.name = "share",
	.what = "what copies of a native program get done at once",
	.shapes = shapes,
	.start = start,
	.threads = { .expect = expect, .ended = ended, .wait = wait_for_threads },
};
