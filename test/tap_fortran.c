/* test/tap_fortran.c -- tap.h for Fortran, which calls nothing that takes a varying number of arguments.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * test/omp/tap.inc has the interfaces.  Texts end in a NUL; a default LOGICAL is an int, as GFortran has it.
 */
#include "tap.h"

#include <stdlib.h>

void tap_f_plan(int checks);
void tap_f_ok(int good, const char *name);
void tap_f_done(void);

void tap_f_plan(int checks)
{
	plan((unsigned)checks);
}

void tap_f_ok(int good, const char *name)
{
	tap_ok("Fortran", 0, good != 0, "%s", name);
}

/* Ends the program: Fortran 2008 has no exit status of its own. */
void tap_f_done(void)
{
	exit(done());
}
