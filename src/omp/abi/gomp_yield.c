/* omp/abi/gomp_yield.c -- taskyield, as GCC calls it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_tasking.h"

#include "base/park.h"
#include "base/tuning.h"
#include "omp/task/list.h"

/* Nobody is ready whom the running task could give way to. */
static bool nobody_waits(const struct qti_worker *w)
{
	return !qti_worker_has_assigned(w) && !qti_worker_has_queued(w) && qti_worker_is_on_duty(w);
}

/* A task that polls gives way again and again.  Where it has found nobody it looks only now and then: the less often the faster
 * it asks, so that a fast one pays next to nothing, and a slow one looks every time, but for once when it has become slow.  Who
 * has created a task since, and who is another task, looks at once. */
static __thread struct {
	uintptr_t who;                  /* see task_identity(); 0: look */
	unsigned left, of;              /* times that it need not look */
	uint64_t looked;                /* qti_now_ns() when it did */
} backoff __attribute__((tls_model("initial-exec")));

/* Another number for another task, and after it has created one; but for chance, which costs TUNE_TASKYIELDS_MAX polls. */
static inline uintptr_t task_identity(const struct qomp_frame *f)
{
	return (uintptr_t)f + f->created;
}

static void found_nobody(const struct qomp_frame *f)
{
	uint64_t now = qti_now_ns();
	bool fast = now - backoff.looked < TUNE_TASKYIELD_NS;

	backoff.of = !fast ? 0 : 2 * backoff.of < TUNE_TASKYIELDS_MAX ? 2 * backoff.of + 1 : TUNE_TASKYIELDS_MAX;
	backoff.left = backoff.of;
	backoff.looked = now;
	backoff.who = backoff.of ? task_identity(f) : 0;
}

static void give_way(const struct qomp_frame *f)
{
	struct qti_worker *w = qti_self();

	if (w && !qti_host_oversubscribed() && !qti_host_drains() && nobody_waits(w))
		found_nobody(f);
	else
		qthread_yield();
}

/* What a thread may begin whose implicit task gives way. */
static struct qomp_filter filter_of(struct qomp_frame *f)
{
	return (struct qomp_filter){ qomp_list_always() ? f : NULL, NULL };
}

static __attribute__((noinline)) void look_around(void)
{
	struct qomp_frame *f = qomp_frame_now();

	backoff.who = 0;
	if (!load_rlx(&f->team->tasks))
		found_nobody(f);
	else if (f->team->uses_scheduler)
		give_way(f);
	else if (f->flags & QOMP_IMPLICIT)
		qomp_list_run(f, filter_of(f));
}

/* Others may run: of a team that keeps its own list, only one that this task could not be needed for. */
void GOMP_taskyield(void)
{
	const struct qomp_frame *f = qti_guest_word();

	if (qti_unlikely(!f || backoff.who != task_identity(f) || --backoff.left == 0))
		look_around();
}
