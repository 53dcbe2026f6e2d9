/* omp/tool/callbacks.c -- see omp/tool/callbacks.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tool/callbacks.h"

ompt_callback_t qomp_callbacks[QOMP_EVENTS];

static QTI_AT_LOAD ompt_start_tool_result_t *used;

/* How often each is told; 0: there is no such event. */
static ompt_set_result_t how_often(ompt_callbacks_t event)
{
	switch (event) {
	case ompt_callback_thread_begin:
	case ompt_callback_thread_end:
	case ompt_callback_parallel_begin:
	case ompt_callback_parallel_end:
	case ompt_callback_task_create:
	case ompt_callback_task_schedule:
	case ompt_callback_implicit_task:
	case ompt_callback_control_tool:
	case ompt_callback_sync_region_wait:
	case ompt_callback_sync_region:
	case ompt_callback_mutex_released:
	case ompt_callback_mutex_acquire:
	case ompt_callback_mutex_acquired:
	case ompt_callback_lock_init:
	case ompt_callback_lock_destroy:
	case ompt_callback_nest_lock:
	case ompt_callback_dependences:
	case ompt_callback_cancel:
	case ompt_callback_error:
		return ompt_set_always;
	/* Of these compilers do some without a call: static loops and master of gcc, flush, reductions. */
	case ompt_callback_work:
	case ompt_callback_masked:
	case ompt_callback_reduction:
	case ompt_callback_flush:
	case ompt_callback_dispatch:
	case ompt_callback_task_dependence:
		return ompt_set_sometimes;
	case ompt_callback_target:
	case ompt_callback_target_data_op:
	case ompt_callback_target_submit:
	case ompt_callback_target_map:
	case ompt_callback_device_initialize:
	case ompt_callback_device_finalize:
	case ompt_callback_device_load:
	case ompt_callback_device_unload:
	case ompt_callback_target_emi:
	case ompt_callback_target_data_op_emi:
	case ompt_callback_target_submit_emi:
	case ompt_callback_target_map_emi:
		return ompt_set_never;
	}
	return ompt_set_error;
}

ompt_set_result_t qomp_callback_set(ompt_callbacks_t event, ompt_callback_t callback)
{
	ompt_set_result_t often = how_often(event);

	if (often != ompt_set_error && load_rlx(&used))
		store_rlx(&qomp_callbacks[event], callback);
	return often;
}

void qomp_callbacks_begin(ompt_start_tool_result_t *tool)
{
	store_rlx(&used, tool);
}

bool qomp_callbacks_used(void)
{
	return load_rlx(&used) != NULL;
}

/* Other threads may be in callbacks still, or come to one that they have read before. */
void qomp_callbacks_end(void)
{
	ompt_start_tool_result_t *tool = swap_acq_rel(&used, NULL);

	if (!tool)
		return;
	for (unsigned i = 0; i < QOMP_EVENTS; i++)
		store_rlx(&qomp_callbacks[i], NULL);
	if (tool->finalize)
		tool->finalize(&tool->tool_data);
}
