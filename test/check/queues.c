/* test/check/queues.c -- ds/lfqueue.h: elements come out in order, whole and once; no segment in use goes (L1 to L6).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Executions begin where a segment has few cells left: main has pushed and popped before.
 */
#include "check/instead.h"

#include "base/mem.h"
#include "ds/lfqueue.h"

enum { SEGMENTS = 12, LEFT = 2 };

static char segment[SEGMENTS][LFQUEUE_ALIGN] __attribute__((aligned(LFQUEUE_ALIGN)));
static unsigned segments_used;          /* atomic */

static void *segment_get(void)
{
	unsigned n = add_rlx(&segments_used, 1);

	return n < SEGMENTS ? segment[n] : NULL;
}

/* None comes back from here, so that who still looks at it is found. */
static void segment_free(void *s)
{
	if (s)
		check_memset(s, 0xa5, LFQUEUE_BYTES);
}

#define qti_mem_aligned(align, bytes) segment_get()
#define qti_mem_free segment_free

#include "ds/lfqueue.c"

enum { ELEMENTS = 8, FILLERS = LFQUEUE_CELLS + LEFT - 1 };

static struct qti_lfqueue shallow, deep;        /* deep: fillers are in it, two segments of them */
static struct qti_lfqueue another;
static struct qti_lfqueue *q;
static unsigned element[ELEMENTS], filler[FILLERS];
static unsigned popped[ELEMENTS];               /* atomic */
static bool found_empty[2];

static void push(unsigned i)
{
	element[i] = i + 1;
	check_that(qti_lfqueue_push(q, &element[i]) == QTHREAD_SUCCESS, "there is memory");
}

static unsigned *pop(void)
{
	unsigned *e = qti_lfqueue_pop(q);

	if (!e || (e >= filler && e < filler + FILLERS))
		return e;
	check_that(*e == (unsigned)(e - element) + 1, "an element is whole");
	check_that(add_rlx(&popped[e - element], 1) == 0, "it comes out once");
	return e;
}

static void begin(void)
{
	q = &shallow;
}

static void begin_with_one(void)
{
	begin();
	push(7);
}

/* The next push needs a segment. */
static void begin_full(void)
{
	begin();
	for (unsigned i = 0; i < LEFT; i++) {
		push(7 - i);
		pop();
	}
}

static void begin_deep(void)
{
	q = &deep;
}

/* One pushes, one pops: in order, beyond the segment's end. */
static void run_in_order(unsigned thread)
{
	unsigned *last = NULL;

	for (unsigned i = 0; i <= LEFT; i++)
		if (thread == 0) {
			push(i);
		} else {
			unsigned *e = pop();
			check_that(!e || e == (last ? last + 1 : element), "in order");
			last = e ? e : last;
		}
}

/* Two poppers, of whom one sees to the segment. */
static void run_poppers(unsigned thread)
{
	for (unsigned i = 0; i < 2; i++)
		if (thread != 0)
			pop();
		else
			push(i);
	if (thread == 0)
		push(LEFT);
}

/* Three pushers: one makes the next segment, one moves the tail there, one uses it. */
static void run_pushers(unsigned thread)
{
	push(thread);
}

/* A queue with something in it is never found empty. */
static void run_never_empty(unsigned thread)
{
	if (thread == 0) {
		push(0);
		check_that(pop() != NULL, "there is one for each");
	} else {
		check_that(!qti_lfqueue_is_empty(q), "one is always there");
		push(1);
		check_that(pop() != NULL, "there is one for each");
	}
}

/* Nor while a segment is left, comes back and is the last one. */
static void run_recycled(unsigned thread)
{
	if (thread == 0) {
		for (unsigned i = 0; i <= LEFT; i++)
			check_that(pop() == &filler[i], "in order");
		push(0);
		push(1);
	} else {
		check_that(!qti_lfqueue_is_empty(q), "very many are there");
	}
}

/* Of two that push here and pop there one finds what the other has pushed. */
static void run_across(unsigned thread)
{
	struct qti_lfqueue *own = thread == 0 ? &shallow : &another, *other = thread == 0 ? &another : &shallow;

	element[thread] = 1;
	(void)qti_lfqueue_push(own, &element[thread]);
	found_empty[thread] = qti_lfqueue_is_empty(other);
}

