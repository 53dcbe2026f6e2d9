/* test/check/explore.h -- executions: who goes on, what a load returns, and when it has failed.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef CHECK_EXPLORE_H
#define CHECK_EXPLORE_H

#include "check/check.h"

/* Ends this execution: it shows a defect. */
_Noreturn void check_fail(const char *what);

/* Ends the program: the unit, or the checker, asks for more than there is. */
_Noreturn void check_broken(const char *what);

/* How many stores before the latest one a load is to return, of n that it may go back. */
unsigned check_choose_stale(unsigned n);

/* Whether an execution is under way: outside of them the sources run as they are. */
bool check_active(void);

/* Before an atomic operation: another thread may go on first.  Returns the running thread's number. */
unsigned check_point(void);

unsigned check_thread(void);

/* Whether an address is on the running thread's own stack. */
bool check_is_own(uintptr_t at);

/* Whether it is in a variable of check_local. */
bool check_is_local(uintptr_t at);

/* The running thread has waited in vain: it loads what is latest, once. */
bool check_wants_latest(void);

/* An order on the way, and where: what is to be taken instead. */
int check_order(const void *site, int order);

/* For who looks at a failing execution. */
void check_tell(const char *what, const void *site, uintptr_t at, uint64_t value);

#endif
