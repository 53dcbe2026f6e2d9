/* test/races/native.c -- qthreads programs with a race and without, for race checkers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs.h"

#include <pthread.h>
#include <qthread/barrier.h>
#include <qthread/bubble.h>
#include <qthread/dictionary.h>
#include <qthread/qdqueue.h>
#include <qthread/qlfqueue.h>
#include <qthread/qloop.h>
#include <qthread/qpool.h>
#include <qthread/qswsrqueue.h>
#include <qthread/qthread.h>
#include <qthread/sinc.h>
#include <qthread/wavefront.h>

enum { N = 32, TASKS = 4 };

static struct {
	int x, y, a[N];
} *m;

static bool racy;               /* set while no task runs */
static aligned_t word, done[TASKS], lock[2];
static syncvar_t var;

/* f runs in TASKS tasks, and all are waited for. */
static void all_run(qthread_f f)
{
	for (uintptr_t i = 0; i < TASKS; i++)
		qthread_fork(f, (void *)i, &done[i]);
	for (unsigned i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &done[i]);
}

/* Both run, and whoever calls this waits for both. */
static void two_run(qthread_f f, qthread_f g)
{
	qthread_fork(f, NULL, &done[0]);
	qthread_fork(g, NULL, &done[1]);
	qthread_readFF(NULL, &done[0]);
	qthread_readFF(NULL, &done[1]);
}

static aligned_t increase(void *unused)
{
	(void)unused;
	m->x++;
	return 1;
}

/* --- forking and joining --------------------------------------------------------------------------------- */

static aligned_t write_x(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++)
		m->a[i] = m->x;
	return 0;
}

static void p_fork(bool wrong)
{
	m->x = 1;
	qthread_fork(write_x, NULL, &word);
	if (wrong)
		m->a[0] = 2;
	qthread_readFF(NULL, &word);
	m->a[1] = m->a[0];
}

static void p_siblings(bool wrong)
{
	qthread_fork(increase, NULL, &done[0]);
	if (!wrong)
		qthread_readFF(NULL, &done[0]);
	qthread_fork(increase, NULL, &done[1]);
	qthread_readFF(NULL, &done[0]);
	qthread_readFF(NULL, &done[1]);
}

static aligned_t fib(void *arg)
{
	uintptr_t n = (uintptr_t)arg;
	aligned_t one, other, others;
	int mine = 1;

	if (n < 2)
		return n;
	qthread_fork(fib, (void *)(n - 1), &one);
	qthread_fork(fib, (void *)(n - 2), &other);
	if (racy && n == 5)
		m->x++;
	qthread_readFF(NULL, &one);
	qthread_readFF(&others, &other);
	return one + others + (mine == 0);
}

static void p_fib(bool wrong)
{
	racy = wrong;
	qthread_fork(fib, (void *)8, &word);
	qthread_readFF(NULL, &word);
	m->x++;
}

struct args {
	int n, *shared;
};

static aligned_t use_copy(void *arg)
{
	struct args *args = arg;

	args->n++;
	if (racy)
		++*args->shared;
	return 0;
}

static void p_copyargs(bool wrong)
{
	struct args args = { 0, &m->x };

	racy = wrong;
	for (unsigned i = 0; i < TASKS; i++) {
		args.n = (int)i;
		qthread_fork_copyargs(use_copy, &args, sizeof(args), &done[i]);
	}
	for (unsigned i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &done[i]);
	m->x = args.n;
}

static aligned_t use_local(void *unused)
{
	int *mine = qthread_get_tasklocal(sizeof(*mine));

	(void)unused;
	++*mine;
	if (racy)
		m->x = *mine;
	qthread_yield();
	++*mine;
	return 0;
}

static void p_tasklocal(bool wrong)
{
	racy = wrong;
	all_run(use_local);
}

