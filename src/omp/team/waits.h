/* omp/team/waits.h -- who waits for something of OpenMP's: for a report of it (api/waits.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_WAITS_H
#define QOMP_WAITS_H

#include "sync/waiter.h"

/* As core/guest.h has them. */
void qomp_waits_each(qti_waiter_visit visit, void *arg);
const struct qti_task *qomp_waits_holder(const struct qti_waiter *w);
int qomp_waits_thread(const struct qti_task *t, const void **fn);

#endif
