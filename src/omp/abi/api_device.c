/* omp/abi/api_device.c -- the routines about devices.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/api.h"
#include "omp/abi/device.h"
#include "omp/env/env.h"
#include "omp/env/text.h"
#include "omp/team/standing.h"
#include "omp/team/start.h"
#include "omp/team/teams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int device_meant(int device)
{
	return device == QOMP_DEVICE_DEFAULT ? omp_get_default_device() : device;
}

static bool is_host(int device)
{
	return device == QOMP_HOST || device == QOMP_DEVICE_INITIAL;
}

bool qomp_device_is_host(int device)
{
	device = device_meant(device);
	if (is_host(device))
		return true;
	qomp_settings_read();
	bool mandatory = qomp_settings.offload == QOMP_OFFLOAD_MANDATORY;
	if (mandatory && device == QOMP_DEVICE_INVALID)
		qomp_refuse("OMP_TARGET_OFFLOAD=mandatory: the program needs a device, and there is only the host");
	if (mandatory)
		qomp_refuse("OMP_TARGET_OFFLOAD=mandatory: the program needs device %d, and there is only the host",
			device);
	if (device == QOMP_DEVICE_INVALID)
		qomp_refuse("omp_invalid_device (%d) is no device to use", device);
	return false;
}

/* A number that is no device's is kept: who uses it is told then. */
void omp_set_default_device(int device)
{
	struct qomp_icv v = *qomp_frame()->icv;

	if (device == QOMP_DEVICE_DEFAULT)
		return;
	v.default_device = device;
	qomp_icv_set(&v);
}
QOMP_FORTRAN_INTEGER(void, omp_set_default_device)

int omp_get_default_device(void)
{
	struct qomp_icv room;

	return qomp_icv_asked(&room)->default_device;
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

/* --- the host's name ------------------------------------------------------------------------------------- */

static const char host_uid[] = "OMP_INITIAL_DEVICE";

const char *omp_get_uid_from_device(int device)
{
	return is_host(device_meant(device)) ? host_uid : NULL;
}

int omp_get_device_from_uid(const char *uid)
{
	return uid && strcmp(uid, host_uid) == 0 ? QOMP_DEVICE_INITIAL : QOMP_DEVICE_INVALID;
}

void omp_get_uid_from_device_(const char **result, size_t *length, int32_t device)
{
	qomp_fortran_string(omp_get_uid_from_device(device), result, length);
}

void omp_get_uid_from_device_8_(const char **result, size_t *length, int64_t device)
{
	omp_get_uid_from_device_(result, length, qomp_to_int(device));
}

int omp_get_device_from_uid_(const char *uid, size_t length)
{
	const bool same = length == strlen(host_uid) && memcmp(uid, host_uid, length) == 0;

	return same ? QOMP_DEVICE_INITIAL : QOMP_DEVICE_INVALID;
}

/* --- memory of a device ---------------------------------------------------------------------------------- */

/* From the C library, as programs may expect that free() takes it. */
void *omp_target_alloc(size_t size, int device)
{
	return qomp_device_is_host(device) ? malloc(size) : NULL;
}

void omp_target_free(void *p, int device)
{
	if (qomp_device_is_host(device))
		free(p);
}

int omp_target_is_present(const void *p, int device)
{
	return qomp_device_is_host(device) && p;
}

int omp_target_is_accessible(const void *p, size_t size, int device)
{
	return qomp_device_is_host(device) && p && size != 0;
}

void *omp_get_mapped_ptr(const void *p, int device)
{
	return qomp_device_is_host(device) ? (void *)p : NULL;
}

int omp_target_associate_ptr(const void *host, const void *other, size_t size, size_t offset, int device)
{
	(void)host, (void)other, (void)size, (void)offset;
	(void)qomp_device_is_host(device);
	return EINVAL;          /* the host is associated with itself, and there is no other */
}

int omp_target_disassociate_ptr(const void *p, int device)
{
	(void)p;
	(void)qomp_device_is_host(device);
	return EINVAL;
}

/* --- pausing --------------------------------------------------------------------------------------------- */

/* Outside of regions: the team that is kept for the calling thread's next region goes, and the threads that it ran on,
 * with what was threadprivate there. */
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
	return qomp_device_is_host(device) ? omp_pause_resource_all(kind) : -1;
}

int omp_pause_resource_(const int32_t *kind, const int32_t *device)
{
	return omp_pause_resource(*kind, *device);
}

int omp_pause_resource_all_(const int32_t *kind)
{
	return omp_pause_resource_all(*kind);
}
