/* libxomp.h -- what ROSE's OpenMP lowering calls: XOMP, for C and C++.  Fortran has libxompf.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Translated programs include this header by this name, are compiled without -fopenmp, and are linked with -lqomp.
 * They may have parts that a compiler has translated (-fopenmp): teams, tasks and constructs in progress are the
 * same for both.
 *
 * Everything may be called from every thread of the program, and from qthreads, at any time: before XOMP_init,
 * after XOMP_terminate, and outside of parallel regions, where the caller is a team of one.  The runtime starts
 * with the first region of more than one thread.  Nothing here reports an error: a process that has no memory for a
 * region or a task ends with a message.  Calls block as the constructs do; whoever waits leaves its worker to other
 * tasks, but goes on on the same OS thread.  Barriers, the beginnings and ends of regions, critical sections, the
 * ends of tasks for who waits for them, and flushes order memory as OpenMP has it.
 *
 * ROSE changed some signatures over the years.  Sources in an older dialect are compiled with one of
 *   -DXOMP_DIALECT=110     as for Qthreads 1.10; including <qthread/xomp110/libxomp.h> does the same
 *   -DXOMP_DIALECT=2011    of early 2011
 *   -DXOMP_DIALECT=2010    of 2010: upper bounds of loops are exclusive
 * Objects of different dialects do not mix.
 */
#ifndef LIBXOMP_H
#define LIBXOMP_H

/* Translated code relies on abort(), and may have come to rely on the others. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* --- the program ----------------------------------------------------------------------------------------- */

/* The beginning and the end of main.  Neither is needed; both may be called again. */
void XOMP_init(int argc, char **argv);
void XOMP_terminate(int exitcode);

/* Seconds since 1970. */
double xomp_time_stamp(void);

/* Not 0: the beginnings and ends of regions are written to a file.  XOMP_REGION_INSTR=1 in the environment sets it
 * when the program starts. */
extern int env_region_instr_val;

/* --- regions --------------------------------------------------------------------------------------------- */

/* func(data) in each thread of a new team; the caller is thread 0.  data is not copied.
 *
 * ifClauseValue 0 makes a team of one, and otherwise numThreadsSpecified a team of so many; 0: of as many as
 * omp_get_max_threads() says.  Returns when all have returned and the team's tasks have ended.  file_name and
 * line_no are looked at for traces only; NULL and 0 will do. */
void XOMP_parallel_start(void (*func)(void *), void *data, unsigned ifClauseValue, unsigned numThreadsSpecified,
                         char *file_name, int line_no);
void XOMP_parallel_end(char *file_name, int line_no);

/* Waits until all threads of the team are here, and its tasks have ended. */
void XOMP_barrier(void);

/* True for the first thread of the team that comes to this construct; nobody waits. */
bool XOMP_single(void);

/* True for thread 0. */
bool XOMP_master(void);

/* --- tasks ----------------------------------------------------------------------------------------------- */

/* A task that calls func with a copy of the arg_size bytes at data, made before the call returns: by cpyfn(copy,
 * data), or as bytes if that is NULL.  The copy is aligned for every type, or to arg_align if that is more.  With
 * if_clause false, and outside of regions, the task has ended when the call returns, and it may have had data
 * itself.  untied changes nothing: a task stays on the thread that started it. */
void XOMP_task(void (*func)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size, long arg_align,
               bool if_clause, unsigned untied);

/* Waits for the tasks that the calling task has created; not for theirs. */
void XOMP_taskwait(void);

/* --- loops ----------------------------------------------------------------------------------------------- */

/* Bounds are inclusive, in both directions: index lower, lower + stride, ... up to upper, or down to upper if stride is
 * negative.  The last index of a piece counts up to the next piece, exclusively. */

/* The calling thread's block of a loop without a schedule clause: from *n_lower to *n_upper.  A thread without work
 * gets bounds between which there is nothing. */
void XOMP_loop_default(int lower, int upper, int stride, long *n_lower, long *n_upper);

/* Other loops: each thread of the team calls init, then start, then next until that says false, then end.  start
 * and next are true if there is a piece for the thread, from *istart to *iend; otherwise these are left alone.
 * chunk_size counts iterations.  Less than 1 counts as none given, which is one block for each thread with a static
 * schedule, and 1 with the others. init does nothing. */
void XOMP_loop_static_init(int lower, int upper, int stride, int chunk_size);
bool XOMP_loop_static_start(long lower, long upper, long stride, long chunk_size, long *istart, long *iend);
bool XOMP_loop_static_next(long *istart, long *iend);

