/* omp/abi/api_places.c -- the routines about places.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/api_places.h"

#include "omp/env/env.h"
#include "omp/env/places.h"
#include "omp/team/bind.h"
#include "omp/team/standing.h"

static unsigned places(void)
{
	return qomp_settings_known() ? qomp_places.n : 0;
}

int omp_get_num_places(void)
{
	return (int)places();
}

static int32_t place_size(int64_t place)
{
	return place >= 0 && place < places() ? (int32_t)qomp_place_size((unsigned)place) : 0;
}

int omp_get_place_num_procs(int place)
{
	return place_size(place);
}

void omp_get_place_proc_ids(int place, int *ids)
{
	for (unsigned i = 0, n = (unsigned)place_size(place); i < n; i++)
		ids[i] = (int)qomp_place_cpus((unsigned)place)[i];
}

static struct qomp_spot spot_asked(void)
{
	return places() > 0 ? qomp_bind_where(qomp_frame_asked()) : (struct qomp_spot){ 0 };
}

/* -1: the thread is not bound. */
int omp_get_place_num(void)
{
	return places() > 0 ? (int)spot_asked().place : -1;
}

int omp_get_partition_num_places(void)
{
	return (int)spot_asked().n;
}

void omp_get_partition_place_nums(int *places)
{
	struct qomp_spot spot = spot_asked();

	for (unsigned i = 0; i < spot.n; i++)
		places[i] = (int)(spot.first + i);
}

/* ---- The same for Fortran --------------------------------------------------------------------------------------- */

int32_t omp_get_num_places_(void)
{
	return omp_get_num_places();
}

int32_t omp_get_place_num_procs_(const int32_t *place)
{
	return place_size(*place);
}

int32_t omp_get_place_num_procs_8_(const int64_t *place)
{
	return place_size(*place);
}

void omp_get_place_proc_ids_(const int32_t *place, int32_t *ids)
{
	omp_get_place_proc_ids(*place, ids);
}

void omp_get_place_proc_ids_8_(const int64_t *place, int64_t *ids)
{
	for (unsigned i = 0, n = (unsigned)place_size(*place); i < n; i++)
		ids[i] = qomp_place_cpus((unsigned)*place)[i];
}

int32_t omp_get_place_num_(void)
{
	return omp_get_place_num();
}

int32_t omp_get_partition_num_places_(void)
{
	return omp_get_partition_num_places();
}

void omp_get_partition_place_nums_(int32_t *places)
{
	omp_get_partition_place_nums(places);
}

void omp_get_partition_place_nums_8_(int64_t *places)
{
	struct qomp_spot spot = spot_asked();

	for (unsigned i = 0; i < spot.n; i++)
		places[i] = spot.first + i;
}
