/* omp/abi/gomp_misc.c -- the error directive, and what programs with code for devices call when they start.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/device.h"
#include "omp/tool/tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As libgomp writes it, for what looks at a program's messages.  length: SIZE_MAX means that the message ends with a
 * 0. */
static void error_say(const char *how, const char *message, size_t length)
{
	flockfile(stderr);
	fprintf(stderr, "\nlibgomp: %serror directive encountered", how);
	if (message) {
		fputs(": ", stderr);
		fwrite(message, 1, length == SIZE_MAX ? strlen(message) : length, stderr);
	}
	fputc('\n', stderr);
	funlockfile(stderr);
}

static void error_tell(ompt_severity_t severity, const char *message, size_t length)
{
	if (qomp_tool_here())
		qomp_tell_error(severity, message, message && length == SIZE_MAX ? strlen(message) : length);
}

void GOMP_warning(const char *message, size_t length)
{
	qomp_tool_called();
	error_tell(ompt_warning, message, length);
	error_say("", message, length);
}

void GOMP_error(const char *message, size_t length)
{
	qomp_tool_called();
	error_tell(ompt_fatal, message, length);
	error_say("fatal error: ", message, length);
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
