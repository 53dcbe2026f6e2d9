/* test/steps/base/atomic.h -- base/atomic.h with each access made a step (steps/steps.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What is not an access stays the library's own.
 */
#ifndef TEST_STEPS_BASE_ATOMIC_H
#define TEST_STEPS_BASE_ATOMIC_H

#define fence_sc processor_fence_sc
#define fence_rel processor_fence_rel
#define fence_compiler processor_fence_compiler
#define fence_light processor_fence_light
#define cpu_relax processor_relax
#include_next "base/atomic.h"
#undef fence_sc
#undef fence_rel
#undef fence_compiler
#undef fence_light
#undef cpu_relax

#include "steps/steps.h"

#undef load_rlx
#undef load_acq
#undef load_sc
#undef store_rlx
#undef store_rel
#undef swap_acq
#undef swap_acq_rel
#undef add_rlx
#undef add_acq_rel
#undef add_sc
#undef sub_rlx
#undef sub_acq_rel
#undef or_acq_rel
#undef and_acq_rel
#undef cas_acq
#undef cas_acq_rel
#undef cas_sc

/* The comma makes the type of the word that of a value, without qualifiers; the braces let a value go unused. */
#define STEP_VALUE(p, call) ({ (__typeof__((void)0, *(p)))(call); })
#define STEP_OLD(p, what, v, order) STEP_VALUE(p, step_##what((p), sizeof(*(p)), (uint64_t)(v), STEP_##order))

#define load_rlx(p) STEP_VALUE(p, step_load((p), sizeof(*(p)), STEP_RELAXED))
#define load_acq(p) STEP_VALUE(p, step_load((p), sizeof(*(p)), STEP_ACQUIRE))
#define load_sc(p) STEP_VALUE(p, step_load((p), sizeof(*(p)), STEP_SEQ_CST))
#define store_rlx(p, v) step_store((p), sizeof(*(p)), (uint64_t)(v), STEP_RELAXED)
#define store_rel(p, v) step_store((p), sizeof(*(p)), (uint64_t)(v), STEP_RELEASE)
#define swap_acq(p, v) STEP_OLD(p, swap, v, ACQUIRE)
#define swap_acq_rel(p, v) STEP_OLD(p, swap, v, ACQ_REL)
#define add_rlx(p, v) STEP_OLD(p, add, v, RELAXED)
#define add_acq_rel(p, v) STEP_OLD(p, add, v, ACQ_REL)
#define add_sc(p, v) STEP_OLD(p, add, v, SEQ_CST)
#define sub_rlx(p, v) STEP_OLD(p, add, -(uint64_t)(v), RELAXED)
#define sub_acq_rel(p, v) STEP_OLD(p, add, -(uint64_t)(v), ACQ_REL)
#define or_acq_rel(p, v) STEP_OLD(p, or, v, ACQ_REL)
#define and_acq_rel(p, v) STEP_OLD(p, and, v, ACQ_REL)
#define cas_acq(p, seen, v) step_cas((p), sizeof(*(p)), (seen), (uint64_t)(v), STEP_ACQUIRE)
#define cas_acq_rel(p, seen, v) step_cas((p), sizeof(*(p)), (seen), (uint64_t)(v), STEP_ACQ_REL)
#define cas_sc(p, seen, v) step_cas((p), sizeof(*(p)), (seen), (uint64_t)(v), STEP_SEQ_CST)

#define fence_sc() step_fence()
#define fence_compiler() __asm__ volatile("" ::: "memory")
#define fence_rel() fence_compiler()    /* every step is seen in order */
#define fence_light() step_fence_light()
#define cpu_relax() step_pause()

#endif
