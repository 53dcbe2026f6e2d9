/* test/stress/lfqueue.c -- ds/lfqueue.h: whatever a few threads do at once, there is an order of it that a queue
 * allows.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts histories.  In each, two or three threads call push, pop and is_empty a few times, beginning
 * anywhere in a segment but mostly close to its end; every call is noted with a time before and one after it.  Then all
 * orders are tried that keep calls apart which did not overlap (J. Wing and C. Gong, Testing and Verifying Concurrent
 * Objects, JPDC 17, 1993); one of them has to be a queue's.  The second part moves many elements between more threads
 * than there are CPUs and knows them again; segments are freed and reused while others look at them.
 */
#include "ds/lfqueue.h"
#include "stress/stress.h"

#include <pthread.h>

enum { HISTORIES = 20000, THREADS = 3, CALLS = 4, MOST = THREADS * CALLS + 2, BEFORE = 2 };

static struct qti_lfqueue q;

/* --- histories ------------------------------------------------------------------------------------------- */

enum kind { PUSH, POP, EMPTY };

struct call {
	enum kind kind;
	uintptr_t value;        /* pushed or popped, 0: none; whether it was empty */
	uint64_t begin, end;
};

static uint64_t clock_now QTI_ALIGNED_LINE;
static unsigned round_at QTI_ALIGNED_LINE, arrived;

static struct call history[MOST];
static unsigned ncalls, nthreads;

static void make_call(struct call *c)
{
	c->begin = add_sc(&clock_now, 1);
	switch (c->kind) {
	case PUSH:
		qti_lfqueue_push(&q, (void *)c->value);
		break;
	case POP:
		c->value = (uintptr_t)qti_lfqueue_pop(&q);
		break;
	case EMPTY:
		c->value = qti_lfqueue_is_empty(&q);
		break;
	}
	c->end = add_sc(&clock_now, 1);
}

/* Thread t's calls of this round. */
static void make_calls(unsigned t)
{
	for (unsigned i = 0; i < CALLS; i++)
		make_call(&history[BEFORE + t * CALLS + i]);
}

static void *caller(void *arg)
{
	const unsigned t = (unsigned)(uintptr_t)arg;

	for (unsigned round = 1;; round++) {
		stress_until(load_acq(&round_at) >= round);
		if (load_acq(&round_at) == UINT32_MAX)
			return NULL;
		make_calls(t);
		add_acq_rel(&arrived, 1);
	}
}

/* What a queue could have done: done is a set of calls, waiting[first..last) what is in the queue after them. */
static bool explain(unsigned done, const uintptr_t *queue, unsigned length)
{
	uint64_t soonest = UINT64_MAX;

	if (done == (1u << ncalls) - 1)
		return true;
	for (unsigned i = 0; i < ncalls; i++) {
		if (!(done & 1u << i) && history[i].end < soonest)
			soonest = history[i].end;
	}
	for (unsigned i = 0; i < ncalls; i++) {
		const struct call *c = &history[i];
		uintptr_t then[MOST + 1];
		if ((done & 1u << i) || c->begin > soonest)
			continue;
		memcpy(then, queue, length * sizeof(*queue));
		then[length] = c->value;
		/* That a queue is not empty is only a hint while somebody pushes. */
		if ((c->kind == PUSH && explain(done | 1u << i, then, length + 1)) ||
			(c->kind == POP && c->value == (length ? queue[0] : 0) &&
				explain(done | 1u << i, then + (length > 0), length - (length > 0))) ||
			(c->kind == EMPTY && (!c->value || length == 0) && explain(done | 1u << i, then, length)))
			return true;
	}
	return false;
}

static void show_history(void)
{
	static const char *const names[] = { "push", "pop", "is_empty" };

	for (unsigned i = 0; i < ncalls; i++)
		diag("%3llu to %3llu  %s %llu", (unsigned long long)history[i].begin, (unsigned long long)history[i].end,
			names[history[i].kind], (unsigned long long)history[i].value);
}

/* To a place in the segment, then one or two elements that were there before. */
static void prepare(uint64_t *random)
{
	const unsigned at = lfqueue_index(load_rlx(&q.tail)) % LFQUEUE_CELLS;
	unsigned target = LFQUEUE_CELLS - stress_random(random, 8);

	if (stress_random(random, 4) == 0)
		target = at;
	for (unsigned i = at; i < target; i++) {
		qti_lfqueue_push(&q, &q);
		qti_lfqueue_pop(&q);
	}
	for (unsigned i = 0; i < ncalls; i++) {
		history[i].kind = i < BEFORE ? PUSH : stress_random(random, 5) < 2 ? PUSH : stress_random(random, 4) ? POP : EMPTY;
		history[i].value = i + 1;
	}
	if (stress_random(random, 2)) {
		history[0].kind = EMPTY;
		history[1].kind = POP;
	}
	store_rlx(&clock_now, 0);
	for (unsigned i = 0; i < BEFORE; i++)
		make_call(&history[i]);
}

