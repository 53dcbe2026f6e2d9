/* test/unit/omp_bind.c -- which member of a team goes to which place.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The rules are OpenMP's, checked for every size of partition and team up to the ones below.
 */
#include "omp/team/bind.h"
#include "tap.h"

#include <string.h>

enum { PLACES = 9, THREADS = 21, FIRST = 3 };

static struct qomp_spot spot[THREADS];
static struct qomp_spot from;
static unsigned n_threads;

/* Runs check over every partition, place in it and number of threads; the number of cases in which it says no. */
static unsigned every(unsigned policy, bool (*check)(void))
{
	unsigned bad = 0;

	for (unsigned p = 1; p <= PLACES; p++)
		for (unsigned at = 0; at < p; at++)
			for (unsigned t = 1; t <= THREADS; t++) {
				from = (struct qomp_spot){ FIRST + at, FIRST, p };
				n_threads = t;
				for (unsigned i = 0; i < t; i++)
					spot[i] = qomp_bind_spot(policy, &from, i, t);
				if (!check()) {
					bad++;
					diag("%u threads, place %u of %u", t, at, p);
				}
			}
	return bad;
}

static bool in_partition(const struct qomp_spot *s)
{
	return s->n > 0 && s->first >= FIRST && s->first + s->n <= FIRST + from.n && s->place >= s->first &&
		s->place < s->first + s->n;
}

static bool all_in_partition(void)
{
	for (unsigned i = 0; i < n_threads; i++)
		if (!in_partition(&spot[i]))
			return false;
	return true;
}

static bool first_stays(void)
{
	return spot[0].place == from.place;
}

static bool all_stay(void)
{
	for (unsigned i = 0; i < n_threads; i++)
		if (memcmp(&spot[i], &from, sizeof(from)) != 0)
			return false;
	return true;
}

static unsigned next_place(unsigned place)
{
	return place + 1 < FIRST + from.n ? place + 1 : FIRST;
}

static bool one_after_the_other(void)
{
	for (unsigned i = 1; i < n_threads && n_threads <= from.n; i++)
		if (spot[i].place != next_place(spot[i - 1].place))
			return false;
	return true;
}

/* With more threads than places: neighbours share a place, and the places' shares differ by one at most. */
static bool fair_shares(void)
{
	unsigned threads[FIRST + PLACES] = { 0 }, changes = 0;

	if (n_threads <= from.n)
		return true;
	for (unsigned i = 0; i < n_threads; i++) {
		threads[spot[i].place]++;
		if (i > 0 && spot[i].place != spot[i - 1].place) {
			changes++;
			if (spot[i].place != next_place(spot[i - 1].place))
				return false;
		}
	}
	for (unsigned p = FIRST; p < FIRST + from.n; p++)
		if (threads[p] != n_threads / from.n && threads[p] != n_threads / from.n + 1)
			return false;
	return changes == from.n - 1;
}

static bool partition_is_kept(void)
{
	for (unsigned i = 0; i < n_threads; i++)
		if (spot[i].first != from.first || spot[i].n != from.n)
			return false;
	return true;
}

/* With enough places, each thread has a part of its own; together they are all, and their sizes differ by one at
 * most. */
static bool parts_divide(void)
{
	unsigned owner[FIRST + PLACES] = { 0 }, covered = 0;

	if (n_threads > from.n)
		return true;
	for (unsigned i = 0; i < n_threads; i++) {
		if (spot[i].n != from.n / n_threads && spot[i].n != from.n / n_threads + 1)
			return false;
		for (unsigned p = spot[i].first; p < spot[i].first + spot[i].n; p++, covered++)
			if (owner[p]++ != 0)
				return false;
	}
	return covered == from.n;
}

static bool others_begin_their_parts(void)
{
	for (unsigned i = 1; i < n_threads; i++)
		if (spot[i].place != spot[i].first)
			return false;
	return true;
}

static bool parts_follow_each_other(void)
{
	for (unsigned i = 1; i < n_threads && n_threads <= from.n; i++)
		if (spot[i].first != next_place(spot[i - 1].first + spot[i - 1].n - 1))
			return false;
	return true;
}

static bool parts_are_places(void)
{
	for (unsigned i = 0; i < n_threads && n_threads > from.n; i++)
		if (spot[i].n != 1)
			return false;
	return true;
}

static void primary(void)
{
	is_int(every(QOMP_BIND_PRIMARY, all_stay), 0, "primary: all are where the parent is, with its partition");
}

static void near(unsigned policy, const char *name)
{
	is_int(every(policy, all_in_partition), 0, "%s: all places are of the partition", name);
	is_int(every(policy, first_stays), 0, "%s: thread 0 stays where the parent is", name);
	is_int(every(policy, one_after_the_other), 0, "%s: with enough places, each thread is one place further", name);
	is_int(every(policy, fair_shares), 0, "%s: with too few, neighbours share them fairly", name);
	is_int(every(policy, partition_is_kept), 0, "%s: the partition is inherited", name);
}

static void spread(void)
{
	is_int(every(QOMP_BIND_SPREAD, all_in_partition), 0, "spread: all places are of the partition");
	is_int(every(QOMP_BIND_SPREAD, first_stays), 0, "spread: thread 0 stays where the parent is");
	is_int(every(QOMP_BIND_SPREAD, parts_divide), 0, "spread: with enough places, the parts divide it evenly");
	is_int(every(QOMP_BIND_SPREAD, parts_follow_each_other), 0, "spread: in the order of the threads");
	is_int(every(QOMP_BIND_SPREAD, others_begin_their_parts), 0,
		"spread: each other thread is where its part begins");
	is_int(every(QOMP_BIND_SPREAD, fair_shares), 0, "spread: with too few places, neighbours share them fairly");
	is_int(every(QOMP_BIND_SPREAD, parts_are_places), 0, "spread: and each has its place for a partition");
}

int main(void)
{
	plan(18);
	primary();
	near(QOMP_BIND_CLOSE, "close");
	near(QOMP_BIND_TRUE, "true");
	spread();
	return done();
}
