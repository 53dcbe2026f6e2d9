/* test/api/queue.c -- task queues: joined, released in order, told of.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "waiting.h"

enum { CHECKS_PER_RUN = 23, OTHER_CHECKS = 19 };

static const uint8_t kinds[] = {
	QTHREAD_QUEUE_NO_SYNCH, QTHREAD_QUEUE_MULTI_JOIN, QTHREAD_QUEUE_MULTI_JOIN_LENGTH, QTHREAD_QUEUE_CAPPED };
static const char *const kind_name[] = { "NO_SYNCH", "MULTI_JOIN", "MULTI_JOIN_LENGTH", "CAPPED" };
enum { KINDS = sizeof(kinds), JOINERS = 12 };

static qthread_queue_t queue;
static uint32_t joined, came, released; /* tasks that are about to join; that came out; and have said so */
static uint32_t order[JOINERS];

static uint32_t load(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static void clear(void)
{
	joined = came = released = 0;
}

static aligned_t join(void *arg)
{
	qthread_incr(&joined, 1);
	const int rc = qthread_queue_join(queue);
	order[qthread_incr(&came, 1)] = (uint32_t)(uintptr_t)arg;
	qthread_incr(&released, 1);
	return (aligned_t)rc;
}

static void until_released(uint32_t n)
{
	while (load(&released) != n)
		let_others_run();
}

/* One after the other. */
static bool fork_joiners(aligned_t *ret)
{
	for (uint32_t i = 0; i < JOINERS; i++) {
		if (qthread_fork(join, (void *)(uintptr_t)i, &ret[i]) != QTHREAD_SUCCESS)
			return false;
		until_quiet();
	}
	return load(&joined) == JOINERS && load(&released) == 0;
}

static bool all_succeeded(aligned_t *ret)
{
	aligned_t value, wrong = 0;

	for (int i = 0; i < JOINERS; i++) {
		qthread_readFF(&value, &ret[i]);
		wrong += value != QTHREAD_SUCCESS;
	}
	return wrong == 0;
}

/* ---- One after the other ------------------------------------------------------------------------------------- */

static void each_kind(const char *what, int k)
{
	const aligned_t counts = kinds[k] >= QTHREAD_QUEUE_MULTI_JOIN_LENGTH;
	aligned_t ret[JOINERS];
	bool right = true;

	clear();
	queue = qthread_queue_create(kinds[k], JOINERS);
	ok(queue && qthread_queue_release_one(queue) == QTHREAD_SUCCESS && qthread_queue_release_all(queue) == QTHREAD_SUCCESS &&
		fork_joiners(ret),
		"%s: %s: qthread_queue_join waits, whatever was released before", what, kind_name[k]);
	for (uint32_t i = 0; i < JOINERS / 2; i++) {
		right = qthread_queue_length(queue) == counts * (JOINERS - i) && qthread_queue_release_one(queue) == QTHREAD_SUCCESS && right;
		until_released(i + 1);
		right = order[i] == i && right;
	}
	until_quiet();
	ok(right && load(&released) == JOINERS / 2, "%s: %s: qthread_queue_release_one releases the first, and one only", what,
		kind_name[k]);
	is_int(qthread_queue_destroy(queue), QTHREAD_OPFAIL, "%s: %s: qthread_queue_destroy refuses while somebody waits", what,
		kind_name[k]);
	right = qthread_queue_release_all(queue) == QTHREAD_SUCCESS;
	until_released(JOINERS);
	ok(right && all_succeeded(ret) && qthread_queue_length(queue) == 0,
		"%s: %s: qthread_queue_release_all releases the others, and qthread_queue_length is 0", what, kind_name[k]);
	is_int(qthread_queue_destroy(queue), QTHREAD_SUCCESS, "%s: %s: qthread_queue_destroy then destroys it", what, kind_name[k]);
}

static void capacity(const char *what)
{
	aligned_t ret[2], value = 0;

	clear();
	queue = qthread_queue_create(QTHREAD_QUEUE_CAPPED, 1);
	qthread_fork(join, NULL, &ret[0]);
	while (qthread_queue_length(queue) != 1)
		let_others_run();
	bool right = qthread_queue_join(queue) == QTHREAD_OPFAIL && qthread_queue_length(queue) == 1;
	qthread_queue_release_one(queue);
	qthread_fork(join, NULL, &ret[1]);
	while (qthread_queue_length(queue) != 1)
		let_others_run();
	qthread_queue_release_one(queue);
	for (int i = 0; i < 2; i++) {
		qthread_readFF(&value, &ret[i]);
		right = value == QTHREAD_SUCCESS && right;
	}
	qthread_queue_destroy(queue);
	ok(right, "%s: qthread_queue_join fails at once where a CAPPED queue is full, and only there", what);
}

/* ---- Many at once -------------------------------------------------------------------------------------------- */

static aligned_t join_often(void *arg)
{
	for (int i = 0; i < *(int *)arg; i++)
		qthread_queue_join(queue);
	return 0;
}

/* Who is counted can be released: with one releaser, each release lets exactly one go. */
static void counted_are_found(const char *what)
{
	int each = every_scaled(200);
	const int all = each * JOINERS;
	aligned_t ret[JOINERS];
	int done = 0;

	queue = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);
	for (int i = 0; i < JOINERS; i++)
		qthread_fork(join_often, &each, &ret[i]);
	for (; done < all; done++) {
		while (qthread_queue_length(queue) == 0)
			let_others_run();
		qthread_queue_release_one(queue);
	}
	for (int i = 0; i < JOINERS; i++)
		qthread_readFF(NULL, &ret[i]);
	ok(qthread_queue_length(queue) == 0, "%s: qthread_queue_release_one releases one whenever there is one", what);
	qthread_queue_destroy(queue);
}

