/* omp/abi/kmpc_error.c -- the error directive, as clang calls it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_region.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FILE:LINE:COLUMN of a place ";FILE;FUNCTION;LINE;COLUMN;;". */
static void print_place(const struct kmpc_ident *loc)
{
	char *source = strdup(loc && loc->source ? loc->source : ""), *rest = source, *field[5] = { NULL };

	for (int i = 0; i < 5 && rest; i++)
		field[i] = strsep(&rest, ";");
	if (field[4])
		fprintf(stderr, "%s:%s:%s: ", field[1], field[3], field[4]);
	free(source);
}

/* As libomp writes it, for what looks at a program's messages. */
void __kmpc_error(struct kmpc_ident *loc, int32_t severity, const char *message)
{
	bool fatal = severity == KMPC_SEVERITY_FATAL;

	flockfile(stderr);
	fprintf(stderr, "OMP: %s: ", fatal ? "Error #282" : "Warning #283");
	print_place(loc);
	fprintf(stderr, "Encountered user-directed %s: %s.\n", fatal ? "error" : "warning", message ? message : "");
	funlockfile(stderr);
	if (fatal)
		abort();
}
