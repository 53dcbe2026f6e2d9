/* test/omp/loops.c -- for: with every schedule, each iteration once, in the chunks and the order that were promised.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The loops are orphaned, so that the compiler knows nothing of their bounds or of the team.
 */
#include "omp/every.h"

#include <limits.h>
#include <string.h>

enum { LONGEST = 960, MOST = 8 };

static int hits[LONGEST];
static int owner[LONGEST];
static int latest[MOST];        /* each member's last iteration */
static int backwards;           /* how often one came before it */
static int too_early;           /* iterations that were not done when somebody was past the loop */

static void note(int i, int n)
{
	const int me = omp_get_thread_num();

	/* Let others have their share, and keep them from the end. */
	if (i % 4 == 0)
		sched_yield();
	if (i == n - 1)
		every_linger();
#pragma omp atomic
	hits[i]++;
	owner[i] = me;
	if (i < latest[me]) {
#pragma omp atomic
		backwards++;
	}
	latest[me] = i;
}

static void look(int n)
{
	int missing = 0, seen;

	for (int i = 0; i < n; i++) {
#pragma omp atomic read
		seen = hits[i];
		missing += seen != 1;
	}
#pragma omp atomic
	too_early += missing;
}

#define OMP(...) _Pragma(#__VA_ARGS__)

/* Each form in two: followed by a barrier, behind which everything is done, and without. */
#define FORM(name, ...)                                                                                                \
	static void name(int n)                                                                                        \
	{                                                                                                              \
		OMP(omp for __VA_ARGS__)                                                                               \
		for (int i = 0; i < n; i++)                                                                            \
			note(i, n);                                                                                    \
		look(n);                                                                                               \
	}                                                                                                              \
	static void name##_nowait(int n)                                                                               \
	{                                                                                                              \
		OMP(omp for __VA_ARGS__ nowait)                                                                        \
		for (int i = 0; i < n; i++)                                                                            \
			note(i, n);                                                                                    \
	}

static volatile int four = 4;

FORM(bare, )
FORM(static_, schedule(static))
FORM(static_1, schedule(static, 1))
FORM(static_7, schedule(static, 7))
FORM(dynamic, schedule(dynamic))
FORM(dynamic_1, schedule(dynamic, 1))
FORM(dynamic_7, schedule(dynamic, 7))
FORM(dynamic_x, schedule(dynamic, four))
FORM(dynamic_2000, schedule(dynamic, 2000))
FORM(guided, schedule(guided))
FORM(guided_5, schedule(guided, 5))
FORM(auto_, schedule(auto))
FORM(runtime, schedule(runtime))
FORM(m_static_4, schedule(monotonic : static, 4))
FORM(m_dynamic_3, schedule(monotonic : dynamic, 3))
FORM(m_guided_2, schedule(monotonic : guided, 2))
FORM(m_runtime, schedule(monotonic : runtime))
FORM(n_dynamic_3, schedule(nonmonotonic : dynamic, 3))
FORM(n_guided_2, schedule(nonmonotonic : guided, 2))
FORM(n_runtime, schedule(nonmonotonic : runtime))

/* What a schedule promises of its chunks. */
enum chunks {
	ANY,
	EXACT,          /* all of `chunk`, beginning with iteration 0 */
	AT_LEAST,       /* none but the last is smaller than `chunk` */
	IN_TURN,        /* EXACT, to members in turn */
	ONE_BLOCK,      /* at most one for each member */
};

