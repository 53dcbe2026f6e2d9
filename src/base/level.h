/* base/level.h -- levels of the hardware, and their names.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_BASE_LEVEL_H
#define QTI_BASE_LEVEL_H

/* Levels of the hardware, smallest first. */
enum qti_level {
	QTI_LEVEL_UNSET,
	QTI_LEVEL_PU,                   /* what the operating system calls a CPU: a hardware thread */
	QTI_LEVEL_CORE,
	QTI_LEVEL_L1,
	QTI_LEVEL_L2,
	QTI_LEVEL_L3,
	QTI_LEVEL_L4,
	QTI_LEVEL_CHIP,                 /* cores that share the last-level cache and the local memory */
	QTI_LEVEL_NUMA,
	QTI_LEVEL_SOCKET,
	QTI_LEVEL_MACHINE,
	QTI_NLEVELS
};

#define QTI_LEVELS_ALLOWED "pu, core, l1, l2, l3, l4, cache, chip, numa, node, socket, machine"

/* QTI_LEVEL_UNSET if the text names no level or several. */
enum qti_level qti_level_parse(const char *text);
const char *qti_level_name(enum qti_level level);

#endif
