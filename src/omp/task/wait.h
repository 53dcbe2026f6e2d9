/* omp/task/wait.h -- a task that waits for others: what it runs meanwhile, and how it sleeps.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_WAIT_H
#define QOMP_WAIT_H

#include "omp/team/list.h"

/* Runs one task on top of f, the running frame, that fits and has not started; false if none is within reach. */
bool qomp_wait_run(struct qomp_frame *f, struct qomp_filter filter);

/* Sleeps while *word == value (omp/team/address_wait.h), or until something that fits can be run; or for nothing. */
void qomp_wait_sleep(struct qomp_frame *f, struct qomp_filter filter, const uint32_t *word, uint32_t value);

/* Waits for the children of the running task; runs those that have not started. */
void qomp_taskwait(struct qomp_frame *f);

/* The same, and the tool is told. */
void qomp_taskwait_told(struct qomp_frame *f);

/* While *word == value: runs children of f that have not started, else sleeps (omp/team/address_wait.h: who changes
 * the word wakes). */
void qomp_task_wait_while(struct qomp_frame *f, const uint32_t *word, uint32_t value);

#endif
