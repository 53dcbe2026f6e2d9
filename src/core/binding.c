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

/* Whether a worker on another CPU has the same mask as the calling thread, which has this CPU alone.  The first worker
 * whose mask the kernel tells speaks for all. */
static bool others_have_it(const struct qti_affinity *own, unsigned cpu)
{
	struct qti_affinity other;
	bool told = false;

	for (unsigned i = 0; i < qti_rt.nworkers && !told; i++) {
		const struct qti_worker *w = &qti_rt.workers[i];

		told = w->pu != (int)cpu && tid_of(w) != 0 && qti_affinity_of(tid_of(w), &other);
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

void qti_binding_bind(const struct qti_worker *w)
{
	struct qti_affinity mask;

	if (w->pu < 0 || !qti_affinity_of(0, &mask) || !qti_affinity_same(&mask, &qti_rt.cpus))
		return;
	(void)qti_topo_bind_self((unsigned)w->pu);
	/* Worker 0 is bound after the others have been started, and a setter comes to it before them. */
	if (w->id != 0 && qti_affinity_of(first_tid, &mask) && !qti_affinity_same(&mask, &qti_rt.cpus) &&
		!qti_affinity_is(&mask, (unsigned)qti_rt.workers[0].pu))
		qti_affinity_restore(&mask);
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