void XOMP_loop_dynamic_init(int lower, int upper, int stride, int chunk_size);
bool XOMP_loop_dynamic_start(long lower, long upper, long stride, long chunk_size, long *istart, long *iend);
bool XOMP_loop_dynamic_next(long *istart, long *iend);

void XOMP_loop_guided_init(int lower, int upper, int stride, int chunk_size);
bool XOMP_loop_guided_start(long lower, long upper, long stride, long chunk_size, long *istart, long *iend);
bool XOMP_loop_guided_next(long *istart, long *iend);

/* By omp_set_schedule() or OMP_SCHEDULE. */
void XOMP_loop_runtime_init(int lower, int upper, int stride);
bool XOMP_loop_runtime_start(long lower, long upper, long stride, long *istart, long *iend);
bool XOMP_loop_runtime_next(long *istart, long *iend);

/* A block for each thread. */
void XOMP_loop_auto_init(int lower, int upper, int stride);
bool XOMP_loop_auto_start(long lower, long upper, long stride, long *istart, long *iend);
bool XOMP_loop_auto_next(long *istart, long *iend);

/* The same for loops with an ordered clause. */
void XOMP_loop_ordered_static_init(int lower, int upper, int stride, int chunk_size);
bool XOMP_loop_ordered_static_start(long lower, long upper, long stride, long chunk_size, long *istart, long *iend);
bool XOMP_loop_ordered_static_next(long *istart, long *iend);

void XOMP_loop_ordered_dynamic_init(int lower, int upper, int stride, int chunk_size);
bool XOMP_loop_ordered_dynamic_start(long lower, long upper, long stride, long chunk_size, long *istart, long *iend);
bool XOMP_loop_ordered_dynamic_next(long *istart, long *iend);

void XOMP_loop_ordered_guided_init(int lower, int upper, int stride, int chunk_size);
bool XOMP_loop_ordered_guided_start(long lower, long upper, long stride, long chunk_size, long *istart, long *iend);
bool XOMP_loop_ordered_guided_next(long *istart, long *iend);

void XOMP_loop_ordered_runtime_init(int lower, int upper, int stride);
bool XOMP_loop_ordered_runtime_start(long lower, long upper, long stride, long *istart, long *iend);
bool XOMP_loop_ordered_runtime_next(long *istart, long *iend);

/* Waits until all earlier pieces of the loop are done: those whose threads have asked for their next one.  The
 * piece keeps its turn until then, so end does nothing. */
void XOMP_ordered_start(void);
void XOMP_ordered_end(void);

/* Every thread that has called start calls one of these: the first is a barrier, too. */
void XOMP_loop_end(void);
void XOMP_loop_end_nowait(void);

/* 1, or -1: the sign of the stride of the loop that the calling thread is in. */
int xomp_loop_sign(void);

/* Of orig_size items from `start` on in chunk_count chunks, which differ by 1 at most, the larger ones first: where
 * number chunk_id begins, and how many it has. */
void XOMP_static_even_divide(long start, long orig_size, int chunk_count, int chunk_id, long *chunk_offset,
                             long *chunk_size);

/* --- sections -------------------------------------------------------------------------------------------- */

/* The number of a section for the calling thread, from 0 on and ever larger; -1: none is left.  end is a barrier,
 * too. */
int XOMP_sections_init_next(int section_count);
int XOMP_sections_next(void);
void XOMP_sections_end(void);
void XOMP_sections_end_nowait(void);

/* --- exclusion and flushes ------------------------------------------------------------------------------- */

/* *data belongs to the runtime; it is NULL at first. */
void XOMP_critical_start(void **data);
void XOMP_critical_end(void **data);

/* One lock for all.  Nothing may wait for tasks or threads in between. */
void XOMP_atomic_start(void);
void XOMP_atomic_end(void);

/* A full fence, each. */
void XOMP_flush_all(void);
void XOMP_flush_one(char *startAddress, int nbyte);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* --- older dialects -------------------------------------------------------------------------------------- */

#if !defined(XOMP_DIALECT) || XOMP_DIALECT == 220

/* In every older dialect this call has no arguments.  What the compiler says of the others would not tell what to
 * do. */
#if defined(__GNUC__) && (defined(__cplusplus) ? __cplusplus >= 201103L : __STDC_VERSION__ >= 199901L)
#define XOMP_parallel_end(...) XOMP_THIRD(__VA_ARGS__, XOMP_END_HERE, XOMP_END_OLDER, 0)(__VA_ARGS__)
#define XOMP_THIRD(a, b, c, ...) c
#define XOMP_END_HERE(file_name, line_no) (XOMP_parallel_end)(file_name, line_no)
#define XOMP_END_OLDER(nothing) \
	_Pragma("GCC error \"an older dialect: qthread/xomp110/libxomp.h accepts that of Qthreads 1.10, see libxomp.h\"") \
	(void)0
