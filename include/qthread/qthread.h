/* qthread/qthread.h -- lightweight tasks, full/empty bits, locks, atomics.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Words used in the comments below:
 *   task             a qthread.  The main task is the flow of control that called qthread_initialize.
 *   external thread  an OS thread that is neither a worker nor the one that called qthread_initialize
 *   worker           an OS thread that runs tasks; worker 0 runs the main task
 *   shepherd         workers that share a part of the machine
 *   blocks           a task waits and its worker runs other tasks meanwhile; an external thread sleeps
 *   down             the runtime is down before qthread_initialize and after qthread_finalize
 *
 * What holds where nothing else is said: tasks and external threads may make the call; it does not block; functions
 * that return int return QTHREAD_SUCCESS, or QTHREAD_BADARGS for a NULL or misaligned address of a word, or
 * QTHREAD_NOT_ALLOWED while the runtime is down.
 */
#ifndef QTHREAD_QTHREAD_H
#define QTHREAD_QTHREAD_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef __cplusplus
#include <stdatomic.h>
#else
/* Programs wrap C headers in extern "C"; this one may not be among them. */
extern "C++" {
#if __cplusplus > 202002L
#include <stdatomic.h>
#else
#include <atomic>
#endif
}
#endif

#include "common.h"
#include "macros.h"

/* ---- Versions ------------------------------------------------------------------------------------------------ */

#define QTHREAD_RELEASE_TYPE_ALPHA 0
#define QTHREAD_RELEASE_TYPE_BETA 1
#define QTHREAD_RELEASE_TYPE_RC 2
#define QTHREAD_RELEASE_TYPE_PATCH 3

/* One number for a version, larger for later ones, of use in #if. */
#define QTHREADS_GET_VERSION(MAJOR, MINOR, REVISION, TYPE, PATCH) \
	((MAJOR) * 10000000 + (MINOR) * 100000 + (REVISION) * 1000 + (TYPE) * 100 + (PATCH))

/* The version of the interface, which is that of Qthreads: programs ask for a minimum by these names, */
#define QTHREAD_VERSION "1.23"
#define QTHREAD_NUMVERSION QTHREADS_GET_VERSION(1, 23, 0, QTHREAD_RELEASE_TYPE_PATCH, 0)
#define QTHREAD_API_LEVEL QTHREAD_NUMVERSION

/* and the version of this library. */
#define QTHREAD_LIBRARY_VERSION "0.1.0"
#define QTHREAD_LIBRARY_NUMVERSION QTHREADS_GET_VERSION(0, 1, 0, QTHREAD_RELEASE_TYPE_PATCH, 0)

/* ---- Return codes -------------------------------------------------------------------------------------------- */

#define QTHREAD_SUCCESS 0
#define QTHREAD_BADARGS (-1)
#define QTHREAD_PTHREAD_ERROR (-2)
#define QTHREAD_NOT_ALLOWED (-3)
#define QTHREAD_THIRD_PARTY_ERROR (-4)
#define QTHREAD_TIMEOUT (-5)
#define QTHREAD_MALLOC_ERROR ENOMEM
#ifdef EOVERFLOW
#define QTHREAD_OVERFLOW EOVERFLOW
#else
#define QTHREAD_OVERFLOW (-6)
#endif
#define QTHREAD_OPFAIL (-7)

/* ---- Basic types --------------------------------------------------------------------------------------------- */

#if UINTPTR_MAX == UINT64_MAX
#define QTHREAD_BITS 64
typedef uint64_t aligned_t;
typedef int64_t saligned_t;
typedef uint32_t haligned_t;
#else
#define QTHREAD_BITS 32
typedef uint32_t aligned_t;
typedef int32_t saligned_t;
typedef uint16_t haligned_t;
#endif

#define QTHREAD_ALIGNMENT_ALIGNED_T (sizeof(aligned_t))
#define QALIGN(d, s) ((s) = (d))

typedef unsigned short qthread_shepherd_id_t;
typedef unsigned short qthread_worker_id_t;
#define NO_SHEPHERD ((qthread_shepherd_id_t)-1)
#define NO_WORKER ((qthread_worker_id_t)-1)

#define QTHREAD_NULL_TASK_ID UINT_MAX
#define QTHREAD_NON_TASK_ID 0
#define QTHREAD_DEFAULT_TEAM_ID 1
#define QTHREAD_NON_TEAM_ID 0
#define QTHREAD_NULL_TEAM_ID UINT_MAX

/* An atomic T, in whichever language this is. */
#if !defined(__cplusplus) || __cplusplus > 202002L
#define QT_Atomic(T) _Atomic(T)
#else
#define QT_Atomic(T) std::atomic<T>
using std::atomic_load_explicit;
using std::memory_order_relaxed;
#endif

/* An acquire-release fence; brings its own semicolon. */
#define MACHINE_FENCE __atomic_thread_fence(__ATOMIC_ACQ_REL);
#if QTHREAD_ASSEMBLY_ARCH == QTHREAD_AMD64
#define QTHREAD_SWAPS_IMPLY_ACQ_REL_FENCES
#endif

/* ---- Syncvars: a 60-bit value and its full/empty state in one word ------------------------------------------- */

/* The word from its lowest bit: lock (1 bit), state (3 bits), data (60 bits).
 * States: 0 full, 1 full and writers wait, 2 empty, 3 empty and readers wait. */
typedef struct _syncvar_s {
	union {
		uint64_t w;
		struct {
#ifdef BITFIELD_ORDER_FORWARD
			uint64_t data : 60;
			unsigned state : 3;
			unsigned lock : 1;
#else
			unsigned lock : 1;
			unsigned state : 3;
			uint64_t data : 60;
#endif
		} s;
	} u;
} syncvar_t;

