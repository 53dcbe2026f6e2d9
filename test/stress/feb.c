/* test/stress/feb.c -- many tasks and a few OS threads on few full/empty words, and what must not get lost there.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     counters    readFE, writeEF of one more                 each is counted
 *     tokens      writeEF into, readFE out of a few words     each arrives once
 *     barriers    built of readFE, writeEF, readFF, fill      nobody is a phase ahead
 *     news        purge, then writeEF or writeF; readFF       what lies in an empty word is never read, news never age,
 *                                                             and what a writer did before is seen
 *     children    fork with a return word, readFF             each answer is the child's own
 *
 * All at once, on words that fall on one slot of the table (chained entries) or on slots of their own.  QTI_ROUNDS
 * counts the steps of each actor in each setting.
 */
#include "stress/stress.h"
#include "sync/febtable.h"

#include <qthread.h>

#include <pthread.h>

enum {
	ROUNDS = 300,
	COUNTERS = 3,
	TOKEN_WORDS = 3,
	NEWS_WORDS = 2,
	TASKS = 6, /* of each kind, but for barriers */
	THREADS = 2,
	MEMBERS = 5, /* of the barrier */
	WORDS = COUNTERS + TOKEN_WORDS + NEWS_WORDS + 3,
	FIELD = 1 << 23, /* words among which those of one slot are looked for */
};

#define POISON UINT64_C(0xdeadbeef)

static const struct stress_shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 } };

enum { NSHAPES = sizeof(shapes) / sizeof(shapes[0]), CHECKS = 7 };

static unsigned rounds;
static aligned_t field[FIELD];
static aligned_t *counter[COUNTERS], *token_word[TOKEN_WORDS], *news[NEWS_WORDS];
static aligned_t *arrivals, *gate[2];

/* --- words ----------------------------------------------------------------------------------------------- */

static void choose(aligned_t **word, unsigned n, aligned_t *const *from)
{
	for (unsigned i = 0; i < n; i++) {
		word[i] = from[i];
		*word[i] = 0;
		qthread_fill(word[i]);
	}
}

/* Those of one slot are looked for once: there are few among many. */
static aligned_t *const *words_of(bool one_slot)
{
	static aligned_t *apart[WORDS], *together[WORDS];
	unsigned n = 0;

	if (!apart[0])
		for (unsigned i = 0; i < WORDS; i++)
			apart[i] = &field[i];
	if (!together[0])
		for (size_t i = 0; i < FIELD && n < WORDS; i++)
			if (feb_slot(&field[i]) == feb_slot(&field[0]))
				together[n++] = &field[i];
	if (!together[WORDS - 1])
		bail_out("%u words of %d fall on one slot", n, FIELD);
	return one_slot ? together : apart;
}

static void choose_words(bool one_slot)
{
	aligned_t *const *word = words_of(one_slot);

	choose(counter, COUNTERS, word);
	choose(token_word, TOKEN_WORDS, word + COUNTERS);
	choose(news, NEWS_WORDS, word + COUNTERS + TOKEN_WORDS);
	choose(&arrivals, 1, word + COUNTERS + TOKEN_WORDS + NEWS_WORDS);
	choose(gate, 2, word + COUNTERS + TOKEN_WORDS + NEWS_WORDS + 1);
	for (unsigned i = 0; i < TOKEN_WORDS; i++)
		qthread_empty(token_word[i]);
	qthread_empty(gate[0]);
	qthread_empty(gate[1]);
}

/* --- counters -------------------------------------------------------------------------------------------- */

static unsigned counted[COUNTERS];
static unsigned aged; /* a counter went backwards */

static aligned_t count(void *stream)
{
	uint64_t random = stress_state((uintptr_t)stream);
	aligned_t last[COUNTERS] = { 0 }, value;

	for (unsigned i = 0; i < rounds; i++) {
		unsigned c = stress_random(&random, COUNTERS);
		unsigned how = stress_random(&random, 4);
		if (how == 0) {
			qthread_readFF(&value, counter[c]);
		} else if (how == 1 && qthread_readFE_nb(&value, counter[c]) != QTHREAD_SUCCESS) {
			qthread_yield();
			continue;
		} else {
			if (how != 1)
				qthread_readFE(&value, counter[c]);
			stress_pause(stress_random(&random, 30));
			qthread_writeEF_const(counter[c], value + 1);
			add_rlx(&counted[c], 1);
		}
		if (value < last[c])
			add_rlx(&aged, 1);
		last[c] = value;
		if (stress_random(&random, 8) == 0)
			qthread_yield();
	}
	return 0;
}

