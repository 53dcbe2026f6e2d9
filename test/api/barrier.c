/* test/api/barrier.c -- nobody passes a barrier before everybody has come, whoever takes part and however often.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "child.h"
#include "waiting.h"

#include <qthread/feb_barrier.h>
#include <qthread/stats.h>

enum { CHECKS_PER_RUN = 29, OTHER_CHECKS = 11, MOST = 64 };

/* ---- Participants that look whether anybody is missing */

struct crowd {
	qt_barrier_t *barrier;
	void (*enter)(qt_barrier_t *b);
	int n, rounds;
	aligned_t entered;              /* atomically */
	aligned_t early;
	int written[MOST];              /* each its own; the others read it after the barrier */
};

struct member {
	struct crowd *crowd;
	int id;
};

static void take_part(void *arg)
{
	const struct member *m = arg;
	struct crowd *c = m->crowd;

	for (int r = 1; r <= c->rounds; r++) {
		c->written[m->id] = r;
		qthread_incr(&c->entered, 1);
		c->enter(c->barrier);
		if (qthread_incr(&c->entered, 0) < (aligned_t)r * c->n || c->written[(m->id + 1) % c->n] != r)
			qthread_incr(&c->early, 1);
		c->enter(c->barrier);           /* all have looked */
	}
}

static aligned_t take_part_as_task(void *arg)
{
	take_part(arg);
	return 0;
}

static void *take_part_as_thread(void *arg)
{
	take_part(arg);
	return NULL;
}

/* n participants, of which the last `outside` are external threads. */
static bool crowd_meets(struct crowd *c, int outside)
{
	struct member m[MOST];
	aligned_t ret[MOST];
	pthread_t thread[MOST];
	const int inside = c->n - outside;

	c->entered = c->early = 0;
	for (int i = 0; i < c->n; i++)
		m[i] = (struct member){ c, i };
	for (int i = 0; i < outside; i++)
		if (pthread_create(&thread[i], NULL, take_part_as_thread, &m[inside + i]) != 0)
			bail_out("pthread_create failed");
	for (int i = 0; i < inside; i++)
		qthread_fork(take_part_as_task, &m[i], &ret[i]);
	for (int i = 0; i < inside; i++)
		qthread_readFF(NULL, &ret[i]);
	for (int i = 0; i < outside; i++)
		pthread_join(thread[i], NULL);
	return c->early == 0 && c->entered == (aligned_t)c->n * (aligned_t)c->rounds;
}

static void enter(const char *what)
{
	static const int sizes[] = { 1, 2, 3, 17, MOST };

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct crowd c = { .barrier = qt_barrier_create((size_t)sizes[i], REGION_BARRIER),
			.enter = qt_barrier_enter, .n = sizes[i], .rounds = every_scaled(600) / sizes[i] + 2 };
		ok(crowd_meets(&c, 0), "%s: qt_barrier_enter: %d tasks meet in every round", what, sizes[i]);
		qt_barrier_destroy(c.barrier);
	}
}

static void enter_from_outside(const char *what)
{
	struct crowd c = { .barrier = qt_barrier_create(6, LOOP_BARRIER), .enter = qt_barrier_enter, .n = 6,
		.rounds = every_scaled(60) };

	ok(crowd_meets(&c, 3), "%s: qt_barrier_enter: tasks and external threads meet", what);
	ok(crowd_meets(&c, 6), "%s: qt_barrier_enter: external threads meet among themselves", what);
	qt_barrier_destroy(c.barrier);
}

static void enter_by_id(qt_barrier_t *b)
{
	qt_barrier_enter_id(b, 12345);
}

static void enter_id(const char *what)
{
	struct crowd c = { .barrier = qt_barrier_create(5, REGION_BARRIER), .enter = enter_by_id, .n = 5,
		.rounds = every_scaled(60) };

	ok(crowd_meets(&c, 0), "%s: qt_barrier_enter_id: any number will do", what);
	qt_barrier_destroy(c.barrier);
}