static aligned_t fill_word(void *unused)
{
	(void)unused;
	m->x = 1;
	qthread_fill(&word);
	if (racy)
		m->x = 2;
	return 0;
}

static aligned_t read_x(void *unused)
{
	(void)unused;
	m->y = m->x;
	return 0;
}

static void p_precond(bool wrong)
{
	racy = wrong;
	qthread_empty(&word);
	qthread_fork_precond(read_x, NULL, &done[1], 1, &word);
	qthread_fork(fill_word, NULL, &done[0]);
	qthread_readFF(NULL, &done[0]);
	qthread_readFF(NULL, &done[1]);
}

static aligned_t bubble_part(void *arg)
{
	*(racy ? &m->x : (int *)arg) = 1;
	return 0;
}

static void p_bubble(bool wrong)
{
	racy = wrong;
	qthread_fork_bubble(bubble_part, m->a, sizeof(m->a[0]), TASKS, &word);
	qthread_readFF(NULL, &word);
	m->a[0] = m->a[TASKS - 1];
}

static aligned_t lead(void *unused)
{
	(void)unused;
	qthread_fork(increase, NULL, NULL);
	if (racy)
		m->x++;
	return 0;
}

/* The leader's result waits for the whole team. */
static void p_team(bool wrong)
{
	racy = wrong;
	qthread_fork_new_team(lead, NULL, &done[0]);
	qthread_readFF(NULL, &done[0]);
	m->a[0] = m->x++;
}

/* --- words ----------------------------------------------------------------------------------------------- */

static aligned_t give(void *unused)
{
	(void)unused;
	for (int i = 0; i < 5; i++) {
		m->x = i;
		qthread_writeEF_const(&word, (aligned_t)i);
		if (racy)
			m->x = -i;
	}
	return 0;
}

static aligned_t take(void *unused)
{
	(void)unused;
	for (int i = 0; i < 5; i++) {
		qthread_readFE(NULL, &word);
		m->y += racy ? m->x : 0;
	}
	return 0;
}

static aligned_t give_last(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++) {
		m->a[i] = i;
		qthread_writeEF_const(&word, (aligned_t)i);
	}
	return 0;
}

static aligned_t take_last(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++) {
		qthread_readFE(NULL, &word);
		m->y += m->a[i];
	}
	return 0;
}

static void p_handover(bool wrong)
{
	racy = wrong;
	qthread_empty(&word);
	two_run(wrong ? take : take_last, wrong ? give : give_last);
	qthread_fill(&word);
}

static aligned_t empty_then_write(void *unused)
{
	(void)unused;
	m->x = 1;
	qthread_readFE(NULL, &word);
	if (racy)
		m->x = 2;
	return 0;
}

static aligned_t fill_then_read(void *unused)
{
	(void)unused;
	qthread_writeEF_const(&word, 1);
	m->y = m->x;
	return 0;
}

static void p_emptied(bool wrong)
{
	racy = wrong;
	qthread_fill(&word);
	two_run(fill_then_read, empty_then_write);
}

static aligned_t look_then_read(void *unused)
{
	(void)unused;
	while (qthread_feb_status(&word) == 0)
		qthread_yield();
	m->y = m->x;
	return 0;
}

static void p_status(bool wrong)
{
	racy = wrong;
	qthread_empty(&word);
	two_run(look_then_read, fill_word);
}

static aligned_t lock_and_add(void *arg)
{
	aligned_t *mine = &lock[racy && !arg];

	for (int i = 0; i < 5; i++) {
		qthread_lock(mine);
		m->x++;
		qthread_unlock(mine);
	}
	return 0;
}

static void p_lock(bool wrong)
{
	racy = wrong;
	all_run(lock_and_add);
}

static qthread_spinlock_t spin[2];

static aligned_t spin_and_add(void *arg)
{
	qthread_spinlock_t *mine = &spin[racy && !arg];

	for (int i = 0; i < 5; i++) {
		if (i % 2 || qthread_spinlock_trylock(mine) != QTHREAD_SUCCESS)
			qthread_spinlock_lock(mine);
		m->x++;
		qthread_spinlock_unlock(mine);
	}
	return 0;
}

