/* base/tuning.h -- every number that steers a heuristic: what it counts, what it was measured by, and what it is good
 * for.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No result depends on them.  They stand here together so that the library can be tuned to another machine in one
 * place, and so that each has to say what it earns.  Figures named below are those of bench/micro and bench/omp/run,
 * programs those of the suite; where times stand beside them, they were measured when the number was chosen.
 * bench/ablation measures what is lost without a heuristic; bench/TUNING.md has its tables, and the numbers that were
 * never varied.
 *
 * Units: _NS nanoseconds; _LOOKS rounds of a loop that looks, and does more than that; otherwise tasks, or what the
 * line says.  What lies elsewhere: settings of the environment (base/env.c), and sizes that nothing but memory
 * depends on: of blocks, tables and arrays on the stack (with what lies in them).
 */
#ifndef QTI_BASE_TUNING_H
#define QTI_BASE_TUNING_H

/* --- waiting for another thread that is at it ------------------------------------------------------------- */

enum {
	/* Looks at a lock before its CPU is given away; the holder needs a few instructions.  Without: with more
	 * threads than CPUs a waiter burns a slice while the holder has no CPU.  stress/mixed, 4 workers on 2 CPUs. */
	TUNE_LOCK_NS = 3200,

	/* Pauses between two looks at a lock for which very many may wait, at most.  fib 44 with 14 levels under mts on
	 * 256 simulated workers (bench/sim): speed-up 195, 125 if all look all the time; on 1,024, 44 and 10. */
	TUNE_LOCK_PAUSES = 64,

	/* Workers with a CPU each, with more of which asymmetric fences become symmetric (base/fence.c): the heavy half
	 * interrupts all the others.  Speed-up of the one over that of the other in bench/sim, --light-fences, fib 40
	 * with 11 levels under ws and mts: 1.00 on 16 workers, 1.03 and 1.04 on 32, 1.10 and 1.06 on 64, 1.26 and 1.24
	 * on 128; on 256 mts 1.71, bq 1.26, na-rp 2.4. */
	TUNE_LIGHT_CPUS = 32,

	/* A waiting task looks at its record before it leaves its stack: who answers at once from another worker costs
	 * cache misses, no switch.  ping_pong on 2 workers 460 ns; 1,400 without. */
	TUNE_WAIT_NS = 600,

	/* A waiting thread that is no worker looks for so many times as long as an idle worker, and gives way in
	 * between, before it sleeps.  bench/share/share, sinc by 4 threads on 2 CPUs: 8,000 steps a second with 2 and
	 * 4, 5,900 with 1, 1,400 where it sleeps at once. */
	TUNE_THREAD_PATIENCE = 2,

	/* The same as WAIT_NS at a qt_barrier: the last of several tasks takes longer.  Two tasks 165 to 200 ns a
	 * round. */
	TUNE_BARRIER_NS = 1200,

	/* The same for the pieces of a loop, which end together if it is balanced: loop_balance. */
	TUNE_JOIN_NS = 600,

	/* The same for the children of an OpenMP task, and for a taskgroup: taskwait_each, taskgroup_each. */
	TUNE_CHILDREN_NS = 600,

	/* The same for a word that somebody is to change: lock_contended, single, copyprivate. */
	TUNE_ADDRESS_NS = 800,

	/* An OpenMP lock or critical section: as long as holding one is likely to take.  lock_contended, critical. */
	TUNE_OMP_LOCK_NS = 2500,

	/* A spin lock of the program's, by who is among the next few to have it: some microseconds.  lock_pair. */
	TUNE_SPINLOCK_NS = 6400,
	TUNE_SPINLOCK_THREADS = 8,      /* threads that are no workers, which look at a time */

	/* A popper waits for a pusher that has taken a cell: longer than a cache line needs to come.  bench/ds. */
	TUNE_CELL_NS = 800,
};

/* --- waiting for another thread, which may have no CPU ----------------------------------------------------- */

/* Of base/spin.h.  Measured by bench/share on two CPUs, as the sum of the rates of all copies of a program. */
enum {
	/* Looking alone before it gives way for the first time, at most: 20, 50 and 100 us: two and four copies 0.91,
	 * 0.88 and 0.84 of one alone; beside a busy process 400, 680 and 680 steps a second.  And at least: about two
	 * rounds of looks. */
	TUNE_ALONE_NS = 50000,
	TUNE_ALONE_LEAST_NS = 2000,

