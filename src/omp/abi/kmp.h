/* omp/abi/kmp.h -- the routines that LLVM's and Intel's <omp.h> have besides OpenMP's.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A name that ends in `_` is Fortran's, whose arguments are references; kmpc_ and ompc_ are what C programs call where
 * the plain name is Fortran's in some versions.
 */
#ifndef QOMP_KMP_H
#define QOMP_KMP_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

/* kmp_tuning.c: milliseconds that threads look before they sleep; whether regions have threads; bytes of their
 * stacks. */
void kmp_set_blocktime(int ms);
int kmp_get_blocktime(void);
void kmp_set_library(int kind);
int kmp_get_library(void);
void kmp_set_library_serial(void);
void kmp_set_library_turnaround(void);
void kmp_set_library_throughput(void);
void kmp_set_stacksize(int bytes);
void kmp_set_stacksize_s(size_t bytes);
int kmp_get_stacksize(void);
size_t kmp_get_stacksize_s(void);
void kmp_set_defaults(const char *settings);
void kmp_set_disp_num_buffers(int n);
void kmp_set_warnings_on(void);
void kmp_set_warnings_off(void);
int kmp_get_num_known_threads(void);

/* kmp_memory.c */
void *kmp_malloc(size_t size);
void *kmp_aligned_malloc(size_t size, size_t align);
void *kmp_calloc(size_t n, size_t size);
void *kmp_realloc(void *p, size_t size);
void kmp_free(void *p);

/* kmp_mask.c: sets of CPUs.  0: done. */
void kmp_create_affinity_mask(void **mask);
void kmp_destroy_affinity_mask(void **mask);
int kmp_set_affinity_mask_proc(int cpu, void **mask);
int kmp_unset_affinity_mask_proc(int cpu, void **mask);
int kmp_get_affinity_mask_proc(int cpu, void **mask);
int kmp_set_affinity(void **mask);
int kmp_get_affinity(void **mask);
int kmp_get_affinity_max_proc(void);
void kmp_set_thread_affinity_mask_initial(void);

#pragma GCC visibility pop

#endif