static bool all_counted(void)
{
	for (unsigned c = 0; c < COUNTERS; c++)
		if (*counter[c] != counted[c]) {
			diag("counter %u says %llu, but %u were counted", c, (unsigned long long)*counter[c],
				counted[c]);
			return false;
		}
	return true;
}

/* --- tokens ---------------------------------------------------------------------------------------------- */

static uint32_t *arrived; /* [(TASKS + 1) * rounds] */

/* One word for a producer's tokens and a consumer's alike, so that no choice can make them wait for each other. */
static aligned_t produce(void *number)
{
	for (uintptr_t i = 0; i < rounds; i++) {
		uintptr_t token = (uintptr_t)number * rounds + i;
		qthread_writeEF_const(token_word[(uintptr_t)number % TOKEN_WORDS], token);
	}
	return 0;
}

static aligned_t consume(void *number)
{
	for (uintptr_t i = 0; i < rounds; i++) {
		aligned_t token = 0;
		qthread_readFE(&token, token_word[(uintptr_t)number % TOKEN_WORDS]);
		if (token < (aligned_t)TASKS * rounds)
			add_rlx(&arrived[token], 1);
	}
	return 0;
}

static bool all_arrived(void)
{
	for (unsigned i = 0; i < TASKS * rounds; i++)
		if (arrived[i] != 1) {
			diag("token %u arrived %u times", i, arrived[i]);
			return false;
		}
	return true;
}

/* --- barriers -------------------------------------------------------------------------------------------- */

static unsigned phase_of[MEMBERS];
static unsigned ahead;

static void meet(unsigned phase)
{
	aligned_t here;

	qthread_readFE(&here, arrivals);
	if (here + 1 < MEMBERS) {
		qthread_writeEF_const(arrivals, here + 1);
		qthread_readFF(NULL, gate[phase % 2]);
		return;
	}
	qthread_empty(gate[(phase + 1) % 2]);
	qthread_writeEF_const(arrivals, 0);
	qthread_fill(gate[phase % 2]);
}

static aligned_t take_part(void *number)
{
	for (unsigned phase = 0; phase < rounds; phase++) {
		store_rlx(&phase_of[(uintptr_t)number], phase);
		meet(2 * phase);
		for (unsigned m = 0; m < MEMBERS; m++)
			if (load_rlx(&phase_of[m]) != phase)
				add_rlx(&ahead, 1);
		meet(2 * phase + 1);
	}
	return 0;
}

/* --- news ------------------------------------------------------------------------------------------------ */

static unsigned stale, unseen;
static unsigned writers_left;
static uint64_t *told; /* [NEWS_WORDS * 2 * (rounds + 1)]: what the writer does before it writes */

static uint64_t *told_with(const aligned_t *word, aligned_t value)
{
	return &told[(word == news[0] ? 0 : 2 * (rounds + 1)) + value];
}

static aligned_t write_news(void *word)
{
	for (unsigned i = 1; i <= rounds; i++) {
		qthread_purge_to_const(word, POISON);
		if (i % 3 == 0)
			qthread_yield();
		*told_with(word, 2 * i) = 2 * i;
		qthread_writeEF_const(word, 2 * i);
		*told_with(word, 2 * i + 1) = 2 * i + 1;
		if (i % 2 == 0)
			qthread_writeF_const(word, 2 * i + 1);
		else
			qthread_writeFF_const(word, 2 * i + 1);
	}
	sub_acq_rel(&writers_left, 1);
	return 0;
}

static aligned_t read_news(void *word)
{
	aligned_t last = 0, value = 0;

	while (load_acq(&writers_left) > 0) {
		if (qthread_readFF_nb(&value, word) != QTHREAD_SUCCESS)
			qthread_readFF(&value, word);
		if (value == POISON || value < last)
			add_rlx(&stale, 1);
		else if (value != 0 && *told_with(word, value) != value)
			add_rlx(&unseen, 1);
		last = value;
		qthread_yield();
	}
	return 0;
}

/* --- children -------------------------------------------------------------------------------------------- */