	/* Instead, where who is waited for was asleep: an answer from a CPU that was idle takes 50 us and more in a
	 * virtual machine.  Without it 450 steps a second beside a busy process, with it 1,400. */
	TUNE_WAKING_NS = 200000,

	/* A sched_yield that took so long let somebody else run: one for nothing takes 0.3 us, one that switches 1.5 us
	 * and the other's time.  And what it took of this thread's own time then. */
	TUNE_OTHERS_RAN_NS = 2000,
	TUNE_SWITCH_NS = 1000,

	/* Waits, of which every so manyth looks for the longest time whatever was learnt: 50 us in 16 waits of a slice
	 * each are 0.1 %.  And how often the time may be halved that a wait for anything takes. */
	TUNE_TRY_EVERY = 16,
	TUNE_HALVES = 6,

	/* Of omp/team/apart.h: a member moves to another CPU when another one of its team has made so many waits in a
	 * row longer, and not again before this: where the kernel puts it back each time, it is to cost little.
	 * With more members than CPUs it looks so often, too: scikit-learn's k-means on 8 threads and 2 CPUs beside a
	 * matrix product took 0.384 s without, 0.335 so. */
	TUNE_APART_MEETINGS = 3,
	TUNE_APART_EVERY_NS = 200000,

	/* GCC's library takes about so long for a count of GOMP_SPINCOUNT. */
	TUNE_COUNT_NS = 2,
};

/* --- a worker without work -------------------------------------------------------------------------------- */

enum {
	/* Looks around before it tells everybody that it is idle, which costs a membarrier (14 us in a virtual machine)
	 * and the others cache misses: ping_pong on 2 workers. */
	TUNE_QUIET_LOOKS = 16,

	/* All workers sleep for so long before it is asked whether that is for ever (api/stuck.c), which reads /proc:
	 * far more than a program that waits for others' answers needs, and a report within a second. */
	TUNE_ALL_SLEEP_NS = 250000000,
};

/* --- messages ----------------------------------------------------------------------------------------------- */

/* Of core/poller.h, which asks MPI what has come.  One request takes 15 ns with Open MPI and 24 with MPICH; in a batch
 * of 64 it takes 1.1 and 6.7, and 1.5 and 7.6 if there are 10,000. */
enum {
	/* Workers that have tasks ask for one part in so many of one worker's time.  With what else they lose to it, to
	 * caches and to looks at the clock, 100 is a hundredth, beside 10,000 that wait 0.8 to 1.06 %
	 * (bench/mpi/polling). */
	TUNE_POLL_SHARE = 125,

	/* Asking takes 0.1 to 1 us, where MPI looks at sockets now and then some more; and what takes longer than this,
	 * and than double the usual, counts as no more than that.  Without a limit (64 times the usual) 10,000 messages
	 * that MPI took in at once let the next wait for 1.4 s; with double the usual alone, asking that takes 4 us
	 * each eighth time had 2 to 5 % of a worker (test/unit/poller). */
	TUNE_POLL_COSTLY_NS = 5000,

	/* Requests at a time: by them, and by a worker on watch, which looks for tasks in between. */
	TUNE_POLL_BUSY = 64,
	TUNE_POLL_WATCH = 256,

	/* Beside them so many, the youngest; and one that has to be asked about alone costs as much as so many. */
	TUNE_POLL_YOUNG = 8,
	TUNE_POLL_ALONE = 8,

	/* Looks for tasks between two of the clock, at most. */
	TUNE_POLL_TURNS = 255,

	/* Looks on watch before it gives its CPU away at each, and between two final ones: some 20 us. */
	TUNE_WATCH_LOOKS = 200,
};

/* --- yielding --------------------------------------------------------------------------------------------- */

enum {
	/* A task that has forked at most so many and yields goes behind these only, once.  fib --yield: 1.7 ms instead
	 * of 59 on one worker, 0.9 instead of 26 on two. */
	TUNE_YIELD_BEHIND = 32,

