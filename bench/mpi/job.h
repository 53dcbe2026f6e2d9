/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of several ranks here share.  Each has its work in three versions, which take turns:
 *
 *   tasks      tasks that block in MPI's calls, and run when what they wait for has come
 *   fork-join  the ranks' main tasks call MPI between parallel loops
 *   by hand    as that, with nonblocking calls started as early and waited for as late as the loops allow
 *
 * Every run is compared with a serial one, by rank 0, bit by bit. */
#ifndef BENCH_MPI_JOB_H
#define BENCH_MPI_JOB_H

#include "common/native.h"

#include <mpi.h>

enum job_version { JOB_TASKS, JOB_FORK_JOIN, JOB_BY_HAND, JOB_VERSIONS };

struct job {
	const char *name, *what;
	const struct bench_option *options;
	const char *(*problem)(void); /* with the options; why it cannot be on so many ranks, NULL: it can */
	void (*setup)(void);
	void (*before)(void);           /* each run */
	void (*run[JOB_VERSIONS])(void);
	bool (*check)(void);            /* by all; what rank 0 returns counts */
	void (*describe)(void);         /* by rank 0: one line */
};

extern const struct job job;
extern int job_ranks, job_rank;

/* Rank r of n has those from share_begin(r) to share_begin(r + 1). */
static inline long job_share_begin(long n, int r)
{
	return n * r / job_ranks;
}

#endif
