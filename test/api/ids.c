/* test/api/ids.c -- who am I, where, on what: numbers, shepherds, own data, own stack.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "waiting.h"

#include <qthread/sinc.h>

#include <string.h>

enum { CHECKS_PER_RUN = 23, OTHER_CHECKS = 9 };

static aligned_t in_task(qthread_f f, void *arg)
{
	aligned_t ret = 0;

	qthread_fork(f, arg, &ret);
	qthread_readFF(&ret, &ret);
	return ret;
}

/* ---- qthread_id ----------------------------------------------------------------------------------------------- */

static aligned_t same_id(void *arg)
{
	const unsigned id = qthread_id(), n = qthread_num_shepherds();
	bool right = id != QTHREAD_NON_TASK_ID && id != QTHREAD_NULL_TASK_ID;

	(void)arg;
	for (unsigned i = 0; i < 4; i++) {
		qthread_migrate_to((qthread_shepherd_id_t)(i % n));
		qthread_yield();
		right = right && qthread_id() == id;
	}
	return right ? id : 0;
}

static void id_outside(void *id)
{
	*(unsigned *)id = qthread_id();
}

static void ids(const char *what)
{
	enum { TASKS = 100 };
	aligned_t ret[TASKS];
	unsigned char met[TASKS + 2] = { 0 };
	unsigned outside = 1;
	bool right = true;

	const unsigned main_id = qthread_id();
	met[main_id < TASKS + 2 ? main_id : 0]++;
	for (int i = 0; i < TASKS; i++)
		qthread_fork(same_id, NULL, &ret[i]);
	for (int i = 0; i < TASKS; i++) {
		qthread_readFF(NULL, &ret[i]);
		met[ret[i] < TASKS + 2 ? ret[i] : 0]++;
	}
	for (int i = 1; i <= TASKS + 1; i++)
		right = right && met[i] == 1;
	ok(right && main_id == 1 && qthread_id() == main_id, "%s: tasks that ask are numbered from 1 on and keep their number", what);
	every_outside(id_outside, &outside);
	is_int(outside, QTHREAD_NON_TASK_ID, "%s: a pthread has none", what);
}

/* ---- Worker numbers ------------------------------------------------------------------------------------------- */

static aligned_t numbers_agree(void *arg)
{
	qthread_shepherd_id_t a = 99, b = 99, c = 99;
	const qthread_shepherd_id_t s = qthread_shep();
	const unsigned per_shepherd = qthread_num_workers_local(NO_SHEPHERD);

	(void)arg;
	const unsigned worker = qthread_worker(&a), unique = qthread_worker_unique(&b), local = qthread_worker_local(&c);
	return a == s && b == s && c == s && s < qthread_num_shepherds() && local < qthread_num_workers_local(s) &&
		worker == s * per_shepherd + local && unique >= 1 && unique <= qthread_num_workers() &&
		unique == worker + 1 && qthread_worker(NULL) == worker && qthread_worker_unique(NULL) == unique &&
		qthread_worker_local(NULL) == local && qthread_readstate(CURRENT_SHEPHERD) == s &&
		qthread_readstate(CURRENT_WORKER) == local && qthread_readstate(CURRENT_UNIQUE_WORKER) == unique - 1 &&
		qthread_shep_ok() == 1;
}

static void no_numbers(void *right)
{
	qthread_shepherd_id_t a = 99, b = 99, c = 99;

	*(bool *)right = qthread_shep() == NO_SHEPHERD && qthread_worker(&a) == NO_WORKER && a == NO_SHEPHERD &&
		qthread_worker_unique(&b) == NO_WORKER && b == NO_SHEPHERD && qthread_worker_local(&c) == NO_WORKER &&
		c == NO_SHEPHERD && qthread_worker(NULL) == NO_WORKER && qthread_shep_ok() == QTHREAD_PTHREAD_ERROR &&
		qthread_retloc() == NULL && qthread_tos() == NULL && qthread_bos() == NULL && qthread_stackleft() == 0 &&
		qthread_get_tasklocal(1) == NULL && qthread_size_tasklocal() == 0;
}

