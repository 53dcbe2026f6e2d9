/* mpi/table.h -- what tasks wait for, so that many are asked about at once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Testsome asks about a batch of requests for what one progress of MPI's costs, and some nanoseconds each; so
 * requests lie side by side, and nobody's stack is touched for what has not come.  Only what MPI_Testsome cannot tell
 * is asked about by a call for each: messages that may be there, lists of which any may be over.
 *
 * The batches go round.  In each look the youngest are asked about, too, for these are often the next to come: an
 * answer does not wait until thousands of others have been asked about.
 *
 * All but qmpi_table_promise under the lock of mpi/wait.c.
 */
#ifndef QMPI_TABLE_H
#define QMPI_TABLE_H

#include "mpi/ask.h"

/* There is to be room for one more; false: not before the table grows.  False again: there is no memory,
 * and no promise. */
bool qmpi_table_promise(void);
bool qmpi_table_grow(void);

/* What was promised.  It is the youngest. */
void qmpi_table_add(struct qmpi_wait *w);

/* Asks about so many, more or less; at least about one.  What has come is removed, and linked by next. */
unsigned qmpi_table_ask(unsigned most, struct qmpi_wait **come);

/* Removes one after the other, in any order; NULL: there is none any more, and no memory is held. */
struct qmpi_wait *qmpi_table_take(void);

#endif
