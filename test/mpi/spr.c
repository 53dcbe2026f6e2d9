/* test/mpi/spr.c -- qthread/spr.h over ranks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: spr spmd|unify|alone LOCALES SEED.  Each locale that runs main to the end prints how many things were wrong.
 */
#include <qthread/qt_syscalls.h>
#include <qthread/qthread.h>
#include <qthread/spr.h>

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8, LARGE = 1 << 20, TRANSFERS = 64, TASKS = 100, NOTES = 10 };

static int locales, here;
static aligned_t wrong;
static uint64_t seed;

static uint64_t from_all[MOST];         /* put by each */
static uint64_t mine[TRANSFERS];        /* got by anybody */
static unsigned char large[LARGE], other[LARGE];
static aligned_t notes;

#define CHECK(condition) check(condition, #condition, __LINE__)
static void check(bool good, const char *what, int line)
{
	if (good)
		return;
	fprintf(stderr, "locale %d, line %d: not %s\n", here, line, what);
	qthread_incr(&wrong, 1);
}

static uint64_t chance(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint64_t value(int locale, int i)
{
	return ((uint64_t)(locale + 1) << 32) + (uint64_t)i * i;
}

/* --- what is run elsewhere ------------------------------------------------------------------------------- */

enum place { FROM_ALL, MINE, LARGE_ONE };

static aligned_t where(void *arg)
{
	enum place p;

	memcpy(&p, arg, sizeof(p));
	return p == FROM_ALL ? (aligned_t)(uintptr_t)from_all : p == MINE ? (aligned_t)(uintptr_t)mine : (aligned_t)(uintptr_t)large;
}

static aligned_t sum(void *arg)
{
	uint64_t n, s = 0;

	memcpy(&n, arg, sizeof(n));
	for (uint64_t i = 0; i < n; i++)
		s += ((unsigned char *)arg)[sizeof(n) + i];
	return s;
}

/* Goes on to the next locale, so many times, and returns by all of them. */
static aligned_t hop(void *arg)
{
	uint64_t left;
	aligned_t more = 0;

	memcpy(&left, arg, sizeof(left));
	if (left-- == 0)
		return 0;
	if (qthread_fork_remote(hop, &left, &more, (here + 1) % locales, sizeof(left)) != SPR_OK)
		return 1000;
	qthread_readFF(&more, &more);
	return more + 1;
}

static aligned_t note_later(void *arg)
{
	(void)arg;
	qt_usleep(30000);
	qthread_incr(&notes, 1);
	return 0;
}

static aligned_t nobody_knows(void *arg)
{
	(void)arg;
	return 0;
}

static qthread_f functions[] = { where, sum, hop, note_later, NULL };

static void *place_of(enum place p, int locale)
{
	aligned_t address = 0;

	CHECK(qthread_fork_remote(where, &p, &address, locale, sizeof(p)) == SPR_OK);
	qthread_readFF(&address, &address);
	return (void *)(uintptr_t)address;
}

/* --- what is promised ------------------------------------------------------------------------------------ */

static void copies(void)
{
	uint64_t got = 0;

	for (int l = 0; l < locales; l++) {
		uint64_t v = value(here, l);
		CHECK(spr_put(l, (uint64_t *)place_of(FROM_ALL, l) + here, &v, sizeof(v)) == SPR_OK);
	}
	CHECK(spr_locale_barrier() == SPR_OK);
	for (int l = 0; l < locales; l++) {
		CHECK(from_all[l] == value(l, here));
		CHECK(spr_get(&got, l, (uint64_t *)place_of(MINE, l) + 3, sizeof(got)) == SPR_OK && got == value(l, 3));
	}
	CHECK(spr_get(&got, locales - 1, NULL, 0) == SPR_OK);
}

static void large_ones(void)
{
	int next = (here + 1) % locales;
	spr_get_handle_t get;

	for (size_t i = 0; i < LARGE; i++)
		other[i] = (unsigned char)(i * 7 + (size_t)here);
	CHECK(spr_put(next, place_of(LARGE_ONE, next), other, LARGE) == SPR_OK);
	CHECK(spr_locale_barrier() == SPR_OK);
	CHECK(large[LARGE - 1] == (unsigned char)((LARGE - 1) * 7 + (size_t)((here + locales - 1) % locales)));
	CHECK(spr_get_nb(other, next, place_of(LARGE_ONE, next), LARGE, &get) == SPR_OK);
	CHECK(spr_get_wait(&get) == SPR_OK && other[12345] == (unsigned char)(12345 * 7 + (size_t)here));
	CHECK(spr_locale_barrier() == SPR_OK);
}

static void many_at_once(void)
{
	spr_get_handle_t get[TRANSFERS];
	uint64_t got[TRANSFERS], state = seed + (uint64_t)here + 1;
	int from[TRANSFERS];

	for (int i = 0; i < TRANSFERS; i++) {
		from[i] = (int)(chance(&state) % (uint64_t)locales);
		CHECK(spr_get_nb(&got[i], from[i], (uint64_t *)place_of(MINE, from[i]) + i, sizeof(got[i]), &get[i]) == SPR_OK);
	}
	for (int i = TRANSFERS; i-- > 0;)
		CHECK(spr_get_wait(&get[i]) == SPR_OK && got[i] == value(from[i], i));
}

static aligned_t asks_around(void *arg)
{
	uint64_t state = seed * 1000 + (uintptr_t)arg * 10 + (uint64_t)here + 1;
	struct {
		uint64_t n;
		unsigned char bytes[1000];
	} numbers = { .n = 1 + chance(&state) % 1000 };
	int locale = (int)(chance(&state) % (uint64_t)locales), at = (int)(chance(&state) % TRANSFERS);
	uint64_t got = 0, expected = 0;
	aligned_t answer = 0;

	for (uint64_t i = 0; i < numbers.n; i++)
		expected += numbers.bytes[i] = (unsigned char)chance(&state);
	CHECK(qthread_fork_remote(sum, &numbers, &answer, locale, sizeof(numbers)) == SPR_OK);
	CHECK(spr_get(&got, locale, (uint64_t *)place_of(MINE, locale) + at, sizeof(got)) == SPR_OK);
	CHECK(got == value(locale, at));
	qthread_readFF(&answer, &answer);
	CHECK(answer == expected);
	return 0;
}

static void tasks_ask(void)
{
	aligned_t done[TASKS], hops = 0;
	uint64_t times = 20;

	for (uintptr_t i = 0; i < TASKS; i++)
		qthread_fork(asks_around, (void *)i, &done[i]);
	for (unsigned i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &done[i]);
	CHECK(qthread_fork_remote(hop, &times, &hops, (here + 1) % locales, sizeof(times)) == SPR_OK);
	qthread_readFF(&hops, &hops);
	CHECK(hops == times);
}

static void errors(void)
{
	qthread_f only_here = nobody_knows;
	spr_get_handle_t get;
	spr_put_handle_t put;
	uint64_t word = 0;
	aligned_t ret = 5;

	CHECK(spr_get(&word, locales, &word, sizeof(word)) == SPR_BADARGS);
	CHECK(spr_put(-1, &word, &word, sizeof(word)) == SPR_BADARGS);
	CHECK(spr_get(NULL, locales - 1, &word, 1) == SPR_BADARGS);
	CHECK(spr_get_nb(&word, (here + 1) % locales, place_of(MINE, (here + 1) % locales), sizeof(word), &get) == SPR_OK);
	memcpy(&put, &get, sizeof(put));
	CHECK(locales == 1 || spr_put_wait(&put) == SPR_BADARGS);
	CHECK(spr_get_wait(&get) == SPR_OK);
	CHECK(spr_get_wait(&get) == SPR_BADARGS);
	memset(&get, 1, sizeof(get));
	CHECK(spr_get_wait(&get) == SPR_BADARGS);
	CHECK(qthread_fork_remote(sum, NULL, &ret, locales, 0) == SPR_BADARGS);
	CHECK(qthread_fork_remote(sum, NULL, &ret, locales - 1, 1) == SPR_BADARGS);
	CHECK(qthread_fork_remote(NULL, NULL, &ret, 0, 0) == SPR_BADARGS);
	CHECK(qthread_fork_remote(nobody_knows, NULL, &ret, locales - 1, 0) == SPR_BADARGS);
	CHECK(spr_register_actions(&only_here, 1, 77 + (size_t)here) == SPR_OK);
	CHECK(locales == 1 || qthread_fork_remote(nobody_knows, NULL, &ret, (here + 1) % locales, 0) == SPR_BADARGS);
	CHECK(qthread_feb_status(&ret) == 1 && ret == 5);
	CHECK(qthread_fork_remote(nobody_knows, NULL, &ret, here, 0) == SPR_OK && qthread_readFF(&ret, &ret) == 0 && ret == 0);
}

/* Beside spr_init, whose result is seen as a whole. */
static void *look(void *first)
{
	while ((*(int *)first = spr_num_locales()) == SPR_NOINIT)
		sched_yield();
	return NULL;
}

static void begin(unsigned flags)
{
	pthread_t looker;
	int first = 0;
	bool looks = pthread_create(&looker, NULL, look, &first) == 0;

	CHECK(spr_init(flags, functions) == SPR_OK);
	CHECK(spr_init(flags, NULL) == SPR_IGN);
	CHECK(looks && pthread_join(looker, NULL) == 0 && first == locales);
	here = spr_locale_id();
	CHECK(spr_num_locales() == locales && here >= 0 && here < locales);
}

static void all_together(void)
{
	for (int i = 0; i < TRANSFERS; i++)
		mine[i] = value(here, i);
	CHECK(spr_unify() == SPR_OK);
	CHECK(spr_locale_barrier() == SPR_OK);
	copies();
	large_ones();
	many_at_once();
	tasks_ask();
	errors();
	CHECK(spr_locale_barrier() == SPR_OK);
}

/* spr_fini waits for what has been asked for, of others and here. */
static void end(void)
{
	for (int l = 1; l <= locales; l++)
		for (int i = 0; i < NOTES; i++)
			CHECK(qthread_fork_remote(note_later, NULL, NULL, (here + l) % locales, 0) == SPR_OK);
	CHECK(spr_fini() == SPR_OK);
	if (locales > 1)
		CHECK(notes == (aligned_t)(NOTES * locales));
	CHECK(spr_fini() == SPR_NOINIT && spr_num_locales() == SPR_NOINIT);
}

/* Locale 0 alone runs main; the others do what it asks for. */
static void alone(void)
{
	const struct {
		uint64_t n;
		unsigned char bytes[8];
	} numbers = { 3, { 1, 20, 30 } };
	aligned_t answer = 0;

	begin(0);
	CHECK(here == 0);
	for (int l = 0; l < locales; l++) {
		CHECK(qthread_fork_remote(sum, &numbers, &answer, l, sizeof(numbers)) == SPR_OK);
		CHECK(qthread_readFF(&answer, &answer) == QTHREAD_SUCCESS && answer == 51);
	}
	CHECK(spr_fini() == SPR_OK);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	locales = atoi(argv[2]);
	seed = strtoull(argv[3], NULL, 10);
	if (strcmp(argv[1], "alone") == 0) {
		alone();
	} else {
		begin(strcmp(argv[1], "unify") == 0 ? 0 : SPR_SPMD);
		if (here == 0)
			CHECK(spr_unify() == SPR_OK);
		all_together();
		end();
		CHECK(spr_init(SPR_SPMD, NULL) == SPR_OK && spr_locale_barrier() == SPR_OK);
	}
	printf("%" PRIu64 " wrong\n", (uint64_t)wrong);
	return wrong ? 1 : 0;   /* without spr_fini */
}