static void no_numbers_outside(void *right)
{
	no_numbers(right);
	*(bool *)right = *(bool *)right && qthread_sorted_sheps() == NULL && qthread_readstate(CURRENT_SHEPHERD) == NO_SHEPHERD &&
		qthread_readstate(CURRENT_WORKER) == NO_WORKER && qthread_readstate(CURRENT_UNIQUE_WORKER) == NO_WORKER &&
		qthread_readstate(BUSYNESS) == (size_t)-1 && qthread_readstate(TOTAL_WORKERS) == qthread_num_workers();
}

static void workers(const char *what)
{
	bool right = true, outside = false;

	for (int i = 0; i < 20; i++) {
		aligned_t ret = 0;
		qthread_fork_to(numbers_agree, NULL, &ret, (qthread_shepherd_id_t)i);
		qthread_readFF(NULL, &ret);
		right = right && ret == 1;
	}
	ok(right && numbers_agree(NULL), "%s: the numbers of workers agree with each other", what);
	ok(qthread_worker_unique(NULL) == 1 && qthread_worker(NULL) == 0 && qthread_shep() == 0,
		"%s: the main task is on the first worker", what);
	every_outside(no_numbers_outside, &outside);
	ok(outside, "%s: a pthread is told that it is on none", what);
}

/* ---- Shepherds ------------------------------------------------------------------------------------------------ */

static void counts(const char *what)
{
	const unsigned sheps = (unsigned)atoi(getenv("QT_NUM_SHEPHERDS"));
	const unsigned each = (unsigned)atoi(getenv("QT_NUM_WORKERS_PER_SHEPHERD"));

	ok(qthread_num_shepherds() == sheps && qthread_num_workers() == sheps * each &&
		qthread_num_workers_local(NO_SHEPHERD) == each && qthread_num_workers_local(0) == each &&
		qthread_num_workers_local((qthread_shepherd_id_t)(sheps - 1)) == each &&
		qthread_num_workers_local((qthread_shepherd_id_t)sheps) == each, "%s: as many as were asked for", what);
	ok(qthread_readstate(TOTAL_SHEPHERDS) == sheps && qthread_readstate(ACTIVE_SHEPHERDS) == sheps &&
		qthread_readstate(TOTAL_WORKERS) == sheps * each && qthread_readstate(ACTIVE_WORKERS) == sheps * each,
		"%s: qthread_readstate counts the same", what);
}

static void next_and_previous(const char *what)
{
	const qthread_shepherd_id_t n = qthread_num_shepherds();
	bool right = true;

	for (qthread_shepherd_id_t s = 0; s < n; s++) {
		qthread_shepherd_id_t next = s, prev = s, next_local = s, prev_local = s;

		qthread_shep_next(&next);
		qthread_shep_prev(&prev);
		qthread_shep_next_local(&next_local);
		qthread_shep_prev_local(&prev_local);
		right = right && next == (s + 1) % n && prev == (s + n - 1) % n && next_local == next && prev_local == prev;
	}
	for (unsigned bad = n; bad <= NO_SHEPHERD; bad += 13) {
		qthread_shepherd_id_t next = (qthread_shepherd_id_t)bad, prev = next;

		qthread_shep_next(&next);
		qthread_shep_prev(&prev);
		right = right && next == 0 && prev == n - 1;
	}
	qthread_shep_next(NULL);
	qthread_shep_prev(NULL);
	qthread_shep_next_local(NULL);
	qthread_shep_prev_local(NULL);
	ok(right, "%s: next and previous go round; one that does not exist becomes the first, or the last", what);
}

