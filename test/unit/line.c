/* test/unit/line.c -- sync/line.h: locks that share a place of the table, and whose waiters come out of order.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tickets are drawn before their owners stand in line, and two locks whose addresses meet in the table have one list.
 * One worker runs all, so who stands before whom is the test's to choose: every order of the three waiters of each of
 * two locks.
 */
#include "sync/line.h"
#include "tap.h"

#include <qthread.h>
#include <stdlib.h>

enum { LOCKS = 2, TICKETS = 3, WAITERS = LOCKS * TICKETS, ORDERS = 720 };

static uint32_t *turn[LOCKS];
static unsigned passed[LOCKS];          /* by each lock, as many as its tickets have come up */
static bool out_of_turn;

struct waiter {
	unsigned lock;
	uint32_t ticket;
};

static aligned_t wait_in_line(void *arg)
{
	const struct waiter *w = arg;

	if (!qti_line_wait(turn[w->lock], w->ticket))
		bail_out("no memory to wait");
	out_of_turn = out_of_turn || ++passed[w->lock] != w->ticket;
	return 0;
}

/* Two words that the table keeps at one place. */
static void find_two(void)
{
	static uint32_t words[1 << 16];

	turn[0] = &words[0];
	for (unsigned i = 1; i < sizeof(words) / sizeof(words[0]); i++)
		if (qti_line_of(&words[i]) == qti_line_of(turn[0])) {
			turn[1] = &words[i];
			return;
		}
	bail_out("no two words meet in the table");
}

/* The nth order of them. */
static void in_order(unsigned n, struct waiter w[WAITERS])
{
	struct waiter all[WAITERS];

	for (unsigned i = 0; i < WAITERS; i++)
		all[i] = (struct waiter){ .lock = i / TICKETS, .ticket = i % TICKETS + 1 };
	for (unsigned left = WAITERS; left > 0; n /= left, left--) {
		unsigned at = n % left;
		w[WAITERS - left] = all[at];
		all[at] = all[left - 1];
	}
}

static bool all_come(const struct waiter w[WAITERS])
{
	bool come = true;

	for (unsigned k = 0; k < LOCKS; k++)
		*turn[k] = passed[k] = 0;
	for (unsigned i = 0; i < WAITERS; i++) {
		qthread_fork(wait_in_line, &w[i], NULL);
		qthread_yield();
	}
	for (uint32_t ticket = 1; ticket <= TICKETS; ticket++)
		for (unsigned k = 0; k < LOCKS; k++) {
			qti_line_raise(turn[k]);
			qthread_yield();
			come = come && passed[k] == ticket;
		}
	return come;
}

int main(void)
{
	static struct waiter w[ORDERS][WAITERS];
	unsigned wrong = 0;

	plan(2);
	setenv("QT_HWPAR", "1", 1);
	setenv("QT_DEADLOCK", "off", 1);
	unsetenv("QT_NUM_SHEPHERDS");
	unsetenv("QT_NUM_WORKERS_PER_SHEPHERD");
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("qthread_initialize failed");
	find_two();
	for (unsigned n = 0; n < ORDERS && wrong == 0; n++) {
		in_order(n, w[n]);
		wrong += !all_come(w[n]);
	}
	is_int(wrong, 0, "%d orders of %d waiters of two locks at one place: each comes when its turn does", ORDERS, WAITERS);
	ok(!out_of_turn, "and nobody sooner");
	qthread_finalize();
	return done();
}
