/* core/duty.h -- which workers take work.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_CORE_DUTY_H
#define QTI_CORE_DUTY_H

#include "core/worker.h"

/* What there is, for inquiries: any thread asks at any time, within a signal's handler too, and must not be in the
 * runtime for that (core/gate.h).  So it outlives qti_rt's content, and is all 0 while the runtime is down.
 * Relaxed. */
struct qti_census {
	uint32_t workers, shepherds;
	uint32_t workers_on_duty;
	uint32_t shepherds_on_duty;     /* that have a worker on duty */
	size_t stack_size;              /* bytes that a task is promised */
};

extern struct qti_census qti_census;

void qti_duty_init(void);
void qti_duty_over(void);       /* the runtime is down */
void qti_duty_set_worker(struct qti_worker *w, bool disabled);
void qti_duty_set_shepherd(struct qti_shepherd *s, bool disabled);
void qti_duty_hand_on(struct qti_worker *w);    /* P5: from every place that only w, or its shepherd, takes from */

#endif
