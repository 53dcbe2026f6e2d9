/* base/forked.h -- what is to be in order in the child of fork(2), where only the thread that forks goes on.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Whoever has state that threads share says here what becomes of it; the list is the process's, of all libraries.
 *
 *   FK1  What is to be whole in the child has its lock taken before and dropped afterwards, on both sides; what is
 *        thrown away is reset in the child.  In the parent before, by rank: QTI_FORKED_CALLS waits until no thread that
 *        is no worker is in a call (base/readers.h), which may need any of the locks; a lock comes before those that
 *        its holders take.  Afterwards the other way round, on both sides; then the child throws away, by rank:
 *        a guest still finds the running task.
 *   FK2  Every struct qti_lock says in which process it was taken (base/lock.h): one whose holder has stayed in the
 *        parent is free in the child, whatever it is a part of.
 *   FK3  What a thread has for itself is whole at any of its instructions, where another may come across it in the
 *        child: magazines (base/pool.h).  The compiler's order is enough on any processor: fork makes the pages
 *        read-only and waits until no processor writes to them any more, so of each thread's stores the child has those
 *        up to one of them, and none behind it.
 *
 * Checked by test/api/child.c and test/omp/child.c.
 */
#ifndef QTI_BASE_FORKED_H
#define QTI_BASE_FORKED_H

#include "base/shared.h"

#include <stdbool.h>

enum qti_forked_rank {
	QTI_FORKED_CALLS,
	QTI_FORKED_GUEST,               /* core/guest.h */
	QTI_FORKED_RUNTIME,
	QTI_FORKED_LOCKS,               /* beneath which only pools are used */
	QTI_FORKED_POOLS,
};

/* Any function may be NULL. */
struct qti_forked {
	enum qti_forked_rank rank;
	void (*before)(void);           /* takes; by rank */
	void (*after)(void);            /* drops; in the child, too, and the other way round */
	void (*child)(void);            /* then; by rank */
	struct qti_forked *next;
};

QTI_SHARED void qti_forked_add(struct qti_forked *f);

/* At file level, once the library is loaded. */
#define QTI_FORKED(rank_, before_, after_, child_) \
	__attribute__((constructor)) static void forked_add(void) \
	{ \
		static struct qti_forked forked = { \
			.rank = rank_, .before = before_, .after = after_, .child = child_ }; \
		qti_forked_add(&forked); \
	}

#endif
