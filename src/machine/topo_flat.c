/* machine/topo_flat.c -- the machine as the affinity mask shows it: CPUs, all alike.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/topo.h"

int qti_topo_load(struct qti_topo *t, unsigned levels)
{
	struct qti_affinity allowed;

	(void)levels;
	qti_affinity_save(&allowed);
	return qti_topo_flat(t, &allowed);
}
