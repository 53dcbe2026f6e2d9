/* test/api/sinc.c -- join counters wait for every submission, combine every value, and may be freed at once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/sinc.h>

#include <string.h>
#include <unistd.h>

enum { CHECKS_PER_RUN = 20, OTHER_CHECKS = 8 };

static void sum(void *tgt, void const *src)
{
	*(aligned_t *)tgt += *(aligned_t const *)src;
}

static aligned_t seen;          /* atomically */

static aligned_t count_me(void *arg)
{
	(void)arg;
	qthread_incr(&seen, 1);
	return 0;
}

static aligned_t itself(void *arg)
{
	return (aligned_t)(uintptr_t)arg;
}

static int spawn_on(qt_sinc_t *s, qthread_f f, void *arg, unsigned flags)
{
	return qthread_spawn(f, arg, 0, s, 0, NULL, NO_SHEPHERD, flags);
}

static void counts_tasks(const char *what)
{
	const int n = every_scaled(1000);
	qt_sinc_t *s = qt_sinc_create(0, NULL, NULL, n);

	seen = 0;
	for (int i = 0; i < n; i++)
		spawn_on(s, count_me, NULL, QTHREAD_SPAWN_RET_SINC_VOID);
	qt_sinc_wait(s, NULL);
	qt_sinc_wait(s, NULL);
	is_int(seen, n, "%s: wait returns after every task", what);
	qt_sinc_destroy(s);
}

static void sums_results(const char *what)
{
	const int n = every_scaled(1000);
	const aligned_t zero = 0, want = (aligned_t)n * (n - 1) / 2;
	aligned_t total = 99;
	qt_sinc_t s;

	qt_sinc_init(&s, sizeof(aligned_t), &zero, sum, n);
	for (int i = 0; i < n; i++)
		spawn_on(&s, itself, (void *)(uintptr_t)i, QTHREAD_SPAWN_RET_SINC);
	qt_sinc_wait(&s, &total);
	is_int(total, want, "%s: RET_SINC submits what the tasks return", what);
	total = 99;
	qt_sinc_wait(&s, &total);
	is_int(total, want, "%s: the result is there as long as the sinc is", what);

	qt_sinc_reset(&s, 2);
	spawn_on(&s, itself, (void *)5, QTHREAD_SPAWN_RET_SINC);
	spawn_on(&s, itself, (void *)6, QTHREAD_SPAWN_RET_SINC_VOID);
	qt_sinc_wait(&s, &total);
	is_int(total, 5, "%s: reset starts over, and RET_SINC_VOID submits no value", what);
	qt_sinc_fini(&s);
}

/* Values larger than a word, combined by an operation that is not a sum. */
struct extent {
	int64_t least, most;
	int64_t count;
};

static void widen(void *tgt, void const *src)
{
	struct extent *t = tgt;
	struct extent const *s = src;

	if (s->least < t->least)
		t->least = s->least;
	if (s->most > t->most)
		t->most = s->most;
	t->count += s->count;
}

static qt_sinc_t extent_sinc;

static aligned_t submit_extent(void *arg)
{
	const int64_t i = (int64_t)(intptr_t)arg;
	const struct extent e = { i, i, 1 };

	qt_sinc_submit(&extent_sinc, &e);
	return 0;
}

static void combines_structures(const char *what)
{
	const int n = every_scaled(500);
	const struct extent none = { INT64_MAX, INT64_MIN, 0 };
	struct extent got;

	qt_sinc_init(&extent_sinc, sizeof(none), &none, widen, n);
	for (int i = 0; i < n; i++)
		qthread_fork(submit_extent, (void *)(intptr_t)(i - 100), NULL);
	qt_sinc_wait(&extent_sinc, &got);
	qt_sinc_fini(&extent_sinc);
	ok(got.least == -100 && got.most == n - 101 && got.count == n, "%s: values of 24 bytes are combined", what);
}

struct many_waiters {
	qt_sinc_t *sinc;
	aligned_t early, released;
	aligned_t open;
};

