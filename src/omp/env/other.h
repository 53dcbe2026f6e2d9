/* omp/env/other.h -- the library that ours stands in for, where it has come along.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * When ours is preloaded, the libgomp that the program was linked with is loaded, too.  Nobody calls it, but its
 * constructor runs before ours and reads the same variables; if these ask for binding, it binds the main thread to
 * its first place.
 */
#ifndef QOMP_OTHER_H
#define QOMP_OTHER_H

#include "machine/topo.h"

/* If another libgomp has bound the calling thread: the processors that the process had before, and *a has the CPUs of
 * that library's places, as far as may be known.  Else 0, and *a stays as it is. */
unsigned qomp_other_procs(struct qti_affinity *a);

/* Says so if LLVM's or Intel's runtime is at work in this process. */
void qomp_other_warn(void);

#endif
