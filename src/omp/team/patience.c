/* omp/team/patience.c -- see omp/team/patience.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/patience.h"

#include "base/tuning.h"
#include "core/guest.h"
#include "omp/env/icv.h"

uint64_t qomp_spin_ns;
bool qomp_crowded;

static uint32_t extras;         /* members that are threads of their own */

/* As good as for ever. */
#define SPIN_NS_ACTIVE UINT64_C(3600000000000)

static uint64_t spin_patience(void)
{
	uint64_t count = qomp_settings.spin_count, us = load_rlx(&qomp_settings.blocktime_us);

	if (us != QOMP_BLOCKTIME_UNSET)
		return us < SPIN_NS_ACTIVE / 1000 ? us * 1000 : SPIN_NS_ACTIVE;
	if (qomp_settings.patience == QOMP_PATIENCE_PASSIVE)
		return 0;
	if (qomp_settings.patience == QOMP_PATIENCE_ACTIVE)
		return SPIN_NS_ACTIVE;
	if (count == UINT64_MAX)
		return TUNE_SPIN_NS;
	return count < SPIN_NS_ACTIVE / TUNE_COUNT_NS ? count * TUNE_COUNT_NS : SPIN_NS_ACTIVE;
}

/* With more threads than CPUs, who looks keeps from its CPU who is looked for: it gives way a few times. */
void qomp_patience_set_for(unsigned workers)
{
	unsigned threads = load_rlx(&extras) + workers;
	bool crowded = threads > qomp_settings.procs;
	uint64_t most = spin_patience();

	store_rlx(&qomp_crowded, crowded);
	store_rlx(&qomp_spin_ns, crowded && most > TUNE_SPIN_CROWDED_NS ? TUNE_SPIN_CROWDED_NS : most);
}

void qomp_patience_set(void)
{
	qomp_patience_set_for(qti_host_runs() ? qti_host_workers() : 1);
}

void qomp_patience_count(int threads)
{
	add_rlx(&extras, (uint32_t)threads);
	qomp_patience_set();
}

void qomp_patience_forget(void)
{
	store_rlx(&extras, 0);
	qomp_patience_set();
}
