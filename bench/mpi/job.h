/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of several ranks here share.  Each has its work in three versions, which take turns:
 *
 *   tasks      tasks that block in MPI's calls, and run when what they wait for has come
 *   fork-join  MPI is called between parallel loops: qt_loop_balance's, by the main task, or OpenMP's
 *   by hand    as that, with nonblocking calls started as early and waited for as late as the loops allow
 *
 * Compiled with -fopenmp it is MPI and OpenMP alone, linked with none of our libraries, and has the last two.
 *
 * Every run is compared with a serial one, by rank 0, bit by bit. */
#ifndef BENCH_MPI_JOB_H
#define BENCH_MPI_JOB_H

#include "common/bench.h"

#include <mpi.h>
#ifdef _OPENMP
#include <omp.h>
#else
#include <qthread/qloop.h>
#include <qthread/qthread.h>
#endif

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

/* fn does its share of from to to - 1, on each worker. */
static inline void job_loop(size_t from, size_t to, void (*fn)(size_t, size_t, void *), void *arg)
{
#ifdef _OPENMP
#pragma omp parallel
	{
		size_t n = (size_t)omp_get_num_threads(), i = (size_t)omp_get_thread_num(), all = to - from;
		fn(from + all * i / n, from + all * (i + 1) / n, arg);
	}
#else
	qt_loop_balance(from, to, fn, arg);
#endif
}

#endif
