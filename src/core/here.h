/* core/here.h -- what is the calling thread's: its worker, and the region of the task that runs on it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A compiler may keep a thread-local address across a context switch, after which it is another thread's.  So both are reached
 * by code that it cannot see through: a few instructions where there is a form for the processor, else a call.
 */
#ifndef QTI_CORE_HERE_H
#define QTI_CORE_HERE_H

#include "base/shared.h"
#include "core/task.h"

struct qti_worker;

#if defined(__x86_64__) && defined(__linux__) && !defined(__ILP32__)
#define QTI_HERE_INLINE 1
#else
#define QTI_HERE_INLINE 0
#endif

extern __thread struct qti_worker *qti_worker_self __attribute__((tls_model("initial-exec"))) QTI_SHARED;
extern __thread void *qti_region_now __attribute__((tls_model("initial-exec"))) QTI_SHARED;

QTI_SHARED struct qti_worker *qti_self_called(void);
QTI_SHARED void *qti_region_called(void);
QTI_SHARED void qti_region_set_called(void *region);

/* The calling thread's worker, NULL on a thread that is none. */
static inline struct qti_worker *qti_self(void)
{
#if QTI_HERE_INLINE
	struct qti_worker *w;

	__asm__ volatile("movq qti_worker_self@gottpoff(%%rip), %0\n\tmovq %%fs:(%0), %0" : "=&r"(w));
	return w;
#else
	return qti_self_called();
#endif
}

void qti_self_set(struct qti_worker *w);

/* What the task that runs on the calling thread is to have at hand, or NULL: libqomp's (omp/frame.h).  One load away, where the
 * task's descriptor is three.  `arg` of a task marked QTI_TASK_OMP keeps it while the task does not run. */
static inline void *qti_region(void)
{
#if QTI_HERE_INLINE
	void *region;

	__asm__ volatile("movq qti_region_now@gottpoff(%%rip), %0\n\tmovq %%fs:(%0), %0" : "=&r"(region));
	return region;
#else
	return qti_region_called();
#endif
}

static inline void qti_region_set(void *region)
{
#if QTI_HERE_INLINE
	void *at;

	__asm__ volatile("movq qti_region_now@gottpoff(%%rip), %0\n\tmovq %1, %%fs:(%0)" : "=&r"(at) : "r"(region) : "memory");
#else
	qti_region_set_called(region);
#endif
}

/* t begins to run on the calling thread, or goes on. */
static inline void qti_region_arrive(const struct qti_task *t)
{
	qti_region_set(qti_task_is(t, QTI_TASK_OMP) ? t->arg : NULL);
}

/* It stops. */
static inline void qti_region_depart(struct qti_task *t)
{
	if (qti_task_is(t, QTI_TASK_OMP))
		t->arg = qti_region();
}

#endif
