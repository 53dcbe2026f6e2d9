/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Dense operations on blocks, stored by rows.
 *
 * Each is written as rows that take multiples of other rows off themselves.  Every number is worked on in the same
 * order whoever calls, so that all versions end with the same bits. */
#include "sparselu/sparselu.h"

/* y -= a * x over n numbers.  Unrolled, as how a short loop happens to be aligned would decide between the versions. */
static inline void row_minus(float *restrict y, const float *restrict x, float a, size_t n)
{
#pragma GCC unroll 8
	for (size_t j = 0; j < n; j++)
		y[j] -= a * x[j];
}

void sparselu_kernel_factor(float *d, size_t side)
{
	for (size_t k = 0; k < side; k++)
		for (size_t i = k + 1; i < side; i++) {
			d[i * side + k] /= d[k * side + k];
			row_minus(d + i * side + k + 1, d + k * side + k + 1, d[i * side + k], side - k - 1);
		}
}

void sparselu_kernel_right(const float *d, float *b, size_t side)
{
	for (size_t k = 0; k < side; k++)
		for (size_t i = k + 1; i < side; i++)
			row_minus(b + i * side, b + k * side, d[i * side + k], side);
}

void sparselu_kernel_below(const float *d, float *b, size_t side)
{
	for (size_t i = 0; i < side; i++)
		for (size_t k = 0; k < side; k++) {
			b[i * side + k] /= d[k * side + k];
			row_minus(b + i * side + k + 1, d + k * side + k + 1, b[i * side + k], side - k - 1);
		}
}

void sparselu_kernel_update(const float *below, const float *right, float *b, size_t side)
{
	for (size_t i = 0; i < side; i++)
		for (size_t k = 0; k < side; k++)
			row_minus(b + i * side, right + k * side, below[i * side + k], side);
}
