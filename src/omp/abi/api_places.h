/* omp/abi/api_places.h -- the routines about places.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Fortran's, which end in `_`, have their arguments by reference; `_8_` is for INTEGER*8.
 */
#ifndef QOMP_API_PLACES_H
#define QOMP_API_PLACES_H

#include <stdint.h>

#pragma GCC visibility push(default)

int omp_get_num_places(void);
int omp_get_place_num_procs(int place);
void omp_get_place_proc_ids(int place, int *ids);
int omp_get_place_num(void);
int omp_get_partition_num_places(void);
void omp_get_partition_place_nums(int *places);

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
