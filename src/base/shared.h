/* base/shared.h -- what the project's other libraries use of this one besides the public calls.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A guest (core/guest.h) is made of the same internals.  What it needs is exported at version QTHREAD_PRIVATE
 * (libqthread-private.sym), for a guest of the same build and for nobody else.
 *
 * Functions are marked QTI_SHARED where they are declared; the library's own calls are bound to them when it is linked
 * (-Bsymbolic-functions).  Variables stay hidden, so that the library's own code reaches them without a detour through
 * the global offset table: what is exported is a second name, which a declaration marked QTI_SHARED_VARIABLE means in
 * the other library (QTI_OTHER_LIBRARY).
 */
#ifndef QTI_BASE_SHARED_H
#define QTI_BASE_SHARED_H

#define QTI_SHARED __attribute__((visibility("default")))

#ifdef QTI_OTHER_LIBRARY
#define QTI_SHARED_VARIABLE(name) __asm__(#name "_shared") QTI_SHARED
#else
#define QTI_SHARED_VARIABLE(name) __attribute__((visibility("hidden")))
#endif

/* Beside the definition: the second name. */
#define QTI_SHARE_VARIABLE(name) extern __typeof__(name) name##_shared __attribute__((alias(#name))) QTI_SHARED

/* Of a variable that is asked or changed whenever the library is loaded or unloaded: it lies on a page that the loader
 * has written to anyway, so that a program that never uses the library does not get one more (bench/start). */
#define QTI_AT_LOAD __attribute__((section(".data")))

#endif
