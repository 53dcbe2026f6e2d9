/* ds/qalloc.c -- maps: the public calls over ds/units.h and ds/mapfile.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "qthread/qalloc.h"

#include "base/diag.h"
#include "base/forked.h"
#include "base/mem.h"
#include "ds/units.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

struct map {
	struct units units;
	struct map *next;
};

static pthread_mutex_t maps_lock = PTHREAD_MUTEX_INITIALIZER;
static struct map *maps;                /* under the lock */

static void take_maps(void)
{
	pthread_mutex_lock(&maps_lock);
	for (struct map *m = maps; m; m = m->next)
		qti_units_take_all(&m->units);
}

static void drop_maps(void)
{
	for (struct map *m = maps; m; m = m->next)
		qti_units_drop_all(&m->units);
	pthread_mutex_unlock(&maps_lock);
}

QTI_FORKED(QTI_FORKED_LOCKS, take_maps, drop_maps, NULL)

/* --- making and loading ---------------------------------------------------------------------------------- */

static void *map_refuse(const char *call, const char *filename, int error, const char *why)
{
	qti_warn("%s: %s: %s", call, filename ? filename : "no file name", why ? why : strerror(error));
	errno = error;
	return NULL;
}

static void *open_map(const char *call, const struct mapfile_request *request)
{
	struct map *m = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*m));
	const char *why;

	if (!m)
		return map_refuse(call, request->name, ENOMEM, NULL);
	int rc = qti_mapfile_open(&m->units.file, request, &why);
	if (rc != 0) {
		qti_mem_free(m);
		return map_refuse(call, request->name, rc, why);
	}
	qti_units_begin(&m->units, request->streams ? request->streams : m->units.file.header->streams);
	pthread_mutex_lock(&maps_lock);
	m->next = maps;
	maps = m;
	pthread_mutex_unlock(&maps_lock);
	return m;
}

static void *make_map(const char *call, struct mapfile_request *request, off_t filesize)
{
	const uintptr_t address = (uintptr_t)request->address;

	if (!request->name || filesize <= 0 || request->item == 0 || request->item > INT64_MAX / 4)
		return map_refuse(call, request->name, EINVAL, NULL);
	if (address % qti_mem_page() != 0)
		return map_refuse(call, request->name, EINVAL, "the address is not a multiple of the page size");
	request->room = (uint64_t)filesize;
	request->may_create = true;
	if (request->streams == 0)
		request->streams = 1;
	return open_map(call, request);
}

void *qalloc_makestatmap(off_t const filesize, void *addr, char const *filename, size_t itemsize, size_t const streams)
{
	return make_map("qalloc_makestatmap", &(struct mapfile_request){
		.name = filename, .kind = MAPFILE_STATIC, .item = itemsize, .address = addr,
		.streams = streams }, filesize);
}

void *qalloc_makedynmap(off_t const filesize, void *addr, char const *filename, size_t const streams)
{
	return make_map("qalloc_makedynmap", &(struct mapfile_request){
		.name = filename, .kind = MAPFILE_DYNAMIC, .item = MAPFILE_GRANULE, .address = addr,
		.streams = streams }, filesize);
}

void *qalloc_loadmap(char const *filename)
{
	if (!filename)
		return map_refuse("qalloc_loadmap", filename, EINVAL, NULL);
	return open_map("qalloc_loadmap", &(struct mapfile_request){ .name = filename });
}

/* --- writing and closing --------------------------------------------------------------------------------- */

static void map_complain(const char *call, const struct map *m, int error)
{
	if (error)
		qti_warn("%s: the map at %p: %s", call, (void *)m->units.file.header, strerror(error));
}

void qalloc_checkpoint(void)
{
	pthread_mutex_lock(&maps_lock);
	for (struct map *m = maps; m; m = m->next)
		map_complain("qalloc_checkpoint", m, qti_mapfile_sync(&m->units.file));
	pthread_mutex_unlock(&maps_lock);
}

void qalloc_cleanup(void)
{
	struct map *next;

	pthread_mutex_lock(&maps_lock);
	for (struct map *m = maps; m; m = next) {
		next = m->next;
		map_complain("qalloc_cleanup", m, qti_mapfile_close(&m->units.file));
		qti_mem_free(m);
	}
	maps = NULL;
	pthread_mutex_unlock(&maps_lock);
}

/* --- blocks ---------------------------------------------------------------------------------------------- */

static bool is_static(const struct map *m)
{
	return !m->units.file.heads;
}

/* Threads are dealt out in turn. */
static unsigned my_stream(void)
{
	static unsigned next;
	static __thread unsigned mine;

	if (mine == 0)
		mine = add_rlx(&next, 1) + 1;
	return mine - 1;
}

static void *block_at(const struct map *m, uint64_t unit)
{
	if (unit != UNITS_NONE)
		return m->units.file.units + unit * m->units.file.header->unit;
	errno = ENOMEM;
	return NULL;
}

static void *map_take(struct map *m, size_t size)
{
	const uint64_t unit = m->units.file.header->unit;

	if (!is_static(m))
		return block_at(
			m, qti_units_take_run(&m->units, my_stream(), size ? size / unit + (size % unit != 0) : 1));
	if (size <= m->units.file.header->item)
		return block_at(m, qti_units_take_one(&m->units, my_stream()));
	errno = EINVAL;
	return NULL;
}

/* Which unit a block begins with; UNITS_NONE if no block can begin there. */
static uint64_t unit_of(const struct map *m, const void *block)
{
	const uint64_t unit = m->units.file.header->unit;
	const uint64_t offset = (uintptr_t)block - (uintptr_t)m->units.file.units;

	return offset % unit == 0 && offset / unit < m->units.file.header->nunits ? offset / unit : UNITS_NONE;
}

static void map_give(const char *call, struct map *m, void *block)
{
	const uint64_t unit = unit_of(m, block);

	if (unit != UNITS_NONE &&
	    (is_static(m) ? qti_units_give_one(&m->units, unit) : qti_units_give_run(&m->units, unit)))
		return;
	qti_warn("%s: %p is not an allocated block of the map", call, block);
}

void *qalloc_malloc(void *map, size_t size)
{
	if (map)
		return map_take(map, size);
	errno = EINVAL;
	return NULL;
}

void *qalloc_statmalloc(mapinfo_t *map)
{
	struct map *m = (struct map *)map;

	if (m && is_static(m))
		return map_take(m, 0);
	errno = EINVAL;
	return NULL;
}

void *qalloc_dynmalloc(dynmapinfo_t *map, size_t size)
{
	struct map *m = (struct map *)map;

	if (m && !is_static(m))
		return map_take(m, size);
	errno = EINVAL;
	return NULL;
}

static void give_to(const char *call, struct map *m, void *block, bool right_kind)
{
	if (!block)
		return;
	if (m && right_kind)
		map_give(call, m, block);
	else
		qti_warn("%s: %s", call, m ? "the map is of the other kind" : "no map");
}

void qalloc_free(void *block, void *map)
{
	give_to("qalloc_free", map, block, true);
}

void qalloc_statfree(void *block, mapinfo_t *map)
{
	struct map *m = (struct map *)map;

	give_to("qalloc_statfree", m, block, m && is_static(m));
}

void qalloc_dynfree(void *block, dynmapinfo_t *map)
{
	struct map *m = (struct map *)map;

	give_to("qalloc_dynfree", m, block, m && !is_static(m));
}
