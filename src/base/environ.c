/* base/environ.c -- see base/environ.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The C library's variable has several names; __environ is the one that the C library itself uses.  If the program
 * refers to the variable, the linker gives the program a copy, and the C library uses that copy.  A library that is
 * loaded with RTLD_DEEPBIND finds the original instead, which is NULL for ever.  So if the variable is NULL, the loader
 * is asked which one the program has.
 *
 * The loader is asked while this library is loaded: its lock is this thread's then.  Later another thread might hold
 * it, and wait for the one that reads settings.
 */
#include "base/environ.h"

#include "base/atomic.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static char *nothing[] = { NULL };

static QTI_AT_LOAD char ***variable = &__environ;
static QTI_AT_LOAD bool asked;          /* the loader, once: a program may empty its environment later */

/* A program that is linked statically may lack both, and has only one variable. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlclose

static char ***variable_of_program(void)
{
	void *program = dlopen && dlsym && dlclose ? dlopen(NULL, RTLD_LAZY) : NULL;
	char ***found = NULL;

	if (program) {
		found = dlsym(program, "__environ");
		dlclose(program);
	}
	return found ? found : &__environ;
}

char **qti_environ(void)
{
	char ***at = load_rlx(&variable);

	if (!*at && !load_rlx(&asked)) {
		store_rlx(&asked, true);
		at = variable_of_program();
		store_rlx(&variable, at);
	}
	return *at ? *at : nothing;
}

/* Before all constructors that read settings, even if the program links both libraries statically. */
__attribute__((constructor(101))) static void find_when_loaded(void)
{
	(void)qti_environ();
	store_rlx(&asked, true);
}

const char *qti_environ_value(const char *name)
{
	size_t length = strlen(name);

	for (char **e = qti_environ(); *e; e++)
		if (strncmp(*e, name, length) == 0 && (*e)[length] == '=')
			return *e + length + 1;
	return NULL;
}
