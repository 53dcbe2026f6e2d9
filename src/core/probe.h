/* core/probe.h -- where tracers of the system see tasks: static probes, as bpftrace(8) and perf(1) attach to them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A probe is one nop, and a note in the library's file that says where it is and in which registers its arguments are.
 * Without <sys/sdt.h> there is neither.  They stand beside what the event log records (core/trace.h), and are there
 * whether that is on or off.  Arguments are at hand anyway: none is loaded for a probe alone.
 */
#ifndef QTI_CORE_PROBE_H
#define QTI_CORE_PROBE_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#ifdef HAVE_SYS_SDT_H
#include <sys/sdt.h>
#define QTI_PROBE1(name, a) DTRACE_PROBE1(qthread, name, a)
#define QTI_PROBE2(name, a, b) DTRACE_PROBE2(qthread, name, a, b)
#define QTI_PROBE3(name, a, b, c) DTRACE_PROBE3(qthread, name, a, b, c)
#else
#define QTI_PROBE1(name, a) ((void)(a))
#define QTI_PROBE2(name, a, b) ((void)(a), (void)(b))
#define QTI_PROBE3(name, a, b, c) ((void)(a), (void)(b), (void)(c))
#endif

/* A task is created, by its descriptor's address; none of those that run where they are created. */
static inline void qti_probe_fork(const void *task)
{
	QTI_PROBE1(fork, task);
}

/* It begins, on that worker, and ends. */
static inline void qti_probe_start(const void *task, unsigned worker)
{
	QTI_PROBE2(start, task, worker);
}

static inline void qti_probe_end(const void *task)
{
	QTI_PROBE1(end, task);
}

/* It leaves its worker until something comes: for which word, and enum qti_wait_kind; and it is ready again. */
static inline void qti_probe_wait(const void *task, const void *word, unsigned kind)
{
	QTI_PROBE3(wait, task, word, kind);
}

static inline void qti_probe_wake(const void *task)
{
	QTI_PROBE1(wake, task);
}

/* A worker takes so many tasks from another's. */
static inline void qti_probe_steal(unsigned worker, unsigned victim, unsigned tasks)
{
	QTI_PROBE3(steal, worker, victim, tasks);
}

/* A thread of a guest's parallel region begins its part: its number, and the region's function. */
static inline void qti_probe_region(unsigned thread, const void *fn)
{
	QTI_PROBE2(region, thread, fn);
}

#endif
