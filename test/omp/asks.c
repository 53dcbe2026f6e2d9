/* test/omp/asks.c -- routines that ask answer in the handler of a signal, whatever it has interrupted.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of threads of each kind (default 20), each of which gets a signal at ASKED random moments.
 * QTI_SEED repeats the moments of a run.
 */
#include "omp/asking.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 7, ASKED = 20, MOST = 4, MOMENT = 4000 };

static __thread unsigned seed;          /* a new thread's begins at 0 */
static int answered, wrong;             /* atomic */

static unsigned next_random(unsigned below)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 8) % below;
}

static void handler(int unused)
{
	const int before = errno;

	(void)unused;
	errno = 0;
	if (!asking_all() || errno != 0)
		__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
	errno = before;
	__atomic_add_fetch(&answered, 1, __ATOMIC_RELEASE);
}

static int load(const int *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

/* At a random moment; returns when the handler has. */
static void interrupt(pthread_t thread)
{
	const int before = load(&answered);

	for (volatile unsigned i = next_random(MOMENT); i > 0; i--)
		continue;
	if (pthread_kill(thread, SIGUSR1) != 0)
		bail_out("pthread_kill failed");
	while (load(&answered) == before)
		sched_yield();
}

/* --- threads that are new to OpenMP ---------------------------------------------------------------------- */

static int begun, over;                 /* atomic */

static void allocates(void)
{
	free(malloc(1 + next_random(50000)));
}

static void has_regions(void)
{
	int n = 0;

#pragma omp parallel num_threads(2) reduction(+ : n)
	n++;
	if (n != 2 && n != 1)
		abort();
}

static void has_inner_regions(void)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	allocates();
}

static void creates_tasks(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 10; i++) {
#pragma omp task
		allocates();
	}
}

static void sets(void)
{
	omp_set_num_threads(1 + (int)next_random(MOST));
}

static void does_nothing(void)
{
}

static const struct {
	const char *name;
	void (*body)(void);
} kinds[] = {
	{ "is idle", does_nothing },
	{ "allocates", allocates },
	{ "has regions", has_regions },
	{ "has regions in regions", has_inner_regions },
	{ "creates tasks", creates_tasks },
	{ "sets a control variable", sets },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static void *new_thread(void *kind)
{
	__atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
	do
		kinds[*(int *)kind].body();
	while (!load(&over));
	return NULL;
}

static bool thread_answers(int kind)
{
	pthread_t thread;

	wrong = begun = over = 0;
	if (pthread_create(&thread, NULL, new_thread, &kind) != 0)
		bail_out("pthread_create failed");
	while (!load(&begun))
		sched_yield();
	for (int i = 0; i < ASKED; i++)
		interrupt(thread);
	__atomic_store_n(&over, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	return wrong == 0;
}

static void new_threads(int rounds)
{
	for (int k = 0; k < KINDS; k++) {
		int good = 0;

		for (int i = 0; i < rounds; i++)
			good += thread_answers(k);
		if (on_oracle())        /* libgomp 14 gave a wrong answer once */
			skip(1, "GCC's library promises nothing in handlers");
		else
			is_int(good, rounds, "a thread that %s answers in handlers", kinds[k].name);
	}
}

/* --- the main thread's regions --------------------------------------------------------------------------- */

static pthread_t members[MOST];

static void *interrupts_members(void *rounds)
{
	for (int i = 0; i < *(int *)rounds * ASKED; i++)
		interrupt(members[next_random(MOST)]);
	__atomic_store_n(&over, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* GCC's library ends threads that a smaller region does not need. */
static void work(int size)
{
	int sum = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : sum) num_threads(on_oracle() ? MOST : size)
	for (int i = 0; i < 20; i++)
		sum += i;
	if (sum != 190)
		abort();
	if (on_oracle())
		return;
	creates_tasks();
	has_inner_regions();
	allocates();
}

static void team_answers(int rounds)
{
	pthread_t thread;

	for (int i = 0; i < MOST; i++)
		members[i] = pthread_self();
	wrong = over = 0;
	omp_set_dynamic(0);
#pragma omp parallel num_threads(MOST)
	members[omp_get_thread_num()] = pthread_self();
	if (pthread_create(&thread, NULL, interrupts_members, &rounds) != 0)
		bail_out("pthread_create failed");
	for (int size = 1; !load(&over); size = size % MOST + 1)
		work(size);
	pthread_join(thread, NULL);
	is_int(wrong, 0, "threads of a team answer, in regions and between them");
}

/* --- other places ---------------------------------------------------------------------------------------- */

static bool late;
static pthread_key_t key;

/* OpenMP has forgotten the thread by its last call. */
static void asks_late(void *calls)
{
	if (calls == &key)
		pthread_setspecific(key, &late);
	else
		late = asking_all() && asking_finds_nobody();
}

static void *ends_late(void *unused)
{
	has_regions();
	pthread_setspecific(key, &key);
	return unused;
}

static void destructors(void)
{
	pthread_t thread;

	if (pthread_key_create(&key, asks_late) != 0 || pthread_create(&thread, NULL, ends_late, NULL) != 0)
		bail_out("no thread");
	pthread_join(thread, NULL);
	ok(late, "destructors of a thread's data ask");
}

static bool child_ends_well(void)
{
	int status = 1;
	const pid_t child = fork();

	if (child == 0) {
		raise(SIGUSR1);
		_exit(wrong != 0 || !asking_all());
	}
	waitpid(child, &status, 0);
	return status == 0;
}

static void children(void)
{
	const char *tool = getenv("QTI_TEST_TOOL");
	bool inside = false;

	if (tool && *tool) {
		skip(2, "valgrind takes for leaks what a child forgets of its parent's threads");
		return;
	}
	ok(child_ends_well(), "the child of fork(2) asks");
#pragma omp parallel num_threads(3)
#pragma omp single
	inside = child_ends_well();
	ok(inside, "also in a region");
}

/* Before main(), and before anything else of OpenMP's. */
static bool early;

__attribute__((constructor)) static void constructor(void)
{
	early = asking_all() && asking_finds_nobody();
}

static void seed_set(void)
{
	const char *given = getenv("QTI_SEED");

	seed = given ? (unsigned)strtoul(given, NULL, 0) : (unsigned)time(NULL) ^ (unsigned)getpid() << 16;
	diag("QTI_SEED=%u", seed);
}

int main(void)
{
	const int rounds = every_scaled(getenv("QTI_ROUNDS") ? atoi(getenv("QTI_ROUNDS")) : ROUNDS);

	plan(2 + KINDS + 1 + 1 + 2);
	seed_set();
	ok(early, "a constructor asks");
	sigaction(SIGUSR1, &(struct sigaction){ .sa_handler = handler, .sa_flags = SA_RESTART }, NULL);
	raise(SIGUSR1);
	is_int(wrong, 0, "the handler of a signal asks before there is a region");
	new_threads(rounds);
	team_answers(rounds);
	destructors();
	children();
	return done();
}
