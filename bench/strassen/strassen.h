/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Product of two dense matrices by Strassen's method, in Winograd's form: seven products of matrices of half the size,
 * and fifteen sums, in place of eight products.  Down to STRASSEN_BASE x STRASSEN_BASE numbers, every product is a
 * task. */
#ifndef BENCH_STRASSEN_STRASSEN_H
#define BENCH_STRASSEN_STRASSEN_H

#include "common/bench.h"

enum { STRASSEN_BASE = 64, STRASSEN_PARTS = 7 };

/* Numbers by rows, which begin step numbers apart. */
struct strassen_matrix {
	double *at;
	size_t step;
};

/* c = a * b, all n x n. */
struct strassen_product {
	struct strassen_matrix a, b, c;
	size_t n;
	unsigned depth; /* of the recursion */
};

/* A product in progress: its parts, and the room that they and their sums take. */
struct strassen_work {
	struct strassen_product part[STRASSEN_PARTS];
	double *room;
};

/* How deep the cut-off lies: products of this depth have no tasks below them. */
extern unsigned long strassen_depth;

struct strassen_product strassen_whole(void);

/* Takes room and does the sums before the parts, which are then independent of each other. */
void strassen_divide(const struct strassen_product *p, struct strassen_work *w);
/* Does the sums after them and gives the room back. */
void strassen_unite(const struct strassen_product *p, struct strassen_work *w);

/* The product of STRASSEN_BASE x STRASSEN_BASE matrices, and any. */
void strassen_base(const struct strassen_product *p);
void strassen_serial(const struct strassen_product *p);

/* Memory for eleven matrices of a quarter of p.  It goes back to be used again by products of the same size: asking the
 * system for fresh pages would take longer than the small products (room.c). */
double *strassen_room_take(const struct strassen_product *p);
void strassen_room_give(const struct strassen_product *p, double *room);

#endif