static void distances(const char *what)
{
	const qthread_shepherd_id_t n = qthread_num_shepherds();
	bool right = true;

	for (qthread_shepherd_id_t s = 0; s < n; s++) {
		const qthread_shepherd_id_t *others = qthread_sorted_sheps_remote(s);
		unsigned met = 1u << s;

		right = right && qthread_distance(s, s) == 0;
		for (int i = 0; i < n - 1; i++) {
			met |= 1u << others[i];
			right = right && qthread_distance(s, others[i]) > 0 &&
				qthread_distance(s, others[i]) == qthread_distance(others[i], s) &&
				(i == 0 || qthread_distance(s, others[i - 1]) <= qthread_distance(s, others[i]));
		}
		right = right && met == (1u << n) - 1;
	}
	ok(right, "%s: the other shepherds, each once, nearest first", what);
	ok(qthread_sorted_sheps() == qthread_sorted_sheps_remote(0) && qthread_sorted_sheps_remote(n) == NULL &&
		qthread_sorted_sheps_remote(NO_SHEPHERD) == NULL && qthread_distance(0, n) == QTHREAD_BADARGS &&
		qthread_distance(n, 0) == QTHREAD_BADARGS && qthread_distance(NO_SHEPHERD, NO_SHEPHERD) == QTHREAD_BADARGS,
		"%s: of shepherds that do not exist there is nothing to tell", what);
}

/* ---- qthread_readstate ---------------------------------------------------------------------------------------- */

static aligned_t gate;

static aligned_t wait_at_gate(void *arg)
{
	(void)arg;
	qthread_readFF(NULL, &gate);
	return 0;
}

static aligned_t nothing(void *arg)
{
	(void)arg;
	return 0;
}

/* Nobody has waited for anything since the runtime's start. */
static void load_at_start(const char *what)
{
	size_t ready = qthread_readstate(NODE_BUSYNESS), running = qthread_readstate(WORKER_OCCUPATION);

	is_int(ready, 1, "%s: from the start on the main task is all that is busy", what);
	is_int(running, 1, "%s: and its worker the only one that runs something", what);
}

static void load(const char *what)
{
	until_quiet();
	ok(qthread_readstate(NODE_BUSYNESS) == 1 && qthread_readstate(WORKER_OCCUPATION) == 1 && qthread_readstate(BUSYNESS) == 1,
		"%s: when nothing else goes on, the main task is all there is", what);
	qthread_empty(&gate);
	for (int i = 0; i < 10; i++)
		qthread_fork(wait_at_gate, NULL, NULL);
	until_quiet();
	ok(qthread_readstate(NODE_BUSYNESS) == 1 && qthread_readstate(BUSYNESS) == 1, "%s: tasks that wait do not count", what);
	qthread_fill(&gate);
	until_quiet();
	if (qthread_num_workers() == 1) {
		for (int i = 0; i < 10; i++)
			qthread_fork_to(nothing, NULL, NULL, i % 2 ? 0 : NO_SHEPHERD);
		ok(qthread_readstate(BUSYNESS) == 11 && qthread_readstate(NODE_BUSYNESS) == 11, "%s: tasks that are ready do", what);
		until_quiet();
	} else {
		skip(1, "%s: other workers would take the ready tasks", what);
	}
	ok(qthread_readstate(STACK_SIZE) >= 8192 && qthread_readstate(RUNTIME_DATA_SIZE) > 0 &&
		qthread_readstate(CURRENT_TEAM) == QTHREAD_DEFAULT_TEAM_ID && qthread_readstate(PARENT_TEAM) == QTHREAD_NON_TEAM_ID &&
		qthread_readstate((enum introspective_state)99) == (size_t)-1, "%s: sizes, teams, and an unknown question", what);
}

/* ---- Task-local data ------------------------------------------------------------------------------------------ */

static aligned_t own_data_grows(void *arg)
{
	const unsigned n = qthread_num_shepherds(), sizes[] = { 1, 100, 4000, 100000 };
	unsigned char fill = (unsigned char)(uintptr_t)arg;
	unsigned size = qthread_size_tasklocal(), before;
	bool right = size >= sizeof(void *);

	for (int i = 0; i < 4; i++) {
		before = i ? size : 0;
		unsigned char *area = qthread_get_tasklocal(sizes[i]);
		size = qthread_size_tasklocal();
		right = right && area && size >= sizes[i] && (uintptr_t)area % sizeof(void *) == 0;
		for (unsigned k = 0; right && k < before; k++)
			right = area[k] == (unsigned char)(fill + k);
		for (unsigned k = 0; right && k < size; k++)
			area[k] = (unsigned char)(fill + k);
		qthread_migrate_to((qthread_shepherd_id_t)((fill + i) % n));
		qthread_yield();
		right = right && qthread_get_tasklocal(0) == area && qthread_get_tasklocal(size) == area &&
			qthread_size_tasklocal() == size;
	}
	return right;
}

