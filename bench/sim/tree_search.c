/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* fib, nqueens and uts: recursions without data.  Nanoseconds are those of the serial twins, --size quick. */
#include "sim/tree.h"

#include <math.h>
#include <stdbool.h>

/* A task of fib and of nqueens is a word. */
struct call {
	struct sim_child child;
	uint64_t word;
	unsigned level;
};

static unsigned long size, depth;

/* --- fib: both calls of a call are tasks, down to `depth` levels --------------------------------------------- */

#define FIB_CALL 1.4

static double fib_calls(uint64_t k)
{
	double a = 1, b = 1;

	for (; k > 0; k--) {
		double next = a + b + 1;
		a = b;
		b = next;
	}
	return a;
}

static void fib_call(void *arg)
{
	struct call *c = arg, part[2];

	if (c->word < 2 || c->level >= depth) {
		sim_work(FIB_CALL * fib_calls(c->word));
		return;
	}
	sim_work(FIB_CALL);
	for (unsigned i = 0; i < 2; i++) {
		part[i].word = c->word - 1 - i;
		part[i].level = c->level + 1;
		sim_fork(&part[i].child, fib_call, &part[i]);
	}
	for (unsigned i = 0; i < 2; i++)
		sim_wait(&part[i].child);
}

static void fib_run(unsigned long n, unsigned long cut)
{
	struct call all = { .word = n };

	depth = cut;
	fib_call(&all);
}

const struct sim_tree sim_fib = { "fib", "number, levels of tasks", 34, 14, 16, 16, fib_run };

/* --- nqueens: every square that is tried is a task, down to `depth` rows ------------------------------------- */

#define SQUARE 2.1
enum { FIELD = 18 };

static uint64_t field(uint64_t position, unsigned i)
{
	return position >> (i * FIELD) & ((1u << FIELD) - 1);
}

static bool place(uint64_t position, unsigned column, uint64_t *next)
{
	uint64_t square = UINT64_C(1) << column, full = (UINT64_C(1) << size) - 1;

	if ((field(position, 0) | field(position, 1) | field(position, 2)) & square)
		return false;
	*next = (field(position, 0) | square) | ((field(position, 1) | square) << 1 & full) << FIELD |
		(field(position, 2) | square) >> 1 << 2 * FIELD;
	return true;
}

static double squares_below(uint64_t position)
{
	uint64_t next;
	double tried = 0;

	if (field(position, 0) == (UINT64_C(1) << size) - 1)
		return 0;
	for (unsigned column = 0; column < size; column++)
		tried += 1 + (place(position, column, &next) ? squares_below(next) : 0);
	return tried;
}

static void fill_row(uint64_t position, unsigned row);

static void try_square(void *arg)
{
	struct call *c = arg;
	uint64_t next;

	sim_work(SQUARE);
	if (place(c->word, c->level & 31, &next))
		fill_row(next, c->level >> 5);
}

static void fill_row(uint64_t position, unsigned row)
{
	struct call try[FIELD];

	if (row == size)
		return;
	if (row >= depth) {
		sim_work(SQUARE * squares_below(position));
		return;
	}
	for (unsigned i = 0; i < size; i++) {
		try[i].word = position;
		try[i].level = i | (row + 1) << 5;
		sim_fork(&try[i].child, try_square, &try[i]);
	}
	for (unsigned i = (unsigned)size; i-- > 0;)
		sim_wait(&try[i].child);
}

static void nqueens_run(unsigned long n, unsigned long cut)
{
	size = n;
	depth = cut;
	fill_row(0, 0);
}

const struct sim_tree sim_nqueens = { "nqueens", "queens, rows of tasks", 11, 4, 6, 6, nqueens_run };

/* --- uts: a binomial tree, every inner node a task -------------------------------------------------------- */

/* Tree A of the papers is b0 = 2000, m = 8, q = 0.124875; smaller trees have a smaller q. The digests are of another
 * function, so that it is a tree of the same law and not the same tree. */
#define NODE 60.1
enum { CHILDREN = 8 };

struct node {
	struct sim_child child;
	uint64_t digest;
};

static double probability;

static bool has_children(uint64_t digest)
{
	return (double)(digest >> 11) * 0x1p-53 < probability;
}

static void visit(void *node);

static void visit_below(struct node *below, unsigned long n, uint64_t digest)
{
	unsigned long forked = 0;

	for (unsigned long i = 0; i < n; i++) {
		sim_work(NODE);
		below[forked].digest = sim_mix(digest, i);
		if (!has_children(below[forked].digest))
			continue;
		sim_fork(&below[forked].child, visit, &below[forked]);
		forked++;
	}
	while (forked > 0)
		sim_wait(&below[--forked].child);
}

static void visit(void *node)
{
	struct node below[CHILDREN];

	visit_below(below, CHILDREN, ((struct node *)node)->digest);
}

static void uts_run(unsigned long n, unsigned long cut)
{
	probability = (1 - 1 / (double)cut) / CHILDREN;
	visit_below(sim_room(n, sizeof(struct node)), n, 42);
}

const struct sim_tree sim_uts = { "uts", "root's children, nodes below each on average", 2000, 100, 200, 10, uts_run };