static void p_spinlock(bool wrong)
{
	racy = wrong;
	qthread_spinlock_init(&spin[0], false);
	qthread_spinlock_init(&spin[1], true);
	all_run(spin_and_add);
}

static aligned_t var_fill(void *unused)
{
	(void)unused;
	m->x = 1;
	qthread_syncvar_writeEF_const(&var, 1);
	if (racy)
		m->x = 2;
	return 0;
}

static aligned_t var_take(void *unused)
{
	(void)unused;
	qthread_syncvar_readFE(NULL, &var);
	m->y = m->x;
	return 0;
}

static void p_syncvar(bool wrong)
{
	racy = wrong;
	qthread_syncvar_empty(&var);
	two_run(var_take, var_fill);
}

static void p_fork_syncvar(bool wrong)
{
	qthread_fork_syncvar(increase, NULL, &var);
	if (wrong)
		m->x++;
	qthread_syncvar_readFF(NULL, &var);
	m->x++;
}

/* --- joining many ---------------------------------------------------------------------------------------- */

static qt_sinc_t sinc;

static aligned_t submit(void *arg)
{
	uintptr_t i = (uintptr_t)arg;

	m->a[i] = 1;
	qt_sinc_submit(&sinc, NULL);
	if (racy)
		m->a[i] = 2;
	return 0;
}

static void p_sinc(bool wrong)
{
	racy = wrong;
	qt_sinc_init(&sinc, 0, NULL, NULL, TASKS);
	for (uintptr_t i = 0; i < TASKS; i++)
		qthread_fork(submit, (void *)i, &done[i]);
	qt_sinc_wait(&sinc, NULL);
	for (unsigned i = 0; i < TASKS; i++)
		m->x += m->a[i];
	for (unsigned i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &done[i]);
	qt_sinc_fini(&sinc);
}

static void sum_up(void *to, const void *from)
{
	*(aligned_t *)to += *(const aligned_t *)from;
}

static aligned_t submit_value(void *unused)
{
	aligned_t one = 1;

	(void)unused;
	if (racy)
		m->x++;
	qt_sinc_submit(&sinc, &one);
	return 0;
}

static void p_sinc_value(bool wrong)
{
	aligned_t zero = 0, sum = 0;

	racy = wrong;
	qt_sinc_init(&sinc, sizeof(sum), &zero, sum_up, TASKS);
	all_run(submit_value);
	qt_sinc_wait(&sinc, &sum);
	m->x = (int)sum;
	qt_sinc_fini(&sinc);
}

static qt_barrier_t *barrier;

static aligned_t rounds(void *arg)
{
	uintptr_t i = (uintptr_t)arg;

	for (int round = 0; round < 5; round++) {
		m->a[i] = round;
		qt_barrier_enter(barrier);
		m->a[N - 1 - i] = m->a[(i + 1) % TASKS];
		if (!racy)
			qt_barrier_enter(barrier);
	}
	return 0;
}

static void p_barrier(bool wrong)
{
	racy = wrong;
	barrier = qt_barrier_create(TASKS, REGION_BARRIER);
	all_run(rounds);
	qt_barrier_destroy(barrier);
}

/* Its caller tells which loop it is of: what has been reported of the same calls is not reported again. */
static inline __attribute__((always_inline)) void loop_part(size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		m->a[i] = 1;
	if (racy)
		m->x++;
}

static void part_each(size_t from, size_t to, void *unused)
{
	(void)unused;
	loop_part(from, to);
}

static void p_loop(bool wrong)
{
	racy = wrong;
	qt_loop(0, N, part_each, NULL);
	m->x = m->a[N - 1];
}

