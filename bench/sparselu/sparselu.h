/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* LU factorization of a sparse matrix of square blocks, in place and without pivoting.
 *
 * The matrix has n x n blocks of block x block numbers, most of which are missing, that is zero.  Step k factors the
 * diagonal block, divides the blocks right of it by its lower and those below it by its upper triangle, and then takes
 * the product of each block below and each block to the right off the block where their rows and columns meet, which
 * comes into being if it was missing.  Every operation on a block but the diagonal one is a task; where tasks wait for
 * nothing but the blocks that they need (--tasks depend), that one, too.
 *
 * Which blocks there are is the business of whoever makes the tasks, who claims a block before the task that writes
 * it. */
#ifndef BENCH_SPARSELU_SPARSELU_H
#define BENCH_SPARSELU_SPARSELU_H

#include <stdbool.h>
#include <stddef.h>

enum sparselu_tasks { SPARSELU_SINGLE, SPARSELU_FOR, SPARSELU_DEPEND };

/* --tasks; ended by NULL.  Versions without dependences have the shorter table. */
extern const char *const sparselu_tasks_names[];
extern const char *const sparselu_all_tasks_names[];
extern unsigned sparselu_tasks; /* an enum sparselu_tasks */

/* Blocks a side.  Fixed once the options are read, as are the addresses of blocks. */
unsigned sparselu_side(void);
unsigned long sparselu_operations(void); /* of a factorization, those on the diagonal among them */
float *sparselu_block(unsigned i, unsigned j);

/* Is block (i, j) there? */
bool sparselu_has(unsigned i, unsigned j);
/* Makes it be there; true if it was missing, so that its first update has to start from zeros. */
bool sparselu_claim(unsigned i, unsigned j);

/* The four operations. */
void sparselu_factor(unsigned k);
void sparselu_right(unsigned k, unsigned j);
void sparselu_below(unsigned i, unsigned k);
void sparselu_update(unsigned i, unsigned j, unsigned k, bool fresh);

/* What the operations do to blocks of side numbers (kernel.c). */
void sparselu_kernel_factor(float *d, size_t side);
void sparselu_kernel_right(const float *d, float *b, size_t side);
void sparselu_kernel_below(const float *d, float *b, size_t side);
void sparselu_kernel_update(const float *below, const float *right, float *b, size_t side);

#endif
