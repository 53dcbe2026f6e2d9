/* omp/team/apart.c -- see omp/team/apart.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/apart.h"

#include "base/park.h"
#include "base/tuning.h"
#include "machine/topo.h"
#include "omp/env/places.h"

/* How many of the team's members were last seen on the CPU. */
static unsigned members_on(const struct qomp_team *team, uint32_t cpu)
{
	unsigned n = load_acq(&team->n), found = 0;                                             /* T6 */
	struct qomp_member **member = load_acq(&team->member);                                  /* T6 */

	for (unsigned i = 0; i < n; i++)
		found += load_rlx(&member[i]->apart.cpu) == cpu + 1;
	return found;
}

static unsigned members_beside(const struct qomp_member *m)
{
	return members_on(m->team, load_rlx(&m->apart.cpu) - 1);
}

bool qomp_apart_shares(const struct qomp_member *m)
{
	return members_beside(m) > 1;
}

/* The next of the allowed CPUs, counted from m's, that has two members less; -1: there is none. */
static int emptier_cpu(const struct qomp_member *m, const struct qti_affinity *allowed)
{
	unsigned here = load_rlx(&m->apart.cpu) - 1, beside = members_beside(m);

	for (unsigned i = 1; i < QTI_CPUS_MAX; i++) {
		unsigned cpu = (here + i) % QTI_CPUS_MAX;
		if (qti_affinity_has(allowed, cpu) && members_on(m->team, cpu) + 2 <= beside)
			return (int)cpu;
	}
	return -1;
}

/* With several places the first thread's mask changes as regions need it, and says nothing of others' (topo.h). */
static void member_move(struct qomp_member *m)
{
	struct qti_affinity allowed;
	int cpu = qomp_places.n <= 1 && qti_affinity_save(&allowed) > 1 && allowed.valid ? emptier_cpu(m, &allowed) : -1;

	if (cpu < 0)
		return;
	qti_topo_move_self((unsigned)cpu);
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

void qomp_apart_even_out(struct qomp_member *m, unsigned cpus)
{
	qomp_apart_note(&m->apart);
	if (m->frame.num == 0)
		return;
	uint64_t now = qti_now_ns();
	if (now < m->apart.next)
		return;
	m->apart.next = now + TUNE_APART_EVERY_NS;
	if (members_beside(m) > (load_acq(&m->team->n) + cpus - 1) / cpus)                      /* T6 */
		member_move(m);
}