#endif

#else

#define XOMP_parallel_end() (XOMP_parallel_end)((char *)0, 0)

#if XOMP_DIALECT == 110

/* Loops have a handle, which we have no use for: it says nothing that the thread does not know. */
#define XOMP_parallel_start(func, data, if_clause, threads, name) \
	(XOMP_parallel_start)(func, data, if_clause, threads, (char *)(name), 0)

#define XOMP_loop_static_init(h, l, u, s, c) (*(h) = 0, (XOMP_loop_static_init)(l, u, s, c))
#define XOMP_loop_static_start(h, l, u, s, c, a, b) ((void)(h), (XOMP_loop_static_start)(l, u, s, c, a, b))
#define XOMP_loop_static_next(h, a, b) ((void)(h), (XOMP_loop_static_next)(a, b))
#define XOMP_loop_dynamic_init(h, l, u, s, c) (*(h) = 0, (XOMP_loop_dynamic_init)(l, u, s, c))
#define XOMP_loop_dynamic_start(h, l, u, s, c, a, b) ((void)(h), (XOMP_loop_dynamic_start)(l, u, s, c, a, b))
#define XOMP_loop_dynamic_next(h, a, b) ((void)(h), (XOMP_loop_dynamic_next)(a, b))
#define XOMP_loop_guided_init(h, l, u, s, c) (*(h) = 0, (XOMP_loop_guided_init)(l, u, s, c))
#define XOMP_loop_guided_start(h, l, u, s, c, a, b) ((void)(h), (XOMP_loop_guided_start)(l, u, s, c, a, b))
#define XOMP_loop_guided_next(h, a, b) ((void)(h), (XOMP_loop_guided_next)(a, b))
#define XOMP_loop_runtime_init(h, l, u, s) (*(h) = 0, (XOMP_loop_runtime_init)(l, u, s))
#define XOMP_loop_runtime_start(h, l, u, s, a, b) ((void)(h), (XOMP_loop_runtime_start)(l, u, s, a, b))
#define XOMP_loop_runtime_next(h, a, b) ((void)(h), (XOMP_loop_runtime_next)(a, b))

#define XOMP_loop_ordered_static_init(h, l, u, s, c) (*(h) = 0, (XOMP_loop_ordered_static_init)(l, u, s, c))
#define XOMP_loop_ordered_static_start(h, l, u, s, c, a, b) \
	((void)(h), (XOMP_loop_ordered_static_start)(l, u, s, c, a, b))
#define XOMP_loop_ordered_static_next(h, a, b) ((void)(h), (XOMP_loop_ordered_static_next)(a, b))
#define XOMP_loop_ordered_dynamic_init(h, l, u, s, c) (*(h) = 0, (XOMP_loop_ordered_dynamic_init)(l, u, s, c))
#define XOMP_loop_ordered_dynamic_start(h, l, u, s, c, a, b) \
	((void)(h), (XOMP_loop_ordered_dynamic_start)(l, u, s, c, a, b))
#define XOMP_loop_ordered_dynamic_next(h, a, b) ((void)(h), (XOMP_loop_ordered_dynamic_next)(a, b))
#define XOMP_loop_ordered_guided_init(h, l, u, s, c) (*(h) = 0, (XOMP_loop_ordered_guided_init)(l, u, s, c))
#define XOMP_loop_ordered_guided_start(h, l, u, s, c, a, b) \
	((void)(h), (XOMP_loop_ordered_guided_start)(l, u, s, c, a, b))
#define XOMP_loop_ordered_guided_next(h, a, b) ((void)(h), (XOMP_loop_ordered_guided_next)(a, b))
#define XOMP_loop_ordered_runtime_init(h, l, u, s) (*(h) = 0, (XOMP_loop_ordered_runtime_init)(l, u, s))
#define XOMP_loop_ordered_runtime_start(h, l, u, s, a, b) ((void)(h), (XOMP_loop_ordered_runtime_start)(l, u, s, a, b))
#define XOMP_loop_ordered_runtime_next(h, a, b) ((void)(h), (XOMP_loop_ordered_runtime_next)(a, b))

#define XOMP_loop_end(h) ((void)(h), (XOMP_loop_end)())
#define XOMP_loop_end_nowait(h) ((void)(h), (XOMP_loop_end_nowait)())

#elif XOMP_DIALECT == 2011

#define XOMP_parallel_start(func, data, if_clause, threads) \
	(XOMP_parallel_start)(func, data, if_clause, threads, (char *)0, 0)