/* For static and automatic variables: full or empty, holding 0 or the low 60 bits of v. */
#define SYNCVAR_STATIC_INITIALIZER {{0}}
#define SYNCVAR_STATIC_INITIALIZE_TO(v) {{((uint64_t)(v)) << 4}}
#define SYNCVAR_STATIC_EMPTY_INITIALIZER {{4}}
#define SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(v) {{(((uint64_t)(v)) << 4) | 4}}

/* The same as expressions. */
#ifdef __cplusplus
#define SYNCVAR_INITIALIZER (syncvar_t SYNCVAR_STATIC_INITIALIZER)
#define SYNCVAR_INITIALIZE_TO(v) (syncvar_t SYNCVAR_STATIC_INITIALIZE_TO(v))
#define SYNCVAR_EMPTY_INITIALIZER (syncvar_t SYNCVAR_STATIC_EMPTY_INITIALIZER)
#define SYNCVAR_EMPTY_INITIALIZE_TO(v) (syncvar_t SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(v))
#else
#define SYNCVAR_INITIALIZER ((syncvar_t)SYNCVAR_STATIC_INITIALIZER)
#define SYNCVAR_INITIALIZE_TO(v) ((syncvar_t)SYNCVAR_STATIC_INITIALIZE_TO(v))
#define SYNCVAR_EMPTY_INITIALIZER ((syncvar_t)SYNCVAR_STATIC_EMPTY_INITIALIZER)
#define SYNCVAR_EMPTY_INITIALIZE_TO(v) ((syncvar_t)SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(v))
#endif

/* Integers in 60 bits: drop the top four bits; extend the sign of bit 59. */
#define INT64TOINT60(x) ((uint64_t)(x) & UINT64_C(0x0fffffffffffffff))
#define INT60TOINT64(x) ((int64_t)((uint64_t)(x) << 4) >> 4)

/* Doubles in 60 bits, without the last four bits of the mantissa: from a double to an integer variable and back.
 * Statements; the second shifts its argument `in`. */
#define DBL64TODBL60(in, out)                   \
	do {                                    \
		memcpy(&(out), &(in), 8);       \
		(out) = (uint64_t)(out) >> 4;   \
	} while (0)
#define DBL60TODBL64(in, out)                   \
	do {                                    \
		(in) = (uint64_t)(in) << 4;     \
		memcpy(&(out), &(in), 8);       \
	} while (0)

/* ---- Spin locks ---------------------------------------------------------------------------------------------- */

/* Two halves of a word: whose turn it is, and the next number to draw.  C++ sees plain integers, because std::atomic
 * would take the union's default constructor away; they are the library's to touch in any case. */
typedef union qt_spin_trylock_s {
	aligned_t u;
	struct {
#ifdef __cplusplus
		haligned_t ticket;
		haligned_t users;
#else
		QT_Atomic(haligned_t) ticket;
		QT_Atomic(haligned_t) users;
#endif
	} s;
} qt_spin_trylock_t;

/* s: the kind of the lock while nobody owns it; of a recursive lock that is held, its owner.
 * count: how often the owner has it. */
typedef struct {
	int64_t s;
	int64_t count;
} qthread_spinlock_state_t;

typedef struct {
	qt_spin_trylock_t lock;
	qthread_spinlock_state_t state;
} qthread_spinlock_t;

#define QTHREAD_SPINLOCK_IS_RECURSIVE (-1)
#define QTHREAD_SPINLOCK_IS_NOT_RECURSIVE (-2)
#define QTHREAD_MUTEX_INITIALIZER {{0}, {QTHREAD_SPINLOCK_IS_NOT_RECURSIVE, 0}}
#define QTHREAD_RECURSIVE_MUTEX_INITIALIZER {{0}, {QTHREAD_SPINLOCK_IS_RECURSIVE, 0}}

/* ---- Spawn features and queries ------------------------------------------------------------------------------ */

/* What a task runs.  The result goes where the fork said. */
typedef aligned_t (*qthread_f)(void *arg);

/* Bit numbers of qthread_spawn's feature_flag. */
enum _qthread_features {
	SPAWN_PARENT,
	SPAWN_SIMPLE,
	SPAWN_NEW_TEAM,
	SPAWN_NEW_SUBTEAM,
	SPAWN_RET_SYNCVAR_T,
	SPAWN_RET_SINC,
	SPAWN_RET_SINC_VOID,
	SPAWN_PC_SYNCVAR_T,
	SPAWN_COUNT,
	SPAWN_LOCAL_PRIORITY,
	SPAWN_NETWORK
};

#define QTHREAD_SPAWN_PARENT (1 << SPAWN_PARENT)                 /* accepted, no effect */
#define QTHREAD_SPAWN_SIMPLE (1 << SPAWN_SIMPLE)                 /* the task will neither block nor yield */
#define QTHREAD_SPAWN_NEW_TEAM (1 << SPAWN_NEW_TEAM)             /* the task leads a new team */
#define QTHREAD_SPAWN_NEW_SUBTEAM (1 << SPAWN_NEW_SUBTEAM)       /* the task leads a new team below the caller's */
#define QTHREAD_SPAWN_RET_SYNCVAR_T (1 << SPAWN_RET_SYNCVAR_T)   /* ret is a syncvar_t * */
#define QTHREAD_SPAWN_RET_SINC (1 << SPAWN_RET_SINC)             /* ret is a qt_sinc_t *: submit the result */
#define QTHREAD_SPAWN_RET_SINC_VOID (1 << SPAWN_RET_SINC_VOID)   /* ret is a qt_sinc_t *: submit no value */
#define QTHREAD_SPAWN_PC_SYNCVAR_T (1 << SPAWN_PC_SYNCVAR_T)     /* accepted, no effect */
#define QTHREAD_SPAWN_LOCAL_PRIORITY (1 << SPAWN_LOCAL_PRIORITY) /* accepted, no effect */
#define QTHREAD_SPAWN_NETWORK (1 << SPAWN_NETWORK)               /* accepted, no effect */

