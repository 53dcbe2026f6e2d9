/* test/xomp/constructs.h -- functions that exist twice: with pragmas, and as ROSE would lower them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * pragma/NAME.c has the source, which the compiler translates for its own OpenMP library; lowered/NAME.c says the
 * same in calls of XOMP.  NAME.c checks what they do, and has to find the same with both.
 */
#ifndef QTI_TEST_XOMP_CONSTRUCTS_H
#define QTI_TEST_XOMP_CONSTRUCTS_H

#include "xomp/routines.h"

#include <stdbool.h>

enum { THREADS_MOST = 64 };

/* --- regions --------------------------------------------------------------------------------------------- */

/* parallel: each thread counts in visits[its number]; the team's size is returned. */
int region_default(int *visits);
int region_if(int condition, int *visits);
int region_threads(int threads, int *visits);
int region_if_threads(int condition, int threads, int *visits);

/* No variable of the caller's is used: they count here. */
extern int region_global;
void region_nothing(void);

/* private(p) firstprivate(f): out[t] is f * 100 + 10 * t + 1 for thread t; what f and p are afterwards is returned. */
int region_data(int threads, int f, int *out);

/* reduction(+ : sum) reduction(* : product) reduction(max : top): of t + 1, 2, and t, and what was there. */
void region_reduction(int threads, long *sum, long *product, int *top);

/* A region of `inner` threads in each of `outer`: how many ran it; thread numbers are counted in numbers[]. */
int region_nested(int outer, int inner, int *numbers);

/* --- loops ----------------------------------------------------------------------------------------------- */

/* A loop without, or with, a schedule clause, from `from` to `to` exclusively; count[i] goes up for each index. */
void loop_default(int from, int to, int step, int *count);
void loop_static(int from, int to, int step, int chunk, int *count);
void loop_dynamic(int from, int to, int step, int chunk, int *count);
void loop_guided(int from, int to, int step, int chunk, int *count);
void loop_runtime(int from, int to, int step, int chunk, int *count);
void loop_auto(int from, int to, int step, int chunk, int *count);

/* for (i = 0; i < n; i++) thread[i] = thread number, with schedule(static, chunk), and with schedule(runtime). */
void loop_static_threads(int n, int chunk, int *thread);
void loop_runtime_threads(int n, int *thread);

/* lastprivate(last) reduction(+ : sum): of i, last = 2 * i; *last stays if there is no iteration. */
long loop_last_default(int n, int *last);
long loop_last_static(int n, int *last);
long loop_last_dynamic(int n, int *last);
long loop_last_guided(int n, int *last);
long loop_last_down(int n, int *last);

/* firstprivate(f): the sum of i + f. */
long loop_first(int n, int f);

/* schedule(guided, 2) nowait, downwards by 3 from n - 1: 100; a barrier; schedule(dynamic): 1. */
void loop_down_and_up(int n, int *v);

/* `rounds` times, without any barrier: dynamic, guided, static, sections and single; how often each body ran. */
void loop_ahead(int threads, int rounds, int n, int *ran);

/* collapse(2): the sum of i * 1000 + j for i below n and j below m. */
long loop_collapsed(int n, int m);

/* An orphaned loop, called in a region and outside of one. */
void loop_orphan(int n, int *count);
void loop_orphan_in_region(int n, int *count);

/* --- ordered --------------------------------------------------------------------------------------------- */

/* out[] gets each index in the order of the ordered regions; how many there were is returned. */
int ordered_default(int n, int *out);
int ordered_static(int n, int chunk, int *out);
int ordered_dynamic(int n, int chunk, int *out);
int ordered_guided(int n, int chunk, int *out);
int ordered_runtime(int n, int *out);

/* Downwards by 2 from n - 1, only where the index is divisible by 3. */
int ordered_some(int n, int *out);

/* --- sections, single, exclusion ------------------------------------------------------------------------- */

/* Three sections, lastprivate(x); ran[i] goes up for section i. */
int sections_last(int *ran);

/* Five sections with a nowait, `rounds` times. */
void sections_many(int rounds, int *ran);

/* single, with its barrier and without; master: how often each ran. */
int single_barrier(int rounds);
int single_nowait(int rounds);
int master_only(int rounds, int *number);

/* Everybody adds `rounds` times; what comes out. */
long critical_unnamed(int rounds);
long critical_named(int rounds, long *other);
long atomic_added(int rounds);

/* How often a thread saw less after a barrier than all had written before it. */
int barrier_phases(int rounds);

/* flush: one thread publishes, the others wait for it; what they read. */
int flush_published(void);

/* --- tasks ----------------------------------------------------------------------------------------------- */

/* 2 to the power of n, by tasks with if(n > 3) untied; in a region, and outside of one. */
long task_tree(int n);
long task_tree_outside(int n);

/* Tasks with copies of what changes while they wait: a struct of many bytes, doubles, pointers. */
double task_copies(int tasks);

/* if(0): the task has ended before the next statement; *wrong counts when it has not. */
int task_undeferred(int n, int *wrong);

/* taskwait waits for children; how many had ended. */
int task_children(int n);

/* Tasks made in a dynamic loop and in a guided one without a barrier, taskwait where there are none. */
long task_in_loops(int n);

/* Tasks made by one thread and waited for by a barrier: how many had ended there. */
int task_barrier(int n);

/* --- threadprivate --------------------------------------------------------------------------------------- */

/* Each thread adds 1 to its own, `regions` times; whether all were the same, and the caller's, as they should be. */
bool threadprivate_kept(int regions);

#endif
