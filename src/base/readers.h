/* base/readers.h -- who is reading, and waiting until those who are have finished.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For structures that are read without locks: what a writer takes out of such a structure may be freed once all
 * sections that were open then have been left (read-copy-update; the shape is that of the user-space RCU of Desnoyers,
 * McKenney, Stern, Dagenais and Walpole, IEEE TPDS 2012).
 *
 * A section belongs to an OS thread, worker or not, which enters and leaves it with two plain stores into a record of
 * its own.  So a task must not wait, yield or end inside.  Sections nest.
 *
 * RD1  reader:  count the record up;  fence_light;       read the structure
 *      writer:  take the thing out;   qti_fence_heavy;   look at the records
 *      Store buffering: either the reader misses the thing, or the writer sees the reader.
 * RD2  A reader leaves by a release store -> the writer's acquire load: what was read was read before it is freed.
 * RD3  A record's upper part changes whenever its outermost section ends, so a writer does not wait for sections that
 *      began later.
 * RD4  Records are never freed, only handed on when a thread ends.  A thread finds its record, or makes it known,
 *      before a full fence; a writer that, after one, sees no record in use but its own needs no heavy one.
 *
 * While a thread forks the process no section of others is open, and none begins (QTI_FORKED_CALLS of base/forked.h):
 *
 * RD5  reader:  count the record up;        fence_light;       look at qti_readers_stopped; if so, leave and wait
 *      stop:    set qti_readers_stopped;    qti_fence_heavy;   wait for the records
 *      Not a thread without a record, whose sections cannot be told from each other.
 *
 * A thread that gets no record (no memory) is counted in one word, and a writer waits until that word is 0 once.
 * Checked by test/unit/readers.c, test/stress/dictionary.c and test/check/readers.c.
 */
#ifndef QTI_BASE_READERS_H
#define QTI_BASE_READERS_H

#include "base/atomic.h"

enum { QTI_READER_DEPTH_BITS = 16 };

struct qti_reader {
	uint64_t word QTI_ALIGNED_LINE; /* sections left, in its upper part; open sections below */
	uint32_t taken;                 /* by a thread */
	struct qti_reader *next;        /* of all records */
};

extern __thread struct qti_reader *qti_reader_self __attribute__((tls_model("initial-exec")));

extern uint32_t qti_readers_stopped;

/* The calling thread has just opened its only section: returns with that open, once it may be. */
void qti_reader_wait(struct qti_reader *r);

/* The calling thread's record, made known; NULL without memory, and counted then. */
struct qti_reader *qti_reader_enter_first(void);
void qti_reader_leave_counted(void);

/* Opens a section.  What it returns goes to qti_reader_leave. */
static inline struct qti_reader *qti_reader_enter(void)
{
	struct qti_reader *r = qti_reader_self;

	if (qti_unlikely(!r) && !(r = qti_reader_enter_first()))
		return NULL;
	store_rlx(&r->word, load_rlx(&r->word) + 1);
	fence_light();                                          /* RD1, RD5 */
	if (qti_unlikely(load_acq(&qti_readers_stopped) != 0))
		qti_reader_wait(r);
	return r;
}

static inline void qti_reader_leave(struct qti_reader *r)
{
	const uint64_t depth = (UINT64_C(1) << QTI_READER_DEPTH_BITS) - 1;

	if (qti_unlikely(!r)) {
		qti_reader_leave_counted();
		return;
	}
	const uint64_t word = load_rlx(&r->word) - 1;
	store_rel(&r->word, word & depth ? word : word + depth + 1);    /* RD2, RD3 */
}

/* Waits until every section of other threads that was open at the call has been left.  The caller's own do not count:
 * inside of one it must not free what that one may see. */
void qti_readers_wait(void);

/* Whether the calling thread is inside of a section. */
bool qti_reader_inside(void);

#endif
