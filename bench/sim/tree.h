/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* A program of the suite as the simulator runs it: its real recursion, with its work replaced by time. */
#ifndef BENCH_SIM_TREE_H
#define BENCH_SIM_TREE_H

#include <stddef.h>
#include <stdint.h>

/* A task that has been forked, in its parent's frame until it has been waited for. */
struct sim_child {
	uint64_t state;                 /* 0; 1: done; else who waits for it */
	void (*body)(void *arg);
	void *arg;
	unsigned maker;
	unsigned runs;
};

void sim_fork(struct sim_child *c, void (*body)(void *arg), void *arg);
void sim_wait(struct sim_child *c);

/* Nanoseconds of a task's work, of which so many percent are spent: programs and processors differ. */
void sim_work(double ns);
extern unsigned long sim_work_percent;

/* Memory for the run. */
void *sim_room(size_t n, size_t size);

/* Uses so many bytes of data that begin at an address which only names them (data.c). */
enum { SIM_READ = 0, SIM_WRITE = 1, SIM_LIST = 2 };
void sim_data(uint64_t at, uint64_t bytes, unsigned how);

/* They exist before the program's time begins, in the memory of the chip that the call is made on: the programs of the
 * suite, as those of the papers, fill their data in one thread. */
void sim_data_made(uint64_t at, uint64_t bytes);

/* A number that depends on both, evenly spread. */
uint64_t sim_mix(uint64_t a, uint64_t b);

struct sim_tree {
	const char *name;
	const char *what;               /* n and cut mean */
	unsigned long n, cut;           /* unless others are asked for */
	unsigned long small_n, small_cut;       /* for tests */
	void (*run)(unsigned long n, unsigned long cut);
};

extern const struct sim_tree *const sim_trees[];
extern const unsigned sim_ntrees;
extern const struct sim_tree sim_fib, sim_nqueens, sim_uts, sim_health, sim_sort, sim_strassen;
extern const struct sim_tree sim_alignment, sim_sparselu;

#endif
