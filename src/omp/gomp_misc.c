/* omp/gomp_misc.c -- the error directive, and what programs with code for devices call when they start.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/device.h"
#include "omp/text.h"

#include <stdlib.h>
#include <string.h>

/* length: SIZE_MAX means that the message ends with a 0. */
static void say(const char *message, size_t length)
{
	if (message && length == SIZE_MAX)
		length = strlen(message);
	if (message)
		qomp_warn("error directive encountered: %.*s", length > 256 ? 256 : (int)length, message);
	else
		qomp_warn("error directive encountered");
}

void GOMP_warning(const char *message, size_t length)
{
	say(message, length);
}

void GOMP_error(const char *message, size_t length)
{
	say(message, length);
	exit(EXIT_FAILURE);
}

/* An image that a device could run is of no use here: the host's code is in the program. */

void GOMP_offload_register(const void *table, int type, const void *image)
{
	(void)table, (void)type, (void)image;
}

void GOMP_offload_unregister(const void *table, int type, const void *image)
{
	(void)table, (void)type, (void)image;
}

void GOMP_offload_register_ver(unsigned version, const void *table, int type, const void *image)
{
	(void)version, (void)table, (void)type, (void)image;
}

void GOMP_offload_unregister_ver(unsigned version, const void *table, int type, const void *image)
{
	(void)version, (void)table, (void)type, (void)image;
}
