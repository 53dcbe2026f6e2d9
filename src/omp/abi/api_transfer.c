/* omp/abi/api_transfer.c -- copying from and to a device, which is the host; at once or by a task.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The asynchronous routines are a task with those dependences, as compiled code would create it: what they are given is
 * looked at by the caller, and what can be wrong with it is said by the return value.
 */
#include "base/mem.h"
#include "omp/abi/api.h"
#include "omp/abi/device.h"
#include "omp/abi/gomp_tasking.h"
#include "omp/env/text.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

static bool between_hosts(int to_device, int from_device)
{
	return qomp_device_is_host(to_device) && qomp_device_is_host(from_device);
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

/* What GOMP_task takes: 0, the number of all items, those that write, mutexinoutsets and readers; then pointers to
 * objects. */
enum { DEPEND_HEAD = 5, DEPEND_NUMBER = 1 };

static void **depend_clause(int n, struct qomp_depend_object *objects)
{
	void **depend = qti_mem_zalloc(sizeof(*depend) * (DEPEND_HEAD + (size_t)n));

	if (!depend)
		qomp_fatal("out of memory for %d dependences of a transfer", n);
	depend[DEPEND_NUMBER] = (void *)(uintptr_t)n;
	for (int i = 0; i < n; i++)
		depend[DEPEND_HEAD + i] = &objects[i];
	return depend;
}

/* fn will be called with a copy of data. */
static void transfer_later(void (*fn)(void *), void *data, size_t size, int n, struct qomp_depend_object *objects)
{
	void **depend = n > 0 ? depend_clause(n, objects) : NULL;

	GOMP_task(fn, data, NULL, (long)size, (long)_Alignof(max_align_t), true, depend ? GOMP_TASK_DEPEND : 0, depend,
		0, NULL);
	qti_mem_free(depend);
}

/* --- bytes ----------------------------------------------------------------------------------------------- */

int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset, int to_device,
                      int from_device)
{
	if (!between_hosts(to_device, from_device))
		return EINVAL;
	if (size != 0)
		memcpy((char *)to + to_offset, (const char *)from + from_offset, size);
	return 0;
}

struct copy {
	char *to;
	const char *from;
	size_t size;
};

static void copy_run(void *data)
{
	const struct copy *c = data;

	memcpy(c->to, c->from, c->size);
}

int omp_target_memcpy_async(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
	int to_device, int from_device, int ndepend, struct qomp_depend_object *depend)
{
	struct copy c = { (char *)to + to_offset, (const char *)from + from_offset, size };

	if (!between_hosts(to_device, from_device))
		return EINVAL;
	transfer_later(copy_run, &c, sizeof(c), ndepend, depend);
	return 0;
}

struct fill {
	void *at;
	int byte;
	size_t size;
};

static void fill_run(void *data)
{
	const struct fill *f = data;

	memset(f->at, f->byte, f->size);
}

/* There is no other memory: a device that is none falls back to the host's. */
void *omp_target_memset(void *p, int byte, size_t size, int device)
{
	(void)qomp_device_is_host(device);
	return size != 0 ? memset(p, byte, size) : p;
}

void *omp_target_memset_async(
	void *p, int byte, size_t size, int device, int ndepend, struct qomp_depend_object *depend)
{
	struct fill f = { p, byte, size };

	(void)qomp_device_is_host(device);
	transfer_later(fill_run, &f, sizeof(f), ndepend, depend);
	return p;
}

/* --- parts of arrays ------------------------------------------------------------------------------------- */

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
	if (!between_hosts(to_device, from_device) || dimensions < 1)
		return EINVAL;
	copy_part(element, dimensions, volume, (struct side){ to, to_offsets, to_sizes },
	          (struct side){ (char *)from, from_offsets, from_sizes });
	return 0;
}

/* The five arrays follow: they need not outlive the call. */
struct rect {
	void *to;
	const void *from;
	size_t element, dimensions;
	size_t numbers[];
};

enum { RECT_VOLUME, RECT_TO_OFFSETS, RECT_FROM_OFFSETS, RECT_TO_SIZES, RECT_FROM_SIZES, RECT_ARRAYS };

static size_t *rect_array(struct rect *r, size_t array)
{
	return r->numbers + array * r->dimensions;
}

static void rect_run(void *data)
{
	struct rect *r = *(struct rect **)data;

	copy_part(r->element, (int)r->dimensions, rect_array(r, RECT_VOLUME),
	          (struct side){ r->to, rect_array(r, RECT_TO_OFFSETS), rect_array(r, RECT_TO_SIZES) },
	          (struct side){ (char *)r->from, rect_array(r, RECT_FROM_OFFSETS), rect_array(r, RECT_FROM_SIZES) });
	qti_mem_free(r);
}

int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int dimensions, const size_t *volume,
                                 const size_t *to_offsets, const size_t *from_offsets, const size_t *to_sizes,
                                 const size_t *from_sizes, int to_device, int from_device, int ndepend,
                                 struct qomp_depend_object *depend)
{
	const size_t *const arrays[RECT_ARRAYS] = { volume, to_offsets, from_offsets, to_sizes, from_sizes };
	struct rect *r;

	if (!to && !from)
		return INT_MAX;
	if (!between_hosts(to_device, from_device) || dimensions < 1)
		return EINVAL;
	const size_t n = (size_t)dimensions;
	r = qti_mem_alloc(sizeof(*r) + sizeof(r->numbers[0]) * RECT_ARRAYS * n);
	if (!r)
		return ENOMEM;
	*r = (struct rect){ to, from, element, n };
	for (size_t i = 0; i < RECT_ARRAYS; i++)
		memcpy(rect_array(r, i), arrays[i], sizeof(size_t) * n);
	transfer_later(rect_run, &r, sizeof(r), ndepend, depend);
	return 0;
}
