/* tools/qtrun_mpi.c -- see tools/qtrun_mpi.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each libqmpi needs the library of one MPI, under the name that its ABI has: libmpi.so.40, say.  The one that fits
 * needs the same as the program does.
 */
#include "tools/qtrun_mpi.h"

#include "tools/qtrun_fail.h"
#include "tools/qtrun_needs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Under QTRUN_MPI_PATH, as src/mpi.am installs them. */
static const char *const kinds[] = { "openmpi", "mpich" };

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static bool is_mpi(const char *file)
{
	return strncmp(file, "libmpi.so.", 10) == 0 || strncmp(file, "libmpich.so.", 12) == 0;
}

/* "<TAB>NAME => PATH (ADDRESS)": what MPI is called in a file or its libraries; false: there is none. */
static bool mpi_of(const char *file, const char *loader, char name[NAME_MAX + 1])
{
	struct qtrun_trace trace;
	char *line;

	name[0] = '\0';
	if (!qtrun_trace_begin(&trace, loader, file, NULL, NULL))
		return false;
	while ((line = qtrun_trace_line(&trace)) != NULL) {
		size_t length = line[0] == '\t' ? strcspn(line + 1, " ") : 0;
		if (!name[0] && length > 0 && length <= NAME_MAX && is_mpi(line + 1))
			snprintf(name, NAME_MAX + 1, "%.*s", (int)length, line + 1);
	}
	qtrun_trace_end(&trace);
	return name[0] != '\0';
}

static const char *directory(void)
{
	const char *named = getenv("QTRUN_MPI_DIRECTORY");

	return named && named[0] ? named : QTRUN_MPI_PATH;
}

static char *path_of(const char *kind)
{
	char *path;

	if (asprintf(&path, "%s/%s/libqmpi.so.1", directory(), kind) < 0)
		qtrun_fail(QTRUN_REFUSED, "%s", strerror(ENOMEM));
	return path;
}

char *qtrun_mpi_named(const char *name)
{
	for (unsigned i = 0; i < KINDS; i++) {
		if (strcmp(name, kinds[i]) != 0)
			continue;
		char *path = path_of(name), *real = realpath(path, NULL);
		if (!real)
			qtrun_fail(QTRUN_REFUSED, "--mpi=%s: %s: %s", name, path, strerror(errno));
		free(path);
		return real;
	}
	qtrun_fail(QTRUN_USAGE, "--mpi=%s: allowed: openmpi or mpich", name);
}

char *qtrun_mpi_library(const char *who, const char *program, const char *loader)
{
	char wanted[NAME_MAX + 1], name[NAME_MAX + 1], *path, *real = NULL;

	if (!mpi_of(program, loader, wanted))
		qtrun_fail(QTRUN_REFUSED, "--mpi: %s is not linked with Open MPI or MPICH; if it loads one, say "
			"--mpi=openmpi or --mpi=mpich, and --force", who);
	for (unsigned i = 0; i < KINDS && !real; i++) {
		path = path_of(kinds[i]);
		if (access(path, R_OK) == 0 && mpi_of(path, loader, name) && strcmp(name, wanted) == 0)
			real = realpath(path, NULL);
		free(path);
	}
	if (!real)
		qtrun_fail(QTRUN_REFUSED, "--mpi: %s is linked with %s, and there is no libqmpi for it in %s", who,
			wanted, directory());
	return real;
}
