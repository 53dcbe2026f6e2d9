/* test/ompt/asks.h -- what a tool may ask the library, and what the answers have to say: of test/ompt/checker.c.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define ASK(name) static ompt_##name##_t name;
#define EACH_QUESTION \
	ASK(enumerate_states) ASK(enumerate_mutex_impls) ASK(get_callback) ASK(get_thread_data) ASK(get_num_procs) \
	ASK(get_num_places) ASK(get_place_proc_ids) ASK(get_place_num) ASK(get_partition_place_nums) ASK(get_proc_id) \
	ASK(get_state) ASK(get_parallel_info) ASK(get_task_info) ASK(get_task_memory) ASK(get_target_info) \
	ASK(get_num_devices) ASK(get_unique_id) ASK(finalize_tool)

EACH_QUESTION
#undef ASK

enum { SOME_PLACES = 64, STATES_LEAST = 15, LEVELS_MOST = 1000 };

/* From `none` on: how many there are; each has a name with that prefix and is the next of one alone. */
static unsigned enumerated(ompt_enumerate_states_t next, int none, const char *prefix)
{
	const char *name = "";
	unsigned n = 0;
	int at = none;

	while (n < LEVELS_MOST && next(at, &at, &name)) {
		CHECK(strncmp(name, prefix, strlen(prefix)) == 0, "%d is called %s", at, name);
		n++;
	}
	CHECK(!next(INT_MAX, &at, &name), "something follows on what is not there");
	return n;
}

static void ask_machine(void)
{
	int ids[SOME_PLACES], places = get_num_places();

	CHECK(get_num_procs() > 0, "%d processors", get_num_procs());
	CHECK(get_proc_id() >= 0, "processor %d", get_proc_id());
	CHECK(get_num_devices() == 0 && !get_target_info(NULL, NULL, NULL), "there is a device");
	for (int i = 0; i < places; i++) {
		int n = get_place_proc_ids(i, 0, NULL);
		CHECK(n > 0 && get_place_proc_ids(i, SOME_PLACES, ids) == n, "%d processors in place %d", n, i);
		for (int k = 0; k < n && k < SOME_PLACES; k++)
			CHECK(ids[k] >= 0, "processor %d in place %d", ids[k], i);
	}
	CHECK(get_place_proc_ids(-1, 0, NULL) == 0 && get_place_proc_ids(places, 0, NULL) == 0, "a place that is not there");
}

/* Of an explicit task that begins: its data can be read, and some have the program's mark. */
static void ask_memory(void)
{
	const uint64_t mark = TASK_MARK;
	void *memory = &memory, *none = &memory;
	size_t bytes = 1, no_bytes = 1;

	CHECK(!get_task_memory(&memory, &bytes, 0) && !memory == !bytes, "%zu bytes of memory at %p", bytes, memory);
	CHECK(!get_task_memory(&none, &no_bytes, 1) && !none && !no_bytes, "a task has two blocks of memory");
	ADD(marked, memmem(memory ? memory : "", bytes, &mark, sizeof(mark)) != NULL);
}

/* Before the first event. */
static void ask_first(ompt_function_lookup_t lookup)
{
	ompt_wait_id_t wait = 1;

#define ASK(name) \
	if (!(name = (ompt_##name##_t)lookup("ompt_" #name))) \
		mistake(__LINE__, "ompt_" #name " is not there");
	EACH_QUESTION
#undef ASK
	CHECK(!lookup("ompt_get_nothing") && !lookup(""), "something is there by any name");
	CHECK(enumerated(enumerate_states, ompt_state_undefined, "ompt_state_") >= STATES_LEAST, "there are few states");
	CHECK(enumerated(enumerate_mutex_impls, ompt_mutex_impl_none, "qomp_") == 1, "locks are of one kind");
	CHECK(get_state(&wait) == ompt_state_undefined && wait == ompt_wait_id_none, "the thread does something already");
	CHECK(!get_thread_data(), "the thread has data already");
	CHECK(!get_task_info(0, NULL, NULL, NULL, NULL, NULL) && !get_parallel_info(0, NULL, NULL), "a task runs already");
	CHECK(get_place_num() == -1 && get_partition_place_nums(0, NULL) == 0, "the thread is in a place already");
	ask_machine();
}

static void ask_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	ompt_callback_t set = NULL;

	CHECK(get_callback(event, &set) && set == callback, "event %d goes elsewhere", event);
	CHECK(!get_callback(0, &set) && !get_callback(ompt_callback_target, &set), "a callback that nobody has set");
}

static void ask_places(void)
{
	int place[SOME_PLACES], n = get_partition_place_nums(SOME_PLACES, place), mine = get_place_num();

	CHECK(n <= get_num_places(), "%d places of %d", n, get_num_places());
	CHECK(n == 0 ? mine == -1 : mine >= 0 && mine < get_num_places(), "in place %d", mine);
	for (int i = 0; i < n && i < SOME_PLACES; i++)
		CHECK(place[i] >= 0 && place[i] < get_num_places(), "place %d is not there", place[i]);
}

/* An implicit task of `size` has just begun. */
static void ask_member(ompt_data_t *parallel, unsigned size, unsigned index)
{
	ompt_data_t *data = NULL;
	ompt_wait_id_t wait = 1;
	size_t bytes = 1;
	void *memory = &bytes;
	int flags = 0, levels = 0, threads_there = 0, number = -1;

	CHECK(get_parallel_info(0, &data, &threads_there) == 2 && data == parallel && threads_there == (int)size,
		"a region of %d, where %u begin", threads_there, size);
	CHECK(get_task_info(0, NULL, NULL, NULL, &data, &number) == 2 && data == parallel && number == (int)index,
		"thread %d is told to be %u", number, index);
	while (levels < LEVELS_MOST && get_task_info(levels, &flags, NULL, NULL, NULL, NULL))
		levels++;
	CHECK(levels > 1 && levels < LEVELS_MOST && flags & ompt_task_initial, "task %d above has %x", levels, flags);
	for (levels = 0; levels < LEVELS_MOST && get_parallel_info(levels, NULL, &threads_there);)
		levels++;
	CHECK(levels > 1 && levels < LEVELS_MOST && threads_there >= 1, "region %d around has %d", levels, threads_there);
	CHECK(!get_task_info(-1, NULL, NULL, NULL, NULL, NULL) && !get_parallel_info(-1, NULL, NULL), "there is one within");
	CHECK(get_state(NULL) == get_state(&wait) && get_state(NULL) == ompt_state_work_parallel && wait == ompt_wait_id_none,
		"state %x", get_state(NULL));
	CHECK(!get_task_memory(&memory, &bytes, 0) && !memory && !bytes, "an implicit task has memory");
	ask_places();
}
