/* test/check/check.h -- runs the library's own code under the memory model of C11, in every order that matters.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A unit includes check/instead.h and then the sources that it checks, as they are in src/.  It is compiled with
 * -fsanitize=thread and linked with test/check in place of the sanitizer's library, so each access to memory, atomic or
 * not, is a call of test/check/hooks.c.  Its threads are fibers of one OS thread.  An execution is determined by its
 * choices:
 *
 *   - before an atomic operation another thread may go on instead (at most `switches` times in an execution, where the
 *     running one could have gone on);
 *   - a load may return a store that is not the latest, as long as the memory model lets the thread miss what came
 *   after
 *     it (at most `stale` times).
 *
 * Up to these bounds all executions are made, one after the other, or as many as there is time for at random.
 * test/check/memory.h says which stores a load may return.
 *
 * An execution fails where a check does, where an access that is not atomic races with another, where no thread can go
 * on, and where it does not end.  Its choices are printed; with them as argument the program prints what happened in
 * it.
 *
 * After that each memory order and fence on the way is made weaker by one step, one at a time (acq_rel to either half,
 * seq_cst to acq_rel, the others to relaxed, which leaves a fence out): an execution has to fail then.  So the units of
 * a program show of every order that they come by, in the files that the program is about, that it is needed; where
 * none does, the program says why it is there.  Steps that are no orders are left out by units of their own
 * (`without`).
 *
 * Where the model is stronger than C11: stores to one location become visible in the order in which they are executed,
 * and what a thread has not executed yet has no effect (no load buffering).
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHECK_THREADS = 4 };             /* of a unit, at most */

struct check_unit {
	const char *name;
	unsigned threads;
	void (*begin)(void);            /* before the threads begin; what it does they see */
	void (*run)(unsigned thread);   /* 0 to threads - 1 */
	void (*end)(void);              /* after they have ended */
	unsigned switches, stale;       /* the bounds; one more with QTI_MODEL=full, and 200 times `most` */
	unsigned most;                  /* executions in order; if there are more, as many at random */
	const char *without;            /* a step that `begin` has left out: an execution has to fail; NULL: none */
};

/* An order that no unit needs, and why it is there. */
struct check_spare {
	const char *file;               /* of src/, its name's end */
	const char *line;               /* how its line begins */
	const char *why;
};

struct check_program {
	const struct check_unit *const *unit;
	unsigned nunits;
	const struct check_spare *spare;        /* ends with a line NULL; NULL: none */
	const char *const *of;                  /* files of src/ whose orders are made weaker; ends with NULL.
						 * NULL: of all */
};

/* Plans, checks the units and reports. */
int check_run(const struct check_program *p, int argc, char **argv);

/* Fails this execution unless `holds`. */
void check_that(bool holds, const char *what);

/* In place of pauses: the calling thread goes on when another has stored something, or none else can go on. */
void check_pause(void);

/* In place of futex(2). */
void check_futex_wait(const uint32_t *word, uint32_t expected);
void check_futex_wake(const uint32_t *word, int threads);

/* Before check_run: a thread-local variable of the sources, of which each thread of a unit has its own; all begin with
 * what it is now. */
void check_local(void *variable, size_t bytes);

void *check_memset(void *to, int byte, size_t bytes);
void *check_memcpy(void *to, const void *from, size_t bytes);

#endif
