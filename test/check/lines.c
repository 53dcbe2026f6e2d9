/* test/check/lines.c -- api/spinlock.c, sync/line.c: a lock is handed on to who sleeps (SL1, LN1 to LN3).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/outside.h"

#include "sync/waiter.c"
#include "sync/line.c"

static uint32_t identity;
#define qti_self_identity() ((void *)&identity)

#include "api/spinlock.c"

static qthread_spinlock_t lock;
static unsigned count;

static void begin(void)
{
	qthread_spinlock_init(&lock, false);
}

static void pass(void)
{
	qthread_spinlock_lock(&lock);
	count++;
	qthread_spinlock_unlock(&lock);
}

static void run_two(unsigned thread)
{
	(void)thread;
	pass();
	pass();
}

static void run_three(unsigned thread)
{
	(void)thread;
	pass();
}

/* Who does not get it at once has nothing to do with it. */
static void run_try(unsigned thread)
{
	if (thread == 0) {
		pass();
	} else if (qthread_spinlock_trylock(&lock) == QTHREAD_SUCCESS) {
		count++;
		qthread_spinlock_unlock(&lock);
	}
}

/* One has the lock, and has not looked yet whether anybody sleeps when the next one hands it on to the third. */
static void begin_drawn(void)
{
	begin();
	store_rlx(spinlock_next(&lock), 3);
}

static void run_drawn(unsigned thread)
{
	if (load_acq(spinlock_turn(&lock)) != thread)
		spinlock_await(&lock, thread);
	count++;
	spinlock_drop(&lock);
}

static void end(void)
{
	check_that(qti_line_of((const uint32_t *)&lock.lock.s.ticket)->sleepers == 0, "nobody stands in line");
}


#define UNIT(what, n, first) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = end, .switches = 3, \
	  .stale = 2, .most = 4000 }

int main(int argc, char **argv)
{
	static const struct check_unit two = UNIT(two, 2, begin), three = UNIT(three, 3, begin), try = UNIT(try, 2, begin),
		drawn = UNIT(drawn, 3, begin_drawn);
	static const struct check_unit *const units[] = { &two, &three, &try, &drawn };
	static const char *const of[] = { "sync/line.", "api/spinlock.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), NULL, of };

	store_rlx(&qti_poll_rate, 0);
	return check_run(&program, argc, argv);
}