/* One worker gets one part. */
static void part_balanced(size_t from, size_t to, void *unused)
{
	(void)unused;
	loop_part(from, to);
}

static aligned_t loop_beside(void *arg)
{
	if (!arg || racy)
		qt_loop_balance(0, N, part_balanced, NULL);
	return 0;
}

static void p_loop_balance(bool wrong)
{
	racy = wrong;
	all_run(loop_beside);
	m->x = m->a[N - 1];
}

static void loop_sum(size_t from, size_t to, void *unused, void *sum)
{
	(void)unused;
	*(int *)sum = 0;
	for (size_t i = from; i < to; i++)
		*(racy && i % 8 == 0 ? &m->x : (int *)sum) += m->a[i];
}

static void add_sums(void *restrict to, const void *restrict from)
{
	*(int *)to += *(const int *)from;
}

static aligned_t loops_beside(void *arg)
{
	int sum = 0;

	if (arg)
		qt_loopaccum_balance(0, N, sizeof(sum), &sum, loop_sum, NULL, add_sums);
	else
		loop_sum(0, N, NULL, &sum);
	return (aligned_t)sum;
}

static void p_loop_accum(bool wrong)
{
	racy = wrong;
	all_run(loops_beside);
}

static void part_queued(size_t from, size_t to, void *unused)
{
	(void)unused;
	loop_part(from, to);
}

static aligned_t queue_beside(void *arg)
{
	if (!arg || racy)
		qt_loop_queue_run(qt_loop_queue_create(GUIDED, 0, N, 1, part_queued, NULL));
	return 0;
}

static void p_loop_queue(bool wrong)
{
	racy = wrong;
	all_run(queue_beside);
	m->x = m->a[N - 1];
}

static void cell(const void *left, const void *corner, const void *below, void *out)
{
	*(int *)out = *(const int *)left + *(const int *)corner + *(const int *)below;
}

static int grid[70][70];

static aligned_t waves(void *arg)
{
	int *column[70];

	for (unsigned i = 0; i < 70; i++)
		column[i] = grid[i];
	if (!arg || (racy && arg == (void *)1))
		qt_basic_wavefront(column, 70, 70, cell);
	return 0;
}

static void p_wavefront(bool wrong)
{
	racy = wrong;
	all_run(waves);
	grid[0][0] = grid[69][69];
}

/* --- handing elements on --------------------------------------------------------------------------------- */

static qthread_queue_t waiting;

static aligned_t join_queue(void *unused)
{
	(void)unused;
	qthread_queue_join(waiting);
	m->y += m->x;
	return 0;
}

static void p_queue(bool wrong)
{
	waiting = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);
	qthread_fork(join_queue, NULL, &done[0]);
	while (qthread_queue_length(waiting) == 0)
		qthread_yield();
	m->x = 1;
	qthread_queue_release_all(waiting);
	if (wrong)
		m->x = 2;
	qthread_readFF(NULL, &done[0]);
	qthread_queue_destroy(waiting);
}

static qlfqueue_t *fifo;
static qdqueue_t *spread;
static qswsrqueue_t *ring;

static aligned_t get_elements(void *unused)
{
	int *element;

	(void)unused;
	while (!(element = qlfqueue_dequeue(fifo)))
		qthread_yield();
	*element += 1;
	while (!(element = qdqueue_dequeue(spread)))
		qthread_yield();
	*element += 1;
	element = qswsrqueue_dequeue_blocking(ring);
	*element += 1;
	return 0;
}

static aligned_t put_elements(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++)
		m->a[i] = i;
	qlfqueue_enqueue(fifo, &m->a[0]);
	qdqueue_enqueue(spread, &m->a[1]);
	qswsrqueue_enqueue(ring, &m->a[2]);
	if (racy)
		m->a[1] = 0;
	return 0;
}

