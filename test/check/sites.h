/* test/check/sites.h -- where in the sources the orders stand that a unit comes by.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef CHECK_SITES_H
#define CHECK_SITES_H

#include <stdbool.h>
#include <stddef.h>

enum { SITES_MAX = 256, SITE_LINE = 200 };

/* Lines below src/ with an order that is not relaxed; several places in the program may be of one line. */
struct site_line {
	char where[SITE_LINE];          /* file:line */
	char text[SITE_LINE];           /* what stands there */
};

/* All that have been come by since sites_forget.  Their number. */
unsigned sites_lines(struct site_line *line, unsigned most);
void sites_forget(void);

/* What is weaker than an order, by one step: relaxed, or one half of two. */
enum weaker { WEAKER_FIRST, WEAKER_SECOND, WEAKERS };

/* From now on the orders of this line are weaker; NULL: of none.  Its name, NULL: there is none that is weaker so. */
const char *sites_weaken(const struct site_line *line, enum weaker how);

/* file:line of a place in the program. */
const char *site_name(const void *site, char *buffer, size_t bytes);

#endif
