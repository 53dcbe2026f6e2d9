/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* A task's argument lies in its forker's frame, which stays until it has read the words of all its tasks, newest first:
 * the order in which a last-in first-out scheduler would run them anyway. */
#include "fft/fft.h"

#include <qthread/qthread.h>

struct range {
	const struct fft_step *step;
	fft_part part;
	size_t a, b;
};

static void fork_one(qthread_f body, const void *arg, aligned_t *done)
{
	if (qthread_fork(body, arg, done))
		bench_fail("fft", "out of memory for a task");
}

static aligned_t halve(void *arg)
{
	const struct range *r = arg;
	const size_t middle = r->a + (r->b - r->a) / 2;
	aligned_t done[2];

	if (r->b - r->a <= FFT_GRAIN) {
		r->part(r->step, r->a, r->b);
		return 0;
	}
	const struct range low = { r->step, r->part, r->a, middle }, high = { r->step, r->part, middle, r->b };
	fork_one(halve, &low, &done[0]);
	fork_one(halve, &high, &done[1]);
	qthread_readFF(NULL, &done[1]);
	qthread_readFF(NULL, &done[0]);
	return 0;
}

/* All places of s, with tasks for ranges of them. */
static void each_place(const struct fft_step *s, fft_part part)
{
	struct range all = { s, part, 0, s->n / FFT_RADIX };

	halve(&all);
}

static aligned_t transform(void *arg)
{
	const struct fft_step *s = arg;
	struct fft_step below[FFT_RADIX];
	aligned_t done[FFT_RADIX];

	if (s->n <= FFT_LEAF || (bench_cutoff == BENCH_MANUAL && s->level >= fft_depth)) {
		fft_serial(s);
		return 0;
	}
	each_place(s, fft_unshuffle);
	for (size_t k = 0; k < FFT_RADIX; k++) {
		below[k] = fft_below(s, k);
		fork_one(transform, &below[k], &done[k]);
	}
	for (size_t k = FFT_RADIX; k-- > 0;)
		qthread_readFF(NULL, &done[k]);
	each_place(s, fft_twiddle);
	return 0;
}

static void parallel(void)
{
	struct fft_step whole = fft_whole(), s = whole;

	for (; s.n > FFT_LEAF; s = fft_below(&s, 0))
		each_place(&s, fft_coefficients);
	transform(&whole);
}

const struct bench_version bench_version = { .parallel = parallel };
