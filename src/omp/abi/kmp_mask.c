/* omp/abi/kmp_mask.c -- sets of CPUs, and binding the calling thread to one.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmp.h"

#include "base/mem.h"
#include "machine/topo.h"
#include "omp/abi/api.h"
#include "omp/env/env.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <unistd.h>

void kmp_create_affinity_mask(void **mask)
{
	*mask = qti_mem_zalloc(sizeof(struct qti_affinity));
}

void kmp_destroy_affinity_mask(void **mask)
{
	qti_mem_free(*mask);
	*mask = NULL;
}

int kmp_get_affinity_max_proc(void)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);

	return n < 1 ? 1 : n > QTI_CPUS_MAX ? QTI_CPUS_MAX : (int)n;
}

enum { NO_SUCH_CPU = -1, NOT_ALLOWED = -2 };

/* 0: the process may run there. */
static int cpu_check(int cpu, void **mask)
{
	if (!mask || !*mask || cpu < 0 || cpu >= kmp_get_affinity_max_proc())
		return NO_SUCH_CPU;
	return qti_affinity_has(qomp_settings_cpus(), (unsigned)cpu) ? 0 : NOT_ALLOWED;
}

static uint64_t *word_of(void **mask, int cpu)
{
	return &((struct qti_affinity *)*mask)->bits[cpu / 64];
}

int kmp_set_affinity_mask_proc(int cpu, void **mask)
{
	int error = cpu_check(cpu, mask);

	if (!error)
		*word_of(mask, cpu) |= UINT64_C(1) << cpu % 64;
	return error;
}

int kmp_unset_affinity_mask_proc(int cpu, void **mask)
{
	int error = cpu_check(cpu, mask);

	if (!error)
		*word_of(mask, cpu) &= ~(UINT64_C(1) << cpu % 64);
	return error;
}

/* 1: the CPU is in the set. */
int kmp_get_affinity_mask_proc(int cpu, void **mask)
{
	int error = cpu_check(cpu, mask);

	return error == NO_SUCH_CPU ? error : !error && qti_affinity_has(*mask, (unsigned)cpu);
}

int kmp_set_affinity(void **mask)
{
	const struct qti_affinity *a = mask ? *mask : NULL;

	if (!a)
		return NO_SUCH_CPU;
	return sched_setaffinity(0, sizeof(a->bits), (const cpu_set_t *)(const void *)a->bits) == 0 ? 0 : errno;
}

int kmp_get_affinity(void **mask)
{
	if (!mask || !*mask)
		return NO_SUCH_CPU;
	qti_affinity_save(*mask);
	return ((struct qti_affinity *)*mask)->valid ? 0 : NO_SUCH_CPU;
}

void kmp_set_thread_affinity_mask_initial(void)
{
	qti_affinity_restore(qomp_settings_cpus());
}

#define C_FORM(name, of) extern __typeof__(of) name __attribute__((alias(#of))) QOMP_EXPORT
C_FORM(kmpc_set_affinity_mask_proc, kmp_set_affinity_mask_proc);
C_FORM(kmpc_unset_affinity_mask_proc, kmp_unset_affinity_mask_proc);
C_FORM(kmpc_get_affinity_mask_proc, kmp_get_affinity_mask_proc);

/* A mask is a reference already. */
QOMP_FORTRAN_SAME(kmp_create_affinity_mask);
QOMP_FORTRAN_SAME(kmp_destroy_affinity_mask);
QOMP_FORTRAN_SAME(kmp_set_affinity);
QOMP_FORTRAN_SAME(kmp_get_affinity);
QOMP_FORTRAN_SAME(kmp_get_affinity_max_proc);

QOMP_EXPORT int kmp_set_affinity_mask_proc_(const int *cpu, void **mask);
QOMP_EXPORT int kmp_unset_affinity_mask_proc_(const int *cpu, void **mask);
QOMP_EXPORT int kmp_get_affinity_mask_proc_(const int *cpu, void **mask);

int kmp_set_affinity_mask_proc_(const int *cpu, void **mask)
{
	return kmp_set_affinity_mask_proc(*cpu, mask);
}

int kmp_unset_affinity_mask_proc_(const int *cpu, void **mask)
{
	return kmp_unset_affinity_mask_proc(*cpu, mask);
}

int kmp_get_affinity_mask_proc_(const int *cpu, void **mask)
{
	return kmp_get_affinity_mask_proc(*cpu, mask);
}
