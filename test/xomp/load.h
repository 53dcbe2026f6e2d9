/* test/xomp/load.h -- many bytes for a task to have a copy of.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_XOMP_LOAD_H
#define QTI_TEST_XOMP_LOAD_H

#include <string.h>

enum { LOAD_PARTS = 40 };

struct load {
	double part[LOAD_PARTS];
	const char *name;
	long long number;
};

static inline struct load load_make(int i)
{
	struct load l = { .name = "load", .number = i };

	for (int k = 0; k < LOAD_PARTS; k++)
		l.part[k] = i + k;
	return l;
}

static inline double load_weigh(const struct load *l)
{
	double sum = 0;

	for (int k = 0; k < LOAD_PARTS; k++)
		sum += l->part[k];
	return strcmp(l->name, "load") == 0 && l->part[0] == (double)l->number ? sum : -1e9;
}

static inline void load_spoil(struct load *l)
{
	memset(l, 0xa5, sizeof(*l));
}

#endif