	/* Tasks of the policy's for one that yields in an inbox.  spawn: with 1 two thirds of the time are switches to
	 * main. */
	TUNE_YIELD_GIVES = 16,

	/* Yields of a worker for a sched_yield, with more workers than CPUs.  Without: 8 tasks that pass numbers by
	 * polling take 3 to 10 s instead of 0.01 to 0.6 on 4 workers and 2 CPUs. */
	TUNE_YIELDS_A_CPU = 256,

	/* Yields of a task without memory for a stack, in which nothing else happened on its worker, before others run
	 * on top of it: a millisecond or so.  A task that yields for the sake of others while it holds a lock does so
	 * less often. */
	TUNE_YIELDS_IN_VAIN = 1000,

	/* Times that finalize lets yielding tasks go on when nothing else has happened since the last time. */
	TUNE_FRUITLESS_ROUNDS = 1000,

	/* Times that NODE_BUSYNESS is counted again because a task went from a queue to a worker or back meanwhile. */
	TUNE_BUSYNESS_LOOKS = 64,

	/* A taskyield that found nobody, and was asked for again within this, lets up to so many more pass without a
	 * look.  taskyield 2.8 ns; 45 if it always looks. */
	TUNE_TASKYIELD_NS = 5000,
	TUNE_TASKYIELDS_MAX = 255,
};

/* --- ready queues ----------------------------------------------------------------------------------------- */

enum {
	/* Moved between a worker's deque and its shepherd's backlog at once, at most: flat_null. */
	TUNE_BACKLOG_BATCH = 32,

	/* Stolen at once, at most; and in a chunk under ws and cq.  Both are what users may change: QT_STEAL,
	 * QT_STEAL_CHUNK. */
	TUNE_STEAL_MOST = 256,
	TUNE_STEAL_CHUNK = 2,

	/* Tasks wanted beyond those that are public, for which a thief makes private ones public: it interrupts
	 * everybody for that.  QT_STEAL=half under ws, 2 workers: health 1.36 of the time of one task a steal if 1 is
	 * worth it, 0.90 if none is, nqueens 1.24 and 1.03. */
	TUNE_STEAL_WORTH = 32,

	/* Searches of a thief that leave a victim its last task, or those that are no more than a chunk, under
	 * QT_STEAL=half and chunk; the next one takes one.  strassen of OpenMP on 2 threads under ws, half against one:
	 * 1.19 if it never does. */
	TUNE_STEAL_REFUSALS = 16,

	/* In a worker's deque under ws; beyond that, in the shared backlog. */
	TUNE_WS_DEQUE = 256,

	/* How far down its own queue a joiner looks for the child that it waits for.  Its children are its newest
	 * tasks: fork_join_aligned 27 ns on one worker, 40 to 95 where every join switches. */
	TUNE_CLAIM_REACH = 64,

	/* xq: tasks in a ring.  What waits there its forker cannot run while it waits for it; what does not fit is
	 * spilled, and the oldest goes next.  On 2 workers 2, 4, 8, 16, 64 take 1.08, 1.22, 1.31, 1.42, 1.49 of the
	 * time of ws for health, and for uts 1.11, 1.10, 1.17, 1.21, 1.62.  And bytes of all rings together: 1,024
	 * workers with rings of 16. */
	TUNE_RING = 4,
	TUNE_RINGS_BYTES = 256 << 20,

	/* Rows: tasks that one who is out of work takes from another's row at once, at most. */
	TUNE_RESCUE = 8,

	/* na-rp, na-ws: workers asked at once, tasks given to one that asked, looks until it asks again.  Given 1, 4,
	 * 8, 32 at once health takes under na-rp 1.38, 1.73, 1.70, 1.84 of its time under ws on 2 workers, uts 1.08,
	 * 1.14, 1.21, 1.14; under na-ws, and with 100 to 10,000 looks, no difference.  More are asked than 2 CPUs can
	 * show. */
	TUNE_N_VICTIM = 8,
	TUNE_N_STEAL = 1,
	TUNE_T_INTERVAL = 1000,

