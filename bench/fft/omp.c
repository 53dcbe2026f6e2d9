/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "fft/fft.h"

/* All places from a to b, with tasks for ranges of them. */
static void halve(const struct fft_step *s, fft_part part, size_t a, size_t b)
{
	const size_t middle = a + (b - a) / 2;

	if (b - a <= FFT_GRAIN) {
		part(s, a, b);
		return;
	}
#pragma omp task default(none) firstprivate(s, part, a, middle)
	halve(s, part, a, middle);
#pragma omp task default(none) firstprivate(s, part, middle, b)
	halve(s, part, middle, b);
#pragma omp taskwait
}

static void halve_if(const struct fft_step *s, fft_part part, size_t a, size_t b)
{
	const size_t middle = a + (b - a) / 2;

	if (b - a <= FFT_GRAIN) {
		part(s, a, b);
		return;
	}
#pragma omp task default(none) firstprivate(s, part, a, middle) if (s->level < fft_depth)
	halve_if(s, part, a, middle);
#pragma omp task default(none) firstprivate(s, part, middle, b) if (s->level < fft_depth)
	halve_if(s, part, middle, b);
#pragma omp taskwait
}

/* Tasks below a final task are final, too: ranges need no clause of their own.
 *
 * The transforms below lie here rather than in their tasks: libomp, when a task with a false if clause has a structure
 * of its own, does not copy it. */
static void transform(const struct fft_step *s)
{
	struct fft_step below[FFT_RADIX];
	const size_t m = s->n / FFT_RADIX;

	if (s->n <= FFT_LEAF || (bench_cutoff == BENCH_MANUAL && s->level >= fft_depth)) {
		fft_serial(s);
		return;
	}
	halve(s, fft_unshuffle, 0, m);
	for (size_t k = 0; k < FFT_RADIX; k++) {
		const struct fft_step *part = &below[k];
		below[k] = fft_below(s, k);
		if (bench_cutoff == BENCH_FINAL) {
#pragma omp task default(none) firstprivate(part) final(part->level >= fft_depth) mergeable
			transform(part);
		} else {
#pragma omp task default(none) firstprivate(part)
			transform(part);
		}
	}
#pragma omp taskwait
	halve(s, fft_twiddle, 0, m);
}

static void transform_if(const struct fft_step *s)
{
	struct fft_step below[FFT_RADIX];
	const size_t m = s->n / FFT_RADIX;

	if (s->n <= FFT_LEAF) {
		fft_serial(s);
		return;
	}
	halve_if(s, fft_unshuffle, 0, m);
	for (size_t k = 0; k < FFT_RADIX; k++) {
		const struct fft_step *part = &below[k];
		below[k] = fft_below(s, k);
#pragma omp task default(none) firstprivate(part) if (s->level < fft_depth)
		transform_if(part);
	}
#pragma omp taskwait
	halve_if(s, fft_twiddle, 0, m);
}

static void whole_transform(void)
{
	const struct fft_step whole = fft_whole();
	struct fft_step s = whole;

	for (; s.n > FFT_LEAF; s = fft_below(&s, 0))
		halve(&s, fft_coefficients, 0, s.n / FFT_RADIX);
	(bench_cutoff == BENCH_IF ? transform_if : transform)(&whole);
}

static void parallel(void)
{
#pragma omp parallel
#pragma omp single
	whole_transform();
}

const struct bench_version bench_version = { .parallel = parallel };
