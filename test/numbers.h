/* test/numbers.h -- what a queue gives, one after the other, as text: "0 1 2".
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_NUMBERS_H
#define QTI_TEST_NUMBERS_H

#include <stdio.h>

enum { NUMBERS_BYTES = 2048 };

/* Calls next() until it returns a negative number or the text is full.  The text is good until the next call. */
static inline const char *numbers_text(int (*next)(void))
{
	static char text[NUMBERS_BYTES];
	size_t at = 0;

	text[0] = '\0';
	for (int i; at < sizeof(text) && (i = next()) >= 0;)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%d", at ? " " : "", i);
	return text;
}

#endif