	/* na-rp, na-ws: a worker that has work looks for one that sleeps every so many scheduling points; and one that
	 * is to send what it creates, and creates nothing, gives up after so many.  2 threads, time of ws = 1: na-ws
	 * with 1, 8 and never health 1.64, 1.55, 1.68, uts 1.15, 1.21, 1.22; na-rp with 8, 64 and 1000 health 1.86,
	 * 1.80, 1.77, uts 1.21, 1.14, 1.30. */
	TUNE_SLEEPER_POINTS = 8,
	TUNE_REDIRECT_POINTS = 64,

	/* xq: every so many looks of a worker begin with what others have put there; and so many tasks in a row from
	 * its master ring let one go first of those that come behind. */
	TUNE_ROW_TURNS = 64,

	/* bq: tasks in a queue, percent that are free when throttling ends, as in the paper.  uts, sort: as with 8 and
	 * 256. */
	TUNE_QUEUE = 24,
	TUNE_QUEUE_FREE = 30,

	/* bq: requests that a thread serves in a row.  8 threads, one line: with 2 106 to 7,733 ns each, 6 to 51 with
	 * 32. */
	TUNE_COMBINE_MOST = 32,
};

/* --- qt_barrier ------------------------------------------------------------------------------------------- */

enum {
	/* Arrivals for which a leaf of its own pays, and leaves at most: barrier. */
	TUNE_BARRIER_ARRIVALS = 8,
	TUNE_BARRIER_LEAVES = 64,
};

/* --- loops and arrays of the utility calls ----------------------------------------------------------------- */

enum {
	/* Pieces forked in a row before the caller yields: bounds the descriptors.  loop_balance. */
	TUNE_LOOP_BATCH = 512,

	/* Ranges of a loop queue for each worker, and how much longer a timed one may become at once. */
	TUNE_QUEUE_CHUNKS = 10,
	TUNE_QUEUE_GROWTH = 8,

	/* That a range of a timed one takes: long against the taking of a range, short against a loop worth it. */
	TUNE_QUEUE_QUANTUM_NS = 100000,

	/* Pieces of an array for each worker. */
	TUNE_VISIT_PIECES = 4,

	/* Bytes of an array's elements that all pairs are made of at a time: those of two arrays take less than 32
	 * KiB. */
	TUNE_PAIRS_BYTES = 12 << 10,

	/* A wavefront: tiles along a side of the grid for each worker; cells along a side of a tile at least, so that a
	 * task is never mere overhead, and at most, so that two columns of a tile lie in a first-level cache. */
	TUNE_WAVE_TILES = 4,
	TUNE_WAVE_SIDE_LEAST = 4,
	TUNE_WAVE_SIDE_MOST = 256,

	/* Numbers.  Below these one worker is faster: qutil, reductions. */
	TUNE_SORT_ALONE = 1 << 14,
	TUNE_SORT_TASK_LEAST = 1 << 12,
	TUNE_SORT_TOGETHER_LEAST = 1 << 17,     /* to be cut by all workers */
	TUNE_SORT_TASKS_PER_WORKER = 16,
	TUNE_REDUCE_ALONE = 1 << 14,
	TUNE_REDUCE_PART_LEAST = 1 << 12,
};

/* --- dictionaries ------------------------------------------------------------------------------------------ */

enum {
	/* One bucket in so many has another behind it: the table grows. */
	TUNE_DICT_CROWDED = 4,

	/* Buckets that a call moves then. */
	TUNE_DICT_MOVE = 16,

	/* Of moved tables that are kept rather than waited for. */
	TUNE_DICT_RETIRE_BYTES = 64 << 10,

	/* Tables that get large pages where the system has them. */
	TUNE_DICT_HUGE_BYTES = 2 << 20,
};

/* --- OpenMP: who creates tasks ------------------------------------------------------------------------------ */

enum {
	/* Children of one task that may wait to be run; with more the next ones run at once.  More would only take
	 * memory, and caches have gone cold by the time they run.  flat on 2 threads 13 ns. */
	TUNE_CHILDREN = 128,

	/* Until there are so few for each thread.  With 64 altogether teams of many threads ran dry: flat,
	 * taskloop_fine. */
	TUNE_CHILDREN_FEW = 2,

	/* That run at once, at most, before who created them counts again: the count's line is written by who runs
	 * them. */
	TUNE_CHILDREN_SKIP = 16,