/* The released task destroys the queue while the release may still be on its way. */
static aligned_t join_and_destroy(void *arg)
{
	int rc = qthread_queue_join(arg);

	return (aligned_t)(rc == QTHREAD_SUCCESS ? qthread_queue_destroy(arg) : rc);
}

static void released_may_destroy(const char *what)
{
	bool right = true;

	for (int i = every_scaled(200); i > 0; i--) {
		qthread_queue_t q = qthread_queue_create(i % 2 ? QTHREAD_QUEUE_CAPPED : QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 1);
		aligned_t ret, value = 9;
		qthread_fork(join_and_destroy, q, &ret);
		while (qthread_queue_length(q) == 0)
			let_others_run();
		if (i % 3)
			qthread_queue_release_one(q);
		else
			qthread_queue_release_all(q);
		qthread_readFF(&value, &ret);
		right = value == QTHREAD_SUCCESS && right;
	}
	ok(right, "%s: qthread_queue_destroy by the task that was released", what);
}

static void *join_outside(void *result)
{
	*(int *)result = qthread_queue_join(queue);
	return NULL;
}

static void release_outside(void *unused)
{
	(void)unused;
	while (qthread_queue_length(queue) != 2)
		sched_yield();
	qthread_queue_release_one(queue);
	qthread_queue_release_all(queue);
}

static void external_threads(const char *what)
{
	pthread_t thread;
	int rc = -1;
	aligned_t ret[2], value = 0;

	clear();
	queue = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);
	if (pthread_create(&thread, NULL, join_outside, &rc) != 0)
		bail_out("pthread_create failed");
	while (qthread_queue_length(queue) != 1)
		let_others_run();
	qthread_queue_release_one(queue);
	pthread_join(thread, NULL);
	is_int(rc, QTHREAD_SUCCESS, "%s: qthread_queue_join blocks an external thread", what);
	for (int i = 0; i < 2; i++)
		qthread_fork(join, NULL, &ret[i]);
	every_outside(release_outside, NULL);
	for (int i = 0; i < 2; i++) {
		qthread_readFF(&value, &ret[i]);
		rc |= (int)value;
	}
	is_int(rc, QTHREAD_SUCCESS, "%s: qthread_queue_release_one and _all by an external thread", what);
	qthread_queue_destroy(queue);
}

static aligned_t join_pinned(void *unused)
{
	(void)unused;
	const qthread_shepherd_id_t before = qthread_shep();
	qthread_queue_join(queue);
	return qthread_shep() == before;
}

static void pinned(const char *what)
{
	const qthread_shepherd_id_t n = qthread_num_shepherds();
	aligned_t ret[8], value, right = 1;

	queue = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN, 0);
	for (int i = 0; i < 8; i++)
		qthread_fork_to(join_pinned, NULL, &ret[i], (qthread_shepherd_id_t)(i % n));
	until_quiet();
	is_int(qthread_readstate(NODE_BUSYNESS), 1, "%s: tasks in a queue are not ready", what);
	qthread_queue_release_all(queue);
	for (int i = 0; i < 8; i++) {
		qthread_readFF(&value, &ret[i]);
		right &= value;
	}
	ok(right, "%s: pinned tasks go on on their shepherds", what);
	qthread_queue_destroy(queue);
}

