/* test/check/run.h -- one execution after the other.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef CHECK_RUN_H
#define CHECK_RUN_H

#include "check/check.h"

#include <stdio.h>

/* Makes the execution that is due; what has failed in it, or NULL.  more: added to the bounds. */
const char *explore_run(const struct check_unit *u, unsigned more, bool tell);

/* Which one is due: the first of all, the one after the last that was made (false: that was the last of all), one at
 * random, or the one with these choices (false: they cannot be read). */
void explore_first(void);
bool explore_next(void);
void explore_random(uint64_t seed);
bool explore_given(const char *choices);

/* From here on an execution that accesses what is not there fails. */
void explore_catch(void);

/* The choices of the last one. */
void explore_print(FILE *to);

#endif