/* What qthread_readstate tells. */
enum introspective_state {
	STACK_SIZE,            /* bytes of stack of a task */
	RUNTIME_DATA_SIZE,     /* bytes the runtime keeps per task besides its stack; answered even while it is down */
	BUSYNESS,              /* tasks ready on the caller's shepherd, plus one; (size_t)-1 for an external thread */
	NODE_BUSYNESS,         /* tasks ready on all shepherds, plus workers that run one */
	ACTIVE_SHEPHERDS,      /* shepherds that take work */
	TOTAL_SHEPHERDS,       /* all shepherds */
	ACTIVE_WORKERS,        /* workers that take work */
	TOTAL_WORKERS,         /* all workers */
	WORKER_OCCUPATION,     /* workers that are running a task */
	CURRENT_SHEPHERD,      /* qthread_shep() */
	CURRENT_WORKER,        /* the caller's worker, counted from 0 within its shepherd; NO_WORKER: external thread */
	CURRENT_UNIQUE_WORKER, /* the caller's worker, counted from 0 over all shepherds; NO_WORKER: external thread */
	CURRENT_TEAM,          /* qt_team_id(); QTHREAD_DEFAULT_TEAM_ID for an external thread */
	PARENT_TEAM            /* qt_team_parent_id() */
};

/* What qt_team_critical_section marks. */
typedef enum qt_team_critical_section_e { BEGIN, END } qt_team_critical_section_t;

/* A queue of waiting tasks, and the kinds of them. */
typedef struct qthread_queue_s *qthread_queue_t;

#define QTHREAD_QUEUE_NO_SYNCH 1          /* no two calls on it at a time */
#define QTHREAD_QUEUE_MULTI_JOIN 2        /* calls by any number of tasks and threads */
#define QTHREAD_QUEUE_MULTI_JOIN_LENGTH 4 /* the same, and it tells its length */
#define QTHREAD_QUEUE_CAPPED 8            /* the same, for a fixed number of waiters */

Q_STARTCXX
#pragma GCC visibility push(default)

/* ---- Life cycle ---------------------------------------------------------------------------------------------- */

/* Start the runtime with the settings of the QT_* environment variables, see qthreads(7).
 *
 * Any OS thread may call it.  The caller becomes the main task, on worker 0 of shepherd 0, and stays on its OS thread
 * and stack.  On a runtime that is up the call does nothing, cheaply, and succeeds; calls are not counted.
 * What qthread_finalize does is done at exit, too, but for waiting.
 *
 * QTHREAD_SUCCESS; QTHREAD_MALLOC_ERROR; QTHREAD_THIRD_PARTY_ERROR when an OS thread cannot be made.  After an error
 * the runtime is down and may be started again. */
int qthread_initialize(void);

/* Set QT_NUM_SHEPHERDS to nshepherds and QT_NUM_WORKERS_PER_SHEPHERD to 1 in the environment, where they stay, and call
 * qthread_initialize, whose results it returns. */
int qthread_init(qthread_shepherd_id_t nshepherds);

/* Stop the runtime: run the tasks that are ready, end the workers, free everything.
 *
 * To be called by the main task on its own OS thread; from anywhere else, and while the runtime is down, it does
 * nothing.  It blocks until every team made by a QTHREAD_SPAWN_NEW_TEAM or _NEW_SUBTEAM has ended; if only other OS
 * threads can make that happen it says on stderr that it waits.  It waits, too, for tasks that sleep or are in a
 * blocking call or action (qt_syscalls.h, io.h), and for what they do then.  (What runs at exit waits for neither.)
 * Other tasks still waiting for a word are never resumed.  The runtime may be initialized again afterwards and then
 * reads its settings afresh. */
void qthread_finalize(void);

/* Call f(arg) here and now and deliver its result to ret unless that is NULL.
 *
 * flags says what ret is: 0 an aligned_t, 4 a syncvar_t, both written as writeEF does (so the call blocks until the
 * word is empty); 8 a qt_sinc_t, submitted to.  A NULL f does nothing. */
void qthread_call_method(qthread_f f, void *arg, void *ret, uint16_t flags);

/* ---- Spawning ------------------------------------------------------------------------------------------------ */

/* Create a task that runs f(arg).  The forms below differ in what follows; qthread_spawn has all of it.
 *
 * ret         Where the result goes; NULL drops it.  An aligned_t or syncvar_t is emptied before the call returns and
 *             written as writeEF does when f returns, so waiting for the task is qthread_readFF(&value, ret).  (Should
 *             somebody have filled the word meanwhile, the finished task waits until it is empty again.)  A syncvar
 *             gets the low 60 bits.  A sinc must have been told to expect the submission.
 * arg_size    0: arg itself is passed.  Otherwise arg_size bytes at arg are copied during the call, and f gets a
 *             pointer to its own, writable copy, aligned at least like a pointer, which lives until f returns.
 * shepherd    The task runs on that shepherd (taken modulo their number) and is never moved; NO_SHEPHERD leaves the
 *             choice to the scheduler.
 * npreconds   The task becomes ready once each of that many words has been seen full, last one first; they stay full.
 *             With npreconds < 0 one argument follows: an aligned_t ** to -npreconds addresses, copied by the call.
 * _simple     f promises not to block, yield or migrate.
 *
 * Never waits for the new task; from an external thread the fork may sleep for a lock, not for work to be done.  What
 * the caller wrote before the fork is visible to f, and what f wrote is visible to who finds ret full.
 *
 * QTHREAD_SUCCESS; QTHREAD_MALLOC_ERROR, and then there is no task and ret is as it was; QTHREAD_BADARGS for a NULL f,
 * a misaligned ret, a NULL arg to copy from, a NULL or misaligned precondition; QTHREAD_NOT_ALLOWED while the runtime
 * is down. */
