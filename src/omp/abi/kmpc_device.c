/* omp/abi/kmpc_device.c -- what libomptarget and old programs of Intel's compilers ask the host's runtime.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_region.h"

#include "omp/abi/device.h"
#include "omp/env/env.h"
#include "omp/env/icv.h"

int __kmpc_pause_resource(int kind)
{
	return omp_pause_resource_all(kind);
}

int __kmpc_get_target_offload(void)
{
	static const int numbers[] = {
		[QOMP_OFFLOAD_DISABLED] = 0, [QOMP_OFFLOAD_DEFAULT] = 1, [QOMP_OFFLOAD_MANDATORY] = 2,
	};

	return numbers[qomp_settings_known() ? qomp_settings.offload : QOMP_OFFLOAD_DEFAULT];
}

/* A target task runs on a device as any other does: who has started it waits. */

bool __kmpc_omp_has_task_team(int32_t thread)
{
	(void)thread;
	return false;
}

void **__kmpc_omp_get_target_async_handle_ptr(int32_t thread)
{
	(void)thread;
	return NULL;
}
