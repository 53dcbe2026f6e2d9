/* base/settings.c -- see base/settings.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/settings.h"

#include "base/tuning.h"

#define FIELD(name) offsetof(struct qti_env, name)

enum { COUNT_MAX = 4096 };

static const size_t MiB = 1024 * 1024;

const struct qti_setting_desc qti_settings[QTI_NSETTINGS] = {
	[QTI_SET_SCHEDULER] = {
		.name = "SCHEDULER", .kind = QTI_KIND_TEXT, .offset = FIELD(scheduler), .unset = "chosen by configure",
		.help = "The scheduler: q, l, cq, ws, mts, xq, bq, na-rp or na-ws.",
	},
	[QTI_SET_NUM_SHEPHERDS] = {
		.name = "NUM_SHEPHERDS", .kind = QTI_KIND_COUNT, .offset = FIELD(num_shepherds), .max = COUNT_MAX,
		.unset = "one for each QT_SHEPHERD_BOUNDARY of the machine",
		.help = "Number of shepherds; 0 leaves it to the machine.",
	},
	[QTI_SET_NUM_WORKERS_PER_SHEPHERD] = {
		.name = "NUM_WORKERS_PER_SHEPHERD", .kind = QTI_KIND_COUNT, .offset = FIELD(workers_per_shepherd),
		.max = COUNT_MAX, .unset = "one for each QT_WORKER_UNIT of the shepherd",
		.help = "Number of workers in each shepherd; 0 leaves it to the machine.",
	},
	[QTI_SET_HWPAR] = {
		.name = "HWPAR", .kind = QTI_KIND_COUNT, .offset = FIELD(hwpar), .max = COUNT_MAX,
		.unset = "as many as there are CPUs that the affinity mask and the CPU quota allow",
		.help = "Number of workers in all; overrides the product of the two counts above, 0 does not.",
	},
	[QTI_SET_SHEPHERD_BOUNDARY] = {
		.name = "SHEPHERD_BOUNDARY", .kind = QTI_KIND_LEVEL, .offset = FIELD(shepherd_boundary),
		.initial = QTI_LEVEL_UNSET, .unset = "chosen by the scheduler",
		.help = "The level of the hardware whose CPUs form one shepherd.",
	},
	[QTI_SET_WORKER_UNIT] = {
		.name = "WORKER_UNIT", .kind = QTI_KIND_LEVEL, .offset = FIELD(worker_unit), .initial = QTI_LEVEL_PU,
		.help = "The level of the hardware that gets one worker; core leaves second hardware threads free.",
	},
	[QTI_SET_AFFINITY] = {
		.name = "AFFINITY", .kind = QTI_KIND_BOOL, .offset = FIELD(affinity), .initial = 0,
		.help = "Whether each worker is bound to a CPU of its own.",
	},
	[QTI_SET_CPUBIND] = {
		.name = "CPUBIND", .kind = QTI_KIND_TEXT, .offset = FIELD(cpubind), .unset = "none",
		.help = "For each shepherd the CPUs to which its workers are bound, one each: 0-2,4:3,5 are two "
			"shepherds of four and two workers; overrides the counts and QT_AFFINITY.",
	},
	[QTI_SET_CPU_QUOTA] = {
		.name = "CPU_QUOTA", .kind = QTI_KIND_BOOL, .offset = FIELD(cpu_quota), .initial = 1,
		.help = "Whether the CPU quota of the process's control groups counts like a number of CPUs.",
	},
	[QTI_SET_STACK_SIZE] = {
		.name = "STACK_SIZE", .delicate = true, .kind = QTI_KIND_SIZE, .offset = FIELD(stack_size),
		.initial = QTI_STACK_SIZE, .min = 8192, .max = 1024 * MiB,
		.help = "Bytes of stack for a task, rounded up to pages.",
	},
	[QTI_SET_GUARD_PAGES] = {
		.name = "GUARD_PAGES", .delicate = true, .kind = QTI_KIND_BOOL, .offset = FIELD(guard_pages),
		.initial = QTI_GUARD_PAGES,
		.help = "Whether an inaccessible page under each stack turns an overflow into a report.",
	},
	[QTI_SET_ARGCOPY_SIZE] = {
		.name = "ARGCOPY_SIZE", .kind = QTI_KIND_SIZE, .offset = FIELD(argcopy_size), .initial = 1024,
		.max = MiB,
		.help = "Bytes of the largest argument copy whose memory is pooled; larger ones are allocated singly.",
	},
	[QTI_SET_TASKLOCAL_SIZE] = {
		.name = "TASKLOCAL_SIZE", .kind = QTI_KIND_SIZE, .offset = FIELD(tasklocal_size),
		.initial = sizeof(void *),
		.min = 1, .max = MiB,
		.help = "Bytes of task-local data in each task's own record.",
	},
	[QTI_SET_MAX_POOL_ALLOC_SIZE] = {
		.name = "MAX_POOL_ALLOC_SIZE", .kind = QTI_KIND_SIZE, .offset = FIELD(max_pool_alloc),
		.initial = SIZE_MAX,
		.max = SIZE_MAX, .unset = "unlimited",
		.help = "Most bytes that a pool of tasks or stacks takes from the system at a time; two always fit.",
	},
	[QTI_SET_SPIN_US] = {
		.name = "SPIN_US", .kind = QTI_KIND_COUNT, .offset = FIELD(spin_us), .initial = 50, .max = 1000000,
		.help = "Microseconds that an idle worker looks for work before it sleeps, and a waiting thread "
			"that is no worker twice as long at most; 0 if there are more workers than CPUs.",
	},
	[QTI_SET_INLINE_JOIN] = {
		.name = "INLINE_JOIN", .kind = QTI_KIND_BOOL, .offset = FIELD(inline_join), .initial = 1,
		.help = "Whether a task that reads the return word of one that has not started runs it itself, and a "
			"library's task may run in place of being queued.",
	},
	[QTI_SET_TASK_CONSTRAINT] = {
		.name = "TASK_CONSTRAINT", .kind = QTI_KIND_BOOL, .offset = FIELD(task_constraint),
		.help = "Whether a thread of a team whose task waits begins children of that task alone, at the price "
			"of a queue that the team shares.",
	},
	[QTI_SET_BARRIER] = {
		.name = "BARRIER", .kind = QTI_KIND_CHOICE, .words = "auto, central, tree", .offset = FIELD(barrier),
		.initial = QTI_BARRIER_AUTO,
		.help = "Whether the threads of an OpenMP team meet at one place at a barrier or along a tree; auto "
			"chooses by their number and that of CPUs.",
	},
	[QTI_SET_NESTED] = {
		.name = "NESTED", .kind = QTI_KIND_CHOICE, .words = "bubbles, flat", .offset = FIELD(nested),
		.initial = QTI_NESTED_BUBBLES,
		.help = "Whether the threads of an OpenMP region within another wait together, as one bubble, for "
			"workers out of work, or each has its worker from the beginning.",
	},
	[QTI_SET_STEAL] = {
		.name = "STEAL", .kind = QTI_KIND_CHOICE, .words = "one, chunk, half", .offset = FIELD(steal),
		.unset = "chunk under mts, one under cq and ws",
		.help = "How many tasks a thief takes at once under cq, ws and mts: one, QT_STEAL_CHUNK, or half of "
			"those that there are.",
	},
	[QTI_SET_STEAL_CHUNK] = {
		.name = "STEAL_CHUNK", .kind = QTI_KIND_COUNT, .offset = FIELD(steal_chunk), .max = TUNE_STEAL_MOST,
		.unset = "the number of workers in the stealing shepherd under mts, else 2",
		.help = "Tasks in a chunk; 0 stands for the default.",
	},
	[QTI_SET_VICTIM] = {
		.name = "VICTIM", .kind = QTI_KIND_CHOICE, .words = "near, random", .offset = FIELD(victim),
		.initial = QTI_VICTIM_NEAR,
		.help = "The victim that a thief looks at first under cq, ws and mts: the nearest, or one at random.",
	},
	[QTI_SET_PRIVATE_TASKS] = {
		.name = "PRIVATE_TASKS", .kind = QTI_KIND_COUNT, .offset = FIELD(private_tasks), .initial = 128,
		.max = COUNT_MAX,
		.help = "Tasks that a worker may keep to itself where queues are shared; 0 gives the exact order.",
	},
	[QTI_SET_RING] = {
		.name = "RING", .kind = QTI_KIND_COUNT, .offset = FIELD(ring), .initial = TUNE_RING,
		.min = 2, .max = 65536,
		.help = "Tasks that a ring of the xq, na-rp and na-ws schedulers holds, rounded up to a power of two.",
	},
	[QTI_SET_QUEUE] = {
		.name = "QUEUE", .kind = QTI_KIND_COUNT, .offset = FIELD(queue), .initial = TUNE_QUEUE,
		.min = 4, .max = 4096,
		.help = "Tasks that a worker's queue under the bq scheduler holds.",
	},
	[QTI_SET_N_VICTIM] = {
		.name = "N_VICTIM", .kind = QTI_KIND_COUNT, .offset = FIELD(n_victim), .initial = TUNE_N_VICTIM,
		.min = 1, .max = COUNT_MAX,
		.help = "Workers that one out of work asks at once, under na-rp and na-ws.",
	},
	[QTI_SET_N_STEAL] = {
		.name = "N_STEAL", .kind = QTI_KIND_COUNT, .offset = FIELD(n_steal), .initial = TUNE_N_STEAL,
		.min = 1, .max = 65536,
		.help = "Tasks that a worker gives to one that asked, at most, under na-rp and na-ws.",
	},
	[QTI_SET_T_INTERVAL] = {
		.name = "T_INTERVAL", .kind = QTI_KIND_COUNT, .offset = FIELD(t_interval), .initial = TUNE_T_INTERVAL,
		.min = 1, .max = 1000000000,
		.help = "Looks for work after which one that asked in vain asks again, under na-rp and na-ws.",
	},
	[QTI_SET_P_LOCAL] = {
		.name = "P_LOCAL", .kind = QTI_KIND_SHARE, .offset = FIELD(p_local), .initial = QTI_SHARE_ONE,
		.help = "Probability that it asks a worker of its own shepherd, under na-rp and na-ws: "
			"0.5, say, or 1e-3.",
	},
	[QTI_SET_MAX_IO_WORKERS] = {
		.name = "MAX_IO_WORKERS", .kind = QTI_KIND_COUNT, .offset = FIELD(max_io_workers), .initial = 10,
		.max = COUNT_MAX,
		.help = "Most OS threads that carry tasks through blocking calls; 0 counts as 1.",
	},
	[QTI_SET_IO_TIMEOUT] = {
		.name = "IO_TIMEOUT", .kind = QTI_KIND_COUNT, .offset = FIELD(io_timeout), .initial = 1000,
		.min = 1, .max = UINT32_MAX,
		.help = "Microseconds after which such a thread ends if there is nothing to carry.",
	},
	[QTI_SET_INFO] = {
		.name = "INFO", .delicate = true, .kind = QTI_KIND_COUNT, .offset = FIELD(info), .max = 9,
		.help = "1 prints the configuration at start, 2 also every setting; 0 prints nothing.",
	},
	[QTI_SET_STATS] = {
		.name = "STATS", .delicate = true, .kind = QTI_KIND_BOOL, .offset = FIELD(stats), .initial = 0,
		.help = "Whether counts of tasks, steals and sleeps are printed at the end.",
	},
	[QTI_SET_TRACE] = {
		.name = "TRACE", .delicate = true, .kind = QTI_KIND_TEXT, .offset = FIELD(trace), .unset = "none",
		.help = "The file to which what the workers do is recorded: see qthread_trace(3).",
	},
	[QTI_SET_TRACE_SIZE] = {
		.name = "TRACE_SIZE", .delicate = true, .kind = QTI_KIND_SIZE, .offset = FIELD(trace_size),
		.initial = 24 * MiB, .min = 192 * 1024, .max = 64 * 1024 * MiB,
		.help = "Bytes of such a record for each worker: an event takes 24.",
	},
	[QTI_SET_TRACE_AHEAD] = {
		.name = "TRACE_AHEAD", .delicate = true, .kind = QTI_KIND_SIZE, .offset = FIELD(trace_ahead),
		.initial = 128 * MiB, .max = 64 * 1024 * MiB,
		.help = "Bytes of all workers' records for which pages are made before they begin.",
	},
	[QTI_SET_TRACE_WRAP] = {
		.name = "TRACE_WRAP", .kind = QTI_KIND_BOOL, .offset = FIELD(trace_wrap), .initial = 0,
		.help = "Whether a worker whose record is full overwrites its oldest events, and does not "
			"stop to record.",
	},
	[QTI_SET_DEADLOCK] = {
		.name = "DEADLOCK", .delicate = true, .kind = QTI_KIND_CHOICE, .words = "report, abort, off, may",
		.offset = FIELD(deadlock), .initial = QTI_DEADLOCK_REPORT,
		.help = "Whether a program in which all tasks wait for each other, or for nobody, says so, ends with "
			"that, does neither, or says so also where a thread of its own might wake one.",
	},
	[QTI_SET_DUMP_SIGNAL] = {
		.name = "DUMP_SIGNAL", .delicate = true, .kind = QTI_KIND_CHOICE,
		.words = "HUP, QUIT, USR1, USR2, WINCH", .offset = FIELD(dump_signal), .unset = "none",
		.help = "The signal at which the program prints which tasks wait, and for what, and goes on.",
	},
	[QTI_SET_SPINCOUNT] = {
		.name = "SPINCOUNT", .kind = QTI_KIND_COUNT, .offset = FIELD(spincount), .max = UINT32_MAX,
		.unset = "none",
		.help = "Accepted for programs written for other libraries and without effect: see QT_SPIN_US.",
	},
};