int qthread_fork(qthread_f f, void const *arg, aligned_t *ret);

/* As qthread_fork; the task is announced as one that serves a network, which makes no difference here. */
int qthread_fork_net(qthread_f f, void const *arg, aligned_t *ret);

/* As qthread_fork, pinned to a shepherd. */
int qthread_fork_to(qthread_f f, void const *arg, aligned_t *ret, qthread_shepherd_id_t shepherd);

/* As qthread_fork, with a syncvar for the result. */
int qthread_fork_syncvar(qthread_f f, void const *arg, syncvar_t *ret);

/* As qthread_fork_syncvar, pinned to a shepherd. */
int qthread_fork_syncvar_to(qthread_f f, void const *arg, syncvar_t *ret, qthread_shepherd_id_t shepherd);

/* As qthread_fork, with a copy of the argument. */
int qthread_fork_copyargs(qthread_f f, void const *arg, size_t arg_size, aligned_t *ret);

/* As qthread_fork_copyargs, pinned to a shepherd.  The API has always declared ret a syncvar_t here and treated it as
 * an aligned_t; so does this function.  qthread_fork_syncvar_copyargs_to is the form for a syncvar. */
int qthread_fork_copyargs_to(qthread_f f, void const *arg, size_t arg_size, syncvar_t *ret,
                             qthread_shepherd_id_t preferred_shep);

/* As qthread_fork_syncvar, with a copy of the argument. */
int qthread_fork_syncvar_copyargs(qthread_f f, void const *arg, size_t arg_size, syncvar_t *ret);

/* As qthread_fork_syncvar_copyargs, for an f that does not block. */
int qthread_fork_syncvar_copyargs_simple(qthread_f f, void const *arg, size_t arg_size, syncvar_t *ret);

/* As qthread_fork, after npreconds words, given as aligned_t * arguments, have been full. */
int qthread_fork_precond(qthread_f f, void const *arg, aligned_t *ret, int npreconds, ...);

/* As qthread_fork_precond, pinned to a shepherd. */
int qthread_fork_precond_to(qthread_f f, void const *arg, aligned_t *ret, qthread_shepherd_id_t shepherd, int npreconds,
                            ...);

/* As qthread_fork_precond, for an f that does not block. */
int qthread_fork_precond_simple(qthread_f f, void const *arg, aligned_t *ret, int npreconds, ...);

/* As qthread_fork_precond, with a copy of the argument and a syncvar for the result. */
int qthread_fork_copyargs_precond(qthread_f f, void const *arg, size_t arg_size, syncvar_t *ret, int npreconds, ...);

/* The general form.
 *
 * ret           an aligned_t *, or what the QTHREAD_SPAWN_RET_* bit in feature_flag says; one such bit at most
 * preconds      with npreconds > 0: a block from malloc of npreconds + 1 pointers, the first of which holds npreconds
 *               as a number and the others the addresses of the words.  On success it belongs to the runtime, which
 *               frees it; QTHREAD_BADARGS if the first is not npreconds.  Ignored with npreconds 0.
 * feature_flag  QTHREAD_SPAWN_* bits; QTHREAD_BADARGS for bits that have no such name, and for two RET bits */
int qthread_spawn(qthread_f f, void const *arg, size_t arg_size, void *ret, size_t npreconds, void *preconds,
                  qthread_shepherd_id_t target_shep, unsigned int feature_flag);

/* As qthread_fork_syncvar_copyargs, pinned to a shepherd. */
#define qthread_fork_syncvar_copyargs_to(f, a, z, r, p) \
	qthread_spawn((f), (a), (z), (r), 0, NULL, (p), QTHREAD_SPAWN_RET_SYNCVAR_T)

/* ---- Teams --------------------------------------------------------------------------------------------------- */

/* Every task is in one team: the main task in the default team, a forked one in its forker's, unless the fork has one
 * of two features; then the task leads a new team:
 *
 *   QTHREAD_SPAWN_NEW_TEAM     a team with no team above it
 *   QTHREAD_SPAWN_NEW_SUBTEAM  a team below the forker's; with both features it is NEW_TEAM that counts
 *
 * The leader's result is delivered after the leader, all tasks of its team and all teams below it have ended, and who
 * reads it sees what all of them did.  What external threads fork is in the default team, or leads a team below that.
 *
 * A fork that makes a team can fail with QTHREAD_MALLOC_ERROR for that, too. */