static void p_elements(bool wrong)
{
	racy = wrong;
	fifo = qlfqueue_create();
	spread = qdqueue_create();
	ring = qswsrqueue_create(4);
	two_run(get_elements, put_elements);
	qlfqueue_destroy(fifo);
	qdqueue_destroy(spread);
	qswsrqueue_destroy(ring);
}

static qt_dictionary *table;

static int same_number(void *one, void *other)
{
	return *(int *)one == *(int *)other;
}

static int hash_number(void *number)
{
	return *(int *)number;
}

static aligned_t use_table(void *arg)
{
	uintptr_t me = (uintptr_t)arg;
	static int keys[TASKS][N], values[TASKS][N];

	for (int i = 0; i < N; i++) {
		keys[me][i] = i;
		values[me][i] = (int)me;
		qt_dictionary_put_if_absent(table, &keys[me][i], &values[me][i]);
		int *value = qt_dictionary_get(table, &keys[me][i]);
		if (racy)
			*value += 1;
		else
			__atomic_fetch_add(&m->x, *value, __ATOMIC_RELAXED);
	}
	return 0;
}

static void p_dictionary(bool wrong)
{
	racy = wrong;
	table = qt_dictionary_create(same_number, hash_number, NULL);
	all_run(use_table);
	qt_dictionary_destroy(table);
}

static qpool *pool;

static aligned_t use_pool(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++) {
		int *mine = qpool_alloc(pool);
		*mine = i;
		if (racy)
			m->x = *mine;
		qthread_yield();
		*mine = i;
		qpool_free(pool, mine);
	}
	return 0;
}

static void p_pool(bool wrong)
{
	racy = wrong;
	pool = qpool_create(sizeof(int));
	all_run(use_pool);
	qpool_destroy(pool);
}

/* --- others ---------------------------------------------------------------------------------------------- */

static aligned_t count(void *unused)
{
	static aligned_t counter;

	(void)unused;
	if (qthread_incr(&counter, 1) == 0 || racy)
		m->x++;
	return 0;
}

static void p_incr(bool wrong)
{
	racy = wrong;
	all_run(count);
}

static aligned_t yield_and_write(void *arg)
{
	for (int i = 0; i < 5; i++) {
		m->a[racy ? 0 : (uintptr_t)arg] = i;
		qthread_yield();
	}
	return 0;
}

static void p_yield(bool wrong)
{
	racy = wrong;
	all_run(yield_and_write);
}

static void *outside(void *unused)
{
	aligned_t ret;

	(void)unused;
	m->x = 1;
	qthread_fork(increase, NULL, &ret);
	if (racy)
		m->x = 2;
	qthread_readFF(NULL, &ret);
	m->x = 3;
	qthread_writeEF_const(&word, 1);
	return NULL;
}

static void p_thread(bool wrong)
{
	pthread_t thread;

	racy = wrong;
	qthread_empty(&word);
	pthread_create(&thread, NULL, outside, NULL);
	qthread_readFF(NULL, &word);
	m->x++;
	pthread_join(thread, NULL);
}

static void renew(void)
{
	m = calloc(1, sizeof(*m));
}

static const struct pair pair[] = {
	PAIR(fork), PAIR(siblings), PAIR(fib), PAIR(copyargs), PAIR(tasklocal), PAIR(precond), PAIR(bubble), PAIR(team),
	PAIR(handover), PAIR(emptied), PAIR(status), PAIR(lock), PAIR(spinlock), PAIR(syncvar), PAIR(fork_syncvar), PAIR(sinc),
	PAIR(sinc_value), PAIR(barrier), PAIR(loop), PAIR(loop_balance), PAIR(loop_accum), PAIR(loop_queue), PAIR(wavefront),
	PAIR(queue), PAIR(elements), PAIR(dictionary), PAIR(pool), PAIR(incr), PAIR(yield), PAIR(thread),
};

int main(int argc, char **argv)
{
	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	return run_pairs(pair, sizeof(pair) / sizeof(pair[0]), renew, argc, argv);
}
