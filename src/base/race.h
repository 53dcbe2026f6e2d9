/* base/race.h -- telling a race checker what happens before what.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A program compiled with -fsanitize=thread brings ThreadSanitizer along, which sees the program and not this library:
 * its atomic operations are not instrumented.  So the library says where it promises an order, and which flow of
 * control a thread is in.  ThreadSanitizer is looked for once, when the library is loaded; without it each place costs
 * a load of a word that does not change, and a branch.  A library that is instrumented itself says nothing here: all is
 * seen.  helgrind and DRD are told the same (machine/flow.c).  They see what the library itself does, too:
 * src/libqthread.supp has it that this does not count.
 *
 * Terms.  A token stands for what is ordered: who has released it before happens before who acquires it after.
 * A fiber is a flow of control as the checker knows it; each stack has one (machine/fiber.h).  Tasks that run one after
 * the other on one stack are one flow, and races between them remain unseen: so while there is a checker no task runs
 * on top of another, and a worker changes its stack after each (core/loop.c).
 *
 * What calls promise is told where they are: a full/empty word has a token for who fills it, which readers acquire, and
 * one for who empties it, which writeEF acquires; a task acquires what was released where it was forked, and releases
 * what its result goes to.
 *
 * Rules.  To release comes before the step that others can see, to acquire after the step that sees it.  An order that
 * is told though nobody has promised it hides races, and does no other harm; one that is not told is a false report.
 *
 * Checked by test/races.
 */
#ifndef QTI_BASE_RACE_H
#define QTI_BASE_RACE_H

#include "base/atomic.h"
#include "qthread/macros.h"

extern bool qti_race_on QTI_SHARED_VARIABLE(qti_race_on);

/* There is a checker. */
static inline bool qti_races(void)
{
	return qti_unlikely(qti_race_on);
}

/* n tokens, side by side, that nobody has used for long. */
QTI_SHARED char *qti_race_tokens(unsigned n);

/* The token of an object, by its address; of several kinds. */
enum qti_race_kind {
	QTI_RACE_OBJECT,
	QTI_RACE_EMPTIED,               /* of a word, by who empties it */
	QTI_RACE_TASK,                  /* forked, by its descriptor */
	QTI_RACE_ELEMENT,               /* of a queue or a table */
	QTI_RACE_GUEST,                 /* from here on a guest's */
};
QTI_SHARED char *qti_race_token_of(const void *object, unsigned kind) QTHREAD_UNREAD(1);

enum { QTI_RACE_TOKEN = 8 };            /* bytes from one to the next */

/* Where qti_races(). */
QTI_SHARED void qti_race_release_token(char *token);
QTI_SHARED void qti_race_acquire_token(char *token);

/* What the calling fiber does until the end of it is no business of the checker's.  Anywhere. */
QTI_SHARED void qti_race_ignore(bool begin);

/* What has been released of an object is released of another, of that kind.
 * To the caller it means nothing.  Anywhere. */
void qti_race_pass(const void *from, const void *to, enum qti_race_kind kind);

/* Memory that others have used is the caller's now, as if it were new. */
void qti_race_own(void *from, size_t size);

/* The same of an object, anywhere. */

static inline void qti_race_release_as(const void *object, enum qti_race_kind kind)
{
	if (qti_races())
		qti_race_release_token(qti_race_token_of(object, kind));
}

static inline void qti_race_acquire_as(const void *object, enum qti_race_kind kind)
{
	if (qti_races())
		qti_race_acquire_token(qti_race_token_of(object, kind));
}

static inline void qti_race_release(const void *object)
{
	qti_race_release_as(object, QTI_RACE_OBJECT);
}

static inline void qti_race_acquire(const void *object)
{
	qti_race_acquire_as(object, QTI_RACE_OBJECT);
}

/* What a checker is asked for, as ThreadSanitizer declares it in a header of its own, which not every system has. */
struct qti_race_checker {
	void *(*create_fiber)(unsigned flags);
	void (*destroy_fiber)(void *fiber);
	void (*switch_to_fiber)(void *fiber, unsigned flags);
	void *(*current_fiber)(void);
	void (*registered)(void);               /* valgrind has been told of another stack; NULL: nothing to it */
	void (*acquire)(void *token);
	void (*release)(void *token);
	void (*ignore_begin)(const char *file, int line);
	void (*ignore_end)(const char *file, int line);
	void (*benign)(const char *file, int line, const volatile void *from, size_t size, const char *why);
	void (*own)(void *from, size_t size);           /* NULL: it sees nothing of what the library does itself */
};

/* Of helgrind or DRD, if that runs the program (machine/flow.c). */
bool qti_race_valgrind(struct qti_race_checker *c);

/* --- fibers: where qti_races() --------------------------------------------------------------------------- */

void *qti_race_fiber(void);             /* the one that runs: of a thread that begins to run others, too */
void *qti_race_fiber_make(void);        /* NULL: the checker takes no more */
void qti_race_fiber_drop(void *fiber);

/* written_to: the other fiber has written to this one's frames below that, and to none above; NULL: to none. */
void qti_race_fiber_switch(void *fiber, char *written_to);

void qti_race_registered(void);         /* valgrind has been told of a stack */

#endif
