/* base/settings.h -- the one table of QT_* settings, and the structure that holds them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * qthreads(7) lists the settings as the table has them (test/man/settings.c compares).
 */
#ifndef QTI_BASE_SETTINGS_H
#define QTI_BASE_SETTINGS_H

#include "base/level.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From 1 on in the order of the words that stand for them (QTI_KIND_CHOICE). */
enum qti_steal {
	QTI_STEAL_UNSET,                /* the scheduler's own way */
	QTI_STEAL_ONE,
	QTI_STEAL_CHUNK,
	QTI_STEAL_HALF,
};

enum qti_victim {
	QTI_VICTIM_NEAR = 1,
	QTI_VICTIM_RANDOM,
};

/* Where the members of an OpenMP team meet. */
enum qti_barrier {
	QTI_BARRIER_AUTO = 1,
	QTI_BARRIER_CENTRAL,
	QTI_BARRIER_TREE,
};

/* What the threads of an inner region of OpenMP are before they begin. */
enum qti_nested {
	QTI_NESTED_BUBBLES = 1,
	QTI_NESTED_FLAT,
};

enum qti_deadlock {
	QTI_DEADLOCK_REPORT = 1,
	QTI_DEADLOCK_ABORT,
	QTI_DEADLOCK_OFF,
	QTI_DEADLOCK_MAY,               /* report, also what may be one */
};

enum qti_dump_signal {
	QTI_DUMP_NONE,
	QTI_DUMP_HUP,
	QTI_DUMP_QUIT,
	QTI_DUMP_USR1,
	QTI_DUMP_USR2,
	QTI_DUMP_WINCH,
};

enum qti_setting {
	QTI_SET_SCHEDULER,
	QTI_SET_NUM_SHEPHERDS,
	QTI_SET_NUM_WORKERS_PER_SHEPHERD,
	QTI_SET_HWPAR,
	QTI_SET_SHEPHERD_BOUNDARY,
	QTI_SET_WORKER_UNIT,
	QTI_SET_AFFINITY,
	QTI_SET_CPUBIND,
	QTI_SET_CPU_QUOTA,
	QTI_SET_STACK_SIZE,
	QTI_SET_GUARD_PAGES,
	QTI_SET_ARGCOPY_SIZE,
	QTI_SET_TASKLOCAL_SIZE,
	QTI_SET_MAX_POOL_ALLOC_SIZE,
	QTI_SET_SPIN_US,
	QTI_SET_INLINE_JOIN,
	QTI_SET_TASK_CONSTRAINT,
	QTI_SET_BARRIER,
	QTI_SET_NESTED,
	QTI_SET_STEAL,
	QTI_SET_STEAL_CHUNK,
	QTI_SET_VICTIM,
	QTI_SET_PRIVATE_TASKS,
	QTI_SET_RING,
	QTI_SET_QUEUE,
	QTI_SET_N_VICTIM,
	QTI_SET_N_STEAL,
	QTI_SET_T_INTERVAL,
	QTI_SET_P_LOCAL,
	QTI_SET_MAX_IO_WORKERS,
	QTI_SET_IO_TIMEOUT,
	QTI_SET_INFO,
	QTI_SET_STATS,
	QTI_SET_TRACE,
	QTI_SET_TRACE_SIZE,
	QTI_SET_TRACE_AHEAD,
	QTI_SET_TRACE_WRAP,
	QTI_SET_DEADLOCK,
	QTI_SET_DUMP_SIGNAL,
	QTI_SET_SPINCOUNT,
	QTI_NSETTINGS
};

enum qti_kind {
	QTI_KIND_TEXT,
	QTI_KIND_COUNT,                 /* decimal, 0x hexadecimal or 0 octal */
	QTI_KIND_SIZE,                  /* bytes; as a count, and K, M or G may follow */
	QTI_KIND_BOOL,                  /* yes, no, true, false, on, off, 1 or 0 */
	QTI_KIND_CHOICE,                /* one of some words, whatever their case */
	QTI_KIND_SHARE,                 /* 0 to 1, decimal; kept as so many of QTI_SHARE_ONE */
	QTI_KIND_LEVEL,                 /* a name of a level, or as much of it as no other begins with */
};

enum { QTI_SHARE_ONE = 1000000 };

struct qti_setting_desc {
	const char *name;               /* without QT_ */
	enum qti_kind kind;
	size_t offset;                  /* in struct qti_env; the kind says what lies there */
	uint64_t initial;               /* the default */
	uint64_t min, max;              /* of counts and sizes */
	bool delicate;                  /* counts only in a trusted environment */
	const char *words;              /* of a choice, as "this, that": from 1 on; 0 is unset */
	const char *unset;              /* the default in words where the number would not tell, else NULL */
	const char *help;               /* one sentence */
};

#define QTI_LOOK_UP UINT_MAX             /* as a limit: not known yet */

struct qti_env {
	const char *scheduler;          /* NULL: configured default.  Valid until the environment changes */
	unsigned num_shepherds;         /* 0: as the machine suggests; so the next two */
	unsigned workers_per_shepherd;
	unsigned hwpar;
	enum qti_level shepherd_boundary, worker_unit;
	bool affinity;
	const char *cpubind;
	bool cpu_quota;
	unsigned cpu_limit;             /* no setting, but the quota's limit if somebody has looked it up; 0: none */
	size_t stack_size;              /* bytes; so the other sizes */
	const char *stack_setting;      /* no setting, but whose value stack_size is or may be */
	bool guard_pages;
	size_t argcopy_size;
	size_t tasklocal_size;
	size_t max_pool_alloc;          /* SIZE_MAX: no limit */
	unsigned spin_us;
	bool inline_join;
	bool task_constraint;
	unsigned barrier;               /* enum qti_barrier; libqomp asks for it alone */
	unsigned nested;                /* enum qti_nested; the same */
	unsigned steal;                 /* enum qti_steal */
	unsigned steal_chunk;           /* tasks; 0: as the scheduler has it */
	unsigned victim;                /* enum qti_victim */
	unsigned private_tasks;         /* 0: exact order */
	unsigned ring;                  /* tasks */
	unsigned queue;                 /* tasks */
	unsigned n_victim, n_steal, t_interval;
	unsigned p_local;               /* of QTI_SHARE_ONE */
	unsigned max_io_workers;        /* 0 stands for 1 */
	unsigned io_timeout;            /* microseconds */
	unsigned info;
	bool stats;
	const char *trace;              /* a file's name; NULL: no trace */
	size_t trace_size, trace_ahead;
	bool trace_wrap;
	unsigned deadlock;              /* enum qti_deadlock */
	unsigned dump_signal;           /* enum qti_dump_signal */
	unsigned spincount;             /* read for its errors only */
};

extern const struct qti_setting_desc qti_settings[QTI_NSETTINGS];

#endif
