/* test/check/swsr.c -- ds/qswsrqueue.c: elements are whole and in order, and who waits for the other side is woken (R1
 * to R4).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rings for one element.  A thread of a unit is an OS thread, or a task whose word is a word that is looked at.
 */
#include "check/instead.h"

#include "qthread/qthread.h"

static bool is_task(void);
static int word_set(aligned_t *word, bool full);
static int word_await(const aligned_t *word);

#define qthread_shep() (is_task() ? 0 : NO_SHEPHERD)
#define qthread_empty(word) word_set((word), false)
#define qthread_fill(word) word_set((word), true)
#define qthread_readFF(to, word) word_await(word)
#define qthread_feb_status(word) ((int)load_acq(word))

static bool fence_left_out;             /* R3 */

#define qti_fence_heavy() (fence_left_out ? (void)0 : qti_fence_heavy())

#include "ds/qswsrqueue.c"

#include "check/explore.h"

enum { CELLS = 2, ELEMENTS = 4 };

static union {
	qswsrqueue_t ring;
	char bytes[sizeof(qswsrqueue_t) + CELLS * sizeof(void *)];
} space;
static unsigned element[ELEMENTS];
static bool writer_is_task, reader_is_task;
static unsigned emptied[2];             /* how often; what who empties a word leaves to who fills it */

static bool is_task(void)
{
	return check_thread() == 0 ? writer_is_task : reader_is_task;
}

static int word_set(aligned_t *word, bool full)
{
	unsigned *times = &emptied[word == &space.ring.for_room.word];

	if (full)
		check_that(*times > 0, "a word is filled after it was emptied");
	else
		++*times;
	store_rel(word, (aligned_t)full);
	return QTHREAD_SUCCESS;
}

static int word_await(const aligned_t *word)
{
	while (!load_acq(word))
		check_pause();
	return QTHREAD_SUCCESS;
}

static void begin(void)
{
	space.ring.ncells = CELLS;
}

static void begin_tasks(void)
{
	begin();
	writer_is_task = reader_is_task = true;
}

static void begin_mixed(void)
{
	begin();
	reader_is_task = true;
}

static void begin_unfenced(void)
{
	begin();
	fence_left_out = true;
}

/* The first thread writes, the other reads; either may have to wait. */
static void run_both(unsigned thread)
{
	for (unsigned i = 0; i < ELEMENTS; i++) {
		if (thread == 0) {
			element[i] = i + 1;
			(void)qswsrqueue_enqueue_blocking(&space.ring, &element[i]);
		} else {
			unsigned *e = qswsrqueue_dequeue_blocking(&space.ring);
			check_that(e == &element[i] && *e == i + 1, "elements are whole, and come in order");
			*e = 0;
		}
	}
}

/* Nobody sleeps. */
static void run_polls(unsigned thread)
{
	for (unsigned i = 0; i < ELEMENTS; i++) {
		unsigned *e = NULL;
		if (thread == 0) {
			element[i] = i + 1;
			while (qswsrqueue_enqueue(&space.ring, &element[i]) != QTHREAD_SUCCESS)
				check_pause();
		} else {
			while (!(e = qswsrqueue_dequeue(&space.ring)))
				check_pause();
			check_that(e == &element[i] && *e == i + 1, "elements are whole, and come in order");
		}
	}
}

#define run_threads run_both
#define run_tasks run_both
#define run_mixed run_both

static void end(void)
{
	check_that(load_rlx(&space.ring.writer.next) == load_rlx(&space.ring.reader.next), "all have come");
	check_that(load_rlx(&space.ring.for_room.who) == NOBODY && load_rlx(&space.ring.for_element.who) == NOBODY,
	           "nobody waits");
}

#define AGAIN "it only says that the ring is to be looked at again"

static const struct check_spare spare[] = {
	{ "qswsrqueue.c", "return load_acq(&q->reader.next) != load_acq(", AGAIN },
	{ "qswsrqueue.c", "return ring_after(q, load_acq(", AGAIN },
	{ "qswsrqueue.c", "while (load_acq(&w->who) == THREAD)", AGAIN },
	{ "qswsrqueue.c", "store_rel(&w->who, (uint32_t)THREAD);", "the fence that follows is more" },
	{ "qswsrqueue.c", "switch (swap_acq_rel(&w->who", "the waiter's fence orders the word that was emptied as well" },
	{ "qswsrqueue.c", "swap_acq_rel(&w->who, (uint32_t)NOBODY);", AGAIN },
	{ "qswsrqueue.c", "if (swap_acq_rel(&w->who, (uint32_t)NOBODY) != TASK)", AGAIN },
	{ NULL, NULL, NULL }
};

#define UNIT(what, first) \
	{ .name = #what, .threads = 2, .begin = first, .run = run_##what, .end = end, .switches = 3, .stale = 2, .most = 3000 }

int main(int argc, char **argv)
{
	static const struct check_unit polls = UNIT(polls, begin), threads = UNIT(threads, begin), tasks = UNIT(tasks, begin_tasks),
		mixed = UNIT(mixed, begin_mixed);
	static const struct check_unit unfenced = { .name = "threads", .threads = 2, .begin = begin_unfenced, .run = run_both,
		.end = end, .switches = 3, .stale = 2, .most = 3000, .without = "the waiter's fence (R3)" };
	static const struct check_unit *const units[] = { &polls, &threads, &tasks, &mixed, &unfenced };
	static const char *const of[] = { "ds/qswsrqueue.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	store_rlx(&qti_poll_rate, 0);
	return check_run(&program, argc, argv);
}
