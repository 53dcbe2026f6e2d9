/* base/race.h -- telling a race checker what happens before what.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A program compiled with -fsanitize=thread brings ThreadSanitizer along, which sees the program and not this library: its
 * atomic operations are not instrumented.  So the library says where it promises an order, and which flow of control
 * a thread is in.  ThreadSanitizer is looked for once, when the library is loaded; without it each place costs a load of a
 * word that does not change, and a branch.  A library that is instrumented itself says nothing here: all is seen.
 *
 * Terms.  A token stands for what is ordered: who has released it before happens before who acquires it after.
 * A fiber is a flow of control as the checker knows it; each stack has one (machine/fiber.h).  Tasks that run one after the
 * other on one stack are one flow, and races between them remain unseen: so while there is a checker no task runs on top of another,
 * and a worker changes its stack after each (core/loop.c).
 *
 * Rules.  To release comes before the step that others can see, to acquire after the step that sees it.  An order that is
 * told though nobody has promised it hides races, and does no other harm; one that is not told is a false report.
 *
 * Checked by test/races.
 */
#ifndef QTI_BASE_RACE_H
#define QTI_BASE_RACE_H

#include "base/atomic.h"

extern bool qti_race_on QTI_SHARED_VARIABLE(qti_race_on);

/* There is a checker. */
static inline bool qti_races(void)
{
	return qti_unlikely(qti_race_on);
}

/* n tokens, side by side, that nobody has used for long. */
QTI_SHARED char *qti_race_tokens(unsigned n);

/* The token of an object, by its address; of several kinds. */
QTI_SHARED char *qti_race_token_of(const void *object, unsigned kind);

enum { QTI_RACE_TOKEN = 8 };            /* bytes from one to the next */

/* Where qti_races(). */
QTI_SHARED void qti_race_release_token(char *token);
QTI_SHARED void qti_race_acquire_token(char *token);

/* What the calling fiber does until the end of it is no business of the checker's.  Anywhere. */
QTI_SHARED void qti_race_ignore(bool begin);

/* The same of an object, anywhere. */

static inline void qti_race_release(const void *object)
{
	if (qti_races())
		qti_race_release_token(qti_race_token_of(object, 0));
}

static inline void qti_race_acquire(const void *object)
{
	if (qti_races())
		qti_race_acquire_token(qti_race_token_of(object, 0));
}

/* --- fibers: where qti_races() --------------------------------------------------------------------------- */

void *qti_race_fiber(void);             /* the one that runs: of a thread that begins to run others, too */
void *qti_race_fiber_make(void);        /* NULL: the checker takes no more */
void qti_race_fiber_drop(void *fiber);
void qti_race_fiber_switch(void *fiber);

#endif
