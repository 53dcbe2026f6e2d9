/* test/check/instead.h -- what the checked sources call of the checker in place of the system.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef CHECK_INSTEAD_H
#define CHECK_INSTEAD_H

#include "check/check.h"

#include "base/atomic.h"
#include "base/park.h"
#include "base/poll.h"

#include <sched.h>
#include <string.h>

#define memset check_memset
#define memcpy check_memcpy
#define cpu_relax check_pause
#define sched_yield check_pause
#define qti_futex_wait check_futex_wait
#define qti_futex_wake check_futex_wake

#endif
