/* test/unit/poller_share.c -- core/poller.h: what asking costs a busy worker, and how long news wait.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock is the test's own, and so is the library that is asked: it takes the time that it is said to.  So there is
 * one answer.
 */
#include "base/park.h"
#include "base/ticks.h"
#include "tap.h"

static uint64_t time_is = 1000000;      /* ns, and ticks */

#define qti_ticks() time_is
#define qti_now_ns() time_is

#include "core/poller.c"

enum { UNIT_NS = 500, US = 1000, MS = 1000 * US };

/* What asking takes: usually; each eighth time; what it takes to find the request that a message is for. */
static uint64_t usual, eighth, search;

static uint64_t gap;                    /* from one news to the sending of the next */
static uint64_t sent;                   /* that is when; 0: nobody sends */
static bool taken_in;
static uint64_t asked, asking, longest, news;

/* Looks first, and takes in then what has come: that is found the next time. */
static unsigned poll_messages(unsigned most)
{
	uint64_t begin = time_is;

	(void)most;
	time_is += ++asked % 8 == 0 && eighth ? eighth : usual;
	if (taken_in) {
		longest = time_is - sent > longest ? time_is - sent : longest;
		sent = time_is + gap;
		taken_in = false;
		news++;
		return 1;
	}
	asking += time_is - begin;
	if (sent && time_is >= sent) {
		time_is += search;
		taken_in = true;
	}
	return 0;
}

static const struct qti_poller messages = { .poll = poll_messages };

/* A worker that has short tasks, one after the other. */
static void work(struct qti_worker *w, uint64_t ns)
{
	asked = asking = longest = news = 0;
	for (uint64_t end = time_is + ns; time_is < end; time_is += UNIT_NS)
		qti_poller_take_turn(w);
}

static void nothing_comes(struct qti_worker *w, const char *what)
{
	sent = 0;
	taken_in = false;
	work(w, 200 * MS);              /* until it knows */
	work(w, 1000 * MS);
	ok(asking * 100 <= 1000 * MS, "%s has %.3f %% of a busy worker's time", what, (double)asking / (10.0 * MS));
	ok(asking * 300 >= 1000 * MS, "and it asks as often as it may");
}

/* However long one is looked for: pauses are for what asking takes when there is nothing. */
static void messages_come(struct qti_worker *w, const char *what)
{
	sent = time_is + gap;
	taken_in = false;
	work(w, 1000 * MS);
	ok(news > 0 && longest <= 4 * usual * TUNE_POLL_SHARE + search,
		"%s: %u messages, none of which waits for longer than %.1f us", what, (unsigned)news, (double)longest / US);
}

int main(void)
{
	static struct qti_worker w;

	plan(10);
	qti_poller_come(&messages);
	time_is += MS;
	add_rlx(&qti_rt.idle.awaited, 1);
	usual = 100;
	nothing_comes(&w, "asking that takes 0.1 us");
	eighth = 4 * US;
	nothing_comes(&w, "asking that takes 4 us now and then");
	eighth = 0;
	usual = US;
	nothing_comes(&w, "asking that takes 1 us");
	gap = 400 * US;
	search = 30 * US;
	messages_come(&w, "messages that take 30 us to find");
	gap = 10 * US;
	messages_come(&w, "one after the other");
	usual = 100;
	nothing_comes(&w, "again, asking that takes 0.1 us");
	return done();
}