static unsigned wrong_answers;

static aligned_t answer(void *question)
{
	if ((uintptr_t)question % 5 == 0)
		qthread_yield();
	return ~(aligned_t)(uintptr_t)question;
}

static aligned_t ask(void *stream)
{
	uint64_t random = stress_state((uintptr_t)stream);
	aligned_t ret[4], got;

	for (unsigned i = 0; i < rounds; i++) {
		uintptr_t question = stress_random(&random, 1000000);
		for (unsigned j = 0; j < 4; j++)
			qthread_fork(answer, (void *)(question + j), &ret[j]);
		for (unsigned j = 0; j < 4; j++) {
			unsigned which = i % 2 ? j : 3 - j;
			qthread_readFF(&got, &ret[which]);
			if (got != ~(aligned_t)(question + which))
				add_rlx(&wrong_answers, 1);
		}
	}
	return 0;
}

/* --- all of it ------------------------------------------------------------------------------------------- */

static void *outside(void *number)
{
	count((void *)((uintptr_t)number + 1000));
	take_part((void *)((uintptr_t)number));
	return NULL;
}

static void begin(void)
{
	memset(counted, 0, sizeof(counted));
	memset(arrived, 0, TASKS * rounds * sizeof(*arrived));
	memset(told, 0, 2 * NEWS_WORDS * (rounds + 1) * sizeof(*told));
	aged = ahead = stale = unseen = wrong_answers = 0;
	writers_left = NEWS_WORDS;
}

static void actors(void)
{
	aligned_t done[5 * TASKS];
	pthread_t thread[THREADS];
	unsigned n = 0;

	for (uintptr_t i = 0; i < TASKS; i++) {
		qthread_fork(count, (void *)i, &done[n++]);
		qthread_fork(produce, (void *)i, &done[n++]);
		qthread_fork(consume, (void *)i, &done[n++]);
		qthread_fork(ask, (void *)(i + 100), &done[n++]);
		qthread_fork(i < NEWS_WORDS ? write_news : read_news, news[i % NEWS_WORDS], &done[n++]);
	}
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, outside, (void *)i) != 0)
			bail_out("pthread_create failed");
	aligned_t members[MEMBERS];
	for (uintptr_t i = THREADS; i < MEMBERS; i++)
		qthread_fork(take_part, (void *)i, &members[i]);
	for (unsigned i = n; i-- > 0;)
		qthread_readFF(NULL, &done[i]);
	for (unsigned i = THREADS; i < MEMBERS; i++)
		qthread_readFF(NULL, &members[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void run(const char *scheduler, struct stress_shape shape, bool one_slot)
{
	char what[96];

	snprintf(what, sizeof(what), "%s %u x %u, %s", scheduler, shape.shepherds, shape.workers,
		one_slot ? "one slot" : "many slots");
	stress_watch(what);
	stress_start(scheduler, shape);
	choose_words(one_slot);
	begin();
	actors();
	ok(all_counted(), "%s: each readFE and writeEF pair is counted", what);
	is_int(aged, 0, "%s: no counter goes backwards", what);
	ok(all_arrived(), "%s: each token arrives once", what);
	is_int(ahead, 0, "%s: nobody is ahead of a barrier", what);
	is_int(stale, 0, "%s: nobody reads an empty word, or old news", what);
	is_int(unseen, 0, "%s: what a writer did before is seen", what);
	is_int(wrong_answers, 0, "%s: each child's answer is its own", what);
	qthread_finalize();
	stress_round();
}

int main(void)
{
	rounds = stress_rounds(ROUNDS);
	arrived = calloc(TASKS * rounds, sizeof(*arrived));
	told = calloc(2 * NEWS_WORDS * (rounds + 1), sizeof(*told));
	if (!arrived || !told)
		bail_out("no memory");
	unsigned first = stress_under_valgrind() ? NSHAPES - 1 : 0;
	plan(qti_nscheds * (NSHAPES - first) * 2 * CHECKS);
	stress_say(rounds);
	for (unsigned i = 0; i < qti_nscheds; i++)
		for (unsigned s = first; s < NSHAPES; s++) {
			run(qti_scheds[i]->name, shapes[s], false);
			run(qti_scheds[i]->name, shapes[s], true);
		}
	free(arrived);
	free(told);
	return done();
}
