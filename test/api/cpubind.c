/* test/api/cpubind.c -- QT_CPUBIND: each shepherd's tasks run on its CPUs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <sched.h>

static int cpus[2];             /* of this process: the last and the first */

static bool cpus_find(void)
{
	cpu_set_t set;
	int n = 0;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return false;
	for (int i = CPU_SETSIZE - 1; i >= 0; i--)
		if (CPU_ISSET(i, &set))
			cpus[n++ > 0] = i;
	return n >= 2;
}

static aligned_t sees(void *unused)
{
	cpu_set_t set;
	const int cpu = cpus[qthread_shep()];

	(void)unused;
	return sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) == 1 && CPU_ISSET(cpu, &set);
}

int main(void)
{
	if (!cpus_find())
		plan_skip_all("one CPU, or the kernel does not tell");
	plan(EVERY_SCHEDULERS);
	for (int s = 0; s < EVERY_SCHEDULERS; s++) {
		aligned_t ret[2] = { 0, 0 };
		char lists[32];

		snprintf(lists, sizeof(lists), "%d:%d", cpus[0], cpus[1]);
		setenv("QT_CPUBIND", lists, 1);
		every_start(every_scheduler[s], "1", "1");
		const bool shaped = qthread_num_shepherds() == 2 && qthread_num_workers() == 2;
		for (qthread_shepherd_id_t i = 0; i < 2; i++)
			qthread_fork_to(sees, NULL, &ret[i], i);
		for (int i = 0; i < 2; i++)
			qthread_readFF(NULL, &ret[i]);
		ok(shaped && ret[0] == 1 && ret[1] == 1, "%s: two shepherds, bound to CPUs %s", every_scheduler[s], lists);
		qthread_finalize();
	}
	return done();
}