/* How programs find out that all have joined a queue whose length nobody keeps.  A task that is missed never wakes. */
static void all_have_joined(const char *what)
{
	const int rounds = every_scaled(300);
	aligned_t ret[8];
	unsigned missed = 0;

	queue = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN, 0);
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < 8; i++)
			qthread_fork(join_pinned, NULL, &ret[i]);
		while (qthread_readstate(NODE_BUSYNESS) > 1)
			let_others_run();
		qthread_queue_release_all(queue);
		while (qthread_readstate(NODE_BUSYNESS) > 1)
			let_others_run();
		for (int i = 0; i < 8; i++)
			missed += !qthread_feb_status(&ret[i]);
		qthread_queue_release_all(queue);
		for (int i = 0; i < 8; i++)
			qthread_readFF(NULL, &ret[i]);
	}
	is_int(missed, 0, "%s: NODE_BUSYNESS 1: all other tasks wait", what);
	qthread_queue_destroy(queue);
}

static void run(const char *what)
{
	/* Every kind in turn; each has the same code below it. */
	static int k;

	each_kind(what, k);
	k = (k + 1) % KINDS;
	each_kind(what, k);
	each_kind(what, QTHREAD_QUEUE_MULTI_JOIN_LENGTH / 2);
	capacity(what);
	counted_are_found(what);
	released_may_destroy(what);
	external_threads(what);
	pinned(what);
	all_have_joined(what);
}

/* ---- Mistakes, and no runtime -------------------------------------------------------------------------------- */

static void mistakes(void)
{
	bool refused = true;

	for (int flags = 0; flags < 256; flags++)
		if (flags != 1 && flags != 2 && flags != 4 && flags != 8)
			refused = !qthread_queue_create((uint8_t)flags, 10) && refused;
	ok(refused, "qthread_queue_create gives NULL for what is no kind");
	ok(!qthread_queue_create(QTHREAD_QUEUE_CAPPED, 0), "qthread_queue_create gives NULL for a CAPPED queue for nobody");
	is_int(qthread_queue_join(NULL), QTHREAD_BADARGS, "qthread_queue_join of NULL");
	is_int(qthread_queue_release_one(NULL), QTHREAD_BADARGS, "qthread_queue_release_one of NULL");
	is_int(qthread_queue_release_all(NULL), QTHREAD_BADARGS, "qthread_queue_release_all of NULL");
	is_int(qthread_queue_destroy(NULL), QTHREAD_BADARGS, "qthread_queue_destroy of NULL");
	is_int(qthread_queue_length(NULL), 0, "qthread_queue_length of NULL");
}

static void while_down(void)
{
	qthread_queue_t q = qthread_queue_create(QTHREAD_QUEUE_CAPPED, (aligned_t)-1);

	ok(q != NULL, "qthread_queue_create works while the runtime is down");
	is_int(qthread_queue_join(q), QTHREAD_NOT_ALLOWED, "qthread_queue_join does not");
	is_int(qthread_queue_length(q), 0, "qthread_queue_length does");
	is_int(qthread_queue_release_one(q), QTHREAD_SUCCESS, "qthread_queue_release_one does");
	is_int(qthread_queue_release_all(q), QTHREAD_SUCCESS, "qthread_queue_release_all does");
	is_int(qthread_queue_destroy(q), QTHREAD_SUCCESS, "qthread_queue_destroy does");
}

/* Tasks that wait when the runtime stops are gone, threads are not. */
static void finalize(void)
{
	qthread_queue_t others[3];
	pthread_t thread;
	int rc = -1;

	for (int i = 0; i < 3; i++)
		others[i] = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN, 0);
	queue = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);
	is_int(qthread_queue_destroy(others[1]), QTHREAD_SUCCESS, "qthread_queue_destroy of one of several");
	every_start("mts", "1", "2");
	clear();
	for (int i = 0; i < 2; i++)
		qthread_fork(join, NULL, NULL);
	while (qthread_queue_length(queue) != 2)
		let_others_run();
	if (pthread_create(&thread, NULL, join_outside, &rc) != 0)
		bail_out("pthread_create failed");
	while (qthread_queue_length(queue) != 3)
		let_others_run();
	qthread_finalize();
	is_int(qthread_queue_length(queue), 1, "qthread_finalize: tasks are in a queue no more, external threads are");
	every_start("ws", "1", "2");
	clear();
	qthread_fork(join, NULL, NULL);
	while (qthread_queue_length(queue) != 2)
		let_others_run();
	qthread_queue_release_one(queue);
	pthread_join(thread, NULL);
	is_int(rc, QTHREAD_SUCCESS, "and that is the first to be released");
	qthread_queue_release_one(queue);
	until_released(1);
	qthread_finalize();
	is_int(qthread_queue_destroy(queue), QTHREAD_SUCCESS, "a queue works in the next runtime, too");
	is_int(qthread_queue_destroy(others[0]) | qthread_queue_destroy(others[2]), QTHREAD_SUCCESS, "and can be destroyed after it");
	ok(load(&released) == 1, "tasks forgotten by qthread_finalize never go on");
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	mistakes();
	while_down();
	finalize();
	every_runtime(run);
	return done();
}
