/* test/omp/exclusion.c -- critical, atomic, flush, barrier: one at a time, and all at once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/every.h"

#include <errno.h>
#include <stdint.h>

#define OMP(...) _Pragma(#__VA_ARGS__)

enum { ROUNDS = 300, MOST = 8 };

/* A member that is kept from its CPU between reading and writing shows whether others are let in. */
static void slowly(long *count, int i)
{
	const long was = *count;

	if (i % 100 == 50)
		every_linger();
	*count = was + 1;
}

static void in_another_function(long *count, int i)
{
#pragma omp critical(shared_name)
	slowly(count, i);
}

static void critical(void)
{
	const int rounds = every_scaled(ROUNDS), members = omp_get_max_threads();
	long unnamed = 0, named = 0, hinted = 0;
	int inside = 0, crowds = 0, come = 0;

#pragma omp parallel
	for (int i = 0; i < rounds; i++) {
		if (i == 0)
			every_meet(&come, omp_get_num_threads());
#pragma omp critical
		{
			unnamed++;
			crowds += inside++ != 0;
			if (i % 100 == 50)
				every_linger();
			inside--;
		}
#pragma omp critical(shared_name)
		slowly(&named, i);
		in_another_function(&named, i);
#pragma omp critical(with_hint) hint(omp_sync_hint_contended)
		slowly(&hinted, i);
	}
	ok(unnamed == (long)rounds * members && crowds == 0, "critical: one at a time");
	is_int(named, 2L * rounds * members, "critical(name): in all functions");
	is_int(hinted, (long)rounds * members, "critical hint");

	long outer = 0;
#pragma omp parallel
	for (int i = 0; i < rounds; i++) {
#pragma omp critical(a)
		{
#pragma omp critical(b)
			{
#pragma omp critical
				slowly(&outer, i);
			}
		}
	}
	is_int(outer, (long)rounds * members, "critical: of several names, one in another");
}

/* Who is in a region of one name keeps nobody out of that of another. */
static void names_differ(void)
{
	int in = 0, met = 0;

#pragma omp parallel
	if (omp_get_num_threads() > 1 && omp_get_thread_num() < 2) {
		int seen = 0;

		if (omp_get_thread_num() == 0) {
#pragma omp critical(left)
			{
#pragma omp atomic
				in++;
				while (seen < 2) {
					sched_yield();
#pragma omp atomic read
					seen = in;
				}
#pragma omp atomic
				met++;
			}
		} else {
#pragma omp critical(right)
			{
#pragma omp atomic
				in++;
				while (seen < 2) {
					sched_yield();
#pragma omp atomic read
					seen = in;
				}
#pragma omp atomic
				met++;
			}
		}
	}
	is_int(met, omp_get_max_threads() > 1 ? 2 : 0, "critical: names do not exclude each other");
}

struct sums {
	long double x, y;
	long n;
};

static void critical_for_structs(void)
{
	const int rounds = every_scaled(ROUNDS), members = omp_get_max_threads();
	struct sums s = {0, 0, 0};

#pragma omp parallel firstprivate(rounds)
	for (int i = 0; i < rounds; i++) {
#pragma omp critical
		s = (struct sums){s.x + 1, s.y - 2, s.n + 1};
	}
	ok(s.n == (long)rounds * members && s.x == s.n && s.y == -2 * s.x, "critical: a struct");
}

