/* omp/abi/api_interop.c -- interoperability objects, of which there are none: no foreign runtime runs on the host.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The interop construct leaves omp_interop_none in its variables, and waits as its depend clause says.
 */
#include "omp/abi/api.h"
#include "omp/abi/device.h"
#include "omp/abi/gomp_tasking.h"

/* of omp_interop_property_t */
enum { PROPERTY_FIRST = -9, PROPERTY_LAST = -1 };

/* of omp_interop_rc_t */
enum { RC_TYPE_STR = -5, RC_TYPE_PTR, RC_TYPE_INT, RC_OUT_OF_RANGE, RC_EMPTY, RC_SUCCESS, RC_NO_VALUE };

enum { INTEROP_NOWAIT = 1 };

static bool is_property(int property)
{
	return property >= PROPERTY_FIRST && property <= PROPERTY_LAST;
}

static void no_property(int property, int *rc)
{
	if (rc)
		*rc = is_property(property) ? RC_EMPTY : RC_OUT_OF_RANGE;
}

int omp_get_num_interop_properties(const void *interop)
{
	(void)interop;
	return 0;               /* beyond those that every implementation has */
}

intptr_t omp_get_interop_int(const void *interop, int property, int *rc)
{
	(void)interop;
	no_property(property, rc);
	return 0;
}

void *omp_get_interop_ptr(const void *interop, int property, int *rc)
{
	(void)interop;
	no_property(property, rc);
	return NULL;
}

const char *omp_get_interop_str(const void *interop, int property, int *rc)
{
	(void)interop;
	no_property(property, rc);
	return NULL;
}

const char *omp_get_interop_name(const void *interop, int property)
{
	static const char *const name[] = {
		"targetsync", "device_context", "device", "platform", "device_num", "vendor_name", "vendor", "fr_name",
		"fr_id",
	};

	(void)interop;
	return is_property(property) ? name[property - PROPERTY_FIRST] : NULL;
}

const char *omp_get_interop_type_desc(const void *interop, int property)
{
	(void)interop, (void)property;
	return NULL;
}

const char *omp_get_interop_rc_desc(const void *interop, int rc)
{
	static const char *const text[] = {
		"the property is a string: ask omp_get_interop_str",
		"the property is a pointer: ask omp_get_interop_ptr",
		"the property is an integer: ask omp_get_interop_int",
		"there is no property of that number",
		"the object is omp_interop_none",
		"success",
		"the property has no value that means something",
	};

	(void)interop;
	return rc >= RC_TYPE_STR && rc <= RC_NO_VALUE ? text[rc - RC_TYPE_STR] : NULL;
}

void omp_get_interop_str_(const char **result, size_t *length, const void *interop, int32_t property, int32_t *rc)
{
	qomp_fortran_string(omp_get_interop_str(interop, property, rc), result, length);
}

void omp_get_interop_name_(const char **result, size_t *length, const void *interop, int32_t property)
{
	qomp_fortran_string(omp_get_interop_name(interop, property), result, length);
}

void omp_get_interop_type_desc_(const char **result, size_t *length, const void *interop, int32_t property)
{
	qomp_fortran_string(omp_get_interop_type_desc(interop, property), result, length);
}

void omp_get_interop_rc_desc_(const char **result, size_t *length, const void *interop, int32_t rc)
{
	qomp_fortran_string(omp_get_interop_rc_desc(interop, rc), result, length);
}

void GOMP_interop(int device, int ninit, void ***init, const int *kinds, const char **prefer, int nuse, void **use,
                  int ndestroy, void ***destroy, unsigned flags, void **depend)
{
	(void)kinds, (void)prefer, (void)nuse, (void)use;
	if (ninit > 0)
		(void)qomp_device_is_host(device);
	for (int i = 0; i < ninit; i++)
		*init[i] = NULL;
	for (int i = 0; i < ndestroy; i++)
		*destroy[i] = NULL;
	if (!depend)
		return;
	if (flags & INTEROP_NOWAIT)
		GOMP_taskwait_depend_nowait(depend);
	else
		GOMP_taskwait_depend(depend);
}
