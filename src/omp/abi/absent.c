/* omp/abi/absent.c -- what programs could ask libgomp for and is not here: OpenACC, and what plugins for devices call.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A name that the library lacked would be bound to another libgomp without a word, which knows nothing of our threads.
 */
#include "omp/env/text.h"

static void fatal_absent(const char *name) __attribute__((noreturn, cold));

static void fatal_absent(const char *name)
{
	qomp_fatal("%s: neither OpenACC nor devices are supported", name);
}

#define ABSENT(name) \
	void name(void) __attribute__((noreturn, cold, visibility("default"))); \
	void name(void) \
	{ \
		fatal_absent(#name); \
	}

/* One line ABSENT(name) for each name at a version of OpenACC or of the plugins in libqomp.map. */
#include "omp/abi/absent.inc"
