/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/job.h"

#ifndef _OPENMP
#include "common/native.h"
#endif

enum { MAX_REPS = 99 };

static const char *const versions[] = { "tasks", "fork-join", "by-hand", "all", NULL };

int job_ranks, job_rank;

static unsigned version = JOB_VERSIONS;
static unsigned long reps = 3;
static struct bench_setup setup;
static double seconds[JOB_VERSIONS][MAX_REPS];

#ifdef _OPENMP

static void workers_begin(void)
{
	if (setup.workers)
		omp_set_num_threads((int)setup.workers);
}

static unsigned workers(void)
{
	return (unsigned)omp_get_max_threads();
}

static void workers_end(void)
{
}

#else

static void workers_begin(void)
{
	bench_start(job.name, &setup);
}

static unsigned workers(void)
{
	return (unsigned)qthread_num_workers();
}

static void workers_end(void)
{
	qthread_finalize();
}

#endif

static bool is_wanted(unsigned v)
{
	return job.run[v] && (version == JOB_VERSIONS || version == v);
}

static void parse(int argc, char **argv)
{
	const struct bench_option common[] = {
		{ "version", "which version", BENCH_CHOICE, &version, 0, 0, versions },
		{ "workers", "workers a rank (QT_HWPAR)", BENCH_NUMBER, &setup.workers, 1, 4096, NULL },
		{ "reps", "runs of each version", BENCH_NUMBER, &reps, 1, MAX_REPS, NULL },
		{ .name = NULL },
	};
	const struct bench_option *const tables[] = { job.options, common };

	bench_parse_tables(argc, argv, job.name, job.what, tables, sizeof(tables) / sizeof(tables[0]));
}

static bool run_once(unsigned v, double *took)
{
	job.before();
	MPI_Barrier(MPI_COMM_WORLD);
	uint64_t start = bench_now_ns();
	job.run[v]();
	MPI_Barrier(MPI_COMM_WORLD);
	*took = (double)(bench_now_ns() - start) / 1e9;
	int right = job.check();
	MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (!right && job_rank == 0)
		fprintf(stderr, "%s: WRONG RESULT of version %s on %d ranks\n", job.name, versions[v], job_ranks);
	return right;
}

static bool run_all(void)
{
	for (unsigned long i = 0; i < reps; i++)
		for (unsigned v = 0; v < JOB_VERSIONS; v++)
			if (is_wanted(v) && !run_once(v, &seconds[v][i]))
				return false;
	return true;
}

static void print_table(void)
{
	printf("%s, %d ranks x %u workers: ", job.name, job_ranks, workers());
	job.describe();
	bench_print_machine(stdout, "");
	printf("  %-10s %9s %9s %9s\n", "version", "median s", "min", "max");
	for (unsigned v = 0; v < JOB_VERSIONS; v++) {
		if (!is_wanted(v))
			continue;
		struct bench_summary s = bench_summarize(seconds[v], reps);
		printf("  %-10s %9.4f %9.4f %9.4f\n", versions[v], s.median, s.min, s.max);
	}
}

int main(int argc, char **argv)
{
	int level;

	parse(argc, argv);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	if (level != MPI_THREAD_MULTIPLE)
		bench_fail(job.name, "this MPI has no MPI_THREAD_MULTIPLE");
	MPI_Comm_size(MPI_COMM_WORLD, &job_ranks);
	MPI_Comm_rank(MPI_COMM_WORLD, &job_rank);
	if (version == JOB_TASKS && !job.run[JOB_TASKS])
		bench_usage(job.name, "--version tasks: not of OpenMP and MPI alone");
	const char *problem = job.problem();
	if (problem)
		bench_usage(job.name, "%s", problem);
	bench_machine();
	workers_begin();
	job.setup();
	bool right = run_all();
	if (right && job_rank == 0)
		print_table();
	workers_end();
	MPI_Finalize();
	return right ? 0 : 1;
}
