/* omp/env/allocator_text.h -- OMP_ALLOCATOR: an allocator as text.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	predefined-allocator | predefined-memory-space [ ":" trait "=" value { "," trait "=" value } ]
 *
 * A space without traits stands for the predefined allocator of that space.
 */
#ifndef QOMP_ALLOCATOR_TEXT_H
#define QOMP_ALLOCATOR_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* The handle; 0: there is no such allocator, and `wrong` says why, or is empty if nothing more can be said. */
uintptr_t qomp_allocator_read(const char *text, char *wrong, size_t size);

#endif
