/* api/stuck.h -- programs in which nothing goes on any more say so, and what they wait for; others when they are asked.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_API_STUCK_H
#define QTI_API_STUCK_H

int qti_stuck_up(void);
void qti_stuck_down(void);
void qti_stuck_forget(void);    /* in the child of fork(2) */

#endif