	/* The same limit for children that wait for each other, for each thread: which can run shows only when enough
	 * are known.  chain on 2 threads 386 -> 100 ns, wavefront 350 -> 173, depend_apart 168 -> 24. */
	TUNE_DEPENDENT = 32,

	/* Children, of which every so manyth makes such a creator help; and how long it looks for one whose predecessor
	 * ended elsewhere, where that one is handed to it: most of what it needs is in its cache.  chain, wavefront. */
	TUNE_HELP_EVERY = 16,
	TUNE_HANDOFF_NS = 1600,

	/* A task runs at once while the worker's queue holds so many more than its creator has: fib on 2 threads 22 ->
	 * 13 ns, nqueens 0.0200 -> 0.0029 s without cut-off, floorplan 0.170 -> 0.073. */
	TUNE_ENOUGH = 4,

	/* The same for what a worker has sent to the one whose turn it is, under xq, na-rp and na-ws.  xq on 2 threads:
	 * without this fib 18.6 ms, nqueens 7.6, health 149, uts 35; with 1 8.2, 5.5, 129, 29; with 0 17, 10.5, 197,
	 * 39; with 2 as with 1. */
	TUNE_ENOUGH_DEALT = 1,

	/* Not asked by a creator of so many: it has filled the queue itself.  flat. */
	TUNE_ENOUGH_ASKS = 16,

	/* Where thieves find next to nothing the queue is to hold so many.  uts in its original shape, 2 threads: 1.16
	 * of libgomp's time before, 0.98 with it. */
	TUNE_STOCK = 32,

	/* That is so when most of those last less than this, of which one in so many is timed, */
	TUNE_FINE_NS = 1000,
	TUNE_FINE_TIMED = 8,
	TUNE_FINE_MANY = 16,

	/* and no longer when two of this have come. */
	TUNE_COARSE_NS = 16000,
};

/* --- race checkers ------------------------------------------------------------------------------------------ */

enum {
	/* Stacks that a worker lets rest before one is used again.  Tasks on one stack are ordered for the checker, and
	 * it remembers four accesses to a word: more stacks would find no more of test/races, and each is 8 times as
	 * large as without. */
	TUNE_RACE_STACKS = 16,
};

/* --- OpenMP: room for a task that runs at once --------------------------------------------------------------- */

enum {
	TUNE_STACK_SHARE = 4,           /* of a stack that must be left for a task on top: one in so many bytes */
	/* Of a copied argument, which goes to the stack: flat_data on 1 thread 18.8 -> 11.1 ns.  And larger ones do if
	 * they take one in so many of the bytes left: floorplan 0.82 -> 0.52. */
	TUNE_COPY_BYTES = 256,
	TUNE_COPY_SHARE = 64,
	TUNE_COPY_OUTSIDE = 16 << 10,   /* bytes on a thread whose stack nobody knows */

	/* Of a deferred task's data that its record has no room for: up to so many bytes come from a pool.  flat_data
	 * as clang compiles it, on 2 threads, 242 -> 48 ns. */
	TUNE_DATA_BYTES = 512,
};

/* --- OpenMP: who has no tasks -------------------------------------------------------------------------------- */

enum {
	/* How long a thread looks for its next region, or for others of its team, before it sleeps; and with more
	 * threads than CPUs.  parallel, barrier; bench/share for the second. */
	TUNE_SPIN_NS = 300000,
	TUNE_SPIN_CROWDED_NS = 30000,

	/* In a wait loop: looks between two of everything that costs more than a look; and with more threads than CPUs,
	 * where giving way soon is what brings the others on: barrier/team8 of bench/share 144 -> 241 steps a second,
	 * team32 19 -> 59. */
	TUNE_TEAM_LOOKS = 64,
	TUNE_TEAM_LOOKS_CROWDED = 8,

	/* From then on crowded creators publish what they keep: prodcons 1024 2.31 -> 3.07 million a second, pos 8.2 ->
	 * 10.8. */
	TUNE_OUT_OF_WORK_LOOKS = 384,

	/* If it has run out of what it got so soon, after TEAM_LOOKS of looking, it looks twice as long the next time,
	 * so many times at most: flat_data on 2 threads 0.79 to 0.91 of the time without this, flat_wait 0.84 to 1.0.
	 * 3000 mends nothing, with 10000 prodcons takes 1.06 and pos 1.19. */
	TUNE_WORK_LASTS_NS = 5000,
	TUNE_WORK_DOUBLINGS = 7,

