/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Plain accesses of the policies, as the compiler reports them to a race detector (-fsanitize=thread).
 *
 * Where a line is not there it is charged; where it is, the access is free: others run beside it. */
#include "sim/engine.h"

#include <string.h>

#define EACH_SIZE(define) define(1) define(2) define(4) define(8) define(16)

#define SIZE(n) \
	void __tsan_read##n(const void *p); \
	void __tsan_write##n(void *p); \
	void __tsan_unaligned_read##n(const void *p); \
	void __tsan_unaligned_write##n(void *p); \
	void __tsan_volatile_read##n(const void *p); \
	void __tsan_volatile_write##n(void *p); \
	void __tsan_read##n(const void *p) { sim_plain(p, false); } \
	void __tsan_write##n(void *p) { sim_plain(p, true); } \
	void __tsan_unaligned_read##n(const void *p) { sim_plain(p, false); } \
	void __tsan_unaligned_write##n(void *p) { sim_plain(p, true); } \
	void __tsan_volatile_read##n(const void *p) { sim_plain(p, false); } \
	void __tsan_volatile_write##n(void *p) { sim_plain(p, true); }

EACH_SIZE(SIZE)

/* Structures that are copied or cleared: their first line stands for them. */
void __tsan_read_range(const void *p, unsigned long size);
void __tsan_write_range(void *p, unsigned long size);
void __tsan_read_range(const void *p, unsigned long size) { (void)size; sim_plain(p, false); }
void __tsan_write_range(void *p, unsigned long size) { (void)size; sim_plain(p, true); }

/* What clang 16 and newer call for the same. */
void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int byte, size_t size);

void *__tsan_memcpy(void *to, const void *from, size_t size)
{
	return __tsan_memmove(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size)
{
	sim_plain(from, false);
	sim_plain(to, true);
	return memmove(to, from, size);
}

void *__tsan_memset(void *to, int byte, size_t size)
{
	sim_plain(to, true);
	return memset(to, byte, size);
}

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
