/* omp/tool/thread.h -- threads and tasks as the tool knows them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A tool sees OS threads that run tasks; a task that has begun stays on its thread.  Tasks that have begun on a thread
 * and have not ended are in its list, the running one first.  Here a task that waits may make way for any other, on a
 * stack of its own, and goes on when it is ready: nobody says so.  The tool is told when the next event shows that
 * another task runs than the first in the list, which comes to the front then.
 *
 * All of a thread's, and of its list, is that thread's alone.  The child of fork(2) goes on in the tasks that its only
 * thread was in, and the tool may be told of them as before.
 */
#ifndef QOMP_TOOL_THREAD_H
#define QOMP_TOOL_THREAD_H

#include "omp-tools.h"

#include <stdbool.h>

/* A parallel region; or what is around an initial task. */
struct qomp_told_region {
	ompt_data_t data;
	struct qomp_told *met;          /* the task that met it; NULL: none */
	const void *from;               /* codeptr_ra */
	unsigned size;                  /* of the team */
	int flags;                      /* ompt_parallel_flag_t */
	char *race;                     /* tokens: omp/tool/race.h */
};

/* A task's, for a race checker (omp/tool/race.h).  Tokens, NULL: there is none. */
struct qomp_told_race {
	char *own;                      /* its beginning, and its children's ends */
	char *siblings;                 /* its end, for its parent */
	char *team;                     /* of its region */
	char *group;
	char *thread;                   /* that it shares something of */
	unsigned barriers;              /* that it has come to */
	ompt_dependence_t *depends;
	int ndepends;
};

struct qomp_told {
	ompt_data_t data;
	ompt_frame_t frame;
	struct qomp_told_region *region;
	struct qomp_told *below;        /* in its thread's list */
	struct qomp_tool_thread *on;    /* NULL: it has not begun, or ended */
	const void *from;               /* codeptr_ra of what it is in */
	ompt_wait_id_t wait_id;         /* what it waits for; 0: nothing */
	int flags;                      /* ompt_task_flag_t */
	int state;                      /* ompt_state_t of its thread while it runs */
	unsigned number;                /* of its thread in the team */
	void *memory;                   /* of its data; NULL: none of its own */
	size_t bytes;
	ompt_work_t work;               /* that it has begun, and its end; 0: none */
	uint64_t count;
	ompt_sync_region_t barrier;     /* what its next barrier is; 0: not known */
	bool single;                    /* it has begun a single construct, whose end compiled code does not say */
	bool discarded;                 /* cancelled before it began */
	int place, first_place, places; /* of an implicit task; no places: they are not bound */
	struct qomp_told_region own;    /* of an initial task */
	struct qomp_told_race race;
};

struct qomp_tool_thread {
	ompt_data_t data;
	struct qomp_told *first;        /* of the list */
	const void *from;               /* where the program has called: for the next event */
	void *frame;                    /* the frame from which it has */
	unsigned rounds;                /* of destructors, in which its tasks were to end */
};

/* The calling thread's, which begins with the first call.  NULL: out of memory, and it is told nothing of. */
struct qomp_tool_thread *qomp_tool_thread(ompt_thread_t kind);

/* The same, if it has begun. */
struct qomp_tool_thread *qomp_tool_thread_now(void);

/* It ends now, though it goes on: at the end of the process. */
void qomp_tool_thread_end(void);

/* t begins on the calling thread, th; the task that ran before. */
struct qomp_told *qomp_told_add(struct qomp_tool_thread *th, struct qomp_told *t);

/* t, which is in th's list, runs; the one that ran before, which may be t. */
struct qomp_told *qomp_told_raise(struct qomp_tool_thread *th, struct qomp_told *t);

/* t is in no list any more. */
void qomp_told_remove(struct qomp_told *t);

#endif
