/* test/check/memory.h -- memory as C11's threads may see it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each location that is accessed atomically keeps all of its stores, numbered in the order of their execution, which is
 * its modification order.  A thread has a view: for each location the number of the oldest store that it may still
 * load.
 *
 *   - Loading or storing raises the thread's own view of that location (coherence).
 *   - A store carries a view along: the storing thread's if it is a release; that of its last release fence if it is
 *     relaxed.  A read-modify-write adds what the store that it replaces had carried (release sequences).
 *   - A load joins what the store carries into the thread's view if it is an acquire; otherwise it is kept until the
 *     next acquire fence.
 *   - There is a view of all seq_cst fences: each joins it to its thread's, and its thread's to it.  A seq_cst store
 *     raises it for its location; a seq_cst load is bound by it.  (Lahav et al., Repairing sequential consistency in
 *     C/C++11, PLDI 2017.)
 *   - The heavy fence of base/atomic.h is a seq_cst fence in every thread, at moments between its call and its return.
 *     (Corbet and Desnoyers: membarrier(2); P1202, asymmetric fences.)
 *
 * Views also have a clock for each thread, which passes from release to acquire alone: they say what happens before
 * what.  Accesses that are not atomic race with those that do not happen before them, unless both read.  (FastTrack:
 * Flanagan and Freund, PLDI 2009.)
 *
 * They are not to rely on a fence either, which ThreadSanitizer does not know of (base/atomic.h): a second clock passes
 * from release to acquire of one word alone, and along with what the same thread stores there after it, as in C11's
 * release sequences, which C++20 and the views here know of no more.
 */
#ifndef CHECK_MEMORY_H
#define CHECK_MEMORY_H

#include "check/check.h"

enum { CHECK_LOCATIONS = 384, CHECK_FIBERS = CHECK_THREADS + 1 };       /* one fiber begins and ends */

/* All is forgotten; what memory holds now is what each thread sees. */
void memory_begin(void);

/* Memory is as memory_begin found it, where it was changed by calls of this header. */
void memory_undo(void);

/* Thread `of` begins or ends: `to` knows what it knows. */
void memory_join(unsigned to, unsigned of);

uint64_t memory_load(unsigned thread, uintptr_t at, unsigned bytes, int order, bool latest);
void memory_store(unsigned thread, uintptr_t at, unsigned bytes, uint64_t value, int order);

/* What is there, which is the latest store; and outside of executions, what is to be there. */
uint64_t memory_now(uintptr_t at, unsigned bytes);
void memory_set(uintptr_t at, unsigned bytes, uint64_t value);

/* A read-modify-write: what it loads is the latest store. */
void memory_rmw(unsigned thread, uintptr_t at, unsigned bytes, uint64_t value, int order);

void memory_fence(unsigned thread, int order);

/* About to be accessed, not atomically.  own: on the thread's own stack. */
void memory_plain(unsigned thread, uintptr_t at, size_t bytes, bool write, bool own);

/* Those accesses have been executed. */
void memory_settle(void);

/* Stores that have been executed. */
uint64_t memory_stores(void);

#endif
