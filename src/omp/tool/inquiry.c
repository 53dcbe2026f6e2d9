/* omp/tool/inquiry.c -- see omp/tool/inquiry.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All of it may be called from signal handlers, too: nothing takes a lock or memory.
 */
#include "omp/tool/inquiry.h"

#include "base/atomic.h"
#include "omp/env/icv.h"
#include "omp/env/places.h"
#include "omp/tool/callbacks.h"
#include "omp/tool/thread.h"

#include <sched.h>
#include <string.h>

/* --- lists ----------------------------------------------------------------------------------------------- */

struct named {
	int number;
	const char *name;
};

#define STATE(name) { ompt_state_##name, "ompt_state_" #name }

static const struct named states[] = {
	STATE(work_serial), STATE(work_parallel), STATE(work_reduction),
	STATE(wait_barrier_implicit_parallel), STATE(wait_barrier_implicit_workshare), STATE(wait_barrier_explicit),
	STATE(wait_barrier_implementation),
	STATE(wait_taskwait), STATE(wait_taskgroup),
	STATE(wait_lock), STATE(wait_critical), STATE(wait_atomic), STATE(wait_ordered),
	STATE(idle), STATE(overhead), STATE(undefined),
};

static const struct named mutexes[] = {
	{ ompt_mutex_impl_none, "ompt_mutex_impl_none" }, { 1, "qomp_mutex_impl_spin_then_sleep" },
};

/* Who begins passes a number that is none of them, ompt_state_undefined, or the first one's. */
static int next_of(const struct named *all, unsigned n, unsigned at, int *number, const char **name)
{
	if (at >= n)
		return 0;
	*number = all[at].number;
	*name = all[at].name;
	return 1;
}

static int enumerate_states(int current, int *next, const char **name)
{
	unsigned n = sizeof(states) / sizeof(states[0]) - 1, at = 0;

	if (current == ompt_state_undefined)
		return next_of(states, n, 0, next, name);
	while (at < n && states[at].number != current)
		at++;
	return next_of(states, n, at + 1, next, name);
}

static int enumerate_mutex_impls(int current, int *next, const char **name)
{
	return current == ompt_mutex_impl_none ? next_of(mutexes, 2, 1, next, name) : 0;
}

/* --- callbacks ------------------------------------------------------------------------------------------- */

static int get_callback(ompt_callbacks_t event, ompt_callback_t *callback)
{
	if ((unsigned)event >= QOMP_EVENTS || !load_rlx(&qomp_callbacks[event]))
		return 0;
	*callback = load_rlx(&qomp_callbacks[event]);
	return 1;
}

/* --- the calling thread ---------------------------------------------------------------------------------- */

static ompt_data_t *get_thread_data(void)
{
	struct qomp_tool_thread *th = qomp_tool_thread_now();

	return th ? &th->data : NULL;
}

static struct qomp_told *running(void)
{
	struct qomp_tool_thread *th = qomp_tool_thread_now();

	return th ? th->first : NULL;
}

static int get_state(ompt_wait_id_t *wait_id)
{
	const struct qomp_tool_thread *th = qomp_tool_thread_now();
	const struct qomp_told *t = th ? th->first : NULL;

	if (wait_id)
		*wait_id = t ? t->wait_id : ompt_wait_id_none;
	return t ? t->state : th ? ompt_state_idle : ompt_state_undefined;
}

static struct qomp_told *ancestor_of(struct qomp_told *t)
{
	if (t->flags & ompt_task_explicit)
		return t->below;
	return t->region ? t->region->met : NULL;
}

static int get_task_info(
	int level, int *flags, ompt_data_t **data, ompt_frame_t **frame, ompt_data_t **region, int *number)
{
	struct qomp_told *t = level < 0 ? NULL : running();

	for (int i = 0; t && i < level; i++)
		t = ancestor_of(t);
	if (!t)
		return 0;
	if (flags)
		*flags = t->flags;
	if (data)
		*data = &t->data;
	if (frame)
		*frame = &t->frame;
	if (region)
		*region = t->region ? &t->region->data : NULL;
	if (number)
		*number = (int)t->number;
	return 2;
}

static int get_parallel_info(int level, ompt_data_t **data, int *size)
{
	struct qomp_told *t = level < 0 ? NULL : running();

	for (int i = 0; t && t->region && i < level; i++)
		t = t->region->met;
	if (!t || !t->region)
		return 0;
	if (data)
		*data = &t->region->data;
	if (size)
		*size = (int)t->region->size;
	return 2;
}

/* Of an explicit task, what compiled code has it copy or allocate for its data: one block.  Never are there more. */
static int get_task_memory(void **address, size_t *size, int block)
{
	const struct qomp_told *t = block == 0 ? running() : NULL;

	*address = t ? t->memory : NULL;
	*size = t ? t->bytes : 0;
	return 0;
}

/* --- the machine ----------------------------------------------------------------------------------------- */

static int get_num_procs(void)
{
	return (int)qomp_settings.procs;
}

static int get_num_places(void)
{
	return (int)qomp_places.n;
}

static int get_place_proc_ids(int place, int size, int *ids)
{
	if (place < 0 || (unsigned)place >= qomp_places.n)
		return 0;
	int n = (int)qomp_place_size((unsigned)place);
	for (int i = 0; i < n && i < size; i++)
		ids[i] = (int)qomp_place_cpus((unsigned)place)[i];
	return n;
}

static const struct qomp_told *implicit_task(void)
{
	const struct qomp_told *t = running();

	while (t && t->flags & ompt_task_explicit)
		t = t->below;
	return t;
}

static int get_place_num(void)
{
	const struct qomp_told *t = implicit_task();

	return t && t->places > 0 ? t->place : -1;
}

static int get_partition_place_nums(int size, int *places)
{
	const struct qomp_told *t = implicit_task();
	int n = t ? t->places : 0;

	for (int i = 0; i < n && i < size; i++)
		places[i] = t->first_place + i;
	return n;
}

static int get_proc_id(void)
{
	return sched_getcpu();
}

/* --- devices: there are none ----------------------------------------------------------------------------- */

static int get_target_info(uint64_t *device, ompt_id_t *target, ompt_id_t *operation)
{
	(void)device, (void)target, (void)operation;
	return 0;
}

static int get_num_devices(void)
{
	return 0;
}

/* --- the tool -------------------------------------------------------------------------------------------- */

static uint64_t get_unique_id(void)
{
	static uint64_t last;

	return add_rlx(&last, 1) + 1;
}

#define ENTRY(name) { "ompt_" #name, (ompt_interface_fn_t)(name) }

ompt_interface_fn_t qomp_tool_lookup(const char *name)
{
	static const struct {
		const char *name;
		ompt_interface_fn_t fn;
	} all[] = {
		ENTRY(enumerate_states), ENTRY(enumerate_mutex_impls),
		{ "ompt_set_callback", (ompt_interface_fn_t)qomp_callback_set }, ENTRY(get_callback),
		ENTRY(get_thread_data), ENTRY(get_num_procs), ENTRY(get_num_places), ENTRY(get_place_proc_ids),
		ENTRY(get_place_num), ENTRY(get_partition_place_nums), ENTRY(get_proc_id), ENTRY(get_state),
		ENTRY(get_parallel_info), ENTRY(get_task_info), ENTRY(get_task_memory), ENTRY(get_target_info),
		ENTRY(get_num_devices), ENTRY(get_unique_id),
		{ "ompt_finalize_tool", qomp_callbacks_end },
	};

	for (unsigned i = 0; name && i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(name, all[i].name) == 0)
			return all[i].fn;
	return NULL;
}
