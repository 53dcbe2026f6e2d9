/* omp/abi/api_affinity.h -- the routines about the text that says where a thread runs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In Fortran's, which end in `_`, the lengths of strings come last: they end nowhere else, and are filled up with
 * blanks.
 */
#ifndef QOMP_API_AFFINITY_H
#define QOMP_API_AFFINITY_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

void omp_set_affinity_format(const char *format);
size_t omp_get_affinity_format(char *buffer, size_t size);
void omp_display_affinity(const char *format);
size_t omp_capture_affinity(char *buffer, size_t size, const char *format);

void omp_set_affinity_format_(const char *format, size_t format_len);
int32_t omp_get_affinity_format_(char *buffer, size_t buffer_len);
void omp_display_affinity_(const char *format, size_t format_len);
int32_t omp_capture_affinity_(char *buffer, const char *format, size_t buffer_len, size_t format_len);

#pragma GCC visibility pop

#endif
