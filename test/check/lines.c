/* test/check/lines.c -- api/spinlock.c, sync/line.c: a lock is handed on to who sleeps (SL1, LN1 to LN4).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/outside.h"

#include "sync/line.h"

static bool stops_at_others;            /* left out: to pass those of other locks (LN4) */

#define qti_place_is_later(p, than) \
	(qti_place_is_later((p), (than)) || (stops_at_others && (p)->waiter.word != (than)->waiter.word))

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

enum { MANY = 4096 };                   /* the table has 512 places */

/* Two locks at one place of the table.  One thread has both; the others have drawn, two for the one lock and one for the
 * other, and stand in line in whatever order they come. */
static struct lock_with_count {
	qthread_spinlock_t lock;
	unsigned count;
} many[MANY], *meeting[2];

static const struct qti_line *line_of(const struct lock_with_count *l)
{
	return qti_line_of((const uint32_t *)&l->lock.lock.s.ticket);
}

static bool find_meeting(void)
{
	unsigned i = 1;

	while (i < MANY && line_of(&many[i]) != line_of(&many[0]))
		i++;
	meeting[0] = &many[0];
	meeting[1] = &many[i % MANY];
	return i < MANY;
}

static void begin_meet(void)
{
	begin();
	for (unsigned i = 0; i < 2; i++)
		qthread_spinlock_init(&meeting[i]->lock, false);
	store_rlx(spinlock_next(&meeting[0]->lock), 3);
	store_rlx(spinlock_next(&meeting[1]->lock), 2);
}

static void begin_meet_stopping(void)
{
	begin_meet();
	stops_at_others = true;
}

static void come_up(struct lock_with_count *l, haligned_t ticket)
{
	if (load_acq(spinlock_turn(&l->lock)) != ticket)
		spinlock_await(&l->lock, ticket);
	check_that(l->count++ == ticket, "it is its turn");
	spinlock_drop(&l->lock);
}

static void run_meet(unsigned thread)
{
	if (thread > 0) {
		come_up(meeting[thread == 2], thread == 1 ? 2 : 1);
		return;
	}
	for (unsigned i = 0; i < 2; i++)
		come_up(meeting[i], 0);
}

static void end_meet(void)
{
	check_that(meeting[0]->count == 3 && meeting[1]->count == 2, "each has come up");
	check_that(line_of(meeting[0])->sleepers == 0, "nobody stands in line");
}

static void end(void)
{
	check_that(qti_line_of((const uint32_t *)&lock.lock.s.ticket)->sleepers == 0, "nobody stands in line");
}

#define UNIT(what, n, first, last) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = last, .switches = 3, \
	  .stale = 2, .most = 4000 }

int main(int argc, char **argv)
{
	static const struct check_unit two = UNIT(two, 2, begin, end), three = UNIT(three, 3, begin, end),
		try = UNIT(try, 2, begin, end), drawn = UNIT(drawn, 3, begin_drawn, end),
		meet = UNIT(meet, 4, begin_meet, end_meet),
		stopping = { .name = "meet", .threads = 4, .begin = begin_meet_stopping, .run = run_meet, .end = end_meet,
			.switches = 3, .stale = 2, .most = 4000, .without = "passing those who wait for other locks (LN4)" };
	static const struct check_unit *const units[] = { &two, &three, &try, &drawn, &meet, &stopping };
	static const char *const of[] = { "sync/line.", "api/spinlock.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), NULL, of };

	store_rlx(&qti_poll_rate, 0);
	if (!find_meeting())
		return 2;
	return check_run(&program, argc, argv);
}