static void end_across(void)
{
	check_that(!found_empty[0] || !found_empty[1], "a push that has returned is seen by who finds a queue empty");
}

static void end(void)
{
	while (pop())
		;
	for (unsigned i = 0; i < ELEMENTS; i++)
		check_that(popped[i] == (element[i] != 0), "each has come out once");
	check_that(qti_lfqueue_is_empty(q), "all have come out");
}

static void nothing(void)
{
}

/* In main: all but so many cells of the first segment are used. */
static bool use_cells(struct qti_lfqueue *queue)
{
	unsigned any;

	if (qti_lfqueue_init(queue) != QTHREAD_SUCCESS)
		return false;
	for (unsigned i = 0; i < LFQUEUE_CELLS - LEFT; i++)
		if (qti_lfqueue_push(queue, &any) != QTHREAD_SUCCESS || qti_lfqueue_pop(queue) != &any)
			return false;
	struct qti_lfsegment *s = lfqueue_segment(queue->head);
	while (s->cell[s->scanned])
		s->scanned++;
	return true;
}

static bool fill(struct qti_lfqueue *queue)
{
	for (unsigned i = 0; i < FILLERS; i++)
		if (qti_lfqueue_push(queue, &filler[i]) != QTHREAD_SUCCESS)
			return false;
	return true;
}

#define RELEASES "it is there to release; a read-modify-write that does no more has no name in base/atomic.h"
#define RECYCLED "for a segment that comes back while head or tail is on it, 960 cells later: test/model/lfqueue.pml"
#define RETIRED "for who retires the next segment while somebody is in this one, 960 cells later: test/stress/lfqueue.c"
#define LIKE_FIRST "as the first one, by who has lost a cell"

static const struct check_spare spare[] = {
	{ "lfqueue.h", "return qti_likely(element != (void *)cell) && cas_acq_rel(cell, &seen, element);",
	  "where it fails it acquires what push_lost acquires again" },
	{ "lfqueue.c", "if (load_acq(cell) != NULL)", "the compare-and-swap that has failed has acquired the same" },
	{ "lfqueue.h", "const uint64_t taken = add_sc(&q->head, 1);", RECYCLED },
	{ "lfqueue.c", "if (cas_sc(word, &seen, word_of(next, 1)))", RECYCLED },
	{ "lfqueue.c", "add_sc(&q->recycled, 1);", RECYCLED },
	{ "lfqueue.c", "struct qti_lfsegment *s = swap_acq_rel(&q->spare, NULL);",
		"it takes what segment_keep has put there, and releases nothing" },
	{ "lfqueue.c", "add_acq_rel(&s->inside, moved", RELEASES },
	{ "lfqueue.c", "sub_acq_rel(&s->inside, 1);", RELEASES },
	{ "lfqueue.c", "if (cas_acq_rel(word, &seen, seen - 1))", "it gives back an index that nobody has used" },
	{ "lfqueue.c", "*next = load_acq(&s->next);", "tail has been moved there, which was acquired before" },
	{ "lfqueue.c", "s->retired = swap_acq_rel(&q->retired, NULL);", RETIRED },
	{ "lfqueue.c", "while (!cas_acq_rel(&q->retired, &seen, first));", RETIRED },
	{ "lfqueue.c", "taken = add_sc(&q->tail, 1);", LIKE_FIRST },
	{ "lfqueue.c", "taken = add_sc(&q->head, 1);", LIKE_FIRST },
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, first, last) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = last, .switches = 3, \
	  .stale = 2, .most = 2000 }

int main(int argc, char **argv)
{
	static const struct check_unit in_order = UNIT(in_order, 2, begin, end), poppers = UNIT(poppers, 3, begin, end),
		pushers = UNIT(pushers, 3, begin_full, end), never_empty = UNIT(never_empty, 2, begin_with_one, end),
		recycled = UNIT(recycled, 2, begin_deep, nothing), across = UNIT(across, 2, begin, end_across);
	static const struct check_unit *const units[] = { &in_order, &poppers, &pushers, &never_empty, &recycled, &across };
	static const char *const of[] = { "ds/lfqueue.", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	store_rlx(&qti_poll_rate, 0);
	if (!use_cells(&shallow) || !use_cells(&another) || !use_cells(&deep) || !fill(&deep))
		return 2;
	return check_run(&program, argc, argv);
}
