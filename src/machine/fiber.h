/* machine/fiber.h -- telling AddressSanitizer and ThreadSanitizer that the stack changes.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Almost empty in other builds, so that callers carry no #if.  Departing and arriving bracket every qti_ctx_jump; a
 * checker that the program has brought along (base/race.h) is told apart, once for each.
 */
#ifndef QTI_MACHINE_FIBER_H
#define QTI_MACHINE_FIBER_H

#include "base/race.h"
#include "machine/stack.h"

#if defined(__SANITIZE_ADDRESS__)
#define QTI_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define QTI_ASAN 1
#endif
#endif
#ifndef QTI_ASAN
#define QTI_ASAN 0
#endif

#if QTI_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if QTI_TSAN
#include <sanitizer/tsan_interface.h>
#endif

/* Instrumented frames are several times as large as plain ones. */
#define QTI_FIBER_STACK_FACTOR (QTI_ASAN || QTI_TSAN ? QTI_FIBER_FACTOR : 1)
enum { QTI_FIBER_FACTOR = 8 };

struct qti_fiber_save {
	void *fake_stack;
};

/* False when the tool has no room for another fiber. */
static inline bool qti_fiber_ready(struct qti_stack *s)
{
#if QTI_TSAN
	if (!s->tsan_fiber)
		s->tsan_fiber = __tsan_create_fiber(0);
	return s->tsan_fiber != NULL;
#else
	if (qti_races() && !s->tsan_fiber)
		s->tsan_fiber = qti_race_fiber_make();
	return !qti_races() || s->tsan_fiber;
#endif
}

/* The stack's memory goes back to the system with frames on it that never returned. */
static inline void qti_fiber_destroy(struct qti_stack *s)
{
#if QTI_ASAN
	__asan_unpoison_memory_region(s->limit, (size_t)(s->base - s->limit));
#endif
#if QTI_TSAN
	if (s->tsan_fiber)
		__tsan_destroy_fiber(s->tsan_fiber);
#else
	if (s->tsan_fiber)
		qti_race_fiber_drop(s->tsan_fiber);
#endif
	s->tsan_fiber = NULL;
}

/* For a stack of the operating system's: the calling thread is its own fiber. */
static inline void qti_fiber_adopt(struct qti_stack *s)
{
#if QTI_TSAN
	s->tsan_fiber = __tsan_get_current_fiber();
#else
	if (qti_races())
		s->tsan_fiber = qti_race_fiber();
#endif
}

/* save is NULL when the frames that are left will never run again. */
static inline void qti_fiber_depart(struct qti_fiber_save *save, const struct qti_stack *to)
{
#if QTI_ASAN
	__sanitizer_start_switch_fiber(save ? &save->fake_stack : NULL, to->limit, (size_t)(to->base - to->limit));
#else
	(void)save, (void)to;
#endif
#if QTI_TSAN
	__tsan_switch_to_fiber(to->tsan_fiber, 0);
#endif
}

/* Where the calling function's frame ends, above its return address. */
#define QTI_FRAME_END ((char *)__builtin_dwarf_cfa())

/* The calling thread comes to that stack: for the checker that the program brings, which is as well told after the
 * switch as before, as long as nothing of the program's runs in between.  frame_end: of the frame that the switch has
 * returned to; NULL: it is yet to come. */
static inline void qti_fiber_tell(const struct qti_stack *to, char *frame_end)
{
	if (qti_races())
		qti_race_fiber_switch(to->tsan_fiber, frame_end);
}

/* save is NULL on a fresh stack's first instruction. */
static inline void qti_fiber_arrive(struct qti_fiber_save *save)
{
#if QTI_ASAN
	__sanitizer_finish_switch_fiber(save ? save->fake_stack : NULL, NULL, NULL);
#else
	(void)save;
#endif
}

#endif
