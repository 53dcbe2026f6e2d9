/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The loops of bench/loop as OpenMP has them; the one object that is compiled for it. */
#include "loop/loop.h"

#include <omp.h>
#include <stdio.h>

void loop_omp_triad(const struct loop_arrays *arrays, size_t n)
{
	const struct loop_arrays l = *arrays;

#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < n; i++)
		loop_triad(&l, i);
}

void loop_omp_iterate(const struct loop_arrays *arrays, size_t n)
{
	const struct loop_arrays l = *arrays;

#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < n; i++)
		loop_iterate(&l, i);
}

const char *loop_omp_name(void)
{
	static char text[80];

	snprintf(text, sizeof(text), "OpenMP, %d threads, %s", omp_get_max_threads(),
		omp_get_proc_bind() == omp_proc_bind_false ? "not bound (OMP_PROC_BIND)" : "bound");
	return text;
}
