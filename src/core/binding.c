/* core/binding.c -- see core/binding.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/binding.h"

#include <sys/syscall.h>
#include <unistd.h>

static pid_t first_tid;         /* of worker 0, whose own tid stays 0 (core/idle.c) */

static pid_t tid_of(const struct qti_worker *w)
{
	return w->id == 0 ? first_tid : load_rlx(&w->tid);
}

/* Where the worker may run.  One that has been started and has not run yet has told nobody its number. */
static bool worker_cpus(const struct qti_worker *w, struct qti_affinity *a)
{
	const pid_t tid = tid_of(w);

	if (tid != 0)
		return qti_affinity_of(tid, a);
	memset(a, 0, sizeof(*a));
	a->valid = pthread_getaffinity_np(w->thread, sizeof(a->bits), (cpu_set_t *)(void *)a->bits) == 0;
	return a->valid;
}

/* Whether a worker on another CPU has the same mask as the calling thread, which has this CPU alone.  The first worker
 * whose mask the kernel tells speaks for all. */
static bool others_have_it(const struct qti_affinity *own, unsigned cpu)
{
	struct qti_affinity other;
	bool told = false;

	for (unsigned i = 0; i < qti_rt.nworkers && !told; i++) {
		const struct qti_worker *w = &qti_rt.workers[i];

		told = w->pu != (int)cpu && worker_cpus(w, &other);
	}
	return told && qti_affinity_same(own, &other);
}

static bool is_workers(unsigned cpu)
{
	unsigned i = 0;

	while (i < qti_rt.nworkers && qti_rt.workers[i].pu != (int)cpu)
		i++;
	return i < qti_rt.nworkers;
}

void qti_binding_begin(void)
{
	qti_affinity_save(&qti_rt.cpus);
	first_tid = (pid_t)syscall(SYS_gettid);
}

static bool has_process_mask(void)
{
	struct qti_affinity mask;

	return qti_affinity_of(0, &mask) && qti_affinity_same(&mask, &qti_rt.cpus);
}

void qti_binding_bind_thread(const struct qti_worker *w)
{
	struct qti_affinity mask = { .valid = true };

	if (w->pu < 0 || w->pu >= QTI_CPUS_MAX || !has_process_mask())
		return;
	mask.bits[w->pu / 64] = (uint64_t)1 << w->pu % 64;
	(void)!pthread_setaffinity_np(w->thread, sizeof(mask.bits), (const cpu_set_t *)(const void *)mask.bits);
	/* A setter comes to the calling thread before it comes to the newer one. */
	if (qti_affinity_of(0, &mask) && !qti_affinity_same(&mask, &qti_rt.cpus))
		(void)!pthread_setaffinity_np(w->thread, sizeof(mask.bits), (const cpu_set_t *)(const void *)mask.bits);
}

void qti_binding_bind_self(const struct qti_worker *w)
{
	if (w->pu >= 0 && has_process_mask())
		(void)qti_topo_bind_self((unsigned)w->pu);
}

bool qti_binding_here(void)
{
	struct qti_affinity now;

	if (!qti_rt.shape.bound || qti_affinity_save(&now) != 1)
		return false;
	unsigned cpu = qti_affinity_first(&now);
	return is_workers(cpu) && !others_have_it(&now, cpu);
}

void qti_binding_undo(void)
{
	if (qti_binding_here())
		qti_affinity_restore(&qti_rt.cpus);
}