static const struct form {
	const char *text;
	void (*run)(int n);
	void (*run_nowait)(int n);
	enum chunks chunks;
	int chunk;
	bool ordered;   /* each member's iterations in increasing order */
} forms[] = {
	{"for", bare, bare_nowait, ANY, 1, false},
	{"for schedule(static)", static_, static__nowait, ONE_BLOCK, 1, true},
	{"for schedule(static,1)", static_1, static_1_nowait, IN_TURN, 1, true},
	{"for schedule(static,7)", static_7, static_7_nowait, IN_TURN, 7, true},
	{"for schedule(dynamic)", dynamic, dynamic_nowait, ANY, 1, false},
	{"for schedule(dynamic,1)", dynamic_1, dynamic_1_nowait, ANY, 1, false},
	{"for schedule(dynamic,7)", dynamic_7, dynamic_7_nowait, EXACT, 7, false},
	{"for schedule(dynamic,x)", dynamic_x, dynamic_x_nowait, EXACT, 4, false},
	{"for schedule(dynamic,2000)", dynamic_2000, dynamic_2000_nowait, EXACT, 2000, false},
	{"for schedule(guided)", guided, guided_nowait, ANY, 1, false},
	{"for schedule(guided,5)", guided_5, guided_5_nowait, AT_LEAST, 5, false},
	{"for schedule(auto)", auto_, auto__nowait, ANY, 1, false},
	{"for schedule(runtime)", runtime, runtime_nowait, ANY, 1, false},
	{"for schedule(monotonic:static,4)", m_static_4, m_static_4_nowait, IN_TURN, 4, true},
	{"for schedule(monotonic:dynamic,3)", m_dynamic_3, m_dynamic_3_nowait, EXACT, 3, true},
	{"for schedule(monotonic:guided,2)", m_guided_2, m_guided_2_nowait, AT_LEAST, 2, true},
	{"for schedule(monotonic:runtime)", m_runtime, m_runtime_nowait, ANY, 1, true},
	{"for schedule(nonmonotonic:dynamic,3)", n_dynamic_3, n_dynamic_3_nowait, EXACT, 3, false},
	{"for schedule(nonmonotonic:guided,2)", n_guided_2, n_guided_2_nowait, AT_LEAST, 2, false},
	{"for schedule(nonmonotonic:runtime)", n_runtime, n_runtime_nowait, ANY, 1, false},
};

/* Whether `owner` fits the promise.  Where one member's chunks lie side by side they count as one. */
static bool chunks_are(enum chunks kind, int chunk, int n, int team)
{
	int blocks[MOST] = {0}, run = 0;

	for (int i = 0; i < n; i++) {
		const bool begins = i == 0 || owner[i] != owner[i - 1];

		run = begins ? 1 : run + 1;
		blocks[owner[i]] += begins;
		if ((kind == EXACT || kind == IN_TURN) && begins && i % chunk != 0)
			return false;
		if (kind == IN_TURN && owner[i] != i / chunk % team)
			return false;
		if (kind == AT_LEAST && i + 1 < n && owner[i + 1] != owner[i] && run < chunk)
			return false;
		if (kind == ONE_BLOCK && blocks[owner[i]] > 1)
			return false;
	}
	return true;
}

static const int lengths[] = {0, 1, 2, 3, 8, 29, 100, 300};
enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

static void promises(const struct form *f, void (*run)(int n), enum chunks kind, int chunk, const char *after)
{
	bool once = true, chunks = true;

	backwards = too_early = 0;
	for (int l = 0; l < LENGTHS; l++) {
		const int n = lengths[l];
		int team = 0, come = 0;

		memset(hits, 0, sizeof(hits));
#pragma omp parallel
		{
			latest[omp_get_thread_num()] = INT_MIN;
			every_meet(&come, omp_get_num_threads());
			run(n);
			if (omp_get_thread_num() == 0)
				team = omp_get_num_threads();
		}
		once = every_is(hits, n, 1) && every_is(hits + n, LONGEST - n, 0) && once;
		chunks = chunks_are(kind, chunk, n, team) && chunks;
	}
	ok(once && too_early == 0, "%s%s: each iteration once, and in time", f->text, after);
	ok(chunks && (!f->ordered || backwards == 0), "%s%s: chunks as promised", f->text, after);
}

static void set_schedules(const struct form *f)
{
	static const struct {
		omp_sched_t kind;
		int chunk;
		enum chunks chunks;
		const char *text;
	} kinds[] = {
		{omp_sched_static, 0, ONE_BLOCK, ", static"},
		{omp_sched_static, 3, IN_TURN, ", static,3"},
		{omp_sched_dynamic, 1, ANY, ", dynamic"},
		{omp_sched_dynamic, 6, EXACT, ", dynamic,6"},
		{omp_sched_guided, 4, AT_LEAST, ", guided,4"},
		{omp_sched_auto, 0, ANY, ", auto"},
	};

	for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		omp_sched_t kind;
		int chunk;

		omp_set_schedule(kinds[k].kind, kinds[k].chunk);
		promises(f, f->run, kinds[k].chunks, kinds[k].chunk, kinds[k].text);
		omp_get_schedule(&kind, &chunk);
		ok((kind & ~omp_sched_monotonic) == kinds[k].kind &&
				(kinds[k].kind == omp_sched_auto || chunk == kinds[k].chunk),
			"omp_get_schedule%s: as it was set", kinds[k].text);
	}
}