static aligned_t wait_for_it(void *arg)
{
	struct many_waiters *m = arg;

	qt_sinc_wait(m->sinc, NULL);
	if (!*(volatile aligned_t *)&m->open)
		qthread_incr(&m->early, 1);
	qthread_incr(&m->released, 1);
	return 0;
}

static void releases_all_waiters(const char *what)
{
	enum { WAITERS = 20 };
	aligned_t ret[WAITERS];
	struct many_waiters m = { .sinc = qt_sinc_create(0, NULL, NULL, 1) };

	for (int i = 0; i < WAITERS; i++)
		qthread_fork(wait_for_it, &m, &ret[i]);
	for (int i = 0; i < 10; i++)
		qthread_yield();
	is_int(qthread_cas(&m.released, 0, 0), 0, "%s: nobody passes before the submission", what);
	qthread_cas(&m.open, 0, 1);
	qt_sinc_submit(m.sinc, NULL);
	for (int i = 0; i < WAITERS; i++)
		qthread_readFF(NULL, &ret[i]);
	qt_sinc_destroy(m.sinc);
	is_int(m.released, WAITERS, "%s: one submission releases all waiters", what);
	is_int(m.early, 0, "%s: and none of them before it", what);
}

static void zero_is_ready(const char *what)
{
	const aligned_t start = 0;
	aligned_t got = 1;
	qt_sinc_t *s = qt_sinc_create(sizeof(start), &start, sum, 0);

	qt_sinc_wait(s, &got);
	is_int(got, 0, "%s: a sinc that expects nothing is ready with its initial value", what);
	qt_sinc_expect(s, 1);
	spawn_on(s, itself, (void *)3, QTHREAD_SPAWN_RET_SINC);
	qt_sinc_wait(s, &got);
	is_int(got, 3, "%s: expect makes it wait", what);
	qt_sinc_expect(s, 2);
	qt_sinc_submit(s, NULL);
	qt_sinc_submit(s, &got);
	qt_sinc_wait(s, &got);
	is_int(got, 6, "%s: and what comes then adds to the result", what);
	qt_sinc_destroy(s);
}

/* The counter runs to zero over and over while the next submission is being announced. */
static void expects_one_at_a_time(const char *what)
{
	const int rounds = every_scaled(300), each = 20;
	int early = 0;
	qt_sinc_t *s = qt_sinc_create(0, NULL, NULL, 0);

	for (int r = 0; r < rounds; r++) {
		seen = 0;
		for (int i = 0; i < each; i++) {
			qt_sinc_expect(s, 1);
			spawn_on(s, count_me, NULL, QTHREAD_SPAWN_RET_SINC_VOID);
			if (i % 3 == 0)
				qthread_yield();
		}
		qt_sinc_wait(s, NULL);
		early += qthread_cas(&seen, 0, 0) != (aligned_t)each;
	}
	qt_sinc_destroy(s);
	is_int(early, 0, "%s: expect one by one, beside submissions: wait never returns early", what);
}

struct expecter {
	qt_sinc_t *sinc;
	aligned_t submitted;
	aligned_t early;
};

/* Each of several tasks announces, submits and waits on the same sinc: its own submission, at least, must be
 * counted. */
static aligned_t submit_one(void *arg)
{
	struct expecter *e = arg;

	qthread_incr(&e->submitted, 1);
	return 0;
}

static aligned_t expect_and_wait(void *arg)
{
	struct expecter *shared = arg;
	struct expecter mine = { .sinc = shared->sinc };

	for (int i = 0; i < 50; i++) {
		mine.submitted = 0;
		qt_sinc_expect(mine.sinc, 1);
		spawn_on(mine.sinc, submit_one, &mine, QTHREAD_SPAWN_RET_SINC_VOID);
		qt_sinc_wait(mine.sinc, NULL);
		if (qthread_cas(&mine.submitted, 1, 1) != 1)
			qthread_incr(&shared->early, 1);
	}
	return 0;
}

