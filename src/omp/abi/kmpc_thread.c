/* omp/abi/kmpc_thread.c -- who calls, as clang asks for it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_region.h"
#include "omp/abi/kmpc_thread.h"

#include "base/atomic.h"
#include "omp/abi/api.h"
#include "omp/team/standing.h"

/* One more than the thread's number; 0: it has not asked.  Tasks stay on their thread, so theirs does not change. */
static __thread int32_t number __attribute__((tls_model("initial-exec")));
static uint32_t numbers;

int32_t qomp_kmpc_thread(void)
{
	if (qti_unlikely(number == 0))
		number = (int32_t)add_rlx(&numbers, 1) + 1;
	return number - 1;
}

int32_t __kmpc_global_thread_num(struct kmpc_ident *loc)
{
	(void)loc;
	return qomp_kmpc_thread();
}

int32_t __kmpc_global_num_threads(struct kmpc_ident *loc)
{
	(void)loc;
	return (int32_t)load_rlx(&numbers);
}

int32_t __kmpc_bound_thread_num(struct kmpc_ident *loc)
{
	(void)loc;
	return omp_get_thread_num();
}

int32_t __kmpc_bound_num_threads(struct kmpc_ident *loc)
{
	(void)loc;
	return omp_get_num_threads();
}

int32_t __kmpc_in_parallel(struct kmpc_ident *loc)
{
	(void)loc;
	return omp_in_parallel();
}

int32_t __kmpc_ok_to_fork(struct kmpc_ident *loc)
{
	(void)loc;
	return 1;
}

/* Of a program whose main Intel's compilers have translated: the runtime begins and ends by itself. */

void __kmpc_begin(struct kmpc_ident *loc, int32_t flags)
{
	(void)loc, (void)flags;
}

void __kmpc_end(struct kmpc_ident *loc)
{
	(void)loc;
}