static void own_data(const char *what)
{
	enum { TASKS = 20 };
	aligned_t ret[TASKS];
	bool right = true;

	for (uintptr_t i = 0; i < TASKS; i++)
		qthread_fork(own_data_grows, (void *)i, &ret[i]);
	for (int i = 0; i < TASKS; i++) {
		qthread_readFF(NULL, &ret[i]);
		right = right && ret[i] == 1;
	}
	ok(right, "%s: each task's data stay its own, grow, and keep their bytes", what);
	unsigned *mine = qthread_get_tasklocal(sizeof(*mine));
	*mine = 4711;
	in_task(own_data_grows, (void *)1);
	ok(qthread_get_tasklocal(1) == (void *)mine && *mine == 4711, "%s: so do the main task's", what);
}

/* ---- The stack ------------------------------------------------------------------------------------------------ */

/* Depth frames of 200 bytes or more; what the compiler cannot see through it cannot make a loop of. */
static __attribute__((noinline)) size_t left_below(int depth)
{
	char frame[200];

	__asm__ volatile("" : : "r"(frame) : "memory");
	size_t left = depth ? left_below(depth - 1) : qthread_stackleft();
	__asm__ volatile("" : : "r"(frame) : "memory");
	return left;
}

/* A child that is joined stands on its parent's stack, so this one is not. */
static aligned_t stack_is_sane(void *arg)
{
	const size_t size = qthread_readstate(STACK_SIZE);
	char here, *top = qthread_tos(), *end = qthread_bos();
	const size_t left = qthread_stackleft();

	(void)arg;
	return top && end && top < &here && &here < end && (size_t)(end - top) >= size &&
		left > 0 && left <= (size_t)(&here - top) + 1024 && left_below(5) + 1000 < left && qthread_stackleft() == left;
}

static void stacks(const char *what)
{
	aligned_t ret = 0;

	qthread_fork_to(stack_is_sane, NULL, &ret, (qthread_shepherd_id_t)(qthread_num_shepherds() - 1));
	until_quiet();
	qthread_readFF(NULL, &ret);
	ok(ret == 1, "%s: a task stands within its stack, and what is left of it shrinks with the depth", what);
	ok(qthread_tos() == NULL && qthread_bos() == NULL && qthread_stackleft() == 0, "%s: the main task's is not told", what);
}

/* ---- qthread_retloc ------------------------------------------------------------------------------------------- */

static aligned_t my_retloc(void *arg)
{
	(void)arg;
	qthread_yield();
	return (aligned_t)(uintptr_t)qthread_retloc();
}

static aligned_t retloc_of_null;

static aligned_t note_retloc(void *arg)
{
	(void)arg;
	retloc_of_null = (aligned_t)(uintptr_t)qthread_retloc();
	return 0;
}

static void keep_last(void *tgt, void const *src)
{
	*(aligned_t *)tgt = *(aligned_t const *)src ? *(aligned_t const *)src : *(aligned_t *)tgt;
}

static void retlocs(const char *what)
{
	aligned_t word = 0, from_sinc = 0;
	syncvar_t sv = SYNCVAR_INITIALIZER;
	uint64_t got = 0;
	qt_sinc_t *sinc = qt_sinc_create(sizeof(aligned_t), NULL, keep_last, 1);

	qthread_fork(my_retloc, NULL, &word);
	qthread_fork_syncvar(my_retloc, NULL, &sv);
	qthread_spawn(my_retloc, NULL, 0, sinc, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC);
	retloc_of_null = 1;
	qthread_fork(note_retloc, NULL, NULL);
	qthread_readFF(NULL, &word);
	qthread_syncvar_readFF(&got, &sv);
	qt_sinc_wait(sinc, &from_sinc);
	until_quiet();
	ok(word == (uintptr_t)&word && got == (uintptr_t)&sv && from_sinc == (uintptr_t)sinc,
		"%s: qthread_retloc tells the ret, of each kind", what);
	qt_sinc_destroy(sinc);
	ok(retloc_of_null == 0 && qthread_retloc() == NULL, "%s: NULL for a task without, and for the main task", what);
}

