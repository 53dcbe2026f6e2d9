/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* bench/uts over the ranks of an MPI job: see ranks.h.  Every count is checked. */
#include "uts/ranks.h"

#include "common/native.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_REPS = 999 };

static unsigned tree_index;
static unsigned long reps = 3;
static bool each;
static struct ranks_options options = { .low = 64, .seed = 1 };
static struct bench_setup setup;

static int world, rank; /* of MPI_COMM_WORLD */
static const struct uts_tree *tree;

static void print_ranks(const struct ranks_stats *all, int size)
{
	printf("  %4s %14s %10s %10s %10s %6s\n", "rank", "inner nodes", "asked", "steals", "stolen", "waves");
	for (int i = 0; i < size; i++)
		printf("  %4d %14" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %6" PRIu64 "\n", i, all[i].inner,
			all[i].asked, all[i].steals, all[i].stolen, all[i].waves);
}

static void print_result(int size, double *seconds, const struct ranks_stats *all)
{
	struct bench_summary s = bench_summarize(seconds, reps);

	printf("%d ranks x %u workers: median %.4f s, min %.4f, max %.4f; %.2f M nodes/s; of the last:\n", size,
		(unsigned)qthread_num_workers(), s.median, s.min, s.max, (double)tree->nodes / s.median / 1e6);
	print_ranks(all, size);
	fflush(stdout);
}

/* By all ranks of comm; what is wrong is told by its first.  All of them return the same. */
static bool count(MPI_Comm comm, int size)
{
	static double seconds[MAX_REPS];
	struct ranks_stats stats, *all = bench_room("uts-mpi", (size_t)size, sizeof(*all));
	struct uts_count found;
	char why[160] = "out of memory";
	bool right = true;

	for (unsigned long i = 0; i < reps && right; i++) {
		MPI_Barrier(comm);
		uint64_t start = bench_now_ns();
		bool walked = uts_walk_ranks(tree, &options, comm, &found, &stats);
		seconds[i] = (double)(bench_now_ns() - start) / 1e9;
		right = walked && uts_count_check(tree, &found, why, sizeof(why));
	}
	MPI_Gather(&stats, sizeof(stats), MPI_BYTE, all, sizeof(stats), MPI_BYTE, 0, comm);
	if (rank == 0 && right)
		print_result(size, seconds, all);
	else if (rank == 0)
		fprintf(stderr, "uts-mpi: WRONG RESULT on %d ranks: %s\n", size, why);
	free(all);
	return right;
}

static bool count_on_first(int size)
{
	MPI_Comm comm;
	int right = true;

	MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &comm);
	if (comm != MPI_COMM_NULL) {
		right = count(comm, size);
		MPI_Comm_free(&comm);
	}
	MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return right;
}

static void describe(void)
{
	printf("Unbalanced tree %s: %" PRIu64 " nodes, depth %" PRIu64 ", %" PRIu64 " leaves; seed %lu, pool of %lu\n",
		uts_tree_names[tree_index], tree->nodes, tree->depth, tree->leaves, options.seed, options.low);
	bench_print_machine(stdout, "");
}

int main(int argc, char **argv)
{
	const struct bench_option table[] = {
		{ "tree", "which tree", BENCH_CHOICE, &tree_index, 0, 0, uts_tree_names },
		{ "workers", "workers a rank (QT_HWPAR)", BENCH_NUMBER, &setup.workers, 1, 4096, NULL },
		{ "reps", "times that it is counted", BENCH_NUMBER, &reps, 1, MAX_REPS, NULL },
		{ "seed", "of the choice of victims", BENCH_NUMBER, &options.seed, 0, 1000000, NULL },
		{ "pool", "nodes that a rank keeps ready for others", BENCH_NUMBER, &options.low, 1, 100000, NULL },
		{ "each", "by the first rank, then by the first two, and so on", BENCH_SWITCH, &each, 0, 0, NULL },
		{ .name = NULL },
	};
	int level, right = true;

	bench_parse(argc, argv, "uts-mpi", "count one unbalanced tree by all ranks (start it with mpirun)", table);
	tree = uts_tree_named(tree_index);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	if (level != MPI_THREAD_MULTIPLE)
		bench_fail("uts-mpi", "this MPI has no MPI_THREAD_MULTIPLE");
	MPI_Comm_size(MPI_COMM_WORLD, &world);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		describe();
	bench_start("uts-mpi", &setup);
	for (int size = each ? 1 : world; size <= world && right; size++)
		right = count_on_first(size);
	qthread_finalize();
	MPI_Finalize();
	return right ? 0 : 1;
}
