/* core/duty.h -- which workers take work.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_CORE_DUTY_H
#define QTI_CORE_DUTY_H

#include "core/worker.h"

void qti_duty_init(void);
void qti_duty_set_worker(struct qti_worker *w, bool disabled);
void qti_duty_set_shepherd(struct qti_shepherd *s, bool disabled);
void qti_duty_hand_on(struct qti_worker *w);    /* P5: from every place that only w, or its shepherd, takes from */

#endif
