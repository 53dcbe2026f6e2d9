/* test/check/parts.c -- omp/team/parts.c: each chunk is taken once, whoever takes it (PT1).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/instead.h"

#include "base/atomic.h"

static bool blind;                      /* left out: to compare, before a word is swapped */

static bool swaps(uint64_t *word, uint64_t *seen, uint64_t value)
{
	if (!blind)
		return cas_rlx(word, seen, value);
	store_rlx(word, value);
	return true;
}

#undef cas_rlx
#define cas_rlx swaps

#include "omp/team/parts.c"

enum { CHUNKS = 7 };

static struct qomp_parts line[CHECK_THREADS];
static unsigned members, chunks;
static uint64_t last;                   /* atomic */
static unsigned taken[CHUNKS + 1];      /* atomic; by number */

static struct qomp_parts_loop loop_of(unsigned num)
{
	return (struct qomp_parts_loop){ .own = &line[num].word[3], .last = &last, .chunks = chunks, .n = members, .num = num };
}

static void run(uint32_t chunk)
{
	check_that(chunk >= 1 && chunk <= chunks, "it is a chunk of the loop");
	check_that(add_rlx(&taken[chunk], 1) == 0, "nobody has taken it before");
}

static bool take_any(const struct qomp_parts_loop *l, bool quick)
{
	uint32_t chunk;
	bool some = (quick && qomp_part_take(l->own, &chunk)) || qomp_parts_take(l, &chunk);

	if (some)
		run(chunk);
	return some && chunk < l->chunks;
}

/* As omp/work/loop.h does: from the own part while there is any. */
static void member(unsigned num)
{
	struct qomp_parts_loop l = loop_of(num);

	qomp_parts_enter(&l);
	while (take_any(&l, true))
		;
}

/* And with a look at something else before each, which takes the longer way. */
static void member_noting(unsigned num)
{
	struct qomp_parts_loop l = loop_of(num);

	qomp_parts_enter(&l);
	while (take_any(&l, false))
		;
}

static void begin_two(void)
{
	members = 2;
	chunks = 6;
}

static void begin_three(void)
{
	members = 3;
	chunks = CHUNKS;
}

/* One does not come: the others do its part. */
static void begin_absent(void)
{
	members = 3;
	chunks = 5;
}

static void begin_blind(void)
{
	begin_two();
	blind = true;
}

static void run_members(unsigned thread)
{
	member(thread);
}

static void run_noting(unsigned thread)
{
	if (thread == 0)
		member(thread);
	else
		member_noting(thread);
}

static void end(void)
{
	for (unsigned i = 1; i <= chunks; i++)
		check_that(load_rlx(&taken[i]) == 1, "each chunk was taken");
	for (unsigned i = 0; i < members; i++)
		for (unsigned k = 0; k < QOMP_PARTS_LOOPS; k++)
			check_that(k == 3 || line[i].word[k] == 0, "the words of other loops are as they were");
}

#define UNIT(what, n, code, first) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##code, .end = end, .switches = 3, .stale = 2, .most = 4000 }

int main(int argc, char **argv)
{
	static const struct check_unit two = UNIT(two, 2, members, begin_two), three = UNIT(three, 3, members, begin_three),
		absent = UNIT(absent, 2, members, begin_absent), noting = UNIT(noting, 2, noting, begin_two),
		uncompared = { .name = "blind", .threads = 2, .begin = begin_blind, .run = run_members, .end = end, .switches = 3,
			.stale = 2, .most = 4000, .without = "comparing the part that is swapped (PT1)" };
	static const struct check_unit *const units[] = { &two, &three, &absent, &noting, &uncompared };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), NULL, NULL };

	return check_run(&program, argc, argv);
}
