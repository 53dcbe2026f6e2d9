/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "fib/tasks.h"
#include "common/must.h"

aligned_t fib_aligned(void *arg)
{
	uintptr_t k = (uintptr_t)arg;
	aligned_t x, y;

	if (k < 2)
		return k;
	must(qthread_fork(fib_aligned, (void *)(k - 1), &x));
	must(qthread_fork(fib_aligned, (void *)(k - 2), &y));
	must(qthread_readFF(&x, &x));
	must(qthread_readFF(&y, &y));
	return x + y;
}

aligned_t fib_syncvar(void *arg)
{
	uintptr_t k = (uintptr_t)arg;
	syncvar_t x = SYNCVAR_STATIC_EMPTY_INITIALIZER, y = SYNCVAR_STATIC_EMPTY_INITIALIZER;
	uint64_t a, b;

	if (k < 2)
		return k;
	must(qthread_fork_syncvar(fib_syncvar, (void *)(k - 1), &x));
	must(qthread_fork_syncvar(fib_syncvar, (void *)(k - 2), &y));
	must(qthread_syncvar_readFF(&a, &x));
	must(qthread_syncvar_readFF(&b, &y));
	return a + b;
}

aligned_t fib_one_aligned(void *arg)
{
	uintptr_t k = (uintptr_t)arg;
	aligned_t x;

	if (k < 2)
		return k;
	must(qthread_fork(fib_one_aligned, (void *)(k - 1), &x));
	aligned_t y = fib_one_aligned((void *)(k - 2));
	must(qthread_readFF(&x, &x));
	return x + y;
}

aligned_t fib_one_syncvar(void *arg)
{
	uintptr_t k = (uintptr_t)arg;
	syncvar_t x = SYNCVAR_STATIC_EMPTY_INITIALIZER;
	uint64_t a;

	if (k < 2)
		return k;
	must(qthread_fork_syncvar(fib_one_syncvar, (void *)(k - 1), &x));
	aligned_t b = fib_one_syncvar((void *)(k - 2));
	must(qthread_syncvar_readFF(&a, &x));
	return a + b;
}

aligned_t fib_yield(void *arg)
{
	uintptr_t k = (uintptr_t)arg;
	syncvar_t x = SYNCVAR_INITIALIZER, y = SYNCVAR_INITIALIZER;
	uint64_t a, b;

	if (k < 2)
		return k;
	must(qthread_fork_syncvar(fib_yield, (void *)(k - 1), &x));
	must(qthread_fork_syncvar(fib_yield, (void *)(k - 2), &y));
	qthread_yield();
	must(qthread_syncvar_readFF(&a, &x));
	must(qthread_syncvar_readFF(&b, &y));
	return a + b;
}
