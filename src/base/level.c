/* base/level.c -- see base/level.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/level.h"

#include "base/ascii.h"

#include <string.h>

static const struct {
	const char *name;
	enum qti_level level;
} level_names[] = {
	{ "pu", QTI_LEVEL_PU },
	{ "core", QTI_LEVEL_CORE },
	{ "l1", QTI_LEVEL_L1 },
	{ "l2", QTI_LEVEL_L2 },
	{ "l3", QTI_LEVEL_L3 },
	{ "l4", QTI_LEVEL_L4 },
	{ "chip", QTI_LEVEL_CHIP },
	{ "numa", QTI_LEVEL_NUMA },
	{ "socket", QTI_LEVEL_SOCKET },
	{ "machine", QTI_LEVEL_MACHINE },
	/* Other names of the same. */
	{ "l1cache", QTI_LEVEL_L1 },
	{ "l2cache", QTI_LEVEL_L2 },
	{ "l3cache", QTI_LEVEL_L3 },
	{ "l4cache", QTI_LEVEL_L4 },
	{ "cache", QTI_LEVEL_L3 },
	{ "node", QTI_LEVEL_NUMA },
};

enum { NLEVEL_NAMES = sizeof(level_names) / sizeof(level_names[0]) };

enum qti_level qti_level_parse(const char *text)
{
	enum qti_level found = QTI_LEVEL_UNSET;
	size_t len = strlen(text);

	for (unsigned i = 0; i < NLEVEL_NAMES && len > 0; i++) {
		if (!qti_ascii_begins(text, level_names[i].name, len))
			continue;
		if (level_names[i].name[len] == '\0')
			return level_names[i].level;
		if (found != QTI_LEVEL_UNSET && found != level_names[i].level)
			return QTI_LEVEL_UNSET;
		found = level_names[i].level;
	}
	return found;
}

const char *qti_level_name(enum qti_level level)
{
	for (unsigned i = 0; i < NLEVEL_NAMES; i++)
		if (level_names[i].level == level)
			return level_names[i].name;
	return "unset";
}
