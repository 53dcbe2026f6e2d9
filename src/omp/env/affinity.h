/* omp/env/affinity.h -- the routines about places, affinity and the settings, and the text that says where a thread runs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_AFFINITY_H
#define QOMP_AFFINITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qomp_frame;
struct qomp_text;

/* affinity-format-var becomes a copy of the text.  False when out of memory: then it stays as it was. */
bool qomp_affinity_format_set(const char *text);
void qomp_affinity_format_show(struct qomp_text *out);

/* The text with its fields filled in, for a task that the calling thread runs; on stderr, with an end of line.  NULL
 * or nothing: affinity-format-var. */
void qomp_affinity_expand(struct qomp_text *out, const char *text, const struct qomp_frame *f);
void qomp_affinity_show(const char *text, const struct qomp_frame *f);

#pragma GCC visibility push(default)

void omp_display_env(int verbose);

void omp_set_affinity_format(const char *format);
size_t omp_get_affinity_format(char *buffer, size_t size);
void omp_display_affinity(const char *format);
size_t omp_capture_affinity(char *buffer, size_t size, const char *format);

int omp_get_num_places(void);
int omp_get_place_num_procs(int place);
void omp_get_place_proc_ids(int place, int *ids);
int omp_get_place_num(void);
int omp_get_partition_num_places(void);
void omp_get_partition_place_nums(int *places);

/* Fortran's: arguments by reference; the lengths of strings, which end nowhere else and are filled up with blanks,
 * come last. */
void omp_display_env_(const int32_t *verbose);
void omp_display_env_8_(const int64_t *verbose);

void omp_set_affinity_format_(const char *format, size_t format_len);
int32_t omp_get_affinity_format_(char *buffer, size_t buffer_len);
void omp_display_affinity_(const char *format, size_t format_len);
int32_t omp_capture_affinity_(char *buffer, const char *format, size_t buffer_len, size_t format_len);

int32_t omp_get_num_places_(void);
int32_t omp_get_place_num_procs_(const int32_t *place);
int32_t omp_get_place_num_procs_8_(const int64_t *place);
void omp_get_place_proc_ids_(const int32_t *place, int32_t *ids);
void omp_get_place_proc_ids_8_(const int64_t *place, int64_t *ids);
int32_t omp_get_place_num_(void);
int32_t omp_get_partition_num_places_(void);
void omp_get_partition_place_nums_(int32_t *places);
void omp_get_partition_place_nums_8_(int64_t *places);

#pragma GCC visibility pop

#endif
