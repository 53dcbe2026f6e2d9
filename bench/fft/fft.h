/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Fourier transform of n = 2^k complex numbers, by Cooley and Tukey's recursion.
 *
 * A transform of n numbers sorts them into FFT_RADIX lots of m = n / FFT_RADIX (unshuffle), transforms each lot, and
 * puts the lots' numbers together with powers of roots of unity (twiddle), for each of m places.  The roots are found
 * first, once for each level of the recursion.  Up to FFT_LEAF numbers are transformed at once.
 *
 * Tasks: each transform below the first one; and where something is done for a range of places, both halves of it, down
 * to ranges of FFT_GRAIN. */
#ifndef BENCH_FFT_FFT_H
#define BENCH_FFT_FFT_H

#include "common/bench.h"

enum { FFT_RADIX = 8, FFT_LEAF = 32, FFT_GRAIN = 128 };

struct fft_number {
	double re, im;
};

/* One transform of the recursion.  What is at in becomes rubbish. */
struct fft_step {
	struct fft_number *in, *out;
	size_t n;
	unsigned level; /* of the recursion; the whole transform has 0 */
};

/* How deep the cut-off lies: transforms of this level have no tasks below them. */
extern unsigned long fft_depth;

/* The whole transform.  Good until the next repetition. */
struct fft_step fft_whole(void);

/* Transform number k of the FFT_RADIX ones below s. */
static inline struct fft_step fft_below(const struct fft_step *s, size_t k)
{
	const size_t m = s->n / FFT_RADIX;

	return (struct fft_step){ s->out + k * m, s->in + k * m, m, s->level + 1 };
}

/* What is done for places a to b - 1 of a transform; each place is on its own. */
typedef void (*fft_part)(const struct fft_step *s, size_t a, size_t b);
void fft_coefficients(const struct fft_step *s, size_t a, size_t b);
void fft_unshuffle(const struct fft_step *s, size_t a, size_t b);
void fft_twiddle(const struct fft_step *s, size_t a, size_t b);

/* Transforms up to FFT_LEAF numbers. */
void fft_leaf(const struct fft_step *s);
/* Any transform, its coefficients found. */
void fft_serial(const struct fft_step *s);

/* Where the coefficients of a level are, one for each place (fft.c), and makes known those of leaves (kernel.c). */
struct fft_number *fft_roots(unsigned level);
void fft_leaf_roots(void);

#endif
