/* omp/team/start.h -- the runtime beneath libqomp: started when the main thread's first region needs it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_START_H
#define QOMP_START_H

/* Starts the runtime, if it is the main thread that asks: it meets the first region of n threads. */
void qomp_start(unsigned n);

/* Ends the runtime, and with it the workers' threads and what is theirs, unless the program itself has asked for it.
 * The main thread, outside of regions and tasks; another's call does nothing. */
void qomp_stop(void);

#endif