/* ---- qthread_reset_target_shep -------------------------------------------------------------------------------- */

static aligned_t where(void *arg)
{
	(void)arg;
	return qthread_shep();
}

/* Q and L deal new tasks out to the shepherds in turn, and nobody takes them from there. */
static void dealing_begins_anew(const char *what)
{
	aligned_t first[3], again[3];

	for (int round = 0; round < 2; round++) {
		aligned_t *ret = round ? again : first;
		qthread_reset_target_shep();
		for (int i = 0; i < 3; i++)
			qthread_fork(where, NULL, &ret[i]);
		for (int i = 0; i < 3; i++)
			qthread_readFF(NULL, &ret[i]);
	}
	ok(first[0] != first[1] && first[0] == first[2] && first[0] == again[0] && first[1] == again[1] && first[2] == again[2],
		"%s: after qthread_reset_target_shep the shepherds get tasks in the same order again", what);
}

static void reset_outside(void *arg)
{
	(void)arg;
	qthread_reset_target_shep();
}

/* ---- While the runtime is down -------------------------------------------------------------------------------- */

static void while_down(const char *when)
{
	bool right = false;
	size_t sum = 0;

	no_numbers(&right);
	ok(right && qthread_id() == QTHREAD_NON_TASK_ID && qthread_sorted_sheps() == NULL && qthread_sorted_sheps_remote(0) == NULL &&
		qthread_distance(0, 0) == QTHREAD_BADARGS, "%s a caller is told that it is nowhere", when);
	for (int s = STACK_SIZE; s <= PARENT_TEAM; s++)
		sum += s == RUNTIME_DATA_SIZE ? 0 : qthread_readstate((enum introspective_state)s);
	ok(qthread_num_shepherds() + qthread_num_workers() + qthread_num_workers_local(0) == 0 && sum == 0,
		"%s there is nothing to count", when);
	ok(qthread_readstate(RUNTIME_DATA_SIZE) > 0, "%s the size of what the runtime keeps per task is known", when);
	qthread_reset_target_shep();
	qthread_flushsc();
}

static void larger_own_data(void)
{
	setenv("QT_TASKLOCAL_SIZE", "300", 1);
	every_start("ws", "1", "2");
	unsigned char *mine = qthread_get_tasklocal(300);
	ok(qthread_size_tasklocal() >= 300 && mine != NULL, "QT_TASKLOCAL_SIZE=300 gives each task 300 bytes");
	memset(mine, 1, 300);
	ok(in_task(own_data_grows, (void *)7) == 1, "which can grow");
	qthread_finalize();
	unsetenv("QT_TASKLOCAL_SIZE");
}

static aligned_t id_of_task(void *arg)
{
	(void)arg;
	return qthread_id();
}

static void numbering_starts_again(void)
{
	every_start("ws", "1", "1");
	is_int(in_task(id_of_task, NULL), 1, "after a new start tasks are numbered from 1 again");
	qthread_finalize();
}

static void run(const char *what)
{
	load_at_start(what);
	ids(what);
	workers(what);
	counts(what);
	next_and_previous(what);
	distances(what);
	load(what);
	own_data(what);
	stacks(what);
	retlocs(what);
	every_outside(reset_outside, NULL);
	ok(true, "%s: a pthread may call qthread_reset_target_shep", what);
	if (!qti_rt.sched->claim && qthread_num_shepherds() == 2)
		dealing_begins_anew(what);
}

/* q and l spread what is forked, where there are two shepherds: in half of their shapes, and in one alone. */
static int spreading(void)
{
	int checks = 0;

	for (int s = 0; s < EVERY_SCHEDULERS; s++)
		if (strcmp(every_scheduler[s], "q") == 0 || strcmp(every_scheduler[s], "l") == 0)
			checks += (every_nshapes_of(s) + 1) / 2;
	return checks;
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + spreading() + OTHER_CHECKS);
	while_down("before qthread_initialize");
	every_runtime(run);
	while_down("after qthread_finalize");
	larger_own_data();
	numbering_starts_again();
	return done();
}
