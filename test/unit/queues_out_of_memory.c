/* test/unit/queues_out_of_memory.c -- queues that run out of memory say so, lose nothing and keep nothing.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/every.h"
#include "sync/febtable.h"
#include "fault.h"

#include <qthread/qdqueue.h>
#include <qthread/qlfqueue.h>
#include <qthread/qswsrqueue.h>

#include <sys/mman.h>

enum { SEVERAL = 5000 };

/* Allocations still granted to the calling OS thread: a worker that is still starting must not use up what a create is
 * to get. */
enum { PLENTY = 1 << 30 };
static __thread int64_t granted_here = PLENTY;

static bool fault_here(void)
{
	return granted_here-- <= 0 || fault();
}

/* Each allocation of a create fails once; how many there were. */
static int creates_that_fail(void *(*create)(void), void (*destroy)(void *))
{
	for (int n = 0;; n++) {
		granted_here = n;
		void *q = create();
		granted_here = PLENTY;
		if (q) {
			destroy(q);
			return n;
		}
	}
}

static void *create_lf(void)
{
	return qlfqueue_create();
}

static void destroy_lf(void *q)
{
	qlfqueue_destroy(q);
}

static void *create_d(void)
{
	return qdqueue_create();
}

static void destroy_d(void *q)
{
	qdqueue_destroy(q);
}

static void *create_swsr(void)
{
	return qswsrqueue_create(100);
}

static void destroy_swsr(void *q)
{
	qswsrqueue_destroy(q);
}

/* More refusals than an index has room for beyond a segment's cells. */
static void enqueue(void)
{
	qlfqueue_t *q = qlfqueue_create();
	uintptr_t in = 0, out = 0, wrong = 0;
	unsigned refused = 0;

	fault_after(0);
	while (qlfqueue_enqueue(q, (void *)(in + 1)) == QTHREAD_SUCCESS)
		in++;
	for (unsigned i = 0; i < 20000; i++)
		refused += qlfqueue_enqueue(q, q) == QTHREAD_MALLOC_ERROR;
	is_int(refused, 20000, "qlfqueue_enqueue without memory for another segment says so, every time");
	fault_end();
	while (in < SEVERAL)
		wrong += qlfqueue_enqueue(q, (void *)++in) != QTHREAD_SUCCESS;
	while (out < in)
		wrong += qlfqueue_dequeue(q) != (void *)++out;
	ok(wrong == 0 && !qlfqueue_dequeue(q), "qlfqueue_enqueue: what was there before and came after is in order");
	qlfqueue_destroy(q);
}

static qswsrqueue_t *ring;

static aligned_t wait_for_one(void *unused)
{
	(void)unused;
	return (aligned_t)(uintptr_t)qswsrqueue_dequeue_blocking(ring);
}

static aligned_t fill_up(void *unused)
{
	int rc;

	(void)unused;
	while ((rc = qswsrqueue_enqueue(ring, ring)) == QTHREAD_SUCCESS)
		continue;
	return (aligned_t)(rc == QTHREAD_OPFAIL ? qswsrqueue_enqueue_blocking(ring, ring) : rc);
}

static void wait_again(const char *after)
{
	aligned_t ret;

	while (qswsrqueue_dequeue(ring))
		continue;
	qthread_fork(wait_for_one, NULL, &ret);
	qswsrqueue_enqueue_blocking(ring, ring);
	qthread_readFF(&ret, &ret);
	is_int(ret, (aligned_t)(uintptr_t)ring, "qswsrqueue_dequeue_blocking waits again after %s was short", after);
}

enum { ALIKE = 4096 };          /* words in a row that have slots in a row (sync/febtable.h) */
enum { BLOCKS = 16384, WORDS = BLOCKS * ALIKE, IN_RING = 64, USED = BLOCKS * IN_RING };

