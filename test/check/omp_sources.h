/* test/check/omp_sources.h -- the sources of what OpenMP's members and tasks do, on threads of a unit.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef CHECK_OMP_SOURCES_H
#define CHECK_OMP_SOURCES_H

#include "check/explore.h"
#include "check/outside.h"

#include "omp/task/task.h"
#include "omp/task/wait.h"
#include "omp/team/record.h"
#include "omp/team/store.h"
#include "omp/team/wait_loop.h"

static bool team_help(struct qomp_frame *f);
static void record_freed(struct qomp_task *t);
static void *store_get(enum qomp_store kind);
static void store_put(enum qomp_store kind, void *object);

#define qomp_wait_loop_help(v) team_help((v)->f)
#define qomp_wait_loop_over(v) true
#define qomp_record_give(w, t) record_freed(t)
#define qomp_store_get(kind, size) ((void)(size), store_get(kind))
#define qomp_store_put store_put
#define qomp_task_queue queue_put

static void queue_put(struct qomp_task *t);

#include "sync/waiter.c"

static void member_await(struct qti_waiter *r);

#define qti_waiter_await(r) member_await(r)

static bool begun_early;                /* left out: to ask whether a member has begun the region (T9) */

#define qomp_member_begun(m) (begun_early || (qomp_member_begun)(m))

#include "omp/team/address_wait.c"
#include "omp/team/frame.c"
#include "omp/team/root.c"
#include "omp/team/tree.c"
#include "omp/team/tree_wait.c"
#include "omp/team/barrier.c"

/* A unit may have members that are tasks. */
#ifndef member_worker
#define member_worker() ((struct qti_worker *)NULL)
#endif

#define qti_self() member_worker()
#define after_waiting member_after_waiting
#define sleep_as_thread member_sleep_as_thread
#define may_sleep member_may_sleep
#include "omp/team/member.c"
#undef after_waiting
#undef sleep_as_thread
#undef may_sleep
#undef qti_self

#include "omp/team/list.c"
#include "omp/task/cancel.c"
#include "omp/task/depend.c"
#include "omp/task/event.c"

static struct qti_worker *slot_worker(void);

#define qti_self() slot_worker()
#include "omp/task/group.c"
#undef qti_self

#include "omp/task/wait.c"
#include "omp/task/task.c"

#endif
