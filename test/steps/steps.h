/* test/steps/steps.h -- each access to a shared word as a step that somebody else decides about.
 *
 * Copyright (c) 2026 The libqthread authors SPDX-License-Identifier: BSD-3-Clause
 *
 * With test/steps before src in the include path, base/atomic.h and base/park.h are those of this directory:
 * code of the library, as it is, calls the functions below in place of the processor's instructions and the
 * kernel's calls.  Who links it defines them, and so decides when each step happens and what it costs:
 * bench/sim, on workers that it simulates.
 *
 * A step is atomic: the provider may run other flows of control before it, none in the midst of it.  Also the
 * provider's are qti_fence_heavy, qti_fence_setup and qti_fence_asymmetric of base/atomic.h, and sched_yield. / */
#ifndef TEST_STEPS_STEPS_H
#define TEST_STEPS_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum step_order { STEP_RELAXED, STEP_ACQUIRE, STEP_RELEASE, STEP_ACQ_REL, STEP_SEQ_CST };

/* Words of 1, 2, 4 or 8 bytes. */
uint64_t step_load(const void *word, size_t size, enum step_order order);
void step_store(void *word, size_t size, uint64_t value, enum step_order order);

/* What was there before. */
uint64_t step_swap(void *word, size_t size, uint64_t value, enum step_order order);
uint64_t step_add(void *word, size_t size, uint64_t value, enum step_order order);
uint64_t step_or(void *word, size_t size, uint64_t value, enum step_order order);
uint64_t step_and(void *word, size_t size, uint64_t value, enum step_order order);

/* seen: a word of the same size, as for the compare and swap of base/atomic.h. */
bool step_cas(void *word, size_t size, void *seen, uint64_t value, enum step_order order);

void step_fence(void);                  /* full */
void step_fence_light(void);            /* the frequent side of the asymmetric pair */
void step_pause(void);                  /* between two looks at a word */

/* base/park.h */
uint64_t step_now_ns(void);
void step_wait(const uint32_t *word, uint32_t expected, uint64_t deadline);     /* UINT64_MAX: none */
void step_wake(const uint32_t *word, int threads);

#endif
