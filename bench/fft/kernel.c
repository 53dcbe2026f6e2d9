/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "fft/fft.h"

#include <math.h>

typedef struct fft_number number;

static inline number add(number a, number b)
{
	return (number){ a.re + b.re, a.im + b.im };
}

static inline number sub(number a, number b)
{
	return (number){ a.re - b.re, a.im - b.im };
}

static inline number mul(number a, number b)
{
	return (number){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

/* -i a: a quarter turn in the direction of the transform. */
static inline number turn(number a)
{
	return (number){ a.im, -a.re };
}

/* exp(-2 pi i k / n) */
static inline number root(size_t k, size_t n)
{
	const double angle = -2 * M_PI * (double)k / (double)n;

	return (number){ cos(angle), sin(angle) };
}

/* The transform of four numbers, into y at 0, step, 2 * step and 3 * step. */
static inline void four(number *y, size_t step, number a, number b, number c, number d)
{
	const number s = add(a, c), t = sub(a, c), u = add(b, d), v = turn(sub(b, d));

	y[0] = add(s, u);
	y[step] = add(t, v);
	y[2 * step] = sub(s, u);
	y[3 * step] = sub(t, v);
}

/* The transform of x[0], ..., x[7] into y at multiples of step. */
static inline void eight(number *y, size_t step, const number *x)
{
	const double half = M_SQRT1_2;
	const number a = sub(x[0], x[4]), b = sub(x[1], x[5]), c = sub(x[2], x[6]), d = sub(x[3], x[7]);

	four(y, 2 * step, add(x[0], x[4]), add(x[1], x[5]), add(x[2], x[6]), add(x[3], x[7]));
	four(y + step, 2 * step, a, (number){ half * (b.re + b.im), half * (b.im - b.re) }, turn(c),
		(number){ half * (d.im - d.re), -half * (d.re + d.im) });
}

void fft_coefficients(const struct fft_step *s, size_t a, size_t b)
{
	number *roots = fft_roots(s->level);

	for (size_t i = a; i < b; i++)
		roots[i] = root(i, s->n);
}

void fft_unshuffle(const struct fft_step *s, size_t a, size_t b)
{
	const size_t m = s->n / FFT_RADIX;

	for (size_t i = a; i < b; i++)
		for (size_t k = 0; k < FFT_RADIX; k++)
			s->out[k * m + i] = s->in[i * FFT_RADIX + k];
}

void fft_twiddle(const struct fft_step *s, size_t a, size_t b)
{
	const size_t m = s->n / FFT_RADIX;
	const number *roots = fft_roots(s->level);

	for (size_t i = a; i < b; i++) {
		const number *in = s->in + i, w = roots[i], w2 = mul(w, w), w3 = mul(w2, w), w4 = mul(w2, w2);
		const number x[FFT_RADIX] = { in[0], mul(in[m], w), mul(in[2 * m], w2), mul(in[3 * m], w3),
			mul(in[4 * m], w4), mul(in[5 * m], mul(w4, w)), mul(in[6 * m], mul(w3, w3)),
			mul(in[7 * m], mul(w4, w3)) };
		eight(s->out + i, m, x);
	}
}

static number leaf_roots[FFT_LEAF / 2];

void fft_leaf_roots(void)
{
	for (size_t i = 0; i < FFT_LEAF / 2; i++)
		leaf_roots[i] = root(i, FFT_LEAF);
}

/* The transform of n <= FFT_LEAF numbers of x, which lie step apart. */
static void leaf(const number *x, size_t step, number *y, size_t n)
{
	if (n == 8) {
		const number each[8] = { x[0], x[step], x[2 * step], x[3 * step], x[4 * step], x[5 * step], x[6 * step],
			x[7 * step] };
		eight(y, 1, each);
		return;
	}
	if (n == 1) {
		y[0] = x[0];
		return;
	}
	leaf(x, 2 * step, y, n / 2);
	leaf(x + step, 2 * step, y + n / 2, n / 2);
	for (size_t i = 0; i < n / 2; i++) {
		const number even = y[i], odd = mul(y[i + n / 2], leaf_roots[i * (FFT_LEAF / n)]);
		y[i] = add(even, odd);
		y[i + n / 2] = sub(even, odd);
	}
}

void fft_leaf(const struct fft_step *s)
{
	leaf(s->in, 1, s->out, s->n);
}

void fft_serial(const struct fft_step *s)
{
	const size_t m = s->n / FFT_RADIX;

	if (s->n <= FFT_LEAF) {
		fft_leaf(s);
		return;
	}
	fft_unshuffle(s, 0, m);
	for (size_t k = 0; k < FFT_RADIX; k++) {
		const struct fft_step part = fft_below(s, k);
		fft_serial(&part);
	}
	fft_twiddle(s, 0, m);
}
