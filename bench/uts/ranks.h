/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* One tree counted by the ranks of a communicator, each with the tasks of tasks.h.
 *
 * Work that may leave a rank is its pool: nodes that nobody has begun with.  Rank 0 begins with the root's children there.
 * As many runners as the rank has workers take nodes from it, newest first, and count what is below them by tasks; these
 * give children to the pool while it holds fewer than `low`.  So a rank pays for others by a look at a flag, and for each
 * node that it hands over by the way through the pool; which node is handed over does not matter, as in a binomial tree
 * any is expected to have as much below it as any other.
 *
 * Stealing.  A runner that finds the pool empty asks a rank chosen at random, which answers with the older half of its
 * pool, or with nothing: then the next one is asked.  A rank asks one at a time.
 *
 * Messages.  The main task receives, blocked in MPI_Recv; each message is sent by a task of its own, blocked in MPI_Send.
 * So nobody who is to receive ever waits for a send, and no buffering of MPI's is relied upon.
 *
 * The end is found by Safra's wave (E. W. Dijkstra, Shmuel Safra's version of termination detection, EWD998, 1987).
 * A rank is passive while all its runners wait and its pool is empty; it counts messages with nodes that it has sent less
 * those it has received, and one that it receives makes it black.  A token goes around the ranks, passed on by passive
 * ones only, which add their counts to it, make it black if they are, and become white.  When it is back at rank 0, that
 * is passive and white, the token is white, and the sum with its own count is 0: all have ended.  Else the next one goes.
 * Requests and empty answers make nobody active, and are not counted.  So there may be some when the end is found: rank 0
 * says STOP to all, which ask no more and say STOPPED when their last question is answered; then it says EXIT. */
#ifndef BENCH_UTS_RANKS_H
#define BENCH_UTS_RANKS_H

#include "uts/tree.h"

#include <mpi.h>

struct ranks_options {
	unsigned long low, seed;
};

/* Of one rank. */
struct ranks_stats {
	uint64_t inner;   /* nodes with children that it has counted */
	uint64_t asked;   /* requests that it has sent */
	uint64_t steals;  /* those that brought nodes */
	uint64_t stolen;  /* nodes that they brought */
	uint64_t waves;   /* of the token; rank 0 knows */
};

/* Collective, from the main task of a running library.  Fills *out on all of comm; false on all when memory ran out on
 * one of them. */
bool uts_walk_ranks(const struct uts_tree *t, const struct ranks_options *o, MPI_Comm comm, struct uts_count *out,
	struct ranks_stats *stats);

#endif
