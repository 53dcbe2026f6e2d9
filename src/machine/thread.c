/* machine/thread.c -- see machine/thread.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/thread.h"

enum { STACK_LEAST = 64 << 10 };

int qti_thread_create(pthread_t *thread, size_t stack, void *(*main)(void *), void *arg)
{
	pthread_attr_t attr;
	int error = pthread_attr_init(&attr);

	if (error)
		return error;
	if (stack == 0)
		pthread_attr_getstacksize(&attr, &stack);
	pthread_attr_setstacksize(&attr, stack < STACK_LEAST ? STACK_LEAST : stack);
	error = pthread_create(thread, &attr, main, arg);
	pthread_attr_destroy(&attr);
	return error;
}
