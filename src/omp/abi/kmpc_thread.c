/* omp/abi/kmpc_thread.c -- who calls, as clang asks for it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_region.h"
#include "omp/abi/kmpc_thread.h"

#include "base/atomic.h"
#include "omp/abi/api.h"
#include "omp/env/text.h"
#include "omp/team/standing.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- numbers --------------------------------------------------------------------------------------------- */

/* One more than the thread's number; 0: it has not asked.  Tasks stay on their thread, so theirs does not change. */
static __thread int32_t number __attribute__((tls_model("initial-exec")));

/* Bits, of the numbers that are in use.  0 is the process's first thread's, whoever asks first: that one has the
 * threadprivate variables themselves.  A thread that ends gives its own back, for compiled code keeps tables by number.
 * Who finds none left gets one that is not in here.
 * What a thread had by its number is gone before it clears the bit (release) -> who sets it (acquire). */
enum { BITS = 64 };
static uint64_t in_use[KMPC_NUMBERS / BITS];
static uint32_t most = 1, beyond;         /* one more than the largest so far; how many are not in here */

void (*qomp_kmpc_thread_end)(uint32_t number);

static void number_free(uint32_t n)
{
	if (n > 0 && n < KMPC_NUMBERS)
		and_acq_rel(&in_use[n / BITS], ~(UINT64_C(1) << n % BITS));
}

/* With this thread's destructors; a later one that calls again gets another number. */
static void number_give(void *unused)
{
	uint32_t n = (uint32_t)(number - 1);

	(void)unused;
	if (n > 0 && n < KMPC_NUMBERS) {
		void (*end)(uint32_t) = load_acq(&qomp_kmpc_thread_end);
		if (end)
			end(n);
		number_free(n);
	}
	number = 0;
}

static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void ending_make(void)
{
	if (pthread_key_create(&ending, number_give) != 0)
		qomp_fatal("no key left for what threads do when they end");
}

/* Early: the first call of a thread may come from the handler of a signal, or from malloc(3). */
__attribute__((constructor)) static void ending_prepare(void)
{
	pthread_once(&once, ending_make);
}

/* The smallest that is free: who sets its bit has it. */
static uint32_t number_find(void)
{
	if (syscall(SYS_gettid) == getpid())
		return 0;
	for (unsigned i = 0; i < KMPC_NUMBERS / BITS; i++)
		for (uint64_t seen; (seen = load_rlx(&in_use[i]) | (i == 0)) != UINT64_MAX;) {
			uint64_t bit = ~seen & (seen + 1);
			if (!(or_acq_rel(&in_use[i], bit) & bit))
				return i * BITS + (uint32_t)__builtin_ctzll(bit);
		}
	return KMPC_NUMBERS + add_rlx(&beyond, 1);
}

/* A handler that comes between takes a number, too: the first counts. */
static __attribute__((noinline)) void number_take(void)
{
	uint32_t n = number_find(), seen = load_rlx(&most);
	int32_t none = 0;

	if (!cas_acq(&number, &none, (int32_t)n + 1)) {
		number_free(n);
		return;
	}
	while (seen < n + 1 && !cas_acq(&most, &seen, n + 1))
		;
	pthread_once(&once, ending_make);
	pthread_setspecific(ending, &in_use);
}

int32_t qomp_kmpc_thread(void)
{
	if (qti_unlikely(number == 0))
		number_take();
	return number - 1;
}

/* --- calls ----------------------------------------------------------------------------------------------- */

int32_t __kmpc_global_thread_num(struct kmpc_ident *loc)
{
	(void)loc;
	return qomp_kmpc_thread();
}

int32_t __kmpc_global_num_threads(struct kmpc_ident *loc)
{
	(void)loc;
	return (int32_t)load_rlx(&most);
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

/* For tools: no two tasks that are there at a time have the same.  0 in a thread that has none yet. */

uint64_t __kmpc_get_taskid(void)
{
	return qomp_frame_if_any() ? (uintptr_t)qomp_frame() : 0;
}

uint64_t __kmpc_get_parent_taskid(void)
{
	return qomp_frame_if_any() ? (uintptr_t)qomp_frame()->parent : 0;
}