static unsigned bad_histories(unsigned rounds)
{
	uint64_t random = stress_state(0);
	const uintptr_t none = 0;
	unsigned bad = 0;

	for (unsigned round = 1; round <= rounds; round++) {
		ncalls = BEFORE + nthreads * CALLS;
		prepare(&random);
		store_rlx(&arrived, 0);
		store_rel(&round_at, round);
		make_calls(0);
		stress_until(load_acq(&arrived) == nthreads - 1);
		if (!explain(0, &none, 0)) {
			if (bad++ == 0)
				show_history();
		}
		while (qti_lfqueue_pop(&q))
			continue;
	}
	store_rel(&round_at, UINT32_MAX);
	return bad;
}

static void histories(unsigned threads, unsigned rounds)
{
	pthread_t thread[THREADS];

	stress_watch("histories");
	nthreads = threads;
	store_rlx(&round_at, 0);
	qti_lfqueue_init(&q);
	for (unsigned t = 1; t < threads; t++)
		pthread_create(&thread[t], NULL, caller, (void *)(uintptr_t)t);
	is_int(bad_histories(rounds), 0, "%u threads: %u histories, each of them a queue's", threads, rounds);
	for (unsigned t = 1; t < threads; t++)
		pthread_join(thread[t], NULL);
	qti_lfqueue_fini(&q);
	stress_round();
}

/* --- traffic --------------------------------------------------------------------------------------------- */

enum { SIDES = 3, EACH = 60000 };

static uint64_t each, taken QTI_ALIGNED_LINE;
static unsigned char *came;
static unsigned disorder;

static void *push_all(void *arg)
{
	const uint64_t me = (uintptr_t)arg;
	uint64_t random = stress_state(10 + me);

	for (uint64_t i = 1; i <= each; i++) {
		qti_lfqueue_push(&q, (void *)(uintptr_t)(me * each + i));
		if (stress_random(&random, 512) == 0)
			sched_yield();
	}
	return NULL;
}

static void *pop_all(void *arg)
{
	uint64_t random = stress_state(20 + (uintptr_t)arg), last[SIDES] = { 0 };

	while (load_rlx(&taken) < SIDES * each) {
		const uint64_t n = (uintptr_t)qti_lfqueue_pop(&q);
		if (!n || stress_random(&random, 512) == 0)
			sched_yield();
		if (!n)
			continue;
		const uint64_t from = (n - 1) / each;
		if (n <= last[from])
			add_rlx(&disorder, 1);
		last[from] = n;
		add_rlx(&came[n], 1);
		add_rlx(&taken, 1);
	}
	return NULL;
}

static void traffic(void)
{
	pthread_t thread[2 * SIDES];
	unsigned wrong = 0;

	stress_watch("traffic");
	each = stress_scaled(EACH);
	came = calloc(SIDES * each + 1, 1);
	qti_lfqueue_init(&q);
	for (uintptr_t i = 0; i < SIDES; i++) {
		pthread_create(&thread[i], NULL, push_all, (void *)i);
		pthread_create(&thread[SIDES + i], NULL, pop_all, (void *)i);
	}
	for (unsigned i = 0; i < 2 * SIDES; i++)
		pthread_join(thread[i], NULL);
	for (uint64_t n = 1; n <= SIDES * each; n++)
		wrong += came[n] != 1;
	is_int(wrong, 0, "traffic: %llu elements, each comes once", (unsigned long long)(SIDES * each));
	is_int(disorder, 0, "traffic: those of one pusher in its order");
	ok(qti_lfqueue_is_empty(&q) && !qti_lfqueue_pop(&q), "traffic: and nothing else");

	unsigned standing = 0;
	for (struct qti_lfsegment *s = q.retired; s; s = s->retired)
		standing++;
	ok(standing <= 2 * SIDES, "traffic: %u segments wait to be free, no more than there were threads", standing);
	qti_lfqueue_fini(&q);
	stress_round();
	free(came);
}

int main(void)
{
	const unsigned rounds = stress_rounds(HISTORIES);

	plan(6);
	stress_say(rounds);
	histories(2, rounds);
	histories(3, rounds / 4 + 1);
	traffic();
	return done();
}
