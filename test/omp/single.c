/* test/omp/single.c -- single, copyprivate, master, masked, scope: what some members do for the others.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/every.h"

#include <string.h>

static int stays;
#pragma omp threadprivate(stays)

static void single(void)
{
	const int rounds = every_scaled(200);
	int times = 0, early = 0, chosen = 0;

#pragma omp parallel reduction(+ : early)
	for (int r = 1; r <= rounds; r++) {
#pragma omp single
		{
			times++;
			chosen = omp_get_thread_num();
		}
		early += times != r;
#pragma omp barrier
	}
	is_int(times, rounds, "single: once");
	is_int(early, 0, "single: before anybody goes on");
	ok(chosen >= 0 && chosen < omp_get_max_threads(), "single: by a member");
}

static void single_nowait(void)
{
	enum { ROUNDS = 500 };
	static int times[ROUNDS];

#pragma omp parallel
	for (int r = 0; r < ROUNDS; r++) {
#pragma omp single nowait
		times[r]++;
	}
	ok(every_is(times, ROUNDS, 1), "single nowait: five hundred in a row, each once");

	/* The chosen one waits for what the others do behind the construct. */
	int past = 0, members = 0;
#pragma omp parallel
	{
#pragma omp single nowait
		{
			members = omp_get_num_threads();
			for (int seen = 0; seen < members - 1;) {
				sched_yield();
#pragma omp atomic read
				seen = past;
			}
		}
#pragma omp atomic
		past++;
	}
	is_int(past, members, "single nowait: the others go on meanwhile");
}

struct pair {
	long a, b;
};

static void copyprivate(int n)
{
	const int rounds = every_scaled(100);
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		int x = -1, many[4] = {0};
		struct pair p = {0, 0};
		int vla[n];

		memset(vla, 0, sizeof(vla));
		for (int r = 0; r < rounds; r++) {
#pragma omp single copyprivate(x, many, p, vla, stays)
			{
				x = r;
				many[3] = r + 3;
				p = (struct pair){r, -r};
				vla[n - 1] = r * 2;
				stays = r + 1;
			}
			wrong += x != r || many[3] != r + 3 || p.a != r || p.b != -r || vla[n - 1] != 2 * r || stays != r + 1;
			/* It is theirs now. */
			x = many[3] = -omp_get_thread_num();
		}
	}
	is_int(wrong, 0, "single copyprivate: each member gets what the chosen one had");
}

static void values(void)
{
	int a = 3, b = 4, wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
#pragma omp single private(a) firstprivate(b)
		{
			wrong += b != 4;
			a = b = 5;
			wrong += a != 5;
		}
		wrong += a != 3 || b != 4;
	}
	is_int(wrong, 0, "single private, firstprivate: originals are left alone");
}

static void master(void)
{
	int times = 0, who = -1;

#pragma omp parallel
	{
#pragma omp master
		{
			times++;
			who = omp_get_thread_num();
		}
	}
	ok(times == 1 && who == 0, "master: thread 0 alone");

	int masked = 0, others = 0;
	const int last = omp_get_max_threads() - 1;
#pragma omp parallel
	{
#pragma omp masked
		{
#pragma omp atomic
			masked += omp_get_thread_num() == 0;
		}
#pragma omp masked filter(last)
		{
#pragma omp atomic
			others += omp_get_thread_num() == last;
		}
#pragma omp masked filter(last + 1)
		{
#pragma omp atomic
			others += 1000;
		}
	}
	is_int(masked, 1, "masked: thread 0 alone");
	is_int(others, 1, "masked filter: that thread alone, or none");

	int waited = 0;
#pragma omp parallel
	{
#pragma omp master
		for (int seen = 0; seen < omp_get_num_threads() - 1;) {
			sched_yield();
#pragma omp atomic read
			seen = waited;
		}
#pragma omp atomic
		waited++;
	}
	is_int(waited, omp_get_max_threads(), "master: nobody waits for it");
}

static void scope(void)
{
	int in = 0, own = 7, wrong = 0, early = 0;

#pragma omp parallel reduction(+ : wrong, early)
	{
#pragma omp scope private(own)
		{
			own = omp_get_thread_num();
#pragma omp atomic
			in++;
			wrong += own != omp_get_thread_num();
		}
		early += in != omp_get_num_threads();
	}
	ok(in == omp_get_max_threads() && own == 7 && wrong == 0, "scope private: every member");
	is_int(early, 0, "scope: all before anybody goes on");

	int sum = 100, seen = 0;
#pragma omp parallel
	{
#pragma omp scope reduction(+ : sum)
		sum += omp_get_thread_num();
#pragma omp atomic
		seen += sum;
	}
	const int n = omp_get_max_threads(), want = 100 + n * (n - 1) / 2;
	ok(sum == want && seen == n * want, "scope reduction: seen by all behind it");

	int quick = 0;
#pragma omp parallel
	for (int r = 0; r < 20; r++) {
#pragma omp scope nowait
		{
#pragma omp atomic
			quick++;
		}
	}
	is_int(quick, 20 * n, "scope nowait");
}

static int chosen_in_function(void)
{
	int x = 0;

#pragma omp single copyprivate(x)
	x = 42 + omp_get_num_threads();
	return x;
}

static void orphaned(void)
{
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	for (int i = 0; i < 10; i++)
		wrong += chosen_in_function() != 42 + omp_get_num_threads();
	is_int(wrong, 0, "single copyprivate: in a function");
	is_int(chosen_in_function(), 43, "single copyprivate: outside of any region");
}

/* Regions that one member opens while the others wait, or do not. */
static void with_regions(void)
{
	int inner = 0, of_master = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		{
#pragma omp parallel num_threads(3) reduction(+ : inner)
			inner++;
		}
#pragma omp master
		{
#pragma omp parallel num_threads(2) reduction(+ : of_master)
			of_master += 10;
		}
#pragma omp single copyprivate(stays)
		{
#pragma omp parallel for num_threads(2) schedule(dynamic) reduction(+ : inner)
			for (int i = 0; i < 100; i++)
				inner += 100;
			stays = 8;
		}
	}
	ok(inner == 3 + 10000 && of_master == 20, "single, master: with regions inside");
	omp_set_max_active_levels(1);

	int all = 0;
#pragma omp parallel master
	all += omp_get_num_threads();
	is_int(all, omp_get_max_threads(), "parallel master");
}

int main(void)
{
	plan(19);
	omp_set_dynamic(0);
	single();
	single_nowait();
	copyprivate(9);
	values();
	master();
	scope();
	orphaned();
	with_regions();
	return done();
}