/* As the fork of that name without the team. */
#define qthread_fork_new_team(f, a, r) \
	qthread_spawn((f), (a), 0, (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM)
#define qthread_fork_new_subteam(f, a, r) \
	qthread_spawn((f), (a), 0, (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_SUBTEAM)
#define qthread_fork_new_team_to(f, a, r, p) \
	qthread_spawn((f), (a), 0, (r), 0, NULL, (p), QTHREAD_SPAWN_NEW_TEAM)
#define qthread_fork_syncvar_new_team(f, a, r) \
	qthread_spawn((f), (a), 0, (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM | QTHREAD_SPAWN_RET_SYNCVAR_T)
#define qthread_fork_syncvar_new_subteam(f, a, r) \
	qthread_spawn((f), (a), 0, (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_SUBTEAM | QTHREAD_SPAWN_RET_SYNCVAR_T)
#define qthread_fork_copyargs_new_team(f, a, z, r) \
	qthread_spawn((f), (a), (z), (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM)
#define qthread_fork_copyargs_new_subteam(f, a, z, r) \
	qthread_spawn((f), (a), (z), (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_SUBTEAM)

/* The number of the caller's team: QTHREAD_DEFAULT_TEAM_ID, or for new ones 2, 3, 4, ... in the order of their making,
 * anew after each qthread_initialize.  QTHREAD_NON_TEAM_ID for an external thread and while the runtime is down. */
unsigned int qt_team_id(void);

/* The number of the team above the caller's team; QTHREAD_NON_TEAM_ID if there is none, as for the default team, and
 * where qt_team_id gives that. */
unsigned int qt_team_parent_id(void);

/* Mark the beginning and the end of a stretch in which the calling task is not to be cancelled.  Nothing in this API
 * cancels a task, so that holds everywhere and the call does nothing; BEGIN and END need not match. */
void qt_team_critical_section(qt_team_critical_section_t boundary);

/* ---- Giving way and moving ----------------------------------------------------------------------------------- */

/* Let other ready tasks run; the calling task goes on after them, perhaps on another worker.
 *
 * qthread_yield() lets at least one other task go first, and all that stand in the same line as the caller: the
 * scheduler's, or that of the tasks pinned to its shepherd.  The lines take turns, so a task that yields in a loop lets
 * every ready task of its shepherd run.  qthread_yield_near() comes back after the next one where the scheduler's order
 * allows that (under Q it is qthread_yield).  The argument of qthread_yield_ tells them apart: 1 near, anything else
 * not.  An external thread lets other threads have its CPU, as sched_yield(2) does.  Does nothing in a simple task. */
void qthread_yield_(int near);
#define qthread_yield() qthread_yield_(0)
#define qthread_yield_near() qthread_yield_(1)

/* Make tasks that the caller has forked available to all workers.  They always are; the call does nothing. */
void qthread_flushsc(void);

/* Move the calling task to a shepherd and pin it there; NO_SHEPHERD unpins it where it is.
 *
 * When the call returns QTHREAD_SUCCESS the task runs on that shepherd, or on the one that stands in for it while it is
 * disabled.  QTHREAD_BADARGS for a shepherd that does not
 * exist; QTHREAD_NOT_ALLOWED for the main task, a simple task and external threads. */
int qthread_migrate_to(qthread_shepherd_id_t const shepherd);

/* Take a shepherd out of use, and back into it.
 *
 * A disabled shepherd's workers run no task from then on, but for those they are running, until these wait, yield or
 * end.  What is ready there moves to other shepherds, at once where it is pinned.  While it is disabled, tasks pinned
 * to it - forked to it, moved to it, or woken - run on the nearest shepherd that is in use; those that wake or start
 * after it is enabled run on it again.
 *
 * A worker is meant by number: worker n is number n / TOTAL_SHEPHERDS of shepherd n % TOTAL_SHEPHERDS.  (This is not
 * how qthread_worker counts.)  Number 0 of a shepherd takes the shepherd along, both ways; the others' state stays
 * noted meanwhile.
 *
 * Anybody may call these, again and again; they do not block.  QTHREAD_NOT_ALLOWED for shepherd 0 and worker 0, on
 * which the main task runs, and while the runtime is down; QTHREAD_BADARGS for what does not exist.  The enable
 * functions ignore both. */
int qthread_disable_shepherd(qthread_shepherd_id_t shep);
void qthread_enable_shepherd(qthread_shepherd_id_t shep);
int qthread_disable_worker(qthread_worker_id_t worker);
void qthread_enable_worker(qthread_worker_id_t worker);

/* Let the caller's shepherd, or worker, begin again with its first choice where it deals out NO_SHEPHERD tasks in
 * turn. */
void qthread_reset_target_shep(void);

/* ---- Identity and queries ------------------------------------------------------------------------------------ */

/* While the runtime is down, these answer as for an external thread, and counts and qthread_readstate are 0. */

/* The task's number: given at its first call, from 1 on, the same ever after.  QTHREAD_NON_TASK_ID: external thread. */
unsigned int qthread_id(void);

/* The shepherd the task is on, from 0; NO_SHEPHERD for an external thread.  May change whenever the task waits. */
qthread_shepherd_id_t qthread_shep(void);

/* The worker the task is on; NO_WORKER for an external thread.  May change whenever the task waits.  The shepherd goes
 * to *s (NO_SHEPHERD for an external thread) unless s is NULL.
 *
 * qthread_worker         from 0: shepherd times workers per shepherd, plus the number within the shepherd
 * qthread_worker_unique  from 1, over all shepherds
 * qthread_worker_local   from 0, within the shepherd */
qthread_worker_id_t qthread_worker(qthread_shepherd_id_t *s);
qthread_worker_id_t qthread_worker_unique(qthread_shepherd_id_t *s);
qthread_worker_id_t qthread_worker_local(qthread_shepherd_id_t *s);

/* The task's own data area of at least `size` bytes, pointer-aligned, freed when the task ends; at first
 * qthread_size_tasklocal() bytes (QT_TASKLOCAL_SIZE), of no particular content.
 *
 * Asking for more than that moves the area, bytes included, to a new address; otherwise the address stays.  NULL for an
 * external thread, and when memory is short: the old area is still there then. */
void *qthread_get_tasklocal(unsigned int size);

/* Bytes that the task's data area has now; 0 for an external thread. */
unsigned int qthread_size_tasklocal(void);

/* The task's stack: its lowest address, the address past its highest, and the bytes left below the calling function.
 * NULL, NULL and 0 for the main task, a simple task and external threads. */
void *qthread_tos(void);
void *qthread_bos(void);
size_t qthread_stackleft(void);

/* The ret that the task was forked with, whatever its type; NULL for the main task and external threads. */
aligned_t *qthread_retloc(void);

/* Whether the caller's shepherd takes work: 1 or 0; QTHREAD_PTHREAD_ERROR for an external thread. */
int qthread_shep_ok(void);

/* Replace *shep by the next, or the previous, shepherd, going round at the end.  The _local forms keep to shepherds of
 * the same process, which is all of them.  NULL is ignored; a *shep that does not exist becomes the first, or the
 * last. */
void qthread_shep_next(qthread_shepherd_id_t *shep);
void qthread_shep_prev(qthread_shepherd_id_t *shep);
void qthread_shep_next_local(qthread_shepherd_id_t *shep);
void qthread_shep_prev_local(qthread_shepherd_id_t *shep);

/* How far apart two shepherds are: 0 for the same, larger is farther.  QTHREAD_BADARGS for one that does not exist. */
int qthread_distance(qthread_shepherd_id_t const src, qthread_shepherd_id_t const dest);

/* The other shepherds, nearest first: TOTAL_SHEPHERDS - 1 numbers, owned by the library and good until
 * qthread_finalize.  As seen from the caller's shepherd (NULL for an external thread), or from src (NULL if it does not
 * exist). */
qthread_shepherd_id_t const *qthread_sorted_sheps(void);
qthread_shepherd_id_t const *qthread_sorted_sheps_remote(qthread_shepherd_id_t const src);

/* Shepherds, and workers over all shepherds, that take work. */
qthread_shepherd_id_t qthread_num_shepherds(void);
qthread_worker_id_t qthread_num_workers(void);

/* Workers of a shepherd; for NO_SHEPHERD and numbers that do not exist, of each shepherd. */
qthread_worker_id_t qthread_num_workers_local(qthread_shepherd_id_t shepherd_id);

/* See enum introspective_state; (size_t)-1 for anything else. */
size_t qthread_readstate(const enum introspective_state type);

/* ---- Full/empty bits ----------------------------------------------------------------------------------------- */

/* Every aligned_t is full or empty.  A word that nobody has emptied is full; the state is kept beside the word, under
 * its address, until the word is full and nobody waits.
 *
 *   call      waits until  data              leaves the word
 *   readFF    full         copied to dest    full
 *   readFE    full         copied to dest    empty
 *   readXX    -            copied to dest    as it was
 *   writeEF   empty        stored            full
 *   writeFF   full         stored            full
 *   writeF    -            stored            full
 *   fill      -            untouched         full
 *   empty     -            untouched         empty
 *   purge     -            stored            empty
 *
 * A word that becomes full serves, under its lock, every writeFF and every readFF that waits, then one readFE, then,
 * the word being empty now, one writeEF, and so on until nothing more can go on.  A word that becomes empty serves a
 * writeEF.  Waiters of a kind are served in no particular order.
 *
 * The calls that wait block the calling task, or the OS thread if it is external.  The _nb forms return QTHREAD_OPFAIL
 * where the plain ones would wait.  While the runtime is down every word is full; qthread_feb_status, qthread_fill and
 * qthread_readXX work, and the other calls return QTHREAD_NOT_ALLOWED.
 *
 * Everything a thread did before it made a word full (or empty) is visible to whoever waited for that.
 *
 * QTHREAD_BADARGS for a NULL or misaligned word and for a NULL source of a store.  QTHREAD_MALLOC_ERROR, and nothing
 * has happened, when there is no memory to note the state of a word, or for the stack on which others run while a task
 * waits; fill, writeF and reads of a full word need none.  A NULL destination of a read means: wait and change the
 * state, copy nothing; so does one equal to the word. */

/* 1 if the word is full, 0 if it is empty. */
int qthread_feb_status(aligned_t const *addr) QTHREAD_UNREAD(1);

int qthread_empty(aligned_t const *dest) QTHREAD_UNREAD(1);
int qthread_fill(aligned_t const *dest) QTHREAD_UNREAD(1);

/* Empty the word and store 0, *src or purgeVal in it. */
int qthread_purge(aligned_t *dest);
int qthread_purge_to(aligned_t *restrict dest, aligned_t const *restrict src);
int qthread_purge_to_const(aligned_t *dest, aligned_t purgeVal);

/* Wait for empty; store and fill. */
int qthread_writeEF(aligned_t *restrict dest, aligned_t const *restrict src);
int qthread_writeEF_const(aligned_t *dest, aligned_t const src);
int qthread_writeEF_nb(aligned_t *restrict dest, aligned_t const *restrict src);
int qthread_writeEF_const_nb(aligned_t *dest, aligned_t const src);

/* Store and fill. */
int qthread_writeF(aligned_t *dest, aligned_t const *src);
int qthread_writeF_const(aligned_t *dest, aligned_t src);

/* Wait for full; store. */
int qthread_writeFF(aligned_t *restrict dest, aligned_t const *restrict src);
int qthread_writeFF_const(aligned_t *dest, aligned_t src);

/* Wait for full; copy src's value to dest. */
int qthread_readFF(aligned_t *dest, aligned_t const *src);
int qthread_readFF_nb(aligned_t *dest, aligned_t const *src);

/* Wait for full; copy src's value to dest and empty src. */
int qthread_readFE(aligned_t *dest, aligned_t const *src);
int qthread_readFE_nb(aligned_t *dest, aligned_t const *src);

/* Copy src's value to dest, whatever its state. */
int qthread_readXX(aligned_t *dest, aligned_t const *src);

/* ---- Who waits ----------------------------------------------------------------------------------------------- */

/* Call cb once for each task that waits for a FEB word, or for a syncvar: for reports about programs that are stuck.
 *
 * address, f, f_arg, retloc  what the task waits for, runs, and was forked with
 * thread_id                  its number, as qthread_id tells it the task
 * tasklocal                  its data area (qthread_get_tasklocal)
 * arg                        as given here
 *
 * Told are tasks that wait in a call; tasks that wait for preconditions; and tasks that have returned and whose result
 * waits for the return word to be emptied, with a NULL f_arg if they have.  Not told are external threads, and tasks
 * that run the task whose result they need in its place instead of waiting (see QT_INLINE_JOIN in qthreads(7)).
 *
 * cb runs while a lock is held without which the task cannot go on, so all that it is told is good until it returns.
 * Therefore it must not block, yield, fork, or make any call on a FEB word, a syncvar or a qthread_lock; it may ask for
 * identities, allocate, and print.  Tasks that begin or end to wait during the call are told or not.  No calls of cb
 * for a NULL cb, or while the runtime is down. */
typedef void (*qt_feb_callback_f)(void *address, qthread_f f, void *f_arg, void *retloc, unsigned int thread_id,
                                  void *tasklocal, void *arg);
void qthread_feb_callback(qt_feb_callback_f cb, void *arg);
void qthread_syncvar_callback(qt_feb_callback_f cb, void *arg);

/* ---- Task queues --------------------------------------------------------------------------------------------- */

/* Tasks wait in a queue until they are released, the one that joined first first.  The calls work on every kind of
 * queue in the same way, but for what is said here, and all return QTHREAD_BADARGS, or 0, for a NULL queue.
 *
 * What was done before a release is visible to whom it releases; what was done before a join is visible to who releases
 * that one, or learns of it from the length. */

/* Make a queue of a kind, one of QTHREAD_QUEUE_*; `length` is how many may wait at a time in one that is CAPPED, and
 * not looked at otherwise.  May be called at any time, like destroy.  NULL for another kind, a CAPPED queue for nobody,
 * and when memory is short. */
qthread_queue_t qthread_queue_create(uint8_t flags, aligned_t length);

/* Block until released.  QTHREAD_OPFAIL, at once, where a CAPPED queue is full; QTHREAD_MALLOC_ERROR, and nothing has
 * happened, when there is no memory for the stack on which others run meanwhile; QTHREAD_NOT_ALLOWED while the runtime
 * is down. */
int qthread_queue_join(qthread_queue_t q);

/* How many wait, for MULTI_JOIN_LENGTH and CAPPED; 0 for the other kinds. */
aligned_t qthread_queue_length(qthread_queue_t q);

/* Release the first, or all; none if nobody waits. */
int qthread_queue_release_one(qthread_queue_t q);
int qthread_queue_release_all(qthread_queue_t q);

/* Free a queue of which nobody else makes use any more.  QTHREAD_OPFAIL, and it stays, if somebody waits in it.  A task
 * that a release has let go may call it even before that release returns.  Queues outlast qthread_finalize, but tasks
 * that wait in them then are gone. */
int qthread_queue_destroy(qthread_queue_t q);

/* ---- Locking an address -------------------------------------------------------------------------------------- */

/* Take and release the lock that belongs to a word, whose content is never touched: 0 as well as any other value is an
 * unlocked lock until somebody locks it.
 *
 * Normally the lock is the word's full/empty bit: lock waits for full and empties, unlock fills, trylock returns
 * QTHREAD_OPFAIL where lock would wait.  Unlocking a free lock is harmless.  Any thread may unlock.
 *
 * An address given to qthread_lock_init has a spin lock of its own instead, see below; then unlocking a free lock, and
 * another task's recursive lock, returns QTHREAD_OPFAIL.
 *
 * While the runtime is down every word is unlocked: qthread_unlock succeeds, and so do qthread_lock_init and
 * qthread_lock_destroy, whose registrations outlast qthread_finalize.
 *
 * What was done before unlock is visible after the lock or trylock that follows it. */
int qthread_lock(aligned_t const *a);
int qthread_unlock(aligned_t const *a);
int qthread_trylock(aligned_t const *a);

/* Give address a a spin lock, recursive if asked, until qthread_lock_destroy.  Nobody may hold or await a's lock.
 * QTHREAD_OPFAIL if it has one already; QTHREAD_MALLOC_ERROR. */
int qthread_lock_init(aligned_t const *a, bool const is_recursive);

/* Take it away again; an address without one is fine. */
int qthread_lock_destroy(aligned_t *a);

/* ---- Spin locks ---------------------------------------------------------------------------------------------- */

/* Locks that are handed on in the order of asking.  Who waits looks for some microseconds, if that may help, and sleeps
 * then: its worker runs other tasks, as with the full/empty bits.  They are made to be held briefly.
 *
 * A recursive lock may be taken again by the task that holds it (by the OS thread, if it is external) and is free
 * after as many unlocks.  The initializers QTHREAD_MUTEX_INITIALIZER and QTHREAD_RECURSIVE_MUTEX_INITIALIZER do what
 * qthread_spinlock_init does.  None of these calls needs an initialized runtime.
 *
 * What was done before unlock is visible after the lock or trylock that follows it. */

/* Make a lock that nobody holds.  QTHREAD_OPFAIL for NULL. */
int qthread_spinlock_init(qthread_spinlock_t *a, bool const is_recursive);

/* End a lock's use.  There is nothing to free.  QTHREAD_OPFAIL for NULL. */
int qthread_spinlock_destroy(qthread_spinlock_t *a);

/* Other names of these two. */
int qthread_spinlocks_init(qthread_spinlock_t *a, bool const is_recursive);
int qthread_spinlocks_destroy(qthread_spinlock_t *a);

/* Wait for the lock and take it.  QTHREAD_OPFAIL for NULL. */
int qthread_spinlock_lock(qthread_spinlock_t *a);

/* Take the lock if it is free, or recursive and the caller's.  QTHREAD_SUCCESS (0): taken; QTHREAD_OPFAIL: busy, or
 * NULL. */
int qthread_spinlock_trylock(qthread_spinlock_t *a);

/* Release the lock once.  QTHREAD_OPFAIL for NULL, a lock that nobody holds, and a recursive lock held by another
 * task. */
int qthread_spinlock_unlock(qthread_spinlock_t *a);

/* ---- Syncvars ------------------------------------------------------------------------------------------------ */

/* The calls of the full/empty bits above, with the same waiting, order of service, memory order and errors, on a word
 * that keeps its state in itself.  They work while the runtime is down, too.  Only a task that has to wait can meet
 * with QTHREAD_MALLOC_ERROR.
 *
 * Values have 60 bits.  A store of a larger one returns QTHREAD_OVERFLOW at once and changes nothing.  Reads give the
 * 60 bits with zeros above; INT60TOINT64 makes them signed. */

/* 1 if the variable is full, 0 if it is empty. */
int qthread_syncvar_status(syncvar_t *const v);

int qthread_syncvar_empty(syncvar_t *restrict dest);
int qthread_syncvar_fill(syncvar_t *restrict dest);

/* Wait for empty; store and fill. */
int qthread_syncvar_writeEF(syncvar_t *restrict dest, uint64_t const *restrict src);
int qthread_syncvar_writeEF_const(syncvar_t *restrict dest, uint64_t src);
int qthread_syncvar_writeEF_nb(syncvar_t *restrict dest, uint64_t const *restrict src);
int qthread_syncvar_writeEF_const_nb(syncvar_t *restrict dest, uint64_t src);

/* Store and fill. */
int qthread_syncvar_writeF(syncvar_t *restrict dest, uint64_t const *restrict src);
int qthread_syncvar_writeF_const(syncvar_t *restrict dest, uint64_t src);

/* Wait for full; copy src's value to dest. */
int qthread_syncvar_readFF(uint64_t *restrict dest, syncvar_t *restrict src);
int qthread_syncvar_readFF_nb(uint64_t *restrict dest, syncvar_t *restrict src);

/* Wait for full; copy src's value to dest and empty src. */
int qthread_syncvar_readFE(uint64_t *restrict dest, syncvar_t *restrict src);
int qthread_syncvar_readFE_nb(uint64_t *restrict dest, syncvar_t *restrict src);

/* Add inc to the value, modulo 2^60, and return the sum.  Does not wait.  The state stays as it is, unless readers
 * wait: then the variable becomes full and they get the sum.  UINT64_MAX, which no sum can be, for a NULL or misaligned
 * operand. */
uint64_t qthread_syncvar_incrF(syncvar_t *restrict operand, uint64_t inc);

#pragma GCC visibility pop

/* ---- Atomics ------------------------------------------------------------------------------------------------- */

/* Atomic arithmetic on plain variables, by anybody at any time, sequentially consistent.  Full/empty bits play no part.
 * The incr functions return the value before the addition. */

static inline float qthread_fincr(float *operand, float incr)
{
	float seen, sum;
	__atomic_load(operand, &seen, __ATOMIC_RELAXED);
	do
		sum = seen + incr;
	while (!__atomic_compare_exchange(operand, &seen, &sum, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	return seen;
}

static inline double qthread_dincr(double *operand, double incr)
{
	double seen, sum;
	__atomic_load(operand, &seen, __ATOMIC_RELAXED);
	do
		sum = seen + incr;
	while (!__atomic_compare_exchange(operand, &seen, &sum, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	return seen;
}

static inline uint32_t qthread_incr32(uint32_t *operand, uint32_t incr)
{
	return __atomic_fetch_add(operand, incr, __ATOMIC_SEQ_CST);
}

static inline uint64_t qthread_incr64(uint64_t *operand, uint64_t incr)
{
	return __atomic_fetch_add(operand, incr, __ATOMIC_SEQ_CST);
}

/* An integer of `length` bytes: 4 or 8, anything else traps. */
static inline int64_t qthread_incr_xx(void *addr, int64_t incr, size_t length)
{
	switch (length) {
	case 4:
		return (int64_t)qthread_incr32((uint32_t *)addr, (uint32_t)incr);
	case 8:
		return (int64_t)qthread_incr64((uint64_t *)addr, (uint64_t)incr);
	default:
		QTHREAD_TRAP();
		return 0;
	}
}

Q_ENDCXX

/* qthread_incr(ADDR, INCVAL): add to an integer of 1, 2, 4 or 8 bytes (in C++ to a float or double, too).
 * qthread_cas(ADDR, OLDV, NEWV): store NEWV if *ADDR is OLDV.  Returns what *ADDR was, so it stored if that is OLDV.
 * On integers and pointers; _cas_ptr returns a void pointer.
 * In C++ they are templates, in qthread.hpp with all else that is only for C++. */
#ifndef __cplusplus
#define qthread_incr(ADDR, INCVAL) __atomic_fetch_add((ADDR), (INCVAL), __ATOMIC_SEQ_CST)
#define qthread_cas(ADDR, OLDV, NEWV) __sync_val_compare_and_swap((ADDR), (OLDV), (NEWV))
#define qthread_cas32(ADDR, OLDV, NEWV) qthread_cas((ADDR), (OLDV), (NEWV))
#define qthread_cas64(ADDR, OLDV, NEWV) qthread_cas((ADDR), (OLDV), (NEWV))
#define qthread_cas_ptr(ADDR, OLDV, NEWV) ((void *)qthread_cas((ADDR), (OLDV), (NEWV)))
#else
#include "qthread.hpp"
#endif

#endif
