/* test/check/outside.h -- the threads of a unit are no workers, and there is no runtime: a visit is not looked at.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef CHECK_OUTSIDE_H
#define CHECK_OUTSIDE_H

#include "check/instead.h"

#include "core/gate.h"

#define qti_visit_begin() true
#define qti_visit_end() ((void)0)
#define qti_visit_pause() 0u
#define qti_visit_resume(visits) ((void)(visits))
#define qti_call_in() true
#define qti_call_in_anyhow() ((void)0)
#define qti_call_out() ((void)0)

#endif