	/* It takes what an owner keeps to itself after TEAM_LOOKS, and again after twice as long, up to this: 0.5
	 * ms. */
	TUNE_FINAL_LOOKS = 8192,

	/* That costs both about this.  If what it got was shorter, it waits twice as long the next time, so many times
	 * at most: chain on 2 threads 120 -> 90 ns. */
	TUNE_FINAL_PAYS_NS = 30000,
	TUNE_FINAL_DOUBLINGS = 7,

	/* Members of a team with a CPU each from which on QT_BARRIER=auto has them meet along a tree.
	 * bench/sim/barriers, 2 to 1,024 simulated CPUs: time along the tree over that at one gate 1.42 for 8 members,
	 * 1.01 for 12, 0.99 for 16, 0.70 for 24, 0.27 for 64; 0.97 for 12 where 8 share a cache.  Where they come
	 * spread over some microseconds, with more than that to do in between, 16 to 32 lose 0.4 us of 4.5 by the tree,
	 * and 64 gain 2.3 of 7.9.  On 2 CPUs, 4 to 64 threads, it loses by 2.2 to 5.6 times, for each level waits for a
	 * turn on a CPU: bench/omp/run --only barrier --vary QT_BARRIER=central,tree. */
	TUNE_TREE_MEMBERS = 16,
};

/* --- OpenMP: memory of constructs ---------------------------------------------------------------------------- */

enum {
	/* Members of a set of dependences at which those that have ended are looked for; then when it has doubled. */
	TUNE_DEPEND_CLEAN = 64,

	/* Of a work-sharing construct: more goes back to the system at its end. */
	TUNE_SHARE_KEPT_BYTES = 4 << 20,

	/* Counters of a doacross loop that have a line each: 64 KiB. */
	TUNE_COUNTERS_APART = 1024,

	/* Chunks of a dynamic loop for each member, from which on members have parts of their own.  A loop of empty
	 * iterations on 2 threads takes by parts, to one by the counter: 8 chunks in all 1.35, 12 1.17, 16 1.00, 32
	 * 0.78. */
	TUNE_PART_CHUNKS = 8,
};

/* --- OpenMP: taskloop ---------------------------------------------------------------------------------------- */

enum {
	/* Pieces that go into one task, at most; and such stretches for each thread, of what is left.  taskloop_fine on
	 * 2 threads 10.5 -> 6.0 ns. */
	TUNE_STRETCH = 128,
	TUNE_STRETCHES_EACH = 8,

	/* Once some pieces have taken this and a thread is out of work it is left half of the rest: 128 pieces of 4 ms
	 * next to each other 0.525 -> 0.269 s on 2 threads. */
	TUNE_STRETCH_LONG_NS = 20000,
};

/* --- the end of the process ------------------------------------------------------------------------------- */

enum {
	/* Between looks at whether a thread that exit(3) waits for waits for that itself.  Not varied: nothing else
	 * depends on it than how long such an exit takes. */
	TUNE_EXIT_LOOK_NS = 5000000,

	/* Without /proc: a thread that uses no CPU for so long waits for a lock of who has called exit(3).  Of 24
	 * threads that spin for 8 s on two CPUs each waits at most 80 ms for its turn. */
	TUNE_EXIT_BLIND_NS = 1000000000,

	/* Between looks of a thread that has ended inside a region at whether others wait for it, and looks at which
	 * they have done so all the time before it says so: a second, by which a process that is about to end mostly
	 * has.  Not varied. */
	TUNE_LOST_NS = 10000000,
	TUNE_LOST_LOOKS = 100,
};

/* --- faults ------------------------------------------------------------------------------------------------ */

enum {
	/* After a fault that is the program's business the library's handler of SIGSEGV stays away for so long, unless
	 * the thread that met it is known to be over it (machine/guard.h).  A fault and its handler take 34 us on a
	 * virtual machine; if the library's comes back in between it has to make way once more.  Not varied. */
	TUNE_GUARD_AWAY_NS = 10000000,
};

#endif
