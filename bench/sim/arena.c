/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* base/mem.h out of one piece of addresses, used from its beginning in each run: what shares a line does so in
 * every run, whatever the C library does.  Nothing is given back before the run ends. */
#include "base/mem.h"
#include "sim/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define ARENA_BYTES ((size_t)16 << 30)  /* of addresses: pages are committed when touched */
enum { LINE = 64 };

static char *arena;
static size_t used;

bool (*qti_mem_fault)(void);

/* The linker's: the program's own variables. */
extern char __data_start[], _end[];

static char *data_begin(void)
{
	return (char *)((uintptr_t)__data_start & ~(uintptr_t)(LINE - 1));
}

static size_t data_lines(void)
{
	return (size_t)(_end - data_begin()) / LINE + 1;
}

size_t sim_arena_lines(void)
{
	return 1 + data_lines() + ARENA_BYTES / LINE;
}

size_t sim_arena_line(const void *word)
{
	const char *p = word;

	if (p >= arena && p < arena + used)
		return 1 + data_lines() + (size_t)(p - arena) / LINE;
	if (p >= data_begin() && p < _end)
		return 1 + (size_t)(p - data_begin()) / LINE;
	return 0;
}

const void *sim_arena_word(size_t line)
{
	return line < 1 + data_lines() ? data_begin() + (line - 1) * LINE : arena + (line - 1 - data_lines()) * LINE;
}

void *sim_addresses(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED) {
		fprintf(stderr, "sim: this process may not have %zu MiB of addresses\n", bytes >> 20);
		exit(2);
	}
	return p;
}

void sim_arena_reset(void)
{
	if (arena)
		munmap(arena, ARENA_BYTES);
	arena = sim_addresses(ARENA_BYTES);
	used = 0;
}

static void *take(size_t align, size_t size)
{
	size_t at = qti_mem_round(used, align);

	if (!arena)
		sim_arena_reset();
	if (size > ARENA_BYTES - at)
		return NULL;
	used = at + size;
	return arena + at;
}

void *qti_mem_alloc(size_t size)
{
	return take(16, size);
}

void *qti_mem_zalloc(size_t size)
{
	return take(16, size);          /* never used before */
}

void *qti_mem_aligned(size_t align, size_t size)
{
	return take(align, size);
}

void qti_mem_free(void *p)
{
	(void)p;
}

void *qti_mem_map(size_t size)
{
	return take(qti_mem_page(), size);
}

void qti_mem_unmap(void *p, size_t size)
{
	(void)p;
	(void)size;
}

void qti_mem_commit(void *p, size_t size)
{
	(void)p;
	(void)size;
}

size_t qti_mem_page(void)
{
	return 4096;
}