/* Empties words that share a slot with one of the ring's until there is no memory for more; how many. */
static size_t use_up(aligned_t *words, aligned_t **used)
{
	const size_t mask = ((size_t)1 << FEB_SLOTS_LOG2) - 1, ring_at = (size_t)(feb_slot((aligned_t *)ring) - qti_feb_table);
	int rc = QTHREAD_SUCCESS;
	size_t n = 0;

	for (size_t b = 0; b < BLOCKS && rc == QTHREAD_SUCCESS; b++) {
		aligned_t *block = words + b * ALIKE;
		const size_t first = (ring_at - (size_t)(feb_slot(block) - qti_feb_table)) & mask;
		if (n >= 4 * (size_t)IN_RING)
			fault_after(0);
		for (size_t i = first; i + IN_RING <= ALIKE && i < first + IN_RING && rc == QTHREAD_SUCCESS; i++) {
			rc = qthread_empty(&block[i]);
			if (rc == QTHREAD_SUCCESS)
				used[n++] = &block[i];
		}
	}
	if (rc != QTHREAD_MALLOC_ERROR)
		bail_out("%zu words did not use up the memory for full/empty bits", n);
	return n;
}

/* A word has an entry of its own in the table or, where another is there already, one from a pool.  The ring's words
 * find the former taken and the latter empty.  That takes words at many addresses, but nothing that is there. */
static void no_entry(void)
{
	const size_t bytes = (WORDS + ALIKE) * sizeof(aligned_t);
	char *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	aligned_t **used = calloc(USED, sizeof(*used));
	uintptr_t begin = qti_mem_round((uintptr_t)memory, ALIKE * sizeof(aligned_t));
	size_t n = use_up((aligned_t *)begin, used);

	aligned_t got = wait_for_one(NULL) == 0, code = fill_up(NULL);
	fault_end();
	while (n-- > 0)
		qthread_fill(used[n]);
	munmap(memory, bytes);
	free(used);
	ok(got, "qswsrqueue_dequeue_blocking: NULL when there is no memory for an empty word");
	is_int(code, QTHREAD_MALLOC_ERROR, "qswsrqueue_enqueue_blocking: QTHREAD_MALLOC_ERROR then");
	ok(qswsrqueue_dequeue(ring) == ring, "qswsrqueue_dequeue: the queue is in order");
	wait_again("that");
}

enum { CROWD = 600 };
static aligned_t gate, entered, nulls, others;

/* Waits for the gate; one that cannot, for want of a stack, cannot wait for the ring either. */
static aligned_t join_crowd(void *unused)
{
	(void)unused;
	const bool last = qthread_incr(&entered, 1) == CROWD - 1;
	if (!last && qthread_readFF(NULL, &gate) == QTHREAD_SUCCESS)
		return 0;
	if (!last)
		qthread_incr(qswsrqueue_dequeue_blocking(ring) ? &others : &nulls, 1);
	fault_end();
	qthread_fill(&gate);
	return 0;
}

static void no_stack(void)
{
	static aligned_t done[CROWD];

	qthread_empty(&gate);
	for (unsigned i = 0; i < CROWD; i++)
		qthread_fork(join_crowd, NULL, &done[i]);
	fault_after(0);
	qthread_readFF(NULL, &gate);
	fault_end();
	for (unsigned i = 0; i < CROWD; i++)
		qthread_readFF(NULL, &done[i]);
	ok(nulls > 0 && others == 0, "qswsrqueue_dequeue_blocking: NULL when there is no memory for a stack");
	wait_again("a stack");
}

int main(void)
{
	plan(11);
	qti_mem_fault = fault_here;             /* before there are workers to read it */
	every_start("ws", "2", "1");
	is_int(creates_that_fail(create_lf, destroy_lf), 2, "qlfqueue_create: each of its allocations may fail");
	is_int(creates_that_fail(create_d, destroy_d), 3, "qdqueue_create: each of its allocations may fail");
	is_int(creates_that_fail(create_swsr, destroy_swsr), 1, "qswsrqueue_create: its one allocation may fail");
	enqueue();
	ring = qswsrqueue_create(1);
	no_entry();
	qthread_finalize();
	every_start("q", "1", "1");             /* q joins nothing inline: who waits needs a stack */
	no_stack();
	qswsrqueue_destroy(ring);
	qthread_finalize();
	return done();
}
