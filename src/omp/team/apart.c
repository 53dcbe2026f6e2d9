/* omp/team/apart.c -- see omp/team/apart.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/apart.h"

#include "base/park.h"
#include "base/tuning.h"
#include "machine/topo.h"

static bool is_taken(const struct qomp_team *team, unsigned n, uint32_t cpu)
{
	struct qomp_member **member = load_acq(&team->member);                                  /* T6 */

	for (unsigned i = 0; i < n; i++)
		if (load_rlx(&member[i]->apart.cpu) == cpu + 1)
			return true;
	return false;
}

bool qomp_apart_shares(const struct qomp_member *m)
{
	unsigned n = load_acq(&m->team->n);                                                     /* T6 */
	struct qomp_member **member = load_acq(&m->team->member);                               /* T6 */

	for (unsigned i = 0; i < n; i++)
		if (member[i] != m && load_rlx(&member[i]->apart.cpu) == load_rlx(&m->apart.cpu))
			return true;
	return false;
}

/* The next of the allowed CPUs that no member is on, counted from m's; -1: there is none. */
static int free_cpu(const struct qomp_member *m, const struct qti_affinity *allowed)
{
	unsigned n = load_acq(&m->team->n), here = load_rlx(&m->apart.cpu) - 1;

	for (unsigned i = 1; i < QTI_CPUS_MAX; i++) {
		unsigned cpu = (here + i) % QTI_CPUS_MAX;
		if (qti_affinity_has(allowed, cpu) && !is_taken(m->team, n, cpu))
			return (int)cpu;
	}
	return -1;
}

static void member_move(struct qomp_member *m)
{
	struct qti_affinity allowed;
	int cpu = qti_affinity_save(&allowed) > 1 && allowed.valid ? free_cpu(m, &allowed) : -1;

	if (cpu < 0)
		return;
	qti_topo_move_self((unsigned)cpu, &allowed);
	qomp_apart_note(&m->apart);
}

void qomp_apart_gave_way(struct qomp_member *m, bool shares)
{
	qomp_apart_note(&m->apart);
	m->apart.met = shares ? m->apart.met + 1 : 0;
	if (m->apart.met < TUNE_APART_MEETINGS || m->frame.num == 0)
		return;
	m->apart.met = 0;
	uint64_t now = qti_now_ns();
	if (now < m->apart.next)
		return;
	m->apart.next = now + TUNE_APART_EVERY_NS;
	member_move(m);
}
