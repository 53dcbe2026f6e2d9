/* omp/abi/xomp_trace.h -- when XOMP's regions begin and end, on file if somebody asks for it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_XOMP_TRACE_H
#define QOMP_XOMP_TRACE_H

#include "base/atomic.h"
#include "libxomp.h"

void qomp_trace_write(const char *event, const char *file, int line);

/* `event` happens now at file:line, NULL: nobody knows where.  file is not looked at if nobody asked. */
static inline void qomp_trace(const char *event, const char *file, int line)
{
	if (qti_unlikely(load_rlx(&env_region_instr_val) != 0))
		qomp_trace_write(event, file, line);
}

#endif
