/* test/omp/sections.c -- sections: each once, by whomever.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/every.h"

static void each_once(void)
{
	int seen[7] = {0}, early = 0, come = 0;

#pragma omp parallel reduction(+ : early)
	{
		every_meet(&come, omp_get_num_threads());
#pragma omp sections
		{
			every_linger();
			seen[0]++;
#pragma omp section
			seen[1]++;
#pragma omp section
			seen[2]++;
#pragma omp section
			seen[3]++;
#pragma omp section
			seen[4]++;
#pragma omp section
			seen[5]++;
#pragma omp section
			seen[6]++;
		}
		for (int i = 0; i < 7; i++)
			early += seen[i] != 1;
	}
	ok(every_is(seen, 7, 1), "sections: each of seven once");
	is_int(early, 0, "sections: all of them before anybody goes on");
}

static void one(void)
{
	int seen = 0;

#pragma omp parallel
#pragma omp sections
	{
#pragma omp section
		seen++;
	}
	is_int(seen, 1, "sections: of one");
}

static void values(void)
{
	int a = 4, b = 5, c = 6, sum = 100, wrong = 0;

#pragma omp parallel
	{
#pragma omp sections firstprivate(a) lastprivate(b) private(c) reduction(+ : sum, wrong)
		{
			wrong += a != 4;
			a = b = c = 1;
			sum += c;
#pragma omp section
			b = c = 2;
			sum += c;
#pragma omp section
			b = c = 3;
			sum += c;
		}
#pragma omp atomic
		wrong += a != 4 || b != 3 || c != 6;
	}
	ok(wrong == 0 && a == 4 && c == 6, "sections firstprivate, private: originals are left alone");
	is_int(b, 3, "sections lastprivate: what the last section left");
	is_int(sum, 106, "sections reduction");
}

static void nowait(void)
{
	enum { ROUNDS = 50 };
	static int seen[ROUNDS][3];
	bool once = true;

#pragma omp parallel
	for (int r = 0; r < ROUNDS; r++) {
#pragma omp sections nowait
		{
			seen[r][0]++;
#pragma omp section
			seen[r][1]++;
#pragma omp section
			seen[r][2]++;
		}
	}
	for (int r = 0; r < ROUNDS; r++)
		once = every_is(seen[r], 3, 1) && once;
	ok(once, "sections nowait: fifty in a row, each section once");
}

static void combined(void)
{
	int seen[4] = {0}, last = 0, members = 0;

#pragma omp parallel sections num_threads(3) lastprivate(last)
	{
		seen[0]++;
#pragma omp section
		{
			seen[1]++;
			members = omp_get_num_threads();
		}
#pragma omp section
		seen[2]++;
#pragma omp section
		{
			seen[3]++;
			last = 9;
		}
	}
	ok(every_is(seen, 4, 1) && last == 9, "parallel sections num_threads(3) lastprivate: each once");
	is_int(members, 3, "parallel sections num_threads(3): a team of that size");

	int sum = 0;
	for (int r = 0; r < every_scaled(200); r++) {
#pragma omp parallel sections reduction(+ : sum)
		{
			sum += 1;
#pragma omp section
			sum += 10;
		}
	}
	is_int(sum, 11 * every_scaled(200), "parallel sections reduction: again and again");

#pragma omp parallel sections if (last == 0)
	{
		last = omp_get_num_threads();
#pragma omp section
		sum = 1;
	}
	ok(last == 1 && sum == 1, "parallel sections if(0): one member does them all");
}

/* Two sections of a team of two at least are under way at once, if one waits for the other. */
static void at_once(void)
{
	int left = 0, met = 0, members = 0;

#pragma omp parallel
	{
#pragma omp single
		members = omp_get_num_threads();
#pragma omp sections
		{
#pragma omp section
			if (members > 1)
				for (int seen = 0; !seen;) {
					sched_yield();
#pragma omp atomic read
					seen = left;
				}
#pragma omp section
			{
#pragma omp atomic write
				left = 1;
				met++;
			}
		}
	}
	is_int(met, 1, "sections: one may wait for the next");
}

static void part(int *seen)
{
#pragma omp sections
	{
		seen[0]++;
#pragma omp section
		seen[1]++;
	}
}

static void orphaned(void)
{
	int seen[2] = {0}, alone[2] = {0};

#pragma omp parallel
	part(seen);
	part(alone);
	ok(every_is(seen, 2, 1), "sections: in a function");
	ok(every_is(alone, 2, 1), "sections: outside of any region");
}

static void with_regions(void)
{
	int sum = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel sections num_threads(2) reduction(+ : sum)
	{
#pragma omp parallel num_threads(2) reduction(+ : sum)
		sum += 1;
#pragma omp section
#pragma omp parallel sections num_threads(2) reduction(+ : sum)
		{
			sum += 10;
#pragma omp section
			sum += 100;
		}
	}
	is_int(sum, 112, "sections: with regions inside");
	omp_set_max_active_levels(1);
}

int main(void)
{
	plan(15);
	omp_set_dynamic(0);
	each_once();
	one();
	values();
	nowait();
	combined();
	at_once();
	orphaned();
	with_regions();
	return done();
}