/* ---- More than there is room for */

static aligned_t enter_once(void *arg)
{
	qt_barrier_enter(arg);
	return 0;
}

static void too_many(const char *what)
{
	enum { N = 3, GROUPS = 8 };
	qt_barrier_t *b = qt_barrier_create(N, REGION_BARRIER);
	aligned_t ret[N * GROUPS];

	for (int i = 0; i < N * GROUPS; i++)
		qthread_fork(enter_once, b, &ret[i]);
	for (int i = 0; i < N * GROUPS; i++)
		qthread_readFF(NULL, &ret[i]);
	ok(1, "%s: qt_barrier_enter: %d enter a barrier for %d, in groups", what, N * GROUPS, N);

	uint32_t full = 0;
	for (int i = 0; i < N + 1; i++)
		qthread_fork(enter_once, b, &ret[i]);
	until_quiet();
	for (int i = 0; i < N + 1; i++)
		full += (uint32_t)qthread_feb_status(&ret[i]);
	is_int(full, N, "%s: qt_barrier_enter: of one too many, one waits", what);
	for (int i = 0; i < N - 1; i++)
		qthread_fork(enter_once, b, NULL);
	for (int i = 0; i < N + 1; i++)
		qthread_readFF(NULL, &ret[i]);
	qt_barrier_destroy(b);
}

/* ---- On one worker a round costs a switch for each participant */

static void switches(const char *what)
{
	enum { N = 50, ROUNDS = 20 };
	struct crowd c = { .barrier = qt_barrier_create(N, REGION_BARRIER), .enter = qt_barrier_enter, .n = N,
		.rounds = ROUNDS / 2 };
	qt_stats_t before, after;

	qthread_stats(&before, QT_STATS_TOTAL, 0);
	crowd_meets(&c, 0);
	qthread_stats(&after, QT_STATS_TOTAL, 0);
	const uint64_t took = after.switches - before.switches;
	ok(qthread_num_workers() > 1 || took <= N * ROUNDS + 2 * N,
		"%s: qt_barrier_enter: %d rounds of %d tasks took %d switches", what, ROUNDS, N, (int)took);
	qt_barrier_destroy(c.barrier);
}

/* ---- Size */

static void resize(const char *what)
{
	static const int sizes[] = { 2, 7, 1, 33, 4 };
	qt_barrier_t *b = qt_barrier_create(3, REGION_BARRIER);

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct crowd c = { .barrier = b, .enter = qt_barrier_enter, .n = sizes[i], .rounds = 5 };
		qt_barrier_resize(b, (size_t)sizes[i]);
		ok(crowd_meets(&c, 0), "%s: qt_barrier_resize: to %d", what, sizes[i]);
	}
	qt_barrier_resize(b, 0);
	struct crowd c = { .barrier = b, .enter = qt_barrier_enter, .n = 4, .rounds = 5 };
	ok(crowd_meets(&c, 0), "%s: qt_barrier_resize: to 0 changes nothing", what);
	qt_barrier_destroy(b);
}

/* ---- The end of a barrier */

struct ending {
	qt_barrier_t *barrier;
	void (*end)(qt_barrier_t *b);
	uint32_t ended;
};

static aligned_t end_it(void *arg)
{
	struct ending *e = arg;

	e->end(e->barrier);
	flag_raise(&e->ended);
	return 0;
}

static void to_one(qt_barrier_t *b)
{
	qt_barrier_resize(b, 1);
}

static bool waits_for_the_round(struct ending *e)
{
	aligned_t first, ender;
	bool early;

	qthread_fork(enter_once, e->barrier, &first);
	until_quiet();
	qthread_fork(end_it, e, &ender);
	until_quiet();
	early = flag_is_up(&e->ended);
	qt_barrier_enter(e->barrier);
	qthread_readFF(NULL, &first);
	qthread_readFF(NULL, &ender);
	return !early;
}