static void expects_from_several(const char *what)
{
	enum { TASKS = 4 };
	aligned_t ret[TASKS];
	struct expecter shared = { .sinc = qt_sinc_create(0, NULL, NULL, 0) };

	for (int i = 0; i < TASKS; i++)
		qthread_fork(expect_and_wait, &shared, &ret[i]);
	for (int i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ret[i]);
	qt_sinc_destroy(shared.sinc);
	is_int(shared.early, 0, "%s: expect from several tasks: nobody's wait misses its own submission", what);
}

/* The waiter frees the sinc, and writes over its memory, while the submitter may still be on its way out. */
static aligned_t submit_it(void *arg)
{
	qt_sinc_submit(arg, NULL);
	return 0;
}

static void waiter_may_free(const char *what)
{
	const size_t rounds = every_scaled(2000);
	qt_sinc_t *all = malloc(rounds * sizeof(*all));
	size_t touched = 0;

	for (size_t i = 0; i < rounds; i++) {
		qt_sinc_init(&all[i], 0, NULL, NULL, 1);
		qthread_fork(submit_it, &all[i], NULL);
		qt_sinc_wait(&all[i], NULL);
		qt_sinc_fini(&all[i]);
		memset(&all[i], 0xa5, sizeof(all[i]));
	}
	for (size_t i = 0; i < rounds * sizeof(*all); i++)
		touched += ((unsigned char *)all)[i] != 0xa5;
	free(all);
	is_int(touched, 0, "%s: a submission touches nothing after it has released the waiter", what);
}

static void address_is_clean_afterwards(const char *what)
{
	union {
		qt_sinc_t sinc;
		aligned_t word[sizeof(qt_sinc_t) / sizeof(aligned_t)];
	} u;
	int empty = 0;

	qt_sinc_init(&u.sinc, 0, NULL, NULL, 3);
	qt_sinc_submit(&u.sinc, NULL);
	qt_sinc_fini(&u.sinc);
	for (size_t i = 0; i < sizeof(u.word) / sizeof(u.word[0]); i++)
		empty += qthread_feb_status(&u.word[i]) != 1;
	is_int(empty, 0, "%s: a sinc given up leaves no empty word behind", what);
}

/* ---- External threads */

struct outside {
	qt_sinc_t *sinc;
	aligned_t got;
	int own_share;
};

static void submit_from_outside(void *arg)
{
	struct outside *o = arg;

	o->own_share = qt_sinc_tmpdata(o->sinc) != NULL;
	for (aligned_t i = 1; i <= 100; i++)
		qt_sinc_submit(o->sinc, &i);
}

static void wait_from_outside(void *arg)
{
	struct outside *o = arg;

	qt_sinc_wait(o->sinc, &o->got);
}

static aligned_t submit_hundred(void *arg)
{
	submit_from_outside(arg);
	return 0;
}

static void external_threads(const char *what)
{
	const aligned_t zero = 0;
	struct outside o = { .sinc = qt_sinc_create(sizeof(zero), &zero, sum, 200) };
	struct outside inside = o;
	aligned_t total = 0;

	qthread_fork(submit_hundred, &inside, NULL);
	every_outside(submit_from_outside, &o);
	qt_sinc_wait(o.sinc, &total);
	is_int(total, 10100, "%s: external threads submit values, too", what);
	ok(!o.own_share && inside.own_share, "%s: a share of its own has a worker, not an external thread", what);

	qt_sinc_reset(o.sinc, 1);
	spawn_on(o.sinc, itself, (void *)42, QTHREAD_SPAWN_RET_SINC);
	every_outside(wait_from_outside, &o);
	is_int(o.got, 42, "%s: an external thread waits and gets the result", what);
	qt_sinc_destroy(o.sinc);
}

static qt_sinc_t share_sinc;

static aligned_t add_to_share(void *arg)
{
	*(aligned_t *)qt_sinc_tmpdata(&share_sinc) += (aligned_t)(uintptr_t)arg;
	return 0;
}

