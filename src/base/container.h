/* base/container.h -- from a member to the structure that it is part of.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_BASE_CONTAINER_H
#define QTI_BASE_CONTAINER_H

#include <stddef.h>

/* A pointer to another type than the member's does not compile. */
#define qti_container_of(pointer, type, member) \
	((type *)(void *)((char *)(1 ? (pointer) : &((type *)0)->member) - offsetof(type, member)))

#endif