static void destroy_waits(const char *what)
{
	struct ending e = { .barrier = qt_barrier_create(2, REGION_BARRIER), .end = to_one };

	ok(waits_for_the_round(&e), "%s: qt_barrier_resize: waits for the round that is under way", what);
	qt_barrier_enter(e.barrier);
	qt_barrier_resize(e.barrier, 2);
	e = (struct ending){ .barrier = e.barrier, .end = qt_barrier_destroy };
	ok(waits_for_the_round(&e), "%s: qt_barrier_destroy: waits for the round that is under way", what);
}

/* Whoever comes out first destroys the barrier, while the others are on their way out; its memory is used again. */
struct dance {
	qt_barrier_t *barrier;
	aligned_t first;
};

static void dance_once(void *arg)
{
	struct dance *d = arg;
	qt_barrier_t *b = d->barrier;

	qt_barrier_enter(b);
	if (qthread_incr(&d->first, 1) == 0)
		qt_barrier_destroy(b);
}

static aligned_t dance(void *arg)
{
	dance_once(arg);
	return 0;
}

static void destroy_at_once(const char *what)
{
	const int rounds = every_scaled(200);

	for (int r = 0; r < rounds; r++) {
		const size_t n = (size_t)(2 + r % 24);
		struct dance d = { .barrier = qt_barrier_create(n, REGION_BARRIER) };
		aligned_t ret[26];

		for (size_t i = 0; i < n - 1; i++)
			qthread_fork(dance, &d, &ret[i]);
		if (r % 8 == 0)
			every_outside(dance_once, &d);
		else
			dance_once(&d);
		for (size_t i = 0; i < n - 1; i++)
			qthread_readFF(NULL, &ret[i]);
	}
	ok(1, "%s: qt_barrier_destroy: by the first to come out, %d times", what, rounds);
}

/* ---- A task's own barrier */

static aligned_t own_barrier(void *arg)
{
	const qt_barrier_t *at_first = qt_get_barrier();

	qt_set_barrier(arg);
	qthread_yield();
	return !at_first && qt_get_barrier() == arg;
}

struct own {
	qt_barrier_t *barrier;
	bool good;
};

static void own_barrier_outside(void *arg)
{
	struct own *o = arg;

	o->good = !qt_get_barrier();
	qt_set_barrier(o->barrier);
	o->good = o->good && qt_get_barrier() == o->barrier;
}

static void get_and_set(const char *what)
{
	enum { N = 30 };
	qt_barrier_t *b = qt_barrier_create(1, REGION_BARRIER);
	struct own o = { .barrier = b };
	aligned_t ret[N], good = 0;

	ok(!qt_get_barrier(), "%s: qt_get_barrier: NULL at first", what);
	qt_set_barrier(b);
	for (int i = 0; i < N; i++)
		qthread_fork(own_barrier, &ret[i], &ret[i]);
	for (int i = 0; i < N; i++)
		good += (qthread_readFF(NULL, &ret[i]), ret[i]);
	is_int(good, N, "%s: qt_set_barrier: each task has its own", what);
	ok(qt_get_barrier() == b, "%s: qt_set_barrier: the main task, too", what);
	every_outside(own_barrier_outside, &o);
	ok(o.good, "%s: qt_set_barrier: and external threads", what);
	qt_set_barrier(NULL);
	ok(!qt_get_barrier(), "%s: qt_set_barrier: NULL takes it away", what);
	qt_barrier_destroy(b);
}

/* ---- The names of earlier releases */

