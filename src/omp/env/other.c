/* omp/env/other.c -- see omp/env/other.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/env/other.h"

#ifdef PIC

#include "base/mem.h"

#include <dlfcn.h>

/* Its routines under our names would be ours. */
static struct {
	int (*num_procs)(void);
	int (*num_places)(void);
	int (*place_num_procs)(int place);
	void (*place_proc_ids)(int place, int *ids);
} its;

static bool symbol_find(void *library, const char *name, void *function)
{
	*(void **)function = dlsym(library, name);
	return *(void **)function != NULL;
}

/* Ours under that name is no other library. */
static bool is_ours(int (*routine)(void))
{
	Dl_info this, that;

	return dladdr(&its, &this) && dladdr(*(void **)&routine, &that) && this.dli_fbase == that.dli_fbase;
}

static bool find_all(void *library)
{
	return symbol_find(library, "omp_get_num_procs", &its.num_procs) &&
		symbol_find(library, "omp_get_num_places", &its.num_places) &&
		symbol_find(library, "omp_get_place_num_procs", &its.place_num_procs) &&
		symbol_find(library, "omp_get_place_proc_ids", &its.place_proc_ids) &&
			!is_ours(its.num_places);
}

static void add_place(struct qti_affinity *a, int place)
{
	int n = its.place_num_procs(place), *ids = n > 0 ? qti_mem_alloc((size_t)n * sizeof(*ids)) : NULL;

	if (!ids)
		return;
	its.place_proc_ids(place, ids);
	for (int i = 0; i < n; i++)
		if (ids[i] >= 0 && ids[i] < QTI_CPUS_MAX)
			a->bits[ids[i] / 64] |= UINT64_C(1) << (ids[i] % 64);
	qti_mem_free(ids);
}

unsigned qomp_other_procs(struct qti_affinity *a)
{
	void *library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
	int places = 0, procs = 0;

	if (!library)
		return 0;
	if (find_all(library)) {
		places = its.num_places();
		procs = its.num_procs();
		for (int i = 0; i < places; i++)
			add_place(a, i);
	}
	dlclose(library);
	return places > 0 && procs > 0 ? (unsigned)procs : 0;
}

#else

/* Nothing is preloaded into an archive. */
unsigned qomp_other_procs(struct qti_affinity *a)
{
	(void)a;
	return 0;
}

#endif
