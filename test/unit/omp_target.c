/* test/unit/omp_target.c -- what a target region gets that is firstprivate, as GCC's compiled code hands it over.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gfortran 16 makes three items of an allocatable array: its descriptor, its data, and where the data's address goes.
 */
#include "tap.h"

#include <stddef.h>
#include <stdint.h>

extern void GOMP_target_ext(int device, void (*fn)(void *), size_t n, void **addresses, size_t *sizes, unsigned short *kinds,
                            unsigned flags, void **depend, void **args);

/* With the alignment's logarithm. */
enum { FIRSTPRIVATE_4 = 0x20c, FIRSTPRIVATE_8 = 0x30c, ATTACH = 0x50, NO_DEVICE_CLAUSE = -1 };

struct descriptor {
	long before;
	int *data;
	long n;
};

static struct descriptor *seen;
static int *seen_data, first;

static void region(void *arg)
{
	struct descriptor *d = ((void **)arg)[0];

	seen = d;
	seen_data = d->data;
	if (d->data) {
		first = d->data[0];
		d->data[0] = 5;
	}
	d->n = 7;
}

static void call(struct descriptor *d, unsigned short attach)
{
	void *addresses[] = { d, d->data, addresses };
	size_t sizes[] = { sizeof(*d), 4 * sizeof(int), offsetof(struct descriptor, data) / sizeof(uintptr_t) };
	unsigned short kinds[] = { FIRSTPRIVATE_8, FIRSTPRIVATE_4, attach };

	GOMP_target_ext(NO_DEVICE_CLAUSE, region, attach ? 3 : 2, addresses, sizes, kinds, 0, NULL, NULL);
}

int main(void)
{
	int data[4] = { 1, 2, 3, 4 };
	struct descriptor d = { 0, data, 4 }, unallocated = { 0, NULL, 0 };

	plan(4);
	call(&d, ATTACH);
	ok(seen != &d && seen_data != data && first == 1, "an allocatable's descriptor and data are copies");
	ok(data[0] == 1 && d.n == 4 && d.data == data, "what the region changes is its own");
	call(&d, 0);
	ok(seen != &d && seen_data == data, "a descriptor alone, as compilers before make it, points to the data");
	call(&unallocated, ATTACH);
	ok(seen != &unallocated && seen_data == NULL && unallocated.n == 0, "one that is not allocated stays so");
	return done();
}
