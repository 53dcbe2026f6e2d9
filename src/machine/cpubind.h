/* machine/cpubind.h -- QT_CPUBIND: which CPUs each shepherd has.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The text has a list of CPUs for each shepherd, with a colon between them.  A list has CPUs and ranges of CPUs, with a
 * comma between them, by the operating system's numbers: "0-2,4:3,5".
 */
#ifndef QTI_MACHINE_CPUBIND_H
#define QTI_MACHINE_CPUBIND_H

#include "machine/topo.h"

struct qti_cpubind {
	unsigned n, nlists;
	unsigned *pu;                   /* [n] indices into the topology's, list after list */
	unsigned *begin;                /* [nlists + 1] where each list's begin */
};

/* NULL, or what is wrong with the text: then there is nothing to free. */
const char *qti_cpubind_read(struct qti_cpubind *b, const char *text, const struct qti_topo *t, unsigned most);
void qti_cpubind_free(struct qti_cpubind *b);

#endif