#elif XOMP_DIALECT == 2010

#define XOMP_parallel_start(func, data, threads) (XOMP_parallel_start)(func, data, 1, threads, (char *)0, 0)

/* Bounds are exclusive here on the way in and on the way out. */
#define XOMP_INWARD(u, s) ((s) < 0 ? (u) + 1 : (u) - 1)

static inline bool xomp_outward(bool got, long *iend)
{
	if (got)
		*iend += xomp_loop_sign();
	return got;
}

#define XOMP_loop_static_init(l, u, s, c) (XOMP_loop_static_init)(l, XOMP_INWARD(u, s), s, c)
#define XOMP_loop_static_start(l, u, s, c, a, b) \
	xomp_outward((XOMP_loop_static_start)(l, XOMP_INWARD(u, s), s, c, a, b), b)
#define XOMP_loop_static_next(a, b) xomp_outward((XOMP_loop_static_next)(a, b), b)
#define XOMP_loop_dynamic_init(l, u, s, c) (XOMP_loop_dynamic_init)(l, XOMP_INWARD(u, s), s, c)
#define XOMP_loop_dynamic_start(l, u, s, c, a, b) \
	xomp_outward((XOMP_loop_dynamic_start)(l, XOMP_INWARD(u, s), s, c, a, b), b)
#define XOMP_loop_dynamic_next(a, b) xomp_outward((XOMP_loop_dynamic_next)(a, b), b)
#define XOMP_loop_guided_init(l, u, s, c) (XOMP_loop_guided_init)(l, XOMP_INWARD(u, s), s, c)
#define XOMP_loop_guided_start(l, u, s, c, a, b) \
	xomp_outward((XOMP_loop_guided_start)(l, XOMP_INWARD(u, s), s, c, a, b), b)
#define XOMP_loop_guided_next(a, b) xomp_outward((XOMP_loop_guided_next)(a, b), b)
#define XOMP_loop_runtime_init(l, u, s) (XOMP_loop_runtime_init)(l, XOMP_INWARD(u, s), s)
#define XOMP_loop_runtime_start(l, u, s, a, b) \
	xomp_outward((XOMP_loop_runtime_start)(l, XOMP_INWARD(u, s), s, a, b), b)
#define XOMP_loop_runtime_next(a, b) xomp_outward((XOMP_loop_runtime_next)(a, b), b)

#define XOMP_loop_ordered_static_init(l, u, s, c) (XOMP_loop_ordered_static_init)(l, XOMP_INWARD(u, s), s, c)
#define XOMP_loop_ordered_static_start(l, u, s, c, a, b) \
	xomp_outward((XOMP_loop_ordered_static_start)(l, XOMP_INWARD(u, s), s, c, a, b), b)
#define XOMP_loop_ordered_static_next(a, b) xomp_outward((XOMP_loop_ordered_static_next)(a, b), b)
#define XOMP_loop_ordered_dynamic_init(l, u, s, c) (XOMP_loop_ordered_dynamic_init)(l, XOMP_INWARD(u, s), s, c)
#define XOMP_loop_ordered_dynamic_start(l, u, s, c, a, b) \
	xomp_outward((XOMP_loop_ordered_dynamic_start)(l, XOMP_INWARD(u, s), s, c, a, b), b)
#define XOMP_loop_ordered_dynamic_next(a, b) xomp_outward((XOMP_loop_ordered_dynamic_next)(a, b), b)
#define XOMP_loop_ordered_guided_init(l, u, s, c) (XOMP_loop_ordered_guided_init)(l, XOMP_INWARD(u, s), s, c)
#define XOMP_loop_ordered_guided_start(l, u, s, c, a, b) \
	xomp_outward((XOMP_loop_ordered_guided_start)(l, XOMP_INWARD(u, s), s, c, a, b), b)
#define XOMP_loop_ordered_guided_next(a, b) xomp_outward((XOMP_loop_ordered_guided_next)(a, b), b)
#define XOMP_loop_ordered_runtime_init(l, u, s) (XOMP_loop_ordered_runtime_init)(l, XOMP_INWARD(u, s), s)
#define XOMP_loop_ordered_runtime_start(l, u, s, a, b) \
	xomp_outward((XOMP_loop_ordered_runtime_start)(l, XOMP_INWARD(u, s), s, a, b), b)
#define XOMP_loop_ordered_runtime_next(a, b) xomp_outward((XOMP_loop_ordered_runtime_next)(a, b), b)

#else
#error XOMP_DIALECT is none of 2010, 2011, 110 and 220
#endif

#endif /* XOMP_DIALECT */

#endif
