/* omp/env/other.c -- see omp/env/other.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/env/other.h"

#include "base/environ.h"
#include "base/mem.h"
#include "omp/env/icv.h"
#include "omp/env/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* --- LLVM's and Intel's ---------------------------------------------------------------------------------- */

/* What such a runtime leaves for others of its kind when it begins: "ADDRESS-FLAG-FILE", and the flag at that address.
 * It lies in shared memory; in the environment, where older ones put it and newer ones that get no shared memory. */
enum entry_place {
	ENTRY_SHARED,
	ENTRY_OF_USER,
	ENTRY_OF_PROCESS,
	ENTRY_PLACES
};

static bool entry_read(enum entry_place place, char *text, size_t size)
{
	static const char directory[] = "/dev/shm/";
	char path[64];
	const char *name = path + sizeof(directory) - 1;

	snprintf(path, sizeof(path), "%s__KMP_REGISTERED_LIB_%d_%d", directory, (int)getpid(), (int)getuid());
	if (place != ENTRY_SHARED) {
		if (place == ENTRY_OF_PROCESS)
			*strrchr(path, '_') = '\0';
		const char *value = qti_environ_value(name);
		return value && (size_t)snprintf(text, size, "%s", value) < size;
	}
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* An entry may be that of an earlier process with this number, whose address is nothing here. */
static bool is_alive(uintptr_t address, uint32_t flag)
{
	uint32_t word;
	struct iovec here = { &word, sizeof(word) }, there = { (void *)address, sizeof(word) };

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == sizeof(word) && word == flag;
}

void qomp_other_warn(void)
{
	char text[1024], file[256];
	unsigned long address;
	unsigned flag;

	if (qomp_settings.duplicate_ok)
		return;
	/* One that is dead, of a process that was killed, does not hide another one that is not. */
	for (unsigned place = 0; place < ENTRY_PLACES; place++) {
		if (!entry_read(place, text, sizeof(text)) ||
		    sscanf(text, "%lx-%x-%255s", &address, &flag, file) != 3 || !is_alive(address, flag))
			continue;
		qomp_warn("%s is at work in this process, too, with threads of its own; qtrun --why tells who is "
			"linked with it, KMP_DUPLICATE_LIB_OK=true says that this is meant", file);
		return;
	}
}

/* --- GCC's ----------------------------------------------------------------------------------------------- */

#ifdef PIC

#include <dlfcn.h>
#include <link.h>

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

static int library_is_libgomp(struct dl_phdr_info *library, size_t size, void *unused)
{
	(void)size, (void)unused;
	return strstr(library->dlpi_name, "libgomp") != NULL;
}

/* Asked of the list of what is loaded first: dlopen searches the linker's cache and opens the file,
 * even with RTLD_NOLOAD. */
static void *libgomp_loaded(void)
{
	return dl_iterate_phdr(library_is_libgomp, NULL) ? dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

unsigned qomp_other_procs(struct qti_affinity *a)
{
	void *library = libgomp_loaded();
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