#define ATOMIC(T, times)                                                                                               \
	do {                                                                                                           \
		const int rounds = every_scaled(times), members = omp_get_max_threads();                               \
		int come = 0;                                                                                          \
		T up = 0, down = 0, swapped = 0, doubled = 1, old, fresh;                                              \
		long olds = 0, news = 0;                                                                               \
		OMP(omp parallel private(old, fresh) reduction(+ : olds, news))                                        \
		for (int i = 0; i < rounds; i++) {                                                                     \
			if (i == 0)                                                                                    \
				every_meet(&come, omp_get_num_threads());                                              \
			OMP(omp atomic)                                                                                \
			up++;                                                                                          \
			OMP(omp atomic update)                                                                         \
			down = down - 1;                                                                               \
			OMP(omp atomic capture)                                                                        \
			old = swapped++;                                                                               \
			OMP(omp atomic capture)                                                                        \
			{                                                                                              \
				swapped = swapped - 1;                                                                 \
				fresh = swapped;                                                                       \
			}                                                                                              \
			olds += old < 0;                                                                               \
			news += fresh >= members;                                                                      \
			if (i % 100 == 0) {                                                                            \
				OMP(omp atomic)                                                                        \
				doubled *= 2;                                                                          \
				OMP(omp atomic)                                                                        \
				doubled /= 2;                                                                          \
			}                                                                                              \
		}                                                                                                      \
		ok(up == (T)(rounds * members) && down == (T) - (T)(rounds * members), "atomic: " #T);                 \
		ok(swapped == 0 && olds == 0 && news == 0, "atomic capture: " #T);                                     \
		ok(doubled == 1, "atomic: products and quotients, " #T);                                               \
	} while (0)

static void atomic(void)
{
	ATOMIC(short, ROUNDS);
	ATOMIC(int, ROUNDS);
	ATOMIC(long, ROUNDS);
	ATOMIC(float, ROUNDS);
	ATOMIC(double, ROUNDS);
	/* Which takes a lock, that is seldom missed. */
	ATOMIC(long double, 20000);

	unsigned char small[8] = {0};
	uint64_t bits = 0, mask = ~0ull, odd = 0;
#pragma omp parallel
	{
		const int me = omp_get_thread_num();

		for (int i = 0; i < 100; i++) {
#pragma omp atomic
			small[i % 8]++;
		}
#pragma omp atomic
		bits |= 1ull << me;
#pragma omp atomic
		mask &= ~(1ull << me);
#pragma omp atomic
		odd ^= 1ull << me;
	}
	const int n = omp_get_max_threads();
	const uint64_t want = (1ull << n) - 1;
	ok(small[0] == (unsigned char)(13 * n) && small[7] == (unsigned char)(12 * n), "atomic: bytes side by side");
	ok(bits == want && odd == want && mask == ~want, "atomic: bits");
}

static void atomic_forms(void)
{
	const int rounds = every_scaled(ROUNDS), members = omp_get_max_threads();
	double whole = 0;
	int torn = 0, most = 0, ticket = -1, taken = 0;

#pragma omp parallel reduction(+ : torn)
	for (int i = 0; i < rounds; i++) {
		double x;

#pragma omp atomic write
		whole = i % 2 ? -1.5 : 1e300;
#pragma omp atomic read
		x = whole;
		torn += x != -1.5 && x != 1e300;
	}
	is_int(torn, 0, "atomic read, atomic write: whole values");

#pragma omp parallel
	{
		/* Not const: GCC 16 does not see then that both times it is the same. */
		int mine = omp_get_thread_num() * 7 % 5 + omp_get_thread_num(), before;

#pragma omp atomic compare
		if (mine > most) {
			most = mine;
		}
#pragma omp atomic compare capture seq_cst
		{
			before = ticket;
			if (ticket == -1) {
				ticket = mine;
			}
		}
#pragma omp atomic
		taken += before == -1;
	}
	int want = 0;
	for (int i = 0; i < members; i++)
		if (i * 7 % 5 + i > want)
			want = i * 7 % 5 + i;
	ok(most == want && taken == 1, "atomic compare: maximum, and one who is first");

	long acq_rel = 0;
#pragma omp parallel
	for (int i = 0; i < rounds; i++) {
#pragma omp atomic acq_rel hint(omp_sync_hint_uncontended)
		acq_rel += 3;
	}
	is_int(acq_rel, 3L * rounds * members, "atomic acq_rel hint");
}

static int message[2];

/* A message: written, flushed, announced; seen, flushed, read. */
static void flush(void)
{
	const int rounds = every_scaled(200);
	int turn = 0, wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	if (omp_get_num_threads() > 1 && omp_get_thread_num() < 2)
		for (int r = omp_get_thread_num(); r < rounds; r += 2) {
			int seen = -1, told;

			while (seen != r) {
				sched_yield();
#pragma omp atomic read
				seen = turn;
			}
#pragma omp flush
#pragma omp atomic read
			told = message[!(r % 2)];
			wrong += r > 0 && told != r - 1;
#pragma omp atomic write
			message[r % 2] = r;
#pragma omp flush
#pragma omp atomic write
			turn = r + 1;
		}
	is_int(wrong, 0, "flush: what was written before it is seen behind another");
}

static void barrier(void)
{
	const int rounds = every_scaled(200);
	int at[MOST] = {0}, wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	for (int r = 1; r <= rounds; r++) {
		const int me = omp_get_thread_num(), n = omp_get_num_threads();

		at[me] = r;
#pragma omp barrier
		for (int i = 0; i < n; i++)
			wrong += at[i] != r;
#pragma omp barrier
	}
	is_int(wrong, 0, "barrier: nobody goes on before all have come");

	int arrived = 0, early = 0;
#pragma omp parallel num_threads(MOST) reduction(+ : early)
	for (int r = 1; r <= rounds / 4; r++) {
		int seen;

		if (r % MOST == omp_get_thread_num())
			sched_yield();
#pragma omp atomic
		arrived++;
#pragma omp barrier
#pragma omp atomic read
		seen = arrived;
		early += seen < MOST * r;
	}
	is_int(early, 0, "barrier: eight members, one of them late");
}

static int errno_differs(int mine, const char *behind)
{
	const int now = errno;

	if (now == mine)
		return 0;
	diag("errno is %d, not %d, behind %s", now, mine, behind);
	errno = mine;
	return 1;
}

/* errno is the OS thread's: a member keeps its own across whatever it waits for, as no call failed that it made. */
static void errno_stays(void)
{
	int wrong = 0, x;

#pragma omp parallel private(x) reduction(+ : wrong)
	for (int r = 0; r < 20; r++) {
		const int mine = 1000 + 100 * r + omp_get_thread_num();

		errno = mine;
#pragma omp barrier
		wrong += errno_differs(mine, "barrier");
#pragma omp single copyprivate(x)
		x = r;
		wrong += x != r || errno_differs(mine, "single copyprivate");
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 16; i++)
			wrong += errno_differs(mine, "the beginning of a loop");
		wrong += errno_differs(mine, "a loop");
#pragma omp critical
		wrong += errno_differs(mine, "the beginning of a critical region");
#pragma omp for ordered
		for (int i = 0; i < 16; i++) {
#pragma omp ordered
			wrong += errno_differs(mine, "the beginning of an ordered region");
		}
		wrong += errno_differs(mine, "an ordered loop");
	}
	is_int(wrong, 0, "errno: each member's own, across barriers, loops, critical and ordered regions");
}

int main(void)
{
	plan(4 + 1 + 1 + 6 * 3 + 2 + 3 + 1 + 2 + 1);
	omp_set_dynamic(0);
	critical();
	names_differ();
	critical_for_structs();
	atomic();
	atomic_forms();
	flush();
	barrier();
	errno_stays();
	return done();
}