static void feb_names(const char *what)
{
	struct crowd c = { .barrier = qt_feb_barrier_create(9), .enter = qt_feb_barrier_enter, .n = 9, .rounds = 5 };

	ok(crowd_meets(&c, 0), "%s: qt_feb_barrier_enter", what);
	qt_feb_barrier_resize(c.barrier, c.n = 4);
	ok(crowd_meets(&c, 0), "%s: qt_feb_barrier_resize", what);
	qt_feb_barrier_destroy(c.barrier);

	c.barrier = qthread_feb_barrier_create(3);
	c.enter = qthread_feb_barrier_enter;
	c.n = 3;
	ok(crowd_meets(&c, 0), "%s: qthread_feb_barrier_enter", what);
	qthread_feb_barrier_resize(c.barrier, c.n = 20);
	ok(crowd_meets(&c, 0), "%s: qthread_feb_barrier_resize", what);
	qthread_feb_barrier_destroy(c.barrier);
}

/* Tasks that wait for ever, and a barrier that nobody destroys, are the runtime's to clear away. */
static void left_behind(void)
{
	qt_barrier_t *b = qt_barrier_create(10, REGION_BARRIER);

	for (int i = 0; i < 5; i++)
		qthread_fork(enter_once, b, NULL);
}

static void run(const char *what)
{
	enter(what);
	enter_from_outside(what);
	enter_id(what);
	too_many(what);
	switches(what);
	resize(what);
	destroy_waits(what);
	destroy_at_once(what);
	get_and_set(what);
	feb_names(what);
	left_behind();
}

/* ---- Mistakes, and what a dump says */

static void dump_both(void *arg)
{
	(void)arg;
	every_start("mts", "1", "1");
	qt_barrier_t *b = qt_barrier_create(5, REGION_BARRIER);
	for (int i = 0; i < 3; i++)
		qthread_fork(enter_once, b, NULL);
	until_quiet();
	qt_barrier_dump(b, UPLOCK);
	qt_barrier_dump(b, DOWNLOCK);
	qt_barrier_dump(b, BOTHLOCKS);
	qt_barrier_dump(NULL, BOTHLOCKS);
	qt_barrier_dump(b, (qt_barrier_dtype)77);
}

static void dump(void)
{
	struct child c;

	child_run(&c, dump_both, NULL);
	ok(child_ended_well(&c), "qt_barrier_dump: ends well");
	is_int(child_lines(&c), 4, "qt_barrier_dump: a line for each lock asked for");
	ok(strstr(c.said, "3 of 5 have entered"), "qt_barrier_dump: UPLOCK: who has entered");
	ok(strstr(c.said, "3 sleep"), "qt_barrier_dump: DOWNLOCK: who sleeps");
}

static void mistakes(void)
{
	ok(!qt_barrier_create(3, REGION_BARRIER), "qt_barrier_create: NULL before qthread_initialize");
	ok(!qt_feb_barrier_create(3), "qt_feb_barrier_create: likewise");
	ok(!qthread_feb_barrier_create(3), "qthread_feb_barrier_create: likewise");
	every_start("mts", "1", "1");
	ok(!qt_barrier_create(0, REGION_BARRIER), "qt_barrier_create: NULL for no participants");
	qt_barrier_t *b = qt_barrier_create(1, (qt_barrier_btype)77);
	ok(b, "qt_barrier_create: the type does not matter");
	qt_barrier_enter(b);
	qt_barrier_destroy(b);
	b = qt_barrier_create(SIZE_MAX, REGION_BARRIER);
	ok(b, "qt_barrier_create: for as many as one likes");
	qt_barrier_destroy(b);
	qt_barrier_enter(NULL);
	qt_barrier_enter_id(NULL, 0);
	qt_barrier_resize(NULL, 3);
	qt_barrier_destroy(NULL);
	qt_feb_barrier_enter(NULL);
	qthread_feb_barrier_destroy(NULL);
	qthread_finalize();
	qt_set_barrier(b);
	ok(qt_get_barrier() == b, "qt_set_barrier: without a runtime, an OS thread's");
	qt_set_barrier(NULL);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	dump();
	mistakes();
	every_runtime(run);
	return done();
}
