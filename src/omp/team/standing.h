/* omp/team/standing.h -- where the calling thread stands: in the frame of a task, an initial one at first.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The main thread, other threads of the program and native qthreads each have an initial task (omp/team/root.h), made
 * at their first call.
 */
#ifndef QOMP_STANDING_H
#define QOMP_STANDING_H

#include "base/tuning.h"
#include "omp/env/env.h"
#include "omp/team/root.h"

/* A first call, on a thread or in a task that is not OpenMP's: it has a frame from then on, which is returned. */
struct qomp_frame *qomp_frame_first(void);

/* The running frame f, which is light, becomes one that stays, with all light ones beneath it.  Returns it. */
struct qomp_frame *qomp_frame_settle(struct qomp_frame *f);

/* The same as qomp_frame_now, but NULL before a first call. */
static inline struct qomp_frame *qomp_frame_if_any(void)
{
	return qti_guest_word();
}

/* The running task's region, which may be light: to be read from until the next call.  Never NULL. */
static inline struct qomp_frame *qomp_frame_now(void)
{
	struct qomp_frame *f = qti_guest_word();

	return qti_likely(f != NULL) ? f : qomp_frame_first();
}

/* An initial task that nobody runs and nobody writes to; it has no control variables (qomp_icv_asked). */
extern struct qomp_root qomp_root_of_nobody;

/* The same for an inquiry, which reads from it.  A thread without a frame gets none by that: it is told of one that
 * belongs to nobody.  So inquiries answer anywhere, in the handler of a signal and within malloc(3) too: they take no
 * memory and no lock, and leave nothing behind. */
static inline const struct qomp_frame *qomp_frame_asked(void)
{
	const struct qomp_frame *f = qti_guest_word();

	return qti_likely(f != NULL) ? f : &qomp_root_of_nobody.member.frame;
}

/* The control variables likewise; `room` is the caller's, for a thread that has none yet. */
static inline const struct qomp_icv *qomp_icv_asked(struct qomp_icv *room)
{
	const struct qomp_frame *f = qti_guest_word();

	return qti_likely(f && !(f->flags & QOMP_RESTING)) ? f->icv : qomp_settings_initial(room);
}

/* The running task's region, which stays where it is; never NULL. */
static inline struct qomp_frame *qomp_frame(void)
{
	struct qomp_frame *f = qomp_frame_now();

	return qti_unlikely(f->flags & QOMP_LIGHT) ? qomp_frame_settle(f) : f;
}

/* f is the running task's region from here on; it has had one, and asked for it. */
static inline void qomp_frame_set(struct qomp_frame *f)
{
	qti_guest_word_set(f);
}

/* The initial task of the main task, which has one. */
struct qomp_frame *qomp_frame_of_main(void);

/* The calling thread, which is no worker, stands in f from here on; until it ends. */
void qomp_outside_begin(struct qomp_frame *f);
void qomp_outside_end(void);

/* It has used little of its stack (qti_stack_shallow). */
bool qomp_outside_is_shallow(void);

/* It has not used too much of it, for qomp_stack_lasts. */
bool qomp_outside_lasts(void);

/* The part of the calling thread's stack on which tasks run at once: its lower end, and its size; 0 on a stack that
 * nobody knows. */
size_t qomp_stack_part(uintptr_t *last);

/* The calling thread's stack lasts for one more task on top of the running one.  A task that creates the next one would
 * use all of it otherwise, if each ran at once.  False on a stack that nobody knows. */
static inline bool qomp_stack_lasts(void)
{
	struct qti_worker *w = qti_self();

	return qti_likely(w != NULL)
		? qti_worker_stack_left(w) > qti_worker_stack_size(w) / TUNE_STACK_SHARE : qomp_outside_lasts();
}

/* In a team of one, which nobody else helps, a task that f creates runs at once while the stack lasts.  The first of a
 * region, or of a thread, stands no deeper than that. */
static inline bool qomp_frame_runs_alone(const struct qomp_frame *f)
{
	return f->team->alone && (f->flags & QOMP_IMPLICIT || qomp_stack_lasts());
}

struct qomp_told_region;

struct qomp_league {
	struct qomp_told_region *told;  /* NULL: nobody is */
	unsigned teams, number;         /* how many, and which one this is */
};

/* The calling thread, in f, stands in another initial task from here on, in no region, which begins with these
 * control variables: as if it were another thread of the program; in a team of that league, NULL: in none.  Until
 * qomp_root_leave, which brings it back. */
struct qomp_root *qomp_root_enter(struct qomp_frame *f, const struct qomp_icv *icv, const struct qomp_league *league);
void qomp_root_leave(struct qomp_root *root);

/* Calls visit(frame, arg) for the initial tasks of the main task and of native qthreads. */
void qomp_roots_each(void (*visit)(const struct qomp_frame *f, void *arg), void *arg);

/* The runtime has ended, and with it the qthreads that wait for ever: what they had goes. */
void qomp_roots_free(void);

/* In the child of fork(2): no root has a team. */
void qomp_roots_forget(void);

/* The calling thread, which stands in a frame, has become worker 0, or ceases to be it: it takes its frames along. */
void qomp_root_move_in(void);
void qomp_root_move_out(void);

#endif