static void shares(const char *what)
{
	const aligned_t zero = 0;
	aligned_t total = 0;
	qt_sinc_t counter;

	qt_sinc_init(&counter, 0, NULL, NULL, 0);
	ok(!qt_sinc_tmpdata(&counter), "%s: a counter has no share", what);
	qt_sinc_fini(&counter);

	qt_sinc_init(&share_sinc, sizeof(zero), &zero, sum, 10);
	for (uintptr_t i = 1; i <= 10; i++)
		spawn_on(&share_sinc, add_to_share, (void *)i, QTHREAD_SPAWN_RET_SINC_VOID);
	qt_sinc_wait(&share_sinc, &total);
	qt_sinc_fini(&share_sinc);
	is_int(total, 55, "%s: what tasks put into their shares is combined", what);
}

static void run(const char *what)
{
	counts_tasks(what);
	sums_results(what);
	combines_structures(what);
	releases_all_waiters(what);
	zero_is_ready(what);
	expects_one_at_a_time(what);
	expects_from_several(what);
	waiter_may_free(what);
	address_is_clean_afterwards(what);
	external_threads(what);
	shares(what);
}

/* ---- Mistakes */

/* Lines on stderr while f runs. */
static int complaints(void (*f)(void))
{
	char text[4096];
	FILE *file = tmpfile();
	const int saved = dup(STDERR_FILENO);
	int lines = 0;

	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	f();
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	while (fgets(text, sizeof(text), file))
		lines++;
	fclose(file);
	return lines;
}

static qt_sinc_t mistaken;
static aligned_t mistaken_got;

static void value_without_operation(void)
{
	mistaken_got = 77;
	qt_sinc_init(&mistaken, sizeof(aligned_t), NULL, NULL, 1);
	qt_sinc_submit(&mistaken, &mistaken_got);
	mistaken_got = 78;
	qt_sinc_wait(&mistaken, &mistaken_got);
	qt_sinc_fini(&mistaken);
}

static void one_too_many(void)
{
	qt_sinc_init(&mistaken, 0, NULL, NULL, 1);
	qt_sinc_submit(&mistaken, NULL);
	qt_sinc_submit(&mistaken, NULL);
	qt_sinc_submit(&mistaken, NULL);
}

static void mistakes(void)
{
	aligned_t got = 5;

	every_start("mts", "1", "2");
	ok(!qt_sinc_create(sizeof(aligned_t), NULL, NULL, 1), "create refuses values without an operation");
	is_int(complaints(value_without_operation), 1, "init says so in one line");
	is_int(mistaken_got, 78, "and makes a counter, which leaves wait's target alone");

	is_int(complaints(one_too_many), 2, "each submission too many is one line on stderr");
	qt_sinc_expect(&mistaken, 1);
	seen = 0;
	spawn_on(&mistaken, count_me, NULL, QTHREAD_SPAWN_RET_SINC_VOID);
	qt_sinc_wait(&mistaken, NULL);
	is_int(seen, 1, "and leaves the sinc in order");
	qt_sinc_fini(&mistaken);

	qt_sinc_t *s = qt_sinc_create(sizeof(aligned_t), NULL, sum, 1);
	qt_sinc_submit(s, &got);
	qt_sinc_wait(s, &got);
	is_int(got, 5, "a NULL initial value is zero");
	qt_sinc_destroy(s);

	ok(!qt_sinc_create(SIZE_MAX - 10, NULL, sum, 1), "create refuses values larger than memory");
	qt_sinc_init(NULL, 0, NULL, NULL, 0);
	qt_sinc_reset(NULL, 1);
	qt_sinc_expect(NULL, 1);
	qt_sinc_submit(NULL, NULL);
	qt_sinc_wait(NULL, NULL);
	qt_sinc_fini(NULL);
	qt_sinc_destroy(NULL);
	ok(!qt_sinc_tmpdata(NULL), "NULL in place of a sinc is ignored");
	qthread_finalize();
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	mistakes();
	every_runtime(run);
	return done();
}
