/* omp/abi/api_device.c -- the routines about devices.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/api.h"
#include "omp/abi/device.h"
#include "omp/team/start.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void omp_set_default_device(int device)
{
	struct qomp_icv v = *qomp_frame()->icv;

	v.default_device = device >= 0 ? device : QOMP_HOST;
	qomp_icv_set(&v);
}
QOMP_FORTRAN_INTEGER(void, omp_set_default_device)

int omp_get_default_device(void)
{
	return qomp_frame()->icv->default_device;
}
QOMP_FORTRAN_SAME(omp_get_default_device);

int omp_get_num_devices(void)
{
	return 0;
}
QOMP_FORTRAN_SAME(omp_get_num_devices);

int omp_get_device_num(void)
{
	return QOMP_HOST;
}
QOMP_FORTRAN_SAME(omp_get_device_num);

int omp_get_initial_device(void)
{
	return QOMP_HOST;
}
QOMP_FORTRAN_SAME(omp_get_initial_device);

int omp_is_initial_device(void)
{
	return 1;
}
QOMP_FORTRAN_SAME(omp_is_initial_device);

/* --- memory of a device ---------------------------------------------------------------------------------- */

/* From the C library, as programs may expect that free() takes it. */
void *omp_target_alloc(size_t size, int device)
{
	return device == QOMP_HOST ? malloc(size) : NULL;
}

void omp_target_free(void *p, int device)
{
	if (device == QOMP_HOST)
		free(p);
}

int omp_target_is_present(const void *p, int device)
{
	(void)p;
	return device == QOMP_HOST;
}

int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset, int to_device,
                      int from_device)
{
	if (to_device != QOMP_HOST || from_device != QOMP_HOST)
		return EINVAL;
	memcpy((char *)to + to_offset, (const char *)from + from_offset, size);
	return 0;
}

/* One side of the copy: where the part begins, and how many elements there are by dimension. */
struct side {
	char *at;
	const size_t *offsets, *sizes;
};

/* An element of the first of the remaining dimensions spans all of the others'. */
static size_t dimensions_span(size_t element, int dimensions, const size_t *sizes)
{
	for (int i = 1; i < dimensions; i++)
		element *= sizes[i];
	return element;
}

static void copy_part(size_t element, int dimensions, const size_t *volume, struct side to, struct side from)
{
	size_t to_span = dimensions_span(element, dimensions, to.sizes);
	size_t from_span = dimensions_span(element, dimensions, from.sizes);

	to.at += to.offsets[0] * to_span;
	from.at += from.offsets[0] * from_span;
	if (dimensions == 1) {
		memcpy(to.at, from.at, volume[0] * element);
		return;
	}
	for (size_t i = 0; i < volume[0]; i++)
		copy_part(element, dimensions - 1, volume + 1,
		          (struct side){ to.at + i * to_span, to.offsets + 1, to.sizes + 1 },
		          (struct side){ from.at + i * from_span, from.offsets + 1, from.sizes + 1 });
}

int omp_target_memcpy_rect(void *to, const void *from, size_t element, int dimensions, const size_t *volume,
                           const size_t *to_offsets, const size_t *from_offsets, const size_t *to_sizes,
                           const size_t *from_sizes, int to_device, int from_device)
{
	if (!to && !from)
		return INT_MAX;         /* asks how many dimensions there may be */
	if (to_device != QOMP_HOST || from_device != QOMP_HOST || dimensions < 1)
		return EINVAL;
	copy_part(element, dimensions, volume, (struct side){ to, to_offsets, to_sizes },
	          (struct side){ (char *)from, from_offsets, from_sizes });
	return 0;
}

int omp_target_associate_ptr(const void *host, const void *other, size_t size, size_t offset, int device)
{
	(void)host, (void)other, (void)size, (void)offset, (void)device;
	return EINVAL;          /* the host is associated with itself, and there is no other */
}

int omp_target_disassociate_ptr(const void *p, int device)
{
	(void)p, (void)device;
	return EINVAL;
}

/* --- pausing --------------------------------------------------------------------------------------------- */

/* Outside of regions: the team that is kept for the calling thread's next region goes, and the threads that it ran on, with
 * what was threadprivate there. */
int omp_pause_resource_all(int kind)
{
	struct qomp_frame *f = qomp_frame();
	struct qomp_member *m = qomp_member(f);
	struct qomp_team *team = m->idle;

	(void)kind;
	if (f->team->level > 0)
		return -1;
	m->idle = NULL;
	if (team)
		qomp_team_dismiss(team);
	if (!f->parent)
		qomp_stop();
	return 0;
}

int omp_pause_resource(int kind, int device)
{
	return device == QOMP_HOST ? omp_pause_resource_all(kind) : -1;
}

int omp_pause_resource_(const int32_t *kind, const int32_t *device)
{
	return omp_pause_resource(*kind, *device);
}

int omp_pause_resource_all_(const int32_t *kind)
{
	return omp_pause_resource_all(*kind);
}
