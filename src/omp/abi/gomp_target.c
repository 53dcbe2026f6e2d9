/* omp/abi/gomp_target.c -- target regions, which the host runs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What is mapped is where it was, so regions about data have nothing to do but to wait for what they depend on.  A
 * region without wait is executed at once, as an undeferred task is.
 */
#include "base/mem.h"
#include "omp/abi/api.h"
#include "omp/abi/device.h"
#include "omp/env/text.h"
#include "omp/task/depend.h"
#include "omp/team/standing.h"

#include <string.h>

static void wait_for(void **depend)
{
	if (depend)
		qomp_depend_wait(qomp_frame(), depend);
}

/* What compiled code passes instead of a device's number if there is no device clause, or if the construct is for the
 * host: the clause says omp_initial_device, or the if clause is false. */
enum { NO_DEVICE_CLAUSE = -1, FOR_THE_HOST = -2 };

/* There is only the host, to which all falls back, unless the program or its user says that this must not be. */
static void device_check(int device)
{
	if (device != FOR_THE_HOST)
		(void)qomp_device_is_host(device == NO_DEVICE_CLAUSE ? QOMP_DEVICE_DEFAULT : device);
}

/* --- private copies -------------------------------------------------------------------------------------- */

/* A kind: what becomes of the item in the low byte, the binary logarithm of its alignment above. */
enum { KIND_MASK = 0xff, KIND_FIRSTPRIVATE = 0x0c, KIND_ATTACH = 0x50, KIND_ALIGN_SHIFT = 8 };

static size_t align_of(unsigned short kind)
{
	return (size_t)1 << (kind >> KIND_ALIGN_SHIFT);
}

/* An optional argument of Fortran's that the caller has left out has no address. */
static bool is_private(const void *address, unsigned short kind)
{
	return (kind & KIND_MASK) == KIND_FIRSTPRIVATE && address;
}

/* Where in the block item i goes, after `used` bytes, *most being the largest alignment. */
static size_t argument_place(size_t used, unsigned short kind, size_t *most)
{
	size_t align = align_of(kind);

	if (align > *most)
		*most = align;
	return qti_mem_round(used, align);
}

/* Bytes that all copies take together. */
static size_t room_for(size_t n, void *const *addresses, const size_t *sizes, const unsigned short *kinds, size_t *most)
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (is_private(addresses[i], kinds[i]))
			used = argument_place(used, kinds[i], most) + sizes[i];
	return used;
}

/* From GCC 16 on Fortran's allocatables and pointers are three items: the descriptor, the data, and where their address
 * goes.  That is a place of another item's address, the descriptor's, which is a copy by now, and how many words behind. */
static void copy_attach(void *const *place, size_t words, void *copy)
{
	uintptr_t *descriptor = *place;

	descriptor[words] = (uintptr_t)copy;
}

/* The addresses of what is firstprivate become those of copies in one block, which is returned; NULL: there is none. */
static char *make_private(size_t n, void **addresses, const size_t *sizes, const unsigned short *kinds)
{
	size_t most = _Alignof(max_align_t), bytes = room_for(n, addresses, sizes, kinds, &most), used = 0;
	char *block = bytes ? qti_mem_aligned(most, bytes) : NULL;

	if (bytes && !block)
		qomp_fatal("out of memory for %zu bytes of a target region's private copies", bytes);
	for (size_t i = 0; block && i < n; i++) {
		if (!is_private(addresses[i], kinds[i]))
			continue;
		used = argument_place(used, kinds[i], &most);
		addresses[i] = memcpy(block + used, addresses[i], sizes[i]);
		used += sizes[i];
		if (i + 1 < n && (kinds[i + 1] & KIND_MASK) == KIND_ATTACH)
			copy_attach(addresses[i + 1], sizes[i + 1], addresses[i]);
	}
	return block;
}

/* --- arguments ------------------------------------------------------------------------------------------- */

/* A word each, of which the value is the upper part or, if the bit is set, the word that follows. */
enum { ARG_VALUE_FOLLOWS = 0x80, ARG_WHAT = 0xff00, ARG_THREAD_LIMIT = 0x200, ARG_VALUE_SHIFT = 16 };

static unsigned thread_limit(void **args)
{
	unsigned limit = 0;

	while (args && *args) {
		intptr_t word = (intptr_t)*args++;
		intptr_t value = word & ARG_VALUE_FOLLOWS ? (intptr_t)*args++ : word >> ARG_VALUE_SHIFT;
		if ((word & ARG_WHAT) == ARG_THREAD_LIMIT && value > 0)
			limit = value > INT_MAX ? QOMP_UNLIMITED : (unsigned)value;
	}
	return limit;
}

/* --- regions --------------------------------------------------------------------------------------------- */

static void target_run(void (*fn)(void *), void **addresses, unsigned limit)
{
	struct qomp_frame *f = qomp_frame();
	struct qomp_root *r = qomp_root_enter(f, qomp_icv_initial, NULL);
	struct qomp_icv v = *qomp_icv_initial;

	if (limit != 0) {
		v.thread_limit = limit;
		qomp_icv_set(&v);
	}
	fn(addresses);
	qomp_root_leave(r);
}

void GOMP_target(int device, void (*fn)(void *), const void *unused, size_t n, void **addresses, size_t *sizes,
                 unsigned char *kinds)
{
	device_check(device);
	(void)unused, (void)n, (void)sizes, (void)kinds;
	target_run(fn, addresses, 0);
}

void GOMP_target_ext(int device, void (*fn)(void *), size_t n, void **addresses, size_t *sizes, unsigned short *kinds,
                     unsigned flags, void **depend, void **args)
{
	(void)flags;
	device_check(device);
	wait_for(depend);
	char *copies = make_private(n, addresses, sizes, kinds);
	target_run(fn, addresses, thread_limit(args));
	qti_mem_free(copies);
}

/* --- data ------------------------------------------------------------------------------------------------ */

void GOMP_target_data(int device, const void *unused, size_t n, void **addresses, size_t *sizes, unsigned char *kinds)
{
	device_check(device);
	(void)unused, (void)n, (void)addresses, (void)sizes, (void)kinds;
}

void GOMP_target_data_ext(int device, size_t n, void **addresses, size_t *sizes, unsigned short *kinds)
{
	device_check(device);
	(void)n, (void)addresses, (void)sizes, (void)kinds;
}

void GOMP_target_end_data(void)
{
}

void GOMP_target_update(int device, const void *unused, size_t n, void **addresses, size_t *sizes, unsigned char *kinds)
{
	device_check(device);
	(void)unused, (void)n, (void)addresses, (void)sizes, (void)kinds;
}

void GOMP_target_update_ext(
	int device, size_t n, void **addresses, size_t *sizes, unsigned short *kinds, unsigned flags, void **depend)
{
	device_check(device);
	(void)n, (void)addresses, (void)sizes, (void)kinds, (void)flags;
	wait_for(depend);
}

void GOMP_target_enter_exit_data(int device, size_t n, void **addresses, size_t *sizes, unsigned short *kinds,
                                 unsigned flags, void **depend)
{
	device_check(device);
	(void)n, (void)addresses, (void)sizes, (void)kinds, (void)flags;
	wait_for(depend);
}

/* There is no other code than the host's. */
void *GOMP_target_map_indirect_ptr(void *p)
{
	return p;
}