/* The same iterations to the same members, if number, chunk and team are the same: nowait may rely on it. */
static void static_twice(int n)
{
	static int first[LONGEST], second[LONGEST], wrong;

	wrong = 0;
#pragma omp parallel
	{
#pragma omp for schedule(static) nowait
		for (int i = 0; i < n; i++)
			first[i] = omp_get_thread_num();
#pragma omp for schedule(static) nowait
		for (int i = 0; i < n; i++)
			second[i] = first[i] - omp_get_thread_num();
#pragma omp barrier
#pragma omp for schedule(static, 3) nowait
		for (int i = 0; i < n; i++)
			first[i] = omp_get_thread_num();
#pragma omp for schedule(static, 3) reduction(+ : wrong)
		for (int i = 10; i < n + 10; i++)
			wrong += first[i - 10] != omp_get_thread_num() || second[i - 10] != 0;
	}
	is_int(wrong, 0, "for schedule(static): two loops of %d map alike", n);
}

/* Nobody waits at the end of any: members are several constructs apart. */
static void in_flight(void)
{
	enum { LOOPS = 40, TRIPS = 25 };
	static int trips[LOOPS][TRIPS], singles[LOOPS], parts[LOOPS][3];
	bool once = true;

#pragma omp parallel
	for (int l = 0; l < LOOPS; l++) {
#pragma omp for schedule(dynamic, 2) nowait
		for (int i = 0; i < TRIPS; i++) {
#pragma omp atomic
			trips[l][i]++;
		}
#pragma omp single nowait
		singles[l]++;
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < TRIPS; i++) {
#pragma omp atomic
			trips[l][i]++;
		}
#pragma omp sections nowait
		{
			parts[l][0]++;
#pragma omp section
			parts[l][1]++;
#pragma omp section
			parts[l][2]++;
		}
#pragma omp for schedule(monotonic : dynamic) nowait
		for (int i = TRIPS; i > 0; i--) {
#pragma omp atomic
			trips[l][i - 1]++;
		}
	}
	for (int l = 0; l < LOOPS; l++)
		once = every_is(trips[l], TRIPS, 3) && every_is(parts[l], 3, 1) && once;
	ok(once, "for, single and sections nowait, 200 in a row: each once");
	ok(every_is(singles, LOOPS, 1), "for, single and sections nowait: and each single too");
}

/* A member that is late keeps the others neither from the loop's end nor from what comes behind it. */
static void without_a_member(void)
{
	enum { TRIPS = 100 };
	int trips = 0, past = 0;

#pragma omp parallel
	{
		if (omp_get_thread_num() == 1)
			for (int seen = 0; seen < omp_get_num_threads() - 1;) {
				sched_yield();
#pragma omp atomic read
				seen = past;
			}
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < TRIPS; i++) {
#pragma omp atomic
			trips++;
		}
#pragma omp for schedule(monotonic : guided) nowait
		for (int i = 0; i < TRIPS; i++) {
#pragma omp atomic
			trips++;
		}
#pragma omp sections nowait
		{
#pragma omp atomic
			trips++;
#pragma omp section
#pragma omp atomic
			trips++;
		}
#pragma omp atomic
		past++;
	}
	is_int(trips, 2 * TRIPS + 2, "for, sections nowait: done and left without a member that comes late");
}

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

int main(void)
{
	plan(FORMS * 4 + 6 * 3 * 3 + 6);
	omp_set_dynamic(0);
	for (int f = 0; f < FORMS; f++) {
		promises(&forms[f], forms[f].run, forms[f].chunks, forms[f].chunk, "");
		promises(&forms[f], forms[f].run_nowait, forms[f].chunks, forms[f].chunk, " nowait");
	}
	set_schedules(&forms[12]);
	set_schedules(&forms[16]);
	set_schedules(&forms[19]);
	static_twice(1);
	static_twice(97);
	static_twice(960);
	in_flight();
	without_a_member();
	return done();
}
